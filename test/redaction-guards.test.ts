/** Guards as processes that redact outputs: however large the output is and however long the search takes, the secret stays inside. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleRuntime } from "../src/bundle.ts";
import { composeGuard } from "../src/compose.ts";
import type { Runtime } from "../src/compose.ts";
import type { JsonObject } from "../src/guard/call.ts";
import type { PatternPlan } from "../src/guard/plan.ts";
import type { Judgement } from "../src/hosts/host.ts";
import { hostNamed } from "./contract/fixtures.ts";
import { patternOf, planOf, ruleWith } from "./guard-values.ts";

const secret = "AKIAIOSFODNN7EXAMPLE";
const key = patternOf(/AKIA[0-9A-Z]{16}/, "AKIA");

/** Each host's tools that answer with text, and the event after them. */
const tools = [
  { id: "claude", event: "PostToolUse", tool: "Bash" },
  { id: "claude", event: "PostToolUse", tool: "Read" },
  { id: "claude", event: "PostToolUse", tool: "mcp__github__get_file" },
  { id: "vibe", event: "post_tool", tool: "bash" },
] as const;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-redaction-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runtimes = new Map<string, Runtime>();
beforeAll(async () => {
  for (const id of ["claude", "vibe"]) runtimes.set(id, await bundleRuntime(hostNamed(id)));
});

/** What the host hears of a guard that takes the patterns out of the output. */
function heard({ id, event, tool }: (typeof tools)[number], patterns: readonly PatternPlan[], output: string, deadline = 60_000): Judgement & { readonly stdout: string } {
  const host = hostNamed(id);
  const rule = ruleWith({ kind: "redact", patterns, as: ["[redacted]"], fields: [["output"]] }, { event: "after-tool" });
  const plan = { ...planOf(rule), host: id, deadline, events: [{ name: event, failClosed: true }] };
  const guard = join(folder, id, host.layout.guard);
  mkdirSync(dirname(guard), { recursive: true });
  writeFileSync(guard, composeGuard(runtimes.get(id) as Runtime, plan));
  const payload: JsonObject = host.player.compose(event, tool, { output, ...(tool === "Read" ? { path: "x" } : tool === "bash" || tool === "Bash" ? { command: "cat x" } : {}) }, { cwd: join(folder, id) });
  const run = spawnSync(process.execPath, [guard, event], { input: JSON.stringify(payload), encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const judgement = host.contract.judgeAnswer(event, { exitCode: run.status, stdout: run.stdout, stderr: run.stderr }, payload);
  expect(judgement.breaches).toEqual([]);
  return { ...judgement, stdout: run.stdout };
}

test.each(tools)("a secret in an output of $tool on $id is taken out, and nothing else", (asked) => {
  const { effect, output, stdout } = heard(asked, [key], `one ${secret} two ${secret}\n`);
  expect(effect).toBe("deny");
  expect(stdout).not.toContain(secret);
  expect(JSON.stringify(output)).toContain("one [redacted] two [redacted]");
  expect(heard(asked, [key], "one two\n")).toMatchObject({ effect: "pass", stdout: "" });
});

test.each(tools)("an output of $tool on $id that is too large to be searched is withheld", (asked) => {
  const { effect, output, stdout } = heard(asked, [key], `${"x".repeat(2_000_000)}${secret}${"x".repeat(2_000_000)}`);
  expect(effect).toBe("deny");
  expect(stdout).not.toContain(secret);
  expect(JSON.stringify(output)).toContain("characters withheld");
});

test.each(tools)("a search of an output of $tool on $id that takes too long ends in the guard's word in its place", (asked) => {
  const { effect, output, stdout } = heard(asked, [patternOf(/(?:a+)+!/)], `${"a".repeat(60)} ${secret}`, 500);
  expect(effect).toBe("deny");
  expect(stdout).not.toContain(secret);
  expect(JSON.stringify(output)).toContain("it took longer than 500 ms");
});
