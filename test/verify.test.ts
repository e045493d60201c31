/** Verification: what a guard's process answers is judged by its host's contract, and a changed guard is never started. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleRuntime } from "../src/bundle.ts";
import { judgeCall } from "../src/cli/judged-call.ts";
import { examine } from "../src/compile.ts";
import { composeGuard, sectionOf } from "../src/compose.ts";
import type { Runtime } from "../src/compose.ts";
import type { Decision } from "../src/guard/call.ts";
import type { GuardPlan } from "../src/guard/plan.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { injectFailures } from "../src/verify/failures.ts";
import type { InjectedFailure } from "../src/verify/failures.ts";
import { withScratch } from "../src/verify/scratch.ts";
import { guardEnvironment, guardStarter } from "../src/verify/start.ts";
import type { GuardRun } from "../src/verify/start.ts";
import type { GuardUnderTest, InProcess } from "../src/verify/subject.ts";
import { verifyGuard } from "../src/verify/verify.ts";
import { builtExecutable, runPolicyc } from "./executable.ts";

const policy = `policy acme

deny bash when command ~ /rm\\s+-r/
  id no-recursive-rm

deny any when tool contains "issue"
  id no-issues
`;

let root: string;

beforeAll(() => void builtExecutable());
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "policyc-verify-")));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function policyc(...words: readonly string[]) {
  return runPolicyc(words, { cwd: root });
}

function builtProject(): void {
  put("policy/main.policy", policy);
  expect(policyc("build").code).toBe(0);
}

/** The codes that `policyc verify` finds on one host. */
function findings(host: string): readonly string[] {
  const run = policyc("verify", "--target", host, "--format", "json");
  const { diagnostics } = JSON.parse(run.stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
  expect(run.code).toBe(diagnostics.length === 0 ? 0 : 1);
  return diagnostics.map((diagnostic) => diagnostic.code);
}

const plan: GuardPlan = { policyc: "0.1.0", host: "claude", name: "acme", sources: [], scope: "project", onError: "deny", deadline: 2500, events: [{ name: "PreToolUse", failClosed: true }], rules: [] };
const refusal: GuardRun = { exitCode: 2, stdout: "", stderr: "[acme/on-error] malformed\n", late: false };
const silence: GuardRun = { exitCode: 0, stdout: "", stderr: "", late: false };
const pass: Decision = { effect: "pass", message: "", personMessage: "", reasons: [] };

/** A guard on Claude Code that answers as `run` says; `isCall` is false for malformed payloads. Without entries nothing is broken on purpose. */
function guardThat(run: (isCall: boolean) => GuardRun, decision: Decision = pass, changes: Partial<GuardUnderTest> = {}): GuardUnderTest {
  const host = hosts[0]!;
  const malformed = new Set(plan.events.flatMap((event) => host.player.malformed(event.name).map(({ stdin }) => stdin)));
  const judge: GuardUnderTest["judge"] = (_plan, event, payload): InProcess => ({ kind: "decided", call: host.wire.decode(event, payload, "linux"), decision, outcomes: new Map() });
  return { host, plan, entries: [], ground: { root: "/home/user/project", environment: {} }, runtime: (name) => sectionOf(name, ""), recorded: [], calls: [], start: async (_event, stdin) => run(!malformed.has(stdin)), judge, ...changes };
}

async function codesOf(guard: GuardUnderTest): Promise<readonly string[]> {
  return [...new Set((await verifyGuard(guard)).diagnostics.map((diagnostic) => diagnostic.code))];
}

test("a guard that passes calls and refuses malformed payloads keeps to the contract", async () => {
  const { rows, diagnostics } = await verifyGuard(guardThat((isCall) => (isCall ? silence : refusal)));
  expect(diagnostics).toEqual([]);
  expect(rows).toMatchObject([{ host: "claude", event: "PreToolUse", breaches: 0 }]);
  expect(rows[0]!.samples).toBeGreaterThan(20);
  expect(rows[0]!.malformed).toBeGreaterThan(20);
});

test("an answer the host cannot read is a breach of the contract", async () => {
  expect(await codesOf(guardThat((isCall) => (isCall ? { ...silence, stdout: "{ broken }" } : refusal)))).toEqual(["verify/contract-breach"]);
  expect(await codesOf(guardThat((isCall) => (isCall ? { ...silence, exitCode: 1 } : refusal)))).toEqual(["verify/contract-breach"]);
  expect(await codesOf(guardThat((isCall) => (isCall ? silence : { ...refusal, stderr: "" })))).toEqual(["verify/contract-breach"]);
});

test("new arguments that the tool does not take are a breach of the contract", async () => {
  const rewriting = { ...silence, stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { comand: "ls" } } }) };
  expect(await codesOf(guardThat((isCall) => (isCall ? rewriting : refusal)))).toContain("verify/contract-breach");
});

test("a malformed payload that gets through fails open", async () => {
  expect(await codesOf(guardThat(() => silence))).toEqual(["verify/fails-open"]);
});

test("an event without a gate must not refuse what it cannot read", async () => {
  const open = { ...plan, events: [{ name: "PreToolUse", failClosed: false }] };
  expect(await codesOf(guardThat((isCall) => (isCall ? silence : refusal), pass, { plan: open }))).toEqual(["verify/refuses-open-event"]);
  expect(await codesOf(guardThat(() => silence, pass, { plan: open }))).toEqual([]);
});

test("a stop that is sent back for a payload nobody can read holds", async () => {
  const stops = { ...plan, events: [{ name: "Stop", failClosed: true }] };
  expect(await codesOf(guardThat(() => refusal, { ...pass, effect: "retry", message: "[acme/on-error] malformed" }, { plan: stops }))).toEqual([]);
  expect(await codesOf(guardThat(() => silence, pass, { plan: stops }))).toEqual(["verify/fails-open"]);
});

test("a guard that does not end is found", async () => {
  expect(await codesOf(guardThat(() => ({ ...silence, exitCode: null, late: true })))).toEqual(["verify/no-answer"]);
});

test("a guard that decides, tells or does otherwise than its rules is found", async () => {
  const decisions: readonly Decision[] = [
    { ...pass, effect: "deny", message: "[acme/no] No." },
    { ...pass, context: "Use pnpm." },
    { ...pass, notice: "A rule fired." },
    { ...pass, input: { command: "pnpm install", description: "Run a command" } },
    { ...pass, effects: [{ rule: "acme/audit", effect: { kind: "log", fields: [], to: "audit.jsonl" } }] },
  ];
  for (const decision of decisions) expect(await codesOf(guardThat((isCall) => (isCall ? silence : refusal), decision))).toEqual(["verify/unlike-decide"]);
});

test("guards are started dry, with their event, in the project, and without what changes how Node runs", async () => {
  put("guard.cjs", "process.stdout.write(JSON.stringify([process.argv.slice(2), process.cwd(), Object.keys(process.env), require('fs').readFileSync(0, 'utf8')]));");
  process.env["NODE_OPTIONS"] = "--no-warnings";
  try {
    const run = await guardStarter(join(root, "guard.cjs"), plan, root)("PreToolUse", "payload");
    const [words, folder, environment, stdin] = JSON.parse(run.stdout) as [string[], string, string[], string];
    expect(words).toEqual(["PreToolUse", "dry"]);
    expect(folder).toBe(root);
    expect(environment).not.toContain("NODE_OPTIONS");
    expect(stdin).toBe("payload");
  } finally {
    delete process.env["NODE_OPTIONS"];
  }
});

test("a guard that reads nothing of a large payload is judged by its answer", async () => {
  put("guard.cjs", "process.stderr.write('no'); process.exitCode = 2;");
  expect(await guardStarter(join(root, "guard.cjs"), plan, root)("PreToolUse", "x".repeat(4_000_000))).toMatchObject({ exitCode: 2, stderr: "no", late: false });
});

test("what a build makes is verified on every host and event, in a table", () => {
  builtProject();
  const run = policyc("verify");
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout.split("\n")[0]).toMatch(/^host +event +payloads +malformed +breaches +effects tried$/);
  for (const row of ["claude +PreToolUse", "vibe +pre_tool", "bob +PreToolUse"]) expect(run.stdout).toMatch(new RegExp(`^${row} +\\d+ +\\d+ +none +deny \\d+$`, "m"));
  expect(run.stdout).toMatch(/^host +a guard that +ends with +and the host +on$/m);
  expect(run.stdout).toMatch(/^bob +crashes, is missing, gets half a payload, passes its deadline +exit 2, deny +does not run the call +PreToolUse$/m);
  expect(run.stdout).toMatch(/^vibe +crashes, is missing +exit 1 +refuses with the cause \(`strict`\) +pre_tool$/m);
});

test("a guard that was changed by hand is found and never started", () => {
  builtProject();
  put(".bob/policyc/guard.cjs", `require("node:fs").writeFileSync(${JSON.stringify(join(root, "started"))}, "");\n${read(".bob/policyc/guard.cjs")}`);
  expect(findings("bob")).toEqual(["verify/guard-differs"]);
  expect(existsSync(join(root, "started"))).toBe(false);
  expect(policyc("verify", "--target", "bob").stderr).toContain("edited by hand");
});

test("a guard that is a link is refused and never started", () => {
  builtProject();
  renameSync(join(root, ".bob/policyc/guard.cjs"), join(root, "elsewhere.cjs"));
  symlinkSync(join(root, "elsewhere.cjs"), join(root, ".bob/policyc/guard.cjs"));
  expect(findings("bob")).toEqual(["write/symlink"]);
});

test("a missing guard, and one that an older policy made, are found", () => {
  builtProject();
  put("policy/main.policy", policy.replace("rm", "mv"));
  expect(findings("bob")).toEqual(["verify/guard-differs"]);
  rmSync(join(root, ".bob/policyc/guard.cjs"));
  expect(findings("bob")).toEqual(["verify/guard-missing"]);
});

test("a missing and a changed entry are found", () => {
  builtProject();
  const settings = read(".bob/settings.json");
  put(".bob/settings.json", settings.replace("|| exit 2", "|| exit 0"));
  expect(findings("bob")).toEqual(["verify/entry-differs"]);
  put(".bob/settings.json", "{}\n");
  expect(findings("bob")).toEqual(["verify/entry-missing"]);
  rmSync(join(root, ".bob/settings.json"));
  expect(findings("bob")).toEqual(["verify/entry-missing"]);
  put(".bob/settings.json", settings);
  rmSync(join(root, ".bob/policyc/installed.json"));
  expect(findings("bob")).toEqual(["write/out-of-date"]);
});

test("before any build everything is missing", () => {
  put("policy/main.policy", policy);
  expect(findings("bob")).toEqual(["verify/guard-missing", "verify/entry-missing"]);
});

test("a policy with errors verifies nothing", () => {
  builtProject();
  put("policy/main.policy", "deny bsh\n");
  expect(findings("bob")).toEqual(["check/unknown-name"]);
});

const everything = `policy acme
deny bash when runs rm with -r
ask bash when command contains "never asked"
  else skip
allow bash when command == "never allowed"
  for claude
replace /\\bnpm (install|ci)\\b/ with "pnpm {1}" in command before bash
  else skip
set input.timeout to 120 before bash when command contains "npm test"
  for vibe
redact /AKIA[0-9A-Z]{16}/ in output after any
  else skip
tell model "Read docs/STYLE.md." on session-start
  for claude, bob
tell user "Look at {path}." after write when path matches "db/**"
  else skip
retry on stop unless succeeds "npm test"
  else skip
deny on prompt when prompt contains "delete"
  for claude, bob
deny before compact when trigger == "auto"
  for claude, bob
run "touch started" on stop
forward to "https://api.example.com/hook" on stop
  timeout 2s
mark seen after bash
log to ".policyc/audit.jsonl" on any
`;

const runtimes = new Map<string, Runtime>();
beforeAll(async () => {
  for (const host of hosts) runtimes.set(host.id, await bundleRuntime(host));
});

/** The guard that a policy makes for a host, in a project of its own. */
function guardOf(id: string, text: string, changes: { readonly host?: Partial<Host>; readonly runtime?: (runtime: Runtime) => Runtime } = {}): GuardUnderTest {
  const { lowered, examples, diagnostics } = examine({ roots: [{ path: "acme.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const on = lowered.find(({ host }) => host.id === id)!;
  const host = { ...on.host, ...changes.host };
  const runtime = (changes.runtime ?? ((same) => same))(runtimes.get(id)!);
  const ground = { root, environment: guardEnvironment(root) };
  const judge: GuardUnderTest["judge"] = (judged, event, payload, at) => judgeCall({ on: { ...on, plan: judged }, event, payload }, at.root, at.environment);
  const calls = examples.filter((example) => example.host.id === id).flatMap((example) => example.calls.map(({ call }) => call));
  put(on.host.layout.guard, composeGuard(runtime, on.plan));
  return { host, plan: on.plan, entries: on.entries, ground, runtime, recorded: [], calls, start: guardStarter(join(root, on.host.layout.guard), on.plan, root, root), judge };
}

test.each(hosts)("every effect that a policy uses is tried at every event of $id, nothing is started or written, and all of it keeps to the contract", async ({ id }) => {
  const { player } = hosts.find((host) => host.id === id)!;
  // All of the malformed ones are tried with the built executable.
  const guard = guardOf(id, everything, { host: { player: { ...player, malformed: (event) => player.malformed(event).slice(0, 2) } } });
  const before = readdirSync(root, { recursive: true });
  const { rows, failures, diagnostics } = await verifyGuard(guard);
  expect(diagnostics).toEqual([]);
  expect(readdirSync(root, { recursive: true })).toEqual(before);
  expect(rows.map(({ event }) => event)).toEqual(guard.plan.events.map(({ name }) => name));
  // A redaction that stands in for nothing on a host only cleans what is logged there.
  const used = guard.plan.rules.filter(({ effect }) => effect.kind !== "redact" || effect.fields.length > 0).map(({ effect }) => (effect.kind === "tell" ? `tell ${effect.audience}` : effect.kind));
  const tried = rows.flatMap((row) => row.effects);
  expect(new Set(tried.map(({ effect }) => effect))).toEqual(new Set(used));
  expect(tried.filter(({ payloads }) => payloads === 0)).toEqual([]);
  if (id === "claude") expect(tried.filter(({ alone }) => alone).map(({ effect }) => effect)).toEqual(["ask", "allow", "tell user", "tell user"]);
  for (const { name } of guard.plan.events) expect(failures.filter(({ event }) => event === name).length).toBeGreaterThanOrEqual(5);
});

test("an effect that no usual payload brings about is tried with the calls of the policy's examples", async () => {
  const guard = guardOf("claude", `deny bash when runs terraform destroy\n  example deny "terraform destroy"\n  example pass "terraform plan"\n`);
  const { rows } = await verifyGuard(guard);
  expect(rows[0]?.effects).toMatchObject([{ effect: "deny", alone: false }]);
  // One of the usual ones is too long to be sure of, and counts as well.
  expect(rows[0]?.effects[0]?.payloads).toBeGreaterThan(1);
});

async function injected(guard: GuardUnderTest): Promise<{ readonly failures: readonly InjectedFailure[]; readonly codes: readonly string[] }> {
  const { failures, diagnostics } = await withScratch(guard, (scratch) => injectFailures(guard, scratch));
  return { failures, codes: [...new Set(diagnostics.map(({ code }) => code))].sort() };
}

const rows = (failures: readonly InjectedFailure[]): readonly (readonly string[])[] => failures.map(({ event, failure, guard, then }) => [event, failure, guard, then]);

test("a guard that fails stands beside what its host does then", async () => {
  const { failures, codes } = await injected(guardOf("bob", `deny bash when runs rm\nforward to "https://api.example.com/hook" on stop\n`));
  expect(codes).toEqual([]);
  expect(rows(failures)).toEqual([
    ["PreToolUse", "crashes", "exit 2, deny", "does not run the call"],
    ["PreToolUse", "does not end", "still running", "goes on"],
    ["PreToolUse", "is missing", "exit 2, deny", "does not run the call"],
    ["PreToolUse", "gets half a payload", "exit 2, deny", "does not run the call"],
    ["PreToolUse", "passes its deadline", "exit 2, deny", "does not run the call"],
    ["Stop", "crashes", "exit 1", "logs it and goes on"],
    ["Stop", "does not end", "still running", "goes on"],
    ["Stop", "is missing", "exit 1", "logs it and goes on"],
    ["Stop", "gets half a payload", "exit 0", "lets the agent stop"],
    ["Stop", "passes its deadline", "exit 0", "lets the agent stop"],
    ["Stop", "sends to a dead address", "exit 0", "does as without it"],
  ]);
});

test("an entry that does not hold where its guard fails is found", async () => {
  const guard = guardOf("bob", "deny bash when runs rm\n", { host: { launch: ({ event }) => ({ kind: "line", line: `node .bob/policyc/guard.cjs ${event}` }) } });
  const { failures, codes } = await injected(guard);
  expect(codes).toEqual(["verify/failure-open"]);
  expect(rows(failures).filter(([, , , then]) => then === "is not known to hold").map(([, failure]) => failure)).toEqual(["crashes", "is missing"]);
});

test("an entry that stops what no rule gates is found", async () => {
  const guard = guardOf("bob", `target bob\nlog to "audit.jsonl" on prompt\n`, { host: { launch: ({ event }) => ({ kind: "line", line: `node .bob/policyc/guard.cjs ${event} || exit 2` }) } });
  expect((await injected(guard)).codes).toEqual(["verify/failure-blocks"]);
});

test("a log that fails in silence is found", async () => {
  const quiet = (runtime: Runtime): Runtime => (name) => ({ ...runtime(name), text: runtime(name).text.replaceAll("nothing was written", "all is well") });
  expect((await injected(guardOf("vibe", `log to "audit.jsonl" before bash\n`, { runtime: quiet }))).codes).toEqual(["verify/silent-failure"]);
});
