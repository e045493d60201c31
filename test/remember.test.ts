/** Marks and retries from one event to the next, as guards that are started for each. */
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ConditionPlan, GuardPlan } from "../src/guard/plan.ts";
import { rule, run, setUpGuards } from "./doing.ts";
import type { Ended, Project } from "./doing.ts";
import { search } from "./guard-values.ts";

const guards = setUpGuards();
const marked = (name: string): ConditionPlan => ({ kind: "marked", name });
const effectOf = ({ stdout }: Ended): string => (stdout === "" ? "pass" : (JSON.parse(stdout) as { effect: string }).effect);

const tested = [
  rule("tested", { kind: "mark", name: "tested" }, { event: "after-tool", when: search("command", /npm test/) }),
  rule("changed", { kind: "unmark", name: "tested" }, { event: "after-tool", when: search("command", /sed/) }),
  rule("tests-first", { kind: "retry", limit: 3 }, { event: "stop", unless: [marked("tested")] }),
];

test("a mark lasts from one event of a session to the others, and no other session has it", async () => {
  const project = guards.project(...tested);
  const stop = async (session: string): Promise<string> => effectOf(await run(project, { event: "Stop", session }));
  expect(await stop("1")).toBe("retry");
  await run(project, { event: "PostToolUse", session: "1", command: "npm test" });
  expect(await stop("1")).toBe("pass");
  expect(await stop("2")).toBe("retry");
  await run(project, { event: "PostToolUse", session: "1", command: "sed -i s/a/b/ x" });
  expect(await stop("1")).toBe("retry");
  expect(readdirSync(project.root)).toEqual([".claude"]);
});

test("state lies where the policy says", async () => {
  const project = guards.projectOf({ rules: tested, state: ".policyc/state" });
  await run(project, { event: "PostToolUse", session: "1", command: "npm test" });
  expect(readdirSync(join(project.root, ".policyc/state")).length).toBeGreaterThan(0);
  expect(effectOf(await run(project, { event: "Stop", session: "1" }))).toBe("pass");
  expect(readdirSync(project.home)).toEqual([]);
});

const limited = (limit: number): GuardPlan["rules"] => [rule("again", { kind: "retry", limit }, { event: "stop", when: search("message", /todo/) })];

async function stops(project: Project, ...payloads: readonly object[]): Promise<readonly string[]> {
  const effects: string[] = [];
  for (const payload of payloads) effects.push(effectOf(await run(project, { event: "Stop", session: "1", message: "todo", ...payload })));
  return effects;
}

test("an agent is sent back as often in a row as the limit says, and a pass begins the count anew", async () => {
  expect(await stops(guards.project(...limited(2)), {}, {}, {}, {}, {}, {})).toEqual(["retry", "retry", "pass", "retry", "retry", "pass"]);
  expect(await stops(guards.project(...limited(2)), {}, { message: "done" }, {}, {}, {})).toEqual(["retry", "pass", "retry", "retry", "pass"]);
});

test("agents and sessions are counted each for itself", async () => {
  const project = guards.project(...limited(1));
  expect(await stops(project, {}, { session: "2" }, { agent: "reviewer" }, {}, { session: "2" }, { agent: "reviewer" })).toEqual(["retry", "retry", "retry", "pass", "pass", "pass"]);
  const folders = guards.project(...limited(1));
  expect(await stops(folders, { session: "", cwd: "/a" }, { session: "", cwd: "/b" }, { session: "", cwd: "/a" })).toEqual(["retry", "retry", "pass"]);
});

test("a host that says that nothing has sent the agent back yet begins the count anew", async () => {
  expect(await stops(guards.project(...limited(1)), { sentBack: false }, { sentBack: true }, { sentBack: false }, { sentBack: false })).toEqual(["retry", "pass", "retry", "retry"]);
});

test("a dry run remembers nothing", async () => {
  const project = guards.project(...tested);
  const parameters = ["dry"];
  const ended = await run(project, { event: "PostToolUse", session: "1", command: "npm test" }, { parameters });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "policyc: acme: [acme/tested] dry: would mark tested\n" });
  for (let count = 0; count < 4; count += 1) expect(effectOf(await run(project, { event: "Stop", session: "1" }, { parameters }))).toBe("retry");
  expect(readdirSync(project.home)).toEqual([]);
});

test("state that cannot be kept is told and changes no answer", async () => {
  const project = guards.projectOf({ rules: [...tested, ...limited(1)], state: ".policyc/state" });
  mkdirSync(join(project.home, "elsewhere"));
  symlinkSync(join(project.home, "elsewhere"), join(project.root, ".policyc"));
  const mark = await run(project, { event: "PostToolUse", session: "1", command: "npm test" });
  expect(mark).toMatchObject({ exitCode: 0, stdout: "" });
  expect(mark.stderr).toMatch(/^policyc: acme: \[acme\/tested\] the mark tested stays as it was because links lead out .*\n$/);
  const stop = await run(project, { event: "Stop", session: "1", message: "todo" });
  expect(effectOf(stop)).toBe("retry");
  expect(stop.stderr).toContain("the count of retries stays as it was because links lead out");
  expect(readdirSync(join(project.home, "elsewhere"))).toEqual([]);
});

test("fifty guards at once count every retry", async () => {
  const project = guards.project(rule("again", { kind: "retry", limit: 50 }, { event: "stop" }));
  const ends = await Promise.all(Array.from({ length: 50 }, () => run(project, { event: "Stop", session: "1", sentBack: true })));
  expect(ends.every((ended) => effectOf(ended) === "retry" && ended.stderr.startsWith("[acme/again]"))).toBe(true);
  expect(await stops(project, { sentBack: true })).toEqual(["pass"]);
});
