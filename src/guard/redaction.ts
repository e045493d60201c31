/**
 * The redactions of an event on everything that leaves the guard: messages, texts for model and person, logs, requests.
 * A text too long to be searched whole is withheld, never passed on.
 */
import type { Json, Redaction } from "./call.ts";
import { textMemo } from "./patterns.ts";
import type { TextMemo } from "./patterns.ts";
import { redactText } from "./text-change.ts";

/** A text with nothing left in it that the rules of the event take out. */
export function redactString(text: string, redactions: readonly Redaction[], memo: TextMemo = textMemo()): string {
  let clean = text;
  for (const { rule, patterns, as } of redactions) clean = redactText(clean, patterns, as, memo) ?? withheld(clean, rule);
  return clean;
}

/** The same for every text in a JSON value, its keys included. */
export function redactJson(value: Json, redactions: readonly Redaction[], memo: TextMemo = textMemo()): Json {
  if (redactions.length === 0) return value;
  if (typeof value === "string") return redactString(value, redactions, memo);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((part) => redactJson(part, redactions, memo));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [redactString(key, redactions, memo), redactJson(part, redactions, memo)]));
}

/** Fail closed: what stands in the place of a text that cannot be searched. */
export function withheld(text: string, rule: string): string {
  return `[${rule}: ${text.length} characters withheld, too many to be searched for what has to be redacted]`;
}
