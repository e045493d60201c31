/** Answers of every kind at every event: what a codec says is what the host's contract hears, with nothing lost and nothing leaked. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision, Json, JsonObject } from "../src/guard/call.ts";
import { valueAt, withValues } from "../src/guard/json-place.ts";
import { parsePayload } from "../src/guard/payload-text.ts";
import type { Host, Judgement } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { fixtures, hostNamed } from "./contract/fixtures.ts";

const nothing: Decision = { effect: "pass", message: "", personMessage: "", reasons: [] };
const refusal: Decision = { ...nothing, effect: "deny", message: "[shop/rule] No.", personMessage: "[shop/rule] No." };

interface Asked {
  readonly id: string;
  readonly event: string;
  readonly tool?: string;
  readonly fields?: Readonly<Record<string, string | number>>;
}

function payloadOf({ id, event, tool, fields = {} }: Asked): JsonObject {
  return hostNamed(id).player.compose(event, tool, fields, { cwd: "/home/ada/shop" });
}

/** Encoded as an answer to the payload, and judged as one. */
function heard(asked: Asked, decision: Decision, payload: Json = payloadOf(asked)): Judgement {
  const { wire, contract } = hostNamed(asked.id);
  expect(contract.judgePayload(asked.event, payload)).toEqual([]);
  return contract.judgeAnswer(asked.event, wire.encode(asked.event, decision, wire.decode(asked.event, payload, "linux")), payload);
}

const claudeBash: Asked = { id: "claude", event: "PreToolUse", tool: "Bash", fields: { command: "npm install" } };
const vibeBash: Asked = { id: "vibe", event: "pre_tool", tool: "bash", fields: { command: "npm install" } };

test.each([claudeBash, vibeBash])("a rewrite on $id goes out whole and decides nothing", (asked) => {
  const { wire } = hostNamed(asked.id);
  const payload = payloadOf(asked);
  const call = wire.decode(asked.event, payload, "linux");
  const input = { ...call.input, command: "pnpm install" };
  expect(heard(asked, { ...nothing, input })).toEqual({ effect: "pass", reason: "", input, breaches: [] });
  const again = wire.decode(asked.event, wire.withInput?.(payload, input) ?? null, "linux");
  expect(again.fields["command"]).toBe("pnpm install");
  expect(again.input).toEqual(input);
});

test("on Claude Code a rewrite goes with a question or a grant where a rule made one, and never grants by itself", () => {
  const input = { command: "pnpm install", description: "Run a command" };
  for (const effect of ["ask", "allow"] as const) expect(heard(claudeBash, { ...refusal, effect, input })).toEqual({ effect, reason: refusal.personMessage, input, breaches: [] });
  expect(JSON.parse(hostNamed("claude").wire.encode("PreToolUse", { ...nothing, input }).stdout)).toEqual({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: input } });
});

test("a refusal drops the rewrite", () => {
  for (const asked of [claudeBash, vibeBash]) expect(heard(asked, { ...refusal, input: { command: "pnpm install" } })).toEqual({ effect: "deny", reason: refusal.message, breaches: [] });
});

test("a skill's own command is refused where a rule would rewrite it or a person would have to be asked", () => {
  const asked: Asked = { id: "claude", event: "PreSkillShellCommand", tool: "Bash", fields: { command: "npm install" } };
  expect(heard(asked, { ...nothing, input: { command: "pnpm install" } })).toMatchObject({ effect: "deny", breaches: [] });
  expect(heard(asked, { ...refusal, effect: "ask" })).toMatchObject({ effect: "deny", breaches: [] });
});

test("arguments larger than Vibe reads are refused, not cut", () => {
  const judgement = heard(vibeBash, { ...nothing, input: { command: "x".repeat(1_000_000) } });
  expect(judgement).toMatchObject({ effect: "deny", breaches: [] });
  expect(heard(vibeBash, { ...nothing, input: { command: "x".repeat(900_000) } }).input).toEqual({ command: "x".repeat(900_000) });
});

test.each<readonly [Asked, boolean]>([
  [{ id: "claude", event: "PreToolUse", tool: "Bash" }, true],
  [{ id: "claude", event: "PostToolUse", tool: "Bash" }, true],
  [{ id: "claude", event: "PostToolUseFailure", tool: "Bash" }, true],
  [{ id: "claude", event: "UserPromptSubmit" }, true],
  [{ id: "claude", event: "SessionStart" }, true],
  [{ id: "claude", event: "SubagentStart" }, true],
  [{ id: "claude", event: "Stop" }, false],
  [{ id: "claude", event: "PreCompact" }, false],
  [{ id: "claude", event: "PreSkillShellCommand", tool: "Bash" }, false],
  [{ id: "vibe", event: "post_tool", tool: "bash" }, true],
  [{ id: "vibe", event: "pre_tool", tool: "bash" }, false],
  [{ id: "vibe", event: "post_agent" }, false],
  [{ id: "bob", event: "SessionStart" }, true],
  [{ id: "bob", event: "UserPromptSubmit" }, true],
  [{ id: "bob", event: "PreToolUse" }, false],
  [{ id: "bob", event: "PostToolUse" }, false],
])("context reaches the model where the host takes it, and is no breach elsewhere: %j", (asked, taken) => {
  const judgement = heard(asked, { ...nothing, context: "House style: docs/STYLE.md" });
  expect(judgement).toEqual({ effect: "pass", reason: "", ...(taken && { context: "House style: docs/STYLE.md" }), breaches: [] });
  expect(hostNamed(asked.id).facts.contextEvents.includes(asked.event)).toBe(taken);
});

test("long context is cut with a note, below where Claude Code would show a preview of it", () => {
  const cap = hostNamed("claude").facts.contextCap ?? 0;
  const whole = "x".repeat(cap);
  expect(heard({ id: "claude", event: "SessionStart" }, { ...nothing, context: whole }).context).toBe(whole);
  const { context = "", breaches } = heard({ id: "claude", event: "SessionStart" }, { ...nothing, context: `${whole}y` });
  expect(breaches).toEqual([]);
  expect(context.length).toBeLessThanOrEqual(cap);
  expect(context).toMatch(/^x{9000,} \[\d+ characters left out\]$/);
});

test("context that begins like an answer is no answer to a newer Bob", () => {
  for (const context of ['{"decision":"block"}', '["a"]', '"text"']) {
    const judgement = heard({ id: "bob", event: "UserPromptSubmit" }, { ...nothing, context });
    expect(judgement).toEqual({ effect: "pass", reason: "", context: `Context:\n${context}`, breaches: [] });
  }
});

test.each<readonly [Asked, Decision["effect"], boolean]>([
  [{ id: "claude", event: "PreToolUse", tool: "Bash" }, "deny", true],
  [{ id: "claude", event: "Stop" }, "retry", true],
  [{ id: "claude", event: "SessionEnd" }, "pass", true],
  [{ id: "claude", event: "ConfigChange" }, "deny", true],
  [{ id: "vibe", event: "pre_tool", tool: "bash" }, "pass", true],
  [{ id: "vibe", event: "pre_tool", tool: "bash" }, "deny", false],
  [{ id: "vibe", event: "post_tool", tool: "bash" }, "deny", true],
  [{ id: "vibe", event: "post_agent" }, "retry", true],
  [{ id: "bob", event: "PreToolUse" }, "deny", false],
])("a notice is shown to the person where the host does: %j with %s", (asked, effect, shown) => {
  const judgement = heard(asked, { ...refusal, effect, notice: "A rule fired." });
  expect(judgement.breaches).toEqual([]);
  expect(judgement.effect).toBe(effect);
  expect(judgement.notice).toBe(shown ? "A rule fired." : undefined);
});

const secret = "AKIAIOSFODNN7EXAMPLE";
const afterTools: readonly Asked[] = [
  ...["Bash", "PowerShell", "Read", "Grep", "Glob", "WebFetch", "WebSearch", "Agent", "mcp__github__get_file"].map((tool) => ({ id: "claude", event: "PostToolUse", tool, fields: { output: `key ${secret}\nend` } })),
  ...["bash", "read_file", "mcp_github.get_file"].map((tool) => ({ id: "vibe", event: "post_tool", tool, fields: { output: `key ${secret}\nend` } })),
];

/** The response with the secret taken out at the places the codec gives. */
function redacted(asked: Asked, payload: Json): Json {
  const { response, places } = hostNamed(asked.id).wire.decode(asked.event, payload, "linux");
  const values = (places?.["output"] ?? []).map(({ path }) => ({ path, value: String(valueAt(response, path)).replaceAll(secret, "[redacted]") }));
  return withValues(response ?? null, values);
}

test.each(afterTools)("an output of $tool is redacted in the tool's own shape on $id", (asked) => {
  const payload = payloadOf(asked);
  const response = redacted(asked, payload);
  const judgement = heard(asked, { ...nothing, response }, payload);
  expect(judgement.breaches).toEqual([]);
  expect(judgement.effect).toBe("deny");
  expect(JSON.stringify(judgement.output)).toContain("key [redacted]");
  expect(JSON.stringify(judgement.output)).not.toContain(secret);
});

test.each(afterTools)("an output of $tool is withheld on $id, by a refusal and by a text of the policy's own", (asked) => {
  for (const [decision, text] of [[refusal, refusal.message], [{ ...nothing, output: "[withheld]\n\u001b[2J" }, "[withheld]\n\u001b[2J"]] as const) {
    const judgement = heard(asked, decision);
    expect(judgement).toMatchObject({ effect: "deny", breaches: [] });
    expect(JSON.stringify(judgement.output)).toContain(JSON.stringify(text).slice(1, -1));
    expect(JSON.stringify(judgement)).not.toContain(secret);
  }
});

test("every recorded result of Claude Code is taken back with its texts changed, whatever the tool", () => {
  const results = fixtures.filter(({ host, event, name }) => host.id === "claude" && event === "PostToolUse" && !/\/bad\./.test(name));
  expect(results.length).toBeGreaterThan(10);
  for (const { host, event, stdin } of results) {
    const payload = parsePayload(stdin);
    const { response = null, places = {} } = host.wire.decode(event, payload, "linux");
    const changed = withValues(response, (places["output"] ?? []).map(({ path }) => ({ path, value: "[redacted]" })));
    const judgement = host.contract.judgeAnswer(event, host.wire.encode(event, { ...nothing, response: changed }, host.wire.decode(event, payload, "linux")), payload);
    expect(judgement.breaches).toEqual([]);
  }
});

test("every recorded result of Vibe is replaced by a text, failed calls included", () => {
  const results = fixtures.filter(({ host, event, name }) => host.id === "vibe" && event === "post_tool" && !/\/bad\./.test(name));
  expect(results.length).toBeGreaterThan(10);
  for (const { host, event, stdin } of results) {
    const payload = parsePayload(stdin);
    const call = host.wire.decode(event, payload, "linux");
    expect(call.places?.["output"]).toEqual([{ in: "response", path: [] }]);
    expect(host.contract.judgeAnswer(event, host.wire.encode(event, { ...nothing, response: "[redacted]" }, call), payload)).toEqual({ effect: "deny", reason: "[redacted]", output: "[redacted]", breaches: [] });
  }
});

test("a result in another shape is heard as what it is: ignored", () => {
  const { contract } = hostNamed("claude");
  const payload = payloadOf({ id: "claude", event: "PostToolUse", tool: "Bash", fields: { output: secret } });
  const say = (updatedToolOutput: Json, from: Json = payload) => contract.judgeAnswer("PostToolUse", { exitCode: 0, stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } }), stderr: "" }, from);
  expect(say("[redacted]")).toMatchObject({ effect: "pass", breaches: [expect.any(String)] });
  expect(say({ stdout: "[redacted]", stderr: "", interrupted: false }).breaches).toEqual([]);
  const task = { ...payload, tool_name: "TaskCreate", tool_input: {}, tool_response: { task: { id: "1", subject: "Review" } } };
  expect(say({ task: { id: "1", subject: "[redacted]" } }, task)).toMatchObject({ effect: "deny", breaches: [] });
  expect(say({ stdout: "" }, task)).toMatchObject({ effect: "pass", breaches: [expect.any(String)] });
});

test("words that name things in a result stay, and so do the bytes of a picture", () => {
  const at = (tool: string, response: Json) => hostNamed("claude").wire.decode("PostToolUse", { ...payloadOf({ id: "claude", event: "PostToolUse", tool }), tool_response: response }, "linux");
  expect(at("TaskList", { tasks: [{ id: "1", subject: "Review", status: "pending" }] }).places?.["output"]).toEqual([{ in: "response", path: ["tasks", 0, "subject"] }]);
  const blocks = at("mcp__github__get", [{ type: "text", text: "a" }, { type: "image", source: { data: "aGk=" } }, { type: "text", text: "b" }]);
  expect(blocks.places?.["output"]).toEqual([{ in: "response", path: [0, "text"] }, { in: "response", path: [2, "text"] }]);
  expect(blocks.fields["output"]).toBe("a\nb");
  expect(at("mcp__github__get", "plain").places?.["output"]).toEqual([{ in: "response", path: [] }]);
  expect(at("Read", { type: "image", file: { base64: "aGk=", type: "image/png", originalSize: 2 } }).places).toEqual({});
});

test("a redaction of a large output on Claude Code takes away the way to the file that holds it unredacted", () => {
  const payload = payloadOf({ id: "claude", event: "PostToolUse", tool: "Bash", fields: { output: secret } });
  const large = { ...payload, tool_response: { ...(payload["tool_response"] as JsonObject), persistedOutputPath: "/home/ada/.claude/x.txt", persistedOutputSize: 97893 } };
  const response = redacted({ id: "claude", event: "PostToolUse" }, large);
  const { output } = heard({ id: "claude", event: "PostToolUse" }, { ...nothing, response }, large);
  expect(JSON.stringify(output)).not.toMatch(/persisted|x\.txt/);
  expect((output as JsonObject)["stdout"]).toMatch(/^\[redacted\]\n\[policyc: the rest/);
  expect(JSON.stringify(heard({ id: "claude", event: "PostToolUse" }, refusal, large).output)).not.toMatch(/persisted|x\.txt/);
});

test("a failed call on Claude Code keeps its text, and a refusal is told beside it without exit 2", () => {
  const asked: Asked = { id: "claude", event: "PostToolUseFailure", tool: "Bash", fields: { error: `Exit code 1\n${secret}` } };
  const { wire } = hostNamed("claude");
  const call = wire.decode(asked.event, payloadOf(asked), "linux");
  expect(call.fields).toMatchObject({ output: `Exit code 1\n${secret}`, error: `Exit code 1\n${secret}`, status: "failure" });
  expect(call.places).toEqual({});
  expect(wire.encode(asked.event, refusal, call)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(heard(asked, refusal)).toMatchObject({ effect: "deny", reason: refusal.message, breaches: [] });
});

test("a refusal after a tool that could not be read is told, on every host that can", () => {
  expect(hostNamed("claude").contract.judgeAnswer("PostToolUse", hostNamed("claude").wire.encode("PostToolUse", refusal))).toMatchObject({ effect: "deny", reason: refusal.message, breaches: [] });
  expect(hostNamed("vibe").contract.judgeAnswer("post_tool", hostNamed("vibe").wire.encode("post_tool", refusal))).toMatchObject({ effect: "deny", output: refusal.message, breaches: [] });
});

test("redacted output stays below what Vibe reads, whatever it is made of, so that the unredacted one is never left", () => {
  const cap = hostNamed("vibe").facts.outputCap ?? 0;
  const piece = fc.constantFrom("x", "\n", '"', "\\", "é", "\u{1f512}", "\ud83d", "\u0001", "key [redacted]");
  fc.assert(
    fc.property(piece, fc.integer({ min: 1, max: 1_200_000 }), fc.string({ maxLength: 60_000 }), fc.string({ maxLength: 200 }), (unit, count, context, notice) => {
      const text = unit.repeat(Math.ceil(count / unit.length));
      const { wire, contract } = hostNamed("vibe");
      const answer = wire.encode("post_tool", { ...nothing, response: text, context, notice });
      expect(Buffer.byteLength(answer.stdout)).toBeLessThanOrEqual(cap);
      const judgement = contract.judgeAnswer("post_tool", answer);
      expect(judgement).toMatchObject({ effect: "deny", breaches: [] });
      const kept = String(judgement.output).replace(/ \[\d+ characters left out\]$/, "");
      expect(text.replace(/\p{Surrogate}/gu, "\ufffd").startsWith(kept) || text.trim() === "").toBe(true);
      if (text.length <= 100_000 && text.trim() !== "") expect(kept).toBe(text.replace(/\p{Surrogate}/gu, "\ufffd"));
    }),
    { numRuns: 60 },
  );
});

test("hunks of a multi-edit each have a place, and spellings of one argument too", () => {
  const places = (id: string, event: string, tool: string, input: JsonObject) => {
    const payload = { ...payloadOf({ id, event, tool }), tool_input: input };
    return hostNamed(id).wire.decode(event, payload, "linux").places;
  };
  const at = (...path: (string | number)[]) => ({ in: "input", path });
  expect(places("claude", "PreToolUse", "MultiEdit", { file_path: "/a", edits: [{ old_string: "x", new_string: "y" }, { old_string: "v", new_string: "w" }] })).toEqual({
    input: [at()], path: [at("file_path")], old: [at("edits", 0, "old_string"), at("edits", 1, "old_string")], content: [at("edits", 0, "new_string"), at("edits", 1, "new_string")],
  });
  expect(places("vibe", "pre_tool", "file_system.search_replace", { file_path: "a", path: "a", content: [{ old_str: "x", new_str: "y" }, { old_str: "v", new_str: "w" }] })).toEqual({
    input: [at()], path: [at("file_path"), at("path")], old: [at("content", 0, "old_str"), at("content", 1, "old_str")], content: [at("content", 0, "new_str"), at("content", 1, "new_str")],
  });
  expect(places("vibe", "pre_tool", "process.write", { processId: "p", bytesBase64: "bHM=" })).toEqual({ input: [at()] });
  expect(places("claude", "PreToolUse", "mcp__github__get", { query: "x" })).toEqual({ input: [at()] });
});

test("every text field of a class stands where its place says, on every host that takes changed arguments", () => {
  const fields = { command: "npm test", path: "/home/ada/shop/a.ts", content: "b", old: "a", url: "https://example.com/", query: "main", agent: "reviewer", task: "Read it." };
  const without: Readonly<Record<string, readonly string[]>> = { PreToolUse: ["domain"], pre_tool: ["domain"] };
  for (const host of hosts.filter(({ facts }) => facts.supports("replace", "before-tool"))) {
    const event = host.facts.events["before-tool"]?.[0] ?? "";
    for (const tool of Object.values(host.facts.tools).flat()) {
      const payload = host.player.compose(event, tool, fields, { cwd: "/home/ada/shop" });
      const call = host.wire.decode(event, payload, tool === "PowerShell" ? "windows" : "linux");
      const texts = Object.keys(fields).filter((name) => call.fields[name] === (fields as Readonly<Record<string, string>>)[name] && !(without[event] ?? []).includes(name));
      expect(texts.length).toBeGreaterThan(0);
      for (const name of texts) {
        const [place] = call.places?.[name] ?? [];
        expect([tool, name, place && valueAt(call.input, place.path)]).toEqual([tool, name, (fields as Readonly<Record<string, string>>)[name]]);
      }
    }
  }
});

test("what a codec says of a stop is who stops and whether a hook has sent it back before", () => {
  const stop = (fields: Asked["fields"] = {}) => {
    const { wire } = hostNamed("claude");
    return wire.decode("Stop", payloadOf({ id: "claude", event: "Stop", fields }), "linux");
  };
  expect(stop({ message: "Done." })).toMatchObject({ event: "stop", sentBack: false, fields: { agent: "main", message: "Done." } });
  expect(stop({ "input.stop_hook_active": "true" }).sentBack).toBe(true);
  expect(hostNamed("vibe").wire.decode("post_agent", payloadOf({ id: "vibe", event: "post_agent" }), "linux").sentBack).toBeUndefined();
});

/** Every event of every host with every decision: no codec breaks its host's contract, whatever a plan asks of it. */
const everything = hosts.flatMap((host) => host.facts.eventNames.map((event) => ({ host, id: host.id, event })));

test.each(everything)("no decision breaks the contract at $id $event", ({ host, event }) => {
  const payload = host.player.compose(event, undefined, { command: "ls", output: "x" }, { cwd: "/home/ada/shop" });
  const call = host.wire.decode(event, payload, "linux");
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("", "{", "}", "\ud83d", "x".repeat(30_000)));
  const decisions = fc.record<Decision>(
    {
      effect: fc.constantFrom<Decision["effect"]>("deny", "ask", "allow", "pass", ...(call.event === "stop" ? (["retry"] as const) : [])),
      message: text,
      personMessage: text,
      reasons: fc.constant([]),
      context: text,
      notice: text,
      output: text,
      input: fc.constant(call.input),
      ...(call.response !== undefined && { response: fc.constant(call.response) }),
    },
    { requiredKeys: ["effect", "message", "personMessage", "reasons"] },
  );
  fc.assert(
    fc.property(decisions, (decision) => {
      const answer = host.wire.encode(event, decision, call);
      const { breaches, effect } = host.contract.judgeAnswer(event, answer, payload);
      expect(breaches.filter((breach) => !/^exit 2 cannot stop/.test(breach))).toEqual([]);
      if (decision.effect === "deny" && stops(host, event, call.event)) expect(["deny", "retry"]).toContain(effect);
      if (decision.effect === "pass" && decision.input === undefined && decision.output === undefined && decision.response === undefined) expect(effect).toBe("pass");
      expect([0, 2]).toContain(answer.exitCode);
    }),
    { numRuns: 40 },
  );
});

function stops(host: Host, event: string, kind: Parameters<Host["facts"]["supports"]>[1]): boolean {
  return kind === "stop" ? host.facts.supports("retry", kind) : host.facts.supports("deny", kind, event);
}
