/**
 * Conditions: the author's tree in, the same with names inlined and everything typed out. Nothing here depends on the rule
 * a condition stands in, so a named condition is looked at once, where it is defined.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import type { Command, Condition, DollarReference, Field, FieldOperand, Invocation, LetDeclaration, Operand } from "../syntax/ast.ts";
import type { CheckedCondition } from "./checked.ts";
import { lowerArguments, lowerCommand } from "./command.ts";
import { lowerComparison, lowerGlobs, mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import { noSuchField, textAt, typeOfField } from "./field.ts";
import { checkCommandText } from "./message.ts";
import type { Binding, Names } from "./names.ts";
import { flatten, isValue, unrenamed } from "./values.ts";

export interface Conditions {
  /** `undefined` where something in it was refused. */
  lower(condition: Condition, place: Place): CheckedCondition | undefined;
  /** Looks at a `let` line, so that its findings are told there, used or not. */
  define(binding: Binding, place: Place): void;
}

/** Remembers named conditions, so that each is lowered and reported once in a project. */
export function createConditions(names: Names): Conditions {
  const defined = new Map<LetDeclaration, CheckedCondition | undefined>();

  const lower = (condition: Condition, place: Place): CheckedCondition | undefined => {
    const here = { span: condition.span, file: place.home.file };
    switch (condition.kind) {
      case "and":
      case "or": {
        const of = condition.of.map((part) => lower(part, place));
        return of.every((part) => part !== undefined) ? { kind: condition.kind, of, ...here } : undefined;
      }
      case "not": {
        const of = lower(condition.of, place);
        return of && { kind: "not", of, ...here };
      }
      case "runs":
        return lowerRuns(condition.only, condition.invocation, condition.span, place);
      case "touches":
      case "reads":
      case "writes":
      case "deletes":
        return lowerAccess(condition.kind, condition.operand, condition.span, place);
      case "pipes":
        return lowerPipes(condition.from, condition.into, condition.span, place);
      case "has":
        return lowerHas(condition.field, condition.span, place);
      case "succeeds":
        checkCommandText(condition.command, "succeeds", place.home.file, place.report);
        return { kind: "succeeds", command: condition.command.value, ...here };
      case "marked":
        return { kind: "marked", name: condition.name.text, ...here };
      case "reference":
        return inline(condition.reference, condition.span, place);
      case "is":
        return lowerField(condition.operand, condition.span, place);
      case "compare":
        return lowerComparison(condition.left, condition.comparison, condition.span, place);
      default:
        return condition satisfies never;
    }
  };

  const inline = (reference: DollarReference, span: Span, place: Place): CheckedCondition | undefined => {
    const binding = names.expect(reference, place.home, place.report);
    if (!binding) return undefined;
    const { declaration, home } = binding;
    const meant = unrenamed(binding, names);
    if (!meant) return undefined;
    if (isValue(meant.declaration.value)) {
      const written = textAt(place.home.file, reference.span);
      place.report(
        diagnose("check/type-mismatch", { problem: `\`${written}\` is a value, not a condition` }, {
          file: place.home.file,
          span: reference.span,
          labels: [{ span: declaration.name.span, text: "defined here", ...(home !== place.home && { file: home.file }) }],
          help: { text: `say what is compared with it: \`command ~ ${written}\`, \`path matches ${written}\`, \`runs git with ${written}\`` },
        }),
      );
      return undefined;
    }
    define(binding, place);
    const lowered = defined.get(declaration);
    return lowered && { ...lowered, span, file: place.home.file, definition: lowered.definition ?? { span: lowered.span, file: lowered.file } };
  };

  const define = ({ declaration, home }: Binding, place: Place) => {
    const { value } = declaration;
    if (isValue(value)) {
      flatten(value, home, names, place.report);
      return;
    }
    // `let $a = $b`, where `$b` is a value, is no condition though it is written like one.
    if (value.kind === "reference") {
      const target = names.expect(value.reference, home, place.report);
      const meant = target && unrenamed(target, names);
      if (!meant || isValue(meant.declaration.value)) return;
    }
    if (!defined.has(declaration)) defined.set(declaration, lower(value, { ...place, home }));
  };

  return { lower, define };
}

function lowerRuns(only: boolean, invocation: Invocation, span: Span, place: Place): CheckedCondition | undefined {
  const commands = lowerCommand(invocation.command, place);
  const given = lowerArguments(invocation, place);
  return commands && given && { kind: "runs", only, commands, ...given, span, file: place.home.file };
}

function lowerPipes(from: Command, into: Command, span: Span, place: Place): CheckedCondition | undefined {
  const source = lowerCommand(from, place);
  const sink = lowerCommand(into, place);
  return source && sink && { kind: "pipes", from: source, into: sink, span, file: place.home.file };
}

function lowerAccess(kind: "touches" | "reads" | "writes" | "deletes", operand: Operand, span: Span, place: Place): CheckedCondition | undefined {
  if (operand.kind === "field") {
    mismatch(place, operand.span, `\`${kind}\` takes globs, which are known when the policy is built, not a field`, 'write a glob such as "src/**"');
    return undefined;
  }
  const flat = flatten(operand, place.home, place.names, place.report);
  const globs = flat && lowerGlobs(flat, place, kind);
  return globs && { kind, globs, span, file: place.home.file };
}

function lowerHas(field: Field, span: Span, place: Place): CheckedCondition | undefined {
  if (typeOfField(field.path) === undefined) {
    place.report(noSuchField(field.path, { file: place.home.file, span: field.span }));
    return undefined;
  }
  if (field.path.join(".") === "dynamic") {
    mismatch(place, span, "`dynamic` is no part of a call, so a call never has it", "write `dynamic` or `not dynamic`");
    return undefined;
  }
  return { kind: "has", field: field.path, span, file: place.home.file };
}

/** A field alone: it must be one that is true or false. */
function lowerField(operand: FieldOperand, span: Span, place: Place): CheckedCondition | undefined {
  const { field, measure } = operand;
  const file = place.home.file;
  const type = typeOfField(field.path);
  const name = field.path.join(".");
  if (type === undefined) {
    place.report(noSuchField(field.path, { file, span: field.span }));
    return undefined;
  }
  if (measure) {
    mismatch(place, span, `\`${textAt(file, span)}\` is ${measure.text === "length" ? "a number" : "a text"}, and a condition is true or false`, "compare it with something");
    return undefined;
  }
  if (name === "dynamic") return { kind: "dynamic", span, file };
  if (type === "bool" || type === "unknown") return { kind: "is", field: field.path, span, file };
  mismatch(place, span, `\`${name}\` is ${type === "number" ? "a number" : type === "path" ? "a path" : "text"}, and a condition is true or false`, `compare it with something, or write \`has ${name}\``);
  return undefined;
}
