/** What guards write to logs: the records, their lines, and fifty guards at one file. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision, Json } from "../src/guard/call.ts";
import { lineOf, recordOf } from "../src/guard/log.ts";
import { textMemo } from "../src/guard/patterns.ts";
import { recordsIn, rule, run, setUpGuards } from "./doing.ts";
import { paperWorld, patternOf, planOf, ruleOf, search, toolCall } from "./guard-values.ts";

const guards = setUpGuards();
const audit = ".policyc/audit.jsonl";
const log = (fields: readonly string[] = [], to = audit) => ({ kind: "log" as const, fields: fields.map((field) => field.split(".")), to });
const noRecursion = ruleOf("deny", { id: "acme/no-rm", because: ["Deleting is left to people."], suggest: ["List the files."], when: search("command", /rm\s+-r/) });

test("a call is recorded under the names that collectors know", async () => {
  const project = guards.project(rule("audit", log()), noRecursion);
  const ended = await run(project, { session: "s-1", command: "ls -la", cwd: project.root, subagent: false });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  const [record, ...more] = recordsIn(project, audit);
  expect(more).toEqual([]);
  expect(record).toMatchObject({ severity_text: "INFO", severity_number: 9, event_name: "policyc.decision", body: "PreToolUse Bash: pass" });
  expect(record?.resource).toMatchObject({ "service.name": "policyc", "service.version": "0.1.0", "os.type": process.platform });
  expect(Math.abs(Date.parse(record?.timestamp ?? "") - Date.now())).toBeLessThan(60_000);
  expect(record?.attributes).toEqual({
    "policyc.host": "claude",
    "policyc.event": "PreToolUse",
    "session.id": "s-1",
    "gen_ai.conversation.id": "s-1",
    "policyc.rule": "acme/audit",
    "policyc.decision": "pass",
    "gen_ai.tool.name": "Bash",
    "gen_ai.operation.name": "execute_tool",
    "process.command_line": "ls -la",
    "process.working_directory": project.root,
    "policyc.subagent": false,
  });
  expect(statSync(join(project.root, audit)).mode & 0o777).toBe(0o600);
});

test("a refusal is recorded with its reason, without the advice that is for the model alone", async () => {
  const project = guards.project(rule("audit", log(["tool"])), noRecursion);
  expect((await run(project, { command: "rm -r build" })).exitCode).toBe(2);
  const [record] = recordsIn(project, audit);
  expect(record).toMatchObject({ severity_text: "WARN", severity_number: 13, body: "PreToolUse Bash: deny" });
  expect(record?.attributes).toEqual({
    "policyc.host": "claude",
    "policyc.event": "PreToolUse",
    "policyc.rule": "acme/audit",
    "policyc.decision": "deny",
    "policyc.rules": ["acme/no-rm"],
    "security_rule.name": "acme/no-rm",
    "security_rule.ruleset.name": "acme",
    "agent.threat.detection.action": "block",
    "policyc.reason": "[acme/no-rm] Deleting is left to people.",
    "gen_ai.tool.name": "Bash",
    "gen_ai.operation.name": "execute_tool",
  });
});

test("texts of people and files are recorded by name only, and redacted", async () => {
  const secret = "AKIAIOSFODNN7EXAMPLE";
  const keys = patternOf(/AKIA[0-9A-Z]{16}/);
  const redaction = rule("keys", { kind: "redact", patterns: [keys], as: ["[redacted]"], fields: [] });
  const project = guards.project(rule("all", log([], "all.jsonl")), rule("named", log(["content", "input.note", "input.deep.key", "prompt"], "named.jsonl")), redaction);
  await run(project, { content: `k = ${secret}`, command: `echo ${secret}`, input: { note: `see ${secret}`, deep: { key: [secret, 1] }, other: "x" }, session: secret });
  const [all, named] = [recordsIn(project, "all.jsonl")[0], recordsIn(project, "named.jsonl")[0]];
  expect(all?.attributes).toMatchObject({ "process.command_line": "echo [redacted]", "session.id": "[redacted]" });
  expect(Object.keys(all?.attributes ?? {})).not.toContain("policyc.content");
  expect(named?.attributes).toMatchObject({ "policyc.content": "k = [redacted]", "gen_ai.tool.call.arguments": { note: "see [redacted]", "deep.key": ["[redacted]", 1] } });
  expect(Object.keys(named?.attributes ?? {})).not.toContain("policyc.prompt");
  expect(readFileSync(join(project.root, "all.jsonl"), "utf8") + readFileSync(join(project.root, "named.jsonl"), "utf8")).not.toContain(secret);
});

const pass: Decision = { effect: "pass", message: "", personMessage: "", reasons: [] };

test("a line is ASCII, holds one record and no more than 64 KiB, whatever the call says", () => {
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\n", "\u2028", "\ud800", "\0", "\u{1f600}", "</script>"));
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 5 }), texts, fc.integer({ min: 1, max: 30_000 }), (paths, text, times) => {
      const fields = { path: paths, content: text.repeat(times), prompt: text, old: `${text.repeat(times)}end` };
      const call = toolCall("write", "Write", fields, { input: { note: { nested: text.repeat(times) } } });
      const side = { rule: "acme/audit", effect: log(["path", "content", "old", "prompt", "input.note"]) };
      const line = lineOf(recordOf(side, planOf(), { call, world: paperWorld(), memo: textMemo() }, pass, new Date()));
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      expect(line.length).toBeLessThan(64 * 1024);
      const { attributes } = JSON.parse(line) as { attributes: Record<string, Json> };
      if (text !== "" && text.length * times < 1500) expect(attributes["policyc.content"]).toBe(text.repeat(times));
    }),
    { numRuns: 60 },
  );
});

test("what is cut says how much is missing, and a secret at the cut is gone before", () => {
  const secret = "AKIAIOSFODNN7EXAMPLE";
  const redactions = [{ rule: "acme/keys", patterns: [patternOf(/AKIA[0-9A-Z]{16}/)], as: "[redacted]" }];
  const content = `${"x".repeat(16 * 1024 - 10)}${secret}${"y".repeat(1000)}`;
  const side = { rule: "acme/audit", effect: log(["content"]) };
  const line = lineOf(recordOf(side, planOf(), { call: toolCall("write", "Write", { content }), world: paperWorld(), memo: textMemo() }, { ...pass, redactions }, new Date()));
  expect(line).not.toContain("AKIA");
  expect(line).toMatch(/x\[redacted\] \[1000 characters left out\]"/);
});

test("a log that cannot be written says so and changes nothing", async () => {
  const noRm = await run(guards.project(noRecursion), { command: "rm -r build" });
  const check = async (prepare: (root: string) => void, to: string, cause: RegExp): Promise<void> => {
    const project = guards.project(rule("audit", log([], to)), noRecursion);
    prepare(project.root);
    const ended = await run(project, { command: "ls" });
    expect(ended).toMatchObject({ exitCode: 0, stdout: "" });
    expect(ended.stderr).toMatch(cause);
    expect(ended.stderr).toMatch(/^policyc: acme: \[acme\/audit\] nothing was written to .* because .*\n$/);
    const denied = await run(project, { command: "rm -r build" });
    expect({ ...denied, stderr: "", took: 0 }).toEqual({ ...noRm, stderr: "", took: 0 });
    expect(denied.stderr.startsWith(noRm.stderr)).toBe(true);
    // Whoever opens a FIFO waits for ever.
    expect(denied.took).toBeLessThan(noRm.took + 30_000);
  };
  await check((root) => execFileSync("mkfifo", [join(root, "fifo.jsonl")]), "fifo.jsonl", /no regular file/);
  await check((root) => symlinkSync("/etc/hosts", join(root, "link.jsonl")), "link.jsonl", /a link/);
  await check((root) => symlinkSync("/tmp", join(root, "log")), "log/x.jsonl", /links lead out/);
  await check((root) => mkdirSync(join(root, "folder.jsonl")), "folder.jsonl", /no regular file/);
  await check(() => undefined, "/dev/full", /no regular file/);
  await check((root) => {
    writeFileSync(join(root, "one"), "");
    linkSync(join(root, "one"), join(root, "two.jsonl"));
  }, "two.jsonl", /several names/);
  await check((root) => writeFileSync(join(root, "file"), ""), "file/x.jsonl", /no folder/);
});

test("a disk that is full is told and changes nothing", () => {
  const project = guards.project(rule("audit", log(["command"])));
  const small = join(project.root, audit);
  mkdirSync(join(project.root, ".policyc"));
  writeFileSync(small, "x".repeat(1020) + "\n");
  chmodSync(small, 0o600);
  const script = `trap '' XFSZ; ulimit -f 2; printf '%s' '{"event":"PreToolUse","command":"'"$(printf '%3000s' x)"'"}' | "$0" "$1" PreToolUse`;
  const ended = spawnSync("sh", ["-c", script, process.execPath, project.guard], { encoding: "utf8" });
  expect(ended).toMatchObject({ status: 0, stdout: "" });
  expect(ended.stderr).toMatch(/nothing was written to .*audit.jsonl because/);
});

test("a redaction that takes too long loses the line and not the answer", async () => {
  const slow = rule("keys", { kind: "redact", patterns: [patternOf(/(a+)+$/)], as: ["[redacted]"], fields: [] });
  const project = guards.projectOf({ rules: [rule("audit", log(["content"])), slow], deadline: 2500 });
  const ended = await run(project, { content: `${"a".repeat(60)}!` });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: `policyc: acme: [acme/audit] nothing was written to ${audit} because the guard's time was over\n` });
});

test("what observed rules would have answered is kept beside the state where no rule logs it", async () => {
  const project = guards.projectOf({ rules: [noRecursion], mode: "observe" });
  expect(await run(project, { command: "rm -r build" })).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  const file = join(project.home, ".local/state/policyc/observed.jsonl");
  const { attributes } = JSON.parse(readFileSync(file, "utf8")) as { attributes: Record<string, Json> };
  expect(attributes).toMatchObject({ "policyc.decision": "pass", "agent.threat.detection.action": "warn", "policyc.observed": [{ rule: "acme/no-rm", effect: "deny" }], "process.command_line": "rm -r build" });
  expect(readdirSync(project.root)).toEqual([".claude"]);

  const logging = guards.projectOf({ rules: [noRecursion, rule("audit", log())], mode: "observe" });
  await run(logging, { command: "rm -r build" });
  expect(recordsIn(logging, audit)[0]?.attributes).toMatchObject({ "policyc.observed": [{ rule: "acme/no-rm", effect: "deny" }] });
  expect(existsSync(join(logging.home, ".local"))).toBe(false);
});

test("a dry run writes nothing and says what it would have written", async () => {
  const project = guards.project(rule("audit", log()), noRecursion);
  const parameters = ["dry"];
  expect(await run(project, { command: "ls" }, { parameters })).toMatchObject({ exitCode: 0, stdout: "", stderr: `policyc: acme: [acme/audit] dry: would write to ${audit}\n` });
  expect((await run(project, { command: "rm -r build" }, { parameters })).exitCode).toBe(2);
  expect(readdirSync(project.root)).toEqual([".claude"]);
  // An argument, never a variable.
  await run(project, { command: "ls" }, { environment: { DRY: "1", POLICYC_DRY: "dry" } });
  expect(recordsIn(project, audit).length).toBe(1);
});

test("on an event that only logs, what cannot be read is one line on stderr and no delay", () => {
  const project = guards.project(rule("audit", log(), { event: "after-tool" }));
  for (const input of ["null", "", '{"event":"Stop"}', '{"event":"PostToolUse"']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [project.guard, "PostToolUse"], { input, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(/^policyc: acme: [^\n]*\n$/);
  }
  expect(readdirSync(project.root)).toEqual([".claude"]);
});

test("fifty guards at once lose and tear no line and no mark", async () => {
  const project = guards.project(rule("audit", log(["command"])), rule("seen", { kind: "mark", name: "seen" }));
  const calls = Array.from({ length: 50 }, (_, index) => ({ session: `s-${index % 25}`, command: `echo ${index} ${"\u00e9".repeat(3000)}` }));
  const ends = await Promise.all(calls.map((call) => run(project, call)));
  expect(new Set(ends.map(({ exitCode, stdout, stderr }) => `${exitCode}${stdout}${stderr}`))).toEqual(new Set(["0"]));
  const commands = recordsIn(project, audit).map(({ attributes }) => attributes["process.command_line"]);
  expect([...commands].sort()).toEqual(calls.map(({ command }) => command).sort());
  const store = join(project.home, ".local/state/policyc");
  const sessions = readdirSync(store).filter((name) => name !== "swept");
  expect(sessions.length).toBe(25);
  for (const session of sessions) expect(readdirSync(join(store, session)).length).toBe(1);
});
