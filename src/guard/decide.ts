/**
 * The decision: a plan and a call go in, the strictest answer of all rules that apply comes out (deny, ask, allow, pass)
 * with every reason. No rule is skipped because another one fired, and their order decides nothing but the words.
 */
import type { Decision, Reason, ToolCall } from "./call.ts";
import { judgeCondition } from "./condition.ts";
import type { Watch } from "./condition.ts";
import type { Scope } from "./fields.ts";
import { joinReasons, ruleReason } from "./messages.ts";
import { textMemo } from "./patterns.ts";
import type { ConditionPlan, EffectPlan, GatePlan, GuardPlan, RulePlan, RuleSeverity } from "./plan.ts";
import { appliesTo } from "./trigger.ts";
import { allOf, anyOf, notTruth, someHolds } from "./truth.ts";
import type { Position, Truth, World } from "./world.ts";

/** What became of one rule. `cause` says why it applies, or would, only by doubt. */
export type Outcome =
  /** Another event or tool, or `from` a later day on. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "silent"; readonly cause?: string }
  /** `effect` is what it comes to: by doubt a deny may become an ask, or a pass. */
  | { readonly kind: "fires"; readonly effect: Decision["effect"]; readonly cause?: string };

/** Told of every rule and of every part of their conditions, for `explain` and for examples that fail. */
export interface Trace {
  condition(rule: RulePlan, condition: ConditionPlan, truth: Truth, position: Position): void;
  rule(rule: RulePlan, outcome: Outcome): void;
}

interface Fired {
  readonly effect: GatePlan["kind"];
  readonly severity: RuleSeverity;
  readonly reason: Reason;
}

type GateRule = RulePlan & { readonly effect: GatePlan };

const strictness = { deny: 3, retry: 3, ask: 2, allow: 1, pass: 0 } as const;
const gravity = { critical: 3, high: 2, medium: 1, low: 0 } as const;

export function decide(plan: GuardPlan, call: ToolCall, world: World, trace?: Trace): Decision {
  const scope: Scope = { call, world, memo: textMemo() };
  const fired: Fired[] = [];
  for (const rule of plan.rules) {
    if (!isGateRule(rule)) continue;
    const outcome = judgeRule(rule, scope, trace);
    trace?.rule(rule, outcome);
    if (outcome.kind !== "fires" || outcome.effect === "pass") continue;
    fired.push({ effect: outcome.effect, severity: rule.severity, reason: ruleReason(rule, scope, outcome.cause) });
  }
  const effect = fired.reduce<Decision["effect"]>((strictest, one) => (strictness[one.effect] > strictness[strictest] ? one.effect : strictest), "pass");
  // What would be asked once the denials are gone is worth knowing too; a grant that lost is not.
  const told = fired.filter((one) => one.effect === effect || one.effect !== "allow");
  // The sort is stable: among equals the order of the files stays.
  const reasons = told.sort((first, second) => strictness[second.effect] - strictness[first.effect] || gravity[second.severity] - gravity[first.severity]).map((one) => one.reason);
  return { effect, message: joinReasons(reasons, true), personMessage: joinReasons(reasons, false), reasons };
}

function isGateRule(rule: RulePlan): rule is GateRule {
  return isGate(rule.effect);
}

function isGate(effect: EffectPlan): effect is GatePlan {
  return effect.kind === "deny" || effect.kind === "ask" || effect.kind === "allow" || effect.kind === "retry";
}

function judgeRule(rule: GateRule, scope: Scope, trace: Trace | undefined): Outcome {
  if (rule.from !== undefined && scope.world.today < rule.from) return { kind: "elsewhere" };
  const concerns = appliesTo(rule, scope.call);
  if (concerns === false) return { kind: "elsewhere" };
  const restricts = rule.effect.kind !== "allow";
  const watch: Watch | undefined = trace === undefined ? undefined : (condition, truth, position) => trace.condition(rule, condition, truth, position);
  const judge = (condition: ConditionPlan, position: Position): Truth => judgeCondition(condition, scope, position, watch);
  const when = rule.when === undefined ? true : judge(rule.when, restricts ? "wide" : "narrow");
  // An exception to a restriction relaxes, an exception to a grant restricts.
  const judgeException = (condition: ConditionPlan): Truth => judge(condition, restricts ? "narrow" : "wide");
  const exempt = trace !== undefined ? anyOf(rule.unless.map(judgeException)) : when !== false && someHolds(rule.unless, judgeException);
  const truth = allOf([concerns, when, notTruth(exempt)]);
  if (truth === false) return { kind: "silent" };
  if (truth === true) return { kind: "fires", effect: rule.effect.kind };
  return byDoubt(rule, truth.doubt);
}

/** Fail closed: doubt makes a deny or an ask apply and an allow not. */
function byDoubt(rule: GateRule, cause: string): Outcome {
  switch (rule.effect.kind) {
    case "deny":
      return { kind: "fires", effect: rule.unsure, cause };
    case "ask":
    case "retry":
      return { kind: "fires", effect: rule.effect.kind, cause };
    case "allow":
      return { kind: "silent", cause };
    default:
      return rule.effect satisfies never;
  }
}
