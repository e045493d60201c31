/** How the command line tells differences and test results. */
import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareTexts, renderDifference } from "../src/cli/diff.ts";
import { renderJunit } from "../src/cli/junit.ts";
import { observedRows, renderFindingCounts } from "../src/cli/report.ts";
import { renderTable, styleOf } from "../src/cli/terminal.ts";
import { diagnose } from "../src/diagnostics/catalogue.ts";
import type { TestCase } from "../src/trial.ts";
import { check } from "./checking.ts";
import { processorTime } from "./processor-time.ts";

const plain = styleOf(false);
const text = fc.array(fc.constantFrom("deny", "ask", "allow", ""), { maxLength: 30 }).map((lines) => lines.map((line) => `${line}\n`).join(""));

test("equal texts have no difference, whatever their line ends", () => {
  fc.assert(fc.property(text, (same) => void expect(compareTexts(same, same.replaceAll("\n", "\r\n")).lines).toEqual([])));
});

test("a difference accounts for every line that came and went", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { added, removed, lines } = compareTexts(before, after);
      expect(added - removed).toBe(after.split("\n").length - before.split("\n").length);
      expect(lines.filter((line) => line.startsWith("+"))).toHaveLength(added);
    }),
  );
});

test("texts without anything in common are told without a search for the shortest way", () => {
  const before = Array.from({ length: 5000 }, (_, line) => `old ${line}\n`).join("");
  const after = Array.from({ length: 5000 }, (_, line) => `new ${line}\n`).join("");
  expect(processorTime(() => expect(compareTexts(before, after)).toMatchObject({ added: 5000, removed: 5000 }))).toBeLessThan(3000);
});

test("a difference can be applied: what it leaves out is what both texts share", () => {
  fc.assert(
    fc.property(text, text, fc.boolean(), (before, after, isCut) => {
      const wanted = isCut ? after.slice(0, -1) : after;
      expect(applyPatch(before, `--- a\n+++ b\n${compareTexts(before, wanted).lines.join("\n")}\n`)).toBe(wanted);
    }),
  );
});

test("a guard that has got another part of its runtime still shows which rule changed, first and alone", () => {
  const runtime = (name: string, count: number) => Array.from({ length: count }, (_, index) => `// ${name} ${index}\n${"work();\n".repeat(index % 7)}\n`).join("");
  const guard = (rule: string, parts: string) => `// Guard\n\nfunction rules() {\n/*\n${rule}*/\n}\n\n${parts}${runtime("guard", 400)}`;
  const [before, after] = [guard('"rm"\n', ""), guard('"rm"\n"mv"\n', runtime("shell", 900))];
  const { lines, removed } = compareTexts(before, after);
  expect(removed).toBe(0);
  expect(lines.slice(1, 6)).toEqual([" function rules() {", " /*", ' "rm"', '+"mv"', " */"]);
  expect(applyPatch(before, `--- a\n+++ b\n${lines.join("\n")}\n`)).toBe(after);
});

test("a shown difference is cut in length and width and cannot drive the terminal", () => {
  const after = `${"x".repeat(400)}\n\u001b]0;owned\u0007\n${"line\n".repeat(50)}`;
  const shown = renderDifference("settings.json", compareTexts("", after), plain, 10).split("\n");
  expect(shown.slice(0, 2)).toEqual(["--- settings.json (on disk)", "+++ settings.json (built now)"]);
  expect(shown.every((line) => line.length < 200)).toBe(true);
  expect(shown.join("")).not.toMatch(/[\u0000-\u001f]/);
  expect(shown.at(-2)).toBe("… 43 more lines; --diff shows all");
});

test("columns are aligned and lines end without blanks", () => {
  expect(renderTable([["host", "breaches"], ["claude", "none"], ["vibe", ""]], "  ")).toBe("  host    breaches\n  claude  none\n  vibe\n");
});

const passed: TestCase = { rule: "acme/no-rm", example: 'deny "rm -r <b> && \u0007"', source: "policy/main.policy:4", host: "bob", through: "guard", result: "passed", milliseconds: 41 };

test("JUnit results hold every case, escaped, with its place and time", () => {
  const xml = renderJunit([passed, { ...passed, result: "failed", message: 'said "pass"' }, { ...passed, result: "inapplicable" }], []);
  expect(xml).toContain('<testsuites tests="3" failures="1" errors="0">');
  expect(xml).toContain('name="deny &quot;rm -r &lt;b&gt; &amp;&amp; \uFFFD&quot; (bob, guard)" file="policy/main.policy" line="4" time="0.041"');
  expect(xml).toContain('<failure message="said &quot;pass&quot;"/>');
  expect(xml).toContain("<skipped/>");
});

test("an error that kept examples from running is a failing case of its own", () => {
  const xml = renderJunit([], [diagnose("source/unreadable", { path: "main.policy", why: "is a folder" }, { file: { path: "main.policy", text: "" } })]);
  expect(xml).toContain('<testsuites tests="1" failures="0" errors="1">');
  expect(xml).toContain('name="source/unreadable" file="main.policy"');
});

test("rules that only observe are listed, each with the day from which it answers", () => {
  const rows = (text: string) => observedRows(check(`policy acme\ndeny read\n  id no-read\ndeny write\n  id no-write\n${text}\n`));
  expect(rows("")).toEqual([]);
  expect(rows('observe no-read until "2099-01-01"')).toEqual([{ rule: "acme/no-read", until: "2099-01-01" }]);
  expect(rows("default mode observe")).toEqual([{ rule: "acme/no-read", until: undefined }, { rule: "acme/no-write", until: undefined }]);
});

test("a build tells warnings and notes in one line for each code, warnings first, and no errors", () => {
  const warning = diagnose("syntax/quoted-blanks", { text: "npm install" });
  const note = diagnose("settings/ledger-missing", { ledger: "installed.json", settings: "settings.json" });
  const error = diagnose("syntax/empty-pattern", {});
  expect(renderFindingCounts([note, warning, error, warning])).toBe("\nwarning  syntax/quoted-blanks     2x\nnote     settings/ledger-missing  1x\n`policyc check` shows them whole.\n");
  expect(renderFindingCounts([error])).toBe("");
});
