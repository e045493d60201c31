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

/** A rule about a program, or about one with a certain word behind it, and all else that it needs to apply. */
export interface ProgramRow {
  readonly rule: number;
  readonly needs: readonly Need[];
}

/** Numbers of the rules about the line's programs that have what they need, some perhaps more than once. */
export function rulesShown(commands: LineWords, text: string, index: string): readonly number[] {
  const shown: number[] = [];
  // Fail closed: what a substitution prints is open to the model, which also takes it for nothing and for an unknown text.
  const others = text.includes('"$(') ? ["", "\u{fffd}"] : [];
  const words = [...commands.flat(), ...others];
  const whole = others.length === 0 ? text : text + others.join("");
  for (const [name = ""] of commands) {
    // Most lines are of programs that no rule names.
    if (!index.includes(`\nprogram ${name}`)) continue;
    for (const word of ["", ...words]) {
      const rows = indexLine(index, `program ${name}${word === "" ? "" : " "}${word}`);
      if (rows === undefined) continue;
      for (const { rule, needs } of JSON.parse(rows) as readonly ProgramRow[]) if (showsAll(needs, words, whole)) shown.push(rule);
    }
  }
  return shown;
}

function showsAll(needs: readonly Need[], line: readonly string[], text: string): boolean {
  for (const need of needs) if (!shows(need, line, text)) return false;
  return true;
}

function shows(need: Need, line: readonly string[], text: string): boolean {
  if (need.words !== undefined) {
    for (const word of line) if (need.words.includes(word) || (word.startsWith("-") && need.words.some((wanted) => isOption(word, wanted)))) return true;
  }
  if (need.texts?.some((one) => text.includes(one)) || need.folded?.some((one) => text.toLowerCase().includes(one))) return true;
  return need.patterns !== undefined && need.patterns.map(({ source, flags }) => new RegExp(source, flags)).some((pattern) => line.some((word) => pattern.test(word)));
}

/** Programs take the beginning of a long option, and short ones in one word. */
function isOption(word: string, wanted: string): boolean {
  if (wanted.startsWith("--")) return word.startsWith(wanted.slice(0, 3));
  return /^-[A-Za-z]$/.test(wanted) && /^-[A-Za-z]+$/.test(word) && word.includes(wanted.charAt(1));
}

/** What the index says under a name. */
export function indexLine(index: string, name: string): string | undefined {
  const mark = `\n${name}: `;
  const start = index.indexOf(mark);
  return start < 0 ? undefined : index.slice(start + mark.length, index.indexOf("\n", start + 1));
}
