/**
 * `test` blocks: a row of events of one simulated session goes through a host's payloads, codec and answers into the
 * decisions of the whole policy. Marks and retry counts are kept from step to step; no command is started, a test says
 * what the commands of `succeeds` and `output of` come to.
 */
import type { CheckedExpectation, CheckedProject, CheckedStep, CheckedTest } from "../check/checked.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { fieldAfter } from "../examples/after.ts";
import { exampleCalls } from "../examples/calls.ts";
import { MalformedPayload } from "../guard/call.ts";
import type { Decision, JsonObject, ToolCall } from "../guard/call.ts";
import { judgeCondition } from "../guard/condition.ts";
import { decide } from "../guard/decide.ts";
import type { Trace } from "../guard/decide.ts";
import { textMemo } from "../guard/patterns.ts";
import type { GuardPlan } from "../guard/plan.ts";
import { scratchRoot, scratchWorld } from "../guard/scratch.ts";
import { loadShell } from "../guard/shell/index.ts";
import type { World } from "../guard/world.ts";
import type { Host } from "../hosts/host.ts";
import { lowerCondition } from "../lower/condition.ts";
import type { Lowered } from "../lower/lower.ts";
import { lowerTools } from "../lower/tools.ts";

/** What became of one test on one host. `inapplicable`: the host has no such event or tool in one of the steps. */
export interface SessionOutcome {
  readonly test: CheckedTest;
  readonly host: Host;
  readonly result: "passed" | "failed" | "inapplicable";
  /** The first step that did not come out, with what was expected there; later steps would stand on it. */
  readonly fault?: { readonly span: Span; readonly got: string };
}

/** What the steps leave behind for those after them. */
interface Session {
  readonly marks: Set<string>;
  readonly retries: Map<string, number>;
}

/** Every day is the same, so that `until` dates change no result; rules that begin later are in force. */
const today = "9999-12-31";

/** Every test on each of its hosts that is built for. */
export function judgeSessions(project: CheckedProject, lowered: readonly Lowered[], watch?: Trace): readonly SessionOutcome[] {
  return project.tests.flatMap((test) => lowered.filter(({ host }) => test.hosts.includes(host.id)).map(({ host, plan }) => judgeSession(test, host, plan, watch)));
}

export function judgeSession(test: CheckedTest, host: Host, plan: GuardPlan, watch?: Trace): SessionOutcome {
  const session: Session = { marks: new Set(), retries: new Map() };
  for (const step of test.steps) {
    const call = exampleCalls({ ...step, ...(step.agent !== undefined && { agents: [step.agent] }) }, step, lowerTools(step, host).patterns, host)[0];
    if (call === undefined) return { test, host, result: "inapplicable" };
    const fault = takeStep(step, call, host, plan, session, watch);
    if (fault !== undefined) return { test, host, result: "failed", fault };
  }
  return { test, host, result: "passed" };
}

/** Judges one event and keeps what it leaves behind; `undefined` where all that was expected came out. */
function takeStep(step: CheckedStep, { event, tool, fields, branch, tampering, platform = "linux" }: ReturnType<typeof exampleCalls>[number], host: Host, plan: GuardPlan, session: Session, watch?: Trace): SessionOutcome["fault"] {
  const payload = host.player.compose(event, tool, fields, { cwd: scratchRoot(platform) });
  const redecode = (input: JsonObject): ToolCall => host.wire.decode(event, host.wire.withInput?.(payload, input) ?? payload, platform);
  const world: World = { ...scratchWorld({ platform, branch, tampering, today, shell: loadShell, redecode }), ...sessionWorld(step, session) };
  let call: ToolCall;
  let decision: Decision;
  try {
    call = host.wire.decode(event, payload, platform);
    // What a rule makes of a call may be none that the host sends.
    decision = decide(plan, call, world, watch);
  } catch (fault) {
    if (!(fault instanceof MalformedPayload)) throw fault;
    return { span: step.span, got: `the host's payload was refused: ${fault.message}` };
  }
  remember(decision, call, session);
  const judgement = host.contract.judgeAnswer(event, host.wire.encode(event, decision, call));
  if (judgement.breaches.length > 0) return { span: step.span, got: `the answer breaks the host's contract: ${judgement.breaches.join(", ")}` };
  for (const expectation of step.expectations) {
    const got = unlike(expectation, call, decision, world, host);
    if (got !== undefined) return { span: expectation.span, got };
  }
  return undefined;
}

function sessionWorld({ commands }: CheckedStep, { marks, retries }: Session): Partial<World> {
  const outcomeOf = (command: string) => commands.find((one) => one.command === command);
  return {
    marked: (name) => marks.has(name),
    retries: (rule) => retries.get(rule) ?? 0,
    succeeds: (command) => {
      const exit = outcomeOf(command)?.exit;
      return exit === undefined ? { doubt: `the test does not say how \`${command}\` ends` } : exit === 0;
    },
    outputOf: (command) => outcomeOf(command)?.output,
  };
}

function remember({ effects = [], retried }: Decision, call: ToolCall, { marks, retries }: Session): void {
  for (const { effect } of effects) {
    if (effect.kind === "mark") marks.add(effect.name);
    if (effect.kind === "unmark") marks.delete(effect.name);
  }
  if (call.event !== "stop") return;
  if (retried === undefined) retries.clear();
  for (const rule of retried ?? []) retries.set(rule, (retries.get(rule) ?? 0) + 1);
}

/** What came instead of the expectation, in words; `undefined` where it holds. */
function unlike(expectation: CheckedExpectation, call: ToolCall, decision: Decision, world: World, host: Host): string | undefined {
  if (expectation.kind === "verdict") {
    const rules = decision.reasons.map(({ rule }) => rule);
    const { verdict, by } = expectation;
    if (decision.effect === verdict && (by === undefined || rules.includes(by))) return undefined;
    return `${decision.effect}${rules.length > 0 ? ` by ${rules.join(", ")}` : ""}`;
  }
  const condition = lowerCondition(expectation.condition, () => undefined, host.facts.mcpPart ?? ((name) => name));
  const scope = { call: callAfter(call, decision, world), world, memo: textMemo() };
  if (judgeCondition(condition, scope, "narrow") === true) return undefined;
  const compared = condition.kind === "not" ? condition.of : condition;
  return compared.kind === "compare" ? `${compared.field.join(".")} is ${JSON.stringify(fieldAfter(compared.field, call, decision, world))}` : "it does not hold";
}

/** The call as the tool gets it, or with the output that the model reads. */
function callAfter(call: ToolCall, decision: Decision, world: World): ToolCall {
  if (call.event === "after-tool") return { ...call, fields: { ...call.fields, output: fieldAfter(["output"], call, decision, world) } };
  return decision.input === undefined ? call : (world.redecode?.(decision.input) ?? call);
}
