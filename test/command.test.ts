/** Commands of a project: what they are given, what comes back, and that nothing of them stays behind. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { commandEnvironment } from "../src/guard/command-environment.ts";
import { mostOutput, runCommand } from "../src/guard/command.ts";
import type { Command } from "../src/guard/command.ts";
import { isAlive, until } from "./doing.ts";
import { planOf, toolCall } from "./guard-values.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-command-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function command(text: string, more: Partial<Command> = {}): Command {
  return { text, folder, environment: process.env, stdin: Buffer.from('{"event":"PreToolUse"}'), timeout: 60_000, ...more };
}

test("a command gets the payload and the project's folder, and its exit code and output come back", () => {
  expect(runCommand(command("cat; pwd"), "kept")).toEqual({ kind: "ended", exitCode: 0, output: `{"event":"PreToolUse"}${folder}\n` });
  expect(runCommand(command("echo hidden; exit 3"), "dropped")).toEqual({ kind: "ended", exitCode: 3, output: "" });
  expect(runCommand(command("no-such-program"), "dropped")).toMatchObject({ kind: "ended", exitCode: 127 });
  expect(runCommand(command("kill -9 $$"), "dropped")).toEqual({ kind: "failed", cause: "it was ended by SIGKILL", started: true });
  expect(runCommand(command("true", { folder: join(folder, "missing") }), "dropped")).toMatchObject({ kind: "failed", started: false });
});

test("a command that leaves a large payload unread ends as it ends", () => {
  expect(runCommand(command("exit 4", { stdin: Buffer.alloc(8_000_000, "x") }), "dropped")).toMatchObject({ kind: "ended", exitCode: 4 });
  expect(runCommand(command("wc -c", { stdin: Buffer.alloc(8_000_000, "x") }), "kept")).toMatchObject({ output: expect.stringContaining("8000000") as string });
});

test("a command that prints without end is stopped, and what it printed is kept up to a limit", () => {
  const end = runCommand(command("yes"), "kept");
  expect(end).toMatchObject({ kind: "ended", output: expect.stringMatching(/^y\ny\n/) as string });
  expect(end.kind === "ended" && end.output.length).toBe(mostOutput);
});

test("what is not done in its time is ended with all it has started", async () => {
  const started = Date.now();
  expect(runCommand(command(`echo $$ > leader; (sleep 610 & echo $! > child; wait) & sleep 620`, { timeout: 3000 }), "kept")).toEqual({ kind: "late" });
  expect(Date.now() - started).toBeLessThan(60_000);
  const pids = ["leader", "child"].map((name) => Number(readFileSync(join(folder, name), "utf8")));
  expect(pids.every((pid) => pid > 1)).toBe(true);
  expect(await until(() => !pids.some(isAlive))).toBe(true);
});

test("a command that ignores requests to end is ended too", () => {
  expect(runCommand(command("trap '' TERM INT HUP; while :; do sleep 0.1; done", { timeout: 500 }), "dropped")).toEqual({ kind: "late" });
});

test("a background process that keeps the output open does not hide how the command ended", () => {
  expect(runCommand(command("sleep 63 & echo done", { timeout: 3000 }), "kept")).toEqual({ kind: "ended", exitCode: 0, output: "done\n" });
  const started = Date.now();
  expect(runCommand(command("sleep 60 & echo $! > left; exit 0", { timeout: 59_000 }), "dropped")).toMatchObject({ kind: "ended", exitCode: 0 });
  expect(Date.now() - started).toBeLessThan(30_000);
  process.kill(Number(readFileSync(join(folder, "left"), "utf8")));
});

const plan = { ...planOf(), name: "acme", host: "claude" };

test("the fields of a call are variables, and nothing of them is run", () => {
  const call = toolCall("bash", "Bash", { command: "$(touch injected); `touch injected`\n'\"", path: ["a", "b c"], subagent: true, exit: 3 });
  const environment = commandEnvironment({ ...process.env, POLICYC_COMMAND: "forged", Policyc_Other: "forged" }, plan, call, folder);
  const end = runCommand(command('printf "%s|" "$POLICYC_COMMAND" "$POLICYC_PATH" "$POLICYC_SUBAGENT" "$POLICYC_EXIT" "$POLICYC_ROOT" "$POLICYC_POLICY" "$POLICYC_HOST"; echo $POLICYC_COMMAND', { environment }), "kept");
  expect(end).toMatchObject({ output: expect.stringContaining(`$(touch injected); \`touch injected\`\n'"|a\nb c|true|3|${folder}|acme|claude|`) as string });
  expect(existsSync(join(folder, "injected"))).toBe(false);
  expect(Object.keys(environment).filter((name) => /^policyc_/i.test(name) && name !== name.toUpperCase())).toEqual([]);
});

test("variables are short, hold no NUL, and any call can be given to a command", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 20 }), (content, prompt) => {
      const call = toolCall("bash", "Bash", { content: content.repeat(300), prompt: `\0${prompt}\0`, command: "\0".repeat(9) });
      const environment = commandEnvironment({}, plan, call, folder, { effect: "pass", message: "", personMessage: "", reasons: [] });
      for (const value of Object.values(environment)) {
        expect(value).not.toContain("\0");
        expect(value?.length).toBeLessThanOrEqual(4096);
      }
      expect(environment["POLICYC_COMMAND"]).toBe("");
      expect(environment["POLICYC_DECISION"]).toBe("pass");
    }),
  );
  const call = toolCall("bash", "Bash", { content: "x".repeat(5_000_000), prompt: "\ud83d\ude00".repeat(4000) });
  expect(runCommand(command('printf %s "$POLICYC_CONTENT" | wc -c', { environment: commandEnvironment(process.env, plan, call, folder) }), "kept")).toMatchObject({ exitCode: 0, output: expect.stringContaining("4096") as string });
});
