/**
 * The fields a rule speaks of that one host never sends, or always sends with the same value. The portable checks cannot
 * know either; a comparison with such a field would sit in the policy, dead.
 */
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { CheckedCondition, CheckedRule } from "../check/checked.ts";
import type { Host } from "../hosts/host.ts";
import type { Text } from "../syntax/ast.ts";

export interface FieldFinding {
  readonly kind: "absent-field" | "constant-field";
  readonly field: string;
  readonly file: SourceFile;
  readonly span: Span;
}

export function fieldFindings(rule: CheckedRule, host: Host): readonly FieldFinding[] {
  const findings: FieldFinding[] = [];
  const note = (path: readonly string[], file: SourceFile, span: Span, read: boolean) => {
    const [field] = path;
    if (field === undefined) return;
    if (host.facts.absentFields.includes(field)) findings.push({ kind: "absent-field", field, file, span });
    else if (read && Object.hasOwn(host.facts.constantFields, field)) findings.push({ kind: "constant-field", field, file, span });
  };
  for (const condition of [...(rule.when ? [rule.when] : []), ...rule.unless]) {
    visit(condition, (part) => {
      for (const path of fieldsOf(part)) note(path, part.file, part.span, true);
    });
  }
  // A message may well show a constant; only a field that is never there makes it wrong.
  for (const text of [rule.because, rule.suggest]) {
    for (const { path, span } of interpolations(text)) note(path, rule.file, span, false);
  }
  return findings;
}

function visit(condition: CheckedCondition, see: (condition: CheckedCondition) => void): void {
  see(condition);
  if (condition.kind === "and" || condition.kind === "or") for (const part of condition.of) visit(part, see);
  else if (condition.kind === "not") visit(condition.of, see);
}

function fieldsOf(condition: CheckedCondition): readonly (readonly string[])[] {
  if (condition.kind === "is" || condition.kind === "has") return [condition.field];
  if (condition.kind !== "compare") return [];
  return [condition.field, ...condition.values.flatMap((value) => (value.kind === "field" ? [value.field] : []))];
}

function interpolations(text: Text | undefined): readonly { readonly path: readonly string[]; readonly span: Span }[] {
  return (text?.template ?? []).flatMap((part) => (part.kind === "field" ? [{ path: part.path, span: part.span }] : []));
}
