/**
 * What a text in quotes says: the token in, its value and its template out. Escapes are undone here and the margin of a
 * text in triple quotes is taken away first, so that `\t` in the text never counts as indentation.
 */
import type { IToken } from "chevrotain";
import { Heredoc, Raw } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { TemplatePart, Text } from "./ast.ts";
import { spanOfToken, type Reading } from "./cst.ts";

/** A character (or what an escape stands for) with its place in the file; an escaped brace is never an interpolation. */
interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly escaped: boolean;
}

/** A stretch of the file's own characters. */
interface Stretch {
  readonly text: string;
  readonly start: number;
}

export function readText(token: IToken, reading: Reading): Text {
  const form = token.tokenType === Heredoc ? "heredoc" : token.tokenType === Raw ? "raw" : "string";
  const quotes = form === "heredoc" ? 3 : 1;
  const body: Stretch = { text: token.image.slice(quotes, -quotes), start: token.startOffset + quotes };
  const span = spanOfToken(token);
  if (form !== "heredoc" && !/[\\{}]/.test(body.text)) {
    // Most texts are plain, and a policy may hold tens of thousands.
    return { kind: "text", form, value: body.text, template: literal(body.text), span };
  }
  const units = (form === "heredoc" ? withoutMargin(body) : [body]).flatMap((stretch) => (form === "raw" ? plainUnits(stretch) : unescape(stretch, reading)));
  return { kind: "text", form, value: units.map((unit) => unit.text).join(""), template: cutTemplate(units), span };
}

/**
 * The lines of a text in triple quotes: the newline behind the opening quotes, the blank line before the closing ones and
 * the indentation common to all lines that hold something are dropped. Line ends become `\n`, whatever the file uses.
 */
function withoutMargin(body: Stretch): Stretch[] {
  const lines: Stretch[] = [];
  let start = body.start;
  for (const line of body.text.split("\n")) {
    lines.push({ text: line.endsWith("\r") ? line.slice(0, -1) : line, start });
    start += line.length + 1;
  }
  const isBlank = (line: Stretch | undefined) => line !== undefined && line.text.trim() === "";
  if (lines.length > 1 && isBlank(lines.at(-1))) lines.pop();
  const startsOnOwnLine = lines.length > 0 && body.text.includes("\n") && isBlank(lines[0]);
  if (startsOnOwnLine) lines.shift();
  // Text that begins behind the opening quotes has no indentation of its own to share.
  const indented = (startsOnOwnLine ? lines : lines.slice(1)).filter((line) => !isBlank(line));
  const margins = indented.map((line) => /^[ \t]*/.exec(line.text)?.[0] ?? "");
  const margin = margins.reduce(commonStart, margins[0] ?? "");
  return lines.flatMap((line, index) => {
    const skip = index === 0 && !startsOnOwnLine ? 0 : commonStart(margin, line.text).length;
    const text: Stretch = { text: line.text.slice(skip), start: line.start + skip };
    return index === lines.length - 1 ? [text] : [text, { text: "\n", start: line.start + line.text.length }];
  });
}

function commonStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return left.slice(0, length);
}

function plainUnits(stretch: Stretch): Unit[] {
  return Array.from(stretch.text, (text) => text).map(unitsFrom(stretch.start));
}

function unitsFrom(offset: number): (text: string) => Unit {
  let start = offset;
  return (text) => ({ text, start, end: (start += text.length), escaped: false });
}

const simpleEscapes: Readonly<Record<string, string>> = { "\\": "\\", '"': '"', n: "\n", t: "\t", r: "\r", "{": "{", "}": "}" };

function unescape(stretch: Stretch, reading: Reading): Unit[] {
  const units: Unit[] = [];
  for (const match of stretch.text.matchAll(/\\u\{([0-9A-Fa-f]{1,6})\}|\\(u\{[^}"]*\}?|[\s\S]?)|[^\\]/gu)) {
    const start = stretch.start + match.index;
    const end = start + match[0].length;
    const [image, code, simple] = match;
    if (!image.startsWith("\\")) units.push({ text: image, start, end, escaped: false });
    else {
      const text = code === undefined ? simpleEscapes[simple ?? ""] : character(Number.parseInt(code, 16));
      if (text === undefined) {
        reading.found.push(
          diagnose("syntax/unknown-escape", { escape: image }, {
            file: reading.file,
            span: { start, end },
            notes: ["A text in double quotes knows `\\\\`, `\\\"`, `\\n`, `\\t`, `\\r`, `\\{`, `\\}` and `\\u{1F600}`. A text in single quotes has no escapes at all."],
            help: { text: image.startsWith("\\u") ? "name the character by its number, up to `\\u{10FFFF}`" : `write the backslash twice if it belongs to the text: \`\\${image}\`` },
          }),
        );
      }
      units.push({ text: text ?? image, start, end, escaped: true });
    }
  }
  return units;
}

function character(code: number): string | undefined {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code > 0x10ffff || isSurrogate ? undefined : String.fromCodePoint(code);
}

function literal(text: string): TemplatePart[] {
  return text === "" ? [] : [{ kind: "literal", text }];
}

/** `{{` and `}}` are braces; braces around anything but a field or a number are text. */
function cutTemplate(units: readonly Unit[]): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = "";
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as Unit;
    const isBrace = !unit.escaped && (unit.text === "{" || unit.text === "}");
    const next = units[index + 1];
    if (isBrace && next?.text === unit.text && !next.escaped) {
      text += unit.text;
      index++;
      continue;
    }
    const found = isBrace && unit.text === "{" ? interpolationAt(units, index) : undefined;
    if (found === undefined) {
      text += unit.text;
      continue;
    }
    parts.push(...literal(text), found.part);
    text = "";
    index = found.last;
  }
  return [...parts, ...literal(text)];
}

function interpolationAt(units: readonly Unit[], open: number): { part: TemplatePart; last: number } | undefined {
  let inside = "";
  for (let index = open + 1; index < units.length; index++) {
    const unit = units[index] as Unit;
    if (unit.text === "}" && !unit.escaped) {
      const span = { start: (units[open] as Unit).start, end: unit.end };
      if (/^\d{1,3}$/.test(inside)) return { part: { kind: "capture", index: Number(inside), span }, last: index };
      if (/^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/.test(inside)) return { part: { kind: "field", path: inside.split("."), span }, last: index };
      return undefined;
    }
    if (unit.escaped || !/^[\w.-]$/.test(unit.text)) return undefined;
    inside += unit.text;
  }
  return undefined;
}
