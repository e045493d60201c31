/**
 * What the arguments of Bob Shell's tools mean, a row per tool. Sources: the vendor's hooks page (`write_file`), payloads
 * measured on 2.0.2 and its tools page (2026-08 to 2026-10); argument names of edits, searches and subagents are those of
 * the Roo family the tool layer comes from.
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { Json, JsonObject } from "../../guard/call.ts";
import { readEditBlocks } from "../../guard/edit-blocks.ts";
import { expectObject, expectText, guessedTexts, isObject, optionalList, optionalText, own } from "../../guard/payload.ts";
import type { KnownTool, Meaning } from "../../guard/portable.ts";

const shellTool: KnownTool = { toolClass: "bash", read: readShell };
const writeTool: KnownTool = { toolClass: "write", read: (input) => ({ paths: filePaths(input), content: expectText(input, "content") }) };
const agentTool: KnownTool = { toolClass: "agent", read: readAgent };

export const knownTools: ReadonlyMap<string, KnownTool> = new Map<string, KnownTool>([
  ["execute_command", shellTool],
  ["run_shell_command", shellTool],
  ["write_file", writeTool],
  ["write_to_file", writeTool],
  ["apply_diff", { toolClass: "edit", read: (input) => ({ paths: filePaths(input), ...readEditBlocks(expectText(input, "diff")) }) }],
  ["search_and_replace", { toolClass: "edit", read: (input) => ({ paths: filePaths(input), old: expectText(input, "search"), content: expectText(input, "replace") }) }],
  ["insert_content", { toolClass: "edit", read: (input) => ({ paths: filePaths(input), content: expectText(input, "content") }) }],
  ["read_file", { toolClass: "read", read: (input) => ({ paths: filePaths(input) }) }],
  ["grep", { toolClass: "search", read: readSearch }],
  ["search_files", { toolClass: "search", read: readSearch }],
  ["glob", { toolClass: "search", read: readGlob }],
  ["list_files", { toolClass: "search", read: folder }],
  ["web_fetch", { toolClass: "fetch", read: (input) => ({ url: expectText(input, "url", "uri") }) }],
  ["spawn_subagent", agentTool],
  ["start_subtask", agentTool],
  ["new_task", agentTool],
]);

function readShell(input: JsonObject): Meaning {
  const own = optionalText(input, "cwd");
  return { command: expectText(input, "command"), ...(own === undefined ? {} : { folder: own }) };
}

/** Every path of a file tool: one under any spelling, several as `paths` or `files`. */
function filePaths(input: JsonObject): readonly string[] {
  const single = optionalText(input, "path", "file_path", "filePath", "file");
  const paths = single === undefined ? [] : [single];
  for (const path of optionalList(input, "paths") ?? []) paths.push(pathOf(path));
  for (const file of optionalList(input, "files") ?? []) paths.push(pathOf(isObject(file) ? expectText(file, "path", "file_path", "filePath", "file") : file));
  if (paths.length === 0) throw new MalformedPayload("`path` is missing");
  return paths;
}

function pathOf(value: Json): string {
  if (typeof value !== "string") throw new MalformedPayload("a path is not text");
  return value;
}

/** Content search: the page names `pattern` and `regex` without saying whose they are. */
function readSearch(input: JsonObject): Meaning {
  const query = optionalText(input, "pattern", "regex", "query");
  const glob = optionalText(input, "file_pattern", "glob", "include");
  return { ...folder(input), ...(query === undefined ? {} : { query }), ...(glob === undefined ? {} : { globs: [glob] }) };
}

function readGlob(input: JsonObject): Meaning {
  const pattern = optionalText(input, "pattern", "glob");
  return { ...folder(input), ...(pattern === undefined ? {} : { query: pattern, globs: [pattern] }) };
}

function folder(input: JsonObject): Meaning {
  const path = optionalText(input, "path", "dir_path", "directory");
  return path === undefined ? {} : { paths: [path] };
}

/** Only the brief's text is certain to be there, under a name no page gives. */
function readAgent(input: JsonObject): Meaning {
  const [agent] = guessedTexts(input, "type", "agent", "mode", "subagent_type");
  const task = guessedTexts(input, "prompt", "task", "message", "description", "brief");
  return { ...(agent === undefined ? {} : { agent }), ...(task.length === 0 ? {} : { task: task.join("\n") }) };
}

/** A tool of a server called through Bob's own: `use_mcp_tool`, `access_mcp_resource`. */
export interface Relayed {
  readonly server: string;
  readonly tool: string;
  /** The called tool's own arguments. */
  readonly input: JsonObject;
}

export function readRelayed(tool: string, input: JsonObject): Relayed | undefined {
  if (tool === "access_mcp_resource") return { server: expectText(input, "server_name"), tool, input };
  if (tool !== "use_mcp_tool") return undefined;
  const inner = relayedArguments(own(input, "arguments"));
  return { server: expectText(input, "server_name"), tool: expectText(input, "tool_name"), input: inner };
}

/** The older tools page passes them as JSON text. */
function relayedArguments(sent: Json | undefined): JsonObject {
  if (sent === undefined) return {};
  if (typeof sent !== "string") return expectObject(sent, "`arguments`");
  try {
    return expectObject(JSON.parse(sent) as Json, "`arguments`");
  } catch {
    throw new MalformedPayload("`arguments` is neither an object nor the text of one");
  }
}
