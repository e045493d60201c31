/**
 * A guard's process: the host's payload comes in on stdin, the host's answer goes out with an exit code that is never 1.
 * Everything runs synchronously inside one `try`, so that no failure is left to Node, which would end with 1. Most calls
 * are ordinary commands that no rule can concern: they get as far as this file and say nothing.
 */
import type { Answer, Wire } from "./call.ts";
import { readInput } from "./input.ts";
import { doJob } from "./job.ts";
import { jobArgument } from "./job-argument.ts";
import { deliver } from "./output.ts";
import { partText } from "./part.ts";
import { readPlain } from "./plain-payload.ts";
import type { GuardPlan } from "./plan.ts";
import { answerFault, answerPayload } from "./respond.ts";
import type { RuleHolders } from "./rule-store.ts";
import { concernsNoRule, readShellCall } from "./shell-call.ts";
import type { ShellCalls, ShellSigns } from "./shell-call.ts";
import { answerTextual } from "./textual.ts";

/** What a guard is made of. */
export interface GuardSource {
  readonly plan: Omit<GuardPlan, "rules">;
  readonly rules: RuleHolders;
  readonly shellCalls: ShellCalls;
  readonly shellSigns: ShellSigns;
  /** The host's codec, loaded when a payload has to be read whole. */
  wire(): Wire;
  /** The codec's words for a decision, which need no more of it. */
  encode: Wire["encode"];
}

/** No opinion is nothing said, on every host. */
const silence: Answer = { exitCode: 0, stdout: "", stderr: "" };

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
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = readInput();
    } catch (fault) {
      return answerFault(source, event, failsClosed, fault);
    }
    if (answerShortly(source, event, bytes)) leave();
    else answerPayload(source, event, failsClosed, Buffer.from(bytes.buffer, 0, bytes.length));
  } catch {
    // The exit code says it already, and stderr may be what failed.
  }
}

/** Ends the process with its exit code before Node tidies up, which takes longer than the short way did. */
function leave(): void {
  const { exitCode, reallyExit } = process as typeof process & { readonly reallyExit?: (code: unknown) => void };
  reallyExit?.(exitCode);
}

/** Fail closed: an event the plan does not know was registered by somebody else, or its name came out wrong. */
function doesFailClosed({ events, onError }: GuardSource["plan"], event: string): boolean {
  for (const { name, failClosed } of events) if (name === event) return failClosed;
  return onError !== "allow";
}

/** Answers calls of the everyday kind; false for a call that has to go the long way. */
function answerShortly(source: GuardSource, event: string, bytes: Uint8Array<ArrayBuffer>): boolean {
  if (bytes.length > fewInput) return false;
  let answer: Answer | undefined;
  try {
    const { rules, shellCalls, shellSigns } = source;
    const call = readShellCall(shellCalls, event, readPlain(bytes));
    if (call === undefined) return false;
    if (concernsNoRule(shellCalls, shellSigns, call, () => partText(rules.index))) answer = silence;
    else if (shellSigns.textual) answer = answerTextual(source, event, call);
  } catch {
    // What is wrong is found again, and said, where payloads are read whole.
    return false;
  }
  if (answer === undefined) return false;
  if (answer === silence || deliver(answer)) process.exitCode = answer.exitCode;
  return true;
}
