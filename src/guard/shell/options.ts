/** Reads the options of a program by the list of those that take a value: the spelling rules of getopt. */
import { show } from "./text.ts";
import type { Text, Value } from "./text.ts";

export interface ReadOption {
  /** `-u`, `--user`. */
  readonly name: string;
  /** `undefined` for an option without a value. */
  readonly value: Value | undefined;
  /** Place of its word. */
  readonly at: number;
}

export interface ReadWords {
  readonly options: ReadOption[];
  /** Places of the words that are no options and no values of options. */
  readonly operands: readonly number[];
}

/** The one text of a word; `undefined` where it has several. */
export function only(value: Value | undefined): Text | undefined {
  return value?.length === 1 ? value[0] : undefined;
}

/** The options and operands from `from` on. `first`: the first operand ends the options, as before another command. */
export function readOptions(words: readonly Value[], from: number, valued: ReadonlySet<string>, first: boolean): ReadWords {
  const options: ReadOption[] = [];
  const operands: number[] = [];
  for (let at = from; at < words.length; at += 1) {
    const text = show(words[at]?.[0] ?? "");
    if (text === "--") {
      for (let rest = at + 1; rest < words.length; rest += 1) operands.push(rest);
      break;
    }
    if (text.length < 2 || !/^[-+]/.test(text) || (text.startsWith("+") && !valued.has("+"))) {
      if (first) {
        for (let rest = at; rest < words.length; rest += 1) operands.push(rest);
        break;
      }
      operands.push(at);
      continue;
    }
    const option = readOption(words, at, text, valued);
    options.push(...option.read);
    at += option.taken;
  }
  return { options, operands };
}

function readOption(words: readonly Value[], at: number, text: string, valued: ReadonlySet<string>): { read: readonly ReadOption[]; taken: 0 | 1 } {
  const next = words[at + 1];
  const equal = text.indexOf("=");
  if (text.startsWith("--") || valued.has(text) || (equal > 0 && valued.has(text.slice(0, equal)))) {
    if (equal > 0) {
      const name = text.slice(0, equal);
      return { read: [{ name, value: joined(words[at], equal + 1), at }], taken: 0 };
    }
    if (!valued.has(text) && !isAbbreviation(text, valued)) return { read: [{ name: text, value: undefined, at }], taken: 0 };
    return { read: [{ name: text, value: next, at }], taken: next === undefined ? 0 : 1 };
  }
  const read: ReadOption[] = [];
  for (let place = 1; place < text.length; place += 1) {
    const name = text.charAt(0) + text.charAt(place);
    if (!valued.has(name)) {
      read.push({ name, value: undefined, at });
      continue;
    }
    if (place + 1 < text.length) return { read: [...read, { name, value: joined(words[at], place + 1), at }], taken: 0 };
    return { read: [...read, { name, value: next, at }], taken: next === undefined ? 0 : 1 };
  }
  return { read, taken: 0 };
}

function isAbbreviation(text: string, valued: ReadonlySet<string>): boolean {
  if (text.length < 4) return false;
  for (const name of valued) if (name.startsWith(text)) return true;
  return false;
}

/** The rest of a word's texts behind its first `length` characters. */
function joined(word: Value | undefined, length: number): Value {
  // Options are plain at their start, so marks come only behind.
  return (word ?? []).map((text) => text.slice(length));
}

/** Where a word may be an option or not, each reading is a command of its own. */
export function forkOptions(words: readonly Value[]): readonly (readonly Value[])[] {
  const isOpen = (word: Value): boolean => word.length > 1 && word.some((text) => text.startsWith("-"));
  if (!words.some(isOpen)) return [words];
  let lists: (readonly Value[])[] = [[]];
  for (const word of words) {
    const dashes = word.length > 1 ? word.filter((text) => text.startsWith("-")) : [];
    const others = dashes.length === 0 ? word : word.filter((text) => !text.startsWith("-"));
    const choices: readonly Value[] = dashes.length === 0 ? [word] : [...dashes.map((text) => [text]), ...(others.length > 0 ? [others] : [])];
    lists = lists.length * choices.length > 64 ? lists.map((list) => [...list, word]) : lists.flatMap((list) => choices.map((choice) => [...list, choice]));
  }
  return lists;
}
