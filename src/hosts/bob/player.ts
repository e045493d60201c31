/**
 * Plays Bob Shell as measured on 2.0.2 (2026-08): portable fields go in, the payload the host would send comes out, with
 * constants for the rest.
 */
import type { JsonObject } from "../../guard/call.ts";
import type { EventKind } from "../../guard/vocabulary.ts";
import type { Player } from "../host.ts";
import { malformedTexts, played, playedFolder, playedIf, playedMcp, withInput } from "../play.ts";
import type { PlayedFields } from "../play.ts";

export const player: Player = { eventOf, compose, malformed };

const moments: Readonly<Record<EventKind, string | undefined>> = {
  "before-tool": "PreToolUse", "after-tool": "PostToolUse", prompt: "UserPromptSubmit", "session-start": "SessionStart", stop: "Stop", "before-compact": "PreCompact", "after-compact": "PostCompact", "host-event": undefined,
};

function eventOf(event: EventKind): string | undefined {
  return moments[event];
}

export function mcpTool(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

function compose(event: string, tool: string | undefined, fields: PlayedFields, place: { readonly cwd: string }): JsonObject {
  const payload: JsonObject = {
    session_id: played(fields, "session", "3f2a9c1e8b7d4f6a0e5c2b1d9a8f7e6c"),
    cwd: playedFolder(fields, place),
    hook_event_name: event,
    ...composeMoment(event, tool, fields),
  };
  // At an event without a tool `input.NAME` is the payload's own field.
  return Object.hasOwn(payload, "tool_input") ? payload : withInput(payload, fields);
}

function composeMoment(event: string, tool: string | undefined, fields: PlayedFields): JsonObject {
  switch (event) {
    case "SessionStart":
      return { source: played(fields, "source", "startup") };
    case "UserPromptSubmit":
      return { prompt: played(fields, "prompt") };
    case "PreToolUse":
      return { ...composeCall(tool, fields), tool_use_id: "tooluse_0001" };
    case "PostToolUse":
      return { ...composeCall(tool, fields), tool_response: played(fields, "output"), tool_use_id: "tooluse_0001" };
    case "PreCompact":
      return { trigger: played(fields, "trigger", "manual"), custom_instructions: Object.hasOwn(fields, "instructions") ? played(fields, "instructions") : null };
    case "PostCompact":
      return { trigger: played(fields, "trigger", "manual"), compact_summary: played(fields, "summary") };
    case "Stop":
      return { last_assistant_message: Object.hasOwn(fields, "message") ? played(fields, "message") : null };
    default:
      return {};
  }
}

function composeCall(asked: string | undefined, fields: PlayedFields): JsonObject {
  const named = played(fields, "tool", asked ?? "");
  const mcp = named.startsWith("mcp__") ? undefined : playedMcp(named, fields);
  const tool = mcp === undefined ? named || guessTool(fields) : mcpTool(mcp.server, mcp.tool);
  return { tool_name: tool, tool_input: withInput(Object.hasOwn(tools, tool) ? tools[tool]!(fields) : {}, fields) };
}

/** The tool an example means that only names fields. */
function guessTool(fields: PlayedFields): string {
  const signs = [["old", "search_and_replace"], ["content", "write_file"], ["path", "read_file"], ["url", "web_fetch"], ["query", "grep"], ["agent", "spawn_subagent"], ["task", "spawn_subagent"]] as const;
  return signs.find(([field]) => Object.hasOwn(fields, field))?.[1] ?? "execute_command";
}

const shellInput = (fields: PlayedFields): JsonObject => ({ command: played(fields, "command") });
const writeInput = (fields: PlayedFields): JsonObject => ({ path: played(fields, "path"), content: played(fields, "content"), line_count: played(fields, "content").split("\n").length });
const searchInput = (fields: PlayedFields): JsonObject => ({ ...playedIf(fields, "path", "path"), ...playedIf(fields, "query", "pattern") });
const agentInput = (fields: PlayedFields): JsonObject => ({ ...playedIf(fields, "agent", "type"), prompt: played(fields, "task") });

const tools: Readonly<Record<string, (fields: PlayedFields) => JsonObject>> = {
  execute_command: shellInput,
  run_shell_command: shellInput,
  write_file: writeInput,
  write_to_file: writeInput,
  apply_diff: (fields) => ({ path: played(fields, "path"), diff: `<<<<<<< SEARCH\n:start_line:1\n-------\n${played(fields, "old")}\n=======\n${played(fields, "content")}\n>>>>>>> REPLACE` }),
  search_and_replace: (fields) => ({ path: played(fields, "path"), search: played(fields, "old"), replace: played(fields, "content"), use_regex: false, ignore_case: false }),
  insert_content: (fields) => ({ path: played(fields, "path"), line: 1, content: played(fields, "content") }),
  read_file: (fields) => ({ path: played(fields, "path") }),
  grep: searchInput,
  glob: searchInput,
  search_files: searchInput,
  list_files: searchInput,
  web_fetch: (fields) => ({ url: played(fields, "url", Object.hasOwn(fields, "domain") ? `https://${played(fields, "domain")}/` : "") }),
  spawn_subagent: agentInput,
  start_subtask: agentInput,
  new_task: agentInput,
};

/** What must be text in the payload of an event. */
const requiredTexts: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ["source"],
  UserPromptSubmit: ["prompt"],
  PostToolUse: ["tool_response"],
  PreCompact: ["trigger", "custom_instructions"],
  PostCompact: ["trigger", "compact_summary"],
  Stop: ["last_assistant_message"],
};

/** Arguments no call goes without, per tool. */
const requiredArguments: readonly (readonly [string, readonly string[]])[] = [
  ["execute_command", ["command"]], ["run_shell_command", ["command"]], ["write_file", ["path", "content"]], ["write_to_file", ["path", "content"]], ["apply_diff", ["path", "diff"]],
  ["search_and_replace", ["path", "search", "replace"]], ["insert_content", ["path", "content"]], ["read_file", ["path"]], ["web_fetch", ["url"]],
];

function malformed(event: string): ReturnType<Player["malformed"]> {
  const payload = compose(event, "execute_command", { command: "ls" }, { cwd: "/home/dev/project" });
  const call = {
    toolKey: "tool_name",
    inputKey: "tool_input",
    tools: requiredArguments.map(([tool, required]) => ({ tool, input: tools[tool]!({}), required })),
    disagreeing: { tool: "write_file", input: { path: "README.md", file_path: ".bob/settings.json", content: "{}" } },
  };
  return malformedTexts({
    payload,
    eventKey: "hook_event_name",
    otherEvent: event === "Stop" ? "PreToolUse" : "Stop",
    texts: ["cwd", "session_id", ...(Object.hasOwn(requiredTexts, event) ? requiredTexts[event]! : [])],
    ...(payload["tool_name"] === undefined ? {} : { call }),
  });
}
