/** One run of a guard is judged: by its host's contract, and by what the same rules decide in process. */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { EventPlan } from "../guard/plan.ts";
import { findDifference } from "./heard.ts";
import type { Sample } from "./samples.ts";
import { patienceOf } from "./start.ts";
import type { GuardRun } from "./start.ts";
import type { GuardUnderTest, InProcess } from "./subject.ts";

export function judgeSample({ host, plan }: Pick<GuardUnderTest, "host" | "plan">, event: EventPlan, sample: Pick<Sample, "name" | "payload">, decided: InProcess, run: GuardRun): readonly Diagnostic[] {
  if (decided.kind === "malformed") return judgeMalformed({ host, plan }, event, sample.name, run);
  const place = { host: host.title, event: event.name, sample: sample.name };
  if (run.late) return [diagnose("verify/no-answer", { ...place, seconds: Math.ceil(patienceOf(plan) / 1000) })];
  const judgement = host.contract.judgeAnswer(event.name, run, sample.payload);
  if (judgement.breaches.length > 0) return judgement.breaches.map((breach) => diagnose("verify/contract-breach", { ...place, breach }));
  const difference = findDifference(host, event.name, sample.payload, decided, judgement);
  return difference === undefined ? [] : [diagnose("verify/unlike-decide", { ...place, effect: difference.got, expected: difference.expected })];
}

/** The same for a dry run, which has to say what it would have done besides. */
export function judgeDrySample(guard: Pick<GuardUnderTest, "host" | "plan">, event: EventPlan, sample: Pick<Sample, "name" | "payload">, decided: InProcess, run: GuardRun): readonly Diagnostic[] {
  const found = judgeSample(guard, event, sample, decided, run);
  if (found.length > 0 || decided.kind === "malformed") return found;
  const unsaid = (decided.decision.effects ?? []).filter(({ rule }) => !run.stderr.includes(`[${rule}] dry: `));
  return unsaid.map(({ rule, effect }) => diagnose("verify/unlike-decide", { host: guard.host.title, event: event.name, sample: sample.name, effect: "nothing else", expected: `${effect.kind} of ${rule}` }));
}

/** What a guard cannot read it refuses where a rule has to hold, and has no opinion of elsewhere. */
export function judgeMalformed({ host, plan }: Pick<GuardUnderTest, "host" | "plan">, event: EventPlan, sample: string, run: GuardRun): readonly Diagnostic[] {
  const place = { host: host.title, event: event.name, sample };
  if (run.late) return [diagnose("verify/no-answer", { ...place, seconds: Math.ceil(patienceOf(plan) / 1000) })];
  const { effect, breaches } = host.contract.judgeAnswer(event.name, run);
  if (breaches.length > 0) return breaches.map((breach) => diagnose("verify/contract-breach", { ...place, breach }));
  if (!event.failClosed) return effect === "pass" ? [] : [diagnose("verify/refuses-open-event", { ...place, effect })];
  const holds = effect === "deny" || effect === "retry" || (effect === "ask" && plan.onError === "ask");
  return holds ? [] : [diagnose("verify/fails-open", { ...place, effect })];
}
