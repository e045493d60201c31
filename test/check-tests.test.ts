/** `test` blocks: what their steps, stimuli and expectations come to, and what they may not say. */
import { expect, test } from "vitest";
import { checkProject } from "../src/check/check.ts";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import { hosts, meaning, pointed, today } from "./checking.ts";

const policy = `policy acme
target claude, vibe
use std/git

deny bash when runs git push with --force
  id no-force-push
retry on stop unless succeeds "test -s out.txt"
  id tests-pass
tell model output of "cat notes.txt" on session-start
  for claude
`;
const git = "deny bash when runs git clean\n  id no-clean\ndeny bash when runs git push\n  id no-push\n";

function checked(tests: string, more: { readonly policy?: string } = {}) {
  const root: SourceFile = { path: "acme.policy", text: more.policy ?? policy };
  const load = (module: string) => (module.startsWith("std/") ? { path: `${module}.policy`, text: git } : undefined);
  const { project, diagnostics } = checkProject({ roots: [root], tests: [{ path: "acme.test.policy", text: tests }], hosts, today, load });
  return { tests: project.tests, found: diagnostics.map(pointed) };
}

function found(step: string): readonly string[] {
  return checked(`test "it holds"\n  ${step.replaceAll("\n", "\n  ")}\n`).found;
}

function stepOf(step: string) {
  const { tests, found: problems } = checked(`test "it holds"\n  ${step.replaceAll("\n", "\n  ")}\n`);
  expect(problems).toEqual([]);
  return tests[0]?.steps[0];
}

test("a step is an event with its call, what commands come to, and expectations", () => {
  expect(meaning(stepOf('given bash "git push --force"\nexpect deny by no-force-push'))).toEqual({
    event: "before-tool",
    tools: [{ pattern: { kind: "class", name: "bash" } }],
    stimulus: { fields: [{ field: "command", value: "git push --force" }] },
    commands: [],
    expectations: [{ kind: "verdict", verdict: "deny", by: "acme/no-force-push" }],
  });
  expect(meaning(stepOf('given after bash command "cat x" output "secret" branch "main"\nexpect output == "[redacted]"\nexpect output !~ /secret/'))).toMatchObject({
    event: "after-tool",
    stimulus: { fields: [{ field: "command", value: "cat x" }, { field: "output", value: "secret" }, { field: "branch", value: "main" }] },
    expectations: [
      { kind: "field", condition: { kind: "compare", field: ["output"], operator: "==", values: [{ kind: "text", text: "[redacted]" }] } },
      { kind: "field", condition: { kind: "not", of: { kind: "compare", operator: "~" } } },
    ],
  });
  expect(meaning(stepOf('given on stop of reviewer exit."test -s out.txt" 1\nexpect retry by acme.tests-pass'))).toEqual({
    event: "stop",
    agent: "reviewer",
    tools: [],
    stimulus: { fields: [] },
    commands: [{ command: "test -s out.txt", exit: 1 }],
    expectations: [{ kind: "verdict", verdict: "retry", by: "acme/tests-pass" }],
  });
  expect(meaning(stepOf('given on session-start source "startup" output."cat notes.txt" "## main"\nexpect pass'))).toMatchObject({ event: "session-start", stimulus: { fields: [{ field: "source", value: "startup" }] }, commands: [{ command: "cat notes.txt", output: "## main" }] });
  expect(stepOf('given on "ConfigChange" input.source "user_settings"\nexpect pass')).toMatchObject({ event: "host-event", hostEvent: "ConfigChange" });
  expect(stepOf("given on stop\nexpect pass")).toMatchObject({ event: "stop", stimulus: { fields: [] } });
});

test("a test runs where it says, among what the project targets", () => {
  expect(checked('test "a"\n  given bash "ls"\n  expect pass\ntest "b" for claude\n  given bash "ls"\n  expect pass\ntest "c" for claude, bob\n  given bash "ls"\n  expect pass').tests.map((one) => one.hosts)).toEqual([["claude", "vibe"], ["claude"], ["claude"]]);
  expect(checked('test "b" for bob\n  given bash "ls"\n  expect pass').found).toEqual(['check/no-host: "b"']);
  expect(checked('test "b" for bbo\n  given bash "ls"\n  expect pass').found).toContain("check/unknown-name: bbo");
});

test("blocks in a policy come before those of test files", () => {
  const text = `${policy}test "inside"\n  given bash "ls"\n  expect pass\n`;
  expect(checked('test "outside"\n  given bash "ls"\n  expect pass', { policy: text }).tests.map((one) => one.title)).toEqual(["inside", "outside"]);
});

test("rules are named as anywhere, and each name is one of them", () => {
  expect(stepOf('given bash "git clean"\nexpect deny by no-clean')?.expectations).toMatchObject([{ by: "git/no-clean" }]);
  expect(stepOf('given bash "git clean"\nexpect deny by std/git.no-clean')?.expectations).toMatchObject([{ by: "git/no-clean" }]);
  expect(stepOf('given bash "git clean"\nexpect deny by git.no-clean')?.expectations).toMatchObject([{ by: "git/no-clean" }]);
  expect(found('given bash "git clean"\nexpect deny by no-claen')).toEqual(["check/unknown-reference: no-claen"]);
  expect(found('given bash "git clean"\nexpect deny by std/gti.no-clean')).toEqual(["check/unknown-reference: std/gti.no-clean"]);
  expect(found('given bash "git clean"\nexpect deny by acme.no-clean')).toEqual(["check/unknown-reference: acme.no-clean"]);
  const twice = `${policy}deny read\n  id no-clean\n`;
  expect(checked('test "t"\n  given read path "a"\n  expect deny by no-clean', { policy: twice })).toMatchObject({ found: [], tests: [{ steps: [{ expectations: [{ by: "acme/no-clean" }] }] }] });
  const modules = policy.replace("use std/git", "use std/git, std/other");
  expect(checked('test "t"\n  given bash "git clean"\n  expect deny by no-clean', { policy: modules }).found).toEqual(["check/unknown-reference: no-clean"]);
});

test("commands are those of the policy, with what they can come to", () => {
  expect(found('given on stop exit."test -s oot.txt" 1\nexpect retry')).toEqual(['check/unknown-reference: exit."test -s oot.txt"']);
  expect(found('given on stop output."test -s out.txt" "x"\nexpect retry')).toEqual(['check/unknown-reference: output."test -s out.txt"']);
  expect(found('given on stop exit."test -s out.txt" "1"\nexpect retry')).toEqual(['check/type-mismatch: "1"']);
  expect(found('given on session-start output."cat notes.txt" 5\nexpect pass')).toEqual(["check/type-mismatch: 5"]);
});

test("a step that is no single event is refused", () => {
  expect(found('given on any\nexpect pass')).toEqual(["check/type-mismatch: on any"]);
  expect(found('given bash "a", "b"\nexpect pass')).toEqual(['check/type-mismatch: "a", "b"']);
  expect(found('given write, edit path "a"\nexpect pass')).toEqual(["check/type-mismatch: write, edit"]);
  expect(found('given any path "a"\nexpect pass')).toEqual(["check/type-mismatch: any"]);
  expect(found("given on stop of main, reviewer\nexpect pass")).toEqual(["check/type-mismatch: on stop of main, reviewer"]);
  expect(found('given on session-start "x"\nexpect pass')).toEqual(['check/type-mismatch: "x"']);
  expect(stepOf('given shell "ls"\nexpect pass')?.tools).toHaveLength(2);
  expect(stepOf('given mcp(*) tool "github.delete_repo"\nexpect pass')?.tools).toHaveLength(1);
});

test("an expectation asks for what can happen at the step", () => {
  expect(found('given bash "ls"\nexpect retry')).toEqual(["check/effect-on-event: retry"]);
  expect(found("given on stop\nexpect deny")).toEqual(["check/effect-on-event: deny"]);
  expect(found('given bash "ls"\nexpect pass by no-force-push')).toEqual(["check/type-mismatch: no-force-push"]);
  expect(found('given bash "ls"\nexpect output == "x"')).toEqual(["check/unknown-field: output"]);
  expect(found('given bash "ls"\nexpect comand == "x"')).toEqual(["check/unknown-field: comand"]);
  expect(found('given bash "ls"\nexpect command == 5')).toEqual(["check/type-mismatch: 5"]);
  expect(found('given bash "ls"\nexpect command ~ /(/')).toEqual(["regex/invalid: ("]);
  expect(found('given bash path "ls"\nexpect pass')).toEqual(["check/unknown-field: path"]);
  expect(found('given bash command "ls" command "pwd"\nexpect pass')).toEqual(["check/duplicate-clause: command"]);
  expect(found('given bash command "ls" host "vibe"\nexpect pass')).toEqual(["check/type-mismatch: host"]);
});

test("a test file holds tests and names, and nothing that a guard is made of", () => {
  expect(checked('let $pushed = ["a", "b"]\ntest "t"\n  given bash "a"\n  expect command in $pushed\n').found).toEqual([]);
  expect(checked('deny read\npolicy other\nuse std/git\ndefault unsure deny\ntest "t"\n  given bash "a"\n  expect pass\n').found).toEqual(["check/type-mismatch: deny", "check/type-mismatch: policy", "check/type-mismatch: use", "check/type-mismatch: default"]);
  expect(checked('test ""\n  given bash "a"\n  expect pass\n').found).toEqual(['check/type-mismatch: ""']);
  expect(checked('test "t"\n  given bsh "a"\n  expect pass\n').found).toEqual(["check/unknown-name: bsh"]);
});
