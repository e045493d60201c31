/** Regular expressions: what is refused, and the exact place it points at. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, findings } from "./checking.ts";

test("mistakes in a pattern are shown at the character that is wrong", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["/a(b/", "("],
    ["/(a(b)/", "("],
    ["/a)b/", ")"],
    ["/*a/", "*"],
    ["/x|+a/", "+"],
    ["/a{2,1}/", "}"],
    ["/\\@/", "\\@"],
    ["/a\\-b\\-c/", "\\-"],
    ["/a{/", "{"],
    ["/a}/", "}"],
    ["/a]/", "]"],
    ["/\\1/", "\\1"],
    ["/\\p{Foo}/u", "u"],
    ["/[b-a]/", "a"],
    ["/(?i:a)/", "?"],
  ];
  for (const [pattern, words] of cases) {
    const found = findings(`deny bash when command ~ ${pattern}`);
    expect(found[0]?.split(": ")[0], pattern).toBe("regex/invalid");
    expect(found.some((line) => line === `regex/invalid: ${words}`), `${pattern} gave ${found.join(", ")}`).toBe(true);
  }
});

test("a pattern that is valid only without Unicode mode is mended in the help", () => {
  const help = (pattern: string) => check(`deny bash when command ~ ${pattern}`).diagnostics[0]?.help?.text;
  expect(help("/\\@\\-[a\\-z\\_]/i")).toBe("write `/@-[a\\-z_]/i`");
  expect(help("/a{ }b]/")).toBe("write `/a\\{ \\}b\\]/`");
  expect(help("/x{,3}/")).toBe("write `/x{0,3}/`");
  expect(help("/\\q/")).not.toContain("write `/q/`");
});

test("only the flags i, m and s exist, once each", () => {
  expect(findings("deny bash when command ~ /a/ims")).toEqual([]);
  for (const flag of ["g", "y", "d", "v", "u", "x"]) expect(findings(`deny bash when command ~ /a/i${flag}`)).toEqual([`regex/invalid: ${flag}`]);
  expect(findings("deny bash when command ~ /a/ii")).toEqual(["regex/invalid: i"]);
});

test("patterns are looked at wherever they stand, each once", () => {
  expect(findings("let $keys = [/a(/, /b/]\ndeny write when content ~ $keys\ndeny edit when content ~ $keys and old ~ $keys")).toEqual(["regex/invalid: ("]);
  expect(findings("deny bash when runs git with [-f, /(/] or runs git without /)/")).toEqual(["regex/invalid: (", "regex/invalid: )"]);
  expect(findings('redact /(/ in command before bash').filter((line) => line.startsWith("regex"))).toEqual(["regex/invalid: ("]);
});

test("lookaround, backreferences and named groups are allowed", () => {
  for (const pattern of ["/(?<=a)b(?!c)(?<!d)/", "/(a)\\1/", "/(?<q>['\"])x\\k<q>/", "/\\p{Lu}\\u{1F600}/", "/^\\/[/]$/", "/rm\\s+-r/"]) expect(findings(`deny bash when command ~ ${pattern}`), pattern).toEqual([]);
});

test("every pattern that passes compiles in Unicode mode, and no pattern makes the check throw", () => {
  const body = fc.string({ unit: fc.constantFrom(..."ab0(){}[]*+?|^$.\\-,=!<>:ukpdwDn@_/ "), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(body, fc.constantFrom("", "i", "ms", "g"), (text, flags) => {
      const { project, diagnostics } = check(`deny bash when command ~ /${text}/${flags}`);
      for (const { when } of project.rules) {
        const value = when?.kind === "compare" ? when.values[0] : undefined;
        if (value?.kind === "pattern") expect(() => new RegExp(value.regex.body, `${value.regex.flags}u`)).not.toThrow();
      }
      expect(project.rules.length === 1 || diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    }),
    { numRuns: 800 },
  );
});
