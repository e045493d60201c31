/**
 * The decision: a plan and a call go in, what the guard answers and does comes out (LANGUAGE.md 3.1). Gates look at the
 * call as sent, and once more at what transforms made of it; the strictest counts, whatever the order of the rules.
 */
import type { Decision, Redaction, ToolCall } from "./call.ts";
import { draftOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import type { Scope } from "./fields.ts";
import { fillMessage, joinReasons, ruleReason } from "./messages.ts";
import { isHarmless, isObserved, observation, undone, untold } from "./observe.ts";
import type { Observation } from "./observe.ts";
import type { Outcome, Trace } from "./outcome.ts";
import { textMemo } from "./patterns.ts";
import type { GuardPlan, RulePlan, SidePlan, TellPlan, TransformPlan } from "./plan.ts";
import { redactString } from "./redaction.ts";
import { isGateRule, judgeRule } from "./rule.ts";
import type { GateRule } from "./rule.ts";
import { tellAll } from "./tell.ts";
import { applyTransform, scopeOf } from "./transform.ts";
import { verdictOf } from "./verdict.ts";
import type { Fired, Verdict } from "./verdict.ts";
import type { World } from "./world.ts";

export type { Outcome, Trace } from "./outcome.ts";

/** A rule that applies to the call. */
interface Firing<Rule extends RulePlan = RulePlan> {
  readonly rule: Rule;
  readonly index: number;
  readonly outcome: Extract<Outcome, { readonly kind: "fires" }>;
  readonly observed: boolean;
}

type TransformRule = RulePlan & { readonly effect: TransformPlan };
type TellRule = RulePlan & { readonly effect: TellPlan };
type SideRule = RulePlan & { readonly effect: SidePlan };

/** One decision on its way: what is known of it, and what is seen but not done. */
interface Deciding {
  readonly plan: GuardPlan;
  /** Of the call as sent, with what its texts have to pass. */
  readonly scope: Scope;
  readonly trace: Trace | undefined;
  readonly observations: Observation[];
  readonly failures: string[];
}

export function decide(plan: GuardPlan, call: ToolCall, world: World, trace?: Trace): Decision {
  const bare: Scope = { call, world, memo: textMemo() };
  const firings = judgeRules(plan, bare, trace);
  const redactions = redactionsOf(firings, bare);
  const deciding: Deciding = { plan, scope: redactions.length === 0 ? bare : { ...bare, redactions }, trace, observations: [], failures: [] };

  const fired = gatesOf(firings, deciding.scope, deciding);
  const first = verdictOf(fired);
  const isAfter = call.event === "after-tool";
  // What a tool answered is still to be shown after a denial: its text is the reason then.
  const stops = first.effect === "deny" && !isAfter;
  const denial = first.effect === "deny" && isAfter ? joinReasons(first.reasons, true) : undefined;
  const { draft, refusals } = transformAll(stops ? [] : firings, draftOf(call, denial), deciding);
  if (stops) watchTransforms(firings, deciding);
  const again = draft.input === call.input || refusals.length > 0 ? undefined : judgeAgain(draft, deciding);
  const verdict = verdictOf([...fired, ...refusals], again);

  const denies = verdict.effect === "deny" && !isAfter;
  const told = denies ? { failures: [] } : tellFirings(firings, draft, deciding);
  return answer(verdict, denies ? undefined : draft, told, sidesOf(firings, deciding), deciding);
}

/** Every rule, or every gate, on one call; none is skipped because another one fired. */
function judgeRules(plan: GuardPlan, scope: Scope, trace: Trace | undefined, gatesOnly = false): readonly Firing[] {
  const firings: Firing[] = [];
  for (const [index, rule] of plan.rules.entries()) {
    if (gatesOnly && !isGateRule(rule)) continue;
    const outcome = judgeRule(rule, scope, trace);
    // A transform fires where it changes something, which is not known yet.
    if (outcome.kind !== "fires" || !isTransformRule(rule)) trace?.rule(rule, outcome);
    if (outcome.kind === "fires") firings.push({ rule, index, outcome, observed: isObserved(rule, plan, scope.world.today) });
  }
  return firings;
}

/** Of the rules that apply, those that are only observed too: a log must not hold what will be taken out one day. */
function redactionsOf(firings: readonly Firing[], scope: Scope): readonly Redaction[] {
  const found = firings.flatMap(({ rule }) => {
    const plan = rule.effect.kind === "redact" ? rule.effect : rule.wouldChange;
    return plan?.kind === "redact" ? [{ rule: rule.id, plan }] : [];
  });
  if (found.length === 0) return [];
  // What stands for a match may name a field itself, and that field's text has to pass them all.
  const plain = { ...scope, redactions: found.map(({ rule, plan }) => ({ rule, patterns: plan.patterns, as: "[redacted]" })) };
  return found.map(({ rule, plan }) => ({ rule, patterns: plan.patterns, as: fillMessage(plan.as, plain) }));
}

/** The gates that count; those that are observed are noted. */
function gatesOf(firings: readonly Firing[], scope: Scope, { observations }: Deciding): readonly Fired[] {
  return firings.filter(hasGate).flatMap(({ rule, index, outcome, observed }): Fired[] => {
    const { effect } = outcome;
    if (effect !== "deny" && effect !== "ask" && effect !== "allow" && effect !== "retry") return [];
    const { rule: id, text, suggest } = ruleReason(rule, scope, outcome.cause);
    const clean = (part: string): string => redactString(part, scope.redactions ?? [], scope.memo);
    const reason = { rule: id, text: clean(text), ...(suggest !== undefined && { suggest: clean(suggest) }) };
    if (!observed) return [{ index, effect, severity: rule.severity, reason }];
    if (!observations.some((known) => known.rule === id && known.effect === effect)) observations.push({ rule: id, effect, text: reason.text });
    return [];
  });
}

const order = ["set", "replace", "redact"] as const;

/** `set`, then `replace`, then `redact`, each in file order and on what the ones before have made. */
function transformAll(firings: readonly Firing[], start: Draft, { scope, trace, observations, failures }: Deciding): { readonly draft: Draft; readonly refusals: readonly Fired[] } {
  let draft = start;
  const refusals: Fired[] = [];
  const transforms = firings.filter(hasTransform);
  for (const { rule, index, outcome, observed } of order.flatMap((kind) => transforms.filter(({ rule: { effect } }) => effect.kind === kind))) {
    const done = applyTransform(rule.effect, rule.id, draft, scope);
    trace?.rule(rule, done.changed || done.failures.length > 0 ? outcome : { kind: "silent" });
    if (observed) {
      if (done.changed) observations.push(observation(rule, rule.effect.kind, `changes what stands in ${fieldsOf(rule.effect)}`, scope));
      continue;
    }
    draft = done.draft;
    if (done.failures.length === 0) continue;
    const text = `${done.failures.join("; ")}.`;
    // Fail closed: a call that cannot be cleaned is not made. What a tool has answered cannot be unsaid.
    if (draft.call.event === "after-tool") failures.push(`${rule.id}: ${text}`);
    else refusals.push({ index, effect: "deny", severity: rule.severity, reason: { rule: rule.id, text } });
  }
  return { draft, refusals };
}

/** Tells of transforms that a denial keeps from being applied. */
function watchTransforms(firings: readonly Firing[], { scope, trace }: Deciding): void {
  if (trace === undefined) return;
  for (const { rule, outcome } of firings.filter(hasTransform)) {
    trace.rule(rule, applyTransform(rule.effect, rule.id, draftOf(scope.call), scope).changed ? outcome : { kind: "silent" });
  }
}

/** The gates on the call as it became. Without a word of the host's codec on it nobody could say what it is. */
function judgeAgain(draft: Draft, deciding: Deciding): readonly Fired[] {
  const { plan, scope, trace } = deciding;
  if (scope.world.redecode === undefined) throw new Error("a rule changed the call and nobody can read what it became");
  const call = scope.world.redecode(draft.input);
  const again: Scope = { ...scope, call };
  return gatesOf(judgeRules(plan, again, trace?.again?.(call), true), again, deciding);
}

function tellFirings(firings: readonly Firing[], draft: Draft, { scope, observations, failures }: Deciding): ReturnType<typeof tellAll> {
  const tells = firings.filter(hasTell);
  if (tells.length === 0) return { failures: [] };
  const now = scopeOf(draft, scope);
  for (const { rule } of tells.filter((one) => one.observed)) observations.push(observation(rule, `tell ${rule.effect.audience}`, untold(rule.effect, now), now));
  const told = tellAll(tells.filter((one) => !one.observed).map(({ rule }) => rule), now);
  failures.push(...told.failures);
  return told;
}

function sidesOf(firings: readonly Firing[], { scope, observations }: Deciding): NonNullable<Decision["effects"]> {
  return firings.filter(hasSide).flatMap(({ rule, observed }) => {
    const { id, effect, timeout } = rule;
    if (!observed || isHarmless(effect)) return [{ rule: id, effect, ...(timeout !== undefined && { timeout }) }];
    observations.push(observation(rule, effect.kind, undone(effect), scope));
    return [];
  });
}

/** `draft` is absent where nothing goes on. */
function answer({ effect, reasons }: Verdict, draft: Draft | undefined, told: ReturnType<typeof tellAll>, effects: NonNullable<Decision["effects"]>, { scope, observations, failures }: Deciding): Decision {
  const isDenial = effect === "deny";
  return {
    effect,
    message: (isDenial ? draft?.output : undefined) ?? joinReasons(reasons, true),
    personMessage: joinReasons(reasons, false),
    reasons,
    ...(draft !== undefined && draft.input !== draft.call.input && { input: draft.input }),
    ...(draft?.response !== undefined && draft.response !== draft.call.response && { response: draft.response }),
    ...(!isDenial && draft?.output !== undefined && { output: draft.output }),
    ...(told.context !== undefined && { context: told.context }),
    ...(told.notice !== undefined && { notice: told.notice }),
    ...(observations.length > 0 && { observed: observations }),
    ...(effects.length > 0 && { effects }),
    ...(effect === "retry" && { retried: [...new Set(reasons.map(({ rule }) => rule))] }),
    ...(scope.redactions !== undefined && { redactions: scope.redactions }),
    ...(failures.length > 0 && { failures }),
  };
}

function isTransformRule(rule: RulePlan): rule is TransformRule {
  return rule.effect.kind === "set" || rule.effect.kind === "replace" || rule.effect.kind === "redact";
}

function hasGate(firing: Firing): firing is Firing<GateRule> {
  return isGateRule(firing.rule);
}

function hasTransform(firing: Firing): firing is Firing<TransformRule> {
  return isTransformRule(firing.rule);
}

function hasTell(firing: Firing): firing is Firing<TellRule> {
  return firing.rule.effect.kind === "tell";
}

function hasSide(firing: Firing): firing is Firing<SideRule> {
  return !hasGate(firing) && !hasTransform(firing) && !hasTell(firing);
}

function fieldsOf(plan: TransformPlan): string {
  return (plan.kind === "set" ? [plan.field] : plan.fields).map((field) => `\`${field.join(".")}\``).join(", ");
}
