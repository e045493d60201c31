/**
 * How large a value is once its names are filled in, and how deep. Nothing is filled in for that, so the answer costs no
 * more than reading the value.
 */
import type { Command, Condition, DollarReference, LetDeclaration, List, Operand } from "../syntax/ast.ts";

/** `parts`: conditions and items; `levels`: how deep they stand in each other. */
export interface Weight {
  readonly parts: number;
  readonly levels: number;
}

export const lightest: Weight = { parts: 1, levels: 1 };

type Value = LetDeclaration["value"];

/** `follow` says how heavy a reference is. */
export function weightOf(value: Value, follow: (reference: DollarReference) => Weight): Weight {
  const inner = [...childrenOf(value).map((child) => weightOf(child, follow)), ...ownReferences(value).map(follow)];
  const parts = inner.reduce((sum, weight) => sum + weight.parts, ownParts(value));
  return { parts, levels: 1 + Math.max(0, ...inner.map((weight) => weight.levels)) };
}

/** Every name the value uses, in the order of the text. */
export function referencesIn(value: Value): DollarReference[] {
  return [...childrenOf(value).flatMap(referencesIn), ...ownReferences(value)];
}

function childrenOf(value: Value): readonly Condition[] {
  if (value.kind === "and" || value.kind === "or") return value.of;
  return value.kind === "not" ? [value.of] : [];
}

/** Items that are no names. */
function ownParts(value: Value): number {
  if (value.kind === "list") return plainItems(value);
  if (value.kind === "compare" && value.comparison.operand.kind === "list") return 1 + plainItems(value.comparison.operand);
  if (value.kind === "reference") return 0;
  return 1;
}

function plainItems(list: List): number {
  return list.items.filter((item) => item.kind !== "dollar").length;
}

function ownReferences(value: Value): readonly DollarReference[] {
  switch (value.kind) {
    case "reference":
      return [value.reference];
    case "compare":
      return [...(value.left.kind === "dollar" ? [value.left] : []), ...inOperand(value.comparison.operand)];
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      return inOperand(value.operand);
    case "runs":
      return [...inCommand(value.invocation.command), ...value.invocation.arguments.flatMap(({ patterns }) => patterns.flatMap((word) => (word.kind === "dollar" ? [word] : [])))];
    case "pipes":
      return [...inCommand(value.from), ...inCommand(value.into)];
    case "list":
      return inOperand(value);
    case "and":
    case "or":
    case "not":
    case "has":
    case "succeeds":
    case "marked":
    case "is":
    case "regex":
    case "text":
    case "number":
    case "duration":
    case "size":
      return [];
    default:
      return value satisfies never;
  }
}

function inOperand(operand: Operand): readonly DollarReference[] {
  if (operand.kind === "dollar") return [operand];
  return operand.kind === "list" ? operand.items.flatMap((item) => (item.kind === "dollar" ? [item] : [])) : [];
}

function inCommand({ alternatives, tail }: Command): readonly DollarReference[] {
  return [...alternatives.flat(), ...tail].flatMap((word) => (word.kind === "dollar" ? [word] : []));
}
