/**
 * What Claude Code writes to a hook's stdin, as schemas: 34 events and the arguments of the built-in tools. Source:
 * `HOOK_EVENTS` and `sdk-tools.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.332, payloads of client 2.1.332, 2026-11-25.
 * Loose about further fields and about values, because both are added all the time.
 */
import * as z from "zod";
import type { orderedNames } from "./event-names.ts";

const text = z.string();
const maybeText = text.optional();
const maybeNumber = z.number().optional();
const maybeFlag = z.boolean().optional();
const anything = z.record(z.string(), z.unknown());
const folder = z.string().regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)/, "not an absolute path");

const common = {
  session_id: text,
  transcript_path: text,
  cwd: folder,
  prompt_id: maybeText,
  permission_mode: maybeText,
  agent_id: maybeText,
  agent_type: maybeText,
  effort: z.looseObject({ level: text }).optional(),
};

const tool = { tool_name: text, tool_input: anything, mcp_server: z.looseObject({ name: text, source: maybeText }).optional() };
const call = { ...tool, tool_use_id: text };
const ending = { stop_hook_active: z.boolean(), last_assistant_message: maybeText, background_tasks: z.array(z.unknown()), session_crons: z.array(z.unknown()) };
const modelSwitch = { from_model: text, to_model: text, requested_model: text, source: text, context_tokens: z.number() };
const task = { task_id: text, task_subject: text, task_description: maybeText };
const elicitation = { mcp_server_name: text, mode: maybeText };

const extras: Readonly<Record<(typeof orderedNames)[number], z.ZodRawShape>> = {
  PreToolUse: call,
  PermissionRequest: { ...tool, permission_suggestions: z.array(z.unknown()).optional() },
  PermissionDenied: { ...call, reason: text },
  PostToolUse: { ...call, tool_response: z.unknown().refine((value) => value !== undefined, "missing"), duration_ms: maybeNumber },
  PostToolUseFailure: { ...call, error: text, is_interrupt: maybeFlag, duration_ms: maybeNumber },
  PostToolBatch: { tool_calls: z.array(z.looseObject({ tool_name: text, tool_input: anything, tool_use_id: text, tool_response: z.unknown().optional() })) },
  UserPromptSubmit: { prompt: text, source: maybeText, session_title: maybeText },
  UserPromptExpansion: { expansion_type: text, command_name: text, command_args: text, command_source: maybeText, prompt: text },
  PreSkillShellCommand: { ...call, tool_input: z.looseObject({ command: text }), command_name: text, command_source: maybeText, invoked_by: text },
  SessionStart: { source: text, model: maybeText, session_title: maybeText },
  Setup: { trigger: text },
  SessionEnd: { reason: text },
  Stop: ending,
  SubagentStart: { agent_id: text, agent_type: text },
  SubagentStop: { ...ending, agent_id: text, agent_type: text, agent_transcript_path: text },
  StopFailure: { error: text, error_details: z.unknown().optional(), last_assistant_message: maybeText },
  PreCompact: { trigger: text, custom_instructions: text.nullish() },
  PostCompact: { trigger: text, compact_summary: text },
  PreModelSwitch: modelSwitch,
  PostModelSwitch: modelSwitch,
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: { teammate_name: text, team_name: text },
  ConfigChange: { source: text, file_path: maybeText },
  InstructionsLoaded: { file_path: text, memory_type: maybeText, load_reason: maybeText, trigger_file_path: maybeText },
  CwdChanged: { old_cwd: text, new_cwd: text },
  FileChanged: { file_path: text, event: text },
  DirectoryAdded: { directory: text, source: text },
  Notification: { message: text, title: maybeText, notification_type: text },
  Elicitation: { ...elicitation, message: text, requested_schema: z.unknown().optional() },
  ElicitationResult: { ...elicitation, action: text, content: z.unknown().optional() },
  WorktreeCreate: { name: text },
  WorktreeRemove: { worktree_path: text },
  MessageDisplay: { turn_id: text, message_id: text, index: z.number(), final: z.boolean(), delta: text },
};

/** Stdin of each event. */
export const payloads: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(extras).map(([event, extra]) => [event, z.looseObject({ ...common, hook_event_name: z.literal(event), ...extra })]),
);

/** What a policy can ask of an event in quotes; at a tool it asks for the tool's arguments instead. */
export function payloadFields(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(extras)
      .filter(([event]) => !["PreToolUse", "PostToolUse", "PostToolUseFailure", "PreSkillShellCommand"].includes(event))
      .map(([event, extra]) => [event, Object.keys({ ...common, hook_event_name: text, ...extra })]),
  );
}

const shell = { command: text, timeout: maybeNumber, description: maybeText, run_in_background: maybeFlag };
const replacement = { old_string: text, new_string: text, replace_all: maybeFlag };
const agent = { description: text, prompt: text, subagent_type: maybeText, model: maybeText, run_in_background: maybeFlag, name: maybeText, isolation: maybeText };

const shapes: Readonly<Record<string, z.ZodRawShape>> = {
  Bash: { ...shell, dangerouslyDisableSandbox: maybeFlag },
  PowerShell: shell,
  Monitor: { description: text, timeout_ms: z.number(), command: maybeText, ws: anything.optional() },
  Write: { file_path: text, content: text },
  Edit: { file_path: text, ...replacement },
  MultiEdit: { file_path: text, edits: z.array(z.looseObject(replacement)) },
  NotebookEdit: { notebook_path: text, cell_id: maybeText, new_source: text, cell_type: maybeText, edit_mode: maybeText },
  Read: { file_path: text, offset: maybeNumber, limit: maybeNumber, pages: maybeText, allow_large: maybeFlag },
  Glob: { pattern: text, path: maybeText },
  Grep: { pattern: text, path: maybeText, glob: maybeText, output_mode: maybeText, type: maybeText, head_limit: maybeNumber, multiline: maybeFlag },
  WebFetch: { url: text, prompt: text, offset: maybeNumber },
  WebSearch: { query: text, allowed_domains: z.array(text).optional(), blocked_domains: z.array(text).optional() },
  Agent: agent,
  Task: agent,
  Skill: { skill: text, args: maybeText },
  ReadMcpResourceTool: { server: text, uri: text },
};

/** Arguments of the built-in tools a policy can name. */
export const toolArguments: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(shapes).map(([name, shape]) => [name, z.looseObject(shape)]));
