import fc from "fast-check";
import { expect, test } from "vitest";
import { textMemo } from "../src/guard/patterns.ts";
import { requiredText } from "../src/lower/required-text.ts";

test.each([
  ["rm\\s+-r", "u", "rm"],
  ["npm (?:install|ci)", "u", "npm "],
  ["(?:curl|wget).*\\| sh", "u", "| sh"],
  ["\\bmkfs\\b|\\bmkfs\\.ext4", "u", "mkfs"],
  ["git(?= push) push", "u", "git push"],
  ["a(?!b)c", "u", "ac"],
  ["colou?r", "u", "colo"],
  ["(?:ab){3}", "u", "ababab"],
  ["x(?:ab)+y", "u", "xab"],
  ["[.]env", "u", ".env"],
  ["AKIA[0-9A-Z]{16}", "u", "AKIA"],
  ["(token)=\\1x", "u", "token="],
  ["\\u{1F600}\\/", "u", "\u{1F600}/"],
])("every match of /%s/%s holds `%s`", (source, flags, literal) => {
  expect(requiredText(source, flags)).toEqual({ text: literal });
});

test.each([
  ["(?:secret)?", "u"],
  ["(?:secret)*", "u"],
  ["[abc]", "u"],
  ["[^a]", "u"],
  ["(?=secret)", "u"],
  ["(?<!secret)", "u"],
  ["\\w+", "u"],
])("/%s/%s requires nothing", (source, flags) => {
  expect(requiredText(source, flags)).toEqual({});
});

test("under flag i the text is lower-cased and leaves out letters whose cases are more than two", () => {
  expect(requiredText("DELETE", "iu")).toEqual({ text: "delete" });
  expect(requiredText("Tokenß", "iu")).toEqual({ text: "token" });
  expect(requiredText("äöü", "iu")).toEqual({});
});

test("the guard's lower-casing finds the text where the pattern matches by an odd case", () => {
  const literal = requiredText("PASSkey", "iu").text ?? "";
  const odd = "pa\u017f\u017f\u212aey";
  expect(/PASSkey/iu.test(odd)).toBe(true);
  expect(textMemo().lower(odd)).toContain(literal);
});

const letter = fc.constantFrom("a", "b", "s", "K", "-", " ", "\\.", "\\s", "\\w", ".", "[ab]", "[^b]", "\\b", "(?=a)", "(?!b)", "(?<=a)", "(?<!s)", "^", "$");
const pattern = fc.letrec<{ node: string; atom: string }>((tie) => ({
  node: fc.array(fc.tuple(tie("atom"), fc.constantFrom("", "", "?", "+", "*", "{2}", "{0,2}", "{1,3}")), { minLength: 1, maxLength: 3 }).map((parts) =>
    parts.map(([atom, quantifier]) => (/^(?:\\b|\(\?[=!<]|[$^])/.test(atom) ? atom : `${atom}${quantifier}`)).join(""),
  ),
  atom: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    letter,
    fc.tuple(tie("node"), tie("node")).map(([left, right]) => `(?:${left}|${right})`),
    tie("node").map((inner) => `(?:${inner})`),
    tie("node").map((inner) => `(${inner})`),
  ),
})).node;

test.each([
  ["npm|curl", "u", ["npm", "curl"]],
  ["\\b(?:npm|pnpm|yarn)\\s+(?:i|add)\\s+[^-]", "u", ["npm", "pnpm", "yarn"]],
  ["\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b", "u", ["AKIA", "ASIA"]],
  ["(?:DROP|Truncate) +(?:table)?", "iu", ["drop", "truncate"]],
  ["(?:rm|(?:find|fd) .* -delete)\\b", "u", ["rm", " -delete"]],
])("every match of /%s/%s holds one of a few texts", (source, flags, oneOf) => {
  expect(requiredText(source, flags)).toEqual({ oneOf });
});

test("a text without the required literals never matches", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "A", "b", "s", "S", "ſ", "k", "K", "\u212a", "-", " ", "."), maxLength: 7 });
  fc.assert(
    fc.property(pattern, fc.constantFrom("u", "iu"), text, (source, flags, subject) => {
      const { text: literal, oneOf } = requiredText(source, flags);
      const texts = literal === undefined ? oneOf : [literal];
      const searched = flags.includes("i") ? textMemo().lower(subject) : subject;
      fc.pre(texts !== undefined && !texts.some((one) => searched.includes(one)));
      expect(new RegExp(source, flags).test(subject)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
