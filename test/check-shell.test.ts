/** Command patterns, their arguments, and conditions that would bless a whole command line. */
import { expect, test } from "vitest";
import { check, findings, meaning, ruleOf } from "./checking.ts";

const when = (condition: string, lets = "") => meaning(ruleOf(`${lets}deny bash when ${condition}`).when);

test("a command is a row of words, each any of its spellings", () => {
  expect(when("runs git push")).toEqual({ kind: "runs", only: false, commands: [[["git"], ["push"]]], with: [], without: [] });
  expect(when("only runs [ls, git status]")).toEqual({ kind: "runs", only: true, commands: [[["ls"]], [["git"], ["status"]]], with: [], without: [] });
  expect(when("runs [docker, podman] system prune")).toEqual({ kind: "runs", only: false, commands: [[["docker"], ["system"], ["prune"]], [["podman"], ["system"], ["prune"]]], with: [], without: [] });
  expect(when('runs "timeout" -k node_modules/.bin/tsc')).toMatchObject({ commands: [[["timeout"], ["-k"], ["node_modules/.bin/tsc"]]] });
});

test("a named list stands for spellings of one word, and for whole commands where its items have several", () => {
  expect(when("runs $tools system prune", "let $tools = [docker, \"podman\"]\n")).toMatchObject({ commands: [[["docker", "podman"], ["system"], ["prune"]]] });
  expect(when("runs $installs", "let $installs = [npm install, pnpm add, yarn]\n")).toMatchObject({ commands: [[["npm"], ["install"]], [["pnpm"], ["add"]], [["yarn"]]] });
  expect(when("runs sudo $all -v", "let $some = [git push]\nlet $all = [$some, git push, rm -r, ls]\n")).toMatchObject({ commands: [[["sudo"], ["git"], ["push"], ["-v"]], [["sudo"], ["rm"], ["-r"], ["-v"]], [["sudo"], ["ls"], ["-v"]]] });
  expect(when("runs git push with [$force, /^\\+/] without -n with $more", 'let $force = [-f, --force]\nlet $more = ["a b", origin]\n')).toMatchObject({
    with: [[{ kind: "flag", text: "-f" }, { kind: "flag", text: "--force" }, { kind: "pattern", regex: { body: "^\\+" } }], [{ kind: "word", text: "a b" }, { kind: "word", text: "origin" }]],
    without: [[{ kind: "flag", text: "-n" }]],
  });
  expect(when("pipes $from into [sh, bash]", "let $from = [curl, wget]\n")).toEqual({ kind: "pipes", from: [[["curl", "wget"]]], into: [[["sh"]], [["bash"]]] });
});

test("what cannot be a word or an argument is refused", () => {
  expect(findings("let $p = [/a/]\ndeny bash when runs $p")).toEqual(["check/type-mismatch: $p"]);
  expect(findings("let $p = [5]\ndeny bash when runs git $p")).toEqual(["check/type-mismatch: $p"]);
  expect(findings("let $p = [git push]\ndeny bash when runs git with $p")).toEqual(["check/type-mismatch: $p"]);
  expect(findings("let $p = [2kb]\ndeny bash when runs git with $p")).toEqual(["check/type-mismatch: $p"]);
  expect(findings('deny bash when runs ""')).toEqual(["check/type-mismatch: \"\""]);
  expect(findings("let $c = runs rm\ndeny bash when runs $c")).toEqual(["check/type-mismatch: $c"]);
});

test("commands that multiply without bounds are refused, and long lists of single words are not", () => {
  const words = Array.from({ length: 90 }, (_, index) => `tool${index}`);
  const singles = `let $a = [${words.join(", ")}]\n`;
  expect(findings(`${singles}deny bash when runs $a $a $a`)).toEqual([]);
  const rows = `let $a = [${words.map((word) => `${word} run`).join(", ")}]\n`;
  expect(findings(`${rows}deny bash when runs $a`)).toEqual([]);
  expect(findings(`${rows}deny bash when runs $a $a $a`)).toEqual(["check/too-large: $a $a $a"]);
});

test("an allow on a shell needs the whole line on every branch", () => {
  const refused: readonly (readonly [string, readonly string[]])[] = [
    ["allow bash", ["allow"]],
    ["allow shell when runs git status", ["runs git status"]],
    ["allow powershell when command ~ /^Get-Item$/", ["command ~ /^Get-Item$/"]],
    ["allow any when runs ls", ["runs ls"]],
    ["allow read, bash when branch == \"main\"", ["allow"]],
    ['allow bash when command starts with "git "', ['command starts with "git "']],
    ["allow bash when only runs [ls] or runs pwd", ["runs pwd"]],
    ["allow bash when only runs [ls] or (runs pwd or branch == \"main\")", ["allow", "runs pwd"]],
    ["allow bash when not only runs [ls]", ["allow"]],
    ["allow bash when not runs rm", ["allow"]],
    ["allow bash when command != \"rm\"", ["allow"]],
    ["allow bash when not (runs rm and only runs [ls])", ["allow"]],
    ["allow bash when length(command) == 2", ["allow"]],
    ["allow bash when command == branch", ["command == branch"]],
    ["allow bash when touches \"src/**\"", ["allow"]],
    ["allow bash when pipes ls into wc and branch == \"x\"", ["pipes ls into wc"]],
    ["allow mcp(files.shell) when runs ls", ["runs ls"]],
    ['allow "Bash" when input.command ~ /^ls/', ["input.command ~ /^ls/"]],
    ['allow bash when only runs [ls] unless runs rm or runs mv', []],
  ];
  for (const [rule, words] of refused) expect(findings(rule), rule).toEqual(words.map((part) => `check/allow-needs-only: ${part}`));
  for (const rule of ["allow bash when only runs [ls]", 'allow bash when command == "ls"', 'allow bash when command in ["ls", "pwd"]', 'allow shell when branch == "x" and (only runs [ls] or command == "pwd") and runs ls', 'allow bash when not (not only runs [ls] or runs rm)', 'allow bash when lower(command) == "ls"', "allow read", 'allow mcp(files.read)', 'allow "NotebookEdit"']) {
    expect(findings(rule), rule).toEqual([]);
  }
});

test("an exemption from a deny or ask needs it where it asks about commands at all", () => {
  const refused: readonly (readonly [string, readonly string[]])[] = [
    ["deny bash unless runs git status", ["runs git status"]],
    ["ask bash unless command ~ /^ls/", ["command ~ /^ls/"]],
    ['deny shell when runs rm unless command contains "--dry-run"', ['command contains "--dry-run"']],
    ["deny bash unless branch == \"x\" or pipes ls into wc", ["pipes ls into wc"]],
    ["deny bash unless runs git and branch == \"x\" and not runs rm", ["runs git"]],
    ["deny bash unless only runs [ls]\n  unless runs git log", ["runs git log"]],
  ];
  for (const [rule, words] of refused) expect(findings(rule), rule).toEqual(words.map((part) => `check/allow-needs-only: ${part}`));
  for (const rule of ["deny bash unless only runs [ls]", "deny bash unless branch == \"x\"", "deny bash unless not runs rm", 'deny bash unless touches "src/**"', 'deny bash unless runs cp and touches "src/**"', "deny bash when runs git unless command == \"git log\" or dynamic", 'deny write unless path matches "src/**"', "deny bash when runs git"]) {
    expect(findings(rule), rule).toEqual([]);
  }
});

test("the mended line of an allow has `only` in its place", () => {
  const text = "allow bash when runs git status\n  for claude";
  expect(check(text).diagnostics[0]?.help?.lines).toEqual(["allow bash when only runs git status"]);
});

test("a named condition that would bless the line is told where it is used", () => {
  expect(findings("let $git = runs git log\nallow bash when $git")).toEqual(["check/allow-needs-only: $git"]);
  expect(findings("let $quiet = only runs [ls, pwd]\nlet $same = $quiet\nallow bash when $same")).toEqual([]);
});
