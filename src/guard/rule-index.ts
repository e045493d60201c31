/**
 * Which rules a call can concern, by the index that lies in the guard beside the rules: the keys of its tool and the line
 * it would run go in, numbers of rules come out. `rule-index.ts` of the compiler writes what is read here.
 */
import { mayNameFile } from "./file-words.ts";
import { indexLine, rulesShown } from "./needs.ts";
import { wordsOf } from "./shell-call.ts";
import { isSimple } from "./simple-line.ts";

/** Numbers of rules by key. */
type Rows = Readonly<Record<string, readonly number[]>>;

/**
 * The rules before a tool that may apply, or make a difference if others do; none where no rule can apply. `keys`: what
 * rules can call the tool. `line`: all that the call does, where it is one plain line of Bash.
 */
export function numbersFor(index: string, keys: readonly string[], line: string | undefined): readonly number[] {
  const tools = rowsOf(index, "tools");
  const concerned = new Set(keys.flatMap((key) => numbersUnder(tools, key)));
  if (concerned.size === 0) return [];
  const places = rowsOf(index, "places");
  const shown = line === undefined ? undefined : shownBy(line, places, index);
  const beside = numbersUnder(places, "beside");
  const numbers = [...concerned].filter((number) => shown === undefined || shown.has(number) || beside.includes(number));
  return numbers.every((number) => beside.includes(number)) ? [] : numbers.sort((one, other) => one - other);
}

/** True where each of the rules is a gate that compares the command with texts and does nothing else (`textual.ts`). */
export function areTextual(index: string, numbers: readonly number[]): boolean {
  const textual = numbersUnder(rowsOf(index, "places"), "textual");
  return numbers.every((number) => textual.includes(number));
}

/** How many rules there are. */
export function countRules(index: string): number {
  return Number(lineOf(index, "rules"));
}

/** The rules whose signs a line shows; `undefined` where that takes its words and it is no simple line. */
function shownBy(text: string, places: Rows, index: string): ReadonlySet<number> | undefined {
  const commands = lineOf(index, "words") === "false" ? [] : wordsOf(text);
  if (commands === undefined || !isSimple(commands)) return undefined;
  const paths = numbersUnder(places, "paths");
  const found = [...numbersUnder(places, "always"), ...(paths.length > 0 && mayNameFile(commands) ? paths : []), ...rulesShown(commands, text, index)];
  for (const [sign, numbers] of Object.entries(rowsOf(index, "texts"))) if (text.includes(sign)) found.push(...numbers);
  for (const [sign, numbers] of Object.entries(rowsOf(index, "folded texts"))) if (text.toLowerCase().includes(sign)) found.push(...numbers);
  return new Set(found);
}

function numbersUnder(rows: Rows, key: string): readonly number[] {
  return Object.hasOwn(rows, key) ? (rows[key] ?? []) : [];
}

function rowsOf(index: string, list: string): Rows {
  return JSON.parse(lineOf(index, list)) as Rows;
}

/** Fail closed: a list that is not there is no empty one. */
function lineOf(index: string, list: string): string {
  const line = indexLine(index, list);
  if (line === undefined) throw new Error("the guard's index is incomplete");
  return line;
}
