/**
 * Plays Vibe as of 3.0.2 (2026-11): portable fields go in, the payload the client would send comes out, with constants
 * for the rest. Tools are asked for by the short names that a matcher uses.
 */
import type { JsonObject } from "../../guard/call.ts";
import type { EventKind } from "../../guard/vocabulary.ts";
import type { Player } from "../host.ts";
import { malformedTexts, played, playedFolder, playedIf, playedMcp, withInput } from "../play.ts";
import type { PlayedFields } from "../play.ts";

export const player: Player = { eventOf, compose, malformed };

function eventOf(event: EventKind): string | undefined {
  return { "before-tool": "pre_tool", "after-tool": "post_tool", stop: "post_agent" }[event as string];
}

/** `$` is part of a name there; every other character is written `_` (the client's MCP naming, 3.0.2). */
export function mcpPart(name: string): string {
  return name.replace(/[^A-Za-z0-9_$\n]/g, "_");
}

export function mcpTool(server: string, tool: string): string {
  return `mcp_${mcpPart(server)}.${mcpPart(tool)}`;
}

const session = "7b1f0c52-9a34-4f0e-8d27-3c5e61a0b9d4";

function compose(event: string, tool: string | undefined, fields: PlayedFields, place: { readonly cwd: string }): JsonObject {
  const inSubagent = played(fields, "subagent") === "true" || (event === "post_agent" && !["", "main"].includes(played(fields, "agent")));
  return {
    session_id: played(fields, "session", session),
    transcript_path: "/home/ada/.vibe/logs/session/session_20261012_091530_7b1f0c52",
    cwd: playedFolder(fields, place),
    parent_session_id: inSubagent ? "0f9a2e77-1c55-4a1b-b3a8-5d2f7e914c60" : null,
    hook_event_name: event,
    ...(event === "pre_tool" || event === "before_tool" ? composeCall(tool, fields) : {}),
    ...(event === "post_tool" || event === "after_tool" ? { ...composeCall(tool, fields), ...outcome(fields) } : {}),
    // The hooks page has it; 3.0.2 does not send it (recorded).
    ...(event === "post_agent" ? playedIf(fields, "agent", "agent_name") : {}),
  };
}

function composeCall(asked: string | undefined, fields: PlayedFields): JsonObject {
  const named = played(fields, "tool", asked ?? "") || guessTool(fields);
  const own = /^(?:mcp_|connector_|plugin_|(?:file_system|process|skill|agents|subagent|self|ui|vibe|web)\.)/.test(named);
  const mcp = own || Object.hasOwn(tools, named) ? undefined : playedMcp(named, fields);
  const tool = mcp === undefined ? (fullNames.get(named) ?? named) : mcpTool(mcp.server, mcp.tool);
  const short = Object.hasOwn(tools, named) ? named : (shortNames.get(named) ?? "");
  return { tool_name: tool, tool_call_id: "call_0001Zq", tool_input: withInput(Object.hasOwn(tools, short) ? tools[short]!(fields) : {}, fields) };
}

/** The tool an example means that only names fields. */
function guessTool(fields: PlayedFields): string {
  if (Object.hasOwn(fields, "server")) return "";
  const signs = [["old", "edit"], ["content", "write_file"], ["path", "read_file"], ["url", "web_fetch"], ["query", "grep"], ["agent", "agents_spawn"], ["task", "agents_spawn"]] as const;
  return signs.find(([field]) => Object.hasOwn(fields, field))?.[1] ?? "bash";
}

const shellInput = (fields: PlayedFields): JsonObject => ({ command: played(fields, "command") });
const editInput = (fields: PlayedFields): JsonObject => ({ file_path: played(fields, "path"), old_string: played(fields, "old"), new_string: played(fields, "content"), replace_all: false });
const spawnInput = (fields: PlayedFields): JsonObject => ({ name: "helper", message: played(fields, "task"), ...playedIf(fields, "agent", "config_name") });
const fetchInput = (fields: PlayedFields): JsonObject => ({ url: played(fields, "url", Object.hasOwn(fields, "domain") ? `https://${played(fields, "domain")}/` : "") });

const tools: Readonly<Record<string, (fields: PlayedFields) => JsonObject>> = {
  bash: shellInput,
  git_bash: shellInput,
  powershell: shellInput,
  process_start: shellInput,
  process_write: (fields) => ({ processId: "proc_3", text: played(fields, "command") }),
  write_file: (fields) => ({ file_path: played(fields, "path"), content: played(fields, "content") }),
  edit: editInput,
  search_replace: editInput,
  read_file: (fields) => ({ file_path: played(fields, "path"), offset: 0, limit: 2000 }),
  grep: (fields) => ({ pattern: played(fields, "query"), ...playedIf(fields, "path", "path") }),
  web_fetch: fetchInput,
  open_url: fetchInput,
  web_search: (fields) => ({ query: played(fields, "query") }),
  agents_spawn: spawnInput,
  agent_spawn: spawnInput,
  task: (fields) => ({ task: played(fields, "task"), ...playedIf(fields, "agent", "agent") }),
  skill: () => ({ name: "release-notes" }),
};

/** Full names of the Unified runtime; tools that only the old one has keep their bare name. */
const fullNames: ReadonlyMap<string, string> = new Map([
  ["bash", "file_system.bash"],
  ["process_start", "process.start"],
  ["process_write", "process.write"],
  ["write_file", "file_system.write_file"],
  ["edit", "file_system.search_replace"],
  ["search_replace", "file_system.search_replace"],
  ["read_file", "file_system.read_file"],
  ["open_url", "connector_web_search.open_url"],
  ["web_search", "connector_web_search.web_search"],
  ["agents_spawn", "agents.spawn"],
  ["agent_spawn", "subagent.spawn"],
  ["skill", "skill.read"],
]);
const shortNames: ReadonlyMap<string, string> = new Map([...fullNames].map(([short, full]) => [full, short]));

function outcome(fields: PlayedFields): JsonObject {
  const output = played(fields, "output");
  const failed = played(fields, "status") === "failure" || Object.hasOwn(fields, "error");
  const error = played(fields, "error", output);
  return {
    tool_status: played(fields, "status", failed ? "failure" : "success"),
    tool_output: failed ? null : { stdout: output, stderr: "", returncode: Object.hasOwn(fields, "exit") ? Number(fields["exit"]) : 0 },
    tool_output_text: failed ? error : output,
    tool_error: failed ? error : null,
    duration_ms: Object.hasOwn(fields, "duration") ? Number(fields["duration"]) : 0,
  };
}

/** Arguments no call goes without, per tool; a path's other spelling would do as well. */
const requiredArguments: readonly (readonly [string, readonly string[]])[] = [
  ["bash", ["command"]], ["process_start", ["command"]], ["process_write", ["text"]], ["write_file", ["file_path", "content"]], ["edit", ["file_path", "old_string", "new_string"]],
  ["read_file", ["file_path"]], ["grep", ["pattern"]], ["web_fetch", ["url"]], ["web_search", ["query"]], ["task", ["task"]],
];

function malformed(event: string): ReturnType<Player["malformed"]> {
  const payload = compose(event, "bash", { command: "ls" }, { cwd: "/home/ada/projects/ledger" });
  const call = {
    toolKey: "tool_name",
    inputKey: "tool_input",
    tools: requiredArguments.map(([tool, required]) => ({ tool: fullNames.get(tool) ?? tool, input: tools[tool]!({}), required })),
    disagreeing: { tool: "file_system.write_file", input: { file_path: "README.md", path: ".vibe/hooks.toml", content: "" } },
  };
  const hasTool = payload["tool_name"] !== undefined;
  return malformedTexts({
    payload,
    eventKey: "hook_event_name",
    otherEvent: event === "post_agent" ? "pre_tool" : "post_agent",
    texts: ["cwd", "session_id", "transcript_path", "parent_session_id", ...(event === "post_tool" || event === "after_tool" ? ["tool_status", "tool_output_text", "tool_error"] : [])],
    ...(hasTool ? { call } : {}),
  });
}
