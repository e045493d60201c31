/** Fields and types: what may be compared with what, and where which field exists. */
import { expect, test } from "vitest";
import { check, findings, meaning, ruleOf } from "./checking.ts";

test("every comparison of the language comes out with few operators and typed values", () => {
  const when = (condition: string) => meaning(ruleOf(`deny bash when ${condition}`).when);
  expect(when("command ~ /rm/i")).toEqual({ kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", regex: { kind: "regex", body: "rm", flags: "i" } }] });
  expect(when('branch in ["main", "next"]')).toEqual({ kind: "compare", field: ["branch"], operator: "==", values: [{ kind: "text", text: "main" }, { kind: "text", text: "next" }] });
  expect(when('branch not in ["main"]')).toEqual({ kind: "not", of: { kind: "compare", field: ["branch"], operator: "==", values: [{ kind: "text", text: "main" }] } });
  expect(when('command != "ls"')).toEqual({ kind: "not", of: { kind: "compare", field: ["command"], operator: "==", values: [{ kind: "text", text: "ls" }] } });
  expect(when("command !~ /x/")).toEqual({ kind: "not", of: { kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", regex: { kind: "regex", body: "x", flags: "" } }] } });
  expect(when("length(command) > 2kb")).toEqual({ kind: "compare", field: ["command"], measure: "length", operator: ">", values: [{ kind: "size", bytes: 2048 }] });
  expect(when("length(command) >= 12")).toEqual({ kind: "compare", field: ["command"], measure: "length", operator: ">=", values: [{ kind: "number", value: 12 }] });
  expect(when('lower(command) starts with "rm"')).toEqual({ kind: "compare", field: ["command"], measure: "lower", operator: "starts-with", values: [{ kind: "text", text: "rm" }] });
  expect(when('command ends with ["&", ";"]')).toEqual({ kind: "compare", field: ["command"], operator: "ends-with", values: [{ kind: "text", text: "&" }, { kind: "text", text: ";" }] });
  expect(when("command contains branch")).toEqual({ kind: "compare", field: ["command"], operator: "contains", values: [{ kind: "field", field: ["branch"] }] });
  expect(when("input.timeout > 600")).toEqual({ kind: "compare", field: ["input", "timeout"], operator: ">", values: [{ kind: "number", value: 600 }] });
  expect(when('input."odd key" == "x"')).toEqual({ kind: "compare", field: ["input", "odd key"], operator: "==", values: [{ kind: "text", text: "x" }] });
  expect(when("has input.cwd and not subagent or dynamic")).toEqual({
    kind: "or",
    of: [{ kind: "and", of: [{ kind: "has", field: ["input", "cwd"] }, { kind: "not", of: { kind: "is", field: ["subagent"] } }] }, { kind: "dynamic" }],
  });
});

test("globs keep their order, and `!` becomes an exception", () => {
  expect(meaning(ruleOf('deny write when path matches ["src/**", "!src/a.ts"]').when)).toEqual({
    kind: "compare",
    field: ["path"],
    operator: "matches",
    values: [{ kind: "globs", globs: [{ text: "src/**", except: false }, { text: "src/a.ts", except: true }] }],
  });
  expect(meaning(ruleOf('deny any when writes "**/*.lock" or deletes ["a", "b"]').when)).toMatchObject({ kind: "or", of: [{ kind: "writes" }, { kind: "deletes", globs: [{ text: "a" }, { text: "b" }] }] });
});

test("a comparison of different types is refused at the part that is wrong", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['command ~ "rm -rf"', '"rm -rf"'],
    ['command ~ [/a/, "b"]', '"b"'],
    ["command == /rm/", "/rm/"],
    ["command in [/rm/]", "/rm/"],
    ["command contains /rm/", "/rm/"],
    ["command contains 5", "5"],
    ["command == 5", "5"],
    ["command == 5kb", "5kb"],
    ["command > 5", "command >"],
    ["command < branch", "command <"],
    ['command in "ls"', '"ls"'],
    ["command in branch", "branch"],
    ["command ~ branch", "branch"],
    ["command == dynamic", "dynamic"],
    ["command in [main]", "main"],
    ["command in [git push]", "git push"],
    ["command == [-r]", "-r"],
    ['command contains ""', '""'],
    ['length(command) ~ /x/', "command) ~"],
    ['length(command) > "5"', '"5"'],
    ["length(command) > [5]", "[5]"],
    ["length(command) > 5s", "5s"],
    ["length(command) == branch", "branch"],
    ["length(command) > input.most", "input.most"],
    ["has dynamic", "has dynamic"],
    ["length(command)", "length(command)"],
    ["lower(command)", "lower(command)"],
    ['lower(command) == 5', "5"],
    ["command", "command"],
    ["subagent == branch", "subagent"],
    ['command matches "a"', "command matches"],
    ["input.file matches /a/", "/a/"],
    ["input.file matches branch", "branch"],
    ["input.file matches 5", "5"],
    ["touches /a/", "/a/"],
    ["touches branch", "branch"],
    ['touches ["!a"]', '["!a"]'],
    ['touches ["a", ""]', '""'],
    ['touches "!"', '"!"'],
    ["input.timeout > 5s", "5s"],
  ];
  for (const [condition, words] of cases) expect(findings(`deny bash when ${condition}`), condition).toEqual([`check/type-mismatch: ${words}`]);
  expect(findings('deny write when length(path) ~ /x/')).toEqual(["check/type-mismatch: path) ~"]);
  expect(findings("deny write when path matches /x/")).toEqual(["check/type-mismatch: /x/"]);
  expect(findings('deny write when lower(path) matches "x"')).toEqual(["check/type-mismatch: path) matches"]);
});

test("what fits is accepted: patterns on paths, equal fields, raw arguments with anything", () => {
  for (const condition of ["path ~ /x/", 'path == "a"', "path == cwd", 'cwd starts with "/srv"', "content contains path", 'input.n == "5"', "input.n == 5", "input.flag", 'input.file matches "src/**"', "length(input.n) > 5", "length(content) > 200kb"]) {
    expect(findings(`deny write when ${condition}`), condition).toEqual([]);
  }
});

test("a text where a pattern is wanted is answered with both ways to write it", () => {
  const [found] = check('deny bash when command ~ "rm -r"').diagnostics;
  expect(found?.help?.text).toContain('contains "rm -r"');
  expect(found?.help?.text).toContain("~ /rm\\s-r/");
});

test("functions other than `length` and `lower` are unknown", () => {
  expect(findings('deny bash when upper(command) == "X"')).toEqual(["check/unknown-name: upper"]);
  expect(findings("deny bash when len(command) > 5")).toEqual(["check/unknown-name: len"]);
  expect(check("deny bash when len(command) > 5").diagnostics[0]?.help?.text).toContain("`length`");
});

test("a field that exists nowhere is refused with near names", () => {
  const { diagnostics } = check("deny bash when comand ~ /x/");
  expect(findings("deny bash when comand ~ /x/")).toEqual(["check/unknown-field: comand"]);
  expect(diagnostics[0]?.help?.text).toContain("`command`");
  expect(findings("deny bash when input ~ /x/")).toEqual(["check/unknown-field: input"]);
  expect(findings("deny bash when command.name ~ /x/")).toEqual(["check/unknown-field: command.name"]);
  expect(findings("deny bash when has paths and command == brnch")).toEqual(["check/unknown-field: paths", "check/unknown-field: brnch"]);
  for (const name of ["constructor", "__proto__", "toString"]) expect(findings(`deny bash when ${name} ~ /x/`)).toEqual([`check/unknown-field: ${name}`]);
});

test("in a condition a field must exist for every tool of the rule", () => {
  const text = "deny bash, write when command ~ /x/";
  expect(findings(text)).toEqual(["check/unknown-field: command"]);
  const [found] = check(text).diagnostics;
  expect(found?.help?.lines).toEqual(["deny bash when command ~ /x/", "deny write …"]);
  expect(found?.labels.map(({ span }) => text.slice(span.start, span.end))).toEqual(["write"]);
  for (const rule of ["deny any when path matches \"a\"", "deny mcp(*) when path ~ /x/", 'deny "NotebookEdit" when path ~ /x/', "deny shell, mcp(*) when command ~ /x/", "deny websearch when domain == \"x\"", "deny read when content ~ /x/", "deny write when old ~ /x/"]) {
    expect(findings(rule).map((line) => line.split(":")[0]), rule).toEqual(["check/unknown-field"]);
  }
  for (const rule of ["deny write, edit when content ~ /x/", "deny search, websearch when query ~ /x/", "deny shell when command ~ /x/", 'deny agent("reviewer") when task ~ /x/', 'deny mcp(*) when server == "x"', "deny any when tool == \"X\" and input.a == 1 and dynamic and touches \"x\""]) {
    expect(findings(rule), rule).toEqual([]);
  }
});

test("a field of another moment is refused, and the help says when it is there", () => {
  expect(findings('deny bash when output contains "x"')).toEqual(["check/unknown-field: output"]);
  expect(check('deny bash when output contains "x"').diagnostics[0]?.help?.text).toContain("after a tool");
  expect(findings("deny bash when prompt ~ /x/ and exit == 0")).toEqual(["check/unknown-field: prompt", "check/unknown-field: exit"]);
  expect(findings("deny on prompt when command ~ /x/")).toEqual(["check/unknown-field: command"]);
  expect(findings("deny on prompt when runs rm")).toEqual(["check/unknown-field: runs rm"]);
  expect(findings('deny on prompt when input.x == "y"')).toEqual(["check/unknown-field: input.x"]);
  expect(findings('log to "a.jsonl" on any when tool == "x"')).toEqual(["check/unknown-field: tool"]);
});

test("a named condition is followed, and told where the rule uses it", () => {
  const text = 'let $wipes = command ~ /x/ or runs rm\n\ndeny write when branch == "main" and $wipes';
  expect(findings(text)).toEqual(["check/unknown-field: $wipes"]);
  expect(check(text).diagnostics[0]?.labels.map(({ span }) => text.slice(span.start, span.end))).toContain("command");
});

test("messages may show a field that one of the tools has, and no other", () => {
  expect(findings('deny bash, write\n  because "{command} and {path}"')).toEqual([]);
  expect(findings('deny any\n  because "{command}, {input.x}, {branch}"')).toEqual([]);
  expect(findings('deny bash\n  because "{path} {outptu}"\n  suggest "{1}"')).toEqual(["check/unknown-field: {path}", "check/unknown-field: {outptu}", "check/unknown-field: {1}"]);
  expect(findings('deny bash\n  because "{{path}} and \\{output\\} and { x }"')).toEqual([]);
});
