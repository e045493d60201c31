/**
 * A payload becomes the host's answer: read, decided and put in the host's words, the first two within the policy's time.
 */
import { runInThisContext } from "node:vm";
import type { Answer, Decision, Json, JsonObject, ToolCall, Wire } from "./call.ts";
import { decide } from "./decide.ts";
import { machineWorld, thisPlatform } from "./machine.ts";
import { expectObject } from "./payload.ts";
import { parsePayload } from "./payload-text.ts";
import type { GuardPlan } from "./plan.ts";
import type { ShellModule } from "./shell/shell.ts";

/** @throws whatever goes wrong: `answerFailure` says what that comes to */
export function answerPayload(plan: GuardPlan, wire: Wire, event: string, bytes: Buffer, loadShell: (() => ShellModule) | undefined): Answer {
  const work = (): Decision => {
    const payload = expectObject(parsePayload(bytes), "the payload");
    const read = (sent: Json): ToolCall => located(wire.decode(event, sent, thisPlatform()));
    const call = read(payload);
    const machine = { guardFile: process.argv[1] ?? "", environment: process.env, shell: loadShell ?? missingShell, ...redecoder(wire, payload, read) };
    return decide(plan, call, machineWorld(plan, call, machine));
  };
  return wire.encode(event, underDeadline(plan.deadline, work));
}

/** How a call reads with other arguments, on hosts that take them. */
function redecoder(wire: Wire, payload: Json, read: (sent: Json) => ToolCall): { readonly redecode?: (input: JsonObject) => ToolCall } {
  const withInput = wire.withInput;
  return withInput === undefined ? {} : { redecode: (input) => read(withInput(payload, input)) };
}

/** A host that names no folder starts its guards in that of the task. */
function located(call: ToolCall): ToolCall {
  return call.cwd === "" ? { ...call, cwd: process.cwd() } : call;
}

function missingShell(): ShellModule {
  throw new Error("a rule looks into commands and the guard has no shell model");
}

/**
 * Runs `work` and interrupts it when the time is over, in the middle of a regular expression if need be. A timer in this
 * thread would wait for the expression; the time limit of a script has a thread of its own.
 */
function underDeadline<Result>(milliseconds: number, work: () => Result): Result {
  const name = "policycGuardWork";
  Object.defineProperty(globalThis, name, { value: work, configurable: true });
  return runInThisContext(`${name}()`, { timeout: milliseconds, filename: "guard" }) as Result;
}
