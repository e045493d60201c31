/**
 * Tools nobody knows and tools of MCP servers, read by shape: an argument named like a command or a path is taken for
 * one, at any depth. What happens to a path is guessed from the tool's name and from what stands beside it.
 */
import type { Json, JsonObject, Subject } from "./call.ts";
import { isObject } from "./payload.ts";
import { fileOf } from "./portable.ts";
import type { Access } from "./portable.ts";

const commandKeys = new Set(["command", "cmd", "shell_command", "shellCommand", "command_line", "commandLine", "commands", "cmds"]);
/** May be any language: what does not parse as a shell command is no match rather than doubt. */
const scriptKeys = new Set(["script", "shell_script", "shellScript"]);
const pathKeys = new Set([
  "path", "paths", "file_path", "filePath", "filepath", "file_paths", "filePaths", "file", "files", "filename", "file_name", "fileName",
  "notebook_path", "absolute_path", "absolutePath", "relative_path", "relativePath", "target_file", "targetFile", "directory", "dir", "folder",
]);
const sourceKeys = new Set(["source", "src", "source_path", "sourcePath", "old_path", "oldPath", "from_path", "fromPath"]);
const targetKeys = new Set(["destination", "dest", "dst", "destination_path", "destinationPath", "new_path", "newPath", "to_path", "toPath", "target", "target_path", "targetPath"]);
/** Only as a pair: a lone `source` or `target` is seldom a path. */
const pairKeys = [sourceKeys, targetKeys];
const addressKeys = new Set(["uri", "url", "uris", "urls"]);
const folderKeys = ["cwd", "workdir", "working_dir", "workingDir", "working_directory", "workingDirectory"];
/** Beside a path they say that it is written. */
const contentKeys = ["content", "contents", "text", "edits", "new_string", "new_str", "newText", "new_text", "data", "diff", "patch", "new_source", "replace"];

const deleting = new Set(["delete", "remove", "unlink", "rm", "rmdir", "trash", "erase", "del"]);
const moving = new Set(["move", "rename", "mv"]);
const writing = new Set(["write", "create", "edit", "append", "insert", "replace", "update", "save", "mkdir", "touch", "patch", "modify", "overwrite", "put", "set", "upload"]);

/** Commands and paths among the arguments of a tool; `tool` is its name without the server. Linear in the input. */
export function readShape(tool: string, input: JsonObject): Subject {
  const commands: { text: string; shell: "bash" | "powershell"; whole: boolean }[] = [];
  const paths: { path: string; access: Access }[] = [];
  const words = new Set(wordsOf(tool));
  const shell = words.has("powershell") || words.has("pwsh") ? "powershell" : "bash";
  // A stack and no recursion: nesting is the sender's choice.
  const stack: Json[] = [input];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) {
      for (const inner of value as readonly Json[]) if (typeof inner === "object" && inner !== null) stack.push(inner);
      continue;
    }
    if (!isObject(value)) continue;
    const object = value;
    const access = guessAccess(words, object);
    const pair = pairKeys.every((keys) => Object.keys(object).some((key) => keys.has(key)));
    for (const [key, inner] of Object.entries(object)) {
      if (commandKeys.has(key)) for (const text of commandTexts(inner, key === "commands" || key === "cmds", object)) commands.push({ text, shell, whole: true });
      else if (scriptKeys.has(key)) for (const text of textsOf(inner)) commands.push({ text, shell, whole: false });
      else if (pathKeys.has(key)) for (const path of textsOf(inner)) paths.push({ path: plainPath(path), access });
      else if (pair && sourceKeys.has(key)) for (const path of textsOf(inner)) for (const one of sourceAccess(words)) paths.push({ path: plainPath(path), access: one });
      else if (pair && targetKeys.has(key)) for (const path of textsOf(inner)) paths.push({ path: plainPath(path), access: "writes" });
      else if (addressKeys.has(key)) for (const path of textsOf(inner).flatMap(fileOf)) paths.push({ path, access });
      if (typeof inner === "object" && inner !== null) stack.push(inner);
    }
  }
  const folder = folderKeys.map((key) => (Object.hasOwn(input, key) ? input[key] : undefined)).find((value) => typeof value === "string");
  return {
    commands,
    paths,
    ...(typeof folder === "string" ? { cwd: folder } : {}),
  };
}

/** `deleteFile`, `delete_file`, `delete-file` are `delete file`. */
function wordsOf(tool: string): readonly string[] {
  return tool.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/);
}

function guessAccess(words: ReadonlySet<string>, beside: JsonObject): Access {
  for (const word of words) if (deleting.has(word)) return "deletes";
  for (const word of words) if (moving.has(word)) return "deletes";
  for (const word of words) if (writing.has(word)) return "writes";
  return contentKeys.some((key) => Object.hasOwn(beside, key)) ? "writes" : "reads";
}

/** What a copy or a move does to where it comes from. */
function sourceAccess(words: ReadonlySet<string>): readonly Access[] {
  for (const word of words) if (moving.has(word) || deleting.has(word)) return ["reads", "deletes"];
  return ["reads"];
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? (value as readonly Json[]).filter((inner): inner is string => typeof inner === "string") : [];
}

/** A list under `command` is one command's words, under `commands` it is several; `args` beside a text are its words. */
function commandTexts(value: Json, several: boolean, beside: JsonObject): readonly string[] {
  const texts = textsOf(value);
  if (several) return texts;
  if (Array.isArray(value)) return texts.length === 0 ? [] : [texts.map(quoteWord).join(" ")];
  const words = Object.hasOwn(beside, "args") ? textsOf(beside["args"]!) : [];
  return texts.map((text) => (Array.isArray(beside["args"]) ? [text, ...words.map(quoteWord)].join(" ") : text));
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

function plainPath(text: string): string {
  return fileOf(text)[0] ?? text;
}
