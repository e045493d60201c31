/** What is verified: a guard on disk with the plan and the entries it was made from, and how to ask both for an answer. */
import type { Runtime } from "../compose.ts";
import type { ExampleCall } from "../examples/calls.ts";
import type { JsonObject } from "../guard/call.ts";
import type { Outcome } from "../guard/outcome.ts";
import type { GuardPlan, RulePlan } from "../guard/plan.ts";
import type { HookEntry, Host } from "../hosts/host.ts";
import type { Decided } from "./heard.ts";
import type { Recorded } from "./samples.ts";
import type { StartGuard } from "./start.ts";

/** What the same rules decide in process; `malformed` is what the guard cannot judge. */
export type InProcess = (Decided & { readonly outcomes: ReadonlyMap<RulePlan, Outcome> }) | { readonly kind: "malformed" };

/** Where a guard runs, for the decision in process to look at the same disk. */
export interface Ground {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface GuardUnderTest {
  readonly host: Host;
  readonly plan: GuardPlan;
  readonly entries: readonly HookEntry[];
  /** The project, and where the payloads say that the agent works. */
  readonly ground: Ground;
  /** What guards of the host share: scratch copies are made from it. */
  readonly runtime: Runtime;
  readonly recorded: readonly Recorded[];
  /** Calls of the policy's own examples on this host. */
  readonly calls: readonly ExampleCall[];
  readonly start: StartGuard;
  judge(plan: GuardPlan, event: string, payload: JsonObject, ground: Ground): InProcess;
}
