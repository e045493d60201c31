/**
 * The words of a decision: a rule's texts and the call go in, reasons and the message come out. Values of the call are
 * the agent's text on its way to a model, so they are cut, stripped of control characters and quoted.
 */
import type { Reason, ToolCall } from "./call.ts";
import { fieldText } from "./fields.ts";
import type { Scope } from "./fields.ts";
import { cleanText } from "./patterns.ts";
import type { FieldPath, MessagePlan, ReplacementPlan, RulePlan } from "./plan.ts";
import { redactString } from "./redaction.ts";

/** Characters of a value shown where a message names a field. */
const mostShown = 200;
/** Reasons in one message; the rest is counted. */
const mostReasons = 5;
/** UTF-8 bytes of a message: hosts and models lose interest, or cut, beyond. */
const mostBytes = 1900;

/** What one rule says about a call it applies to. `doubt` is the cause where it applies only because of one. */
export function ruleReason(rule: RulePlan, scope: Scope, doubt: string | undefined): Reason {
  const because = rule.because === undefined ? plainReason(rule, scope.call) : fillMessage(rule.because, scope);
  const text = doubt === undefined ? because : `${because} (This could not be ruled out: ${showValue(doubt)}.)`;
  return { rule: rule.id, text, ...(rule.suggest !== undefined && { suggest: fillMessage(rule.suggest, scope) }) };
}

/** The reasons in the order given, at most five, below 2 kB; `suggests` is for the model alone. */
export function joinReasons(reasons: readonly Reason[], suggests: boolean): string {
  const shown = reasons.slice(0, mostReasons);
  const more = reasons.length - shown.length;
  const texts = shown.map(({ rule, text, suggest }) => `[${rule}] ${text}${suggests && suggest !== undefined ? `\nInstead: ${suggest}` : ""}`);
  const end = more > 0 ? [`and ${more} more`] : [];
  const whole = [...texts, ...end].join("\n");
  if (byteLength(whole) <= mostBytes) return whole;
  const share = Math.floor((mostBytes - byteLength(end.join("")) - texts.length) / texts.length);
  return [...texts.map((text) => cutBytes(text, share)), ...end].join("\n");
}

/** A message with its fields filled in. */
export function fillMessage(message: MessagePlan, scope: Scope): string {
  return message.map((part) => (typeof part === "string" ? part : quotedField(part.field, scope))).join("");
}

/** What stands in the place of one match: what a group held goes back as it was, for it stood there before. */
export function fillReplacement(plan: ReplacementPlan, groups: readonly (string | undefined)[], scope: Scope): string {
  return plan.map((part) => (typeof part === "string" ? part : "capture" in part ? (groups[part.capture] ?? "") : quotedField(part.field, scope))).join("");
}

/** Redacted whole: once it is cut, a pattern finds no more than half of what it is about. */
function quotedField(field: FieldPath, scope: Scope): string {
  const value = redactString(fieldText(field, scope), scope.redactions ?? [], scope.memo);
  return quoted(value);
}

/** A value of the call inside a sentence. */
export function quoted(value: string): string {
  return `"${showValue(value).replaceAll('"', "'")}"`;
}

/** One line of at most about 200 characters: head, tail, and how much was left out between them. */
export function showValue(value: string): string {
  if (value.length <= mostShown && /^[!-~]*$/.test(value)) return value;
  // Twice the cut is enough to find both ends, however long the value.
  const ends = value.length > 8 * mostShown ? `${value.slice(0, 4 * mostShown)}${value.slice(-4 * mostShown)}` : value;
  const line = Array.from(oneLine(ends));
  const left = line.length + (value.length - ends.length) - mostShown;
  if (left <= 0) return line.join("");
  const head = Math.ceil((mostShown * 2) / 3);
  return `${line.slice(0, head).join("")} [${left} characters left out] ${line.slice(head - mostShown).join("")}`;
}

function oneLine(text: string): string {
  // Most values are plain, and the look-up of Unicode properties takes longer than all the rest.
  if (!/[^\s -~]/.test(text)) return text.replace(/\s+/g, " ").trim();
  return cleanText(text.replace(/[\s\0-\x1f\x7f-\x9f]+/gu, " ")).replace(/\p{Surrogate}/gu, "\ufffd").trim();
}

/** What a rule without `because` says. */
export function plainReason(rule: RulePlan, call: Pick<ToolCall, "event" | "tool">): string {
  const what = call.tool === "" ? "this" : `this use of ${showValue(call.tool)}`;
  const place = `The rule at ${rule.source}`;
  switch (rule.effect.kind) {
    case "deny":
      return call.event === "after-tool" ? `${place} withholds what ${showValue(call.tool)} answered.` : `${place} refuses ${what}.`;
    case "ask":
      return `${place} wants a person to confirm ${what}.`;
    case "allow":
      return `${place} allows ${what}.`;
    case "retry":
      return `${place} does not let the agent stop here.`;
    default:
      return `${place} changed ${what}.`;
  }
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function cutBytes(text: string, most: number): string {
  if (byteLength(text) <= most) return text;
  const mark = "...";
  let kept = "";
  let bytes = mark.length;
  for (const char of text) {
    bytes += byteLength(char);
    if (bytes > most) break;
    kept += char;
  }
  return `${kept}${mark}`;
}
