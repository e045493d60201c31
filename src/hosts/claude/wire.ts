/**
 * Claude Code's codec: a hook payload goes in and becomes a call, a decision goes in and becomes stdout, stderr and exit
 * code. Source: client 2.1.332, 2026-11-25. A refusal is said twice, as JSON and as exit 2, because either alone fails
 * open somewhere: rejected JSON lets the call run, and a bare exit 2 shows the model a command line.
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { Answer, Decision, FieldValue, Json, JsonObject, McpName, Platform, Subject, ToolCall, Wire } from "../../guard/call.ts";
import { mcpNameOf, mcpReadings } from "../../guard/mcp-name.ts";
import { copyNumber, copyText, expectFolder, expectObject, expectText, isObject, optionalText, own, refusePrototypeKeys } from "../../guard/payload.ts";
import { applyMeaning } from "../../guard/portable.ts";
import { reasonText } from "../../guard/reason-text.ts";
import { readShape } from "../../guard/shape.ts";
import type { EventKind, ToolClass } from "../../guard/vocabulary.ts";
import { knownTools, noShellText } from "./arguments.ts";

/** How a refusal is put in JSON, by event; where none is known exit 2 and stderr alone say it. */
type Refusal = "permission" | "request" | "block" | "replace" | "exit";

interface EventFact {
  readonly kind: EventKind;
  readonly refusal: Refusal;
}

/** All 34 names of `HOOK_EVENTS` in the Agent SDK 0.3.332. */
const events: ReadonlyMap<string, EventFact> = new Map<string, EventFact>([
  ["PreToolUse", { kind: "before-tool", refusal: "permission" }],
  // Inline shell of a skill (2.1.332); it passes no other gate.
  ["PreSkillShellCommand", { kind: "before-tool", refusal: "permission" }],
  ["PostToolUse", { kind: "after-tool", refusal: "replace" }],
  ["PostToolUseFailure", { kind: "after-tool", refusal: "replace" }],
  ["UserPromptSubmit", { kind: "prompt", refusal: "block" }],
  ["SessionStart", { kind: "session-start", refusal: "exit" }],
  ["Stop", { kind: "stop", refusal: "block" }],
  ["SubagentStop", { kind: "stop", refusal: "block" }],
  ["PreCompact", { kind: "before-compact", refusal: "block" }],
  ["PostCompact", { kind: "after-compact", refusal: "exit" }],
  ...["PermissionRequest"].map((name) => [name, { kind: "host-event", refusal: "request" }] as const),
  ...["PreModelSwitch"].map((name) => [name, { kind: "host-event", refusal: "permission" }] as const),
  ...["UserPromptExpansion", "ConfigChange", "PostToolBatch"].map((name) => [name, { kind: "host-event", refusal: "block" }] as const),
  ...[
    "PermissionDenied", "Setup", "SessionEnd", "SubagentStart", "StopFailure", "PostModelSwitch", "TaskCreated", "TaskCompleted", "TeammateIdle", "InstructionsLoaded", "CwdChanged",
    "FileChanged", "DirectoryAdded", "Notification", "Elicitation", "ElicitationResult", "WorktreeCreate", "WorktreeRemove", "MessageDisplay",
  ].map((name) => [name, { kind: "host-event", refusal: "exit" }] as const),
]);

/** Reasons are not under the client's 10,000 character cap; beyond 2 kB they only cost the model context. */
const mostReason = 4000;

export const wire: Wire = { host: "claude", decode, encode };

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
  return { event: fact.kind, hostEvent: event, cwd, tool, toolClass: undefined, fields, input: body, subject: { commands: [], paths: [] } };
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
  if (kind === "after-tool") readOutcome(event, body, fields);
  return { event: kind, hostEvent: event, cwd, tool, toolClass, ...(mcp === undefined ? {} : { mcp }), fields, input, subject };
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

function readOutcome(event: string, body: JsonObject, fields: Record<string, FieldValue>): void {
  const failed = event === "PostToolUseFailure";
  fields["status"] = failed ? "failure" : "success";
  if (failed) fields["output"] = fields["error"] = expectText(body, "error");
  else fields["output"] = outputText(own(body, "tool_response"));
  copyNumber(body, "duration_ms", fields, "duration");
}

/** The text the model will see, for the result shapes that are known; the whole result as JSON for the others. */
function outputText(response: Json | undefined): string {
  if (response === undefined) throw new MalformedPayload("`tool_response` is missing");
  if (typeof response === "string") return response;
  if (Array.isArray(response)) return (response as readonly Json[]).map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : JSON.stringify(part))).join("\n");
  if (isObject(response)) {
    const { stdout, stderr, file, content } = response;
    if (typeof stdout === "string") return typeof stderr === "string" && stderr !== "" ? `${stdout}\n${stderr}` : stdout;
    if (isObject(file) && typeof file["content"] === "string") return file["content"];
    if (typeof content === "string") return content;
  }
  return JSON.stringify(response);
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

function encode(event: string, decision: Decision): Answer {
  const refusal = events.get(event)?.refusal;
  const effect = decision.effect;
  if (effect === "pass") return silent;
  if (effect === "allow") return refusal === "permission" ? answer(0, permission(event, "allow", decision.personMessage)) : silent;
  if (effect === "ask" && refusal === "permission") return answer(0, permission(event, "ask", decision.personMessage));
  // Fail closed: where nobody can be asked, asking is refusing.
  const reason = reasonText(decision.message, mostReason);
  switch (refusal) {
    case "permission":
      return answer(2, permission(event, "deny", decision.message), reason);
    case "request":
      return answer(2, { hookSpecificOutput: { hookEventName: event, decision: { behavior: "deny", message: reason } } }, reason);
    case "block":
      return answer(2, { decision: "block", reason }, reason);
    case "replace":
      // The call has happened: exit 2 would only add a second text.
      return answer(0, { decision: "block", reason });
    case "exit":
    case undefined:
      return { exitCode: 2, stdout: "", stderr: `${reason}\n` };
    default:
      return refusal satisfies never;
  }
}

const silent: Answer = { exitCode: 0, stdout: "", stderr: "" };

function permission(event: string, decision: "allow" | "ask" | "deny", reason: string): object {
  return { hookSpecificOutput: { hookEventName: event, permissionDecision: decision, permissionDecisionReason: reasonText(reason, mostReason) } };
}

function answer(exitCode: 0 | 2, output: object, reason?: string): Answer {
  return { exitCode, stdout: `${JSON.stringify(output)}\n`, stderr: reason === undefined ? "" : `${reason}\n` };
}
