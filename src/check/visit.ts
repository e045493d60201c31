/** The parts of a checked rule: every test of a condition, every effect. For checks that look for one kind wherever it stands. */
import type { CheckedCondition, CheckedEffect, CheckedFallback } from "./checked.ts";
import type { RuleDraft } from "./rule.ts";

/** The condition itself first. */
export function conditionsIn(condition: CheckedCondition): readonly CheckedCondition[] {
  if (condition.kind === "and" || condition.kind === "or") return [condition, ...condition.of.flatMap(conditionsIn)];
  return condition.kind === "not" ? [condition, ...conditionsIn(condition.of)] : [condition];
}

/** The rule's own effect, its `also` and its `else`. */
export function effectsOf({ effect, also, otherwise }: { readonly effect?: CheckedEffect | undefined; readonly also: readonly CheckedEffect[]; readonly otherwise?: CheckedFallback | undefined }): readonly CheckedEffect[] {
  return [...(effect ? [effect] : []), ...also, ...(otherwise?.kind === "effect" ? [otherwise.effect] : [])];
}

/** Commands that rules of the project start for an answer. */
export interface Commands {
  readonly succeeds: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

export function commandsOf(drafts: readonly RuleDraft[]): Commands {
  const succeeds = new Set<string>();
  const outputs = new Set<string>();
  for (const draft of drafts) {
    for (const condition of [...(draft.when ? [draft.when] : []), ...draft.unless].flatMap(conditionsIn)) if (condition.kind === "succeeds") succeeds.add(condition.command);
    for (const effect of effectsOf(draft)) if (effect.kind === "tell" && effect.source.kind === "output-of") outputs.add(effect.source.command);
  }
  return { succeeds, outputs };
}
