/**
 * What becomes of one rule on one call, and who may watch it: `explain` and examples that fail tell it to people.
 */
import type { ToolCall } from "./call.ts";
import type { ConditionPlan, EffectPlan, RulePlan } from "./plan.ts";
import type { Position, Truth } from "./world.ts";

/** `cause` says why the rule applies, or would, only by doubt. */
export type Outcome =
  /** Another event or tool, or `from` a later day on. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "silent"; readonly cause?: string }
  /** `effect` is what it comes to: by doubt a deny may become an ask, or a pass. A transform fires where it changes something. */
  | { readonly kind: "fires"; readonly effect: EffectPlan["kind"] | "pass"; readonly cause?: string };

/** Told of every rule and of every part of their conditions. */
export interface Trace {
  condition(rule: RulePlan, condition: ConditionPlan, truth: Truth, position: Position): void;
  rule(rule: RulePlan, outcome: Outcome): void;
  /** Where a transform changed the call: who is told of the gates on what it became. Absent: nobody. */
  again?(call: ToolCall): Trace;
}
