import { expect, test } from "vitest";
import type { Diagnostic, SourceFile, Span } from "../src/diagnostics/diagnostic.ts";
import { renderGithub, renderJson, renderText } from "../src/diagnostics/render.ts";

function fileOf(text: string, path = "acme.policy"): SourceFile {
  return { path, text };
}

function spanIn(file: SourceFile, words: string): Span {
  const start = file.text.indexOf(words);
  expect(start).toBeGreaterThanOrEqual(0);
  return { start, end: start + words.length };
}

/** An error about `words` of a text. */
function about(text: string, words: string, more: Partial<Diagnostic> = {}): Diagnostic {
  const file = fileOf(text);
  return { code: "check/unknown-field", severity: "error", message: "there is no field `x`", file, span: spanIn(file, words), labels: [], notes: [], ...more };
}

/** The rendered lines without the headline and the place. */
function frame(diagnostic: Diagnostic): readonly string[] {
  return renderText([diagnostic], { colour: false }).trimEnd().split("\n").slice(3);
}

test("a finding has its headline, its place, the line and the words at fault", () => {
  expect(renderText([about("policy acme\n\ndeny bash when x", "x")], { colour: false })).toBe(
    "error check/unknown-field: there is no field `x`\n  --> acme.policy:3:16\n   |\n 3 | deny bash when x\n   |                ^\n",
  );
});

test("findings are set apart by a blank line, and nothing is printed for none", () => {
  expect(renderText([], { colour: false })).toBe("");
  expect(renderText([about("a x", "x"), about("b x", "x")], { colour: false }).split("\n\n")).toHaveLength(2);
});

test("line numbers are aligned, distant lines are parted by a colon, neighbouring ones are not", () => {
  const text = `${"\n".repeat(8)}first\nsecond\n\n\nlast`;
  const file = fileOf(text);
  const labels = ["first", "second"].map((word) => ({ span: spanIn(file, word), text: `the ${word}` }));
  expect(frame({ ...about(text, "last"), file, labels })).toEqual([
    " 9 | first", "   | ^^^^^ the first", "10 | second", "   | ^^^^^^ the second", "   :", "13 | last", "   | ^^^^",
  ]);
});

test("a label on the finding's own span writes beside its carets", () => {
  const text = "deny bash when x";
  expect(frame(about(text, "x", { labels: [{ span: spanIn(fileOf(text), "x"), text: "false" }] }))).toEqual([" 1 | deny bash when x", "   |                ^ false"]);
});

test("a label in another file has a place of its own", () => {
  const other = fileOf("let $x = 1", "team.policy");
  expect(frame(about("let $x = 2", "$x", { labels: [{ span: spanIn(other, "$x"), text: "first here", file: other }] }))).toEqual([
    " 1 | let $x = 2", "   |     ^^", "  ::: team.policy:1:5", "   |", " 1 | let $x = 1", "   |     ^^ first here",
  ]);
});

test("a span over lines is shown whole when it is short, and by its ends when it is long", () => {
  expect(frame(about("deny bash when (a\n  and b)\n", "(a\n  and b)"))).toEqual([" 1 | deny bash when (a", "   |                ^^", " 2 |   and b)", "   |   ^^^^^^"]);
  expect(frame(about("deny (a\n b\n c\n d\n e)", "(a\n b\n c\n d\n e)"))).toEqual([" 1 | deny (a", "   |      ^^", "   :", " 5 |  e)", "   |  ^^"]);
});

test("carets stand under their words behind tabs, wide and combined characters", () => {
  expect(frame(about("deny\tbash", "bash"))).toEqual([" 1 | deny    bash", "   |         ^^^^"]);
  expect(frame(about('a == "日本" x', "x"))).toEqual([' 1 | a == "日本" x', `   |             ^`]);
  expect(frame(about('a == "😀" x', '"😀"'))).toEqual([' 1 | a == "😀" x', "   |      ^^^^"]);
  expect(frame(about('a == "e\u0301" x', "x"))).toEqual([' 1 | a == "e\u0301" x', "   |          ^"]);
});

test("a column counts characters, not UTF-16 units, and a byte order mark is none", () => {
  const place = (text: string) => renderText([about(text, "x")], { colour: false }).split("\n")[1];
  expect(place('"😀" x')).toBe("  --> acme.policy:1:5");
  expect(place("\uFEFFx")).toBe("  --> acme.policy:1:1");
  expect(frame(about("\uFEFFx\r\n", "x"))).toEqual([" 1 | x", "   | ^"]);
});

test("what cannot be seen is spelled out wherever text of a policy is printed", () => {
  const text = "a \u202Ex";
  const printed = renderText([about(text, "\u202E", { message: "there is \u001B[2J", notes: ["\u200B here"], help: { text: "remove\u2066", lines: ["a \u202E"] }, labels: [{ span: spanIn(fileOf(text), "x"), text: "\u0007" }] })], { colour: false });
  expect(printed).not.toMatch(/[^\n -~]/);
  expect(printed).toContain(" 1 | a <U+202E>x\n   |   ^^^^^^^^\n");
});

test("a finding at the end of a text has one caret behind the last word", () => {
  const text = "deny bash when";
  expect(frame({ ...about(text, text), span: { start: text.length, end: text.length } })).toEqual([" 1 | deny bash when", "   |               ^"]);
  expect(frame({ ...about(text, text), span: { start: 500, end: 600 } })).toEqual([" 1 | deny bash when", "   |               ^"]);
});

test("a very long line is cut around the words at fault", () => {
  const lines = frame(about(`deny ${"y".repeat(500)} x ${"z".repeat(500)}`, " x "));
  expect(lines[0]?.length).toBeLessThan(180);
  const at = lines[1]?.indexOf("^^^") ?? 0;
  expect(lines[0]?.slice(at, at + 3)).toBe(" x ");
});

test("notes are wrapped at 100 columns behind their sign, and laid out lines stay as they are", () => {
  const lines = frame(about("x", "x", { notes: [`${"word ".repeat(30)}end`, "first\n  a    b"] })).slice(2);
  expect(lines).toEqual(["   |", `   = ${"word ".repeat(19).trimEnd()}`, `     ${"word ".repeat(11)}end`, "   = first", "       a    b"]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});

test("a help shows what was put into the line", () => {
  const help = (before: string, after: string) => frame(about(before, before.trim().split(" ").at(-1) ?? "", { help: { text: "so", lines: [after] } })).slice(2);
  expect(help("allow bash when runs git status", "allow bash when only runs git status")).toEqual(["help: so", "   |", " 1 | allow bash when only runs git status", "   |                 ++++"]);
  expect(help("deny bash when runs timeout 5s rm", 'deny bash when runs "timeout"')).toEqual(["help: so", "   |", ' 1 | deny bash when runs "timeout"', "   |                     +       +"]);
  expect(help("deny bash when runs rm with -r", "deny bash when runs rm with [-r, -R, --recursive]").at(-1)).toBe("   |                             +  ++++++++++++++++++");
});

test("a rewritten line has no marks", () => {
  expect(frame(about("deny bash when command ~ /^(\\w+\\s?)*$/", "/^(\\w+\\s?)*$/", { help: { text: "so", lines: ["deny bash when command ~ /^\\w+(?:\\s\\w+)*\\s?$/"] } })).slice(2)).toEqual(["help: so", "   |", " 1 | deny bash when command ~ /^\\w+(?:\\s\\w+)*\\s?$/"]);
});

test("lines to be added are alternatives below the line, a comment goes above it", () => {
  expect(frame(about("deny x", "x", { help: { text: "so", lines: ["  else deny", "  else skip"] } })).slice(2)).toEqual(["help: so", "   |", " 2 +   else deny", "   |   else skip"]);
  expect(frame(about("deny x", "x", { help: { text: "so", lines: ["# policyc: allow lint/a: b"] } })).at(-1)).toBe(" 1 + # policyc: allow lint/a: b");
});

test("notes that begin with `note:` or `or` stand behind the help", () => {
  const lines = frame(about("deny x", "x", { notes: ["why", "or silence it", "note: more"], help: { text: "so", lines: ["  else deny"] } })).slice(2);
  expect(lines).toEqual(["   |", "   = why", "help: so", "   |", " 2 +   else deny", "   = or silence it", "   = note: more"]);
});

test("a finding about a whole file, or about no file, has no frame", () => {
  const { span: _, ...whole } = about("x", "x");
  expect(renderText([whole], { colour: false })).toBe("error check/unknown-field: there is no field `x`\n  --> acme.policy\n");
  const without: Diagnostic = { code: "settings/unreadable", severity: "error", message: "no", labels: [], notes: ["why"], help: { text: "so", lines: ["a"] } };
  expect(renderText([without], { colour: false })).toBe("error settings/unreadable: no\n   = why\nhelp: so\n   |\n   | a\n");
});

test("colour is added only when asked for, and takes nothing away", () => {
  const found = [about("deny x", "x", { notes: ["why"], help: { text: "so", lines: ["  else deny"] } })];
  const coloured = renderText(found, { colour: true });
  expect(coloured).toContain("\u001B[1;31m");
  expect(coloured.replaceAll(/\u001B\[[\d;]*m/g, "")).toBe(renderText(found, { colour: false }));
});

test("JSON holds every finding with the same keys, and null for what is not known", () => {
  const text = 'deny "😀" x\ny';
  const file = fileOf(text);
  const whole = about(text, "x\ny", { notes: ["why"], help: { text: "so" }, labels: [{ span: spanIn(file, "deny"), text: "here" }] });
  const bare: Diagnostic = { code: "settings/unreadable", severity: "error", message: "no", labels: [], notes: [] };
  expect(JSON.parse(renderJson([whole, bare]))).toEqual([
    { code: "check/unknown-field", severity: "error", message: "there is no field `x`", file: "acme.policy", line: 1, column: 10, endLine: 2, endColumn: 2, labels: [{ file: "acme.policy", line: 1, column: 1, endLine: 1, endColumn: 5, text: "here" }], notes: ["why"], help: { text: "so", lines: [] } },
    { code: "settings/unreadable", severity: "error", message: "no", file: null, line: null, column: null, endLine: null, endColumn: null, labels: [], notes: [], help: null },
  ]);
  expect(renderJson([])).toBe("[]\n");
  expect(Object.keys(JSON.parse(renderJson([bare]))[0])).toEqual(["code", "severity", "message", "file", "line", "column", "endLine", "endColumn", "labels", "notes", "help"]);
});

test("GitHub gets one workflow command for each finding, escaped", () => {
  const odd = { ...about("deny xyz", "xyz"), file: fileOf("deny xyz", "a,b:c%.policy"), message: "50% of\nit: x, y" };
  const warning = { ...about("deny a\nb", "a\nb"), severity: "warning" as const };
  const note: Diagnostic = { code: "settings/ledger-missing", severity: "note", message: "gone", labels: [], notes: [] };
  expect(renderGithub([odd, warning, note])).toBe(
    "::error file=a%2Cb%3Ac%25.policy,line=1,col=6,endColumn=8,title=check/unknown-field::50%25 of%0Ait: x, y\n" +
      "::warning file=acme.policy,line=1,endLine=2,title=check/unknown-field::there is no field `x`\n" +
      "::notice title=settings/ledger-missing::gone\n",
  );
});
