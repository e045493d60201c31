/** What hosts can do, as their modules state it: the table of the language page, and what codecs and contracts make of it. */
import { expect, test } from "vitest";
import type { EventKind } from "../src/guard/vocabulary.ts";
import { eventKinds } from "../src/guard/vocabulary.ts";
import type { Decision } from "../src/guard/call.ts";
import type { EffectKind } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { hostNamed } from "./contract/fixtures.ts";

const changes: readonly EffectKind[] = ["set", "replace", "redact"];
const sides: readonly EffectKind[] = ["log", "run", "forward", "mark"];

/** LANGUAGE.md 3.10, row by row: effects, moments, and the hosts that can. */
const table: readonly (readonly [readonly EffectKind[], readonly EventKind[], readonly string[]])[] = [
  [["deny"], ["before-tool"], ["claude", "vibe", "bob"]],
  [["ask", "allow"], ["before-tool"], ["claude"]],
  [changes, ["before-tool"], ["claude", "vibe"]],
  [["tell-model"], ["before-tool"], ["claude"]],
  [["tell-user"], ["before-tool"], ["claude", "vibe"]],
  [["deny", ...changes], ["after-tool"], ["claude", "vibe"]],
  [["tell-model", "tell-user"], ["after-tool"], ["claude", "vibe"]],
  [["deny"], ["prompt", "before-compact"], ["claude", "bob"]],
  [["tell-model"], ["prompt", "session-start"], ["claude", "bob"]],
  [["tell-user"], ["prompt", "session-start", "before-compact", "after-compact"], ["claude"]],
  [["tell-user"], ["stop"], ["claude", "vibe"]],
  [["retry"], ["stop"], ["claude", "vibe"]],
  [sides, ["before-tool", "after-tool", "stop"], ["claude", "vibe", "bob"]],
  [sides, ["prompt", "session-start", "before-compact", "after-compact"], ["claude", "bob"]],
];
const effects: readonly EffectKind[] = ["deny", "ask", "allow", "retry", ...changes, "tell-model", "tell-user", ...sides];
const moments = eventKinds.filter((event) => event !== "host-event");

test.each(hosts)("$id can do what the table says at every moment, and nothing else", ({ id, facts }) => {
  for (const effect of effects)
    for (const event of moments) {
      const wanted = table.some(([words, events, ids]) => words.includes(effect) && events.includes(event) && ids.includes(id));
      expect([effect, event, facts.supports(effect, event)]).toEqual([effect, event, wanted]);
    }
});

test("permission strings are Claude Code's", () => {
  expect(hosts.filter(({ facts }) => facts.supports("permission", "before-tool")).map(({ id }) => id)).toEqual(["claude"]);
});

test("what a host lacks anywhere it has a sentence for", () => {
  for (const { id, facts } of hosts)
    for (const effect of [...effects, "permission"] as const) {
      const lacking = moments.some((event) => facts.events[event] !== undefined && !facts.supports(effect, event));
      if (lacking) expect([id, effect, facts.lacks[effect]]).toEqual([id, effect, expect.stringMatching(/^[A-Z][^.]*[^.]$/)]);
    }
});

test("`on any` is the list of the language page", () => {
  expect(Object.fromEntries(hosts.map(({ id, facts }) => [id, facts.anyEvents]))).toEqual({
    claude: ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    vibe: ["pre_tool", "post_tool", "post_agent"],
    bob: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
  });
});

test("every name a host states is one of its events", () => {
  for (const { id, facts } of hosts) {
    const stated = [...facts.anyEvents, ...facts.blockingEvents, ...facts.contextEvents, ...Object.keys(facts.closedEvents), ...Object.keys(facts.eventsSince), ...facts.laterEvents.map(({ event }) => event), ...Object.values(facts.events).flat()];
    expect([id, stated.filter((name) => !facts.eventNames.includes(name))]).toEqual([id, []]);
  }
});

const refusal: Decision = { effect: "deny", message: "[shop/rule] No.", personMessage: "", reasons: [] };

test.each(hosts.flatMap((host) => host.facts.eventNames.map((event) => ({ id: host.id, host, event }))))("a refusal at $id $event stops it exactly where the module says so", ({ host, event }) => {
  const payload = host.player.compose(event, undefined, { command: "ls" }, { cwd: "/home/ada/shop" });
  const call = host.wire.decode(event, payload, "linux");
  const { effect } = host.contract.judgeAnswer(event, host.wire.encode(event, refusal, call), payload);
  const blocks = host.facts.blockingEvents.includes(event);
  if (call.event === "after-tool") return;
  if (blocks) expect(effect).toBe("deny");
  // At a stop the word is `retry`; the worktree's event no rule may be about.
  else expect(call.event === "stop" || host.facts.closedEvents[event] !== undefined ? "pass" : effect).toBe("pass");
  expect(host.facts.supports("deny", "host-event", event)).toBe(blocks);
});

test("events that Claude Code takes from its hooks' own hands are closed to rules", () => {
  expect(Object.keys(hostNamed("claude").facts.closedEvents).sort()).toEqual(["MessageDisplay", "WorktreeCreate"]);
});

test("caps are those that were measured", () => {
  expect(hosts.map(({ id, facts }) => [id, facts.retryCap, facts.contextCap, facts.outputCap])).toEqual([
    ["claude", 8, 10_000, undefined],
    ["vibe", 3, undefined, 1_000_000],
    ["bob", undefined, undefined, 1_000_000],
  ]);
});

test("an example's fields find the event that would tell them", () => {
  const { claude, vibe, bob } = Object.fromEntries(hosts.map((host) => [host.id, host.player])) as Record<"claude" | "vibe" | "bob", (typeof hosts)[number]["player"]>;
  expect(claude.eventOf("after-tool", { output: "x" })).toBe("PostToolUse");
  expect(claude.eventOf("after-tool", { error: "x" })).toBe("PostToolUseFailure");
  expect(claude.eventOf("after-tool", { status: "failure" })).toBe("PostToolUseFailure");
  expect(claude.eventOf("stop", { agent: "main" })).toBe("Stop");
  expect(claude.eventOf("stop", { agent: "reviewer" })).toBe("SubagentStop");
  expect(vibe.eventOf("after-tool", { error: "x" })).toBe("post_tool");
  expect(vibe.eventOf("prompt", {})).toBeUndefined();
  expect(bob.eventOf("stop", {})).toBe("Stop");
  for (const host of hosts) for (const event of moments) expect([host.id, event, host.player.eventOf(event, {})]).toEqual([host.id, event, host.facts.events[event]?.[0]]);
});

/** Fields an example may name at an event, and what they come out as. */
const told: readonly (readonly [string, string, Readonly<Record<string, string | number>>, Readonly<Record<string, unknown>>])[] = [
  ["claude", "PostToolUse", { command: "npm test", output: "ok", duration: 7 }, { command: "npm test", output: "ok", status: "success", duration: 7 }],
  ["claude", "PostToolUseFailure", { command: "npm test", error: "Exit code 1" }, { error: "Exit code 1", output: "Exit code 1", status: "failure" }],
  ["claude", "UserPromptSubmit", { prompt: "remove it", mode: "plan" }, { prompt: "remove it", mode: "plan" }],
  ["claude", "SessionStart", { source: "compact" }, { source: "compact" }],
  ["claude", "Stop", { message: "Done.", session: "s-1" }, { message: "Done.", agent: "main", session: "s-1" }],
  ["claude", "SubagentStop", { agent: "reviewer", message: "Done." }, { agent: "reviewer", message: "Done.", subagent: true }],
  ["claude", "PreCompact", { trigger: "auto", instructions: "be brief" }, { trigger: "auto", instructions: "be brief" }],
  ["claude", "PostCompact", { trigger: "auto", summary: "short" }, { trigger: "auto", summary: "short" }],
  ["vibe", "post_tool", { command: "npm test", output: "FAIL", exit: 1 }, { command: "npm test", output: "FAIL", exit: 1, status: "success", duration: 0 }],
  ["vibe", "post_tool", { path: "a.txt", error: "File not found" }, { output: "File not found", error: "File not found", status: "failure" }],
  ["vibe", "post_agent", { agent: "reviewer" }, { agent: "reviewer", subagent: true }],
  ["vibe", "post_agent", {}, { agent: "main", subagent: false }],
  ["bob", "PostToolUse", { command: "npm test", output: "ok" }, { command: "npm test", output: "ok" }],
  ["bob", "UserPromptSubmit", { prompt: "remove it" }, { prompt: "remove it" }],
  ["bob", "SessionStart", { source: "resume" }, { source: "resume" }],
  ["bob", "PreCompact", { trigger: "auto", instructions: "be brief" }, { trigger: "auto", instructions: "be brief" }],
  ["bob", "PostCompact", { trigger: "manual", summary: "short" }, { trigger: "manual", summary: "short" }],
  ["bob", "Stop", { message: "Done." }, { message: "Done.", agent: "main" }],
];

test.each(told)("%s plays %s with %j", (id, event, fields, wanted) => {
  const { player, contract, wire } = hostNamed(id);
  const payload = player.compose(event, undefined, fields, { cwd: "/home/ada/shop" });
  expect(contract.judgePayload(event, payload)).toEqual([]);
  expect(wire.decode(event, payload, "linux").fields).toMatchObject(wanted);
});

test("an event without a tool is played with its own fields by name, kinds kept", () => {
  const { player, wire } = hostNamed("claude");
  const changed = wire.decode("ConfigChange", player.compose("ConfigChange", undefined, { "input.source": "local_settings" }, { cwd: "/home/ada/shop" }), "linux");
  expect(changed).toMatchObject({ event: "host-event", hostEvent: "ConfigChange", input: { source: "local_settings" } });
  expect(player.compose("Stop", undefined, { "input.stop_hook_active": "true" }, { cwd: "/home/ada/shop" })["stop_hook_active"]).toBe(true);
  expect(hostNamed("bob").player.compose("SessionStart", undefined, { "input.source": "resume" }, { cwd: "/home/ada/shop" })["source"]).toBe("resume");
});
