/**
 * What one effect of a rule becomes on one host: itself, what the rule's `else` says, an accepted gap, or a finding. The
 * host's capabilities decide; nothing is ever left out silently.
 */
import type { CheckedEffect, CheckedFallback, CheckedPattern, CheckedRule, CheckedSource } from "../check/checked.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import type { EffectPlan, MessagePlan, PatternPlan, ReplacementPlan, TellPlan, TransformPlan } from "../guard/plan.ts";
import type { EffectKind, Host } from "../hosts/host.ts";
import type { Text } from "../syntax/ast.ts";
import { lowerPattern, lowerPatternText } from "./condition.ts";
import { effectKind, eventsAt, supportsAt } from "./moment.ts";

export type LoweredEffect =
  /** `instead`: the rule's `else` stands in for what the author wrote first, where that is a transform only for what it would change. */
  | { readonly kind: "planned"; readonly plan: EffectPlan; readonly instead: boolean; readonly wouldChange?: TransformPlan }
  /**
   * A `redact` that the host cannot carry out: its patterns clean what the guard itself sends out and nothing else.
   * `accepted` where the author said `else skip`.
   */
  | { readonly kind: "outgoing"; readonly plan: TransformPlan; readonly accepted: boolean }
  /** Native permission strings, on a host that reads them. */
  | { readonly kind: "permission" }
  /** The author accepted the gap with `else skip`. */
  | { readonly kind: "skipped" }
  /** Permission strings that another host reads. */
  | { readonly kind: "elsewhere" }
  /** `effect` is the one the host lacks: the rule's own, or that of its `else`. */
  | { readonly kind: "missing"; readonly effect: EffectKind; readonly span: Span };

/** The rule's own effect. */
export function lowerEffect(rule: CheckedRule, host: Host): LoweredEffect {
  return lowerOne(rule.effect, rule, host, rule.otherwise);
}

/**
 * One of its `also` effects: `else skip` accepts that gap too, any other `else` is about the rule's own effect. `own` is
 * what that comes to on the host.
 */
export function lowerAlso(effect: CheckedEffect, rule: CheckedRule, own: EffectPlan["kind"] | undefined, host: Host): LoweredEffect {
  const skip = rule.otherwise?.kind === "skip" ? rule.otherwise : undefined;
  // A host that drops messages beside a refusal would never show this one.
  const isDropped = effectKind(effect) === "tell-user" && own === "deny" && rule.event !== "any-event" && (host.facts.silentDenials?.includes(rule.event) ?? false);
  if (isDropped) return skip ? { kind: "skipped" } : { kind: "missing", effect: "tell-user", span: effect.wordSpan };
  return lowerOne(effect, rule, host, skip);
}

function lowerOne(effect: CheckedEffect, rule: CheckedRule, host: Host, otherwise: CheckedFallback | undefined): LoweredEffect {
  const kind = effectKind(effect);
  if (effect.kind === "permission") {
    if (supportsAt("permission", rule, host)) return { kind: "permission" };
    // The strings are one host's own syntax, so a rule that names no host is about the hosts that read them.
    return rule.limited && rule.effect === effect ? { kind: "missing", effect: "permission", span: effect.wordSpan } : { kind: "elsewhere" };
  }
  if (supportsAt(kind, rule, host)) return { kind: "planned", plan: planOf(effect), instead: false };
  if (effect.kind === "redact") {
    const isAtTool = rule.event === "before-tool" || rule.event === "after-tool";
    const plan: TransformPlan = { ...redactionOf(effect), fields: [] };
    if (eventsAt(rule, host).length > 0 && (!isAtTool || otherwise?.kind === "skip")) return { kind: "outgoing", plan, accepted: otherwise?.kind === "skip" };
  }
  if (otherwise === undefined) return { kind: "missing", effect: kind, span: effect.wordSpan };
  if (otherwise.kind === "skip") return { kind: "skipped" };
  const stand = otherwise.kind === "effect" ? otherwise.effect : { kind: otherwise.kind };
  if (!supportsAt(effectKind(stand), rule, host)) return { kind: "missing", effect: effectKind(stand), span: otherwise.span };
  return { kind: "planned", plan: planOf(stand), instead: true, ...(isTransform(effect) && { wouldChange: transformOf(effect) }) };
}

type Transform = Extract<CheckedEffect, { readonly kind: "set" | "replace" | "redact" }>;

export function isTransform(effect: CheckedEffect): effect is Transform {
  return effect.kind === "set" || effect.kind === "replace" || effect.kind === "redact";
}

function planOf(effect: CheckedEffect | { readonly kind: "deny" | "ask" }): EffectPlan {
  switch (effect.kind) {
    case "deny":
    case "ask":
    case "allow":
      return { kind: effect.kind };
    case "retry":
      return { kind: "retry", limit: effect.limit };
    case "set":
    case "replace":
    case "redact":
      return transformOf(effect);
    case "tell":
      return { kind: "tell", audience: effect.audience, source: sourceOf(effect.source) };
    case "log":
    case "forward":
      return { kind: effect.kind, fields: effect.fields.map(({ path }) => path), to: effect.to };
    case "run":
      return { kind: "run", command: effect.command };
    case "mark":
    case "unmark":
      return { kind: effect.kind, name: effect.name };
    case "permission":
      throw new Error("permission strings are no part of a plan");
    default:
      return effect satisfies never;
  }
}

function transformOf(effect: Transform): TransformPlan {
  switch (effect.kind) {
    case "set": {
      const [field] = effect.fields;
      if (field === undefined) throw new Error("a `set` without a field is never sound");
      return { kind: "set", field: field.path, value: typeof effect.value === "number" ? effect.value : messagePlan(effect.value) };
    }
    case "replace":
      return { kind: "replace", patterns: effect.patterns.map(patternOf), with: replacementPlan(effect.with), fields: effect.fields.map(({ path }) => path) };
    case "redact":
      return redactionOf(effect);
    default:
      return effect satisfies never;
  }
}

function redactionOf(effect: Extract<Transform, { readonly kind: "redact" }>): Extract<TransformPlan, { readonly kind: "redact" }> {
  return { kind: "redact", patterns: effect.patterns.map(patternOf), as: effect.as ? messagePlan(effect.as) : ["[redacted]"], fields: effect.fields.map(({ path }) => path) };
}

function patternOf(pattern: CheckedPattern): PatternPlan {
  return pattern.kind === "text" ? lowerPatternText(pattern.text) : lowerPattern(pattern.regex);
}

function sourceOf(source: CheckedSource): TellPlan["source"] {
  return source.kind === "text" ? { kind: "text", text: messagePlan(source.text) } : source;
}

export function messagePlan(text: Text): MessagePlan {
  return text.template.map((part) => {
    if (part.kind === "literal") return part.text;
    return part.kind === "field" ? { field: part.path } : `{${part.index}}`;
  });
}

function replacementPlan(text: Text): ReplacementPlan {
  return text.template.map((part) => (part.kind === "literal" ? part.text : part.kind === "field" ? { field: part.path } : { capture: part.index }));
}
