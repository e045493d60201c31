/** Verification: what a guard's process answers is judged by its host's contract, and a changed guard is never started. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { GuardPlan } from "../src/guard/plan.ts";
import { hosts } from "../src/hosts/registry.ts";
import { guardStarter, verifyGuard } from "../src/verify.ts";
import type { GuardRun, GuardUnderTest } from "../src/verify.ts";
import { builtExecutable, runPolicyc } from "./executable.ts";

vi.setConfig({ testTimeout: 120_000 });

const policy = `policy acme

deny bash when command ~ /rm\\s+-r/
  id no-recursive-rm

deny any when tool contains "issue"
  id no-issues
`;

let root: string;

beforeAll(() => void builtExecutable(), 120_000);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "policyc-verify-"));
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

/** A guard on Claude Code that answers as `run` says; `isCall` is false for malformed payloads. */
function guardThat(run: (isCall: boolean) => GuardRun, changes: Partial<GuardUnderTest> = {}): GuardUnderTest {
  const host = hosts[0]!;
  const malformed = new Set(plan.events.flatMap((event) => host.player.malformed(event.name).map(({ stdin }) => stdin)));
  return { host, plan, cwd: "/home/user/project", start: async (_event, stdin) => run(!malformed.has(stdin)), decide: () => "pass", ...changes };
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

test("a malformed payload that gets through fails open", async () => {
  expect(await codesOf(guardThat(() => silence))).toEqual(["verify/fails-open"]);
});

test("an event without a gate must not refuse what it cannot read", async () => {
  const open = { ...plan, events: [{ name: "PreToolUse", failClosed: false }] };
  expect(await codesOf(guardThat((isCall) => (isCall ? silence : refusal), { plan: open }))).toEqual(["verify/refuses-open-event"]);
  expect(await codesOf(guardThat(() => silence, { plan: open }))).toEqual([]);
});

test("a guard that does not end is found", async () => {
  expect(await codesOf(guardThat(() => ({ ...silence, exitCode: null, late: true })))).toEqual(["verify/no-answer"]);
});

test("a guard that decides otherwise than its rules is found", async () => {
  expect(await codesOf(guardThat((isCall) => (isCall ? silence : refusal), { decide: () => "deny" }))).toEqual(["verify/unlike-decide"]);
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
  expect(run.stdout.split("\n")[0]).toMatch(/^host +event +payloads +malformed +breaches$/);
  for (const row of ["claude +PreToolUse", "vibe +pre_tool", "bob +PreToolUse"]) expect(run.stdout).toMatch(new RegExp(`^${row} +\\d+ +\\d+ +none$`, "m"));
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
