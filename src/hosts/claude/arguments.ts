/**
 * What the arguments of Claude Code's tools mean, a row per tool. Source: `sdk-tools.d.ts` of
 * @anthropic-ai/claude-agent-sdk 0.3.332 and payloads of client 2.1.332, 2026-11-25. Only what a policy can ask about is read.
 */
import type { JsonObject } from "../../guard/call.ts";
import { MalformedPayload } from "../../guard/call.ts";
import { expectObject, expectText, optionalList, optionalText } from "../../guard/payload.ts";
import type { KnownTool, Meaning } from "../../guard/portable.ts";

const shellTool = (toolClass: "bash" | "powershell"): KnownTool => ({ toolClass, read: (input) => ({ command: expectText(input, "command") }), places: { command: ["command"] } });
const agentTool: KnownTool = { toolClass: "agent", read: readAgent, places: { agent: ["subagent_type"], task: ["prompt"] } };
const searchPlaces = { path: ["path"], query: ["pattern"] };

export const knownTools: ReadonlyMap<string, KnownTool> = new Map<string, KnownTool>([
  ["Bash", shellTool("bash")],
  ["PowerShell", shellTool("powershell")],
  // A Monitor may listen to a web socket instead of running a command.
  ["Monitor", { toolClass: "bash", read: (input) => ({ command: optionalText(input, "command") ?? "" }), places: { command: ["command"] } }],
  ["Write", { toolClass: "write", read: (input) => ({ paths: [expectText(input, "file_path")], content: expectText(input, "content") }), places: { path: ["file_path"], content: ["content"] } }],
  ["Edit", { toolClass: "edit", read: (input) => ({ paths: [expectText(input, "file_path")], ...hunk(input) }), places: { path: ["file_path"], old: ["old_string"], content: ["new_string"] } }],
  ["MultiEdit", { toolClass: "edit", read: readMultiEdit, places: { path: ["file_path"], old: ["edits.*.old_string"], content: ["edits.*.new_string"] } }],
  ["NotebookEdit", { toolClass: "edit", read: (input) => ({ paths: [expectText(input, "notebook_path")], content: expectText(input, "new_source") }), places: { path: ["notebook_path"], content: ["new_source"] } }],
  ["Read", { toolClass: "read", read: (input) => ({ paths: [expectText(input, "file_path")] }), places: { path: ["file_path"] } }],
  ["Glob", { toolClass: "search", read: (input) => ({ ...folder(input), query: expectText(input, "pattern"), globs: [expectText(input, "pattern")] }), places: searchPlaces }],
  ["Grep", { toolClass: "search", read: (input) => ({ ...folder(input), query: expectText(input, "pattern"), globs: grepGlobs(optionalText(input, "glob")) }), places: searchPlaces }],
  ["WebFetch", { toolClass: "fetch", read: (input) => ({ url: expectText(input, "url") }), places: { url: ["url"] } }],
  ["WebSearch", { toolClass: "websearch", read: (input) => ({ query: expectText(input, "query") }), places: { query: ["query"] } }],
  ["Agent", agentTool],
  ["Task", agentTool],
]);

/** Tools whose `script` or `command` is no shell text: a workflow's script is JavaScript, a skill's command a name. */
export const noShellText: ReadonlySet<string> = new Set(["Workflow", "Skill", "SendMessage", "RemoteTrigger", "CronCreate", "TaskCreate", "TaskUpdate", "TodoWrite", "AskUserQuestion", "ToolSearch"]);

function hunk(edit: JsonObject): { old: string; content: string } {
  return { old: expectText(edit, "old_string"), content: expectText(edit, "new_string") };
}

function readMultiEdit(input: JsonObject): Meaning {
  const edits = optionalList(input, "edits");
  if (edits === undefined) throw new MalformedPayload("`edits` is missing");
  const hunks = edits.map((edit) => hunk(expectObject(edit, "an edit")));
  return { paths: [expectText(input, "file_path")], old: hunks.map((one) => one.old).join("\n"), content: hunks.map((one) => one.content).join("\n") };
}

function readAgent(input: JsonObject): Meaning {
  const agent = optionalText(input, "subagent_type");
  return { task: expectText(input, "prompt"), ...(agent === undefined ? {} : { agent }) };
}

function folder(input: JsonObject): Meaning {
  const path = optionalText(input, "path");
  return path === undefined ? {} : { paths: [path] };
}

/** ripgrep's `--glob` list: blanks and top-level commas part the patterns, and `!` only takes away. */
function grepGlobs(list: string | undefined): readonly string[] {
  const globs: string[] = [];
  for (const text of (list ?? "").split(/\s+/)) {
    let depth = 0;
    let start = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const unit = text[at];
      if (unit === "{") depth += 1;
      else if (unit === "}") depth -= 1;
      else if (unit === undefined || (unit === "," && depth <= 0)) {
        globs.push(text.slice(start, at));
        start = at + 1;
      }
    }
  }
  return globs.filter((glob) => glob !== "" && !glob.startsWith("!"));
}
