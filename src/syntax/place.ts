/** Where a token stands, judged by the tokens before it: what messages need to know once the parser has given up. */
import type { IToken, TokenType } from "chevrotain";
import {
  Bare, Dollar, Duration, Flag, Heredoc, keyword, Name, NumberLiteral, Raw, RegexLiteral, sign, Size, StringLiteral, Word, type Keyword,
} from "../../grammar/tokens.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { spanOfToken } from "./cst.ts";

const commandStarts: readonly TokenType[] = [keyword.runs, keyword.pipes, keyword.into];
/** What may stand in a command, and what people write there without quotes. */
const commandParts: readonly TokenType[] = [
  StringLiteral, Raw, Flag, Dollar, RegexLiteral, sign.comma, sign.openList, sign.closeList,
  NumberLiteral, Duration, Size, sign.dot, sign.star, sign.match, sign.assign,
];

/** `command` behind `runs` and its like, `argument` behind their `with`. `index` may lie one past the last token. */
export function placeOf(tokens: readonly IToken[], index: number): "command" | "argument" | "elsewhere" {
  let isArgument = false;
  for (let at = index - 1; at >= 0; at--) {
    const type = tokens[at]?.tokenType as TokenType;
    if (commandStarts.includes(type)) return isArgument ? "argument" : "command";
    if (type === keyword.with || type === keyword.without) isArgument = true;
    else if (!commandParts.includes(type) && !isBare(type)) return "elsewhere";
  }
  return "elsewhere";
}

export function isBare(type: TokenType): boolean {
  return type.CATEGORIES?.includes(Bare) ?? false;
}

export function isText(type: TokenType): boolean {
  return type === StringLiteral || type === Raw || type === Heredoc;
}

export function isName(type: TokenType): boolean {
  return type === Word || (type.CATEGORIES?.includes(Name) ?? false);
}

/** True for these words of the language, not for texts or plain words of the same letters. */
export function isOneOf(words: readonly Keyword[], token: IToken): boolean {
  return words.some((word) => token.tokenType === keyword[word]);
}

/** The innermost `(` or `[` that is open before `index`. */
export function openBracket(tokens: readonly IToken[], index: number): IToken | undefined {
  let closed = 0;
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at] as IToken;
    if (token.tokenType === sign.close || token.tokenType === sign.closeList) closed++;
    else if ((token.tokenType === sign.open || token.tokenType === sign.openList) && closed-- === 0) return token;
  }
  return undefined;
}

export function isFirstOnLine(file: SourceFile, token: IToken): boolean {
  const start = file.text.lastIndexOf("\n", token.startOffset - 1) + 1;
  return file.text.slice(start, token.startOffset).trim() === "";
}

export function isOnOneLine(file: SourceFile, left: IToken, right: IToken): boolean {
  return !file.text.slice(left.startOffset, right.startOffset).includes("\n");
}

/** The run of characters around a place that a person would take for one word. */
export function wordAround(file: SourceFile, span: Span): Span {
  const stop = /[\s[\](),"']/;
  let { start, end } = span;
  while (start > 0 && !stop.test(file.text[start - 1] as string)) start--;
  end = Math.max(start + 1, Math.min(end, start + 1));
  while (end < file.text.length && !stop.test(file.text[end] as string)) end++;
  return { start, end };
}

/** The source line around a span with the span's text replaced, for a help that shows how it should read. */
export function lineWith(file: SourceFile, span: Span, replacement: string): string {
  const start = file.text.lastIndexOf("\n", span.start - 1) + 1;
  const newline = file.text.indexOf("\n", span.end);
  const end = newline < 0 ? file.text.length : newline;
  return (file.text.slice(start, span.start) + replacement + file.text.slice(span.end, end)).replace(/\r$/, "").replace(/^\uFEFF/, "");
}

/** The place behind the last token, where the statement ends too early. */
export function endOf(tokens: readonly IToken[]): Span {
  const last = tokens.at(-1);
  const end = last ? spanOfToken(last).end : 0;
  return { start: end, end };
}

/** `text` in the quotes that leave it as it is. */
export function quoted(text: string): string {
  return /["\\]/.test(text) && !text.includes("'") ? `'${text}'` : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
