import { beforeAll, expect, test } from "vitest";
import { bundleRuntime } from "../src/bundle.ts";
import { sectionOf } from "../src/compose.ts";
import type { Runtime } from "../src/compose.ts";
import { examine } from "../src/compile.ts";
import type { Examined } from "../src/compile.ts";
import type { ExampleOutcome } from "../src/examples/judge.ts";
import { hosts } from "../src/hosts/registry.ts";
import { judgeCall } from "../src/cli/judged-call.ts";
import { testExamples } from "../src/trial.ts";
import type { JudgeInProcess } from "../src/trial.ts";

function examined(text: string): Examined {
  const found = examine({ roots: [{ path: "acme.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  const others = found.diagnostics.filter((diagnostic) => diagnostic.severity === "error" && !diagnostic.code.startsWith("test/"));
  expect(others.map((diagnostic) => [diagnostic.code, diagnostic.message])).toEqual([]);
  return found;
}

/** Code, the words it points at, and the truth of every condition. */
function failures(text: string) {
  return examined(text)
    .diagnostics.filter((diagnostic) => diagnostic.code.startsWith("test/"))
    .map(({ code, span, labels, message }) => ({ code, message, at: span && text.slice(span.start, span.end), labels: labels.map((label) => `${(label.file?.text ?? text).slice(label.span.start, label.span.end)}: ${label.text}`) }));
}

/** `host: tools tried: result`. */
function outcomes(text: string): readonly string[] {
  return examined(text).examples.map((outcome: ExampleOutcome) => `${outcome.host.id}: ${outcome.calls.map(({ call }) => call.tool ?? call.event).join(" ")}: ${outcome.result}`);
}

const founding = `deny bash when command ~ /rm\\s+-r/`;

test("an example that holds says nothing, and is judged on every host", () => {
  const text = `${founding}\n  example deny "rm -r build"\n  example pass "ls"`;
  expect(failures(text)).toEqual([]);
  expect(outcomes(text)).toEqual(["claude: Bash: passed", "vibe: bash: passed", "bob: execute_command: passed", "claude: Bash: passed", "vibe: bash: passed", "bob: execute_command: passed"]);
});

test("a failing example is one error for all hosts and shows which condition held", () => {
  const text = `deny bash when command ~ /rm\\s+-r\\b/ unless branch == "scratch"\n  example deny "rm -rf build"`;
  expect(failures(text)).toEqual([
    {
      code: "test/example-failed",
      message: "example passes, but the rule should deny it",
      at: `"rm -rf build"`,
      labels: [`"rm -rf build": the rule stays silent (checked: claude, vibe, bob)`, `command ~ /rm\\s+-r\\b/: false`, `branch == "scratch": false`],
    },
  ]);
});

test("a pass that fires is an error", () => {
  expect(failures(`${founding}\n  example pass "rm -r src"`).map(({ message }) => message)).toEqual(["example fires for certain, but the rule should stay silent"]);
});

test("every text of an example is a call of its own", () => {
  expect(failures(`${founding}\n  example deny "rm -r a", "ls", "rm -r b", "pwd"`).map(({ at }) => at)).toEqual([`"ls"`, `"pwd"`]);
});

test("an example limited to a host is judged there only", () => {
  expect(outcomes(`${founding}\n  example deny "rm -r a" for vibe`)).toEqual(["vibe: bash: passed"]);
});

test("the main field follows the class", () => {
  expect(failures(`deny write when path matches "**/.env"\n  example deny "web/.env"\n  example pass "web/env.ts"`)).toEqual([]);
  expect(failures(`deny fetch when domain == "example.com"\n  example deny "https://example.com/a"\n  example pass "https://nodejs.org"`)).toEqual([]);
  expect(failures(`deny agent when agent == "reviewer"\n  example deny "reviewer"\n  example pass "explorer"`)).toEqual([]);
  expect(failures(`deny websearch when query contains "internal"\n  for claude\n  example deny "internal names"\n  example pass "node"`)).toEqual([]);
});

test("with several classes a firing example needs one that fires, and pass needs all silent", () => {
  const text = `deny write, edit unless path matches "src/**"\n  example deny "README.md"\n  example pass "src/index.ts"`;
  expect(failures(text)).toEqual([]);
  expect(outcomes(text)[0]).toBe("claude: Write Edit: passed");
  expect(failures(`deny write, edit when tool ~ /write|edit/i\n  example pass "README.md"`)).toHaveLength(1);
  expect(failures(`deny write, edit when tool ~ /write/i\n  example deny "README.md"`)).toEqual([]);
});

test("an example under any is tried on every class that has the fields it names", () => {
  const text = `deny any when tool != "Nothing"\n  id all\n  example deny path "README.md"\n  example deny url "https://example.com"`;
  const tried = outcomes(text).filter((line) => line.startsWith("claude"));
  expect(tried).toEqual(["claude: Write Edit Read Grep mcp__server__tool: passed", "claude: WebFetch mcp__server__tool: passed"]);
});

test("fields are named together, the machine's included", () => {
  const text = `deny bash when command ~ /git commit/ and branch == "main"\n  example deny command "git commit" branch "main"\n  example pass command "git commit" branch "topic"\n  example pass "git commit"`;
  expect(failures(text)).toEqual([]);
});

test("mode, cwd and platform may be named", () => {
  expect(failures(`deny bash when mode == "plan"\n  for claude\n  example deny command "ls" mode "plan"\n  example pass "ls"`)).toEqual([]);
  expect(failures(`deny bash when cwd matches "web/**"\n  example deny command "ls" cwd "web/app"\n  example pass command "ls" cwd "api"`)).toEqual([]);
  expect(failures(`deny bash when platform == "macos"\n  example deny command "ls" platform "macos"\n  example pass "ls"`)).toEqual([]);
});

test("an MCP tool is named in portable spelling or in the host's", () => {
  const text = `deny mcp(github.delete_*)\n  example deny tool "github.delete_repo"\n  example pass tool "github.get_repo"\n  example deny tool "mcp__github__delete_repo" for claude`;
  expect(failures(text)).toEqual([]);
  expect(outcomes(text)).toContain("claude: mcp__github__delete_repo: passed");
  expect(failures(`deny mcp(*) unless server in ["github"]\n  example deny server "evil"\n  example pass server "github"`)).toEqual([]);
});

test("where else stands in, a firing example means that action", () => {
  const text = `ask bash when command ~ /npm install/\n  else deny\n  example ask "npm install x"\n  example pass "npm test"`;
  expect(failures(text)).toEqual([]);
  expect(examined(text).examples.map(({ host, calls }) => [host.id, calls[0]?.effect()])).toEqual([
    ["claude", "ask"], ["vibe", "deny"], ["bob", "deny"], ["claude", "pass"], ["vibe", "pass"], ["bob", "pass"],
  ]);
});

test("where else skips, an example does not apply", () => {
  expect(outcomes(`allow read when path matches "docs/**"\n  else skip\n  example allow "docs/a.md"`)).toEqual(["claude: Read: passed", "vibe: : inapplicable", "bob: : inapplicable"]);
});

test("deny holds for a rule that fires by doubt, and ask only for such", () => {
  const doubtful = `deny bash when runs rm\n  example deny "rm 'x"\n  example ask "rm 'x"`;
  expect(failures(doubtful)).toEqual([]);
  expect(failures(`deny bash when runs rm\n  example ask "rm x"`).map(({ message }) => message)).toEqual(["example fires for certain, but the rule should fire only by doubt"]);
});

test("a shell example that fails lists the commands found", () => {
  const { diagnostics } = examined(`deny bash when runs rm with -r\n  example deny "cd x && rm --recursive build"`);
  const notes = diagnostics.find((diagnostic) => diagnostic.code === "test/example-failed")?.notes.join("\n") ?? "";
  expect(notes).toContain("commands found:");
  expect(notes).toContain("rm [--recursive] build");
});

test("a rule that begins later is judged as if it had", () => {
  const text = `${founding}\n  id no-rm\n  example deny "rm -r build"\ndisable no-rm because "Migration" until "2099-12-31"`;
  expect(failures(text)).toEqual([]);
});

test("an observed rule is judged as if it answered", () => {
  const text = `default mode observe\n${founding}\n  id no-rm\n  example deny "rm -r a"\nreplace /npm/ with "pnpm" in command before bash\n  example "npm i" becomes "pnpm i"\n  else deny\nobserve no-rm`;
  expect(outcomes(text).every((one) => one.endsWith("passed"))).toBe(true);
});

test("what a rule makes of a text is held against what the example says it becomes", () => {
  const text = `replace /\\bnpm (install|ci)\\b/ with "pnpm {1}" in command before bash when runs npm\n  else deny\n  example "npm ci" becomes "pnpm ci"\n  example pass "npm test"\n  example "npm install" becomes "npm install"`;
  expect(failures(text).map(({ message, at }) => [message, at])).toEqual([[`example becomes "pnpm install", but the rule should make it "npm install"`, `"npm install"`]]);
  // Bob cannot change it and refuses instead: there the example means that it does.
  expect(outcomes(text)).toEqual([
    ...["claude: Bash: passed", "vibe: bash: passed", "bob: execute_command: passed"],
    ...["claude: Bash: passed", "vibe: bash: passed", "bob: execute_command: passed"],
    ...["claude: Bash: failed", "vibe: bash: failed", "bob: execute_command: passed"],
  ]);
  expect(failures(`redact /AKIA[0-9A-Z]{16}/ in output after any\n  for vibe\n  example "key AKIAIOSFODNN7EXAMPLE" becomes "key [redacted]"\n  example pass "key"`)).toEqual([]);
  expect(failures(`redact /AKIA[0-9A-Z]{16}/ in output after bash\n  else skip\n  example "key AKIAIOSFODNN7EXAMPLE" becomes "key [redacted]"`)).toEqual([]);
  expect(failures(`set output to "[{path} withheld]" after read when length(output) > 3\n  for vibe\n  example path "a.ts" output "long" becomes '["a.ts" withheld]'`)).toEqual([]);
  expect(failures(`set input.timeout to 120 before bash when command contains "npm test"\n  for vibe\n  example "npm test" becomes "120"`)).toEqual([]);
  expect(failures(`redact /AKIA/ in content, old before edit\n  else deny\n  example path "a.ts" content "AKIA" becomes "[redacted]"`)).toEqual([]);
});

test("rules that tell, log or mark fire or stay silent like any other", () => {
  expect(failures(`tell model "House style." on prompt when prompt contains "docs"\n  for claude, bob\n  example "the docs"\n  example pass "the code"\n  example "the code"`).map(({ message, at }) => [message, at])).toEqual([["example passes, but the rule should tell it", `"the code"`]]);
  expect(failures(`log path to "a.jsonl" after write when path matches "db/**"\n  example path "db/a.sql"\n  example pass path "src/a.ts"`)).toEqual([]);
  expect(failures(`mark seen after bash when output contains "ok"\n  example "all ok"\n  example pass "not"`)).toEqual([]);
  expect(failures(`retry on stop of reviewer when message contains "done"\n  for claude\n  example "done"\n  example pass "not yet"`)).toEqual([]);
  expect(failures(`retry on stop of reviewer when message contains "done"\n  for claude\n  example pass agent "main" message "done"`).map(({ code }) => code)).toEqual(["test/example-unreachable"]);
  expect(failures(`deny on "ConfigChange" when input.source == "project_settings"\n  for claude\n  example input.source "project_settings"\n  example pass input.source "user_settings"`)).toEqual([]);
  expect(failures(`deny before compact when trigger == "auto"\n  for claude, bob\n  example trigger "auto"\n  example pass trigger "manual"`)).toEqual([]);
});

test("a rule with several effects is judged by its own", () => {
  const text = `deny bash when command contains "rm"\n  for claude\n  also log command to "a.jsonl"\n  also tell user "No."\n  example deny "rm a"\n  example pass "ls"`;
  expect(outcomes(text)).toEqual(["claude: Bash: passed", "claude: Bash: passed"]);
});

test("an example that no condition decides is a warning", () => {
  const text = `deny mcp(github) when tool ends with "x"\n  example deny tool "github.ax"\n  example pass tool "linear.ax"`;
  expect(failures(text).map(({ code, at }) => [code, at])).toEqual([["test/example-unreachable", `tool "linear.ax"`]]);
});

test("the trigger may decide where the rule has no condition", () => {
  expect(failures(`deny mcp(github.delete_*)\n  example pass tool "github.get"`)).toEqual([]);
});

const runtimes = new Map<string, Runtime>();
beforeAll(async () => {
  for (const host of hosts) runtimes.set(host.id, await bundleRuntime(host));
});

const judge: JudgeInProcess = (host, plan, event, payload, { root, environment }) => judgeCall({ on: { host, plan }, event, payload }, root, environment);

const proven = `${founding}
  id no-rm
  example deny "rm -r build", "rm -rf src"
  example pass "ls", "pwd"
deny write when path matches "**/.env" and branch == "main"
  id no-env
  example deny path ".env" branch "main"
  example pass path ".env" branch "topic"
`;

test("real guards answer as the decision in process does", async () => {
  const report = await testExamples(examined(proven), runtimes, judge, {});
  expect(report.cases.filter((one) => one.result === "failed")).toEqual([]);
  expect(report).toMatchObject({ passed: 36, failed: 0 });
  expect(report.cases.find((one) => one.through === "guard")).toMatchObject({ rule: "acme/no-rm", example: 'deny "rm -r build"', source: "acme.policy:3", host: "claude", result: "passed" });
});

test("a sample takes firing and passing examples in turn", async () => {
  const report = await testExamples(examined(proven), runtimes, judge, { sample: 2, filter: "no-rm" });
  const tried = report.cases.filter((one) => one.through === "guard" && one.host === "vibe").map((one) => one.example);
  expect(tried).toEqual(['deny "rm -r build"', 'pass "ls"']);
  expect(new Set(report.cases.map((one) => one.rule))).toEqual(new Set(["acme/no-rm"]));
});

/** Runtimes that do nothing but this. */
function runtimesOf(code: string): ReadonlyMap<string, Runtime> {
  return new Map(hosts.map(({ id }) => [id, (name) => sectionOf(name, name === "guard" ? code : "")]));
}

test("a guard that answers otherwise is found", async () => {
  const silent = runtimesOf("process.exitCode = 0;\n");
  const report = await testExamples(examined(`${founding}\n  for claude\n  example deny "rm -r x"`), silent, judge, {});
  expect(report.cases.map((one) => [one.through, one.result])).toEqual([["decision", "passed"], ["guard", "failed"]]);
  expect(report.cases[1]?.message).toContain("the guard answers pass, the decision in process is deny");
});

test("a rule that makes of a call what the host does not send fails its example and nothing else", () => {
  const text = 'set input.command to 5 before bash\n  for claude\n  example "npm test" becomes "5"';
  expect(outcomes(text)).toEqual(["claude: Bash: failed"]);
  expect(failures(text).map(({ code }) => code)).toEqual(["test/example-failed"]);
});

const changing = `
replace /\\bnpm (install|ci)\\b/ with "pnpm {1}" in command before bash
  id pnpm
  else deny
  example "npm install" becomes "pnpm install"
  example pass "npm test"
set input.timeout to 120 before bash
  id patient
  for vibe
  example "ls" becomes "120"
redact /AKIA[0-9A-Z]{16}/ in output after any
  id keys
  else skip
  example "a AKIAIOSFODNN7EXAMPLE b" becomes "a [redacted] b"
  example pass "nothing"
deny after read when output contains "PRIVATE"
  id private
  because "Withheld."
  for vibe
  example deny "a PRIVATE key"
tell user "Look at {path}" after write
  id look
  else skip
  example path "db/a.sql"
tell model "Use make." on session-start
  id make
  for claude, bob
  example source "startup"
log command to "audit.jsonl" before bash
  id audit
  example "ls"
retry on stop unless succeeds "npm test"
  id green
  for claude, vibe
  example retry agent "main"
`;

test("real guards change, withhold, tell and do what the decision in process says", async () => {
  const report = await testExamples(examined(changing), runtimes, judge, {});
  expect(report.cases.filter((one) => one.result === "failed")).toEqual([]);
  const tried = report.cases.filter((one) => one.through === "guard" && one.result === "passed").map((one) => `${one.rule.replace("acme/", "")} ${one.host}`);
  expect([...new Set(tried)].sort()).toEqual([
    ...["audit bob", "audit claude", "audit vibe", "green claude", "green vibe", "keys claude", "keys vibe", "look claude", "look vibe"],
    ...["make bob", "make claude", "patient vibe", "pnpm bob", "pnpm claude", "pnpm vibe", "private vibe"],
  ]);
});

test("a guard that puts other arguments in the place of a call is found", async () => {
  const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "npm install", description: "Run a command" } } });
  const wrong = runtimesOf(`process.stdout.write(${JSON.stringify(answer)});\n`);
  const report = await testExamples(examined(`replace /npm/ with "pnpm" in command before bash\n  for claude\n  example "npm install" becomes "pnpm install"`), wrong, judge, {});
  expect(report.cases.map((one) => [one.through, one.result])).toEqual([["decision", "passed"], ["guard", "failed"]]);
  expect(report.cases[1]?.message).toContain('the guard answers input {"command":"npm install"');
});

test("a guard that does nothing where a rule logs is found", async () => {
  const idle = runtimesOf("process.exitCode = 0;\n");
  const report = await testExamples(examined(`log command to "audit.jsonl" before bash\n  for claude\n  example "ls"`), idle, judge, {});
  expect(report.cases[1]?.message).toContain("the guard would do 0 things besides, by the decision in process it is 1");
});
