/**
 * Command patterns of `runs` and `pipes`: rows of words in, plans of words out, each word any of its spellings. A name for
 * whole commands (`let $installs = [npm install, pnpm add]`) splits a row into several.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { CommandPlan } from "../guard/plan.ts";
import type { Command, CommandWord, Invocation } from "../syntax/ast.ts";
import type { CheckedArgument } from "./checked.ts";
import { elsewhere, mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import { textAt } from "./field.ts";
import { mostParts } from "./names.ts";
import { flatten } from "./values.ts";
import type { FlatItem, Item } from "./values.ts";

export function lowerCommand(command: Command, place: Place): readonly CommandPlan[] | undefined {
  const tail = command.tail.map((word) => slotOf(word, place));
  const rows = command.alternatives.map((words) => words.map((word) => slotOf(word, place)));
  const plans: CommandPlan[] = [];
  for (const row of rows) {
    const expanded = expand([...row, ...tail]);
    if (expanded === undefined) return undefined;
    if (expanded === "too many" || plans.length + expanded.length > mostParts) {
      place.report(diagnose("check/too-large", { what: "this command", most: mostParts }, { file: place.home.file, span: command.span, help: { text: "use one name for whole commands at most: its rows are combined with those of every other" } }));
      return undefined;
    }
    plans.push(...expanded);
  }
  return distinct(plans);
}

/** What may stand at one place of a row: each a row of words itself. `undefined` where it was refused. */
type Slot = readonly (readonly string[])[] | undefined;

function slotOf(word: CommandWord, place: Place): Slot {
  switch (word.kind) {
    case "bare":
    case "flag":
      return [[word.text]];
    case "text":
      return word.value === "" ? refuseEmpty(word, place) : [[word.value]];
    case "regex":
      mismatch(place, word.span, "a command is given by its words, not by a pattern", "patterns may stand after `with`: `runs git with /…/`");
      return undefined;
    case "dollar": {
      const flat = flatten(word, place.home, place.names, place.report);
      if (!flat) return undefined;
      const rows = flat.items.map((item) => wordsOf(item, word, place));
      return rows.every((row) => row !== undefined) && rows.length > 0 ? rows : undefined;
    }
    default:
      return word satisfies never;
  }
}

function refuseEmpty(word: CommandWord, place: Place): undefined {
  mismatch(place, word.span, "no word of a command is empty", "leave it out");
  return undefined;
}

function wordsOf({ item, home }: FlatItem, use: CommandWord, place: Place): readonly string[] | undefined {
  switch (item.kind) {
    case "words":
      return item.words;
    case "flag":
      return [item.text];
    case "text":
      if (item.value !== "") return [item.value];
      refuseEmpty(use, place);
      return undefined;
    default:
      mismatch(place, use.span, `\`${textAt(home.file, item.span)}\` is no word of a command`, "a list of commands holds words: `[npm install, pnpm add]`");
      return undefined;
  }
}

function expand(slots: readonly Slot[]): readonly CommandPlan[] | "too many" | undefined {
  let plans: readonly CommandPlan[] = [[]];
  for (const slot of slots) {
    if (slot === undefined) return undefined;
    // One word each: they are spellings of one place, and the number of rows stays.
    if (slot.every((row) => row.length === 1)) {
      const spellings = [...new Set(slot.flat())];
      plans = plans.map((plan) => [...plan, spellings]);
      continue;
    }
    if (plans.length * slot.length > mostParts) return "too many";
    plans = plans.flatMap((plan) => slot.map((row) => [...plan, ...row.map((word) => [word])]));
  }
  return plans;
}

function distinct(plans: readonly CommandPlan[]): readonly CommandPlan[] {
  return [...new Map(plans.map((plan) => [JSON.stringify(plan), plan])).values()];
}

export type Arguments = { readonly with: readonly (readonly CheckedArgument[])[]; readonly without: readonly (readonly CheckedArgument[])[] };

export function lowerArguments(invocation: Invocation, place: Place): Arguments | undefined {
  const lowered = invocation.arguments.map(({ kind, patterns }) => ({ kind, patterns: patterns.map((pattern) => argumentsOf(pattern, place)) }));
  const groups = (wanted: "with" | "without") => lowered.filter(({ kind }) => kind === wanted).map(({ patterns }) => patterns.flatMap((group) => group ?? []));
  return lowered.some(({ patterns }) => patterns.some((group) => group === undefined)) ? undefined : { with: groups("with"), without: groups("without") };
}

function argumentsOf(word: CommandWord, place: Place): readonly CheckedArgument[] | undefined {
  switch (word.kind) {
    case "bare":
      return [{ kind: "word", text: word.text }];
    case "flag":
      return [{ kind: "flag", text: word.text }];
    case "text":
      return [{ kind: "word", text: word.value }];
    case "regex":
      return place.refused.has(word) ? undefined : [{ kind: "pattern", regex: word }];
    case "dollar": {
      const flat = flatten(word, place.home, place.names, place.report);
      if (!flat) return undefined;
      const lowered = flat.items.map((item) => argumentOf(item, word, place));
      return lowered.every((argument) => argument !== undefined) && lowered.length > 0 ? lowered : undefined;
    }
    default:
      return word satisfies never;
  }
}

function argumentOf(flat: FlatItem, use: CommandWord, place: Place): CheckedArgument | undefined {
  const { item } = flat;
  if (item.kind === "flag") return { kind: "flag", text: item.text };
  if (item.kind === "text") return { kind: "word", text: item.value };
  if (item.kind === "regex") return place.refused.has(item) ? undefined : { kind: "pattern", regex: item, ...elsewhere(flat, place) };
  const [only, ...rest] = item.kind === "words" ? item.words : [];
  if (only !== undefined && rest.length === 0) return { kind: "word", text: only };
  mismatch(place, use.span, argumentProblem(item, textAt(flat.home.file, item.span)), "an argument is a flag, one word, a text in quotes or a pattern");
  return undefined;
}

function argumentProblem(item: Item, written: string): string {
  return item.kind === "words" ? `\`${written}\` is several words, and an argument is one` : `\`${written}\` is no argument of a command`;
}
