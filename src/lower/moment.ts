/**
 * When a rule is about a call on one host: the host's event names for its moment, and whether an effect can be carried
 * out there. `on any` is a fixed list of each host, so a new event of a host changes no policy.
 */
import type { CheckedEffect, CheckedRule } from "../check/checked.ts";
import type { ToolPattern } from "../guard/plan.ts";
import type { EffectKind, Host, LaterEvent } from "../hosts/host.ts";

/** What a build is made for, besides the host. */
export interface Occasion {
  /** The oldest version of the host in use, where the author vouches for one. */
  readonly atLeast?: string;
  /** The host posts unconditional `forward`s itself, where it can. */
  readonly nativeHttps?: boolean;
}

type Moment = Pick<CheckedRule, "event" | "hostEvent" | "agents">;

/** The host's events the moment is about, in the host's order; empty where it has none of them. */
export function eventsAt({ event, hostEvent, agents }: Moment, host: Host): readonly string[] {
  const { facts } = host;
  switch (event) {
    case "any-event":
      return facts.anyEvents;
    case "host-event":
      return hostEvent !== undefined && facts.eventNames.includes(hostEvent) ? [hostEvent] : [];
    case "stop":
      return stopsOf(agents, facts.events.stop ?? [], facts.stopAgents);
    default:
      return facts.events[event] ?? [];
  }
}

/** The first name is the main agent's, where a host has several. */
function stopsOf(agents: readonly string[] | undefined, names: readonly string[], known: Host["facts"]["stopAgents"]): readonly string[] {
  if (agents === undefined) return names;
  const isMain = agents.includes("main");
  const isOther = agents.some((agent) => agent !== "main") && known === "every";
  if (names.length < 2) return isMain || isOther ? names : [];
  return names.filter((_, index) => (index === 0 ? isMain : isOther));
}

/** Those events of newer clients that the rule is about too, where the build may count on such a client. */
export function laterEvents(rule: Moment & { readonly tools: readonly ToolPattern[] }, host: Host, { atLeast }: Occasion): readonly LaterEvent[] {
  if (atLeast === undefined) return [];
  return host.facts.laterEvents.filter((later) => later.kind === rule.event && isAtLeast(atLeast, later.since) && rule.tools.some((tool) => isOneOf(tool, later, host)));
}

function isOneOf(tool: ToolPattern, { classes }: LaterEvent, host: Host): boolean {
  if (tool.kind === "any") return true;
  if (tool.kind === "class") return classes.includes(tool.name);
  return tool.kind === "tool" && classes.some((name) => host.facts.tools[name].includes(tool.name));
}

/** `2.1.332` against `2.1.300`, number by number. */
export function isAtLeast(version: string, other: string): boolean {
  const [own, asked] = [version, other].map((text) => text.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < Math.max(own?.length ?? 0, asked?.length ?? 0); index++) {
    const difference = (own?.[index] ?? 0) - (asked?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function supportsAt(kind: EffectKind, moment: Moment, host: Host): boolean {
  if (kind === "permission") return host.facts.supports(kind, "before-tool");
  if (eventsAt(moment, host).length === 0) return false;
  // The checks let only effects stand there that ask nothing of a host.
  if (moment.event === "any-event") return true;
  return host.facts.supports(kind, moment.event, moment.hostEvent);
}

/** The word that hosts differ in. */
export function effectKind(effect: CheckedEffect | { readonly kind: "deny" | "ask" }): EffectKind {
  if (effect.kind === "tell") return effect.audience === "model" ? "tell-model" : "tell-user";
  return effect.kind === "unmark" ? "mark" : effect.kind;
}
