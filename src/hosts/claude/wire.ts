/**
 * Claude Code's codec: a hook payload goes in and becomes a call. Source: client 2.1.332, 2026-11-25.
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { FieldValue, Json, JsonObject, McpName, Platform, Subject, ToolCall, Wire } from "../../guard/call.ts";
import { mcpNameOf, mcpReadings } from "../../guard/mcp-name.ts";
import { copyNumber, copyText, expectFolder, expectObject, expectText, optionalText, own, refusePrototypeKeys } from "../../guard/payload.ts";
import { findPlaces } from "../../guard/places.ts";
import type { Places } from "../../guard/places.ts";
import { applyMeaning } from "../../guard/portable.ts";
import { readShape } from "../../guard/shape.ts";
import type { EventKind, ToolClass } from "../../guard/vocabulary.ts";
import { encode } from "./answer.ts";
import { knownTools, noShellText } from "./arguments.ts";
import { eventFact } from "./events.ts";
import { outputPlaces, outputText } from "./results.ts";

export const wire: Wire = { host: "claude", decode, withInput, encode };

function decode(event: string, payload: Json, platform: Platform): ToolCall {
  const fact = eventFact(event);
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
