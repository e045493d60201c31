/**
 * The time of what rules start. A rule's `timeout` is for each of its processes and requests; the build adds those of an
 * event to its hook entry's time-out, so that no host ends a guard that waits for a command.
 */
import type { ConditionPlan, RulePlan } from "./plan.ts";

/** Milliseconds where a rule says nothing. */
const usualBudget = 5000;

/** Milliseconds that a process or a request may take, where its rule has this `timeout` or none. */
export function allowance(timeout: number | undefined): number {
  return timeout ?? usualBudget;
}

/** The most that any of the rules gives a command of `succeeds`: it runs once for all of them. */
export function mostPatience(rules: readonly RulePlan[], command: string, least: number): number {
  const asking = rules.filter(({ when, unless }) => [...(when === undefined ? [] : [when]), ...unless].some((condition) => asks(condition, command)));
  return Math.max(least, ...asking.map((rule) => allowance(rule.timeout)));
}

function asks(condition: ConditionPlan, command: string): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some((part) => asks(part, command));
  if (condition.kind === "not") return asks(condition.of, command);
  return condition.kind === "succeeds" && condition.command === command;
}
