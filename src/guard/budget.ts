/**
 * The time of what a rule starts: how long each of its processes and requests may take, and all of them together. The
 * build adds the sums of an event to its hook entry's time-out, so that no host ends a guard that waits for a command.
 */
import type { ConditionPlan, RulePlan } from "./plan.ts";

/** Milliseconds for a process or a request of a rule that has no `timeout`. */
export const usualBudget = 5000;

/** Milliseconds that everything one rule starts may take: `run`, `forward`, `output of` and each different `succeeds`. */
export function budgetOf(rule: RulePlan): number {
  const { effect } = rule;
  const starts = effect.kind === "run" || effect.kind === "forward" || (effect.kind === "tell" && effect.source.kind === "output-of");
  const commands = new Set([...(rule.when === undefined ? [] : [rule.when]), ...rule.unless].flatMap(commandsIn));
  return (commands.size + (starts ? 1 : 0)) * (rule.timeout ?? usualBudget);
}

function commandsIn(condition: ConditionPlan): readonly string[] {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.flatMap(commandsIn);
  if (condition.kind === "not") return commandsIn(condition.of);
  return condition.kind === "succeeds" ? [condition.command] : [];
}
