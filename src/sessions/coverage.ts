/**
 * What the tests of a project leave untried: rules that none makes fire, parts of conditions that never hold or never
 * fail, and rules whose deletion no test would notice.
 */
import type { CheckedProject } from "../check/checked.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { ExampleOutcome } from "../examples/judge.ts";
import type { ConditionPlan, RulePlan } from "../guard/plan.ts";
import type { Lowered } from "../lower/lower.ts";
import { judgeSession, judgeSessions } from "./judge.ts";

export interface Coverage {
  /** Ids of rules that no example and no test makes fire, on any host. */
  readonly unfired: readonly string[];
  /** Parts of conditions with one outcome only. */
  readonly onesided: readonly { readonly rule: string; readonly file: SourceFile; readonly span: Span; readonly never: "holds" | "fails" }[];
  /** Ids of rules without which every test block comes out as before; empty where there is no test block. */
  readonly unnoticed: readonly string[];
}

export function coverageOf(project: CheckedProject, lowered: readonly Lowered[], examples: readonly ExampleOutcome[]): Coverage {
  const fired = new Set<string>();
  const seen = new Map<string, Set<boolean>>();
  const places = new Map<string, { readonly rule: string; readonly file: SourceFile; readonly span: Span }>();
  const place = (rule: string, file: SourceFile, span: Span): string => {
    const key = `${rule} ${file.path} ${span.start}-${span.end}`;
    places.set(key, { rule, file, span });
    return key;
  };
  const see = (key: string, truth: unknown): void => {
    if (typeof truth === "boolean") seen.set(key, (seen.get(key) ?? new Set()).add(truth));
  };

  const origins = new Map(lowered.flatMap((one) => [...one.origins]));
  const noted = (rule: RulePlan, condition: ConditionPlan, truth: unknown): void => {
    const origin = origins.get(condition);
    if (origin !== undefined) see(place(rule.id, origin.file, origin.span), truth);
  };
  for (const { rule, calls } of examples) {
    for (const { outcome, truths } of calls) {
      if (outcome.kind === "fires") fired.add(rule.id);
      for (const { origin, truth } of truths) see(place(rule.id, origin.file, origin.span), truth);
    }
  }
  const outcomes = judgeSessions(project, lowered, {
    condition: noted,
    rule: (rule, outcome) => {
      if (outcome.kind === "fires") fired.add(rule.id);
    },
  });

  const passed = outcomes.filter(({ result }) => result === "passed");
  const isNoticed = (id: string): boolean =>
    passed.some(({ test, host }) => {
      const plan = lowered.find((one) => one.host === host)?.plan;
      return plan !== undefined && judgeSession(test, host, { ...plan, rules: plan.rules.filter((rule) => rule.id !== id) }).result !== "passed";
    });
  const ids = [...new Set(lowered.flatMap(({ plan }) => plan.rules.map((rule) => rule.id)))];
  return {
    unfired: ids.filter((id) => !fired.has(id)),
    onesided: [...places].flatMap(([key, where]) => {
      const truths = seen.get(key);
      return truths?.size === 1 ? [{ ...where, never: truths.has(true) ? ("fails" as const) : ("holds" as const) }] : [];
    }),
    unnoticed: passed.length === 0 ? [] : ids.filter((id) => !isNoticed(id)),
  };
}
