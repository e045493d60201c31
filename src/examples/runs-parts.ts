/**
 * Takes a `runs` apart that did not hold: was the command there at all, and which of its arguments was not? Each part is
 * judged as a `runs` of its own.
 */
import type { ArgumentPlan, CommandPlan, RunsPlan } from "../guard/plan.ts";
import type { Truth } from "../guard/world.ts";

export interface RunsPart {
  /** In the words of the language: `runs rm`, `with -r`. */
  readonly words: string;
  readonly truth: Truth;
}

/** Empty where there is only one part. */
export function runsParts(atom: RunsPlan, judge: (atom: RunsPlan) => Truth): readonly RunsPart[] {
  if (atom.with.length + atom.without.length === 0) return [];
  const command: RunsPlan = { ...atom, with: [], without: [] };
  return [
    { words: `${atom.only ? "only runs" : "runs"} ${listed(atom.commands.map(commandWords))}`, truth: judge(command) },
    ...atom.with.map((patterns) => ({ words: `with ${listed(patterns.map(argumentWords))}`, truth: judge({ ...command, with: [patterns] }) })),
    ...atom.without.map((patterns) => ({ words: `without ${listed(patterns.map(argumentWords))}`, truth: judge({ ...command, without: [patterns] }) })),
  ];
}

function commandWords(command: CommandPlan): string {
  return command.map((spellings) => spellings.join("|")).join(" ");
}

function argumentWords(argument: ArgumentPlan): string {
  return argument.kind === "pattern" ? `/${argument.pattern.source}/` : argument.text;
}

function listed(texts: readonly string[]): string {
  return texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]`;
}
