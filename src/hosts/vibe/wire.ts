/**
 * Mistral Vibe's codec, for every payload since 2.15: a hook payload goes in and becomes a call.
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { FieldValue, Json, JsonObject, McpName, Platform, ToolCall, Wire } from "../../guard/call.ts";
import { mcpNameOf } from "../../guard/mcp-name.ts";
import { copyNumber, copyText, expectFolder, expectObject, expectText, isObject, optionalText, own, refusePrototypeKeys } from "../../guard/payload.ts";
import { findPlaces } from "../../guard/places.ts";
import { applyMeaning, inBothShells } from "../../guard/portable.ts";
import type { KnownTool } from "../../guard/portable.ts";
import { readShape } from "../../guard/shape.ts";
import { encode } from "./answer.ts";
import { knownTools, otherTools, ownGroups, scratchpad } from "./arguments.ts";
import { events } from "./events.ts";
import type { EventFact } from "./events.ts";

export const wire: Wire = { host: "vibe", decode, withInput, encode };

function decode(event: string, payload: Json, platform: Platform): ToolCall {
  const fact = events.get(event);
  if (fact === undefined) throw new MalformedPayload("the guard was started for an event that Vibe does not have");
  const body = expectObject(payload, "the payload");
  refusePrototypeKeys(body);
  if (events.get(expectText(body, "hook_event_name")) !== fact) throw new MalformedPayload("the payload is of another event than the guard was started for");
  const cwd = expectFolder(body, "cwd", platform);
  const fields: Record<string, FieldValue> = Object.create(null) as Record<string, FieldValue>;
  Object.assign(fields, { host: "vibe", event: fact.name, cwd, platform, subagent: optionalText(body, "parent_session_id") !== undefined });
  optionalText(body, "transcript_path");
  copyText(body, "session_id", fields, "session");
  if (fact.kind !== "stop") return decodeTool(fact, body, cwd, platform, fields);
  readAgentName(body, fields);
  return { event: fact.kind, hostEvent: fact.name, cwd, tool: "", toolClass: undefined, fields, input: body, subject: { commands: [], paths: [] } };
}

/** See `Wire.withInput`. */
function withInput(payload: Json, input: JsonObject): Json {
  return { ...expectObject(payload, "the payload"), tool_input: input };
}

function decodeTool(fact: EventFact, body: JsonObject, cwd: string, platform: Platform, fields: Record<string, FieldValue>): ToolCall {
  const tool = expectText(body, "tool_name");
  const input = expectObject(own(body, "tool_input"), "`tool_input`");
  refusePrototypeKeys(input);
  fields["tool"] = tool;
  const known = knownTool(tool);
  const mcp = known === undefined ? mcpName(tool) : undefined;
  if (mcp !== undefined) fields["server"] = mcp.server;
  const subject =
    tool === scratchpad ? { commands: [], paths: [] } : known === undefined ? readShape(mcp?.tool ?? tool, input) : applyMeaning(known.toolClass, known.read(input), cwd, fields);
  const outcome = fact.kind === "after-tool" ? readOutcome(body, fields) : { places: { input: [{ in: "input" as const, path: [] }], ...findPlaces("input", input, known?.places ?? {}) } };
  const toolClass = known?.toolClass ?? (mcp === undefined ? undefined : "mcp");
  const call = { event: fact.kind, hostEvent: fact.name, cwd, tool, toolClass, ...(mcp === undefined ? {} : { mcp }), fields, input, ...outcome };
  // One tool for both shells of Windows since the Unified runtime: Git Bash where there is one, else PowerShell.
  const anyShell = platform === "windows" && toolClass === "bash" && tool.includes(".");
  return anyShell ? { ...call, alsoClass: "powershell", subject: inBothShells(subject) } : { ...call, subject };
}

/**
 * A built-in tool by its full name (`file_system.bash`) or, on the old runtime, its bare one. The part after the dot
 * decides, except where it is a server's or means something else: `skill.read` reads no file.
 */
function knownTool(tool: string): KnownTool | undefined {
  const dot = tool.indexOf(".");
  if (dot < 0) return knownTools.get(tool);
  const group = tool.slice(0, dot);
  const leaf = tool.slice(dot + 1);
  if (group === "connector_web_search" && (leaf === "web_search" || leaf === "open_url")) return knownTools.get(leaf);
  if (group === "skill" || /^(?:mcp|connector|plugin)_/.test(group)) return undefined;
  if (group === "process") return knownTools.get(`process_${leaf}`);
  if (leaf === "spawn") return knownTools.get("agents_spawn");
  return knownTools.get(leaf);
}

/**
 * `mcp_server.tool`, and other groups of tools from outside by the group's name; on the old runtime `server_tool`, which
 * any underscore may part.
 */
function mcpName(tool: string): McpName | undefined {
  const dot = tool.indexOf(".");
  const rest = tool.startsWith("mcp_") ? tool.slice("mcp_".length) : tool;
  if (dot >= 0) {
    const group = tool.slice(0, dot);
    return ownGroups.has(group) ? undefined : { server: rest.slice(0, rest.indexOf(".")), tool: tool.slice(dot + 1), ambiguous: false };
  }
  return otherTools.has(tool) || rest.indexOf("_", 1) < 0 ? undefined : mcpNameOf(rest, "_");
}

/** The text the model is about to read is the response, and a failure's error is the same text. */
function readOutcome(body: JsonObject, fields: Record<string, FieldValue>): Pick<ToolCall, "response" | "places"> {
  const response = expectText(body, "tool_output_text");
  const whole = [{ in: "response" as const, path: [] }];
  fields["status"] = expectText(body, "tool_status");
  fields["output"] = response;
  copyText(body, "tool_error", fields, "error");
  copyNumber(body, "duration_ms", fields, "duration");
  const output = own(body, "tool_output");
  const exit = isObject(output) ? (own(output, "returncode") ?? own(output, "exit_code")) : undefined;
  if (typeof exit === "number") fields["exit"] = exit;
  return { response, places: { output: whole, ...(fields["error"] === response && { error: whole }) } };
}

/** The agent's name is new in the plugin docs of 2026-10; before, only a main agent was reported. */
function readAgentName(body: JsonObject, fields: Record<string, FieldValue>): void {
  copyText(body, "agent_name", fields, "agent");
  if (fields["agent"] === undefined && fields["subagent"] === false) fields["agent"] = "main";
}
