/** The parts of a checked rule: every test of a condition, every effect. For checks that look for one kind wherever it stands. */
import type { CheckedCondition, CheckedEffect, CheckedFallback } from "./checked.ts";

/** The condition itself first. */
export function conditionsIn(condition: CheckedCondition): readonly CheckedCondition[] {
  if (condition.kind === "and" || condition.kind === "or") return [condition, ...condition.of.flatMap(conditionsIn)];
  return condition.kind === "not" ? [condition, ...conditionsIn(condition.of)] : [condition];
}

/** The rule's own effect, its `also` and its `else`. */
export function effectsOf({ effect, also, otherwise }: { readonly effect?: CheckedEffect | undefined; readonly also: readonly CheckedEffect[]; readonly otherwise?: CheckedFallback | undefined }): readonly CheckedEffect[] {
  return [...(effect ? [effect] : []), ...also, ...(otherwise?.kind === "effect" ? [otherwise.effect] : [])];
}
