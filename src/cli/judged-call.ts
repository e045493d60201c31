/**
 * Decides one call in process as the built guard would: the same plan, codec, `decide` and disk, with a record of what
 * every rule and every condition came to.
 */
import { join } from "node:path";
import { dryCommands } from "../guard/asked.ts";
import { MalformedPayload } from "../guard/call.ts";
import type { Decision, Json, JsonObject, ToolCall } from "../guard/call.ts";
import { decide } from "../guard/decide.ts";
import type { Outcome, Trace } from "../guard/decide.ts";
import { machineWorld } from "../guard/machine.ts";
import type { ConditionPlan, RulePlan } from "../guard/plan.ts";
import { thisPlatform } from "../guard/platform.ts";
import { loadShell } from "../guard/shell/index.ts";
import type { Truth } from "../guard/world.ts";
import type { Lowered } from "../lower/lower.ts";

/** The call a question is about, on one host. */
export interface AskedCall {
  readonly on: Lowered;
  readonly event: string;
  readonly payload: JsonObject;
}

/** What every rule and every condition came to on one call. */
export interface CallRecord {
  readonly outcomes: ReadonlyMap<RulePlan, Outcome>;
  readonly truths: ReadonlyMap<ConditionPlan, Truth>;
}

export type JudgedCall =
  | (CallRecord & {
      readonly kind: "decided";
      readonly call: ToolCall;
      readonly decision: Decision;
      /** Of the gates, on what rules made of the call; absent where none changed it. */
      readonly again?: CallRecord;
      /** The commands found in the call, a line each. */
      readonly commands: readonly string[];
    })
  /** The payload is none the host sends; the guard answers as `default on-error` says. */
  | { readonly kind: "malformed"; readonly why: string };

export function judgeCall({ on: { host, plan }, event, payload }: Omit<AskedCall, "on"> & { readonly on: Pick<Lowered, "host" | "plan"> }, root: string, environment: Readonly<Record<string, string | undefined>>): JudgedCall {
  // As the guard does: a host that names no folder starts its guards in that of the task.
  const read = (sent: Json): ToolCall => {
    const sentCall = host.wire.decode(event, sent, thisPlatform());
    return sentCall.cwd === "" ? { ...sentCall, cwd: root } : sentCall;
  };
  let call: ToolCall;
  try {
    call = read(payload);
  } catch (fault) {
    if (fault instanceof MalformedPayload) return { kind: "malformed", why: fault.message };
    throw fault;
  }
  const { withInput } = host.wire;
  const world = machineWorld(plan, call, {
    guardFile: join(root, host.layout.guard),
    environment,
    shell: loadShell,
    commands: dryCommands(),
    ...(withInput && { redecode: (input: JsonObject) => read(withInput(payload, input)) }),
  });
  const first = recorder();
  const second = recorder();
  let decision: Decision;
  try {
    decision = decide(plan, call, world, {
      ...first.trace,
      again: () => second.trace,
    });
  } catch (fault) {
    // What a rule makes of the call is none that the host sends.
    if (fault instanceof MalformedPayload) return { kind: "malformed", why: fault.message };
    throw fault;
  }
  return { kind: "decided", call, decision, ...first.record, ...(second.record.outcomes.size > 0 && { again: second.record }), commands: call.subject.commands.length > 0 ? loadShell().describe(call, world) : [] };
}

function recorder(): { readonly record: CallRecord; readonly trace: Trace } {
  const outcomes = new Map<RulePlan, Outcome>();
  const truths = new Map<ConditionPlan, Truth>();
  const trace: Trace = { condition: (_rule, condition, truth) => truths.set(condition, truth), rule: (rule, outcome) => outcomes.set(rule, outcome) };
  return { record: { outcomes, truths }, trace };
}
