/** What the hosts send and how they take an answer: the contracts judge payloads, answers and our own codecs. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MalformedPayload } from "../src/guard/call.ts";
import type { Decision, Json } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import { parsePayload } from "../src/guard/payload-text.ts";
import { scratchWorld } from "../src/guard/scratch.ts";
import type { Contract, Host, Judgement } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { fixtures, foundingPlan, hostNamed, payloadFiles } from "./contract/fixtures.ts";
import type { Fixture } from "./contract/fixtures.ts";

const world = scratchWorld({
  platform: "linux",
  branch: "",
  today: "2026-11-30",
  shell() {
    throw new Error("the founding rule parses no command");
  },
});

/** Refused before any rule is looked at. */
function isRefused({ host, event, stdin }: Fixture): boolean {
  try {
    host.wire.decode(event, parsePayload(stdin), "linux");
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedPayload);
    return true;
  }
}

test("every payload on disk is listed once, with its answer and its source", () => {
  expect(fixtures.map(({ name }) => name).sort()).toEqual([...payloadFiles].sort());
  expect(fixtures.filter(({ source, expect: answer }) => source === "" || !["deny", "pass"].includes(answer))).toEqual([]);
});

test("there are payloads of every event of every host", () => {
  const missing = (host: Host) => host.facts.eventNames.filter((name) => !fixtures.some((fixture) => fixture.host === host && fixture.event === name));
  expect(hosts.map(missing).flat()).toEqual([]);
});

test.each(fixtures.filter(({ name }) => !/\/bad\.|^hostile\//.test(name)))("contract and codec take $name", (fixture) => {
  const payload = parsePayload(fixture.stdin);
  expect(fixture.host.contract.judgePayload(fixture.event, payload)).toEqual([]);
  expect(fixture.host.wire.decode(fixture.event, payload, "linux").hostEvent).toBe(canonical(fixture.event));
});

/** Vibe's names of before 2.21 mean the same moments. */
function canonical(event: string): string {
  return { before_tool: "pre_tool", after_tool: "post_tool", post_agent_turn: "post_agent" }[event] ?? event;
}

test.each(fixtures.filter(({ name }) => /\/bad\./.test(name) && !name.endsWith("bad.bom.txt")))("codec and contract refuse $name", (fixture) => {
  expect(isRefused(fixture)).toBe(true);
  let payload: Json;
  try {
    payload = JSON.parse(fixture.stdin.toString("utf8")) as Json;
  } catch {
    // No JSON at all: nothing for a schema to judge.
    return;
  }
  expect(fixture.host.contract.judgePayload(fixture.event, payload)).not.toEqual([]);
});

test.each(fixtures)("the founding rule answers $expect to $name", (fixture) => {
  const { host, event, stdin } = fixture;
  const refused = isRefused(fixture);
  const effect = refused ? "deny" : decide(foundingPlan(host), host.wire.decode(event, parsePayload(stdin), "linux"), world).effect;
  expect(effect).toBe(fixture.expect);
});

test.each(fixtures)("the host takes the founding rule's answer to $name as it was meant", (fixture) => {
  const { host, event } = fixture;
  const decision: Decision = { effect: fixture.expect, message: "[founding/no-rm-r] No recursive removal.", personMessage: "", reasons: [] };
  expect(host.contract.judgeAnswer(event, host.wire.encode(event, decision))).toEqual({
    effect: fixture.expect,
    reason: fixture.expect === "deny" ? decision.message : "",
    breaches: [],
  } satisfies Judgement);
});

test.each(hosts.flatMap((host) => host.facts.eventNames.map((event) => ({ host, id: host.id, event }))))("what is played for $id $event is well-formed, what is broken on purpose is refused", ({ host, event }) => {
  const payload = host.player.compose(event, undefined, {}, { cwd: "/home/ada/shop" });
  expect(host.contract.judgePayload(event, payload)).toEqual([]);
  expect(host.wire.decode(event, payload, "linux").hostEvent).toBe(event);
  const malformed = host.player.malformed(event);
  expect(malformed.length).toBeGreaterThan(20);
  expect(new Set(malformed.map(({ name }) => name)).size).toBe(malformed.length);
  const accepted = malformed.filter(({ stdin }) => {
    try {
      host.wire.decode(event, parsePayload(Buffer.from(stdin)), "linux");
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedPayload);
      return false;
    }
  });
  expect(accepted.map(({ name }) => name)).toEqual([]);
});

test("the contracts refuse what is broken, but for what only the text shows or only a guard minds", () => {
  const forgiven = hosts.flatMap((host) =>
    host.facts.eventNames.flatMap((event) =>
      host.player.malformed(event).flatMap(({ name, stdin }) => {
        try {
          return host.contract.judgePayload(event, JSON.parse(stdin) as Json).length === 0 ? [name] : [];
        } catch {
          return [];
        }
      }),
    ),
  );
  expect([...new Set(forgiven)].sort()).toEqual(["duplicate argument", "duplicate key", "two spellings that differ"]);
});

type Answer = Parameters<Contract["judgeAnswer"]>[1];

const claudeSays = (json: unknown, exitCode: number | null = 0, stderr = ""): Answer => ({ exitCode, stdout: typeof json === "string" ? json : JSON.stringify(json), stderr });
const permission = (permissionDecision: unknown, more: object = {}): object => ({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason: "why", ...more } });

/** The outcome table of client 2.1.332. */
const claudeAnswers: readonly (readonly [string, Answer, Judgement["effect"], boolean])[] = [
  ["nothing", claudeSays(""), "pass", true],
  ["exit 2 with a reason", claudeSays("", 2, "why"), "deny", true],
  ["exit 2 without a reason", claudeSays("", 2), "deny", false],
  ["exit 2 with text on stdout", claudeSays("no", 2, "why"), "deny", false],
  ["exit 2 with JSON deny", claudeSays(permission("deny"), 2, "why"), "deny", true],
  ["exit 2 with JSON allow", claudeSays(permission("allow"), 2, "why"), "deny", false],
  ["exit 2 with JSON ask", claudeSays(permission("ask"), 2, "why"), "deny", false],
  ["exit 2 with broken JSON", claudeSays('{"a":}', 2, "why"), "deny", false],
  ["exit 1", claudeSays("", 1, "crash"), "pass", false],
  ["exit 127", claudeSays("", 127), "pass", false],
  ["a signal", claudeSays("", null), "pass", false],
  ["exit 1 with JSON deny", claudeSays(permission("deny"), 1), "deny", false],
  ["exit 1 with JSON ask", claudeSays(permission("ask"), 1), "ask", false],
  ["JSON deny", claudeSays(permission("deny")), "deny", true],
  ["JSON ask", claudeSays(permission("ask")), "ask", true],
  ["JSON allow", claudeSays(permission("allow")), "allow", true],
  ["JSON deny after a byte order mark and blanks", claudeSays(`\ufeff \r\n${JSON.stringify(permission("deny"))}\r\n`), "deny", true],
  ["JSON deny without a reason", claudeSays({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } }), "deny", false],
  ["JSON deny without hookEventName", claudeSays({ hookSpecificOutput: { permissionDecision: "deny" } }), "pass", false],
  ["JSON deny for another event", claudeSays(permission("deny", { hookEventName: "PostToolUse" })), "pass", false],
  ["permissionDecision null", claudeSays(permission(null)), "pass", false],
  ["permissionDecision Deny", claudeSays(permission("Deny")), "pass", false],
  ["permissionDecision block", claudeSays(permission("block")), "pass", false],
  ["a reason that is no text", claudeSays(permission("deny", { permissionDecisionReason: 7 })), "pass", false],
  ["permissionDecision at the top", claudeSays({ permissionDecision: "deny" }), "pass", false],
  ["unknown keys only", claudeSays({ permission: "deny" }), "pass", false],
  ["text before JSON", claudeSays(`note ${JSON.stringify(permission("deny"))}`), "pass", false],
  ["text after JSON", claudeSays(`${JSON.stringify(permission("deny"))} done`), "pass", false],
  ["a JSON array", claudeSays([permission("deny")]), "pass", false],
  ["truncated JSON", claudeSays('{"hookSpecificOutput":{'), "pass", false],
  ["two JSON lines", claudeSays(`${JSON.stringify(permission("deny"))}\n${JSON.stringify(permission("deny"))}`), "pass", false],
  ["the older block", claudeSays({ decision: "block", reason: "why" }), "deny", true],
  ["the older approve", claudeSays({ decision: "approve", reason: "why" }), "allow", true],
  ["continue false alone", claudeSays({ continue: false }), "pass", false],
  ["updated input alone", claudeSays({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "ls" } } }), "pass", true],
  ["context alone", claudeSays({ hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "note" } }), "pass", true],
  ["JSON deny on stderr", { exitCode: 0, stdout: "", stderr: JSON.stringify(permission("deny")) }, "pass", true],
];

test.each(claudeAnswers)("Claude Code before a tool: %s", (_name, answer, effect, isClean) => {
  const judgement = hostNamed("claude").contract.judgeAnswer("PreToolUse", answer);
  expect(judgement.effect).toBe(effect);
  expect(judgement.breaches.length === 0).toBe(isClean);
});

test("Claude Code hears the JSON reason where both are there", () => {
  expect(hostNamed("claude").contract.judgeAnswer("PreToolUse", claudeSays(permission("deny"), 2, "why, with a command line")).reason).toBe("why");
});

test.each([
  ["UserPromptSubmit", claudeSays({ decision: "block", reason: "why" }, 2, "why"), "deny", true],
  ["UserPromptSubmit", claudeSays("Remember the style guide."), "pass", true],
  ["SessionStart", claudeSays("Read docs first."), "pass", true],
  ["SessionStart", claudeSays("", 2, "why"), "pass", false],
  ["PostToolUse", claudeSays({ decision: "block", reason: "why" }), "deny", true],
  ["PostToolUse", claudeSays("", 2, "why"), "pass", false],
  ["Stop", claudeSays({ decision: "block", reason: "why" }, 2, "why"), "retry", true],
  ["SubagentStop", claudeSays("", 2, "why"), "retry", true],
  ["PreCompact", claudeSays("", 2, "why"), "deny", true],
  ["ConfigChange", claudeSays("", 2, "why"), "deny", true],
  ["PermissionRequest", claudeSays({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "why" } } }), "deny", true],
  ["PermissionRequest", claudeSays({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "block" } } }), "pass", false],
  ["PreSkillShellCommand", claudeSays({ hookSpecificOutput: { hookEventName: "PreSkillShellCommand", permissionDecision: "ask", permissionDecisionReason: "why" } }), "deny", true],
  ["NoSuchEvent", claudeSays("", 2, "why"), "deny", true],
  ["NoSuchEvent", claudeSays(""), "pass", false],
] as const)("Claude Code at %s takes %j", (event, answer, effect, isClean) => {
  const judgement = hostNamed("claude").contract.judgeAnswer(event, answer);
  expect(judgement.effect).toBe(effect);
  expect(judgement.breaches.length === 0).toBe(isClean);
});

test.each([
  ["nothing", "", 0, "pass", true],
  ["blanks", " \n", 0, "pass", true],
  ["a refusal", '{"decision":"deny","reason":"why"}', 0, "deny", true],
  ["a refusal without a reason", '{"decision":"deny"}', 0, "deny", false],
  ["a refusal whose reason is no text", '{"decision":"deny","reason":7}', 0, "deny", false],
  ["allow", '{"decision":"allow"}', 0, "pass", true],
  ["block", '{"decision":"block","reason":"why"}', 0, "pass", false],
  ["ask", '{"decision":"ask","reason":"why"}', 0, "pass", false],
  ["DENY", '{"decision":"DENY","reason":"why"}', 0, "pass", false],
  ["null for a decision", '{"decision":null}', 0, "pass", false],
  ["Claude's spelling", '{"hookSpecificOutput":{"permissionDecision":"deny"}}', 0, "pass", false],
  ["a message that is no text", '{"system_message":7}', 0, "pass", false],
  ["a list for the input", '{"hook_specific_output":{"tool_input":[]}}', 0, "pass", false],
  ["text before JSON", 'note {"decision":"deny","reason":"why"}', 0, "pass", false],
  ["two objects", '{"decision":"deny"}{"decision":"deny"}', 0, "pass", false],
  ["an array", '[{"decision":"deny"}]', 0, "pass", false],
  ["a byte order mark", '\ufeff{"decision":"deny","reason":"why"}', 0, "pass", false],
  ["more than it reads", `{"decision":"deny","reason":"${"x".repeat(1_000_000)}"}`, 0, "pass", false],
  ["exit 2", '{"decision":"deny","reason":"why"}', 2, "pass", false],
  ["exit 1", "", 1, "pass", false],
  ["a signal", "", null, "pass", false],
] as const)("Vibe before a tool: %s", (_name, stdout, exitCode, effect, isClean) => {
  const judgement = hostNamed("vibe").contract.judgeAnswer("pre_tool", { exitCode, stdout, stderr: "" });
  expect(judgement.effect).toBe(effect);
  expect(judgement.breaches.length === 0).toBe(isClean);
});

test.each(readdirSync("test/contract/vibe/answers"))("Vibe takes the answer of %s", (file) => {
  const stdout = readFileSync(`test/contract/vibe/answers/${file}`, "utf8");
  const judgement = hostNamed("vibe").contract.judgeAnswer(file.split(".")[0] ?? "", { exitCode: 0, stdout, stderr: "" });
  expect(judgement).toMatchObject({ effect: !stdout.includes('"deny"') ? "pass" : file.startsWith("post_agent") ? "retry" : "deny", breaches: [] });
});

test.each([
  ["PreToolUse", 0, "", "", "pass", true],
  ["PreToolUse", 2, "", "why\n", "deny", true],
  ["PreToolUse", 2, "", "", "deny", false],
  ["PreToolUse", 2, "", "why\nand how\n", "deny", false],
  ["PreToolUse", 2, "no", "why\n", "deny", false],
  ["PreToolUse", 0, '{"decision":"block"}', "", "pass", false],
  ["PreToolUse", 1, "", "crash\n", "pass", false],
  ["PreToolUse", 127, "", "", "pass", false],
  ["PreToolUse", null, "", "", "pass", false],
  ["PreToolUse", 2, "", "x".repeat(1024 * 1024 + 1), "pass", false],
  ["UserPromptSubmit", 2, "", "why\n", "deny", true],
  ["UserPromptSubmit", 0, "Remember the style guide.", "", "pass", true],
  ["SessionStart", 0, "Read docs first.", "", "pass", true],
  ["SessionStart", 2, "", "why\n", "pass", false],
  ["PreCompact", 2, "", "why\n", "deny", true],
  ["Stop", 2, "", "why\n", "pass", false],
  ["PostToolUse", 0, "note", "", "pass", false],
  ["BeforeTool", 2, "", "why\n", "deny", true],
] as const)("Bob at %s with exit %j", (event, exitCode, stdout, stderr, effect, isClean) => {
  const judgement = hostNamed("bob").contract.judgeAnswer(event, { exitCode, stdout, stderr });
  expect(judgement.effect).toBe(effect);
  expect(judgement.breaches.length === 0).toBe(isClean);
});
