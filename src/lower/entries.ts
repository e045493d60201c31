/**
 * The host events a plan needs, and for each the hook entry to register: which tools, how long, and whether it must hold
 * when the guard fails.
 */
import type { ConditionPlan, EventPlan, GuardPlan, RulePlan } from "../guard/plan.ts";
import type { HookEntry, Host } from "../hosts/host.ts";
import { eventsAt, laterEvents } from "./moment.ts";
import type { Occasion } from "./moment.ts";
import { matchTools } from "./tools.ts";

/** Start-up, reading and writing, on top of what the guard itself may take; seconds. */
const slack = 5;

export type Post = NonNullable<HookEntry["posts"]>[number];

/** What the entries are made from: the plan's rules, and what the host posts itself, by event. */
export interface Guarded {
  readonly rules: readonly RulePlan[];
  readonly posts: ReadonlyMap<string, readonly Post[]>;
  readonly onError: GuardPlan["onError"];
  readonly mode: GuardPlan["mode"];
  readonly deadline: number;
}

/** One entry for each host event some rule is about, in the host's own order. */
export function lowerEntries(guarded: Guarded, host: Host, occasion: Occasion): readonly HookEntry[] {
  return host.facts.eventNames.flatMap((name) => {
    // What only cleans other rules' outgoing text needs no hook of its own.
    const concerned = guarded.rules.filter((rule) => namesOf(rule, host, occasion).includes(name) && !isOutgoing(rule));
    const posts = guarded.posts.get(name) ?? [];
    if (concerned.length === 0 && posts.length === 0) return [];
    return [
      {
        event: name,
        tools: concerned.some((rule) => rule.tools.length === 0) ? undefined : matchTools(concerned.flatMap((rule) => rule.tools)),
        failClosed: guarded.onError !== "allow" && guarded.mode !== "observe" && concerned.some(isBinding),
        timeout: entrySeconds(guarded.deadline + budgetOf(concerned), host),
        rules: [...new Set(concerned.map((rule) => rule.id))],
        ...(posts.length > 0 && { posts }),
        ...(concerned.length === 0 && { guarded: false }),
      },
    ];
  });
}

export function eventPlans(entries: readonly HookEntry[]): readonly EventPlan[] {
  return entries.filter((entry) => entry.guarded !== false).map(({ event, failClosed }) => ({ name: event, failClosed }));
}

/** Seconds the host should give a guard that may take `milliseconds` in all. */
function entrySeconds(milliseconds: number, host: Host): number {
  return Math.max(host.facts.timeout.least, Math.ceil(milliseconds / 1000) + slack);
}

export function namesOf(rule: RulePlan, host: Host, occasion: Occasion): readonly string[] {
  return [...eventsAt(rule, host), ...laterEvents(rule, host, occasion).map((later) => later.event)];
}

/** LANGUAGE.md 3.9: gates, transforms and redactions must hold when the guard fails; the rest must never block anything. */
function isBinding({ effect, observed }: RulePlan): boolean {
  // Fail closed: an entry cannot change on the day on which an observed rule begins to be enforced.
  if (observed !== undefined && observed.until === undefined) return false;
  return effect.kind === "deny" || effect.kind === "ask" || effect.kind === "allow" || effect.kind === "retry" || effect.kind === "set" || effect.kind === "replace" || effect.kind === "redact";
}

function isOutgoing({ effect }: RulePlan): boolean {
  return effect.kind === "redact" && effect.fields.length === 0;
}

/** Milliseconds that processes and requests of one event may take. A command that several rules ask for runs once. */
export function budgetOf(rules: readonly RulePlan[]): number {
  const commands = new Map<string, number>();
  let rest = 0;
  for (const { timeout, effect, when, unless } of rules) {
    if (timeout === undefined) continue;
    for (const command of [...(when ? [when] : []), ...unless].flatMap(commandsIn)) commands.set(command, Math.max(commands.get(command) ?? 0, timeout));
    if (spendsTime(effect)) rest += timeout;
  }
  return [...commands.values()].reduce((sum, time) => sum + time, rest);
}

export function spendsTime(effect: RulePlan["effect"]): boolean {
  return effect.kind === "run" || effect.kind === "forward" || (effect.kind === "tell" && effect.source.kind === "output-of");
}

/** Commands of `succeeds`. */
export function commandsIn(condition: ConditionPlan): readonly string[] {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.flatMap(commandsIn);
  return condition.kind === "not" ? commandsIn(condition.of) : condition.kind === "succeeds" ? [condition.command] : [];
}
