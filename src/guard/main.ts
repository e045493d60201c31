/**
 * A guard's process: the host's payload comes in on stdin, the host's answer goes out with an exit code that is never 1.
 * Everything runs synchronously inside one `try`, so that no failure is left to Node, which would end with 1.
 */
import { readSync, writeSync } from "node:fs";
import { MalformedPayload } from "./call.ts";
import type { Answer, ToolCall, Wire } from "./call.ts";
import { errorCode } from "./error-code.ts";
import { answerFailure } from "./failure.ts";
import { doJob } from "./job.ts";
import { jobArgument } from "./job-argument.ts";
import { answerPayload } from "./judge.ts";
import type { Judged } from "./judge.ts";
import { expectObject } from "./payload.ts";
import { parsePayload } from "./payload-text.ts";
import type { GuardPlan } from "./plan.ts";
import { thisPlatform } from "./platform.ts";
import type { RuleStore } from "./rule-store.ts";

/** Milliseconds to wait for a host that has stdin or stdout open but neither writes nor reads. */
const mostWait = 4000;
/** Bytes. Hosts send a whole file or a whole output at most. */
const mostInput = 64 * 1024 * 1024;
/** Bytes that are read in no time worth measuring. */
const fewInput = 64 * 1024;

/**
 * Answers the event named by the first argument, and then does what else the rules ask for. `dry` as the second argument
 * suppresses that, says on stderr what it would have been, and changes no answer.
 */
export function runGuard(plan: Omit<GuardPlan, "rules">, wire: Wire, rules: RuleStore): void {
  const event = process.argv[2] ?? "";
  // Fail closed: whatever happens from here on, a process that ends early has refused.
  process.exitCode = failsClosed(plan, event) ? 2 : 0;
  try {
    if (event === jobArgument()) return doJob(process.env);
    const { answer, after } = answerEvent(plan, wire, rules, event);
    if (deliver(answer)) process.exitCode = answer.exitCode;
    for (const line of after?.() ?? []) writeAll(2, `policyc: ${plan.name}: ${line}\n`);
  } catch {
    // The exit code says it already, and stderr may be what failed.
  }
}

function answerEvent(plan: Omit<GuardPlan, "rules">, wire: Wire, rules: RuleStore, event: string): Judged {
  let seen: ToolCall | undefined;
  try {
    const bytes = readInput();
    // The clock that stops a judgement costs more than reading what there is to judge, and most calls concern no rule.
    if (bytes.length <= fewInput) seen = readCall(wire, event, bytes);
    const concerned = seen === undefined ? rules.all() : rules.concerning(seen);
    // No opinion is nothing said, on every host.
    if (concerned.length === 0) return { answer: { exitCode: 0, stdout: "", stderr: "" } };
    return answerPayload({ ...plan, rules: concerned }, wire, event, bytes, process.argv[3] === "dry", (call) => (seen = call));
  } catch (error) {
    return { answer: answerFailure(plan, wire, event, failsClosed(plan, event), error, seen) };
  }
}

function readCall(wire: Wire, event: string, bytes: Buffer): ToolCall {
  return wire.decode(event, expectObject(parsePayload(bytes), "the payload"), thisPlatform());
}

/** Fail closed: an event the plan does not know was registered by somebody else, or its name came out wrong. */
function failsClosed(plan: Omit<GuardPlan, "rules">, event: string): boolean {
  return plan.events.find((one) => one.name === event)?.failClosed ?? plan.onError !== "allow";
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
