/**
 * A checked condition as the guard's plain data: globs become regular expressions, patterns get the text each of their
 * matches holds. `remember` is told of every plan made, so that a finding about it can point at its words.
 */
import type { CheckedArgument, CheckedCondition, CheckedGlob, CheckedValue } from "../check/checked.ts";
import type { ArgumentPlan, ConditionPlan, GlobPlan, PatternPlan, ValuePlan } from "../guard/plan.ts";
import type { Regex } from "../syntax/ast.ts";
import { lowerGlob } from "./glob.ts";
import { requiredText } from "./required-text.ts";
import { searchDegree } from "./search-cost.ts";

export type Remember = (plan: ConditionPlan, condition: CheckedCondition) => void;

/** How the host spells the name of an MCP server (`HostFacts.mcpPart`). */
export type Spell = (name: string) => string;

export function lowerCondition(condition: CheckedCondition, remember: Remember, spell: Spell): ConditionPlan {
  const plan = planOf(condition, remember, spell);
  remember(plan, condition);
  return plan;
}

function planOf(condition: CheckedCondition, remember: Remember, spell: Spell): ConditionPlan {
  switch (condition.kind) {
    case "and":
    case "or":
      return { kind: condition.kind, of: condition.of.map((part) => lowerCondition(part, remember, spell)) };
    case "not":
      return { kind: "not", of: lowerCondition(condition.of, remember, spell) };
    case "compare":
      return {
        kind: "compare",
        field: condition.field,
        ...(condition.measure && { measure: condition.measure }),
        operator: condition.operator,
        values: condition.field[0] === "server" ? condition.values.map(lowerValue).flatMap((value) => respelled(value, spell)) : condition.values.map(lowerValue),
      };
    case "is":
    case "has":
      return { kind: condition.kind, field: condition.field };
    case "runs":
      return {
        kind: "runs",
        only: condition.only,
        commands: condition.commands,
        with: condition.with.map((patterns) => patterns.map(lowerArgument)),
        without: condition.without.map((patterns) => patterns.map(lowerArgument)),
      };
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      return { kind: condition.kind, globs: lowerGlobs(condition.globs) };
    case "pipes":
      return { kind: "pipes", from: condition.from, into: condition.into };
    case "dynamic":
      return { kind: "dynamic" };
    case "succeeds":
      return { kind: "succeeds", command: condition.command };
    case "marked":
      return { kind: "marked", name: condition.name };
    default:
      return condition satisfies never;
  }
}

function lowerValue(value: CheckedValue): ValuePlan {
  switch (value.kind) {
    case "pattern":
      return { kind: "pattern", pattern: lowerPattern(value.regex) };
    case "globs":
      return { kind: "globs", globs: lowerGlobs(value.globs) };
    case "text":
      return { kind: "text", text: value.text };
    case "number":
      return { kind: "number", value: value.value };
    case "size":
      return { kind: "size", bytes: value.bytes };
    case "field":
      return { kind: "field", field: value.field };
    default:
      return value satisfies never;
  }
}

/** Fail closed: a server's name as people wrote it is equal to none on a host that sends it with other characters. */
function respelled(value: ValuePlan, spell: Spell): readonly ValuePlan[] {
  if (value.kind !== "text" || spell(value.text) === value.text) return [value];
  return [value, { kind: "text", text: spell(value.text) }];
}

function lowerArgument(argument: CheckedArgument): ArgumentPlan {
  return argument.kind === "pattern" ? { kind: "pattern", pattern: lowerPattern(argument.regex) } : { kind: argument.kind, text: argument.text };
}

function lowerGlobs(globs: readonly CheckedGlob[]): readonly GlobPlan[] {
  return globs.map((glob) => lowerGlob(glob.text, glob.except));
}

export function lowerPattern(regex: Regex): PatternPlan {
  return patternPlan(regex.body, [...new Set([...regex.flags, "u"])].sort().join(""));
}

/** Finds the text as it stands. */
export function lowerPatternText(text: string): PatternPlan {
  return patternPlan(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "u");
}

function patternPlan(source: string, flags: string): PatternPlan {
  const { text, oneOf } = requiredText(source, flags);
  const degree = searchDegree(source, flags);
  return { source, flags, ...(text !== undefined && { literal: text }), ...(oneOf !== undefined && { oneOf }), ...(degree !== undefined && { degree }) };
}
