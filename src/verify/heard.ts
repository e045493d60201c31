/**
 * Whether a host hears what a guard has decided: a decision and what the host's contract makes of the answer go in, the
 * first difference comes out. Knows of hosts what their facts say.
 */
import { isDeepStrictEqual } from "node:util";
import type { Decision, JsonObject, ToolCall } from "../guard/call.ts";
import type { Host, Judgement } from "../hosts/host.ts";

/** One decision about one call, made in process. */
export interface Decided {
  readonly kind: "decided";
  readonly call: ToolCall;
  readonly decision: Decision;
}

/** Two words for a report: what came, and what the rules say. */
export interface Difference {
  readonly got: string;
  readonly expected: string;
}

/** `undefined` where the host takes the answer as it is meant. */
export function findDifference(host: Host, event: string, payload: JsonObject, { call, decision }: Decided, judgement: Judgement): Difference | undefined {
  const effect = meantEffect(host, event, call, decision);
  if (judgement.effect !== effect) return { got: judgement.effect, expected: effect };
  // The same decision in the same words, judged in process: whatever a process lost on its way shows here.
  const encoded = host.contract.judgeAnswer(event, host.wire.encode(event, decision, call), payload);
  for (const part of ["reason", "input", "output", "context", "notice"] as const) {
    if (!isDeepStrictEqual(judgement[part], encoded[part])) return { got: shown(part, judgement[part]), expected: shown(part, encoded[part]) };
  }
  const lost = findLoss(host, event, call, decision, judgement);
  return lost === undefined ? undefined : { got: `no ${lost}`, expected: `a ${lost}` };
}

/** What the contract has to call the answer. */
export function meantEffect({ facts }: Host, event: string, { event: kind }: Pick<ToolCall, "event">, { effect, input, response, output }: Decision): Decision["effect"] {
  // After a tool every other text in the place of the output counts as a refusal of it.
  if (kind === "after-tool") return effect === "deny" || response !== undefined || output !== undefined ? "deny" : "pass";
  const refused = facts.laterEvents.find((later) => later.event === event)?.refused ?? [];
  if (refused.some((word) => word === effect) || (input !== undefined && refused.includes("set"))) return "deny";
  return effect;
}

/** What a decision holds and a host that can take it has not heard. */
export function findLoss({ facts }: Host, event: string, call: ToolCall, { effect, reasons, input, context, notice }: Decision, judgement: Judgement): string | undefined {
  const hostEvent = call.event === "host-event" ? event : undefined;
  const refuses = judgement.effect === "deny" || judgement.effect === "retry";
  const [first] = reasons;
  // After a tool the reason may stand in the place of the output, in the tool's own shape.
  const said = `${judgement.reason} ${judgement.output === undefined ? "" : JSON.stringify(judgement.output)}`;
  if (first !== undefined && effect !== "allow" && judgement.effect !== "pass" && !said.includes(`[${first.rule}]`)) return `reason that names ${first.rule}`;
  if (input !== undefined && !refuses && judgement.input === undefined) return "new input";
  if (context !== undefined && facts.supports("tell-model", call.event, hostEvent) && facts.contextEvents.includes(event) && judgement.context === undefined) return "text for the model";
  const isShown = facts.supports("tell-user", call.event, hostEvent) && !(effect === "deny" && facts.silentDenials?.includes(call.event));
  return notice !== undefined && isShown && judgement.notice === undefined ? "text for the person" : undefined;
}

function shown(part: string, value: unknown): string {
  const text = value === undefined ? "none" : JSON.stringify(value);
  return `${part} ${text.length > 120 ? `${text.slice(0, 120)}…` : text}`;
}
