/**
 * Edits of a strict JSON text that keep its layout: text and a path go in, the new text comes out. Every insertion goes
 * behind the last child, so that taking the same node away again gives back the same bytes; `modify` of jsonc-parser
 * reformats what it touches and cannot promise that.
 */
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { Json } from "../../guard/call.ts";
import type { Span } from "../../diagnostics/diagnostic.ts";

export type JsonPath = readonly (string | number)[];

/** Line break, one step of indentation and separators as the text uses them. */
interface Layout {
  readonly eol: string;
  readonly unit: string;
  readonly colon: string;
  readonly comma: string;
}

/** Where a new node stands: on its own line behind `indent`, or in line; its own lines start with `indent` if there is one. */
interface Position {
  readonly ownLine: boolean;
  readonly indent: string | undefined;
}

const whitespace = /^[ \t\r\n]*$/;

/** True for a text without any value: nothing, white space, a byte order mark. */
export function isBlank(text: string): boolean {
  return whitespace.test(withoutMark(text));
}

/** The value as `JSON.parse` reads it; a byte order mark is read as a blank, for the hosts that take it. */
export function parseStrict(text: string): Json {
  return JSON.parse(withoutMark(text)) as Json;
}

/** The tree for positions; where the text has a fault, the place of the first one. `lenient`: comments and trailing commas pass. */
export function readTree(text: string, lenient: boolean): { readonly root: Node | undefined; readonly fault: (Span & { readonly why: string }) | undefined } {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { disallowComments: !lenient, allowTrailingComma: lenient });
  const first = errors[0];
  return { root, fault: first && { start: first.offset, end: Math.min(first.offset + Math.max(first.length, 1), text.length), why: faultWords[printParseErrorCode(first.error)] ?? "something else is expected here" } };
}

/** By the parser's own names of its errors. */
const faultWords: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a key in double quotes is expected here",
  ValueExpected: "a value is expected here",
  ColonExpected: "`:` is expected here",
  CommaExpected: "`,` is expected here",
  CloseBraceExpected: "`}` is expected here",
  CloseBracketExpected: "`]` is expected here",
  EndOfFileExpected: "the text goes on behind its end",
  UnexpectedEndOfString: "this text is never closed with `\"`",
  InvalidUnicode: "`\\u` takes four hexadecimal digits",
  InvalidEscapeCharacter: "this is no escape of JSON",
  InvalidCharacter: "a control character stands in a text",
  InvalidSymbol: "this is no value of JSON",
};

/** The span of the node at the path: of the whole property where it is one, of the deepest ancestor where it is absent. */
export function spanOf(text: string, path: JsonPath): Span {
  const root = treeOf(text);
  for (let length = path.length; length > 0; length -= 1) {
    const found = findNodeAtLocation(root, path.slice(0, length));
    if (found) return spanOfNode(found.parent?.type === "property" && length === path.length ? found.parent : found);
  }
  return { start: root.offset, end: root.offset + 1 };
}

/** The text with a child behind the last one of the container; `key` where the container is an object. */
export function appendChild(text: string, container: JsonPath, key: string | undefined, value: Json): string {
  const root = treeOf(text);
  const node = presumeNode(root, container);
  const layout = layoutOf(text, root);
  const last = node.children?.at(-1);
  if (!last) {
    const spread = node === root || beginsLine(text, node.parent?.type === "property" ? node.parent : node);
    const outer = indentOf(text, node.offset);
    const position = { ownLine: spread, indent: spread ? outer + layout.unit : undefined };
    const child = render(key, value, position, layout);
    const inside = spread ? layout.eol + position.indent + child + layout.eol + outer : child;
    return splice(text, { start: node.offset + 1, end: node.offset + node.length - 1 }, inside);
  }
  const position = positionOf(text, node, last);
  const separator = position.ownLine ? layout.eol + position.indent : layout.comma.slice(1);
  return splice(text, { start: endOf(last), end: endOf(last) }, "," + separator + render(key, value, position, layout));
}

/** The text with another value in the node's place. */
export function replaceChild(text: string, path: JsonPath, value: Json): string {
  const root = treeOf(text);
  const node = presumeNode(root, path);
  const parent = node.parent ?? node;
  return splice(text, spanOfNode(node), render(undefined, value, positionOf(text, parent, node), layoutOf(text, root)));
}

/** The text without the item or property, and without the comma that tied it to its neighbour. */
export function removeChild(text: string, path: JsonPath): string {
  const found = presumeNode(treeOf(text), path);
  const node = found.parent?.type === "property" ? found.parent : found;
  const siblings = node.parent?.children ?? [];
  const index = siblings.indexOf(node);
  const previous = siblings[index - 1];
  const next = siblings[index + 1];
  if (previous) return splice(text, { start: endOf(previous), end: endOf(node) }, "");
  if (next) return splice(text, { start: node.offset, end: next.offset }, "");
  return setInside(text, path.slice(0, -1), "");
}

/** The text between the brackets of a container. */
export function insideOf(text: string, container: JsonPath): string {
  const node = presumeNode(treeOf(text), container);
  return text.slice(node.offset + 1, endOf(node) - 1);
}

/** The text with the container's inside replaced as a whole. */
export function setInside(text: string, container: JsonPath, inside: string): string {
  const node = presumeNode(treeOf(text), container);
  return splice(text, { start: node.offset + 1, end: endOf(node) - 1 }, inside);
}

/** The first key that stands twice in an object at the path or below it, with the path of the object. */
export function findDuplicateKey(text: string, path: JsonPath, deep: boolean): { readonly path: JsonPath; readonly span: Span } | undefined {
  const node = findNodeAtLocation(treeOf(text), [...path]);
  return node && duplicateIn(node, path, deep);
}

function duplicateIn(node: Node, path: JsonPath, deep: boolean): { readonly path: JsonPath; readonly span: Span } | undefined {
  const seen = new Set<string>();
  for (const [index, child] of (node.children ?? []).entries()) {
    const key = child.type === "property" ? (child.children?.[0]?.value as string) : index;
    if (typeof key === "string") {
      if (seen.has(key)) return { path: [...path, key], span: spanOfNode(child) };
      seen.add(key);
    }
    const value = child.type === "property" ? child.children?.[1] : child;
    const below = deep && value ? duplicateIn(value, [...path, key], deep) : undefined;
    if (below) return below;
  }
  return undefined;
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? " " + text.slice(1) : text;
}

function treeOf(text: string): Node {
  const root = readTree(text, false).root;
  if (!root) throw new Error("a text that parsed before has no tree");
  return root;
}

function presumeNode(root: Node, path: JsonPath): Node {
  const node = findNodeAtLocation(root, [...path]);
  if (!node) throw new Error(`no node at ${path.join(".")}`);
  return node;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function spanOfNode(node: Node): Span {
  return { start: node.offset, end: endOf(node) };
}

function splice(text: string, span: Span, replacement: string): string {
  return text.slice(0, span.start) + replacement + text.slice(span.end);
}

/** How a further child beside `sibling` is laid out. A sibling of several lines in line (`[{`) sets an indent, not a line. */
function positionOf(text: string, container: Node, sibling: Node): Position {
  const first = container.children?.[0] ?? sibling;
  const ownLine = beginsLine(text, first) || beginsLine(text, sibling);
  const indentFrom = beginsLine(text, sibling) ? sibling : first;
  if (ownLine) return { ownLine, indent: indentOf(text, indentFrom.offset) };
  const severalLines = text.slice(sibling.offset, endOf(sibling)).includes("\n");
  return { ownLine, indent: severalLines ? indentOf(text, sibling.offset) : undefined };
}

function beginsLine(text: string, node: Node): boolean {
  const start = lineStart(text, node.offset);
  return start > 0 && whitespace.test(text.slice(start, node.offset));
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The white space that opens the line of the offset. */
function indentOf(text: string, offset: number): string {
  return /^\uFEFF?([ \t]*)/.exec(text.slice(lineStart(text, offset), offset))?.[1] ?? "";
}

function layoutOf(text: string, root: Node): Layout {
  const property = root.children?.find((child) => child.type === "property");
  const unit = property && beginsLine(text, property) ? indentOf(text, property.offset).slice(indentOf(text, root.offset).length) : "";
  const [key, value] = property?.children ?? [];
  const dense = key !== undefined && value !== undefined && text.slice(endOf(key), value.offset) === ":";
  return { eol: lineBreakOf(text), unit: unit || "  ", colon: dense ? ":" : ": ", comma: dense ? "," : ", " };
}

/** The text's first line break, `\n` where it has none. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function render(key: string | undefined, value: Json, position: Position, layout: Layout): string {
  const prefix = key === undefined ? "" : JSON.stringify(key) + layout.colon;
  if (position.indent === undefined) return prefix + renderInLine(value, layout);
  const lines = JSON.stringify(value, undefined, layout.unit).split("\n");
  return prefix + lines.join(layout.eol + position.indent);
}

function renderInLine(value: Json, layout: Layout): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => renderInLine(item, layout)).join(layout.comma)}]`;
  return `{${Object.entries(value as Record<string, Json>)
    .map(([key, item]) => JSON.stringify(key) + layout.colon + renderInLine(item, layout))
    .join(layout.comma)}}`;
}
