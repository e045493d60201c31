/**
 * A guard's process: the host's payload comes in on stdin, the host's answer goes out with an exit code that is never 1.
 * Everything runs synchronously inside one `try`, so that no failure is left to Node, which would end with 1.
 */
import { readSync, writeSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { MalformedPayload } from "./call.ts";
import type { Answer, Decision, Json, JsonObject, ToolCall, Wire } from "./call.ts";
import { decide } from "./decide.ts";
import { errorCode } from "./files.ts";
import { machineWorld, thisPlatform } from "./machine.ts";
import { expectObject } from "./payload.ts";
import { parsePayload } from "./payload-text.ts";
import type { GuardPlan } from "./plan.ts";
import type { ShellModule } from "./shell/shell.ts";

/** Milliseconds to wait for a host that has stdin or stdout open but neither writes nor reads. */
const mostWait = 4000;
/** Bytes. Hosts send a whole file or a whole output at most. */
const mostInput = 64 * 1024 * 1024;

/**
 * Answers the event named by the first argument. `dry` as the second one suppresses side effects; gates have none, so it
 * changes nothing here. `loadShell` is called when a line of commands has to be understood.
 */
export function runGuard(plan: GuardPlan, wire: Wire, loadShell: (() => ShellModule) | undefined): void {
  const event = process.argv[2] ?? "";
  // Fail closed: whatever happens from here on, a process that ends early has refused.
  process.exitCode = failsClosed(plan, event) ? 2 : 0;
  try {
    const answer = answerEvent(plan, wire, loadShell, event);
    if (deliver(answer)) process.exitCode = answer.exitCode;
  } catch {
    // The exit code says it already, and stderr may be what failed.
  }
}

function answerEvent(plan: GuardPlan, wire: Wire, loadShell: (() => ShellModule) | undefined, event: string): Answer {
  try {
    const bytes = readInput();
    const work = (): Decision => {
      const payload = expectObject(parsePayload(bytes), "the payload");
      const read = (sent: Json): ToolCall => located(wire.decode(event, sent, thisPlatform()));
      const call = read(payload);
      const machine = { guardFile: process.argv[1] ?? "", environment: process.env, shell: loadShell ?? missingShell, ...redecoder(wire, payload, read) };
      return decide(plan, call, machineWorld(plan, call, machine));
    };
    return wire.encode(event, underDeadline(plan.deadline, work));
  } catch (error) {
    return answerFailure(plan, wire, event, causeOf(error, plan));
  }
}

/** How a call reads with other arguments, on hosts that take them. */
function redecoder(wire: Wire, payload: Json, read: (sent: Json) => ToolCall): { readonly redecode?: (input: JsonObject) => ToolCall } {
  const withInput = wire.withInput;
  return withInput === undefined ? {} : { redecode: (input) => read(withInput(payload, input)) };
}

/** What `default on-error` says, in the host's words; on an event that fails open a line on stderr. */
function answerFailure(plan: GuardPlan, wire: Wire, event: string, cause: string): Answer {
  if (!failsClosed(plan, event) || plan.onError === "allow") {
    return { exitCode: 0, stdout: "", stderr: `policyc: ${plan.name}: the guard has no opinion because ${cause}\n` };
  }
  const outcome = plan.onError === "ask" ? "so a person has to decide" : "and what cannot be judged is refused";
  const rule = `${plan.name}/on-error`;
  const text = `The policy's guard could not judge this: ${cause}, ${outcome}.`;
  const message = `[${rule}] ${text}`;
  return wire.encode(event, { effect: plan.onError, message, personMessage: message, reasons: [{ rule, text }] });
}

/** Fail closed: an event the plan does not know was registered by somebody else, or its name came out wrong. */
function failsClosed(plan: GuardPlan, event: string): boolean {
  return plan.events.find((one) => one.name === event)?.failClosed ?? plan.onError !== "allow";
}

function causeOf(error: unknown, plan: GuardPlan): string {
  if (error instanceof MalformedPayload) return error.message;
  if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return `it took longer than ${plan.deadline} ms`;
  // Never the message: it may quote the payload.
  return `of an error inside the guard (${error instanceof Error ? error.name : "unknown"})`;
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

/** All of stdin. A non-blocking one whose data is late says EAGAIN, and gives up on what was read if `readFileSync` does it. */
function readInput(): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  const until = Date.now() + mostWait;
  for (let chunk = Buffer.allocUnsafe(65536); ; ) {
    const read = retried(until, () => readSync(0, chunk, 0, chunk.length, null));
    if (read === undefined) throw new MalformedPayload("the payload did not end");
    if (read === 0) return chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks, length);
    length += read;
    if (length > mostInput) throw new MalformedPayload("the payload is too large");
    chunks.push(chunk.subarray(0, read));
    chunk = Buffer.allocUnsafe(65536);
  }
}

/** False where stdout took not all of it: the host has not heard what it was to hear. */
function deliver(answer: Answer): boolean {
  const said = writeAll(1, answer.stdout);
  // The exit code decides without the words, so a closed stderr is no failure.
  writeAll(2, answer.stderr);
  return said;
}

/** Writes synchronously and whole: streams cut at 64 KiB when the process ends. */
function writeAll(file: number, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  let until = Date.now() + mostWait;
  for (let done = 0; done < bytes.length; ) {
    let written: number | undefined;
    try {
      written = retried(until, () => writeSync(file, bytes, done));
    } catch {
      return false;
    }
    if (written === undefined) return false;
    done += written;
    until = Date.now() + mostWait;
  }
  return true;
}

/** The result once the file is ready, `undefined` after the time limit. Sleeps between tries instead of spinning. */
function retried(until: number, transfer: () => number): number | undefined {
  for (;;) {
    try {
      return transfer();
    } catch (error) {
      const code = errorCode(error);
      // Windows reports the end of a pipe as an error.
      if (code === "EOF") return 0;
      if (code !== "EAGAIN" && code !== "EINTR") throw error;
      if (Date.now() > until) return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
