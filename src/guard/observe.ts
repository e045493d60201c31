/**
 * Rules that only watch: whether one does on a given day, and the line that says what it would have done.
 */
import type { Decision, SideEffect } from "./call.ts";
import type { Scope } from "./fields.ts";
import { fillMessage } from "./messages.ts";
import type { GuardPlan, RulePlan, TellPlan } from "./plan.ts";
import { redactString } from "./redaction.ts";

export type Observation = NonNullable<Decision["observed"]>[number];

/** From its `until` day on a rule is enforced. */
export function isObserved(rule: RulePlan, plan: GuardPlan, today: string): boolean {
  if (plan.mode === "observe") return true;
  return rule.observed !== undefined && (rule.observed.until === undefined || today < rule.observed.until);
}

/** Logs and marks answer nothing, and what is observed is judged by marks: they are carried out all the same. */
export function isHarmless(effect: SideEffect["effect"]): boolean {
  return effect.kind === "log" || effect.kind === "mark" || effect.kind === "unmark";
}

export function observation(rule: RulePlan, effect: string, text: string, { redactions = [], memo }: Scope): Observation {
  return { rule: rule.id, effect, text: redactString(text, redactions, memo) };
}

/** What a rule would have told. Its command is not run, and its file not read, for nobody would see them. */
export function untold({ source }: TellPlan, scope: Scope): string {
  if (source.kind === "text") return fillMessage(source.text, scope);
  return source.kind === "file" ? source.path : source.command;
}

/** What a rule would have started or sent. */
export function undone(effect: SideEffect["effect"]): string {
  switch (effect.kind) {
    case "run":
      return effect.command;
    case "log":
    case "forward":
      return effect.to;
    case "mark":
    case "unmark":
      return effect.name;
    default:
      return effect satisfies never;
  }
}
