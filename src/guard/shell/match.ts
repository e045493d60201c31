/**
 * Is a found command the one a rule names? Wide: any reading of it counts, letter case and abbreviations included.
 * Narrow: only what it surely is. Counts the words of the name first, then `with` and `without` on the words behind.
 */
import { haveCommonText, parseGlob } from "./glob-match.ts";
import type { Found } from "./machine.ts";
import { hasCmdletArgument, isCmdlet, matchesCmdlet } from "./powershell/match.ts";
import { nextWord, subcommandKeys } from "./subcommands.ts";
import { globalOptions } from "./tables/global-options.ts";
import { isSystemPath } from "./tables/names.ts";
import { optionValues } from "./tables/option-values.ts";
import { readsStatements } from "./tables/statement-readers.ts";
import { hasWildcard, isExact, isSettled, show } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { foldCase } from "../paths.ts";
import type { ArgumentPlan, CommandPlan, PatternPlan, RunsPlan } from "../plan.ts";
import type { Position } from "../world.ts";

/** Places in a command whose words have matched a rule's. */
interface Place {
  /** The first word behind the last one of the rule's. */
  readonly at: number;
  /** Options stepped over on the way (`npm -g install`). */
  readonly skipped: readonly number[];
}

/** True where the command is one of the rule's and its words are as the rule wants them. */
export function matchesRuns(found: Found, atom: RunsPlan, position: Position): boolean {
  return atom.commands.some((plan) => matchCommand(found, plan, position).some((place) => hasArguments(found, place, atom, position)));
}

export function matchesCommand(found: Found, plan: CommandPlan, position: Position): boolean {
  return matchCommand(found, plan, position).length > 0;
}

function matchCommand(found: Found, plan: CommandPlan, position: Position): readonly Place[] {
  if (found.dialect === "powershell" && isCmdlet(found.name)) return matchesCmdlet(found, plan) ? [{ at: 1, skipped: [] }] : [];
  const [name, ...rest] = plan;
  if (name === undefined || found.words.length === 0 || !name.some((spelling) => matchesName(found, spelling, position))) return [];
  let places: readonly Place[] = [{ at: 1, skipped: [] }];
  let key = found.name;
  for (const spellings of rest) {
    // An option among the rule's words (`runs git branch -D`) stands wherever options may stand.
    const flags: readonly ArgumentPlan[] = position === "wide" ? spellings.filter(isOption).map((text) => ({ kind: "flag", text })) : [];
    const plain = position === "wide" ? spellings.filter((text) => !isOption(text)) : spellings;
    const flagged = flags.length === 0 ? [] : places.filter((place) => hasAny(found, place, flags, position));
    const next = places.flatMap((place) => nextPlaces(found.words, place, key, position).filter(({ at }) => matchesWord(found.words[at - 1] ?? [], plain, position)));
    places = [...next, ...flagged];
    if (next.length === 0 && flagged.length > 0) continue;
    if (places.length === 0) return [];
    key = `${key} ${show(found.words[(places[0]?.at ?? 1) - 1]?.[0] ?? "")}`;
  }
  return places;
}

function isOption(text: string): boolean {
  return /^-./.test(text);
}

function matchesName(found: Found, spelling: string, position: Position): boolean {
  const written = found.words[0]?.[0] ?? "";
  if (position === "narrow") {
    if (found.dynamic || !isExact(written)) return false;
    const text = show(written);
    // A name with a slash is this program only where nobody but the system puts files, or as the rule itself writes it.
    return text === spelling || (!text.includes("/") ? found.name === spelling : isSystemPath(text) && found.name === spelling);
  }
  const wanted = foldCase(spelling.slice(spelling.lastIndexOf("/") + 1).replace(/\.exe$/i, ""));
  if (found.name === "") return false;
  if (foldCase(found.name) === wanted) return true;
  // `python3.12` is `python3`, and on Windows `npm.cmd` is `npm`.
  if (foldCase(found.name.replace(/(?<=\d)(?:\.\d+)+$|\.(?:cmd|bat|com)$/i, "")) === wanted) return true;
  // `/bin/r?` runs whatever matches.
  return found.dynamic && hasWildcard(written) && /[^*?]/.test(found.name) && haveCommonText(parseGlob(foldCase(found.name)), parseGlob(wanted.replace(/[*?[]/g, "[$&]")));
}

/** Where the next word of the rule may stand behind `place`. */
function nextPlaces(words: readonly Value[], place: Place, key: string, position: Position): readonly Place[] {
  // Narrow: an option in between may run something (`git -c core.pager=x log`).
  if (position === "narrow") return place.at < words.length ? [{ ...place, at: place.at + 1 }] : [];
  const valued = globalOptions(key) ?? globalOptions(key.split(" ")[0] ?? "");
  const next = nextWord(words, place.at, valued);
  const places = next === undefined ? [] : [{ at: next + 1, skipped: [...place.skipped, ...freeOptions(words, place.at, next, valued)] }];
  if (valued !== undefined || next === undefined || next === place.at) return places;
  // Options of an unknown tool may or may not take the next word.
  return [...places, ...(next + 1 < words.length ? [{ at: next + 2, skipped: places[0]?.skipped ?? [] }] : [])];
}

function freeOptions(words: readonly Value[], from: number, to: number, valued: ReadonlySet<string> | undefined): readonly number[] {
  const free: number[] = [];
  for (let at = from; at < to; at += 1) {
    if (valued?.has(show(words[at]?.[0] ?? "")) === true) at += 1;
    else free.push(at);
  }
  return free;
}

function matchesWord(word: Value, spellings: readonly string[], position: Position): boolean {
  const is = (text: Text): boolean => spellings.includes(show(text)) || (position === "wide" && !isSettled(text) && spellings.includes(show(text, "")));
  return position === "wide" ? word.some(is) : word.length > 0 && word.every((text) => isExact(text) && is(text));
}

function hasArguments(found: Found, place: Place, atom: RunsPlan, position: Position): boolean {
  if (!atom.with.every((any) => hasAny(found, place, any, position))) return false;
  // What must not be there is looked for in the opposite way: only sure presence prevents a wide match.
  return !atom.without.some((any) => hasAny(found, place, any, position === "wide" ? "narrow" : "wide", true));
}

/** `absence`: the question is whether one may be there, so in wide position a run-time word counts as what it may be. */
function hasAny(found: Found, place: Place, any: readonly ArgumentPlan[], position: Position, absence = false): boolean {
  if (found.dialect === "powershell" && isCmdlet(found.name)) return hasCmdletArgument(found.words, any, (pattern, word) => matchesPattern(pattern, word));
  return candidates(found, place, position, absence).some(({ word, isFlag, isText }) => {
    const counted = any.filter((one) => (one.kind === "flag" ? isFlag : isText));
    if (position === "narrow") return word.length > 0 && word.every((text) => (isExact(text) ? counted.some((one) => matchesArgument(one, show(text), position)) : absence && counted.some((one) => matchesStart(one, text))));
    return word.some((text) => {
      if (absence && mayBecome(text, counted)) return true;
      const readings = isSettled(text) ? [show(text)] : [show(text), show(text, "")];
      return counted.some((one) => readings.some((reading) => matchesArgument(one, reading, position)));
    });
  });
}

/** A word known only at run time may be whatever begins as it does; `*` may be a file named like an option. */
function mayBecome(text: Text, wanted: readonly ArgumentPlan[]): boolean {
  if (isExact(text)) return false;
  // Several words, the last of which may be anything.
  if (text.includes("\0u")) return true;
  const start = text.slice(0, text.search(/\0[ht*?[]/));
  return wanted.some((one) => {
    if (one.kind === "word") return one.text.startsWith(start);
    const asksForOption = one.kind === "flag" || one.pattern.source.startsWith("^-");
    return !asksForOption || start === "" || start.startsWith("-");
  });
}

/** `export A="$B"` has a word that matches `/^[^-]/`, whatever `B` holds: what an expression finds in the settled start is there. */
function matchesStart(plan: ArgumentPlan, text: Text): boolean {
  const start = text.slice(0, text.indexOf("\0"));
  // Fail closed: an end, a border of words and a look around ask for what follows.
  return start !== "" && plan.kind === "pattern" && !/\$|\\b|\(\?[=!<]/i.test(plan.pattern.source) && matchesPattern(plan.pattern, start);
}

interface Candidate {
  readonly word: Value;
  /** Stands where options may stand. */
  readonly isFlag: boolean;
  /** May be what `with WORD` and `with /…/` ask for. */
  readonly isText: boolean;
}

function candidates(found: Found, place: Place, position: Position, absence: boolean): readonly Candidate[] {
  const { words } = found;
  const end = words.findIndex((word, index) => index >= place.at && word.length === 1 && word[0] === "--");
  // Where absence is asked for, more words are the careful side.
  const values = absence ? none : valuesOfOptions(found);
  const behind = words.slice(place.at).map((word, index): Candidate => ({ word, isFlag: end === -1 || place.at + index < end, isText: !values.has(place.at + index) }));
  const skipped = place.skipped.map((at): Candidate => ({ word: words[at] ?? [], isFlag: true, isText: true }));
  const statements = position === "wide" && !absence && found.stdin !== undefined && readsStatements(found.name) ? [{ word: found.stdin, isFlag: false, isText: true }] : [];
  return [...skipped, ...behind, ...statements];
}

const none: ReadonlySet<number> = new Set();

/** Places of words that are values of options by the table. */
function valuesOfOptions({ name, words }: Found): ReadonlySet<number> {
  const row = subcommandKeys(name, words).map(({ key, at }) => ({ at, isValued: optionValues(key) })).find(({ isValued }) => isValued !== undefined);
  if (row?.isValued === undefined) return none;
  const places = new Set<number>();
  for (let at = row.at; at < words.length; at += 1) {
    const text = show(words[at]?.[0] ?? "");
    if (text === "--") break;
    if (!row.isValued(text)) continue;
    at += 1;
    places.add(at);
  }
  return places;
}

function matchesArgument(plan: ArgumentPlan, word: string, position: Position): boolean {
  switch (plan.kind) {
    case "flag":
      return matchesFlag(plan.text, word, position);
    case "word":
      return plan.text === word;
    case "pattern":
      return matchesPattern(plan.pattern, word);
    default:
      return plan satisfies never;
  }
}

function matchesFlag(flag: string, word: string, position: Position): boolean {
  if (word === flag) return true;
  if (flag.startsWith("--")) {
    const equal = word.indexOf("=");
    const name = equal === -1 ? word : word.slice(0, equal);
    // `--dry-run=none` is no dry run.
    if (position === "narrow" && /^(?:false|no|none|never|off|0)$/i.test(word.slice(name.length + 1))) return false;
    if (name === flag) return true;
    // GNU programs take any unambiguous beginning.
    return position === "wide" && name.length > 2 && name.startsWith("--") && flag.startsWith(name);
  }
  return /^-[A-Za-z]$/.test(flag) && /^-[A-Za-z]+$/.test(word) && word.includes(flag.charAt(1));
}

function matchesPattern(pattern: PatternPlan, word: string): boolean {
  if (pattern.literal !== undefined && !pattern.flags.includes("i") && !word.includes(pattern.literal)) return false;
  return new RegExp(pattern.source, pattern.flags).test(word);
}
