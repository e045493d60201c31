/**
 * From a host tool's arguments to the portable fields and the subject of a call: a host's reader says what the arguments
 * mean, this file gives it the names the language has. A search tests its folder and every file pattern below it.
 */
import type { FieldValue, Subject } from "./call.ts";
import { MalformedPayload } from "./call.ts";
import type { JsonObject } from "./call.ts";
import type { PlaceTable } from "./places.ts";
import type { ToolClass } from "./vocabulary.ts";

export type Access = Subject["paths"][number]["access"];

/** What one call's arguments say. Absent: the tool has no such argument, or the call left it out. */
export interface Meaning {
  readonly command?: string;
  /** The command is text typed into a running process. */
  readonly typed?: boolean;
  readonly paths?: readonly string[];
  readonly content?: string;
  readonly old?: string;
  readonly url?: string;
  readonly query?: string;
  /** File patterns of a search, relative to its path. */
  readonly globs?: readonly string[];
  readonly agent?: string;
  readonly task?: string;
  /** The tool's own working folder. */
  readonly folder?: string;
  /** Variables the tool sets before the command. */
  readonly env?: Subject["env"];
}

/** One known tool of a host. `read` throws `MalformedPayload` where a required argument is missing or of another type. */
export interface KnownTool {
  readonly toolClass: ToolClass;
  readonly read: (input: JsonObject) => Meaning;
  /** Where in the arguments the texts of its fields stand; absent where the host takes no changed ones. */
  readonly places?: PlaceTable;
}

const accessOf: Partial<Record<ToolClass, Access>> = { write: "writes", edit: "writes", read: "reads", search: "reads" };

/** Fills the fields of a class and says what shell and path atoms look at. */
export function applyMeaning(toolClass: ToolClass, meaning: Meaning, cwd: string, fields: Record<string, FieldValue>): Subject {
  const { command, content, old, url, query, agent, task } = meaning;
  for (const [name, value] of Object.entries({ command, content, old, url, query, agent, task })) {
    if (value !== undefined) fields[name] = value;
  }
  if (url !== undefined) fields["domain"] = domainOf(url);
  const paths = toolClass === "search" ? searchPaths(meaning, cwd) : (meaning.paths ?? []);
  const [first] = paths;
  if (first !== undefined) fields["path"] = paths.length === 1 ? first : paths;
  const access = accessOf[toolClass];
  const shell = toolClass === "powershell" ? "powershell" : "bash";
  return {
    commands: command === undefined ? [] : [{ text: command, shell, whole: meaning.typed !== true }],
    paths: [
      ...(access === undefined ? [] : paths.map((path) => ({ path, access }))),
      ...(url === undefined ? [] : fileOf(url).map((path) => ({ path, access: "reads" as const }))),
    ],
    ...(meaning.folder === undefined ? {} : { cwd: meaning.folder }),
    ...(meaning.env === undefined ? {} : { env: meaning.env }),
  };
}

/** A command that PowerShell or Bash may get: as Bash it counts where it reads as Bash, so that PowerShell's own forms are no doubt. */
export function inBothShells(subject: Subject): Subject {
  const commands = subject.commands.flatMap(({ text, whole }) => [
    { text, shell: "powershell" as const, whole },
    { text, shell: "bash" as const, whole: false },
  ]);
  return { ...subject, commands };
}

/** Host name of a URL: lower-case, punycode, no port, no final dot; `""` where there is none. */
export function domainOf(url: string): string {
  for (const candidate of [url, `https://${url}`]) {
    try {
      const { hostname } = new URL(candidate);
      if (hostname !== "") return hostname.replace(/\.$/, "");
    } catch {
      // Not a URL in this form; hosts fill in the scheme for people who leave it out.
    }
  }
  return "";
}

/** The file a `file:` URL names, as a list. */
export function fileOf(url: string): readonly string[] {
  if (!/^\s*file:/i.test(url)) return [];
  try {
    const { pathname } = new URL(url.trim());
    const path = decodeURIComponent(pathname);
    // `file:///C:/x`: the drive stands behind a slash that belongs to the URL.
    return [/^\/[A-Za-z]:/.test(path) ? path.slice(1) : path];
  } catch {
    throw new MalformedPayload("a `file:` address cannot be read");
  }
}

function searchPaths(meaning: Meaning, cwd: string): readonly string[] {
  const folders = meaning.paths ?? [cwd];
  // `.env*` asks for `.env`, whatever else it may name.
  const globs = (meaning.globs ?? []).flatMap((glob) => expandBraces(glob)).flatMap((glob) => [glob, ...(/^((?:[^]*\/)?[^*?[/][^*?[/]*)[*?]+$/.exec(glob)?.slice(1) ?? [])]);
  const files = folders.flatMap((folder) => globs.map((glob) => below(folder, glob)));
  return [...folders, ...files];
}

function below(folder: string, glob: string): string {
  if (/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(glob)) return glob;
  return folder === "" ? glob : `${folder.replace(/[\\/]$/, "")}/${glob}`;
}

/** Fail closed past these: a name among too many to be listed must not go untested. */
const mostBraces = 256;
const mostGlob = 4096;

/** `*.{env,key}` as the patterns it stands for. */
export function expandBraces(glob: string): readonly string[] {
  let open = new Set([glob]);
  const done = new Set<string>();
  while (open.size > 0) {
    const next = new Set<string>();
    for (const text of open) {
      const braces = innermostBraces(text);
      if (braces === undefined) done.add(text);
      else if (glob.length > mostGlob) throw new MalformedPayload("a file pattern is too long to be spelled out");
      else for (const part of text.slice(braces.start + 1, braces.end).split(",")) next.add(text.slice(0, braces.start) + part + text.slice(braces.end + 1));
      if (next.size + done.size > mostBraces) throw new MalformedPayload("a file pattern stands for too many names");
    }
    open = next;
  }
  return [...done];
}

/** The first pair of braces with a comma and no braces inside. One pass: a regular expression would be quadratic here. */
function innermostBraces(text: string): { readonly start: number; readonly end: number } | undefined {
  let start = -1;
  let comma = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === "{") [start, comma] = [at, false];
    else if (unit === ",") comma = true;
    else if (unit === "}") {
      if (start >= 0 && comma) return { start, end: at };
      start = -1;
    }
  }
  return undefined;
}
