/**
 * What the lexer could not take as written: the first fault of a statement in, one diagnostic out. Most are habits of
 * other languages, so the message says how this one writes it.
 */
import type { IToken, TokenType } from "chevrotain";
import { fault, keyword, sign } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.ts";
import { spanOfToken, type Reading, type Row } from "./cst.ts";
import { isHidden } from "./hidden.ts";
import { lineWith, placeOf, quoted, wordAround } from "./place.ts";

const isFault = new Set<TokenType>(Object.values(fault));

/** True where the statement holds something that no rule of the grammar may hold; what it was is reported. */
export function reportFaults(row: Row, reading: Reading): boolean {
  const { text } = reading.file;
  // A character that cannot be seen has its own message, wherever it stands.
  const stray = row.strays.find(({ offset, length }) => !isHidden(text.slice(offset, offset + length)));
  const token = row.tokens.find(({ tokenType }) => isFault.has(tokenType));
  if (token && token.startOffset < (stray?.offset ?? Infinity)) reading.found.push(ofToken(token, row, reading));
  else if (stray) reading.found.push(ofStray({ start: stray.offset, end: stray.offset + stray.length }, row, reading));
  return token !== undefined || row.strays.length > 0;
}

const unclosed = new Map<TokenType, { readonly what: string; readonly close: string }>([
  [fault.openHeredoc, { what: "this text of several lines", close: '"""' }],
  [fault.openString, { what: "this text", close: '"' }],
  [fault.openRaw, { what: "this text", close: "'" }],
  [fault.openRegex, { what: "this pattern", close: "/" }],
]);

function ofToken(token: IToken, row: Row, reading: Reading): Diagnostic {
  const { file } = reading;
  const index = row.tokens.indexOf(token);
  const image = token.image.trimEnd();
  const span = { start: token.startOffset, end: token.startOffset + image.length };
  const place = placeBefore(row, span.start);
  const isInCommand = place !== "elsewhere";
  // Behind `with` a pattern may be meant; in the command itself only a path can be.
  const isPath = token.tokenType === fault.openRegex ? place === "command" : token.tokenType === fault.doubleSlash && isInCommand && /^\/\/[^\s/]/.test(image);
  if (isPath) return needsQuotes(wordAround(file, { start: span.start, end: span.start + 1 }), reading);
  const open = unclosed.get(token.tokenType);
  if (open) return diagnose("syntax/unterminated", open, { file, span, help: { text: unclosedHelp(token) } });
  if (token.tokenType === fault.doubleSlash) return wantsPattern(row.tokens[index - 1]) ? emptyPattern({ start: span.start, end: span.start + 2 }, reading) : comment(span, reading);
  if (token.tokenType === fault.gluedNumber) return gluedNumber(span, isInCommand, reading);
  if (token.tokenType === fault.curlyQuote) return curlyQuote(span, reading);
  return foreignSign(span, isInCommand, reading);
}

function unclosedHelp({ tokenType }: IToken): string {
  if (tokenType === fault.openHeredoc) return 'close the text with `"""`; it may end on a line of its own';
  if (tokenType === fault.openRegex) return "close the pattern with `/` on the same line; a slash inside is written `\\/` or `[/]`, a bracket `\\[`";
  return 'close the text on the same line, or use `"""` for a text of several lines';
}

const patternStarts: readonly TokenType[] = [sign.match, sign.mismatch, sign.assign, sign.comma, sign.openList, keyword.replace, keyword.redact, keyword.with, keyword.without];

function wantsPattern(before: IToken | undefined): boolean {
  return before !== undefined && patternStarts.includes(before.tokenType);
}

function emptyPattern(span: Span, { file }: Reading): Diagnostic {
  return diagnose("syntax/empty-pattern", {}, { file, span, help: { text: "write what is to be found between the slashes; a comment begins with `#`" } });
}

function comment(span: Span, { file }: Reading): Diagnostic {
  const start = { start: span.start, end: span.start + 2 };
  return diagnose("syntax/foreign-sign", { sign: "//", instead: "`#`" }, { file, span: start, help: { text: "a comment begins with `#`", lines: [lineWith(file, start, "#")] } });
}

function curlyQuote(span: Span, { file }: Reading): Diagnostic {
  const text = file.text.slice(span.start, span.end);
  const inner = text.replace(/^./u, "").replace(/.$/u, "");
  return diagnose("syntax/smart-quote", { quote: text.slice(0, 1) }, {
    file,
    span,
    help: text.length > 1 ? { text: "use straight quotes", lines: [lineWith(file, span, quoted(inner))] } : { text: "use straight quotes: `\"` or `'`" },
  });
}

/** `5sec` is a duration that we write otherwise; all else that begins with a digit is a word that needs quotes. */
function gluedNumber(span: Span, isInCommand: boolean, reading: Reading): Diagnostic {
  const image = reading.file.text.slice(span.start, span.end);
  if (isInCommand || !/^\d+(?:\.\d+)?(?:secs?|seconds?|mins?|minutes?|hrs?|hours?|d|days?|us|[kmg]|b|bytes|gb|[kmg]ib)$/i.test(image)) return needsQuotes(span, reading);
  return diagnose("syntax/unexpected", { expected: "a number, a duration or a size", found: `\`${image}\`` }, {
    file: reading.file,
    span,
    help: { text: "a duration is written `500ms`, `5s`, `2m` or `1h`, a size `64kb` or `2mb`" },
  });
}

/** What a sign of other languages is called here. */
const signs: Readonly<Record<string, { readonly instead: string; readonly write?: string }>> = {
  "&&": { instead: "`and`", write: " and " },
  "||": { instead: "`or`", write: " or " },
  "&": { instead: "`and`", write: " and " },
  "|": { instead: "`or`", write: " or " },
  "!": { instead: "`not`", write: "not " },
  "=~": { instead: "`~`", write: "~" },
  "===": { instead: "`==`", write: "==" },
  "!==": { instead: "`!=`", write: "!=" },
  "<>": { instead: "`!=`", write: "!=" },
  ";": { instead: "a new line" },
};

function foreignSign(span: Span, isInCommand: boolean, { file }: Reading): Diagnostic {
  const image = file.text.slice(span.start, span.end);
  const { instead, write } = signs[image] ?? { instead: "a word of the language" };
  if (image === "|" && isInCommand) {
    return diagnose("syntax/foreign-sign", { sign: image, instead: "`pipes … into …`" }, { file, span, help: { text: "a pipeline is a condition of its own: `pipes [curl, wget] into [sh, bash]`" } });
  }
  if (write === undefined) {
    return diagnose("syntax/foreign-sign", { sign: image, instead }, { file, span, help: { text: "begin the next statement on a line of its own, at the left margin" } });
  }
  const line = lineWith(file, span, write).replaceAll(/(\S) {2,}(?=\S)/g, "$1 ");
  return diagnose("syntax/foreign-sign", { sign: image, instead }, { file, span, help: { text: `write ${instead}`, lines: [line] } });
}

export function needsQuotes(span: Span, { file }: Reading, notes: readonly string[] = []): Diagnostic {
  const text = file.text.slice(span.start, span.end);
  const why = text.startsWith("/") ? ["Write paths in quotes: a slash begins a pattern."] : [];
  return diagnose("syntax/needs-quotes", { text }, {
    file,
    span,
    notes: [...why, ...notes],
    help: { text: "put it in quotes", lines: [lineWith(file, span, quoted(text))] },
  });
}

function ofStray(span: Span, row: Row, reading: Reading): Diagnostic {
  const { file } = reading;
  const text = file.text.slice(span.start, span.end);
  if (placeBefore(row, span.start) !== "elsewhere" && !/^\s/u.test(text)) return needsQuotes(wordAround(file, span), reading);
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const character = { start: span.start, end: span.start + first.length };
  const code = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const found = /\s/u.test(first) ? `a blank of another kind (${code})` : /[!-~]/.test(first) ? `\`${first}\`` : `\`${first}\` (${code})`;
  return diagnose("syntax/unexpected", { expected: "a word, a text in quotes or a sign of the language", found }, { file, span: character, help: { text: strayHelp(first) } });
}

function strayHelp(character: string): string {
  if (/\s/u.test(character)) return "write a plain blank";
  if (character === "$") return "a name of your own is `$` and a word: `$protected`";
  if (character === "{" || character === "}") return "nothing nests in this language: the lines of a rule are indented, lists stand in `[` `]`, conditions in `(` `)`";
  if (character === "\\") return "a statement goes on by itself on the next line when that line is indented; inside quotes a backslash begins an escape";
  return "put it in quotes if it belongs to a text or a command, and remove it otherwise";
}

/** The place of what begins at `offset`, which may be no token at all. */
function placeBefore(row: Row, offset: number): "command" | "argument" | "elsewhere" {
  const next = row.tokens.findIndex((token) => spanOfToken(token).end > offset);
  return placeOf(row.tokens, next < 0 ? row.tokens.length : next);
}
