/**
 * Where an offset is and what a line looks like: lines and columns of a source text, and its lines as a terminal shows
 * them. Characters that cannot be seen are spelled out, so that no source text can change how a message reads.
 */
import type { SourceFile, Span } from "./diagnostic.ts";
import { invisible } from "./invisible.ts";

/** Both count from 1; a column is a character, whatever its width or number of UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets at which the lines of a text start. */
export type LineStarts = readonly number[];

export function lineStartsOf(text: string): LineStarts {
  const starts = [0];
  for (let newline = text.indexOf("\n"); newline >= 0; newline = text.indexOf("\n", newline + 1)) starts.push(newline + 1);
  return starts;
}

export function positionOf(file: SourceFile, starts: LineStarts, offset: number): Position {
  const inside = Math.min(Math.max(offset, 0), file.text.length);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= inside) low = middle;
    else high = middle - 1;
  }
  const before = file.text.slice(starts[low] ?? 0, inside).replace(/^\uFEFF/, "");
  return { line: low + 1, column: Array.from(before).length + 1 };
}

/** A line without its line end and byte order mark; `offset` is where its text starts in the file. */
export function lineOf(file: SourceFile, starts: LineStarts, line: number): { readonly text: string; readonly offset: number } {
  const start = starts[line - 1] ?? file.text.length;
  const end = (starts[line] ?? file.text.length + 1) - 1;
  const text = file.text.slice(start, end).replace(/\r$/, "");
  return text.startsWith("\uFEFF") ? { text: text.slice(1), offset: start + 1 } : { text, offset: start };
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]/u;
const tab = "    ";

function isInvisible(character: string): boolean {
  return character === "\n" || character === "\r" || invisible.test(character);
}

/** What a terminal shows for one character. */
function shown(character: string): string {
  if (character === "\t") return tab;
  return isInvisible(character) ? `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>` : character;
}

function widthOf(character: string): number {
  if (character === "\t" || isInvisible(character)) return shown(character).length;
  if (/[\p{M}\uFE00-\uFE0F]/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** A text as a terminal shows it: tabs as four blanks, what cannot be seen as `<U+202E>`. */
export function visible(text: string): string {
  return /^[ -~]*$/.test(text) ? text : Array.from(text, shown).join("");
}

/** Terminal columns that a text takes. */
export function columnsOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : Array.from(text, widthOf).reduce((sum, width) => sum + width, 0);
}

/** The part of a span that lies on one line, in terminal columns from 0; an empty span is one column wide. */
export function columnsOfSpan(line: { readonly text: string; readonly offset: number }, span: Span): { readonly from: number; readonly width: number } {
  const start = Math.min(Math.max(span.start - line.offset, 0), line.text.length);
  const end = Math.min(Math.max(span.end - line.offset, start), line.text.length);
  return { from: columnsOf(line.text.slice(0, start)), width: Math.max(columnsOf(line.text.slice(start, end)), 1) };
}
