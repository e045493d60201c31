/**
 * Regular expressions and `contains` on one text: invisible characters, the literal looked for first, the cap.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanText, containsText, mostSearched, searchPattern, textMemo } from "../src/guard/patterns.ts";
import type { Position, Truth } from "../src/guard/world.ts";
import { patternOf } from "./guard-values.ts";

const positions: readonly Position[] = ["wide", "narrow"];

function found(expression: RegExp, text: string, position: Position, literal?: string): Truth {
  return searchPattern(patternOf(expression, literal), text, position, textMemo());
}

test("a pattern is searched for anywhere, with its flags", () => {
  for (const position of positions) {
    expect(found(/rm\s+-r/, "cd x && rm  -r build", position)).toBe(true);
    expect(found(/^rm/, "cd x && rm -r", position)).toBe(false);
    expect(found(/delete/i, "please DELETE it", position)).toBe(true);
    expect(found(/^b/m, "a\nb", position)).toBe(true);
    expect(found(/a.b/s, "a\nb", position)).toBe(true);
    expect(found(/^.$/, "\u{1f600}", position)).toBe(true);
  }
});

test.each([
  ["zero-width space", "r\u200bm -r x"],
  ["word joiner", "rm\u2060 -r x"],
  ["soft hyphen", "r\u00adm -r x"],
  ["byte order mark", "r\ufeffm -r x"],
  ["right-to-left override", "r\u202em -r x"],
  ["isolate", "r\u2066m -r x"],
  ["variation selector", "rm\ufe0f -r x"],
  ["tag letter", "rm\u{e0041} -r x"],
  ["hangul filler", "r\u3164m -r x"],
  ["combining grapheme joiner", "r\u034fm -r x"],
  ["annotation anchor", "r\ufff9m -r x"],
  ["backspace", "r\bm -r x"],
  ["NUL", "r\0m -r x"],
  ["C1 control", "r\u0085m -r x"],
])("a hidden %s does not hide a match where it restricts, and makes none where it relaxes", (_, text) => {
  expect(found(/rm\s+-r/, text, "wide")).toBe(true);
  expect(found(/rm\s+-r/, text, "wide", "rm")).toBe(true);
  expect(found(/^rm\s+-r x$/, text, "narrow")).toBe(false);
  expect(containsText(text, "rm -r", "wide", textMemo())).toBe(true);
  expect(containsText(text, "rm -r x", "narrow", textMemo())).toBe(false);
});

test("a pattern about invisible characters finds them in the text as sent", () => {
  expect(found(/\u200b/, "a\u200bb", "wide")).toBe(true);
  expect(found(/\u200b/, "a\u200bb", "narrow")).toBe(false);
});

test("tabs, line ends and every visible letter stay", () => {
  const text = "a\tb\r\nc \u00e9 \u4e2d \u{1f600} \u2028";
  expect(cleanText(text)).toBe(text);
});

test("`contains` compares composed forms", () => {
  for (const position of positions) {
    expect(containsText("cafe\u0301 au lait", "caf\u00e9", position, textMemo())).toBe(true);
    expect(containsText("caf\u00e9", "cafe\u0301", position, textMemo())).toBe(true);
    expect(containsText("CAFE", "cafe", position, textMemo())).toBe(false);
  }
});

test("a text without the pattern's literal is not searched, however long it is", () => {
  const long = "x".repeat(2 * mostSearched);
  expect(found(/rm\s+-r/, long, "wide", "rm")).toBe(false);
  expect(found(/rm\s+-r/, long, "narrow", "rm")).toBe(false);
});

test("letters that only case folding makes equal are found despite the literal", () => {
  expect(found(/secret/i, "\u017fECRET", "wide", "ecret")).toBe(true);
  expect(found(/secret/i, "\u017fecret", "wide", "secret")).toBe(true);
  expect(found(/kill/i, "\u212aill", "wide", "kill")).toBe(true);
  expect(found(/stra\u00dfe/i, "STRA\u1e9eE", "wide", "stra\u00dfe")).toBe(true);
});

test("over the cap head and tail are searched, and no hit is a doubt", () => {
  const half = "y ".repeat(mostSearched / 2);
  expect(found(/rm -r/, `rm -r ${half}${half}`, "wide")).toBe(true);
  expect(found(/rm -r/, `${half}${half} rm -r`, "wide")).toBe(true);
  expect(found(/rm -r/, `${half} rm -r ${half}`, "wide")).toHaveProperty("doubt");
  expect(found(/rm -r/, `${half} rm -r ${half}`, "narrow")).toHaveProperty("doubt");
  expect(found(/rm -r/, half.slice(0, mostSearched), "wide")).toBe(false);
});

test("over the cap a match that the cut itself may have made relaxes nothing", () => {
  const long = "z".repeat(2 * mostSearched);
  expect(found(/licence/, `licence ${long}`, "narrow")).toBe(true);
  expect(found(/^licence/, `licence ${long}`, "narrow")).toBe(true);
  expect(found(/licence$/, `${long}licence`, "narrow")).toBe(true);
  expect(found(/zz$/, long, "narrow")).toBe(true);
  expect(found(/a$/, `${"a".repeat(mostSearched / 2)}${long}`, "narrow")).toHaveProperty("doubt");
  expect(found(/^z+$/, `q${long}`, "narrow")).toHaveProperty("doubt");
  expect(found(/licence(?!.*q)/s, `licence ${long}q`, "narrow")).toHaveProperty("doubt");
  expect(found(/a$/, `${"a".repeat(mostSearched / 2)}${long}`, "wide")).toBe(true);
});

test("what matches in narrow position matches in wide position", () => {
  const texts = fc.string({ unit: fc.constantFrom("r", "m", " ", "-", "\u200b", "\u017f", "s", "\n") });
  const patterns = fc.constantFrom(/rm/, /^r/, /m$/, /s/i, /[^r]/, /r m/, /-$/m);
  fc.assert(
    fc.property(texts, patterns, (text, pattern) => {
      if (found(pattern, text, "narrow") === true) expect(found(pattern, text, "wide")).toBe(true);
      expect(found(pattern, cleanText(text), "wide")).toBe(found(pattern, cleanText(text), "narrow"));
    }),
    { numRuns: 2000 },
  );
});

test("looking for the literal first never changes the answer", () => {
  const texts = fc.string({ unit: fc.constantFrom("k", "K", "\u212a", "s", "\u017f", "S", "x", "\u200b"), maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.constantFrom<[RegExp, string]>([/ks/i, "ks"], [/xk?s/i, "x"], [/ks/, "ks"], [/k+x/i, "k"]), (text, [pattern, literal]) => {
      for (const position of positions) expect(found(pattern, text, position, literal)).toEqual(found(pattern, text, position));
    }),
    { numRuns: 3000 },
  );
});
