/**
 * Bob Shell's codec, for the payloads of 2.0.2 and the older documented spelling: a hook payload goes in and becomes a
 * call.
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { FieldValue, Json, JsonObject, McpName, Platform, Subject, ToolCall, Wire } from "../../guard/call.ts";
import { mcpNameOf } from "../../guard/mcp-name.ts";
import { anySpelling, copyText, expectFolder, expectObject, expectText, own, refusePrototypeKeys } from "../../guard/payload.ts";
import { applyMeaning, inBothShells } from "../../guard/portable.ts";
import { readShape } from "../../guard/shape.ts";
import type { EventKind, ToolClass } from "../../guard/vocabulary.ts";
import { encode } from "./answer.ts";
import { knownTools, readRelayed } from "./arguments.ts";
import { events } from "./events.ts";

export const wire: Wire = { host: "bob", decode, encode };

function decode(event: string, payload: Json, platform: Platform): ToolCall {
  const fact = events.get(event);
  if (fact === undefined) throw new MalformedPayload("the guard was started for an event that Bob does not have");
  const body = expectObject(payload, "the payload");
  refusePrototypeKeys(body);
  if (expectText(body, "hook_event_name", "event") !== event) throw new MalformedPayload("the payload is of another event than the guard was started for");
  // Only the older documented spelling goes without the folder.
  const old = own(body, "hook_event_name") === undefined && own(body, "cwd") === undefined;
  const cwd = old ? "" : expectFolder(body, "cwd", platform);
  const fields: Record<string, FieldValue> = Object.create(null) as Record<string, FieldValue>;
  Object.assign(fields, { host: "bob", event, platform, ...(old ? {} : { cwd }) });
  copyText(body, "session_id", fields, "session");
  if (fact.kind === "before-tool" || fact.kind === "after-tool") return decodeTool(event, fact.kind, body, cwd, platform, fields);
  readMoment(fact.kind, body, fields);
  return { event: fact.kind, hostEvent: event, cwd, tool: "", toolClass: undefined, fields, input: body, subject: { commands: [], paths: [] } };
}

function decodeTool(event: string, kind: EventKind, body: JsonObject, cwd: string, platform: Platform, fields: Record<string, FieldValue>): ToolCall {
  const tool = expectText(body, "tool_name", "tool");
  const sent = expectObject(anySpelling(body, ["tool_input", "input"]), "`tool_input`");
  refusePrototypeKeys(sent);
  const relayed = readRelayed(tool, sent);
  const called = relayed?.input ?? sent;
  if (relayed !== undefined) refusePrototypeKeys(called);
  // `input.NAME` means the called tool's arguments before Bob's own.
  const input = relayed === undefined ? sent : { ...sent, ...called };
  const mcp: McpName | undefined =
    relayed === undefined ? (tool.startsWith("mcp__") ? mcpNameOf(tool.slice("mcp__".length), "__") : undefined) : { server: relayed.server, tool: relayed.tool, ambiguous: false };
  const { toolClass, subject } = mcp === undefined ? readBuiltIn(tool, input, cwd, fields) : { toolClass: "mcp" as const, subject: readShape(mcp.tool, called) };
  fields["tool"] = tool;
  if (mcp !== undefined) fields["server"] = mcp.server;
  const response = kind === "after-tool" ? expectText(body, "tool_response", "output") : undefined;
  if (response !== undefined) fields["output"] = response;
  // The text was PowerShell in all that was seen of Bob on Windows.
  const windowsShell = platform === "windows" && toolClass === "bash" && tool !== "run_shell_command";
  return {
    event: kind, hostEvent: event, cwd, tool, toolClass, ...(mcp === undefined ? {} : { mcp }), fields, input, ...(response !== undefined && { response }),
    ...(windowsShell ? { alsoClass: "powershell" as const, subject: inBothShells(subject) } : { subject }),
  };
}

/** By name, and by shape where the name is new: `command` is a shell, `path` with `content` writes a file. */
function readBuiltIn(tool: string, input: JsonObject, cwd: string, fields: Record<string, FieldValue>): { readonly toolClass: ToolClass | undefined; readonly subject: Subject } {
  const known = knownTools.get(tool);
  if (known !== undefined) return { toolClass: known.toolClass, subject: applyMeaning(known.toolClass, known.read(input), cwd, fields) };
  const subject = readShape(tool, input);
  const [command, path, content] = ["command", "path", "content"].map((key) => own(input, key));
  if (typeof command === "string") {
    fields["command"] = command;
    return { toolClass: "bash", subject };
  }
  if (typeof path === "string" && typeof content === "string") {
    fields["path"] = path;
    fields["content"] = content;
    return { toolClass: "write", subject };
  }
  return { toolClass: undefined, subject };
}

function readMoment(kind: EventKind, body: JsonObject, fields: Record<string, FieldValue>): void {
  if (kind === "prompt") fields["prompt"] = expectText(body, "prompt");
  if (kind === "session-start") fields["source"] = expectText(body, "source");
  if (kind === "before-compact" || kind === "after-compact") fields["trigger"] = expectText(body, "trigger");
  if (kind === "before-compact") copyText(body, "custom_instructions", fields, "instructions");
  if (kind === "after-compact") copyText(body, "compact_summary", fields, "summary");
  if (kind === "stop") {
    copyText(body, "last_assistant_message", fields, "message");
    // No event of Bob's tells of a subagent's end.
    fields["agent"] = "main";
  }
}
