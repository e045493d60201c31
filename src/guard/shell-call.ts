/**
 * A short way past most payloads: ordinary shell calls that no rule can concern, without all that a codec finds out
 * besides. Everything that is not plainly one is read by the codec, which refuses it where it has to. What is taken here
 * the codec takes too, and the decision is to pass: tests hold it to both.
 */
import type { Json, JsonObject } from "./call.ts";
import { readLine } from "./line-reader.ts";
import { rulesShown } from "./needs.ts";
import { mayConcernFiles } from "./plain-paths.ts";
import type { Disk } from "./plain-paths.ts";
import { hasOperands, isSimple } from "./simple-line.ts";
import type { LineWords } from "./simple-line.ts";

/** A host's events before a tool, and its tools that give one line to a POSIX shell in `command`. */
export interface ShellCalls {
  readonly events: readonly string[];
  readonly tools: readonly string[];
}

/** What a shell call must show for any rule of a policy to concern it. */
export interface ShellSigns {
  /** Every shell call concerns some rule. */
  readonly always: boolean;
  /** Tools that rules call by the host's name, and events. */
  readonly tools: readonly string[];
  readonly events: readonly string[];
  /** Texts in the command, and texts in the command in lower case. */
  readonly texts: readonly string[];
  readonly folded: readonly string[];
  /** The words of the command count as well, and whether one may be a path. */
  readonly words: boolean;
  readonly paths: boolean;
  /** Some rule is one of texts alone (`textual.ts`). */
  readonly textual: boolean;
}

/** A shell call that is nothing more. */
export interface ShellCall {
  readonly tool: string;
  readonly command: string;
  /** The folder it runs in; absent where the call's own arguments name one. */
  readonly cwd?: string;
}

/** True for a plain shell call that surely concerns no rule; `index` gives the rules' index. */
export function concernsNoRule({ events }: ShellCalls, signs: ShellSigns, { tool, command, cwd }: ShellCall, index: () => string, disk?: Disk): boolean {
  if (signs.always || signs.tools.includes(tool) || (signs.events.length > 0 && events.some((event) => signs.events.includes(event)))) return false;
  if (signs.texts.some((text) => command.includes(text)) || signs.folded.some((text) => command.toLowerCase().includes(text))) return false;
  if (!signs.words) return true;
  const commands = wordsOf(command);
  if (commands === undefined || !isSimple(commands) || rulesShown(commands, command, index()).length > 0) return false;
  return !signs.paths || !hasOperands(commands) || !mayConcernFiles(commands, cwd, index(), disk);
}

/** The words of each command of a simple line; nearly all are one command of bare words, for which no reader is loaded. */
export function wordsOf(command: string): LineWords | undefined {
  return isBare(command) ? [command.split(" ")] : readLine(command);
}

/** Longer commands, and those with other characters, are for the patterns themselves. */
export function isPlain(command: string): boolean {
  return command.length <= 16384 && (isBare(command) || /^[\t\n -~]*$/.test(command));
}

/** Words of these characters mean what they are; a loop over few of them is quicker than making an expression. */
const bareCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,@%+^";

/** Words of bare characters with one space between any two. */
function isBare(command: string): boolean {
  let wasWord = false;
  for (const character of command) {
    const isWord = bareCharacters.includes(character);
    if (!isWord && (character !== " " || !wasWord)) return false;
    wasWord = isWord;
  }
  return wasWord;
}

/** Tool and command of a shell call that is nothing more, where the command is plain. */
export function readShellCall({ events, tools }: ShellCalls, event: string, payload: Json | undefined): ShellCall | undefined {
  if (process.platform === "win32" || !events.includes(event) || !isObject(payload)) return undefined;
  for (const key of Object.keys(payload)) {
    if (oddKeys.includes(key) || (key !== "tool_input" && typeof payload[key] !== "string" && payload[key] !== null)) return undefined;
  }
  const { hook_event_name: name, cwd, tool_name: tool, tool_input: input } = payload;
  if (name !== event || typeof cwd !== "string" || !cwd.startsWith("/") || typeof tool !== "string" || !tools.includes(tool) || !isObject(input)) return undefined;
  for (const key of Object.keys(input)) if (!plainArguments().includes(key) || typeof input[key] === "object") return undefined;
  const { command, cwd: folder } = input;
  if (folder !== undefined && typeof folder !== "string") return undefined;
  if (typeof command !== "string" || !isPlain(command)) return undefined;
  return folder === undefined ? { tool, command, cwd } : { tool, command };
}

/** Arguments of shell tools that say nothing more about what is to be done than the command does. */
export function plainArguments(): readonly string[] {
  return ["command", "description", "timeout", "run_in_background", "cwd"];
}

/** Keys that mean something on every object, and those of older spellings, are for the codec. */
const oddKeys = ["constructor", "prototype", "__proto__", "event", "tool", "input"];

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
