/**
 * Kleene's three-valued logic: truths go in, one truth comes out. A doubt keeps the cause of the first one met, and
 * nothing is evaluated after the answer is certain.
 */
import type { Truth } from "./world.ts";

/** True where all are; false where one is false, whatever the doubts. */
export function allOf(truths: Iterable<Truth>): Truth {
  let answer: Truth = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (answer === true) answer = truth;
  }
  return answer;
}

/** True where one is, whatever the doubts; false where all are false. */
export function anyOf(truths: Iterable<Truth>): Truth {
  let answer: Truth = false;
  for (const truth of truths) {
    if (truth === true) return true;
    if (answer === false) answer = truth;
  }
  return answer;
}

export function notTruth(truth: Truth): Truth {
  return typeof truth === "boolean" ? !truth : truth;
}

/** `test` on each value: any of them counts. */
export function someHolds<Value>(values: Iterable<Value>, test: (value: Value) => Truth): Truth {
  return anyOf(each(values, test));
}

/** `test` on each value: all of them count, and there must be one. */
export function everyHolds<Value>(values: readonly Value[], test: (value: Value) => Truth): Truth {
  return values.length > 0 && allOf(each(values, test));
}

function* each<Value>(values: Iterable<Value>, test: (value: Value) => Truth): Generator<Truth> {
  for (const value of values) yield test(value);
}
