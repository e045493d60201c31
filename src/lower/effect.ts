/**
 * What one rule's effect becomes on one host: itself, what its `else` says, an accepted gap, or a finding. The host's
 * capabilities decide; nothing is ever left out silently.
 */
import type { Span } from "../diagnostics/diagnostic.ts";
import type { CheckedRule } from "../check/checked.ts";
import type { EffectPlan } from "../guard/plan.ts";
import type { EffectKind, Host } from "../hosts/host.ts";

export type LoweredEffect =
  /** `instead`: the rule's `else` stands in for what the author wrote first. */
  | { readonly kind: "gate"; readonly plan: EffectPlan; readonly instead: boolean }
  /** Native permission strings, on a host that reads them. */
  | { readonly kind: "permission" }
  /** The author accepted the gap with `else skip`. */
  | { readonly kind: "skipped" }
  /** Not about this host: permission strings it has no syntax for, or an effect the checks refused already. */
  | { readonly kind: "elsewhere" }
  /** `effect` is the one the host lacks: the rule's own, or that of its `else`. */
  | { readonly kind: "missing"; readonly effect: EffectKind; readonly span: Span };

/** Says what `rule` does on `host`. */
export function lowerEffect(rule: CheckedRule, host: Host): LoweredEffect {
  const { effect, otherwise, event } = rule;
  if (effect.kind === "permission") {
    if (host.facts.supports("permission", event)) return { kind: "permission" };
    // The strings are one host's own syntax, so a rule that names no host is about the hosts that read them.
    return rule.limited ? { kind: "missing", effect: "permission", span: effect.wordSpan } : { kind: "elsewhere" };
  }
  if (!isGate(effect.kind)) return { kind: "elsewhere" };
  if (host.facts.supports(effect.kind, event)) return { kind: "gate", plan: { kind: effect.kind }, instead: false };
  if (otherwise === undefined) return { kind: "missing", effect: effect.kind, span: effect.wordSpan };
  if (otherwise.kind === "skip") return { kind: "skipped" };
  const stand = otherwise.kind === "effect" ? otherwise.effect.kind : otherwise.kind;
  if (!isGate(stand)) return { kind: "elsewhere" };
  if (!host.facts.supports(stand, event)) return { kind: "missing", effect: stand, span: otherwise.span };
  return { kind: "gate", plan: { kind: stand }, instead: true };
}

function isGate(kind: string): kind is "deny" | "ask" | "allow" {
  return kind === "deny" || kind === "ask" || kind === "allow";
}
