/**
 * What a line must show for a rule about a program to apply to it. The compiler writes such needs into the guard's index,
 * a line for each program; here one is read and held against the words and the text of a line.
 */
import type { LineWords } from "./simple-line.ts";

/** Any of the words, of the texts or of the patterns. */
export interface Need {
  /** Words of the line; an option also abbreviated or among others (`--forc`, `-xf`). */
  readonly words?: readonly string[];
  readonly texts?: readonly string[];
  /** In lower case. */
  readonly folded?: readonly string[];
  /** For single words; in time that grows as the words do. */
  readonly patterns?: readonly { readonly source: string; readonly flags: string }[];
}

/** A rule about a program, and all that it needs to apply. */
export interface ProgramRow {
  readonly rule: number;
  readonly needs: readonly Need[];
}

/** Numbers of the rules about the line's programs that have what they need. */
export function rulesShown(commands: LineWords, text: string, index: string): readonly number[] {
  const shown: number[] = [];
  // Most lines are of programs that no rule names.
  for (const name of programsOf(commands)) {
    const rows = indexLine(index, `program ${name}`);
    if (rows !== undefined) shown.push(...rowsShown(JSON.parse(rows) as readonly ProgramRow[], commands, text));
  }
  return shown;
}

/** Each once. */
function programsOf(commands: LineWords): Iterable<string> {
  return commands.length === 1 ? [commands[0]?.[0] ?? ""] : new Set(commands.map(([name = ""]) => name));
}

function rowsShown(rows: readonly ProgramRow[], commands: LineWords, text: string): readonly number[] {
  // Fail closed: what a substitution prints is open to the model, which also takes it for nothing and for an unknown text.
  const others = text.includes('"$(') ? ["", "\u{fffd}"] : [];
  const words = [...commands.flat(), ...others];
  const whole = text + others.join("");
  return rows.filter(({ needs }) => needs.every((need) => shows(need, words, whole))).map(({ rule }) => rule);
}

function shows({ words, texts, folded, patterns }: Need, line: readonly string[], text: string): boolean {
  if (words !== undefined) for (const wanted of words) for (const word of line) if (isWord(word, wanted)) return true;
  if (texts?.some((one) => text.includes(one)) || folded?.some((one) => text.toLowerCase().includes(one))) return true;
  return patterns !== undefined && patterns.map(({ source, flags }) => new RegExp(source, flags)).some((pattern) => line.some((word) => pattern.test(word)));
}

/** Programs take the beginning of a long option, and short ones in one word. */
function isWord(word: string, wanted: string): boolean {
  if (word === wanted) return true;
  if (!wanted.startsWith("-") || !word.startsWith("-")) return false;
  if (wanted.startsWith("--")) return word.startsWith(wanted.slice(0, 3));
  return /^-[A-Za-z]$/.test(wanted) && /^-[A-Za-z]+$/.test(word) && word.includes(wanted.charAt(1));
}

/** What the index says under a name. */
export function indexLine(index: string, name: string): string | undefined {
  const mark = `\n${name}: `;
  const start = index.indexOf(mark);
  return start < 0 ? undefined : index.slice(start + mark.length, index.indexOf("\n", start + 1));
}
