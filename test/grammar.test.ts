import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Lexer } from "chevrotain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tabulate } from "../grammar/lookahead.ts";
import { PolicyParser } from "../grammar/parser.ts";
import { createLexer, keyword, nounWords, structureWords, tokenize, tokenTypes, verbWords, type Keyword, type Tokens } from "../grammar/tokens.ts";
import { checkProject } from "../src/check/check.ts";
import { isClean } from "../src/diagnostics/diagnostic.ts";
import { parsePolicy } from "../src/syntax/parse.ts";
import { printGrammar } from "./ebnf.ts";

const lexer = createLexer({ validate: true });
const parser = new PolicyParser({ validate: true });

/** Set to rewrite `policy.ebnf` instead of comparing it. */
const isRewriting = process.env["POLICYC_REWRITE"] === "1";

function accepted(): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync("test/grammar/accepted").sort().map((name) => ({ path: name, text: readFileSync(`test/grammar/accepted/${name}`, "utf8") }));
}

/** The whole file in one go, as the `file` rule has it; the compiler parses statement by statement. */
function fitsFileRule(text: string): boolean {
  const { tokens, strays } = tokenize(lexer, text);
  parser.input = [...tokens];
  parser.file();
  return strays.length === 0 && parser.errors.length === 0;
}

function errorsOf(text: string): readonly string[] {
  return parsePolicy({ path: "acme.policy", text }).diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

test("the token table and the grammar pass Chevrotain's own checks with one token of lookahead", () => {
  expect(lexer.lexerDefinitionErrors).toEqual([]);
  expect(parser.getSerializedGastProductions().length).toBeGreaterThan(50);
});

/** What a parser makes of a whole file: the tree, and of each refusal all that messages are made of. */
function readingBy(reader: PolicyParser, tokens: Tokens["tokens"]) {
  reader.input = [...tokens];
  const tree = reader.file();
  return { tree, refusals: reader.errors.map(({ name, message, token, context }) => ({ name, message, token, rules: context.ruleStack })) };
}

const tabled = new PolicyParser({ validate: false, lookahead: tabulate(parser.choices) });

test.each(accepted())("with the table of choices $path is read as without", ({ text }) => {
  const { tokens } = tokenize(lexer, text);
  expect(readingBy(tabled, tokens)).toEqual(readingBy(parser, tokens));
  expect(tabled.errors).toEqual([]);
});

test("with the table of choices any text is read and refused as without", () => {
  const words = [...structureWords, ...verbWords, ...nounWords];
  const pieces = fc.constantFrom(...words, "bash", "npm", "std/git", "$a", '"x"', "'x'", "/x/", "5", "5s", "2kb", "-f", "(", ")", "[", "]", ",", ".", "*", "=", "==", "!=", "<", "~", "!~", "\n", '"""x"""');
  const likely = fc.constantFrom("deny bash when", "runs npm", 'command ~ /x/', 'because "x"', "id a", "let $a =", "\n", 'example deny "x"', "log tool to", "set input.a to", "test 'x' given bash 'x' expect deny");
  let refused = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, likely), { maxLength: 12 }).map((parts) => parts.join(" ")), (text) => {
      const { tokens } = tokenize(lexer, text);
      const reading = readingBy(parser, tokens);
      refused += reading.refusals.length;
      expect(readingBy(tabled, tokens)).toEqual(reading);
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(500);
});

test("no pattern matches what begins with a character that the token table does not name for it", () => {
  const typesByStart = (lexer: Lexer) => {
    const { charCodeToPatternIdxToConfig } = lexer as unknown as { readonly charCodeToPatternIdxToConfig: { readonly defaultMode: readonly (readonly { readonly tokenType: { readonly name: string } }[])[] } };
    return charCodeToPatternIdxToConfig.defaultMode.map((configs) => configs.map(({ tokenType }) => tokenType.name));
  };
  const unnamed = tokenTypes.map(({ START_CHARS_HINT: starts = [], ...type }) => (type.PATTERN instanceof RegExp ? type : { ...type, START_CHARS_HINT: starts }));
  const found = typesByStart(new Lexer(unnamed, { positionTracking: "onlyOffset", ensureOptimizations: true, skipValidations: true }));
  const named = typesByStart(createLexer({ validate: false }));
  expect(found.flat().length).toBeGreaterThan(150);
  found.forEach((types, start) => expect(named[start]).toEqual(expect.arrayContaining(types)));
});

test("policy.ebnf is what the parser accepts", () => {
  const printed = printGrammar();
  if (isRewriting) writeFileSync("grammar/policy.ebnf", printed);
  expect(readFileSync("grammar/policy.ebnf", "utf8")).toBe(printed);
});

test.each(accepted())("$path parses", ({ text }) => {
  expect(errorsOf(text)).toEqual([]);
  expect(fitsFileRule(text)).toBe(true);
});

test("the accepted policies use every word of the language but a few, which stand elsewhere in this file", () => {
  const used = new Set(accepted().flatMap(({ text }) => tokenize(lexer, text).tokens.map(({ tokenType }) => tokenType)));
  const rest = `deny bash when not (has command and command starts with "a") or runs rm without -f or reads "x"`;
  const words = tokenize(lexer, rest).tokens.map(({ tokenType }) => tokenType);
  expect(errorsOf(rest)).toEqual([]);
  expect((Object.keys(keyword) as Keyword[]).filter((word) => !used.has(keyword[word]) && !words.includes(keyword[word]))).toEqual([]);
});

const refused = readFileSync("test/grammar/refused.txt", "utf8").split("\n").filter((line) => line !== "");

test.each(refused)("%s is refused", (text) => {
  const { diagnostics } = checkProject({ roots: [{ path: "acme.policy", text }], hosts: ["claude"], today: "2026-11-30", load: () => undefined });
  expect(isClean(diagnostics)).toBe(false);
  // A whole module behind `disable` is refused by the check, which knows the rules to choose from.
  expect(errorsOf(text)).toHaveLength(text.startsWith("disable std/git ") ? 0 : 1);
});

test("every word of the language is of exactly one kind", () => {
  const all = [...structureWords, ...verbWords, ...nounWords];
  expect(new Set(all).size).toBe(all.length);
  expect(structureWords).toHaveLength(18);
  expect(all.toSorted()).toEqual(Object.keys(keyword).toSorted());
});

test.each(structureWords.map((word) => [word]))("the structure word %s is neither a command word nor a name", (word) => {
  expect(errorsOf(`deny bash when runs npm ${word}`)).toHaveLength(1);
  expect(errorsOf(`deny bash\n  id ${word}`)).toHaveLength(1);
  expect(errorsOf(`deny bash when runs npm "${word}"`)).toEqual([]);
});

test.each(verbWords.map((word) => [word]))("the verb %s is neither a command word nor a name", (word) => {
  expect(errorsOf(`deny bash when runs npm ${word}`)).toHaveLength(1);
  expect(errorsOf(`deny bash\n  id ${word}`)).toHaveLength(1);
});

test.each(nounWords.map((word) => [word]))("the noun %s is a command word and a name", (word) => {
  expect(errorsOf(`deny bash when runs npm ${word}`)).toEqual([]);
  expect(errorsOf(`deny bash when runs ${word} npm with ${word}\n  id ${word}`)).toEqual([]);
});

test.each([...structureWords, ...verbWords, ...nounWords].map((word) => [word]))("a longer word that begins with %s is a plain word", (word) => {
  const kinds = (text: string) => tokenize(lexer, text).tokens.map(({ tokenType }) => tokenType.name);
  expect(kinds(`${word}x ${word}-rule ${word}_1`)).toEqual(["WORD", "WORD", "WORD"]);
  expect(kinds(`${word}/unit`)).toEqual(["MODPATH"]);
  expect(kinds(word)).toEqual([`"${word}"`]);
});

test("lines and tokens keep their places: strings, comments, blanks, faults and strays cover the text", () => {
  const pieces = fc.constantFrom("deny", " ", "\n", "\r\n", "  ", "\t", '"a b"', "'", '"', "#c", "/x/", "//", "/", "é", "5s", "2fa", "&&", "“x”", "--f", "$a", "]", ")", '"""', "\uFEFF", "\u202E", "std/git", ".");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")), (text) => {
      const { tokens, comments, strays } = tokenize(lexer, text);
      const spans = [...[...tokens, ...comments].map(({ startOffset, image }) => ({ start: startOffset, end: startOffset + image.length, image })), ...strays.map(({ offset, length }) => ({ start: offset, end: offset + length, image: text.slice(offset, offset + length) }))].toSorted((left, right) => left.start - right.start);
      let last = 0;
      for (const { start, end, image } of spans) {
        expect(text.slice(start, end)).toBe(image);
        expect(text.slice(last, start).replace(/^\uFEFF/, "").trim()).toBe("");
        last = end;
      }
      expect(text.slice(last).replace(/^\uFEFF/, "").trim()).toBe("");
    }),
  );
});

test("a newline ends a statement exactly where the next line with content begins at the margin, brackets apart", () => {
  const count = (text: string) => tokenize(lexer, text).tokens.filter(({ tokenType }) => tokenType.name === "NL").length;
  expect(count("deny bash\ndeny read")).toBe(1);
  expect(count("deny bash\n  because 'x'\n\n# note\n  id a")).toBe(0);
  expect(count("deny bash\n\n# note\n\n   # note\ndeny read\n\n")).toBe(1);
  expect(count("let $a = [\n'x'\n]")).toBe(1);
  expect(count("let $a = [\n  'x'\n]\nlet $b = (\n  path == 'a'\n)")).toBe(1);
  expect(count("deny bash\r\n\r\n  id a\r\ndeny read\r\n")).toBe(1);
  expect(count("deny bash\n# only a comment behind it\n")).toBe(0);
});

test("the file rule accepts exactly what is accepted statement by statement", () => {
  const lines = fc.constantFrom("deny bash", "deny bash when", "  when runs rm", "  because 'x'", "because 'x'", "let $a = 1", "use std/git", "", "# c", "]", "deny read deny", "  )");
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 8 }).map((parts) => parts.join("\n")), (text) => {
      const beginsIndented = /^\s*[ ]/.test(text.replace(/^(?:\s*#.*\n|\s*\n)+/, ""));
      fc.pre(!beginsIndented);
      expect(fitsFileRule(text)).toBe(errorsOf(text).length === 0);
    }),
  );
});
