/**
 * Trees of single values in, their nodes out: texts, patterns, numbers, durations, sizes, names, fields, `$names` and
 * lists. A list is where a line break means something: it ends an item as a comma does.
 */
import type { CstNode, IToken } from "chevrotain";
import { Dollar, Duration, Flag, NumberLiteral, RegexLiteral, Size, StringLiteral } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { joinSpans, type Span } from "../diagnostics/diagnostic.ts";
import type * as ast from "./ast.ts";
import type { DollarReference, Field, List, ListItem, Literal, Name, Pattern, Regex, Text } from "./ast.ts";
import { node, nodes, onlyChild, optionalNode, presume, spanOf, spanOfToken, tokens, type Reading } from "./cst.ts";
import { lineWith } from "./place.ts";
import { shorten } from "./refusal.ts";
import { readText } from "./text.ts";

/** Any rule that is one token or one text: `literal`, `pattern` without a list, `scalar`, `source` without its words. */
export function toSimple(parent: CstNode, reading: Reading): Literal | DollarReference {
  const child = onlyChild(parent);
  return "image" in child ? toLiteralToken(child, reading) : toText(child, reading);
}

function toLiteralToken(image: IToken, reading: Reading): Literal | DollarReference {
  if (image.tokenType === RegexLiteral) return toRegex(image);
  if (image.tokenType === NumberLiteral) return toNumber(image);
  if (image.tokenType === Duration) return toDuration(image);
  if (image.tokenType === Size) return toSize(image);
  if (image.tokenType === Dollar) return toDollar(image);
  return readText(image, reading);
}

export function toLiteral(parent: CstNode, reading: Reading): Literal {
  return toSimple(parent, reading) as Literal;
}

export function toPattern(parent: CstNode, reading: Reading): Pattern {
  const list = optionalNode(parent, "list");
  return list ? toList(list, reading) : (toSimple(parent, reading) as Pattern);
}

export function toText(parent: CstNode, reading: Reading): Text {
  return readText(onlyChild(parent) as IToken, reading);
}

export function toRegex(image: IToken): Regex {
  const close = image.image.lastIndexOf("/");
  const start = image.startOffset;
  const span = spanOfToken(image);
  return {
    kind: "regex",
    body: image.image.slice(1, close),
    flags: image.image.slice(close + 1),
    bodySpan: { start: start + 1, end: start + close },
    flagsSpan: { start: start + close + 1, end: span.end },
    span,
  };
}

export function toNumber(image: IToken): ast.NumberLiteral {
  return { kind: "number", value: Number(image.image), span: spanOfToken(image) };
}

const millisecondsOf = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function toDuration(image: IToken): ast.Duration {
  const [, amount, unit] = presume(/^([\d.]+)(ms|s|m|h)$/.exec(image.image) ?? undefined, "duration");
  return { kind: "duration", milliseconds: Number(amount) * millisecondsOf[unit as keyof typeof millisecondsOf], span: spanOfToken(image) };
}

export function toSize(image: IToken): ast.Size {
  const bytesOfUnit = image.image.toLowerCase().endsWith("kb") ? 1024 : 1024 * 1024;
  return { kind: "size", bytes: Number(image.image.slice(0, -2)) * bytesOfUnit, span: spanOfToken(image) };
}

export function toDollar(image: IToken): DollarReference {
  return { kind: "dollar", path: image.image.slice(1).split("."), span: spanOfToken(image) };
}

export function toName(parent: CstNode): Name {
  return nameOfToken(onlyChild(parent) as IToken);
}

export function nameOfToken(image: IToken): Name {
  return { kind: "name", text: image.image, span: spanOfToken(image) };
}

export function toNames(list: CstNode | undefined): readonly Name[] {
  return list ? nodes(list, "name").map(toName) : [];
}

export function toField(parent: CstNode, reading: Reading): Field {
  const rest = tokens(parent, "part").map((part) => (part.tokenType === StringLiteral ? readText(part, reading).value : part.image));
  return { kind: "field", path: [toName(node(parent, "name")).text, ...rest], span: spanOf(parent) };
}

export function toFields(list: CstNode | undefined, reading: Reading): readonly Field[] {
  return list ? nodes(list, "field").map((field) => toField(field, reading)) : [];
}

export function toList(parent: CstNode, reading: Reading): List {
  const commas = tokens(parent, '","').map((comma) => comma.startOffset);
  const items: ListItem[] = [];
  let comma = 0;
  for (const item of nodes(parent, "item").flatMap((child) => toItems(child, reading))) {
    const before = items.at(-1);
    while (before && (commas[comma] ?? Infinity) < before.span.end) comma++;
    const separated = (commas[comma] ?? Infinity) < item.span.start;
    if (before && !separated && !isLineBreakBetween(before.span, item.span, reading)) reportMissingComma(before.span, item.span, reading);
    items.push(item);
  }
  return { kind: "list", items, span: spanOf(parent) };
}

/** Words of one item stand on one line; on the next line begins another. */
function toItems(parent: CstNode, reading: Reading): ListItem[] {
  const words = tokens(parent, "word");
  const first = words[0];
  if (first === undefined) {
    const flag = optionalFlag(parent);
    const child = optionalNode(parent, "literal");
    return [flag ? { kind: "flag", text: flag.image, span: spanOfToken(flag) } : toSimple(child ?? parent, reading)];
  }
  const rows: [IToken, ...IToken[]][] = [[first]];
  for (const word of words.slice(1)) {
    const row = rows.at(-1) as [IToken, ...IToken[]];
    if (isLineBreakBetween(spanOfToken(row.at(-1) as IToken), spanOfToken(word), reading)) rows.push([word]);
    else row.push(word);
  }
  return rows.map(([head, ...rest]): ListItem => {
    const span = joinSpans(spanOfToken(head), spanOfToken(rest.at(-1) ?? head));
    if (head.tokenType === Flag && rest.length === 0) return { kind: "flag", text: head.image, span };
    return { kind: "words", words: [head, ...rest].map((word) => word.image), span };
  });
}

function optionalFlag(parent: CstNode): IToken | undefined {
  return tokens(parent, "FLAG")[0];
}

export function isLineBreakBetween(left: Span, right: Span, reading: Reading): boolean {
  return reading.file.text.slice(left.end, right.start).includes("\n");
}

export function reportMissingComma(before: Span, after: Span, reading: Reading): void {
  const { file } = reading;
  const isOneLine = !isLineBreakBetween(before, after, reading);
  const gap = { start: before.end, end: isOneLine ? after.start : before.end };
  const textOf = ({ start, end }: Span) => shorten(file.text.slice(start, end));
  const help = { text: "separate them with a comma", lines: [lineWith(file, gap, isOneLine ? ", " : ",")] };
  reading.found.push(diagnose("syntax/missing-comma", { before: textOf(before), after: textOf(after) }, { file, span: gap, help }));
}
