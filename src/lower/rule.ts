/**
 * One checked rule and one host go in; its rule plans come out (the rule's own effect first, then what it does `also`),
 * with permission strings, accepted gaps and findings.
 */
import type { CheckedCondition, CheckedEffect, CheckedRule } from "../check/checked.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { allowance } from "../guard/budget.ts";
import type { ConditionPlan, EffectPlan, OnError, RulePlan, TransformPlan, Unsure } from "../guard/plan.ts";
import type { EventKind } from "../guard/vocabulary.ts";
import type { Host } from "../hosts/host.ts";
import { lowerCondition } from "./condition.ts";
import { isTransform, lowerAlso, lowerEffect, messagePlan } from "./effect.ts";
import type { LoweredEffect } from "./effect.ts";
import { commandsIn, spendsTime } from "./entries.ts";
import type { Post } from "./entries.ts";
import { fieldFindings } from "./field.ts";
import type { RuleFinding } from "./finding.ts";
import { eventsAt } from "./moment.ts";
import type { Occasion } from "./moment.ts";
import { lowerTools } from "./tools.ts";

/** Something the host does not do as written, and the author said what then. */
export interface Gap {
  /** `policy/id`. */
  readonly rule: string;
  /** What is missing: an effect word, or a tool class. */
  readonly lacks: string;
  /** The effect that stands in; `undefined` where the rule does nothing on the host. */
  readonly instead: EffectPlan["kind"] | undefined;
}

export interface LoweredRule {
  /** Each with the place of the effect it comes from; without one it only cleans what other rules send out. */
  readonly plans: readonly { readonly plan: RulePlan; readonly span: Span | undefined }[];
  readonly conditions: readonly (readonly [ConditionPlan, CheckedCondition])[];
  readonly denials: readonly string[];
  readonly gaps: readonly Gap[];
  readonly findings: readonly RuleFinding[];
  /** What the host posts itself, by event. */
  readonly posts: readonly { readonly event: string; readonly post: Post }[];
}

export function lowerRule(rule: CheckedRule, host: Host, occasion: Occasion): LoweredRule {
  const findings: RuleFinding[] = [];
  const gaps: Gap[] = [];
  const place = { rule, host, file: rule.file };
  const nothing = { plans: [], conditions: [], denials: [], posts: [] };

  const closed = rule.hostEvent === undefined || !Object.hasOwn(host.facts.closedEvents, rule.hostEvent) ? undefined : host.facts.closedEvents[rule.hostEvent];
  if (closed !== undefined) return { ...nothing, gaps, findings: [{ ...place, kind: "closed-event", effect: rule.effect.kind, why: closed, span: rule.effect.wordSpan }] };

  const own = { effect: rule.effect, lowered: lowerEffect(rule, host) };
  const ownKind = own.lowered.kind === "planned" ? own.lowered.plan.kind : undefined;
  const lowered = [own, ...rule.also.map((effect) => ({ effect, lowered: lowerAlso(effect, rule, ownKind, host) }))];
  for (const one of lowered) {
    const lacks = one.effect.kind;
    if (one.lowered.kind === "missing") findings.push({ ...place, kind: "unsupported-effect", effect: one.lowered.effect, span: one.lowered.span });
    if (one.lowered.kind === "skipped" || (one.lowered.kind === "outgoing" && one.lowered.accepted)) gaps.push({ rule: rule.id, lacks, instead: undefined });
    if (one.lowered.kind === "planned" && one.lowered.instead) gaps.push({ rule: rule.id, lacks, instead: one.lowered.plan.kind });
  }
  const denials = lowered.flatMap(({ effect, lowered: { kind } }) => (kind === "permission" && effect.kind === "permission" ? effect.denials.map((denial) => denial.value) : []));
  const planned = lowered.flatMap(({ effect, lowered: one }) => (one.kind === "planned" || one.kind === "outgoing" ? [{ effect, one }] : []));
  if (planned.length === 0) return { ...nothing, denials, gaps, findings };

  const tools = lowerTools(rule, host);
  for (const { span, pattern } of tools.missing) {
    const tool = pattern.kind === "class" || pattern.kind === "tool" ? pattern.name : pattern.kind;
    if (rule.otherwise?.kind === "skip") gaps.push({ rule: rule.id, lacks: tool, instead: undefined });
    else findings.push({ ...place, kind: "no-such-tool", tool, span });
  }
  // Fail closed: a rule that has lost all its tools matches nothing; it must not become one without a tool test.
  if (rule.tools.length > 0 && tools.patterns.length === 0) return { ...nothing, denials, gaps, findings };

  const carried = planned.flatMap(({ effect, one }) => (one.kind === "outgoing" ? [] : one.instead ? (rule.otherwise?.kind === "effect" ? [rule.otherwise.effect] : []) : [effect]));
  findings.push(...[...fieldFindings(rule, carried, host), ...shellGaps(rule, host)].map((finding) => ({ ...place, ...finding })));
  findings.push(...planned.flatMap(({ effect, one }) => effectFindings(effect, one, rule, host).map((finding) => ({ ...place, ...finding }))));

  const conditions: (readonly [ConditionPlan, CheckedCondition])[] = [];
  const base = baseOf(rule, tools.patterns, host, (plan, condition) => conditions.push([plan, condition]));
  const posted = planned.filter(({ effect, one }) => isPosted(effect, one, base, host, occasion));
  return {
    plans: planned.filter((one) => !posted.includes(one)).map(({ effect, one }) => ({ plan: rulePlan(base, one, effect === rule.effect, rule), span: one.kind === "outgoing" && one.accepted ? undefined : effect === rule.effect ? rule.rule.span : effect.span })),
    conditions,
    denials,
    gaps,
    findings,
    posts: posted.flatMap(({ effect }) => (effect.kind === "forward" ? eventsAt(rule, host).map((event) => ({ event, post: { url: effect.to, timeout: Math.ceil(allowance(rule.timeout) / 1000) } })) : [])),
  };
}

type BasePlan = Omit<RulePlan, "effect" | "because" | "suggest" | "timeout" | "wouldChange">;

function baseOf(rule: CheckedRule, tools: RulePlan["tools"], host: Host, remember: (plan: ConditionPlan, condition: CheckedCondition) => void): BasePlan {
  const spell = host.facts.mcpPart ?? ((name: string) => name);
  return {
    id: rule.id,
    source: `${rule.file.path}:${lineAt(rule.file.text, rule.rule.span.start)}`,
    event: rule.event,
    ...(rule.hostEvent !== undefined && { hostEvent: rule.hostEvent }),
    ...(rule.event === "any-event" && { hostEvents: host.facts.anyEvents }),
    ...(rule.agents && { agents: rule.agents }),
    tools,
    ...(rule.when && { when: lowerCondition(rule.when, remember, spell) }),
    unless: rule.unless.map((condition) => lowerCondition(condition, remember, spell)),
    severity: rule.severity,
    unsure: possible(rule.unsure, host, rule.event === "any-event" ? undefined : rule.event),
    ...(rule.from !== undefined && { from: rule.from }),
    ...(rule.observed && { observed: rule.observed }),
  };
}

type Planned = Extract<LoweredEffect, { readonly kind: "planned" | "outgoing" }>;

/** The words of the rule go with its own effect; what it does `also` has none to say. */
function rulePlan(base: BasePlan, lowered: Planned, isOwn: boolean, rule: CheckedRule): RulePlan {
  const { when, unless, severity, unsure, from, observed, ...start } = base;
  const wouldChange: TransformPlan | undefined = lowered.kind === "planned" ? lowered.wouldChange : undefined;
  const spends = spendsTime(lowered.plan) || [...(when ? [when] : []), ...unless].some((condition) => commandsIn(condition).length > 0);
  return {
    ...start,
    effect: lowered.plan,
    ...(when && { when }),
    unless,
    ...(isOwn && rule.because && { because: messagePlan(rule.because) }),
    ...(isOwn && rule.suggest && { suggest: messagePlan(rule.suggest) }),
    severity,
    unsure,
    ...(from !== undefined && { from }),
    ...(spends && { timeout: allowance(rule.timeout) }),
    ...(observed && { observed }),
    ...(wouldChange && { wouldChange }),
  };
}

/** What the host can post as it stands: nothing to decide, nothing to choose. */
function isPosted(effect: CheckedEffect, lowered: Planned, base: BasePlan, host: Host, { nativeHttps = false }: Occasion): boolean {
  if (!nativeHttps || !host.facts.nativeForward || effect.kind !== "forward" || lowered.kind !== "planned" || lowered.plan.kind !== "forward") return false;
  return effect.fields.length === 0 && base.tools.length === 0 && base.when === undefined && base.unless.length === 0 && base.from === undefined && base.observed === undefined;
}

type BareFinding = RuleFinding extends infer F ? (F extends RuleFinding ? Omit<F, "rule" | "host" | "file"> : never) : never;

function effectFindings(effect: CheckedEffect, lowered: Planned, rule: CheckedRule, { facts }: Host): readonly BareFinding[] {
  const span = effect.wordSpan;
  const findings: BareFinding[] = [];
  if (lowered.kind === "outgoing" && !lowered.accepted) findings.push({ kind: "partial-redaction", why: "there the host takes no other text, so only what the guard itself sends out is cleaned", span });
  const changesOutput = lowered.kind === "planned" && rule.event === "after-tool" && !lowered.instead && (effect.kind === "deny" || isTransform(effect));
  if (changesOutput && facts.partialOutput !== undefined && rule.otherwise?.kind !== "skip") findings.push({ kind: "partial-redaction", why: facts.partialOutput, span });
  if (effect.kind === "tell" && effect.audience === "model" && effect.source.kind === "text" && facts.contextCap !== undefined) {
    const { text } = effect.source;
    const isFixed = text.template.every((part) => part.kind === "literal");
    if (isFixed && text.value.length > facts.contextCap) findings.push({ kind: "context-cap", length: text.value.length, most: facts.contextCap, span: text.span });
  }
  return findings;
}

/** A shell tool in quotes is that one tool, and some hosts have others beside it. */
function shellGaps(rule: CheckedRule, { facts }: Host): readonly BareFinding[] {
  if (rule.event !== "before-tool" || rule.effect.kind === "log" || rule.effect.kind === "forward") return [];
  const named = rule.tools.flatMap(({ pattern }) => (pattern.kind === "tool" ? [pattern.name] : []));
  const coversAll = rule.tools.some(({ pattern }) => pattern.kind === "any" || (pattern.kind === "class" && pattern.name === "bash"));
  if (coversAll) return [];
  return rule.tools.flatMap(({ pattern, span }): readonly BareFinding[] => {
    if (pattern.kind !== "tool" || facts.shellGaps === undefined || !Object.hasOwn(facts.shellGaps, pattern.name)) return [];
    const misses = (facts.shellGaps[pattern.name] ?? []).filter((other) => !named.includes(other));
    return misses.length > 0 ? [{ kind: "shell-gap", tool: pattern.name, misses, span }] : [];
  });
}

/** `ask` is a deny where nobody can be asked. */
export function possible<Answer extends OnError | Unsure>(answer: Answer, host: Host, event: EventKind | undefined): Answer | "deny" {
  return answer === "ask" && (event === undefined || !host.facts.supports("ask", event)) ? "deny" : answer;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
