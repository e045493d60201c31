/**
 * How a guard outside a project is started: Node by its absolute path, and on POSIX without the variables by which a
 * project could put code of its own before it. Words go in, the line that a shell reads comes out, and back for a line
 * on disk, to tell whether it is one of ours.
 */
import type { Surroundings } from "../host.ts";

/** `NODE_OPTIONS=--require x` and the like run code inside every guard (tried on Claude Code 2.1.332). */
const cleaned = ["NODE_OPTIONS", "LD_PRELOAD", "NODE_EXTRA_CA_CERTS"];

/** Program and arguments, for hosts that start it without a shell. `guard` is absolute. */
export function guardWords(guard: string, event: string, around: Surroundings): readonly [string, ...string[]] {
  if (around.platform === "windows") return [around.node, guard, event];
  return ["/usr/bin/env", ...cleaned.flatMap((name) => ["-u", name]), around.node, guard, event];
}

/**
 * The same for a shell. On Windows it may be `cmd`, PowerShell or Git Bash, and no absolute program with a blank in its
 * path is a command in all three: there Node is found by name.
 */
export function guardLine(guard: string, event: string, around: Surroundings): string {
  if (around.platform === "windows") return ["node", /^[\w:/.~-]+$/.test(guard) ? guard : `"${guard}"`, event].join(" ");
  return guardWords(guard, event, around).map(quoteWord).join(" ");
}

/** True for words that start this guard through nothing but `env` and Node, whichever Node and however old the build. */
export function startsGuard(words: readonly string[], guard: string): boolean {
  const rest = words[0] === "/usr/bin/env" ? withoutOptions(words.slice(1)) : words;
  const [node = "", file, ...events] = rest;
  return /(?:^|[\\/])node(?:\.exe)?$/.test(node) && file === guard && events.every((word) => /^\w+$/.test(word));
}

/** The words of a line that `guardLine` could have made; `undefined` for any other line. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words = [...line.trim().matchAll(/'((?:[^']|'\\'')*)'|"([^"$`\\]*)"|([\w@%+=:,./~-]+)/g)];
  const plain = words.map(([whole]) => whole).join(" ");
  return plain === line.trim() ? words.map(([, single, double, bare]) => single?.replaceAll("'\\''", "'") ?? double ?? bare ?? "") : undefined;
}

function withoutOptions(words: readonly string[]): readonly string[] {
  const [option, name, ...rest] = words;
  return option === "-u" && name !== undefined && /^\w+$/.test(name) ? withoutOptions(rest) : words;
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) && !word.startsWith("~") ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
