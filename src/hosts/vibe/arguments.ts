/**
 * What the arguments of Vibe's tools mean, a row per tool by its short name, in every spelling since 2.14: author-facing
 * names (2.26, 2026-10-05), the Unified harness' own (2.25) and the Python agent loop's (2.24 and before). Tools and their
 * argument models were read in the packages of 3.0.2 (2026-11).
 */
import { MalformedPayload } from "../../guard/call.ts";
import type { Json, JsonObject } from "../../guard/call.ts";
import { readEditBlocks } from "../../guard/edit-blocks.ts";
import { expectObject, expectText, guessedTexts, optionalList, optionalText, own } from "../../guard/payload.ts";
import type { KnownTool, Meaning } from "../../guard/portable.ts";
import type { ToolClass } from "../../guard/vocabulary.ts";

const shellTool = (toolClass: ToolClass): KnownTool => ({ toolClass, read: (input) => ({ command: expectText(input, "command"), ...workFolder(input) }), places: { command: ["command"] } });
const pathPlaces = ["file_path", "path"];
/** Before 2.14 all hunks were one text, in which old and new cannot be told apart by place: it has none. */
const editPlaces = { path: pathPlaces, old: ["old_string", "content.*.old_str", "content.*.old_string"], content: ["new_string", "content.*.new_str", "content.*.new_string"] };
const editTool: KnownTool = { toolClass: "edit", read: readEdit, places: editPlaces };
const readTool: KnownTool = { toolClass: "read", read: (input) => ({ paths: [filePath(input)] }), places: { path: pathPlaces } };
const agentKeys = ["config_name", "agentType", "agent_type", "agent"];
const taskKeys = ["message", "task", "prompt"];
/**
 * 3.0.2 sends `config_name` (the kind of agent; absent: as the parent), `message` and `name`, which only tells two apart
 * (recorded); `agentType` stands in its models. What came before is on no page, so nothing is demanded.
 */
const spawnTool: KnownTool = { toolClass: "agent", read: (input) => agentMeaning(guessedTexts(input, ...agentKeys)[0], guessedTexts(input, ...taskKeys)[0]), places: { agent: agentKeys, task: taskKeys } };
const fetchTool: KnownTool = { toolClass: "fetch", read: (input) => ({ url: expectText(input, "url") }), places: { url: ["url"] } };

export const knownTools: ReadonlyMap<string, KnownTool> = new Map<string, KnownTool>([
  ["bash", shellTool("bash")],
  ["git_bash", shellTool("bash")],
  ["powershell", shellTool("powershell")],
  ["process_start", shellTool("bash")],
  // What `bytesBase64` holds is no text that could be changed in its place.
  ["process_write", { toolClass: "bash", read: readTyped, places: { command: ["text"] } }],
  ["write_file", { toolClass: "write", read: (input) => ({ paths: [filePath(input)], content: expectText(input, "content") }), places: { path: pathPlaces, content: ["content"] } }],
  ["edit", editTool],
  ["search_replace", editTool],
  ["read_file", readTool],
  // The file reader's name in 2.14 to 2.18; `skill.read` never gets here.
  ["read", readTool],
  ["grep", { toolClass: "search", read: readGrep, places: { path: ["path"], query: ["pattern"] } }],
  ["web_fetch", fetchTool],
  // Of the vendor's own connector `connector_web_search`.
  ["open_url", fetchTool],
  ["web_search", { toolClass: "websearch", read: (input) => ({ query: expectText(input, "query") }), places: { query: ["query"] } }],
  ["agents_spawn", spawnTool],
  ["agent_spawn", spawnTool],
  ["task", { toolClass: "agent", read: (input) => agentMeaning(optionalText(input, "agent") ?? "explore", expectText(input, "task")), places: { agent: ["agent"], task: ["task"] } }],
]);

/** Groups of the client's own tools; every other group is a server's, a connector's or a plugin's. */
export const ownGroups: ReadonlySet<string> = new Set(["file_system", "process", "skill", "agents", "subagent", "self", "ui", "vibe", "web"]);

/** Reads and writes files of its own, which are no files of the project. */
export const scratchpad = "vibe.unified_harness_scratchpad";

/** Built-in tools of no class: a bare name like these is no MCP tool of the old spelling. */
export const otherTools: ReadonlySet<string> = new Set(["ask_user_question", "exit_plan_mode", "run_typescript", "process_output", "process_list", "process_stop"]);

function filePath(input: JsonObject): string {
  return expectText(input, "file_path", "path");
}

/** `cwd` and `env` of `process.start`; a blank folder is the session's. */
function workFolder(input: JsonObject): Meaning {
  const folder = optionalText(input, "cwd")?.trim() ?? "";
  return { ...(folder === "" ? {} : { folder }), ...assignments(own(input, "env")) };
}

function assignments(env: Json | undefined): Meaning {
  if (env === undefined) return {};
  return { env: Object.entries(expectObject(env, "`env`")).flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : [])) };
}

/** Text typed into a process that runs already; control keys alone are no text. */
function readTyped(input: JsonObject): Meaning {
  const text = optionalText(input, "text");
  const bytes = optionalText(input, "bytesBase64");
  const control = optionalList(input, "control");
  if (text === undefined && bytes === undefined && control === undefined) throw new MalformedPayload("`text`/`control`/`bytesBase64` is missing");
  if (control?.some((key) => typeof key !== "string") === true) throw new MalformedPayload("`control` is not a list of key names");
  const decoded = bytes === undefined ? undefined : decodeBase64(bytes);
  if (text !== undefined && decoded !== undefined && text !== decoded) throw new MalformedPayload("`text` and `bytesBase64` differ");
  return { command: text ?? decoded ?? "", typed: true };
}

function decodeBase64(bytes: string): string {
  // Fail closed: decoders differ in what they make of anything else.
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bytes) || bytes.length % 4 !== 0) throw new MalformedPayload("`bytesBase64` is not base64");
  return Buffer.from(bytes, "base64").toString("utf8");
}

/** One block as `old_string` and `new_string`, several as a list, before 2.14 all of them as one text. */
function readEdit(input: JsonObject): Meaning {
  const path = filePath(input);
  // The tool takes blanks off both ends, its hook does not.
  const paths = [...new Set([path, path.trim()])];
  const content = own(input, "content");
  const single = own(input, "old_string") !== undefined || own(input, "new_string") !== undefined;
  const named = single ? [{ old: expectText(input, "old_string"), content: expectText(input, "new_string") }] : undefined;
  if (content === undefined && named === undefined) throw new MalformedPayload("`old_string` and `content` are missing");
  const listed = content === undefined ? undefined : typeof content === "string" ? [readEditBlocks(content)] : hunks(input);
  if (named !== undefined && listed !== undefined && JSON.stringify(named) !== JSON.stringify(listed)) throw new MalformedPayload("`old_string` and `content` differ");
  const edits = listed ?? named ?? [];
  return { paths, old: edits.map((edit) => edit.old).join("\n"), content: edits.map((edit) => edit.content).join("\n") };
}

function hunks(input: JsonObject): readonly { readonly old: string; readonly content: string }[] {
  return (optionalList(input, "content") ?? []).map((hunk) => {
    const edit = expectObject(hunk, "a block of `content`");
    return { old: expectText(edit, "old_str", "old_string"), content: expectText(edit, "new_str", "new_string") };
  });
}

function readGrep(input: JsonObject): Meaning {
  const path = optionalText(input, "path");
  return { query: expectText(input, "pattern"), ...(path === undefined ? {} : { paths: [path] }) };
}

function agentMeaning(agent: string | undefined, task: string | undefined): Meaning {
  return { ...(agent === undefined ? {} : { agent }), ...(task === undefined ? {} : { task }) };
}
