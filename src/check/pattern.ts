/**
 * Regular expressions: the flags and the syntax, with the exact place of what is wrong. The engine that will run them has
 * the last word, so that no pattern ends a guard.
 */
import { RegExpParser, RegExpSyntaxError } from "@eslint-community/regexpp";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Help, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { Policy, Regex } from "../syntax/ast.ts";
import { watch } from "./report.ts";
import type { Report } from "./report.ts";

/** What the oldest supported Node understands; a newer construct would compile here and fail there. */
const grammarYear = 2023;

const flagHelp: Readonly<Record<string, string>> = {
  u: "Unicode mode is always on: leave it out",
  g: "a pattern is searched for once: leave it out",
  y: "a pattern may begin anywhere; write `^` where it must begin at the start",
  d: "leave it out",
  v: "Unicode mode is always on, and set notation is not available: leave it out",
  x: "blanks in a pattern count: leave it out",
};

/** Looks at every pattern of the file, wherever it stands, once. Answers those that were refused. */
export function checkPatterns(policy: Policy, report: Report): readonly Regex[] {
  return patternsIn(policy.statements).filter((regex) => {
    const { report: tell, failed } = watch(report);
    checkPattern(regex, policy.file, tell);
    return failed();
  });
}

function patternsIn(value: unknown): readonly Regex[] {
  if (typeof value !== "object" || value === null) return [];
  if ((value as { kind?: unknown }).kind === "regex") return [value as Regex];
  return Object.values(value).flatMap(patternsIn);
}

/** Groups that a replacement may name by number. */
export function groupsOf(regex: Regex): number {
  try {
    // The empty alternative always matches, so the result always has a place for each group.
    return (new RegExp(`${regex.body}|`, flagsOf(regex)).exec("")?.length ?? 1) - 1;
  } catch {
    return 0;
  }
}

function checkPattern(regex: Regex, file: SourceFile, report: Report): void {
  checkFlags(regex, file, report);
  const problem = syntaxProblem(regex.body, true);
  if (problem) {
    report(describe(regex, problem, file));
    return;
  }
  try {
    new RegExp(regex.body, flagsOf(regex));
  } catch (cause) {
    const words = cause instanceof Error ? cause.message.replace(/^Invalid regular expression: /, "") : "it does not compile";
    report(diagnose("regex/invalid", { problem: `this pattern does not compile: ${words}` }, { file, span: regex.bodySpan }));
  }
}

function checkFlags(regex: Regex, file: SourceFile, report: Report): void {
  const seen = new Set<string>();
  [...regex.flags].forEach((flag, index) => {
    const span = { start: regex.flagsSpan.start + index, end: regex.flagsSpan.start + index + 1 };
    if (seen.has(flag)) report(diagnose("regex/invalid", { problem: `the flag \`${flag}\` stands there twice` }, { file, span, help: { text: "once is enough" } }));
    else if (!"ims".includes(flag)) {
      const known = Object.hasOwn(flagHelp, flag) ? flagHelp[flag] : undefined;
      report(diagnose("regex/invalid", { problem: `a pattern takes the flags \`i\`, \`m\` and \`s\`, not \`${flag}\`` }, { file, span, help: { text: known ?? "leave it out" } }));
    }
    seen.add(flag);
  });
}

/** The flags that mean something, and Unicode mode. */
function flagsOf(regex: Regex): string {
  return [..."ims"].filter((flag) => regex.flags.includes(flag)).join("") + "u";
}

interface Problem {
  readonly words: string;
  /** Offset in the body. */
  readonly index: number;
}

function syntaxProblem(body: string, unicode: boolean): Problem | undefined {
  try {
    new RegExpParser({ ecmaVersion: grammarYear }).parsePattern(body, 0, body.length, { unicode, unicodeSets: false });
    return undefined;
  } catch (cause) {
    if (!(cause instanceof RegExpSyntaxError)) throw cause;
    // The message repeats the whole pattern before it comes to the point.
    return { words: cause.message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, ""), index: Math.min(cause.index, body.length) };
  }
}

function describe(regex: Regex, problem: Problem, file: SourceFile) {
  const span = placeOf(problem, regex);
  const reason = problem.words.charAt(0).toLowerCase() + problem.words.slice(1);
  const help = helpFor(problem.words);
  if (syntaxProblem(regex.body, false)) return diagnose("regex/invalid", { problem: `this pattern has a mistake: ${reason}` }, { file, span, ...(help && { help }) });
  const open = /\{,(\d+)\}/.exec(regex.body);
  const mended = open && /quantifier/i.test(problem.words) ? regex.body.replace(open[0], `{0,${open[1]}}`) : mend(regex.body);
  return diagnose("regex/invalid", { problem: `this pattern is not valid in Unicode mode: ${reason}` }, {
    file,
    span,
    notes: ["Patterns are always in Unicode mode, where a backslash stands only before a character that it changes, and brackets and braces that mean themselves are escaped."],
    help: mended === undefined ? (help ?? { text: "write a letter that means itself without a backslash" }) : { text: `write \`/${mended}/${regex.flags}\`` },
  });
}

/** The parser stops behind the mistake, or at the end where something is not closed: point at what has to change. */
function placeOf({ words, index }: Problem, { body, bodySpan }: Regex): Span {
  const at = (start: number, length = 1): Span => {
    const from = Math.min(Math.max(start, 0), Math.max(body.length - 1, 0));
    return { start: bodySpan.start + from, end: bodySpan.start + Math.min(Math.max(from + length, from + 1), Math.max(body.length, 1)) };
  };
  if (/escape|property name/i.test(words)) {
    const slash = slashBefore(body, index);
    return at(slash, Math.max(index - slash, 2));
  }
  if (/unterminated group/i.test(words)) return at(unclosed(body));
  if (/unterminated character class/i.test(words)) return at(body.lastIndexOf("["));
  if (/incomplete quantifier/i.test(words)) return at(body.lastIndexOf("{", index));
  if (/quantifier|out of order|named capture|nothing to repeat/i.test(words) && index > 0) return at(/lone/i.test(words) ? index : index - 1);
  return at(index);
}

/** The backslash of the escape that ends at or before `index`. */
function slashBefore(body: string, index: number): number {
  return body[index] === "\\" ? index : body.lastIndexOf("\\", index);
}

/** The last `(` that nothing closes. */
function unclosed(body: string): number {
  const open: number[] = [];
  for (const { 0: part, index } of body.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[()]/gsu)) {
    if (part === "(") open.push(index);
    else if (part === ")") open.pop();
  }
  return open.at(-1) ?? body.length - 1;
}

function helpFor(words: string): Help | undefined {
  if (/unterminated group/i.test(words)) return { text: "close the `(`, or write `\\(` for the character" };
  if (/unmatched '\)'/i.test(words)) return { text: "open it with `(`, or write `\\)` for the character" };
  if (/unterminated character class/i.test(words)) return { text: "close the `[`, or write `\\[` for the character" };
  if (/nothing to repeat/i.test(words)) return { text: "put what is repeated in front, or a backslash if the character itself is meant" };
  if (/invalid character class/i.test(words)) return { text: "write `\\-` for the character `-`" };
  if (/named capture/i.test(words)) return { text: "name a group of the pattern: `(?<name>…)`" };
  if (/duplicate capture/i.test(words)) return { text: "give each group a name of its own" };
  if (/out of order/i.test(words)) return { text: "write the smaller one first" };
  return undefined;
}

/** Takes away backslashes that mean nothing and escapes brackets that mean themselves, as long as that leads anywhere. */
function mend(body: string): string | undefined {
  let text = body;
  for (let round = 0; round < 20; round++) {
    const problem = syntaxProblem(text, true);
    if (!problem) return text;
    const fixed = mendOnce(text, problem);
    if (fixed === undefined) return undefined;
    text = fixed;
  }
  return undefined;
}

function mendOnce(text: string, { words, index }: Problem): string | undefined {
  if (/invalid escape/i.test(words)) {
    const slash = slashBefore(text, index);
    // A letter or digit behind a backslash was meant to be something else than itself.
    return slash >= 0 && /[^A-Za-z0-9]/.test(text[slash + 1] ?? "a") ? text.slice(0, slash) + text.slice(slash + 1) : undefined;
  }
  if (/lone quantifier/i.test(words)) return `${text.slice(0, index)}\\${text.slice(index)}`;
  if (/incomplete quantifier/i.test(words)) {
    const brace = text.lastIndexOf("{", index);
    return brace < 0 ? undefined : `${text.slice(0, brace)}\\${text.slice(brace)}`;
  }
  return undefined;
}
