/** Commands that guards start: to find something out, to tell it, or to have it done; and how long they take. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ConditionPlan, TellPlan } from "../src/guard/plan.ts";
import { isAlive, rule, run, setUpGuards, until } from "./doing.ts";
import type { Project } from "./doing.ts";
import { patternOf, ruleOf, search } from "./guard-values.ts";

const guards = setUpGuards();
const succeeds = (command: string): ConditionPlan => ({ kind: "succeeds", command });
// Much time: what is about being late names less.
const unlessSucceeds = (command: string, timeout = 60_000) => ruleOf("deny", { id: "acme/checked", unless: [succeeds(command)], unsure: "deny", timeout });
const runs = (command: string, timeout = 60_000) => rule("follow-up", { kind: "run", command }, { timeout });
const noRecursion = ruleOf("deny", { id: "acme/no-rm", when: search("command", /rm\s+-r/) });

test("a command that succeeds exempts, one that fails does not", async () => {
  expect((await run(guards.project(unlessSucceeds("true")), {})).exitCode).toBe(0);
  const failed = await run(guards.project(unlessSucceeds("exit 3")), {});
  expect(failed).toMatchObject({ exitCode: 2 });
  expect(failed.stderr).not.toContain("ruled out");
  expect((await run(guards.project(unlessSucceeds("kill -9 $$")), {})).exitCode).toBe(2);
});

test("a command runs in the project, with the payload on stdin and the call in its environment", async () => {
  const project = guards.project(unlessSucceeds('cat > payload; pwd > folder; printf "%s" "$POLICYC_COMMAND|$POLICYC_EVENT|$POLICYC_SESSION|$POLICYC_DECISION" > call'));
  expect((await run(project, { command: "echo '$(date)'", session: "1", cwd: "/" })).exitCode).toBe(0);
  const text = (name: string): string => readFileSync(join(project.root, name), "utf8");
  expect(JSON.parse(text("payload"))).toEqual({ event: "PreToolUse", command: "echo '$(date)'", session: "1", cwd: "/" });
  expect(text("folder")).toBe(`${project.root}\n`);
  expect(text("call")).toBe("echo '$(date)'|PreToolUse|1|");
});

test("a command has the time of its rule, however short the time for deciding is", async () => {
  const slow = guards.projectOf({ rules: [unlessSucceeds("sleep 3.5")], deadline: 3000 });
  const ended = await run(slow, {});
  expect(ended.exitCode).toBe(0);
  expect(ended.took).toBeGreaterThan(3500);
});

test("a pattern that runs away is stopped as soon as ever beside a command with much time", async () => {
  const plan = { rules: [unlessSucceeds("true", 60_000), ruleOf("deny", { id: "acme/slow", when: search("command", /^(a+)+$/) })], deadline: 500 };
  const ended = await run(guards.projectOf(plan), { command: `${"a".repeat(60)}!` });
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain("longer than 500 ms");
  expect(ended.took).toBeLessThan(50_000);
});

test("a command that is late leaves doubt, and nothing of it behind", async () => {
  const project = guards.project(unlessSucceeds("sleep 64 & echo $! > child; sleep 65", 3000));
  const ended = await run(project, {});
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain("could not be ruled out");
  expect(ended.stderr).toContain("longer than 3000 ms");
  expect(ended.took).toBeLessThan(50_000);
  const child = Number(readFileSync(join(project.root, "child"), "utf8"));
  expect(await until(() => !isAlive(child))).toBe(true);
});

test("a command that several rules ask for runs once, for as long as the most patient of them waits", async () => {
  const command = "echo x >> count; sleep 1";
  const patient = { ...unlessSucceeds(command), id: "acme/patient" };
  const hasty = { ...unlessSucceeds(command, 300), id: "acme/hasty" };
  const project = guards.project(hasty, patient);
  const ended = await run(project, {});
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain("[acme/hasty]");
  expect(ended.stderr).not.toContain("[acme/patient]");
  expect(readFileSync(join(project.root, "count"), "utf8")).toBe("x\n");
});

test("a command is not started where the rest of the rule settles it", async () => {
  const project = guards.project(ruleOf("deny", { when: { kind: "and", of: [search("command", /push/), succeeds("touch started")] } }));
  expect((await run(project, { command: "ls" })).exitCode).toBe(0);
  expect(existsSync(join(project.root, "started"))).toBe(false);
  expect((await run(project, { command: "git push" })).exitCode).toBe(2);
  expect(existsSync(join(project.root, "started"))).toBe(true);
});

async function contextOf(source: TellPlan["source"], prepare: (project: Project) => void = () => undefined, timeout = 60_000) {
  const project = guards.project(rule("told", { kind: "tell", audience: "model", source }, { timeout }));
  prepare(project);
  const { exitCode, stdout, stderr } = await run(project, { command: "ls" });
  return { exitCode, stderr, context: stdout === "" ? undefined : (JSON.parse(stdout) as { context: string }).context };
}

test("what a command prints is told", async () => {
  expect(await contextOf({ kind: "output-of", command: "echo main" })).toMatchObject({ exitCode: 0, stderr: "", context: expect.stringContaining("\nmain\n") as string });
  const failed = await contextOf({ kind: "output-of", command: "echo main; false" });
  expect(failed).toMatchObject({ exitCode: 0, context: undefined });
  expect(failed.stderr).toMatch(/^policyc: acme: acme\/told: .*\n$/);
  expect(await contextOf({ kind: "output-of", command: "sleep 66" }, undefined, 400)).toMatchObject({ exitCode: 0, context: undefined });
});

test("a file of the project is told, and no other", async () => {
  const file = { kind: "file", path: "docs/notes.md" } as const;
  const write = (project: Project, text: string): void => {
    mkdirSync(join(project.root, "docs"));
    writeFileSync(join(project.root, "docs/notes.md"), text);
  };
  expect((await contextOf(file, (project) => write(project, "Use Vitest."))).context).toContain("Use Vitest.");
  expect((await contextOf(file)).context).toBe(undefined);
  expect((await contextOf(file, (project) => write(project, "x".repeat(300_000)))).context).toBe(undefined);
  expect((await contextOf(file, (project) => symlinkSync("/etc", join(project.root, "docs")))).context).toBe(undefined);
  expect((await contextOf({ kind: "file", path: "../secret" }, ({ root }) => writeFileSync(join(root, "../secret"), "secret"))).context).toBe(undefined);
  expect((await contextOf({ kind: "file", path: "docs" }, (project) => write(project, ""))).context).toBe(undefined);
});

test("what is to be done is done and waited for after any answer but a refusal", async () => {
  const project = guards.project(runs("sleep 0.5; cat > done; echo $POLICYC_DECISION >> done"));
  const ended = await run(project, { command: "ls" });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(project.root, "done"), "utf8")).toBe('{"event":"PreToolUse","command":"ls"}pass\n');
  const failing = await run(guards.project(runs("echo noise; echo noise >&2; exit 4")), {});
  expect(failing).toMatchObject({ exitCode: 0, stdout: "", stderr: "policyc: acme: [acme/follow-up] `echo noise; echo noise >&2; exit 4` failed because it ended with 4\n" });
});

test("a refusal waits for nothing, and what is to be done is done all the same", async () => {
  const project = guards.project(runs("until test -e go; do sleep 0.1; done; cat > done; echo $POLICYC_DECISION $POLICYC_RULES >> done"), noRecursion);
  const payload = { command: "rm -r build", content: "x".repeat(1_000_000) };
  const ended = await run(project, payload);
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toBe("[acme/no-rm] The rule at policy/main.policy:3 refuses this use of Bash.\n");
  writeFileSync(join(project.root, "go"), "");
  const expected = `${JSON.stringify({ event: "PreToolUse", ...payload })}deny acme/no-rm\n`;
  expect(await until(() => existsSync(join(project.root, "done")) && readFileSync(join(project.root, "done"), "utf8") === expected)).toBe(true);
});

test("what takes too long is ended with all it has started, waited for or not", async () => {
  const command = "sleep 67 & echo $! > child; sleep 68";
  for (const [payload, exitCode] of [[{ command: "ls" }, 0], [{ command: "rm -r build" }, 2]] as const) {
    const project = guards.project(runs(command, 3000), noRecursion);
    const ended = await run(project, payload);
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr.includes("took longer than 3000 ms")).toBe(exitCode === 0);
    expect(await until(() => existsSync(join(project.root, "child")))).toBe(true);
    const child = Number(readFileSync(join(project.root, "child"), "utf8"));
    expect(await until(() => !isAlive(child))).toBe(true);
  }
});

test("a dry run starts nothing, and what only a command knows is unknown", async () => {
  const parameters = ["dry"];
  const project = guards.project(runs("touch ran"), unlessSucceeds("touch asked"), rule("told", { kind: "tell", audience: "model", source: { kind: "output-of", command: "touch told" } }));
  const ended = await run(project, { command: "ls" }, { parameters });
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain("could not be ruled out");
  expect(ended.stderr).toContain("policyc: acme: [acme/follow-up] dry: would run `touch ran`\n");
  expect(["ran", "asked", "told"].filter((name) => existsSync(join(project.root, name)))).toEqual([]);
});

test("text of a call never becomes a command", async () => {
  const redacting = rule("keys", { kind: "redact", patterns: [patternOf(/secret/)], as: ["x"], fields: [] });
  const project = guards.project(redacting, runs('eval "true" ; test -n "$POLICYC_COMMAND"'), unlessSucceeds('test -n "$POLICYC_COMMAND"'));
  const ended = await run(project, { command: "'; touch injected; \"$(touch injected)\" `touch injected`\n touch injected" });
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(existsSync(join(project.root, "injected"))).toBe(false);
});
