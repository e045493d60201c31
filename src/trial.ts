/**
 * Runs examples through real guard processes: for each rule and host a guard with that one rule, started as the host
 * would start it, in an empty project with an empty home, always dry. The host's contract judges every answer, and what it
 * hears (refusals, changed arguments and outputs, texts) has to be what the decision in process says.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { composeGuard } from "./compose.ts";
import type { Runtime } from "./compose.ts";
import type { Examined } from "./compile.ts";
import type { ExampleOutcome, JudgedCall } from "./examples/judge.ts";
import type { GuardPlan } from "./guard/plan.ts";
import type { Host } from "./hosts/host.ts";
import { findDifference } from "./verify/heard.ts";
import { guardEnvironment, guardStarter } from "./verify/start.ts";
import type { StartGuard } from "./verify/start.ts";
import type { Ground, GuardUnderTest, InProcess } from "./verify/subject.ts";

/** One example on one host, decided in process or answered by a guard. */
export interface TestCase {
  /** `policy/id`, or the title of a test block. */
  readonly rule: string;
  /** The verdict and the call, as in the policy: `deny "rm -rf build"`; of a test block what went wrong, or its first words. */
  readonly example: string;
  /** `file:line`. */
  readonly source: string;
  readonly host: string;
  readonly through: "decision" | "guard" | "session";
  /** `inapplicable`: the rule does nothing on that host, as its author accepted. */
  readonly result: "passed" | "failed" | "inapplicable";
  /** Why it failed; absent otherwise. */
  readonly message?: string;
  /** Of the guard's processes; 0 in process. */
  readonly milliseconds: number;
}

export interface TestReport {
  readonly cases: readonly TestCase[];
  readonly passed: number;
  readonly failed: number;
}

export interface TrialOptions {
  /** At most this many examples of a rule and host are run as processes, firing and passing ones in turn. */
  readonly sample?: number;
  /** Only rules whose id holds this text. */
  readonly filter?: string;
}

/** What the rules of a plan decide in process, on the disk that a guard of them looks at. */
export type JudgeInProcess = (host: Host, ...asked: Parameters<GuardUnderTest["judge"]>) => InProcess;

/** Every example of what was examined, in process and as processes; `runtimes` by host id. */
export async function testExamples(examined: Pick<Examined, "examples">, runtimes: ReadonlyMap<string, Runtime>, judge: JudgeInProcess, options: TrialOptions): Promise<TestReport> {
  const outcomes = examined.examples.filter((outcome) => outcome.rule.id.includes(options.filter ?? ""));
  const decided = outcomes.map((outcome) => testCase(outcome, "decision", outcome.result === "failed" ? `the rule does not do what the example says: ${outcome.calls.map(describeCall).join("; ")}` : undefined));
  const tried = await tryOutcomes(sampled(outcomes, options.sample), runtimes, judge);
  const cases = [...decided, ...tried];
  return { cases, passed: cases.filter((one) => one.result === "passed").length, failed: cases.filter((one) => one.result === "failed").length };
}

/** Examples with something to run, at most `most` for each rule and host. */
function sampled(outcomes: readonly ExampleOutcome[], most = Infinity): readonly ExampleOutcome[] {
  const runnable = outcomes.filter((outcome) => outcome.calls.some(isOfThisMachine));
  const taken = new Set<ExampleOutcome>();
  for (const group of grouped(runnable, (outcome) => `${outcome.host.id} ${outcome.rule.id}`)) {
    const passing = group.filter((outcome) => outcome.example.verdict === "pass");
    const firing = group.filter((outcome) => outcome.example.verdict !== "pass");
    const inTurn = group.flatMap((_, index) => [firing[index], passing[index]]).filter((outcome) => outcome !== undefined);
    for (const outcome of inTurn.slice(0, most)) taken.add(outcome);
  }
  return runnable.filter((outcome) => taken.has(outcome));
}

/** What a call of another platform comes to cannot be seen by a process of this one. */
function isOfThisMachine({ call }: JudgedCall): boolean {
  const name = process.platform === "win32" ? "windows" : process.platform === "darwin" ? "macos" : "linux";
  return call.platform === undefined || call.platform === name;
}

async function tryOutcomes(outcomes: readonly ExampleOutcome[], runtimes: ReadonlyMap<string, Runtime>, judge: JudgeInProcess): Promise<readonly TestCase[]> {
  const scratch = await mkdtemp(join(tmpdir(), "policyc-test-"));
  const cases = new Map<ExampleOutcome, TestCase>();
  try {
    // The guard of a rule is written once for all its examples; a branch needs a repository of its own, and a guard that
    // has been tampered with one that knows what was built.
    const groups = grouped(outcomes, (outcome) => [outcome.host.id, outcome.rule.id, ...new Set(outcome.calls.map(({ call }) => `${call.branch} ${call.tampering !== ""}`))].join(" "));
    const waiting = [...groups.entries()];
    const work = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [index, group] = next;
        for (const [outcome, tried] of await tryGroup(join(scratch, String(index)), group, runtimes, judge)) cases.set(outcome, tried);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return outcomes.flatMap((outcome) => cases.get(outcome) ?? []);
}

/** Examples of one rule on one host and branch, one after the other, in a project of their own below `folder`. */
async function tryGroup(folder: string, group: readonly ExampleOutcome[], runtimes: ReadonlyMap<string, Runtime>, judge: JudgeInProcess): Promise<readonly (readonly [ExampleOutcome, TestCase])[]> {
  const [first] = group;
  if (first === undefined) return [];
  const { host } = first;
  const plan = first.calls.some(({ call }) => call.tampering !== "") ? withoutSettings(first) : first.plan;
  const runtime = runtimes.get(host.id);
  if (runtime === undefined) throw new Error(`there is no guard runtime for ${host.id}`);
  const root = join(folder, "project");
  const home = join(folder, "home");
  const guard = join(root, host.layout.guard);
  await mkdir(dirname(guard), { recursive: true });
  await mkdir(home, { recursive: true });
  await writeFile(guard, composeGuard(runtime, plan));
  const branch = first.calls[0]?.call.branch ?? "";
  if (branch !== "") {
    await mkdir(join(root, ".git"));
    await writeFile(join(root, ".git/HEAD"), `ref: refs/heads/${branch}\n`);
  }
  const start = guardStarter(guard, plan, root, home);
  const ground = { root, environment: guardEnvironment(home) };
  const cases: (readonly [ExampleOutcome, TestCase])[] = [];
  for (const outcome of group) {
    const begin = performance.now();
    const faults: string[] = [];
    for (const judged of outcome.calls.filter(isOfThisMachine)) {
      const fault = await tryCall(host, plan, judged, ground, start, judge);
      if (fault !== undefined) faults.push(`${describeCall(judged)}: ${fault}`);
    }
    cases.push([outcome, testCase(outcome, "guard", faults.length > 0 ? faults.join("; ") : undefined, performance.now() - begin)]);
  }
  await rm(folder, { recursive: true, force: true });
  return cases;
}

/** Of a build whose settings are gone: the simplest tampering there is. */
function withoutSettings({ host: { layout, facts }, plan }: ExampleOutcome): GuardPlan {
  return { ...plan, installed: { guard: layout.guard, settings: layout.settings, shape: facts.settingsShape, entries: {}, switches: [] } };
}

/** What is wrong with the guard's answer to one call; `undefined` where the host hears what is decided in process, word for word. */
async function tryCall(host: Host, plan: GuardPlan, { call, effect: decidedEffect }: JudgedCall, ground: Ground, start: StartGuard, judge: JudgeInProcess): Promise<string | undefined> {
  const payload = host.player.compose(call.event, call.tool, call.fields, { cwd: ground.root });
  const run = await start(call.event, JSON.stringify(payload));
  if (run.late) return "the guard did not end";
  const judgement = host.contract.judgeAnswer(call.event, run, payload);
  if (judgement.breaches.length > 0) return judgement.breaches.join(", ");
  const said = run.stderr === "" ? "" : ` (${run.stderr.trim().slice(0, 200)})`;
  // The example was judged in a project without a disk: what it says has to hold on one too.
  const effect = decidedEffect();
  if (judgement.effect !== effect) return `the guard answers ${judgement.effect}, the decision in process is ${effect}${said}`;
  const decided = judge(host, plan, call.event, payload, ground);
  const difference = decided.kind === "malformed" ? undefined : findDifference(host, call.event, payload, decided, judgement);
  if (difference !== undefined) return `the guard answers ${difference.got}, the decision in process is ${difference.expected}${said}`;
  // A dry guard says what it would have done besides.
  const asked = decided.kind === "malformed" ? 0 : (decided.decision.effects ?? []).length;
  const done = [...run.stderr.matchAll(/^policyc: .* dry: would /gm)].length;
  return done === asked ? undefined : `the guard would do ${done} things besides, by the decision in process it is ${asked}`;
}

function testCase(outcome: ExampleOutcome, through: TestCase["through"], fault: string | undefined, milliseconds = 0): TestCase {
  const { rule, example, host } = outcome;
  const { text, path } = rule.file;
  return {
    rule: rule.id,
    example: describeExample(outcome),
    source: `${path}:${text.slice(0, example.span.start).split("\n").length}`,
    host: host.id,
    through,
    result: outcome.result === "inapplicable" ? "inapplicable" : fault === undefined ? "passed" : "failed",
    ...(fault !== undefined && { message: fault }),
    milliseconds: Math.round(milliseconds),
  };
}

/** As its author wrote it. */
function describeExample({ rule, example }: ExampleOutcome): string {
  return `${example.verdict} ${rule.file.text.slice(example.span.start, example.span.end).replace(/\s+/g, " ")}`;
}

function describeCall({ call, outcome }: JudgedCall): string {
  const words = outcome.kind === "malformed" ? `is malformed (${outcome.why})` : outcome.kind === "fires" ? (outcome.cause === undefined ? "fires" : "fires by doubt") : "is silent";
  return `${call.tool ?? call.event} ${words}`;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}
