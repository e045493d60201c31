/**
 * The fields a rule speaks of that one host never sends there, or always sends with the same value. The portable checks
 * cannot know either; a comparison with such a field would sit in the policy, dead.
 */
import type { CheckedCondition, CheckedEffect, CheckedRule } from "../check/checked.ts";
import { conditionsIn } from "../check/visit.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { FieldPath, ToolPattern } from "../guard/plan.ts";
import type { Host } from "../hosts/host.ts";
import type { Text } from "../syntax/ast.ts";
import { isTransform } from "./effect.ts";

export type FieldFinding = { readonly field: string; readonly file: SourceFile; readonly span: Span } & (
  /** `known`: what `input.NAME` can be, where the host lists it. */
  | { readonly kind: "absent-field"; readonly known: readonly string[] }
  | { readonly kind: "constant-field"; readonly why: string }
  | { readonly kind: "absent-value"; readonly value: string; readonly why: string }
  | { readonly kind: "status-trap"; readonly why: string }
);

/** `effects`: those of the rule's own and `also` effects that the host carries out. */
export function fieldFindings(rule: CheckedRule, effects: readonly CheckedEffect[], host: Host): readonly FieldFinding[] {
  const findings: FieldFinding[] = [];
  for (const condition of [...(rule.when ? [rule.when] : []), ...rule.unless].flatMap(conditionsIn)) {
    const { file, span } = condition;
    for (const path of fieldsOf(condition)) findings.push(...readingFindings(path, file, wordsOf(path, file, span), rule, host));
    findings.push(...valueFindings(condition, rule, host));
  }
  // A text may well show a constant; only a field that is never there makes it wrong.
  for (const { path, span } of [...[rule.because, rule.suggest].flatMap(filledIn), ...effects.flatMap(fieldsChanged)]) {
    findings.push(...readingFindings(path, rule.file, span, rule, host).filter(({ kind }) => kind === "absent-field"));
  }
  return findings;
}

function fieldsOf(condition: CheckedCondition): readonly FieldPath[] {
  if (condition.kind === "is" || condition.kind === "has") return [condition.field];
  if (condition.kind !== "compare") return [];
  return [condition.field, ...condition.values.flatMap((value) => (value.kind === "field" ? [value.field] : []))];
}

/** The field's own words at the start of its comparison, `length(…)` around them left out; else the whole comparison. */
function wordsOf(path: FieldPath, file: SourceFile, span: Span): Span {
  const text = file.text.slice(span.start, span.end);
  const opening = /^(?:length|lower)\s*\(\s*/.exec(text)?.[0].length ?? 0;
  const words = path.join(".");
  const isThere = text.startsWith(words, opening) && !/^[\w.-]/.test(text.slice(opening + words.length));
  return isThere ? { start: span.start + opening, end: span.start + opening + words.length } : span;
}

interface PlacedField {
  readonly path: FieldPath;
  readonly span: Span;
}

/** What an effect changes or fills in; what it only logs or forwards may be missing there, names of an event's own fields aside. */
function fieldsChanged(effect: CheckedEffect): readonly PlacedField[] {
  if (effect.kind === "log" || effect.kind === "forward") return effect.fields.filter(({ path }) => path[0] === "input");
  if (!isTransform(effect)) return effect.kind === "tell" && effect.source.kind === "text" ? filledIn(effect.source.text) : [];
  const texts = effect.kind === "set" ? [typeof effect.value === "number" ? undefined : effect.value] : effect.kind === "replace" ? [effect.with] : [effect.as];
  return [...effect.fields, ...texts.flatMap(filledIn)];
}

function filledIn(text: Text | undefined): readonly PlacedField[] {
  return (text?.template ?? []).flatMap((part) => (part.kind === "field" ? [{ path: part.path, span: part.span }] : []));
}

function readingFindings(path: FieldPath, file: SourceFile, span: Span, { event, hostEvent }: CheckedRule, { facts }: Host): readonly FieldFinding[] {
  const [field, inner] = path;
  if (field === undefined) return [];
  if (field === "input") {
    const known = hostEvent === undefined || !Object.hasOwn(facts.payloadFields, hostEvent) ? undefined : facts.payloadFields[hostEvent];
    return known === undefined || inner === undefined || known.includes(inner) ? [] : [{ kind: "absent-field", field: `input.${inner}`, known, file, span }];
  }
  const absent = [...facts.absentFields, ...(event === "any-event" ? [] : (facts.absentAt?.[event] ?? []))];
  if (absent.includes(field)) return [{ kind: "absent-field", field, known: [], file, span }];
  const why = Object.hasOwn(facts.constantFields, field) ? facts.constantFields[field] : undefined;
  return why === undefined ? [] : [{ kind: "constant-field", field, why, file, span }];
}

/** Values that a field never has, or that do not say what they seem to. */
function valueFindings(condition: CheckedCondition, rule: CheckedRule, { facts }: Host): readonly FieldFinding[] {
  if (condition.kind !== "compare" || condition.operator !== "==" || condition.field.length !== 1) return [];
  const { file, span } = condition;
  const [field = ""] = condition.field;
  const never = Object.hasOwn(facts.absentValues, field) ? (facts.absentValues[field] ?? {}) : {};
  const texts = condition.values.flatMap((value) => (value.kind === "text" ? [value.text] : []));
  const absent = texts.flatMap((value): FieldFinding[] => {
    const why = Object.hasOwn(never, value) ? never[value] : undefined;
    return why === undefined ? [] : [{ kind: "absent-value", field, value, why, file, span }];
  });
  const trapped = field === "status" && facts.shellStatus !== undefined && (texts.includes("success") || texts.includes("failure")) && rule.tools.some(({ pattern }) => isShell(pattern, facts.tools));
  return [...absent, ...(trapped ? [{ kind: "status-trap" as const, field, why: facts.shellStatus ?? "", file, span }] : [])];
}

function isShell(pattern: ToolPattern, tools: Host["facts"]["tools"]): boolean {
  if (pattern.kind === "class") return pattern.name === "bash" || pattern.name === "powershell";
  return pattern.kind === "tool" && (tools.bash.includes(pattern.name) || tools.powershell.includes(pattern.name));
}
