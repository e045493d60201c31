/**
 * Claude Code's codec: a hook payload goes in and becomes a call, a decision goes in and becomes stdout, stderr and exit
 * code. Source: client 2.1.332, 2026-11-25. A refusal is said twice, as JSON and as exit 2, because either alone fails
 * open somewhere: rejected JSON lets the call run, and a bare exit 2 shows the model a command line.
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { Answer, Decision, FieldValue, Json, JsonObject, McpName, Platform, Subject, ToolCall, Wire } from "../../guard/call.ts";
import { mcpNameOf, mcpReadings } from "../../guard/mcp-name.ts";
import { copyNumber, copyText, expectFolder, expectObject, expectText, optionalText, own, refusePrototypeKeys } from "../../guard/payload.ts";
import { findPlaces } from "../../guard/places.ts";
import type { Places } from "../../guard/places.ts";
import { applyMeaning } from "../../guard/portable.ts";
import { contextText, plainText, reasonText, wellFormed } from "../../guard/reason-text.ts";
import { readShape } from "../../guard/shape.ts";
import type { EventKind, ToolClass } from "../../guard/vocabulary.ts";
import { knownTools, noShellText } from "./arguments.ts";
import { events } from "./events.ts";
import type { EventFact } from "./events.ts";
import { outputPlaces, outputText, resultWith, withoutStored } from "./results.ts";

/** Reasons are not under the client's 10,000 character cap; beyond 2 kB they only cost the model context. */
const mostReason = 4000;
/** One character more and the model gets a preview of 2,000 (measured). */
const mostContext = 10_000;
const mostNotice = 4000;

export const wire: Wire = { host: "claude", decode, withInput, encode };

function decode(event: string, payload: Json, platform: Platform): ToolCall {
  const fact = events.get(event);
  if (fact === undefined) throw new MalformedPayload("the guard was started for an event that Claude Code does not have");
  const body = expectObject(payload, "the payload");
  refusePrototypeKeys(body);
  if (expectText(body, "hook_event_name") !== event) throw new MalformedPayload("the payload is of another event than the guard was started for");
  const cwd = expectFolder(body, "cwd", platform);
  const fields: Record<string, FieldValue> = Object.create(null) as Record<string, FieldValue>;
  Object.assign(fields, { host: "claude", event, cwd, platform, subagent: optionalText(body, "agent_id") !== undefined });
  optionalText(body, "transcript_path");
  copyText(body, "session_id", fields, "session");
  copyText(body, "permission_mode", fields, "mode");
  if (fact.kind === "before-tool" || fact.kind === "after-tool") return decodeTool(event, fact.kind, body, cwd, fields);
  readMoment(event, fact.kind, body, fields);
  // A permission request and its like name a tool; the rest of such a payload is looked at as `input.NAME`.
  const tool = optionalText(body, "tool_name") ?? "";
  if (tool !== "") fields["tool"] = tool;
  const sentBack = fact.kind === "stop" ? own(body, "stop_hook_active") : undefined;
  // Subagents of one type run side by side.
  const agentId = fact.kind === "stop" ? optionalText(body, "agent_id") : undefined;
  return { event: fact.kind, hostEvent: event, cwd, tool, toolClass: undefined, fields, input: body, ...(typeof sentBack === "boolean" && { sentBack }), ...(agentId !== undefined && { agentId }), subject: { commands: [], paths: [] } };
}

/** See `Wire.withInput`. */
function withInput(payload: Json, input: JsonObject): Json {
  return { ...expectObject(payload, "the payload"), tool_input: input };
}

function decodeTool(event: string, kind: EventKind, body: JsonObject, cwd: string, fields: Record<string, FieldValue>): ToolCall {
  const tool = expectText(body, "tool_name");
  const input = expectObject(own(body, "tool_input"), "`tool_input`");
  refusePrototypeKeys(input);
  fields["tool"] = tool;
  const mcp = mcpName(tool, own(body, "mcp_server"));
  const known = mcp === undefined ? knownTools.get(tool) : undefined;
  let toolClass: ToolClass | undefined = mcp === undefined ? undefined : "mcp";
  let subject: Subject;
  if (known !== undefined) {
    toolClass = known.toolClass;
    subject = applyMeaning(known.toolClass, known.read(input), cwd, fields);
  } else {
    const shape = readShape(mcp?.tool ?? tool, input);
    subject = noShellText.has(tool) ? { ...shape, commands: [] } : shape;
  }
  if (mcp !== undefined) fields["server"] = mcp.server;
  const call: ToolCall = { event: kind, hostEvent: event, cwd, tool, toolClass, ...(mcp === undefined ? {} : { mcp }), fields, input, subject };
  return kind === "after-tool" ? withOutcome(call, body, fields) : { ...call, places: { input: [{ in: "input", path: [] }], ...findPlaces("input", input, known?.places ?? {}) } };
}

/** What the other portable moments carry. */
function readMoment(event: string, kind: EventKind, body: JsonObject, fields: Record<string, FieldValue>): void {
  if (kind === "prompt") fields["prompt"] = expectText(body, "prompt");
  if (kind === "session-start") fields["source"] = expectText(body, "source");
  if (kind === "before-compact" || kind === "after-compact") fields["trigger"] = expectText(body, "trigger");
  if (kind === "before-compact") copyText(body, "custom_instructions", fields, "instructions");
  if (kind === "after-compact") copyText(body, "compact_summary", fields, "summary");
  if (kind === "stop") {
    copyText(body, "last_assistant_message", fields, "message");
    fields["agent"] = event === "Stop" ? "main" : expectText(body, "agent_type");
  }
}

/** What the tool answered. The text of a call that failed has no place: the client changes results only. */
function withOutcome(call: ToolCall, body: JsonObject, fields: Record<string, FieldValue>): ToolCall {
  copyNumber(body, "duration_ms", fields, "duration");
  if (call.hostEvent === "PostToolUseFailure") {
    fields["status"] = "failure";
    fields["output"] = fields["error"] = expectText(body, "error");
    return { ...call, places: {} };
  }
  const response = Object.hasOwn(body, "tool_response") ? body["tool_response"] : undefined;
  if (response === undefined) throw new MalformedPayload("`tool_response` is missing");
  const found = outputPlaces(call, response);
  fields["status"] = "success";
  fields["output"] = outputText(response, found);
  const places: Places = found.length > 0 ? { output: found } : {};
  return { ...call, response, places };
}

/** `mcp__server__tool`. Client 2.1.332 sends the server's real name beside it. */
function mcpName(tool: string, sent: Json | undefined): McpName | undefined {
  if (!tool.startsWith("mcp__")) return undefined;
  const rest = tool.slice("mcp__".length);
  if (sent === undefined) return mcpNameOf(rest, "__");
  const server = expectText(expectObject(sent, "`mcp_server`"), "name");
  const readings = mcpReadings(rest, "__");
  // The client writes every other character of a server's name as `_`.
  const spelled = server.replace(/[^A-Za-z0-9_-]/g, "_");
  const reading = readings.find((one) => one.server === spelled);
  if (reading === undefined) return { server, tool: readings[0]?.tool ?? rest, ambiguous: true, others: readings };
  return { server, tool: reading.tool, ambiguous: false, ...(spelled === server ? {} : { others: [reading] }) };
}

function encode(event: string, decision: Decision, call?: ToolCall): Answer {
  const fact = events.get(event);
  const effect = effectAt(event, fact, decision);
  const specific: Record<string, Json> = {};
  const top: Record<string, Json> = {};
  const notice = plainText(decision.notice ?? "", mostNotice);
  if (notice !== "") top["systemMessage"] = notice;
  const reason = decision.input !== undefined && event === "PreSkillShellCommand" && decision.effect !== "deny" ? unchangeable : reasonText(decision.message, mostReason);
  let refused = false;
  if (effect === "deny" || effect === "retry") refused = refuse(event, fact, reason, call, top, specific);
  else {
    if (effect !== "pass") Object.assign(specific, permission(effect, reasonText(decision.personMessage, mostReason)));
    if (decision.input !== undefined && event === "PreToolUse") specific["updatedInput"] = decision.input;
    if (fact?.refusal === "replace") change(event, decision, call, top, specific);
  }
  const context = fact?.context === true ? contextText(decision.context ?? "", mostContext) : "";
  if (context !== "") specific["additionalContext"] = context;
  const output = { ...top, ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: event, ...specific } }) };
  const stdout = Object.keys(output).length > 0 ? `${JSON.stringify(output)}\n` : "";
  return refused ? { exitCode: 2, stdout, stderr: `${reason}\n` } : { exitCode: 0, stdout, stderr: "" };
}

const unchangeable = "A rule rewrites this command, and Claude Code runs a skill's own command as it stands or not at all.";

/** What can be said there. Fail closed: where nobody can be asked, asking is refusing, and so is a rewrite that is never applied. */
function effectAt(event: string, fact: EventFact | undefined, { effect, input }: Decision): Decision["effect"] {
  const inline = event === "PreSkillShellCommand";
  if (inline && input !== undefined && effect !== "retry") return "deny";
  if (effect === "allow") return fact?.refusal === "permission" ? "allow" : "pass";
  if (effect === "ask") return fact?.refusal === "permission" && !inline ? "ask" : "deny";
  return effect;
}

/** Puts the refusal in JSON; true where exit 2 says it as well. */
function refuse(event: string, fact: EventFact | undefined, reason: string, call: ToolCall | undefined, top: Record<string, Json>, specific: Record<string, Json>): boolean {
  const how = fact?.refusal ?? "exit";
  switch (how) {
    case "permission":
      Object.assign(specific, permission("deny", reason));
      return true;
    case "request":
      specific["decision"] = { behavior: "deny", message: reason };
      return true;
    case "block":
      Object.assign(top, { decision: "block", reason });
      return true;
    case "replace":
      // The call has happened: exit 2 would only add a second text.
      replace(event, reason, call, top, specific);
      return false;
    case "exit":
      return true;
    default:
      return how satisfies never;
  }
}

/** What transforms made of an output. */
function change(event: string, { output, response }: Decision, call: ToolCall | undefined, top: Record<string, Json>, specific: Record<string, Json>): void {
  if (output !== undefined) replace(event, wellFormed(output), call, top, specific);
  else if (response !== undefined && event === "PostToolUse") specific["updatedToolOutput"] = withoutStored(response);
}

/** The text in the place of the output, or beside it where the client keeps the output whatever is answered. */
function replace(event: string, text: string, call: ToolCall | undefined, top: Record<string, Json>, specific: Record<string, Json>): void {
  const result = event === "PostToolUse" && call !== undefined ? resultWith(text, call) : undefined;
  if (result !== undefined) specific["updatedToolOutput"] = result;
  else Object.assign(top, { decision: "block", reason: reasonText(text, mostReason) });
}

function permission(decision: "allow" | "ask" | "deny", reason: string): JsonObject {
  return { permissionDecision: decision, permissionDecisionReason: reason };
}
