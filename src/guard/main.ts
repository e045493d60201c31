/**
 * A guard's process: the host's payload comes in on stdin, the host's answer goes out with an exit code that is never 1.
 * Everything runs synchronously inside one `try`, so that no failure is left to Node, which would end with 1. Most calls
 * are ordinary commands that no rule can concern: they get as far as this file and say nothing.
 */
import type { Wire } from "./call.ts";
import { readInput } from "./input.ts";
import { doJob } from "./job.ts";
import { jobArgument } from "./job-argument.ts";
import { partText } from "./part.ts";
import { parsePayload } from "./payload-text.ts";
import type { GuardPlan } from "./plan.ts";
import { answerFault, answerPayload } from "./respond.ts";
import type { RuleHolders } from "./rule-store.ts";
import { concernsNoRule } from "./shell-call.ts";
import type { ShellCalls, ShellSigns } from "./shell-call.ts";

/** What a guard is made of. */
export interface GuardSource {
  readonly plan: Omit<GuardPlan, "rules">;
  readonly rules: RuleHolders;
  readonly shellCalls: ShellCalls;
  readonly shellSigns: ShellSigns;
  /** The host's codec, loaded when a payload has to be read whole. */
  wire(): Wire;
}

/** Bytes that are read in no time worth measuring, so that no clock has to run. */
const fewInput = 64 * 1024;

/**
 * Answers the event named by the first argument, and then does what else the rules ask for. `dry` as the second argument
 * suppresses that, says on stderr what it would have been, and changes no answer.
 */
export function runGuard(source: GuardSource): void {
  const event = process.argv[2] ?? "";
  const failsClosed = doesFailClosed(source.plan, event);
  // Fail closed: whatever happens from here on, a process that ends early has refused.
  process.exitCode = failsClosed ? 2 : 0;
  try {
    if (event === jobArgument()) return doJob(process.env);
    let bytes: Buffer;
    try {
      bytes = readInput();
    } catch (fault) {
      return answerFault(source, event, failsClosed, fault);
    }
    if (isOrdinary(source, event, bytes)) process.exitCode = 0;
    else answerPayload(source, event, failsClosed, bytes);
  } catch {
    // The exit code says it already, and stderr may be what failed.
  }
}

/** Fail closed: an event the plan does not know was registered by somebody else, or its name came out wrong. */
function doesFailClosed({ events, onError }: GuardSource["plan"], event: string): boolean {
  return events.find((one) => one.name === event)?.failClosed ?? onError !== "allow";
}

/** True for a call that surely concerns no rule. */
function isOrdinary({ rules, shellCalls, shellSigns }: GuardSource, event: string, bytes: Buffer): boolean {
  if (bytes.length > fewInput) return false;
  try {
    return concernsNoRule(shellCalls, shellSigns, event, parsePayload(bytes), () => partText(rules.index));
  } catch {
    // What is wrong with it is found again, and said, where payloads are read whole.
    return false;
  }
}
