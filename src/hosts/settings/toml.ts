/**
 * A block of ours in a TOML file, between two marker lines: text in, text out, every byte outside the block kept. A
 * parse and print round trip would drop people's comments, so the text is spliced and both sides are parsed to prove it.
 */
import { isDeepStrictEqual } from "node:util";
import { parse, TomlError, type TomlTable, type TomlValue } from "smol-toml";
import type { Span } from "../../diagnostics/diagnostic.ts";

const markers = { begin: "# policyc:begin", end: "# policyc:end" } as const;

/** What lies where in a TOML text that parses. */
export interface TomlMap {
  readonly value: TomlTable;
  /** The block with both marker lines, and with the line break behind it where there is one. */
  readonly block: Span | undefined;
  /** Each `[[name]]` header of the array the block adds to, in order. */
  readonly headers: readonly Span[];
}

export type TomlReading = { readonly kind: "map"; readonly map: TomlMap } | { readonly kind: "unreadable" | "too-new" | "broken-block"; readonly span: Span; readonly why: string };

interface Scan {
  readonly marks: readonly { readonly kind: "begin" | "end"; readonly span: Span; readonly nested: boolean }[];
  readonly headers: readonly Span[];
  readonly tooNew: Span | undefined;
}

/** Reads a text and finds the block; `array` is the array of tables that the block adds to. */
export function readToml(text: string, array: string): TomlReading {
  let value: TomlTable;
  try {
    value = parseToml(text);
  } catch (error) {
    if (error instanceof TomlError) return { kind: "unreadable", span: lineSpan(text, error.line), why: (error.message.split("\n")[0] ?? "").replace(/^Invalid TOML document: /, "") };
    return { kind: "unreadable", span: { start: 0, end: 0 }, why: "it is nested too deeply" };
  }
  const scan = scanToml(text, array);
  // Hosts read TOML 1.0; the parser here also takes what 1.1 adds.
  if (scan.tooNew) return { kind: "too-new", span: scan.tooNew, why: "this needs TOML 1.1" };
  const [begin, end, extra] = scan.marks;
  if (!begin) return { kind: "map", map: { value, block: undefined, headers: scan.headers } };
  const broken = (span: Span, why: string): TomlReading => ({ kind: "broken-block", span, why });
  if (begin.kind === "end") return broken(begin.span, `\`${markers.end}\` stands before \`${markers.begin}\``);
  if (!end) return broken(begin.span, `\`${markers.end}\` is missing`);
  if (end.kind === "begin" || extra) return broken((extra ?? end).span, "a marker line stands twice");
  if (begin.nested || end.nested) return broken((begin.nested ? begin : end).span, "a marker line stands inside a value");
  const block = { start: begin.span.start, end: end.span.end };
  const seam = findSeam(text, block, value, array);
  return seam ? broken(seam.span, seam.why) : { kind: "map", map: { value, block, headers: scan.headers } };
}

/** The text with these lines as its block; the block stays where it is, a new one goes to the end. */
export function writeBlock(text: string, block: Span | undefined, lines: readonly string[], eol: string): string {
  const wanted = [markers.begin, ...lines, markers.end];
  if (!block) {
    const closed = text === "" || text.endsWith("\n");
    return text + (closed ? "" : eol) + wanted.join(eol) + (closed ? eol : "");
  }
  const old = text.slice(block.start, block.end);
  const tail = /\r?\n$/.exec(old)?.[0] ?? "";
  if (isDeepStrictEqual(old.slice(0, old.length - tail.length).split(/\r?\n/), wanted)) return text;
  return text.slice(0, block.start) + wanted.join(eol) + tail + text.slice(block.end);
}

/** The text without its block, as it was before one was added. */
export function removeBlock(text: string, block: Span): string {
  const before = text.slice(0, block.start);
  const after = text.slice(block.end);
  // A block without a line break behind it was added to a text without one, and brought its own in front.
  const brought = after === "" && !text.endsWith("\n");
  return (brought ? before.replace(/\r?\n$/, "") : before) + after;
}

/** Integers beyond 2^53 become bigints, so that comparing two texts misses nothing. */
export function parseToml(text: string): TomlTable {
  return parse(text, { integersAsBigInt: "asNeeded" });
}

/** The array's entries in a table; `undefined` where something else bears the name. */
export function entriesOf(value: TomlTable, array: string): readonly TomlValue[] | undefined {
  const entries = Object.hasOwn(value, array) ? value[array] : [];
  return Array.isArray(entries) ? entries : undefined;
}

/** A basic string, ASCII only. */
export function quoteToml(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/[\u007f-\u{10ffff}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Why the block and what stands around it are not independent: a key behind the block belongs to its last table. */
function findSeam(text: string, block: Span, whole: TomlTable, array: string): { readonly span: Span; readonly why: string } | undefined {
  const after = { start: Math.min(block.end, text.length), end: Math.min(block.end + 1, text.length) };
  try {
    const own = parseToml(text.slice(block.start, block.end));
    const rest = parseToml(removeBlock(text, block));
    const before = entriesOf(parseToml(text.slice(0, block.start)), array)?.length ?? 0;
    if (Object.keys(own).some((key) => key !== array)) return { span: block, why: `only \`[[${array}]]\` tables of policyc stand in it` };
    const inside = entriesOf(own, array) ?? [];
    const outside = [...(entriesOf(whole, array) ?? [])];
    const found = outside.splice(before, inside.length);
    const { [array]: _all, ...wholeRest } = whole;
    const { [array]: others = [], ...restRest } = rest;
    const isSplit = isDeepStrictEqual(found, inside) && isDeepStrictEqual(outside, others) && isDeepStrictEqual(wholeRest, restRest);
    return isSplit ? undefined : { span: after, why: "what follows it continues its last table, and has to begin with a table header" };
  } catch {
    return { span: block, why: "the block and the text around it do not parse on their own" };
  }
}

/** Finds marker lines, headers and TOML 1.1 in a text that parses: a walk that knows strings, comments and brackets. */
function scanToml(text: string, array: string): Scan {
  const marks: { kind: "begin" | "end"; span: Span; nested: boolean }[] = [];
  const headers: Span[] = [];
  const brackets: string[] = [];
  let tooNew: Span | undefined;
  let lineStart = 0;
  let last = "";
  const token = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n|[[\]{},]|[^\s"'#[\]{},]+/g;
  for (const match of text.matchAll(token)) {
    const [found] = match;
    const span = { start: match.index, end: match.index + found.length };
    const opensLine = () => /^\uFEFF?[ \t]*$/.test(text.slice(lineStart, match.index));
    if (found === "\n") {
      if (brackets.at(-1) === "{") tooNew ??= span;
      lineStart = span.end;
    } else if (found.startsWith("#")) {
      const kind = found.trimEnd() === markers.begin ? "begin" : found.trimEnd() === markers.end ? "end" : undefined;
      if (kind && opensLine()) marks.push({ kind, span: { start: lineStart + (text.startsWith("\uFEFF") && lineStart === 0 ? 1 : 0), end: Math.min(span.end + 1, text.length) }, nested: brackets.length > 0 });
      continue;
    } else if (found === "[" || found === "{") {
      if (found === "[" && brackets.length === 0 && opensLine()) {
        const header = /\[\[[ \t]*(?:"([^"\\]*)"|'([^']*)'|([\w-]+))[ \t]*\]\]/y;
        header.lastIndex = match.index;
        const name = header.exec(text);
        if (name && (name[1] ?? name[2] ?? name[3]) === array) headers.push({ start: match.index, end: header.lastIndex });
      }
      brackets.push(found);
    } else if (found === "]" || found === "}") {
      if (found === "}" && last === ",") tooNew ??= span;
      brackets.pop();
    } else if (found.startsWith('"') && /(?<!\\)(?:\\\\)*\\[ex]/.test(found)) {
      tooNew ??= span;
    }
    if (found !== "\n") last = found;
  }
  return { marks, headers, tooNew };
}

function lineSpan(text: string, line: number): Span {
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
  return { start: Math.min(start, text.length), end: Math.min(start + (lines[line - 1]?.length ?? 0), text.length) };
}
