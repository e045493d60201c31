/**
 * Conditions: a plan's condition and a call go in, true, false or a doubt comes out. The position says whom the benefit
 * of the doubt serves (wide: a match restricts; narrow: a match relaxes) and flips under `not`.
 */
import { compareField } from "./compare.ts";
import { hasField, readField } from "./fields.ts";
import type { Scope } from "./fields.ts";
import { judgeFileEffect } from "./file-effects.ts";
import type { ConditionPlan, FieldPath } from "./plan.ts";
import type { ShellAtom } from "./shell/shell.ts";
import { allOf, anyOf, notTruth } from "./truth.ts";
import type { Position, Truth } from "./world.ts";

/** Told of the truth of every part of a condition; with it every part is evaluated, without it only what is needed. */
export type Watch = (condition: ConditionPlan, truth: Truth, position: Position) => void;

export function judgeCondition(condition: ConditionPlan, scope: Scope, position: Position, watch?: Watch): Truth {
  const truth = truthOf(condition, scope, position, watch);
  watch?.(condition, truth, position);
  return truth;
}

function truthOf(condition: ConditionPlan, scope: Scope, position: Position, watch: Watch | undefined): Truth {
  switch (condition.kind) {
    case "and":
      return allOf(parts(condition.of, scope, position, watch));
    case "or":
      return anyOf(parts(condition.of, scope, position, watch));
    case "not":
      return notTruth(judgeCondition(condition.of, scope, position === "wide" ? "narrow" : "wide", watch));
    case "compare":
      return compareField(condition, scope, position);
    case "is":
      return isSet(condition.field, scope, position);
    case "has":
      return hasField(condition.field, scope);
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      if (scope.call.subject.commands.length === 0) return judgeFileEffect(condition, scope.call, position, scope.world);
      return judgeCommands(condition, scope, position);
    case "runs":
    case "pipes":
    case "dynamic":
      return judgeCommands(condition, scope, position);
    case "succeeds":
      return scope.world.succeeds?.(condition.command, scope.timeout) ?? { doubt: "a command of the project cannot be run here" };
    case "marked":
      return scope.world.marked?.(condition.name) ?? false;
    default:
      return condition satisfies never;
  }
}

function parts(conditions: readonly ConditionPlan[], scope: Scope, position: Position, watch: Watch | undefined): Iterable<Truth> {
  const judge = (condition: ConditionPlan): Truth => judgeCondition(condition, scope, position, watch);
  return watch === undefined ? lazily(conditions, judge) : conditions.map(judge);
}

function* lazily(conditions: readonly ConditionPlan[], judge: (condition: ConditionPlan) => Truth): Generator<Truth> {
  for (const condition of conditions) yield judge(condition);
}

/** The parser is loaded for calls that have something to parse, and for no other. */
function judgeCommands(atom: ShellAtom, scope: Scope, position: Position): Truth {
  if (scope.call.subject.commands.length === 0) return false;
  return scope.world.shell().judge(atom, scope.call, position, scope.world);
}

/** A boolean field. Some hosts take `"true"` for true; a relaxing rule does not build on that. */
function isSet(field: FieldPath, scope: Scope, position: Position): Truth {
  if (field[0] === "dynamic" && field.length === 1) return judgeCommands({ kind: "dynamic" }, scope, position);
  const reading = readField(field, scope);
  if (reading.kind === "bool") return reading.value;
  if (reading.kind === "doubt") return { doubt: reading.doubt };
  return reading.kind === "json" && (reading.value === true || (position === "wide" && reading.value === "true"));
}
