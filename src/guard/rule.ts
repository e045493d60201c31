/**
 * One rule on one call: whether it applies, surely or by doubt, and what its effect comes to then. Who gets the benefit of
 * a doubt depends on the effect (LANGUAGE.md 3.5).
 */
import { judgeCondition } from "./condition.ts";
import type { Watch } from "./condition.ts";
import type { Scope } from "./fields.ts";
import type { Outcome, Trace } from "./outcome.ts";
import type { ConditionPlan, EffectPlan, GatePlan, RulePlan } from "./plan.ts";
import { wouldChange } from "./transform.ts";
import { appliesTo } from "./trigger.ts";
import { allOf, anyOf, notTruth, someHolds } from "./truth.ts";
import type { Position, Truth } from "./world.ts";

export type GateRule = RulePlan & { readonly effect: GatePlan };

export function isGateRule(rule: RulePlan): rule is GateRule {
  return isGate(rule.effect);
}

function isGate(effect: EffectPlan): effect is GatePlan {
  return effect.kind === "deny" || effect.kind === "ask" || effect.kind === "allow" || effect.kind === "retry";
}

/** Effects that a doubt makes apply. All others leave a call as it is where it is not sure that they are about it. */
const restricting: ReadonlySet<EffectPlan["kind"]> = new Set(["deny", "ask", "retry", "redact", "log", "forward"]);

export function judgeRule(rule: RulePlan, scope: Scope, trace: Trace | undefined): Outcome {
  const { effect } = rule;
  if (rule.from !== undefined && scope.world.today < rule.from) return { kind: "elsewhere" };
  const concerns = appliesTo(rule, scope.call);
  if (concerns === false) return { kind: "elsewhere" };
  // Before the condition, which may start a process.
  if (effect.kind === "retry" && (scope.world.retries?.(rule.id) ?? 0) >= effect.limit) return { kind: "silent" };
  const own = rule.timeout === undefined ? scope : { ...scope, timeout: rule.timeout };
  const watch: Watch | undefined = trace === undefined ? undefined : (condition, truth, position) => trace.condition(rule, condition, truth, position);
  const judge = (condition: ConditionPlan, position: Position): Truth => judgeCondition(condition, own, position, watch);
  const when = rule.when === undefined ? true : judge(rule.when, restricting.has(effect.kind) ? "wide" : "narrow");
  // An exception relaxes, but for one to a grant, which restricts.
  const judgeException = (condition: ConditionPlan): Truth => judge(condition, effect.kind === "allow" ? "wide" : "narrow");
  const exempt = trace !== undefined ? anyOf(rule.unless.map(judgeException)) : when !== false && someHolds(rule.unless, judgeException);
  const changes = rule.wouldChange === undefined || when === false || exempt === true || wouldChange(rule.wouldChange, scope);
  return outcomeOf(rule, allOf([concerns, when, changes]), exempt);
}

/** Fail closed: a doubt makes a restriction apply, and an exception from one not hold. */
function outcomeOf(rule: RulePlan, applies: Truth, exempt: Truth): Outcome {
  const { effect } = rule;
  const truth = allOf([applies, notTruth(exempt)]);
  if (truth === false) return { kind: "silent" };
  if (truth === true) return { kind: "fires", effect: effect.kind };
  const cause = truth.doubt;
  if (effect.kind === "deny") return { kind: "fires", effect: rule.unsure, cause };
  if (restricting.has(effect.kind)) return { kind: "fires", effect: effect.kind, cause };
  // A grant needs both: its condition surely, its exception surely not.
  return effect.kind !== "allow" && applies === true ? { kind: "fires", effect: effect.kind, cause } : { kind: "silent", cause };
}
