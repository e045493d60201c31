/**
 * Whether a rule's condition asks only for what its event and tools have. Named conditions are followed, and told at the
 * place where the rule uses the name: the definition may be right for another rule.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Label } from "../diagnostics/diagnostic.ts";
import type { Condition, Field, LetDeclaration, Rule } from "../syntax/ast.ts";
import { isAvailable, textAt, typeOfField, unavailableField } from "./field.ts";
import type { LoadedFile } from "./load.ts";
import type { Names } from "./names.ts";
import type { Report } from "./report.ts";
import type { Moment } from "./trigger.ts";
import { conditionOf } from "./values.ts";

export function checkConditionFields(condition: Condition, moment: Moment, rule: Rule, home: LoadedFile, names: Names, report: Report): void {
  const followed = new Set<LetDeclaration>();

  /** `use`: the `$name` in the rule, for what stands in a `let`. */
  const visit = (part: Condition, where: LoadedFile, use: Condition | undefined): void => {
    const tell = (field: Field) => {
      // A field that exists nowhere was told where it is written.
      if (typeOfField(field.path) === undefined) return;
      const available = isAvailable(field.path, moment, "every");
      if (available.kind === "yes") return;
      const labels: Label[] = use ? [{ span: field.span, text: "is read here", ...(where !== home && { file: where.file }) }] : [];
      report(unavailableField(field.path, available, moment, { file: home.file, span: use?.span ?? field.span, labels }, { rule, file: home.file }));
    };
    switch (part.kind) {
      case "and":
      case "or":
        for (const inner of part.of) visit(inner, where, use);
        return;
      case "not":
        visit(part.of, where, use);
        return;
      case "has":
        tell(part.field);
        return;
      case "is":
        tell(part.operand.field);
        return;
      case "compare":
        if (part.left.kind === "field-operand") tell(part.left.field);
        if (part.comparison.operand.kind === "field") tell(part.comparison.operand);
        return;
      case "reference": {
        const found = names.find(part.reference, where);
        const target = found.kind === "binding" ? conditionOf(found.binding, names) : undefined;
        if (!target || followed.has(target.binding.declaration)) return;
        followed.add(target.binding.declaration);
        visit(target.condition, target.binding.home, use ?? part);
        return;
      }
      case "runs":
      case "touches":
      case "reads":
      case "writes":
      case "deletes":
      case "pipes": {
        if (moment.event === "before-tool" || moment.event === "after-tool") return;
        const word = part.kind === "runs" && part.only ? "only runs" : part.kind;
        report(
          diagnose("check/unknown-field", { field: "command", where: `, which \`${word}\` looks at, ${moment.words}` }, {
            file: home.file,
            span: use?.span ?? part.span,
            ...(use && { labels: [{ span: part.span, text: `\`${textAt(where.file, part.span)}\` is meant`, ...(where !== home && { file: where.file }) }] }),
            help: { text: `\`${word}\` is about a tool call: name a tool, \`before any\` for all of them` },
          }),
        );
        return;
      }
      case "succeeds":
      case "marked":
        return;
      default:
        part satisfies never;
    }
  };

  visit(condition, home, undefined);
}
