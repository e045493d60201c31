/**
 * What people write behind `runs` that is no plain word: words of the language, paths, numbers, `--option=value`, lists
 * without brackets or commas. A refused statement in, its diagnostic out.
 */
import type { IToken, TokenType } from "chevrotain";
import {
  Bare, Dollar, Duration, Flag, NumberLiteral, Raw, RegexLiteral, sign, Size, StringLiteral, structureWords, verbWords,
} from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { joinSpans, type Diagnostic, type Help, type SourceFile, type Span } from "../diagnostics/diagnostic.ts";
import { spanOfToken, type Reading } from "./cst.ts";
import { needsQuotes } from "./faults.ts";
import { isBare, isOneOf, isOnOneLine, lineWith, openBracket, placeOf, wordAround } from "./place.ts";
import { shorten, type Refusal } from "./refusal.ts";

export const commandHabits = [keywordInCommand, clauseInCommand, unquotedWord, missingComma, severalCommands, lateBracket, keywordInList, redirect];

/** `runs timeout 5s`, `runs direnv allow` */
function keywordInCommand({ found, before, tokens, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || !before || placeOf(tokens, index) !== "command" || !isOnOneLine(file, before, found)) return undefined;
  if (!isOneOf(structureWords, found) && !isOneOf(verbWords, found)) return undefined;
  return inCommand(tokens, index, file);
}

/** `runs npm id 5`: the word was taken for a clause, and what follows does not fit one. */
function clauseInCommand({ tokens, index, found }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (found?.tokenType === RegexLiteral) return undefined;
  for (let at = index - 1; at > Math.max(0, index - 3); at--) {
    const word = tokens[at] as IToken;
    const before = tokens[at - 1] as IToken;
    const isClause = isOneOf(["timeout", "limit", "id", "severity"], word) && isOnOneLine(file, before, word);
    if (isClause && placeOf(tokens, at) === "command") return inCommand(tokens, at, file);
  }
  return undefined;
}

function inCommand(tokens: readonly IToken[], index: number, file: SourceFile): Diagnostic {
  const word = tokens[index] as IToken;
  const isFirst = isOneOf(["runs", "pipes", "into"], tokens[index - 1] as IToken);
  const meaning = meanings[word.image];
  const what = isFirst ? ", so nothing is left to run" : "";
  const looked = wrappers.has(word.image) ? [`note: \`${word.image}\` and other wrappers are looked through anyway: \`runs rm\` also catches \`${word.image} 5s rm -rf x\`.`] : [];
  return diagnose("syntax/keyword-in-command", { word: word.image }, {
    file,
    span: spanOfToken(word),
    notes: [`After \`runs\`, plain words belong to the command until a word of the rule language. \`${word.image}\` is one${meaning ? ` (it ${meaning})` : ""}${what}.`, ...looked],
    help: helps[word.image] ?? { text: "put the word in quotes", lines: [lineWith(file, quotedStretch(tokens, index, file), `"${word.image}"`)] },
  });
}

/** The word alone, or up to the end of the command where what follows could not stand in it either. */
function quotedStretch(tokens: readonly IToken[], index: number, file: SourceFile): Span {
  const word = tokens[index] as IToken;
  const rest = tokens.slice(index + 1);
  const end = rest.findIndex((token) => !isOnOneLine(file, word, token) || isOneOf(structureWords, token));
  const stretch = rest.slice(0, end < 0 ? rest.length : end);
  return joinSpans(spanOfToken(word), spanOfToken(stretch.some(({ tokenType }) => unquotable.includes(tokenType)) ? (stretch.at(-1) ?? word) : word));
}

const wrappers = new Set(["timeout"]);

const comparison = (words: string): Help => ({ text: `ask for the arguments of a command with \`with\`, or for its text with \`command ${words} …\`` });

/** Where the word is no part of a command but another way to ask. */
const helps: Readonly<Record<string, Help>> = {
  contains: comparison("contains"),
  starts: comparison("starts with"),
  ends: comparison("ends with"),
  matches: comparison("~"),
  in: comparison("in"),
  into: { text: "ask for a pipeline with `pipes curl into sh`" },
};

const meanings: Readonly<Record<string, string>> = {
  timeout: "sets a time limit",
  limit: "sets how often a rule may send the agent back",
  id: "names the rule",
  severity: "says how bad it is",
  for: "limits the rule to hosts",
  with: "asks for an argument",
  without: "excludes an argument",
  into: "belongs to `pipes`",
  example: "is a test of the rule",
  also: "adds an effect",
  else: "says what happens where a host cannot do it",
  allow: "grants a call",
  deny: "refuses a call",
  ask: "asks a person",
};

const unquotable: readonly TokenType[] = [RegexLiteral, NumberLiteral, Duration, Size, sign.dot, sign.star, sign.match, sign.assign];

/** `runs cat /etc/passwd`, `runs chmod 777`, `with --force=x` */
function unquotedWord(refusal: Refusal, reading: Reading): Diagnostic | undefined {
  const { found, before, tokens, index, rule } = refusal;
  if (!found || !before || rule === "literal" || rule === "rhs") return undefined;
  if (!unquotable.includes(found.tokenType) || placeOf(tokens, index) === "elsewhere" || !isOnOneLine(reading.file, before, found)) return undefined;
  // The sign may come in the middle of what a person takes for one word: `foo.sh`, `--force=x`.
  const isGlued = spanOfToken(before).end === found.startOffset && (isBare(before.tokenType) || before.tokenType === Flag);
  const start = isGlued ? spanOfToken(before) : spanOfToken(found);
  const span = isGlued || found.tokenType !== RegexLiteral ? wordAround(reading.file, start) : spanOfToken(found);
  const note = before.tokenType === Flag && found.tokenType === sign.assign ? [`\`with ${before.image}\` already finds \`${before.image}=…\`; with its value it is one word, written in quotes.`] : [];
  return needsQuotes(joinSpans(start, { start: span.start, end: Math.max(span.end, start.end) }), reading, note);
}

const entries: readonly TokenType[] = [Flag, StringLiteral, Raw, RegexLiteral, Dollar, Bare];

/** `with [-r -R]` */
function missingComma({ found, before, tokens, index, wanted }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || !before || wanted !== '"]"' || placeOf(tokens, index) === "elsewhere" || openBracket(tokens, index) === undefined) return undefined;
  if (!entries.includes(found.tokenType) && !isBare(found.tokenType)) return undefined;
  const span = { start: spanOfToken(before).end, end: found.startOffset };
  return diagnose("syntax/missing-comma", { before: shorten(before.image), after: shorten(found.image) }, {
    file,
    span,
    help: { text: "separate them with a comma", lines: [lineWith(file, span, ", ")] },
  });
}

/** `runs npm install, npm ci` */
function severalCommands({ found, tokens, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || found.tokenType !== sign.comma || rule !== "end" || placeOf(tokens, index) !== "command") return undefined;
  return diagnose("syntax/unexpected", { expected: "a clause or the end of the rule", found: "`,`" }, {
    file,
    span: spanOfToken(found),
    notes: ["After `runs` stands one command; several stand in brackets, and any of them will do."],
    help: { text: "put the commands in brackets: `runs [npm install, npm ci]`" },
  });
}

/** `runs systemctl [stop, disable]` */
function lateBracket({ found, tokens, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || found.tokenType !== sign.openList || rule !== "end" || placeOf(tokens, index) === "elsewhere") return undefined;
  return diagnose("syntax/unexpected", { expected: "a clause or the end of the rule", found: "`[`" }, {
    file,
    span: spanOfToken(found),
    notes: ["Brackets hold whole commands, and only plain words may follow them: `runs [npm, pnpm] install`."],
    help: { text: "repeat the word in front of the bracket inside it: `runs [systemctl stop, systemctl disable]`" },
  });
}

/** `let $reads = [ls, id]` */
function keywordInList({ found, rule }: Refusal, reading: Reading): Diagnostic | undefined {
  if (!found || (rule !== "item" && rule !== "list") || !(isOneOf(structureWords, found) || isOneOf(verbWords, found))) return undefined;
  return needsQuotes(spanOfToken(found), reading, [`\`${found.image}\` is a word of the rule language.`]);
}

/** `runs echo x > file` */
function redirect({ found, tokens, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || rule !== "end" || !redirects.includes(found.tokenType) || placeOf(tokens, index) !== "command") return undefined;
  return diagnose("syntax/unexpected", { expected: "a clause or the end of the rule", found: `\`${found.image}\`` }, {
    file,
    span: spanOfToken(found),
    notes: ["A redirect is no word of the command; it is one of the ways in which a command line reads or writes a file."],
    help: { text: 'ask for what is written with `writes "dist/**"`, for what is read with `reads "**/.env"`' },
  });
}

const redirects: readonly TokenType[] = [sign.less, sign.lessOrEqual, sign.greater, sign.greaterOrEqual];
