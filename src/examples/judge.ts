/**
 * Runs every example in process, on every host it is for: the call it describes goes through the host's own payload and
 * codec into a decision of that one rule, in a scratch project without a disk. What an example says must come true.
 */
import type { CheckedExample, CheckedProject, CheckedRule } from "../check/checked.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { MalformedPayload } from "../guard/call.ts";
import type { Decision, JsonObject, ToolCall } from "../guard/call.ts";
import { decide } from "../guard/decide.ts";
import type { Outcome } from "../guard/decide.ts";
import type { ConditionPlan, GuardPlan, RulePlan } from "../guard/plan.ts";
import { scratchRoot, scratchWorld } from "../guard/scratch.ts";
import { loadShell } from "../guard/shell/index.ts";
import type { Truth } from "../guard/world.ts";
import type { Host } from "../hosts/host.ts";
import type { Lowered, Origin } from "../lower/lower.ts";
import { exampleCalls } from "./calls.ts";
import type { ExampleCall } from "./calls.ts";
import { fieldAfter } from "./after.ts";
import { diagnoseExamples } from "./findings.ts";
import { runsParts } from "./runs-parts.ts";
import type { RunsPart } from "./runs-parts.ts";

/** Rules that begin on a later day are judged as if it had come, so no day is special. */
const firstDay = "2000-01-01";

/** What became of one example on one host. */
export interface ExampleOutcome {
  readonly rule: CheckedRule;
  readonly example: CheckedExample;
  readonly host: Host;
  /** The host's plan with this one rule. */
  readonly plan: GuardPlan;
  /** Every call the example was tried on. */
  readonly calls: readonly JudgedCall[];
  /** `inapplicable`: the rule does nothing there, as its author accepted, or the host has no tool of this kind. */
  readonly result: "passed" | "failed" | "inapplicable";
}

/** What only a failure or a test asks for is a function: most examples pass, and a build waits for all of them. */
export interface JudgedCall {
  readonly call: ExampleCall;
  /** The rule's outcome, or why the host's payload was refused. */
  readonly outcome: Outcome | { readonly kind: "malformed"; readonly why: string };
  /** What the host hears of a guard with this one rule: another text in the place of an output counts as a refusal of it. */
  effect(): Decision["effect"];
  /** The field of the example's `becomes` as it stands after the rule. */
  readonly after?: string;
  /** The parts of the rule's conditions that were looked at, in order. */
  readonly truths: readonly JudgedCondition[];
  /** Commands found, where the call has any. */
  commands(): readonly string[];
}

export interface JudgedCondition {
  readonly condition: ConditionPlan;
  readonly origin: Origin;
  readonly truth: Truth;
  /** Of a `runs` that fails at its arguments: what each part comes to. */
  parts(): readonly RunsPart[];
}

export function judgeExamples(project: CheckedProject, lowered: readonly Lowered[]): { readonly outcomes: readonly ExampleOutcome[]; readonly diagnostics: readonly Diagnostic[] } {
  // Of several plans of one rule the first is its own effect, and that is what an example is about.
  const plans = lowered.map((one) => ({ one, ruleOf: new Map(one.plan.rules.toReversed().map((plan) => [one.origins.get(plan)?.rule, plan])) }));
  const outcomes = project.rules.flatMap((rule) =>
    rule.examples.flatMap((example) =>
      plans.filter(({ one }) => example.hosts.includes(one.host.id)).map(({ one, ruleOf }) => judgeExample(rule, example, ruleOf.get(rule), one)),
    ),
  );
  return { outcomes, diagnostics: diagnoseExamples(outcomes) };
}

function judgeExample(rule: CheckedRule, example: CheckedExample, rulePlan: RulePlan | undefined, lowered: Lowered): ExampleOutcome {
  const { host } = lowered;
  const place = { rule, example, host, plan: oneRulePlan(lowered.plan, rulePlan) };
  if (rulePlan === undefined) return { ...place, calls: [], result: "inapplicable" };
  const calls = exampleCalls(rule, example, rulePlan.tools, host).map((call) => judgeCall(call, example, place.plan, lowered));
  if (calls.length === 0) return { ...place, calls, result: "inapplicable" };
  return { ...place, calls, result: holds(rule, example, calls, rulePlan) ? "passed" : "failed" };
}

/** The host's plan with only this rule, in force from the first day and answering. */
function oneRulePlan(plan: GuardPlan, rule: RulePlan | undefined): GuardPlan {
  const { mode: _observing, ...enforcing } = plan;
  if (rule === undefined) return { ...enforcing, rules: [] };
  const { from: _later, observed: _watched, ...inForce } = rule;
  return { ...enforcing, rules: [inForce] };
}

/**
 * LANGUAGE.md 3.12: a firing word needs one call that fires, `pass` needs all to stay silent. Where `else` stands in for
 * the transform, `becomes` asks no more than that it fires.
 */
function holds(rule: CheckedRule, { verdict, becomes }: CheckedExample, calls: readonly JudgedCall[], planned: RulePlan): boolean {
  if (verdict === "pass") return calls.every(({ outcome }) => outcome.kind === "silent" || outcome.kind === "elsewhere");
  const onlyByDoubt = verdict === "ask" && rule.effect.kind === "deny";
  const text = planned.effect.kind === rule.effect.kind ? becomes?.text : undefined;
  return calls.some(({ outcome, after }) => outcome.kind === "fires" && (!onlyByDoubt || outcome.cause !== undefined) && (text === undefined || after === text));
}

function judgeCall(call: ExampleCall, { becomes }: CheckedExample, plan: GuardPlan, lowered: Lowered): JudgedCall {
  const { host, origins } = lowered;
  const { wire } = host;
  const platform = call.platform ?? "linux";
  const payload = host.player.compose(call.event, call.tool, call.fields, { cwd: scratchRoot(platform) });
  const redecode = (input: JsonObject): ToolCall => wire.decode(call.event, wire.withInput?.(payload, input) ?? payload, platform);
  const world = scratchWorld({ platform, branch: call.branch, tampering: call.tampering, today: firstDay, shell: loadShell, redecode });
  const truths: JudgedCondition[] = [];
  const outcomes: Outcome[] = [];
  let toolCall: ToolCall;
  let decision: Decision;
  try {
    toolCall = wire.decode(call.event, payload, platform);
    decision = decide(plan, toolCall, world, {
      condition: (_rule, condition, truth, position) => {
        const origin = origins.get(condition);
        const parts = () => (condition.kind === "runs" && truth === false ? runsParts(condition, (part) => loadShell().judge(part, toolCall, position, world)) : []);
        if (origin !== undefined) truths.push({ condition, origin, truth, parts });
      },
      rule: (_rule, outcome) => outcomes.push(outcome),
    });
  } catch (fault) {
    // The payload, or what the rule makes of it, is none that the host sends.
    if (!(fault instanceof MalformedPayload)) throw fault;
    return { call, outcome: { kind: "malformed", why: fault.message }, effect: () => (plan.onError === "allow" ? "pass" : plan.onError), truths, commands: () => [] };
  }
  return {
    call,
    outcome: outcomes[0] ?? { kind: "elsewhere" },
    effect: () => host.contract.judgeAnswer(call.event, wire.encode(call.event, decision, toolCall), payload).effect,
    ...(becomes && { after: fieldAfter(becomes.field, toolCall, decision, world) }),
    truths,
    commands: () => (toolCall.subject.commands.length > 0 ? loadShell().describe(toolCall, world) : []),
  };
}
