/**
 * What a zod schema has against a value, as sentences for a report. Used by the hosts' contracts only, never by a codec.
 */
import type * as z from "zod";

/** Empty where the value fits. `what` names the value: ``the payload``. */
export function breachesOf(schema: z.ZodType, value: unknown, what: string): readonly string[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const place = issue.path.map(String).join(".");
    return place === "" ? `${what}: ${issue.message}` : `\`${place}\` of ${what}: ${issue.message}`;
  });
}

/** Keys that are part of every object: no host sends one at the top or as an argument, so a payload with one is forged. */
export function prototypeKeysIn(value: unknown, what: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return ["__proto__", "constructor", "prototype"].filter((key) => Object.hasOwn(value, key)).map((key) => `\`${key}\` of ${what}: not an argument of any tool`);
}
