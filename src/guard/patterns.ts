/**
 * Regular expressions and other texts on the text of a field. In wide position the text counts as sent or without its
 * invisible characters, in narrow position both must match; over 256 KB only head and tail are searched.
 */
import type { ComparePlan, PatternPlan } from "./plan.ts";
import { allOf, anyOf } from "./truth.ts";
import type { Position, Truth } from "./world.ts";

/** UTF-16 units of a field that a pattern is tried on: half of them at the start, half at the end. */
export const mostSearched = 256 * 1024;

/**
 * What no reader sees but a text search trips over: Unicode's default ignorables (zero-width characters, soft hyphen,
 * bidirectional controls, variation selectors, tags, Hangul fillers), interlinear annotation marks, and control
 * characters other than tab, line feed and carriage return.
 */
export function invisible(): RegExp {
  // No literal: those are checked whenever a guard starts, and the look-up of a property takes longer than all the rest.
  return new RegExp("[\\p{Default_Ignorable_Code_Point}\\u{fff9}-\\u{fffb}\\u{0}-\\u{8}\\u{b}\\u{c}\\u{e}-\\u{1f}\\u{7f}-\\u{9f}]", "gu");
}

/** Spellings of a text that several rules ask for, made once: a field may hold a megabyte, a policy thousands of rules. */
export interface TextMemo {
  /** Without invisible characters. */
  clean(text: string): string;
  /** Lower-cased as flag `i` compares ASCII letters. */
  lower(text: string): string;
  /** NFC. */
  composed(text: string): string;
}

export function textMemo(): TextMemo {
  return {
    clean: memoised(cleanText),
    // `ſ` matches `s` under `i` and `u` but survives `toLowerCase`.
    lower: memoised((text) => text.toLowerCase().replaceAll("\u017f", "s")),
    composed: memoised((text) => text.normalize("NFC")),
  };
}

export function cleanText(text: string): string {
  // Most text is plain, and this test is the cheaper one.
  if (!/[^ -~\t\n\r]/.test(text)) return text;
  return text.replace(invisible(), "");
}

/** The pattern anywhere in the text. */
export function searchPattern(pattern: PatternPlan, text: string, position: Position, memo: TextMemo): Truth {
  const clean = memo.clean(text);
  const spellings = clean === text ? [text] : [text, clean];
  const truths = spellings.map((spelling) => searchText(pattern, spelling, position, memo));
  return position === "wide" ? anyOf(truths) : allOf(truths);
}

/** `needle` anywhere in the text, exact after NFC. Searches everything: this cannot be made slow. */
export function containsText(text: string, needle: string, position: Position, memo: TextMemo): boolean {
  const sought = memo.composed(needle);
  const holds = (spelling: string): boolean => memo.composed(spelling).includes(sought);
  const clean = memo.clean(text);
  if (clean === text) return holds(text);
  return position === "wide" ? holds(text) || holds(clean) : holds(text) && holds(clean);
}

/** Two texts beside an operator; false for operators of other values. */
export function compareTexts(operator: ComparePlan["operator"], left: string, right: string, position: Position, memo: TextMemo): boolean {
  switch (operator) {
    case "==":
      return memo.composed(left) === memo.composed(right);
    case "contains":
      return containsText(left, right, position, memo);
    case "starts-with":
      return memo.composed(left).startsWith(memo.composed(right));
    case "ends-with":
      return memo.composed(left).endsWith(memo.composed(right));
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "~":
    case "matches":
      return false;
    default:
      return operator satisfies never;
  }
}

function searchText(pattern: PatternPlan, text: string, position: Position, memo: TextMemo): Truth {
  if (!mayMatch(pattern, text, memo)) return false;
  const expression = new RegExp(pattern.source, pattern.flags);
  if (text.length <= mostSearched) return expression.test(text);
  const half = mostSearched / 2;
  const head = text.slice(0, half);
  const tail = text.slice(-half);
  const found = position === "wide" ? expression.test(head) || expression.test(tail) : hasWholeMatch(expression, head, "end") || hasWholeMatch(expression, tail, "start");
  return found || { doubt: `a text of ${text.length} characters is too long to be searched whole` };
}

/**
 * A match that would be one in the whole text too.
 * Fail closed: `$` and lookaround can be satisfied by the cut alone, and in a narrow position a match relaxes.
 */
function hasWholeMatch(expression: RegExp, part: string, cut: "start" | "end"): boolean {
  if (/\(\?<?[=!]/.test(expression.source)) return false;
  const match = expression.exec(part);
  if (match === null) return false;
  return cut === "start" ? match.index > 0 : match.index + match[0].length < part.length;
}

/** False where the text surely holds no match: a text that every match has is not there. */
export function mayMatch(pattern: PatternPlan, text: string, memo: TextMemo): boolean {
  const texts = pattern.literal === undefined ? pattern.oneOf : [pattern.literal];
  if (texts === undefined) return true;
  if (!pattern.flags.includes("i")) return texts.some((one) => text.includes(one));
  // Beyond ASCII one letter has more than two cases; the expression itself knows them all.
  return texts.some((one) => /[^\0-\x7f]/.test(one) || memo.lower(text).includes(one.toLowerCase()));
}

function memoised(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const fresh = make(text);
    made.set(text, fresh);
    return fresh;
  };
}
