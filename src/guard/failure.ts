/**
 * What a guard answers when it could not judge: the cause goes in, `default on-error` in the host's words comes out.
 */
import { MalformedPayload } from "./call.ts";
import type { Answer, ToolCall, Wire } from "./call.ts";
import { errorCode } from "./error-code.ts";
import type { GuardPlan } from "./plan.ts";

/**
 * On an event that fails open a line on stderr. `call` is there where the payload could be read: a host that takes an
 * output back only in the tool's own shape needs to know which tool it was.
 */
export function answerFailure(plan: Omit<GuardPlan, "rules">, wire: Wire, event: string, failsClosed: boolean, error: unknown, call?: ToolCall): Answer {
  const cause = causeOf(error, plan);
  if (!failsClosed || plan.onError === "allow") {
    return { exitCode: 0, stdout: "", stderr: `policyc: ${plan.name}: the guard has no opinion because ${cause}\n` };
  }
  const outcome = plan.onError === "ask" ? "so a person has to decide" : "and what cannot be judged is refused";
  const rule = `${plan.name}/on-error`;
  const text = `The policy's guard could not judge this: ${cause}, ${outcome}.`;
  const message = `[${rule}] ${text}`;
  return wire.encode(event, { effect: plan.onError, message, personMessage: message, reasons: [{ rule, text }] }, call);
}

function causeOf(error: unknown, { deadline }: Pick<GuardPlan, "deadline">): string {
  if (error instanceof MalformedPayload) return error.message;
  if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return `it took longer than ${deadline} ms`;
  // Never the message: it may quote the payload.
  return `of an error inside the guard (${error instanceof Error ? error.name : "unknown"})`;
}
