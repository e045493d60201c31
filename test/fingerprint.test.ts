/** What stands for a text where its like must be told apart. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint } from "../src/fingerprint.ts";

test("a fingerprint is the same on every machine", () => {
  expect(["", "a", "acme", "\u{1f512} déjà"].map(fingerprint)).toMatchInlineSnapshot(`
    [
      "ab169eb8aeae59a4",
      "71d7a3f580a1f2f4",
      "2563401f7fdd750a",
      "75fcc3bbe11eda00",
    ]
  `);
});

test("a text with one character more, less, changed or moved has another fingerprint", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (text, place, letter) => {
      const at = place % (text.length + 1);
      const others = [text.slice(0, at) + letter + text.slice(at), text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + letter + text.slice(at + 1), text.slice(at) + text.slice(0, at)];
      for (const other of others.filter((one) => one !== text)) expect(fingerprint(other)).not.toBe(fingerprint(text));
      expect(fingerprint(text)).toMatch(/^[0-9a-f]{16}$/);
    }),
    { numRuns: 20_000 },
  );
});

test("texts that differ in little spread over all of the first four digits", () => {
  const seen = new Set(Array.from({ length: 4000 }, (_, number) => fingerprint(`rule ${number}`).slice(0, 4)));
  // Of 4,000 out of 65,536 about 120 meet another by chance.
  expect(seen.size).toBeGreaterThan(3800);
});
