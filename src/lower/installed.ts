/**
 * What a build puts beside a guard, for the guard to compare with what is there when it runs: the entries as they come out
 * of registering, by their prints, and the host's switches. Only in guards with a rule that asks.
 */
import { entryPrints } from "../guard/installed.ts";
import type { GuardPlan, InstalledPlan } from "../guard/plan.ts";
import type { Surroundings } from "../hosts/host.ts";
import type { Lowered } from "./lower.ts";

/** The same, with the plan's `installed` filled in. */
export function withInstalled(lowered: Lowered, around: Surroundings | undefined): Lowered {
  const { host, plan, entries } = lowered;
  const layout = host.layoutIn(plan.scope, around);
  if (layout === undefined || !asksForTampering(plan)) return lowered;
  const { settings = "" } = host.register({ policy: plan.name, scope: plan.scope, entries, denials: [], ...(around && { around }) }, undefined, undefined);
  const { settingsShape: shape, hookSwitches } = host.facts;
  const installed: InstalledPlan = {
    guard: layout.guard,
    settings: layout.settings,
    shape,
    entries: Object.fromEntries(entryPrints(shape, settings)),
    switches: hookSwitches.filter(({ scopes }) => scopes.includes(plan.scope)).map(({ key, files }) => ({ key, files })),
  };
  return { ...lowered, plan: { ...plan, installed } };
}

/** In a condition or a message; both name a field by its path. */
function asksForTampering({ rules }: GuardPlan): boolean {
  return JSON.stringify(rules).includes('["tampering"]');
}
