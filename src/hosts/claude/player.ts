/**
 * Plays Claude Code: portable fields go in, the payload the client would send comes out, with constants for the rest.
 * Shapes as recorded from client 2.1.332, 2026-11-25.
 */
import type { Json, JsonObject } from "../../guard/call.ts";
import type { Player } from "../host.ts";
import type { EventKind } from "../../guard/vocabulary.ts";
import { malformedTexts, played, playedFolder, playedIf, playedMcp, withInput } from "../play.ts";
import type { PlayedFields } from "../play.ts";
import { eventFact, eventNames } from "./events.ts";

export const player: Player = { eventOf, compose, malformed };

const session = "00000000-0000-4000-8000-000000000001";

function eventOf(event: EventKind, fields: PlayedFields): string | undefined {
  if (event === "host-event") return undefined;
  if (event === "after-tool" && (played(fields, "status") === "failure" || Object.hasOwn(fields, "error"))) return "PostToolUseFailure";
  if (event === "stop" && !["", "main"].includes(played(fields, "agent"))) return "SubagentStop";
  return eventNames().find((name) => eventFact(name)?.kind === event);
}

function compose(event: string, tool: string | undefined, fields: PlayedFields, place: { readonly cwd: string }): JsonObject {
  const cwd = playedFolder(fields, place);
  const inSubagent = played(fields, "subagent") === "true" || event === "SubagentStop";
  return {
    session_id: played(fields, "session", session),
    transcript_path: `/home/user/.claude/projects/project/${session}.jsonl`,
    cwd,
    permission_mode: played(fields, "mode", "default"),
    hook_event_name: event,
    ...(inSubagent ? { agent_id: "a0000000000000001", agent_type: played(fields, "agent", "general-purpose") } : {}),
    ...(toolEvents.has(event) ? composeCall(event, tool, fields) : composeMoment(event, fields, cwd)),
  };
}

const toolEvents: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "PreSkillShellCommand"]);

function composeCall(event: string, asked: string | undefined, fields: PlayedFields): JsonObject {
  const named = played(fields, "tool", asked ?? "");
  const mcp = named.startsWith("mcp__") ? spelledMcp(named, fields) : playedMcp(named, fields);
  const tool = mcp === undefined ? named || guessTool(fields) : mcpTool(mcp.server, mcp.tool);
  const input = withInput(Object.hasOwn(tools, tool) ? tools[tool]!(fields) : {}, fields);
  return {
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_000001",
    ...(mcp === undefined ? {} : { mcp_server: { name: mcp.server, source: "dynamic" } }),
    ...outcome(event, tool, fields),
  };
}

export function mcpTool(server: string, tool: string): string {
  return `mcp__${mcpPart(server)}__${mcpPart(tool)}`;
}

/** The client writes every other character of a name as `_`. */
export function mcpPart(name: string): string {
  return name.replace(/[^A-Za-z0-9_\n-]/g, "_");
}

/** A name in the client's own spelling: the server is what the example says, else what stands before the first `__`. */
function spelledMcp(name: string, fields: PlayedFields): { readonly server: string; readonly tool: string } {
  const rest = name.slice("mcp__".length);
  const server = played(fields, "server", rest.split("__")[0]);
  return { server, tool: rest.startsWith(`${server}__`) ? rest.slice(server.length + 2) : rest };
}

/** The tool an example means that only names fields. */
function guessTool(fields: PlayedFields): string {
  const signs = [["old", "Edit"], ["content", "Write"], ["path", "Read"], ["url", "WebFetch"], ["query", "Grep"], ["agent", "Agent"], ["task", "Agent"]] as const;
  return signs.find(([field]) => Object.hasOwn(fields, field))?.[1] ?? "Bash";
}

const shellInput = (fields: PlayedFields): JsonObject => ({ command: played(fields, "command"), description: "Run a command" });
const agentInput = (fields: PlayedFields): JsonObject => ({ description: "A task", prompt: played(fields, "task"), ...playedIf(fields, "agent", "subagent_type") });

const tools: Readonly<Record<string, (fields: PlayedFields) => JsonObject>> = {
  Bash: shellInput,
  PowerShell: shellInput,
  Monitor: (fields) => ({ description: "Watch", timeout_ms: 2000, ...playedIf(fields, "command", "command") }),
  Write: (fields) => ({ file_path: played(fields, "path"), content: played(fields, "content") }),
  Edit: (fields) => ({ file_path: played(fields, "path"), old_string: played(fields, "old"), new_string: played(fields, "content"), replace_all: false }),
  MultiEdit: (fields) => ({ file_path: played(fields, "path"), edits: [{ old_string: played(fields, "old"), new_string: played(fields, "content"), replace_all: false }] }),
  NotebookEdit: (fields) => ({ notebook_path: played(fields, "path"), cell_id: "c1", new_source: played(fields, "content") }),
  Read: (fields) => ({ file_path: played(fields, "path") }),
  Grep: (fields) => ({ pattern: played(fields, "query"), ...playedIf(fields, "path", "path"), output_mode: "content" }),
  Glob: (fields) => ({ pattern: played(fields, "query", "*"), ...playedIf(fields, "path", "path") }),
  WebFetch: (fields) => ({ url: played(fields, "url", Object.hasOwn(fields, "domain") ? `https://${played(fields, "domain")}/` : ""), prompt: "Summarise it" }),
  WebSearch: (fields) => ({ query: played(fields, "query") }),
  Agent: agentInput,
  Task: agentInput,
  Skill: () => ({ skill: "review" }),
};

function outcome(event: string, tool: string, fields: PlayedFields): JsonObject {
  const duration = Object.hasOwn(fields, "duration") ? Number(fields["duration"]) : 12;
  switch (event) {
    case "PostToolUse":
      return { tool_response: response(tool, fields), duration_ms: duration };
    case "PostToolUseFailure":
      return { error: played(fields, "error", played(fields, "output", "Exit code 1")), is_interrupt: false, duration_ms: duration };
    case "PermissionRequest":
      return { permission_suggestions: [] };
    case "PermissionDenied":
      return { reason: "Classifier unavailable" };
    case "PreSkillShellCommand":
      return { command_name: "review", command_source: "projectSettings", invoked_by: "claude" };
    default:
      return {};
  }
}

function response(tool: string, fields: PlayedFields): Json {
  const output = played(fields, "output");
  if (tool.startsWith("mcp__")) return [{ type: "text", text: output }];
  // What a tool without text of its own tells is an example's word against nothing.
  if (Object.hasOwn(responses, tool)) return responses[tool]!(output, fields);
  return Object.hasOwn(quietResponses, tool) && !Object.hasOwn(fields, "output") ? quietResponses[tool]!(fields) : output;
}

const shellResponse = (output: string): JsonObject => ({ stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false });
const agentResponse = (output: string, fields: PlayedFields): JsonObject => ({ status: "completed", prompt: played(fields, "task"), agentId: "a0000000000000001", agentType: "general-purpose", content: [{ type: "text", text: output }], totalDurationMs: 12, totalTokens: 29, totalToolUseCount: 1 });
const lineCount = (text: string): number => text.split("\n").length;

const responses: Readonly<Record<string, (output: string, fields: PlayedFields) => Json>> = {
  Bash: shellResponse,
  PowerShell: shellResponse,
  Read: (output, fields) => ({ type: "text", file: { filePath: played(fields, "path"), content: output, numLines: lineCount(output), startLine: 1, totalLines: lineCount(output) } }),
  Grep: (output) => ({ mode: "content", numFiles: 0, filenames: [], content: output, numLines: lineCount(output), totalLines: lineCount(output) }),
  Glob: (output) => ({ filenames: output === "" ? [] : output.split("\n"), durationMs: 12, numFiles: output === "" ? 0 : lineCount(output), truncated: false }),
  WebFetch: (output, fields) => ({ bytes: output.length, code: 200, codeText: "OK", result: output, durationMs: 12, url: played(fields, "url") }),
  WebSearch: (output, fields) => ({ query: played(fields, "query"), results: [output], durationSeconds: 1 }),
  Agent: agentResponse,
  Task: agentResponse,
};

/** Tools whose result names what they did. */
const quietResponses: Readonly<Record<string, (fields: PlayedFields) => Json>> = {
  Write: (fields) => ({ type: "create", filePath: played(fields, "path"), content: played(fields, "content"), structuredPatch: [], originalFile: null, userModified: false }),
  Edit: (fields) => ({ filePath: played(fields, "path"), oldString: played(fields, "old"), newString: played(fields, "content"), originalFile: played(fields, "old"), structuredPatch: [], userModified: false, replaceAll: false }),
  Monitor: () => ({ taskId: "b00000001", timeoutMs: 2000, persistent: false }),
  Skill: () => ({ success: true, commandName: "review" }),
};

function composeMoment(event: string, fields: PlayedFields, cwd: string): JsonObject {
  const moment = Object.hasOwn(moments, event) ? moments[event]!(fields, cwd) : {};
  return withInput(moment, fields);
}

const ending = (fields: PlayedFields): JsonObject => ({ stop_hook_active: false, ...playedIf(fields, "message", "last_assistant_message"), background_tasks: [], session_crons: [] });
const modelSwitch = (): JsonObject => ({ from_model: "claude-sonnet-4-5", to_model: "claude-opus-4-5", requested_model: "claude-opus-4-5", source: "command", context_tokens: 29 });
const task = (): JsonObject => ({ task_id: "1", task_subject: "Review", task_description: "Review the change" });

const moments: Readonly<Record<string, (fields: PlayedFields, cwd: string) => JsonObject>> = {
  PostToolBatch: () => ({ tool_calls: [{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "toolu_000001", tool_response: "README.md" }] }),
  UserPromptSubmit: (fields) => ({ prompt: played(fields, "prompt") }),
  UserPromptExpansion: (fields) => ({ expansion_type: "slash_command", command_name: "review", command_args: "", command_source: "projectSettings", prompt: played(fields, "prompt", "/review") }),
  SessionStart: (fields) => ({ source: played(fields, "source", "startup") }),
  Setup: () => ({ trigger: "init" }),
  SessionEnd: () => ({ reason: "other" }),
  Stop: ending,
  SubagentStart: (fields) => ({ agent_id: "a0000000000000001", agent_type: played(fields, "agent", "general-purpose") }),
  SubagentStop: (fields) => ({ ...ending(fields), agent_transcript_path: `/home/user/.claude/projects/project/${session}/subagents/agent-a0000000000000001.jsonl` }),
  StopFailure: () => ({ error: "unknown" }),
  PreCompact: (fields) => ({ trigger: played(fields, "trigger", "manual"), custom_instructions: played(fields, "instructions") }),
  PostCompact: (fields) => ({ trigger: played(fields, "trigger", "manual"), compact_summary: played(fields, "summary") }),
  PreModelSwitch: modelSwitch,
  PostModelSwitch: modelSwitch,
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: () => ({ teammate_name: "reviewer", team_name: "session-team" }),
  ConfigChange: (_fields, cwd) => ({ source: "project_settings", file_path: `${cwd}/.claude/settings.json` }),
  InstructionsLoaded: (_fields, cwd) => ({ file_path: `${cwd}/CLAUDE.md`, memory_type: "Project", load_reason: "session_start" }),
  CwdChanged: (_fields, cwd) => ({ old_cwd: cwd, new_cwd: `${cwd}/packages` }),
  FileChanged: (_fields, cwd) => ({ file_path: `${cwd}/notes.txt`, event: "change" }),
  DirectoryAdded: (_fields, cwd) => ({ directory: `${cwd}/build`, source: "register_repo_root" }),
  Notification: () => ({ message: "Claude is waiting for your input", notification_type: "idle_prompt" }),
  Elicitation: () => ({ mcp_server_name: "srv", message: "Name?", mode: "form", requested_schema: { type: "object" } }),
  ElicitationResult: () => ({ mcp_server_name: "srv", mode: "form", action: "accept", content: { name: "Ada" } }),
  WorktreeCreate: () => ({ name: "topic" }),
  WorktreeRemove: (_fields, cwd) => ({ worktree_path: `${cwd}/.claude/worktrees/topic` }),
  MessageDisplay: () => ({ turn_id: session, message_id: session, index: 0, final: true, delta: "working" }),
};

/** What must be text in the payload of a portable moment. */
const required: Readonly<Record<string, readonly string[]>> = { UserPromptSubmit: ["prompt"], SessionStart: ["source"], PreCompact: ["trigger"], PostCompact: ["trigger"], SubagentStop: ["agent_type"] };

/** Arguments the client never leaves out, per tool. */
const requiredArguments: readonly (readonly [string, readonly string[]])[] = [
  ["Bash", ["command"]], ["PowerShell", ["command"]], ["Write", ["file_path", "content"]], ["Edit", ["file_path", "old_string", "new_string"]], ["NotebookEdit", ["notebook_path", "new_source"]],
  ["Read", ["file_path"]], ["Grep", ["pattern"]], ["Glob", ["pattern"]], ["WebFetch", ["url"]], ["WebSearch", ["query"]], ["Agent", ["prompt"]],
];

function malformed(event: string): ReturnType<Player["malformed"]> {
  const payload = compose(event, "Bash", { command: "ls" }, { cwd: "/home/user/project" });
  const call = { toolKey: "tool_name", inputKey: "tool_input", tools: requiredArguments.map(([tool, keys]) => ({ tool, input: tools[tool]!({}), required: keys })) };
  const gated = event === "PreToolUse" || event === "PostToolUse" || event === "PostToolUseFailure" || event === "PreSkillShellCommand";
  return malformedTexts({
    payload,
    eventKey: "hook_event_name",
    otherEvent: event === "PreToolUse" ? "PostToolUse" : "PreToolUse",
    texts: ["cwd", "session_id", "transcript_path", "permission_mode", ...(Object.hasOwn(required, event) ? required[event]! : [])],
    ...(gated ? { call } : {}),
  });
}
