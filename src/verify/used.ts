/**
 * The effects that a policy uses at each of a host's events, and the plan that has one of them alone, without its
 * conditions: for effects that no payload at hand brings about.
 */
import type { ConditionPlan, EffectPlan, GuardPlan, RulePlan } from "../guard/plan.ts";
import type { HookEntry } from "../hosts/host.ts";

/** As the language has it: `tell model`. */
export function effectWord(effect: EffectPlan): string {
  return effect.kind === "tell" ? `tell ${effect.audience}` : effect.kind;
}

/** The rules of each effect at the event, in file order. */
export function usedEffects(plan: GuardPlan, { rules }: Pick<HookEntry, "rules">): ReadonlyMap<string, readonly RulePlan[]> {
  const used = new Map<string, RulePlan[]>();
  // What cleans a guard's own texts alone answers nothing.
  for (const rule of plan.rules.filter(({ id, effect }) => rules.includes(id) && !(effect.kind === "redact" && effect.fields.length === 0))) {
    const word = effectWord(rule.effect);
    used.set(word, [...(used.get(word) ?? []), rule]);
  }
  return used;
}

/** A guard of a scratch project with nothing but these rules. */
export function scratchPlan({ rootVariable: _root, state: _state, ...plan }: GuardPlan, rules: readonly RulePlan[]): GuardPlan {
  return { ...plan, scope: "project", rules };
}

/** The rule for every call of its event and tools, from today on. */
export function unconditional({ when: _when, from: _from, ...rule }: RulePlan): RulePlan {
  return { ...rule, unless: [] };
}

/** True for rules that start, write and send nothing. */
export function isQuiet({ effect, when, unless }: RulePlan): boolean {
  if ([...(when === undefined ? [] : [when]), ...unless].some(startsCommand)) return false;
  switch (effect.kind) {
    case "log":
    case "run":
    case "forward":
    case "mark":
    case "unmark":
      return false;
    case "tell":
      return effect.source.kind !== "output-of";
    default:
      return true;
  }
}

function startsCommand(condition: ConditionPlan): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some(startsCommand);
  return condition.kind === "not" ? startsCommand(condition.of) : condition.kind === "succeeds";
}
