/**
 * Session marks across the project: a mark that is asked for and that no rule sets would never be there, so the rule would
 * always come out the same.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { Report } from "./report.ts";
import type { RuleDraft } from "./rule.ts";
import { conditionsIn, effectsOf } from "./visit.ts";

export function checkMarks(drafts: readonly RuleDraft[], report: Report): void {
  const set = new Set(drafts.flatMap((draft) => effectsOf(draft).flatMap((effect) => (effect.kind === "mark" ? [effect.name] : []))));
  const expect = (name: string, file: SourceFile, span: Span) => {
    if (set.has(name)) return;
    const near = nearest(name, [...set]);
    report(diagnose("check/unknown-reference", { problem: `no rule sets the mark \`${name}\`` }, { file, span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `write the rule that sets it: \`mark ${name} after bash when …\`` } }));
  };
  for (const draft of drafts) {
    for (const condition of [...(draft.when ? [draft.when] : []), ...draft.unless].flatMap(conditionsIn)) if (condition.kind === "marked") expect(condition.name, condition.file, condition.span);
    for (const effect of effectsOf(draft)) if (effect.kind === "unmark") expect(effect.name, draft.home.file, effect.span);
  }
}
