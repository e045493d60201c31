/**
 * Failures made on purpose, in scratch copies of a guard that are started by the command of its hook entry: a guard that
 * crashes, does not end, is missing, is cut off in the middle of its payload, passes its own deadline, finds nobody at
 * the other end or cannot write. Comes out: how it ended, and what its host does then by the contract pages.
 */
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { EventPlan, GuardPlan, RulePlan } from "../guard/plan.ts";
import type { EventKind } from "../guard/vocabulary.ts";
import type { HookEntry, Host, Judgement } from "../hosts/host.ts";
import { judgeSample } from "./judge-run.ts";
import { composedSample, composedSamples, kindOf } from "./samples.ts";
import type { Sample } from "./samples.ts";
import type { Scratch, ScratchProject } from "./scratch.ts";
import { inParallel, patienceOf, startLaunch } from "./start.ts";
import type { GuardRun } from "./start.ts";
import type { GuardUnderTest } from "./subject.ts";
import { isQuiet, scratchPlan, unconditional, usedEffects } from "./used.ts";

export interface InjectedFailure {
  readonly host: string;
  readonly event: string;
  /** In words: `is missing`. */
  readonly failure: string;
  /** How the process of the entry ended. */
  readonly guard: string;
  /** What the host does then. */
  readonly then: string;
}

interface Injected {
  readonly failures: readonly InjectedFailure[];
  readonly diagnostics: readonly Diagnostic[];
}

/** An event with its entry, its effects and a payload. */
interface Occasion {
  readonly event: EventPlan;
  readonly entry: HookEntry;
}

/** Milliseconds that scratch guards have to decide: what is tried is that they stop, not when. */
const shortDeadline = 500;
/** Milliseconds after which a guard that does not end is taken for one that its host has ended. */
const shortPatience = 1000;

export async function injectFailures(guard: GuardUnderTest, scratch: Scratch): Promise<Injected> {
  const occasions = guard.plan.events.flatMap((event) => {
    const entry = guard.entries.find((one) => one.event === event.name);
    return entry === undefined ? [] : [{ event, entry }];
  });
  const broken = await injectBroken(guard, occasions, scratch);
  const disturbed = await injectDisturbances(guard, occasions, scratch);
  return { failures: [...broken.failures, ...disturbed.failures], diagnostics: [...broken.diagnostics, ...disturbed.diagnostics] };
}

/** A text that this pattern tries in more ways than any guard has time for. */
const runaway = { pattern: { source: "^(?:a+)+$", flags: "u" }, text: `${"a".repeat(40)}!` };

/** Guards that give no answer, or not the one of their rules. */
async function injectBroken({ host, plan, entries }: GuardUnderTest, occasions: readonly Occasion[], scratch: Scratch): Promise<Injected> {
  const empty = scratchPlan(plan, []);
  const hanging = { ...scratchPlan(plan, [runawayRule(entries)]), deadline: shortDeadline };
  const [crashing, endless, missing, whole, slow] = await Promise.all([
    scratch.install("crash", empty, (text) => `throw new Error("crashed on purpose");\n${text}`),
    // It ends by itself some day, whoever forgets it.
    scratch.install("endless", empty, () => "setTimeout(() => undefined, 60_000);\n"),
    scratch.install("missing", empty, () => undefined),
    scratch.install("whole", empty),
    scratch.install("slow", hanging),
  ]);
  const sample = (event: string, root: string): Sample => composedSamples(host, event, root)[0] as Sample;
  const cases: readonly { readonly failure: string; readonly place: ScratchProject; readonly patience: number; stdin(event: string): string }[] = [
    { failure: "crashes", place: crashing, patience: patienceOf(plan), stdin: (event) => sample(event, crashing.root).stdin },
    { failure: "does not end", place: endless, patience: shortPatience, stdin: (event) => sample(event, endless.root).stdin },
    { failure: "is missing", place: missing, patience: patienceOf(plan), stdin: (event) => sample(event, missing.root).stdin },
    { failure: "gets half a payload", place: whole, patience: patienceOf(plan), stdin: (event) => half(sample(event, whole.root).stdin) },
    { failure: "passes its deadline", place: slow, patience: patienceOf(hanging), stdin: (event) => composedSample(host, event, firstTool(host, event), { session: runaway.text }, slow.root).stdin },
  ];
  const tried = await inParallel(
    occasions.flatMap((occasion) => cases.map((one) => ({ ...one, occasion }))),
    async ({ failure, place, patience, stdin, occasion: { event, entry } }) => {
      const run = await startLaunch(host.launch(entry, place.root), { cwd: place.root, environment: place.environment, stdin: stdin(event.name), patience });
      return judgeBroken(host, event, failure, run);
    },
  );
  return { failures: tried.map(({ row }) => row), diagnostics: tried.flatMap(({ diagnostics }) => diagnostics) };
}

function runawayRule(entries: readonly HookEntry[]): RulePlan {
  return {
    id: "verify/runaway",
    source: "",
    event: "any-event",
    hostEvents: entries.map(({ event }) => event),
    tools: [],
    effect: { kind: "deny" },
    when: { kind: "compare", field: ["session"], operator: "~", values: [{ kind: "pattern", pattern: runaway.pattern }] },
    unless: [],
    severity: "medium",
    unsure: "deny",
  };
}

function half(text: string): string {
  return text.slice(0, Math.floor(text.length / 2));
}

function firstTool(host: Host, event: string): string | undefined {
  const kind = kindOf(host, event);
  return kind === "before-tool" || kind === "after-tool" ? host.facts.tools.bash[0] : undefined;
}

function judgeBroken(host: Host, { name, failClosed }: EventPlan, failure: string, run: GuardRun): { readonly row: InjectedFailure; readonly diagnostics: readonly Diagnostic[] } {
  const judgement = host.contract.judgeAnswer(name, run);
  const isAnswer = !run.late && (judgement.effect !== "pass" || run.exitCode === 0);
  const row = { host: host.id, event: name, failure, guard: ending(run, judgement) };
  const place = { host: host.title, event: name, failure };
  if (isAnswer) {
    const holds = judgement.effect !== "pass";
    const then = reactions[kindOf(host, name)][holds ? "refused" : "passed"];
    if (holds === failClosed) return { row: { ...row, then }, diagnostics: [] };
    return { row: { ...row, then }, diagnostics: [failClosed ? diagnose("verify/failure-open", { ...place, guard: row.guard }) : diagnose("verify/failure-blocks", { ...place, guard: row.guard })] };
  }
  const fact = documented(host, name, run.late ? "late" : "ended", failClosed);
  // Fail closed: what the entry's own command line should have made an answer of is none, and where no page says what a host does it may go on.
  const isKnown = fact !== undefined && fact.by === "host";
  const then = isKnown ? fact.then : "is not known to hold";
  return { row: { ...row, then }, diagnostics: isKnown ? [] : [diagnose("verify/failure-open", { ...place, guard: row.guard })] };
}

/** What the host does where a hook of the event gives no answer, by its contract pages. */
export function documented({ facts }: Pick<Host, "facts">, event: string, failure: "ended" | "late", bound: boolean): Host["facts"]["failures"][number] | undefined {
  return facts.failures.find((row) => (row.failure ?? failure) === failure && (row.bound ?? bound) === bound && (row.events?.includes(event) ?? true));
}

function ending({ late, exitCode }: GuardRun, { effect }: Judgement): string {
  if (late) return "still running";
  return `${exitCode === null ? "killed" : `exit ${exitCode}`}${effect === "pass" ? "" : `, ${effect}`}`;
}

const reactions: Readonly<Record<EventKind, { readonly refused: string; readonly passed: string }>> = {
  "before-tool": { refused: "does not run the call", passed: "goes on" },
  "after-tool": { refused: "shows the model the reason", passed: "shows the model the output" },
  prompt: { refused: "does not send the prompt", passed: "goes on" },
  "session-start": { refused: "goes on", passed: "goes on" },
  stop: { refused: "sends the agent back", passed: "lets the agent stop" },
  "before-compact": { refused: "does not compact", passed: "goes on" },
  "after-compact": { refused: "goes on", passed: "goes on" },
  "host-event": { refused: "stops it", passed: "goes on" },
};

/** Effects that find nobody: the answer has to be the one without them, and the guard has to say so. */
async function injectDisturbances(guard: GuardUnderTest, occasions: readonly Occasion[], scratch: Scratch): Promise<Injected> {
  const failures: InjectedFailure[] = [];
  const diagnostics: Diagnostic[] = [];
  await withSilentServer(async (address) => {
    for (const occasion of occasions) {
      const used = usedEffects(guard.plan, occasion.entry);
      const disturbances: readonly Disturbance[] = [
        { failure: "sends to a dead address", said: "nothing was sent", rules: guard.plan.mode === "observe" ? [] : (used.get("forward") ?? []).flatMap((rule) => redirected(rule, address)) },
        { failure: "cannot write its log", said: "nothing was written", rules: (used.get("log") ?? []).flatMap((rule) => redirected(rule, blockedLog)) },
      ];
      for (const disturbance of disturbances.filter(({ rules }) => rules.length > 0)) {
        const tried = await disturb(guard, occasion, disturbance, scratch);
        failures.push(...tried.failures);
        diagnostics.push(...tried.diagnostics);
      }
    }
  });
  return { failures, diagnostics };
}

interface Disturbance {
  readonly failure: string;
  /** What stderr has to say. */
  readonly said: string;
  readonly rules: readonly RulePlan[];
}

/** A folder stands in the place of this file. */
const blockedLog = ".policyc/blocked.jsonl";
/** Milliseconds for one request, however long the policy would wait. */
const shortRequest = 1000;

/** The rule for every call, with nowhere to go. */
function redirected(rule: RulePlan, to: string): readonly RulePlan[] {
  const { effect } = rule;
  if (effect.kind !== "forward" && effect.kind !== "log") return [];
  const { observed: _observed, ...enforced } = unconditional(rule);
  return [{ ...enforced, effect: { ...effect, to }, ...(effect.kind === "forward" && { timeout: shortRequest }) }];
}

/** The policy's rules that start nothing, and the disturbed ones: with a payload that passes, and one that is refused where there is one. */
async function disturb(guard: GuardUnderTest, { event, entry }: Occasion, { failure, said, rules }: Disturbance, scratch: Scratch): Promise<Injected> {
  const { host, judge } = guard;
  const plan: GuardPlan = scratchPlan(guard.plan, [...guard.plan.rules.filter(isQuiet), ...rules]);
  const place = await scratch.install(`${event.name}-${failure}`, plan);
  await mkdir(join(place.root, blockedLog), { recursive: true });
  const judged = composedSamples(host, event.name, place.root).map((sample) => ({ sample, decided: judge(plan, event.name, sample.payload, place) }));
  const isRefusal = ({ decided }: (typeof judged)[number]): boolean => decided.kind === "decided" && (decided.decision.effect === "deny" || decided.decision.effect === "retry");
  const chosen = [judged.find((one) => one.decided.kind === "decided" && !isRefusal(one)), judged.find(isRefusal)].flatMap((one) => one ?? []);
  const failures: InjectedFailure[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { sample, decided } of chosen) {
    const run = await startLaunch(host.launch(entry, place.root), { cwd: place.root, environment: place.environment, stdin: sample.stdin, patience: patienceOf(plan) + rules.length * shortRequest });
    const refuses = isRefusal({ sample, decided });
    diagnostics.push(...judgeSample({ host, plan }, event, { ...sample, name: `${sample.name}, and ${failure}` }, decided, run));
    // After a refusal nobody waits for a request, so nobody can say what became of it.
    if (!run.late && !run.stderr.includes(said) && !(refuses && failure.startsWith("sends"))) diagnostics.push(diagnose("verify/silent-failure", { host: host.title, event: event.name, failure }));
    failures.push({ host: host.id, event: event.name, failure, guard: ending(run, host.contract.judgeAnswer(event.name, run, sample.payload)), then: refuses ? reactions[kindOf(host, event.name)].refused : "does as without it" });
  }
  return { failures, diagnostics };
}

/** An address on this machine that takes connections and never says a word. */
async function withSilentServer(work: (address: string) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  try {
    await work(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
