/** How long a pattern can search, by its form alone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { searchDegree } from "../src/lower/search-cost.ts";

test.each([
  ["rm -rf", "u", 1],
  ["^rm$", "u", 0],
  ["rm\\s+-r", "u", 2],
  ["^git\\s+push\\b", "u", 1],
  ["^a|b+", "u", 2],
  ["^a|^b+", "u", 1],
  ["^a", "mu", 1],
  ["(?:npm|yarn)\\s+(i|add)\\b", "u", 2],
  ["a*b*c*", "u", 4],
  ["(?:ab)+c", "u", 2],
  ["x(?=y+)z?", "u", 3],
])("/%s/%s costs the text's length to the power %i", (source, flags, degree) => {
  expect(searchDegree(source, flags)).toBe(degree);
});

test.each(["(a+)+$", "(?:a|aa)+$", "(a?){20}a{20}", "(\\w+)\\1", "((a|b)(c|d)){2}", "(?:a|b)(?:c|d)(?:e|f)(?:g|h)(?:i|j)(?:k|l)(?:m|n)", "("])("/%s/ has no bound", (source) => {
  expect(searchDegree(source, "u")).toBeUndefined();
});

/** Pieces of patterns, those that repeat among them, and the letters that make them fail late. */
const piece = fc.constantFrom("a", "a*", "a+", "[ab]*", "b?", "(?:ab)*", "(a|b)", "(?=a*b)", "\\w+", "(?:a|ab)", "a{1,9}", "(?:aa)+", "$", "\\b", "c");

test("a search stays below its bound", () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.boolean(), fc.integer({ min: 0, max: 40 }), (pieces, anchored, length) => {
      const source = `${anchored ? "^" : ""}${pieces.join("")}`;
      const degree = searchDegree(source, "u");
      if (degree === undefined) return;
      const text = `${"a".repeat(length)}!`;
      // One step of each bounded pattern takes far less than a microsecond.
      const started = process.cpuUsage();
      new RegExp(source, "u").test(text);
      const used = process.cpuUsage(started);
      expect((used.user + used.system) / 1e6).toBeLessThan(1 + (64 * (length + 2) ** degree) / 1e6);
    }),
    { numRuns: 2000 },
  );
});
