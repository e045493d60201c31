/**
 * The rules of a guard as they lie in its file, read one by one. Fail closed: what cannot be read is an error, never no
 * rule.
 */
import type { RulePlan } from "./plan.ts";

/** @throws where one is missing */
export function readRules(texts: string, numbers: readonly number[]): readonly RulePlan[] {
  return numbers.map((number) => {
    const mark = `\nrule ${number}\n`;
    const start = texts.indexOf(mark);
    if (start < 0) throw new Error("a rule of the guard is missing");
    const end = texts.indexOf(`\nrule ${number + 1}\n`, start);
    return JSON.parse(texts.slice(start + mark.length, end < 0 ? undefined : end)) as RulePlan;
  });
}
