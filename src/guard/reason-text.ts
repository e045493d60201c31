/**
 * Reasons on their way out of a guard: text of rules (with cut pieces of the call in it) goes in, text that every
 * terminal, JSON reader and encoder takes comes out.
 */

/** What is said where a reason has no words; hosts treat an empty one as no reason at all. */
export const noReason = "Refused by the project's policy.";

/** Lone surrogates replaced (Python cannot encode them), control characters but newline and tab dropped, cut to `limit` UTF-16 units. */
export function reasonText(text: string, limit: number): string {
  return plainText(text, limit) || noReason;
}

/** The same for a text that may be empty: context for a model, a notice for a person. */
export function plainText(text: string, limit: number): string {
  // Most text is plain, and this test is the cheaper one.
  const clean = (/[^\t\n -~]/.test(text) ? wellFormed(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, "") : text).trim();
  if (clean.length <= limit) return clean;
  const kept = wellFormed(clean.slice(0, limit)).replace(/\ufffd$/, "");
  return `${kept} [${clean.length - kept.length} characters left out]`;
}

/** Context for a model, at most `most` UTF-16 units with the note that says how much is missing. */
export function contextText(text: string, most: number): string {
  // The note is cut from the text's share, so that no host puts a preview in the place of both.
  const note = 40;
  const whole = plainText(text, Infinity);
  return whole.length <= most ? whole : plainText(whole, most - note);
}

/** The same on one line. */
export function reasonLine(text: string, limit: number): string {
  return reasonText(text.replace(/[\s\u2028\u2029]+/gu, " "), limit);
}

/** JSON in ASCII: no reader has to guess an encoding. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Lone surrogates replaced, nothing else changed. */
export function wellFormed(text: string): string {
  // With `u` a surrogate is only seen where its partner is missing.
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
