/**
 * Runs a built guard the way its host would and judges every answer by the host's contract: what the host sends at every
 * event, what it never sends, and what comes of a guard that fails. The caller has made sure that the guard's bytes are
 * those of a fresh build; this file starts it.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { EventPlan, RulePlan } from "../guard/plan.ts";
import { injectFailures } from "./failures.ts";
import type { InjectedFailure } from "./failures.ts";
import { judgeDrySample, judgeMalformed } from "./judge-run.ts";
import { composedSamples, exampleSamples, malformedSamples, recordedSamples } from "./samples.ts";
import type { Sample } from "./samples.ts";
import { withScratch } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";
import { inParallel } from "./start.ts";
import type { GuardUnderTest, InProcess } from "./subject.ts";
import { effectWord, scratchPlan, unconditional, usedEffects } from "./used.ts";

/** One row of the table: how many answers of an event were judged, and how many broke something. */
export interface VerifiedEvent {
  readonly host: string;
  readonly event: string;
  readonly samples: number;
  readonly malformed: number;
  readonly breaches: number;
  readonly effects: readonly TriedEffect[];
}

export interface TriedEffect {
  /** As the language has it: `tell model`. */
  readonly effect: string;
  /** How many of the payloads brought it about. */
  readonly payloads: number;
  /** True where none did in the guard itself, and it was tried in a scratch guard without its conditions. */
  readonly alone: boolean;
}

export interface Verification {
  readonly rows: readonly VerifiedEvent[];
  readonly failures: readonly InjectedFailure[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function verifyGuard(guard: GuardUnderTest): Promise<Verification> {
  return withScratch(guard, async (scratch) => {
    const rows: VerifiedEvent[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const event of guard.plan.events) {
      const verified = await verifyEvent(guard, event, scratch);
      rows.push(verified.row);
      diagnostics.push(...verified.diagnostics);
    }
    const injected = await injectFailures(guard, scratch);
    return { rows, failures: injected.failures, diagnostics: [...diagnostics, ...injected.diagnostics] };
  });
}

/** A payload with what the rules say about it. */
interface JudgedSample {
  readonly sample: Sample;
  readonly decided: InProcess;
}

async function verifyEvent(guard: GuardUnderTest, event: EventPlan, scratch: Scratch): Promise<{ readonly row: VerifiedEvent; readonly diagnostics: readonly Diagnostic[] }> {
  const { host, plan, ground } = guard;
  const used = usedEffects(plan, guard.entries.find((entry) => entry.event === event.name) ?? { rules: [] });
  const judgeAll = (samples: readonly Sample[], on = plan, at = ground): readonly JudgedSample[] => samples.map((sample) => ({ sample, decided: guard.judge(on, event.name, sample.payload, at) }));
  const usual = judgeAll([...composedSamples(host, event.name, ground.root), ...recordedSamples(host, event.name, ground.root, guard.recorded)]);
  const samples = [...usual, ...needed(judgeAll(exampleSamples(host, event.name, ground.root, guard.calls)), usual)];
  const malformed = malformedSamples(host, event.name);
  const found = [
    ...(await inParallel(samples, async ({ sample, decided }) => judgeDrySample(guard, event, sample, decided, await guard.start(event.name, sample.stdin)))),
    ...(await inParallel(malformed, async (sample) => judgeMalformed(guard, event, sample.name, await guard.start(event.name, sample.stdin)))),
  ];

  const effects: TriedEffect[] = [];
  for (const [effect, rules] of used) {
    const payloads = samples.filter(({ decided }) => hasFired(decided, rules)).length;
    if (payloads > 0) {
      effects.push({ effect, payloads, alone: false });
      continue;
    }
    const alone = scratchPlan(plan, rules.map(unconditional));
    const place = await scratch.install(`${event.name}-${effect}`, alone);
    const tried = judgeAll(composedSamples(host, event.name, place.root), alone, place);
    found.push(...(await inParallel(tried, async ({ sample, decided }) => judgeDrySample(guard, event, sample, decided, await place.start(event.name, sample.stdin)))));
    effects.push({ effect, payloads: tried.filter(({ decided }) => hasFired(decided, alone.rules)).length, alone: true });
  }
  const diagnostics = found.flat();
  return { row: { host: host.id, event: event.name, samples: samples.length, malformed: malformed.length, breaches: diagnostics.length, effects }, diagnostics };
}

/** Calls of examples for one effect, beyond those that the usual payloads bring about. */
const mostExamples = 3;

/** Of the examples those that are worth a process: a few for each effect that the usual payloads do not bring about often enough. */
function needed(examples: readonly JudgedSample[], usual: readonly JudgedSample[]): readonly JudgedSample[] {
  const counts = new Map<string, number>();
  const count = ({ decided }: JudgedSample): readonly string[] => (decided.kind === "malformed" ? [] : [...new Set([...decided.outcomes].flatMap(([rule, outcome]) => (outcome.kind === "fires" ? [effectWord(rule.effect)] : [])))]);
  for (const word of usual.flatMap(count)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return examples.filter((example) => {
    const rare = count(example).filter((word) => (counts.get(word) ?? 0) < mostExamples);
    for (const word of rare) counts.set(word, (counts.get(word) ?? 0) + 1);
    return rare.length > 0;
  });
}

function hasFired(decided: InProcess, rules: readonly RulePlan[]): boolean {
  return decided.kind === "decided" && rules.some((rule) => decided.outcomes.get(rule)?.kind === "fires");
}
