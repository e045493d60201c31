/**
 * The long way of a call: its payload is read whole, judged by the rules it may concern and answered in the host's words;
 * then what else the rules ask for is done. Sets the process's exit code and never lets it be 1.
 */
import type { ToolCall } from "./call.ts";
import { answerFailure } from "./failure.ts";
import { judgePayload, readPayload } from "./judge.ts";
import type { Judged } from "./judge.ts";
import type { GuardSource } from "./main.ts";
import { complain, deliver } from "./output.ts";
import { allRules, rulesFor } from "./rule-store.ts";

/** Bytes that are read in no time worth measuring. */
const fewInput = 64 * 1024;

export function answerPayload(source: GuardSource, event: string, failsClosed: boolean, bytes: Buffer): void {
  let seen: ToolCall | undefined;
  try {
    // The clock that stops a judgement costs more than reading a short payload, and few calls concern a rule.
    const sent = bytes.length > fewInput ? undefined : readPayload(source.wire(), event, bytes);
    seen = sent?.call;
    const rules = sent === undefined ? allRules(source.rules) : rulesFor(sent.call, source.rules);
    // No opinion is nothing said, on every host.
    if (rules.length === 0) process.exitCode = 0;
    else speak(source, judgePayload({ ...source.plan, rules }, source.wire(), event, bytes, process.argv[3] === "dry", sent, (call) => (seen = call)));
  } catch (error) {
    answerFault(source, event, failsClosed, error, seen);
  }
}

/** `fault` kept the guard from judging; `call` is what it was about, as far as that is known. */
export function answerFault(source: GuardSource, event: string, failsClosed: boolean, fault: unknown, call?: ToolCall): void {
  speak(source, { answer: answerFailure(source.plan, source.wire(), event, failsClosed, fault, call) });
}

function speak({ plan }: GuardSource, { answer, after }: Judged): void {
  if (deliver(answer)) process.exitCode = answer.exitCode;
  for (const line of after?.() ?? []) complain(`policyc: ${plan.name}: ${line}`);
}
