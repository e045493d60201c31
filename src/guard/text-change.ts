/**
 * Matches of patterns taken out of a text: a text and patterns go in, the text with every match replaced comes out, or
 * nothing where the text is too long to be searched whole, because then nobody knows what is in it.
 */
import { invisible, mayMatch, mostSearched } from "./patterns.ts";
import type { TextMemo } from "./patterns.ts";
import type { PatternPlan } from "./plan.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Every match of every pattern as `as`, those that overlap as one. A match that shows only without the invisible
 * characters counts too: whoever reads the text does not see them. Empty matches hide nothing.
 */
export function redactText(text: string, patterns: readonly PatternPlan[], as: string, memo: TextMemo): string | undefined {
  const clean = memo.clean(text);
  const possible = patterns.filter((pattern) => mayMatch(pattern, text, memo) || (clean !== text && mayMatch(pattern, clean, memo)));
  if (possible.length === 0) return text;
  if (text.length > mostSearched) return undefined;
  const spans = possible.flatMap((pattern) => matches(pattern, text).map(spanOf));
  if (clean !== text) {
    const places = keptPlaces(text);
    for (const pattern of possible) for (const { start, end } of matches(pattern, clean).map(spanOf)) spans.push({ start: places[start] ?? 0, end: (places[end - 1] ?? 0) + 1 });
  }
  return without(text, spans.filter(({ start, end }) => end > start), as);
}

/** Every match as `fill` says; where two overlap the one that begins first counts, or else that of the first pattern. */
export function replaceText(text: string, patterns: readonly PatternPlan[], fill: (groups: readonly (string | undefined)[]) => string, memo: TextMemo): string | undefined {
  const possible = patterns.filter((pattern) => mayMatch(pattern, text, memo));
  if (possible.length === 0) return text;
  if (text.length > mostSearched) return undefined;
  const found = possible.flatMap((pattern) => matches(pattern, text));
  // The sort is stable: among matches that begin together the order of the patterns stays.
  if (possible.length > 1) found.sort((first, second) => first.index - second.index);
  const parts: string[] = [];
  let done = 0;
  let last = -1;
  for (const match of found) {
    const { start, end } = spanOf(match);
    if (start < done || start === last) continue;
    parts.push(text.slice(done, start), fill(match));
    [done, last] = [end, start];
  }
  return parts.join("") + text.slice(done);
}

/** As a global replacement finds them: an empty match does not stop the search. */
function matches(pattern: PatternPlan, text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))];
}

function spanOf(match: RegExpExecArray): Span {
  return { start: match.index, end: match.index + match[0].length };
}

function without(text: string, spans: Span[], as: string): string {
  if (spans.length === 0) return text;
  spans.sort((first, second) => first.start - second.start);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of spans) {
    if (start >= done) parts.push(text.slice(done, start), as);
    done = Math.max(done, end);
  }
  return parts.join("") + text.slice(done);
}

/** For each unit of the cleaned text its place in the text as sent. */
function keptPlaces(text: string): readonly number[] {
  const places: number[] = [];
  let at = 0;
  const keepUntil = (end: number): void => {
    for (; at < end; at += 1) places.push(at);
  };
  for (const match of text.matchAll(invisible())) {
    keepUntil(match.index);
    at += match[0].length;
  }
  keepUntil(text.length);
  return places;
}
