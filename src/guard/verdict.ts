/**
 * Gates that fired become one answer: the strictest of them, with every reason. Judged twice where the call was changed
 * in between, a refusal of either round counts, and a grant only where both gave one (LANGUAGE.md 3.1).
 */
import type { Decision, Reason } from "./call.ts";
import type { GatePlan, RuleSeverity } from "./plan.ts";

/** One gate that fired. */
export interface Fired {
  /** Where the rule stands in the plan. */
  readonly index: number;
  readonly effect: GatePlan["kind"];
  readonly severity: RuleSeverity;
  readonly reason: Reason;
}

export interface Verdict {
  readonly effect: Decision["effect"];
  /** Worst first. */
  readonly reasons: readonly Reason[];
}

const strictness = { deny: 3, retry: 3, ask: 2, allow: 1, pass: 0 } as const;
const gravity = { critical: 3, high: 2, medium: 1, low: 0 } as const;

/** `again`: what fired on the call as it became; absent where nothing changed it. */
export function verdictOf(first: readonly Fired[], again?: readonly Fired[]): Verdict {
  const effect = again === undefined ? strictest(first) : bothRounds(strictest(first), strictest(again));
  // What would be asked once the denials are gone is worth knowing too; a grant that lost is not.
  const told = distinct([...first, ...(again ?? [])]).filter((one) => one.effect === effect || one.effect !== "allow");
  const worse = (one: Fired, other: Fired): number => strictness[other.effect] - strictness[one.effect] || gravity[other.severity] - gravity[one.severity] || one.index - other.index;
  return { effect, reasons: told.sort(worse).map((one) => one.reason) };
}

function strictest(fired: readonly Fired[]): Decision["effect"] {
  return fired.reduce<Decision["effect"]>((effect, one) => (strictness[one.effect] > strictness[effect] ? one.effect : effect), "pass");
}

function bothRounds(first: Decision["effect"], again: Decision["effect"]): Decision["effect"] {
  if (first === "allow" || again === "allow") {
    const other = first === "allow" ? again : first;
    return other === "pass" ? "pass" : other;
  }
  return strictness[again] > strictness[first] ? again : first;
}

/** A rule that fired in both rounds says one thing: the stricter, or else the first. */
function distinct(fired: readonly Fired[]): Fired[] {
  const byRule = new Map<number, Fired>();
  for (const one of fired) {
    const known = byRule.get(one.index);
    if (known === undefined || strictness[one.effect] > strictness[known.effect]) byRule.set(one.index, one);
  }
  return [...byRule.values()];
}
