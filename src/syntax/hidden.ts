/**
 * Characters that cannot be seen, or that turn the direction of writing: a text in, findings out. In a text or pattern
 * they may be meant and get a warning; anywhere else, comments included, they are refused.
 */
import { Heredoc, Raw, RegexLiteral, StringLiteral, type Tokens } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { invisible } from "../diagnostics/invisible.ts";
import { spanOfToken, type Reading } from "./cst.ts";

/** A carriage return that ends no line hides what stands before it in some programs. */
const hidden = new RegExp(`${invisible.source}|\\r(?!\\n)`, "gu");

const names: readonly (readonly [RegExp, string])[] = [
  [/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u, "it changes the direction of writing"],
  [/[\u200B-\u200D\u2060\uFEFF]/u, "it has no width"],
  [/[\u2028\u2029\r]/u, "it breaks lines in some programs"],
  [/[\u{E0000}-\u{E007F}]/u, "a tag"],
  [/[\0-\x1F\x7F-\x9F]/u, "a control character"],
];

export function isHidden(text: string): boolean {
  return text.replaceAll(hidden, "") === "";
}

export function reportHidden({ tokens }: Tokens, reading: Reading): void {
  const { file } = reading;
  const matches = [...file.text.matchAll(hidden)];
  if (matches.length === 0) return;
  const texts = tokens.filter((token) => [Heredoc, StringLiteral, Raw, RegexLiteral].includes(token.tokenType)).map(spanOfToken);
  let index = 0;
  for (const match of matches) {
    const start = match.index;
    // A byte order mark in front of the text is dropped, as editors do.
    if (start === 0 && match[0] === "\uFEFF") continue;
    while (index < texts.length && (texts[index] as Span).end <= start) index++;
    const isInText = (texts[index]?.start ?? Infinity) < start;
    const parameters = { character: `U+${codeOf(match[0]).padStart(4, "0")}`, name: names.find(([pattern]) => pattern.test(match[0]))?.[1] ?? "it has no shape" };
    const span = { start, end: start + match[0].length };
    const escape = `\\u{${codeOf(match[0])}}`;
    reading.found.push(
      isInText
        ? diagnose("syntax/hidden-in-text", parameters, { file, span, help: { text: `if it is meant, write it as \`${escape}\` in double quotes or in a pattern` } })
        : diagnose("syntax/hidden-character", parameters, { file, span, help: { text: "remove the character" } }),
    );
  }
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
