/**
 * The host events a plan needs, and for each the hook entry to register: which tools, how long, and whether it must hold
 * when the guard fails.
 */
import type { EventPlan, OnError, RulePlan } from "../guard/plan.ts";
import type { HookEntry, Host } from "../hosts/host.ts";
import { matchTools } from "./tools.ts";

/** Start-up, reading and writing, on top of what the guard itself may take. */
const slack = 5;

/** Seconds the host should give a guard that decides within `deadline` milliseconds. */
export function entrySeconds(deadline: number, host: Host): number {
  return Math.max(host.facts.timeout.least, Math.ceil(deadline / 1000) + slack);
}

/** One entry for each host event some rule is about, in the host's own order. */
export function lowerEntries(rules: readonly RulePlan[], onError: OnError, deadline: number, host: Host): readonly HookEntry[] {
  return host.facts.eventNames.flatMap((name) => {
    const concerned = rules.filter((rule) => namesOf(rule, host).includes(name));
    if (concerned.length === 0) return [];
    const patterns = concerned.flatMap((rule) => rule.tools);
    return [
      {
        event: name,
        tools: patterns.length === 0 ? undefined : matchTools(patterns),
        // Every effect of a plan is a gate so far, and a gate must hold when the guard cannot.
        failClosed: onError !== "allow",
        timeout: entrySeconds(deadline, host),
        rules: concerned.map((rule) => rule.id),
      },
    ];
  });
}

export function eventPlans(entries: readonly HookEntry[]): readonly EventPlan[] {
  return entries.map(({ event, failClosed }) => ({ name: event, failClosed }));
}

function namesOf(rule: RulePlan, host: Host): readonly string[] {
  if (rule.event === "any-event") return rule.hostEvents ?? [];
  return rule.event === "host-event" ? (rule.hostEvent === undefined ? [] : [rule.hostEvent]) : (host.facts.events[rule.event] ?? []);
}
