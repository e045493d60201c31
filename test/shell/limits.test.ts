/** What the shell model cannot follow is doubt with its cause, soon, and never an empty list. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../src/guard/call.ts";
import type { RunsPlan } from "../../src/guard/plan.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { analyse } from "../../src/guard/shell/interpret.ts";
import type { ShellAtom } from "../../src/guard/shell/shell.ts";
import { lowerGlob } from "../../src/lower/glob.ts";
import type { Truth } from "../../src/guard/world.ts";
import { processorTime } from "../processor-time.ts";

const world = scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: () => shellModule });
const runsRm: RunsPlan = { kind: "runs", only: false, commands: [[["rm"]]], with: [], without: [] };
/** Milliseconds that no input of 64 KB may need; ten times what the slowest takes on an idle machine. */
const longest = 8000;

function callOf(text: string, whole = true, shell: "bash" | "powershell" = "bash"): ToolCall {
  return {
    event: "before-tool", hostEvent: "PreToolUse", cwd: world.root, tool: "Bash", toolClass: shell, fields: { command: text }, input: { command: text },
    subject: { commands: [{ text, shell, whole }], paths: [] },
  };
}

function judge(text: string, atom: ShellAtom = runsRm, whole = true, shell: "bash" | "powershell" = "bash"): Truth {
  return shellModule.judge(atom, callOf(text, whole, shell), "wide", world);
}

function doubtOf(text: string): string | undefined {
  const truth = judge(text);
  return typeof truth === "object" ? truth.doubt : undefined;
}

test.each([
  ["a NUL character", "rm a\0", /NUL/],
  ["an open quote", "echo 'a", /does not parse/],
  ["an open substitution", "echo $(ls", /does not parse/],
  ["a fault in a substitution", 'echo "$(if)"', /does not parse/],
  ["a fault in backticks", "echo `fi`", /does not parse/],
  ["a fault in a text for a shell", "bash -c 'if'", /does not parse/],
  ["a fault in a here-document for a shell", "sh <<'E'\nfi\nE", /does not parse/],
  ["a fault in an eval", "eval 'done'", /does not parse/],
  ["more than 64 KB", `echo ${"a".repeat(65 * 1024)}`, /64 KB/],
  ["a long text that a shell reads", `bash <<'E'\n${"ls\n".repeat(30_000)}E`, /64 KB/],
  ["a long here-document in double quotes", `echo "<<'E'\n${"rm x\n".repeat(20_000)}E\n"; ls`, /64 KB/],
  ["a long here-document in a comment", `# <<'E'\n${"rm x\n".repeat(20_000)}E\n`, /64 KB/],
  ["a long here-document in a comment beside one met twice", `f() { cat <<'A'\n${"x\n".repeat(40_000)}A\n}\nf; f\n# <<'B'\nls\nB\n`, /64 KB/],
  ["a long here-document in which something is expanded", `cat <<E\n${"x\n".repeat(40_000)}$(ls)\nE`, /64 KB/],
  ["33 levels of substitution", `echo ${"$(echo ".repeat(33)}x${")".repeat(33)}`, /32 levels/],
  ["9 levels of texts for shells", `${"eval ".repeat(10)} ls`, /8 levels/],
  ["256 KB of nested text", Array.from({ length: 7 }, () => `bash -c '${"ls; ".repeat(12_000)}'`).join("\n").slice(0, 60_000), /does not parse|256 KB|too many/],
  ["hundreds of here-documents on a line", "cat <<a ".repeat(500), /here-documents/],
  ["functions in functions in functions", "f() ".repeat(12_000), /nested too deeply/],
  ["thousands of coprocesses", "coproc ".repeat(9000), /nested too deeply/],
  ["a brace bomb", `echo ${"{a,b}".repeat(11)}`, /too many words/],
  ["a doubling variable", `a=xxxxxxxx; ${"a=$a$a; ".repeat(30)}`, /too many possible values/],
  ["too many choices", `${["a", "b", "c", "d"].map((name) => `for ${name} in 1 2 3 4 5 6 7 8; do `).join("")}echo $a$b$c$d${"; done".repeat(4)}`, /too many possible values/],
])("%s is doubt", (_, text, cause) => {
  expect(doubtOf(text)).toMatch(cause);
});

test("a long here-document in which nothing is expanded is data", () => {
  const body = "rm x\n".repeat(20_000);
  expect(judge(`cat > a.txt <<'E'\n${body}E\nls`)).toBe(false);
  expect(judge(`cat > a.txt <<E\n${body}E\nls`)).toBe(false);
  expect(judge(`cat > a.txt <<E\n${body}E\nrm a`)).toBe(true);
  expect(doubtOf(`sh <<E\n${body}E`)).toMatch(/64 KB/);
});

test("every atom shares the doubt of a text that does not parse", () => {
  const atoms: readonly ShellAtom[] = [
    runsRm,
    { ...runsRm, only: true },
    { kind: "pipes", from: [[["curl"]]], into: [[["sh"]]] },
    { kind: "dynamic" },
    { kind: "touches", globs: [{ text: "a", except: false, base: "root", exact: "^a$", folded: "^a$", start: ["a"] }] },
  ];
  for (const atom of atoms) for (const position of ["wide", "narrow"] as const) expect(typeof shellModule.judge(atom, callOf("rm 'a"), position, world)).toBe("object");
});

test("text typed into a running process that does not parse is no match", () => {
  expect(judge("rm 'a", runsRm, false)).toBe(false);
  expect(judge("rm a", runsRm, false)).toBe(true);
});

test("a long here-document that no shell reads is cut out and not counted", () => {
  const body = "rm -rf /\n".repeat(20_000);
  expect(judge(`cat > notes.md <<'EOF'\n${body}EOF\nls`)).toBe(false);
  expect(judge(`cat > notes.md <<'EOF'\n${body}EOF\nrm x`)).toBe(true);
  expect(judge(`cat <<-"EOF" > a.md && tee b.md <<\\END\n${body}\tEOF\n${body}END\nls`)).toBe(false);
  expect(judge(`cat <<'EOF'\n${body}EOF\n${"echo a\n".repeat(4000)}sh <<'EOF'\nrm x\nEOF`)).toBe(true);
});

test("a script of ordinary size that a shell reads is followed to its end", () => {
  expect(judge(`bash <<'E'\n${"echo a\n".repeat(5000)}rm x\nE`)).toBe(true);
});

test("a loop whose variable grows ends, and its command counts", () => {
  expect(judge('x=; while read -r l; do x="$x $l"; $x; rm a; done < f')).toBe(true);
});

test("a function that calls itself ends", () => {
  expect(judge(":(){ :|:& };:")).toBe(false);
  expect(judge('f() { "$@"; f rm x; }; f ls')).toBe(true);
});

test.each([
  ["eight thousand operands", `rm -rf ${Array.from({ length: 8000 }, (_, index) => `f${index}`).join(" ")}`],
  ["eight thousand wildcards", `rm -rf ${Array.from({ length: 8000 }, (_, index) => `*f${index}`).join(" ")}`],
  ["one wildcard of ten thousand characters", `rm -rf ${"*a".repeat(5000)}`],
  ["a path of ten thousand folders", `rm -rf ${"a/".repeat(10_000)}`],
  ["two hundred folders entered", `${"cd a; ".repeat(200)}rm -rf x`],
])("what %s touch is found out in time", (_, text) => {
  const globs = [".git/**", "**/.env", "!**/.env.example", "~/.ssh/**", "**/*.pem", "src/{a,b}/**/*.ts", "/etc/**"].map((glob) => lowerGlob(glob.replace(/^!/, ""), glob.startsWith("!")));
  const judging = processorTime(() => {
    for (const kind of ["touches", "reads", "writes", "deletes"] as const) shellModule.judge({ kind, globs }, callOf(text), "wide", world);
  });
  expect(judging).toBeLessThan(2 * longest);
});

test("ordinary changes of folder leave no doubt", () => {
  expect(judge(`${"cd a; ".repeat(40)}ls`, { kind: "deletes", globs: [lowerGlob("a/b", false)] })).toBe(false);
});

const pieces = fc.constantFrom(
  "$(", "${", "$((", "((", "(", ")", "{", "}", "`", "'", '"', "$'", "<<E\n", "<<'E'\n", "E\n", "<<<", "<(", ">(", ">", "|", "||", "&&", "&", ";", ";;", "\n", "\r\n", "\\", "\\\n", "#", "!", "[[", "]]", "[", "]", "*", "?", "~", "=", "a=", "a[", "if ", "then ", "fi ",
  "for i in ", "do ", "done ", "while ", "case x in ", "esac ", "f() ", "function g ", "coproc ", "time ", "eval ", "bash -c ", "sh ", "trap ", "xargs ", "find . -exec ", "sudo ", "env -S ", "git -c ", "printf %s ", "read x ", "set -- ", "$x", "$@", "${x:-", "${!x}", "${x@P}", "${x//", "@(", "{a,b}", "{1..9}", "rm ", "-rf ", "x ", "\u{feff}", "\u{a0}", "é", "\u{1f600}", "\0", "\x1b", ".", "/", "-", "--", "%", "^", ",",
);

test("no text makes the model throw or think for long", () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(pieces, { maxLength: 40 }), fc.tuple(fc.array(pieces, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 400 })).map(([unit, times]) => Array.from({ length: times }, () => unit).flat())), fc.constantFrom<"bash" | "powershell">("bash", "powershell"), (parts, shell) => {
      const thinking = processorTime(() => {
        const analysis = analyse(parts.join(""), shell, world.root, world);
        expect(analysis.doubt ?? "").not.toBe("the command could not be followed");
        // No pass: a rule that denies fires by doubt or because it has found what it asks for.
        if (analysis.doubt !== undefined) expect([parts.join(""), judge(parts.join(""), runsRm, true, shell)]).not.toEqual([parts.join(""), false]);
        for (const kind of ["reads", "writes", "deletes", "touches"] as const) for (const position of ["wide", "narrow"] as const) shellModule.judge({ kind, globs: [{ text: "**/.env", except: false, base: "anywhere", exact: "^(?:.*\\/)?\\.env$", folded: "^(?:.*\\/)?\\.env$", start: [".env"] }] }, callOf(parts.join(""), true, shell), position, world);
        shellModule.describe(callOf(parts.join(""), true, shell), world);
      });
      expect(thinking).toBeLessThan(longest);
    }),
    { numRuns: Number(process.env["POLICYC_FUZZ_RUNS"] ?? 500) },
  );
});
