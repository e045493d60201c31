/**
 * The frame around source lines: a diagnostic in, the lines with their numbers, carets and labels out, and the lines of
 * its help as they should read, with a `+` under what is new.
 */
import { columnsOf, columnsOfSpan, lineOf, lineStartsOf, positionOf, visible, type LineStarts } from "./columns.ts";
import type { Diagnostic, SourceFile, Span } from "./diagnostic.ts";
import { insertedInto } from "./inserted.ts";

export type Style = "error" | "warning" | "note" | "gutter" | "help" | "strong";
export type Paint = (style: Style, text: string) => string;

/** Source texts with their line starts, for the time of one rendering. */
export type Sources = Map<SourceFile, LineStarts>;

export function startsOf(sources: Sources, file: SourceFile): LineStarts {
  const known = sources.get(file);
  if (known) return known;
  const starts = lineStartsOf(file.text);
  sources.set(file, starts);
  return starts;
}

interface Mark {
  readonly span: Span;
  readonly text: string;
}

/** One source line and the marks that stand under it. */
interface MarkedLine {
  readonly number: number;
  readonly marks: readonly Mark[];
}

/** A span over more lines than this shows its first and last one. */
const wholeSpan = 3;
/** Wider lines are cut around what is marked. */
const widest = 160;

export interface Frame {
  readonly lines: readonly string[];
  /** Of the numbers in the margin. */
  readonly width: number;
}

/** The lines from ` --> ` to the last caret; empty where the diagnostic has no file. */
export function frameOf(diagnostic: Diagnostic, sources: Sources, paint: Paint): Frame {
  const { file, span } = diagnostic;
  if (!file) return { lines: [], width: 2 };
  const groups = groupsOf(diagnostic);
  const marked = groups.map((group) => ({ file: group.file, lines: markedLines(group.file, group.marks, sources) }));
  const last = Math.max(0, ...marked.flatMap(({ lines }) => lines.map(({ number }) => number)));
  const width = Math.max(2, String(last + 1).length);
  if (!span) return { lines: [`${" ".repeat(width)}${paint("gutter", "-->")} ${visible(file.path)}`], width };
  const lines = marked.flatMap((group, index) => {
    const place = positionOf(group.file, startsOf(sources, group.file), groups[index]?.marks[0]?.span.start ?? 0);
    const arrow = index === 0 ? "-->" : ":::";
    return [
      `${" ".repeat(width)}${paint("gutter", arrow)} ${visible(group.file.path)}:${place.line}:${place.column}`,
      margin(width, paint),
      ...linesOfGroup(group.file, group.lines, sources, width, diagnostic.severity, paint),
    ];
  });
  return { lines, width };
}

export function margin(width: number, paint: Paint, number = "", sign = "|"): string {
  return paint("gutter", `${number.padStart(width)} ${sign}`);
}

/** The marks by file, the diagnostic's own file and span first; a label on the same span gives that span its text. */
function groupsOf({ file, span, labels }: Diagnostic): { file: SourceFile; marks: Mark[] }[] {
  const groups: { file: SourceFile; marks: Mark[] }[] = [];
  const add = (target: SourceFile, mark: Mark) => {
    const group = groups.find((candidate) => candidate.file === target);
    if (group) group.marks.push(mark);
    else groups.push({ file: target, marks: [mark] });
  };
  const isOwn = (label: Diagnostic["labels"][number]) => (label.file ?? file) === file && label.span.start === span?.start && label.span.end === span.end;
  if (file && span) add(file, { span, text: labels.find(isOwn)?.text ?? "" });
  for (const label of labels) {
    const target = label.file ?? file;
    if (target && !isOwn(label)) add(target, { span: label.span, text: label.text });
  }
  return groups;
}

function markedLines(file: SourceFile, marks: readonly Mark[], sources: Sources): MarkedLine[] {
  const starts = startsOf(sources, file);
  const byLine = new Map<number, Mark[]>();
  for (const mark of marks) {
    const first = positionOf(file, starts, mark.span.start).line;
    const last = positionOf(file, starts, Math.max(mark.span.start, mark.span.end - 1)).line;
    const lines = last - first < wholeSpan ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : [first, last];
    for (const line of lines) byLine.set(line, [...(byLine.get(line) ?? []), line === last ? mark : { span: mark.span, text: "" }]);
  }
  return [...byLine].sort(([left], [right]) => left - right).map(([number, onLine]) => ({ number, marks: onLine }));
}

function linesOfGroup(file: SourceFile, lines: readonly MarkedLine[], sources: Sources, width: number, style: Style, paint: Paint): string[] {
  return lines.flatMap(({ number, marks }, index) => {
    const line = lineOf(file, startsOf(sources, file), number);
    const isApart = index > 0 && (lines[index - 1]?.number ?? 0) < number - 1;
    const spots = marks.map((mark) => ({ ...columnsOfSpan(line, indented(line, mark.span)), text: mark.text }));
    const cut = cutAround(line.text, spots[0]?.from ?? 0);
    return [
      ...(isApart ? [paint("gutter", `${" ".repeat(width)} :`)] : []),
      `${margin(width, paint, String(number))} ${cut.text}`.trimEnd(),
      ...spots.map(({ from, width: wide, text }) => {
        const carets = "^".repeat(Math.max(1, Math.min(wide, cut.end - from)));
        return `${margin(width, paint)} ${" ".repeat(Math.max(0, from - cut.start))}${paint(style, text === "" ? carets : `${carets} ${visible(text)}`)}`;
      }),
    ];
  });
}

/** On its second and further lines a span begins at the text, not in the indentation. */
function indented(line: { readonly text: string; readonly offset: number }, span: Span): Span {
  const blank = line.text.length - line.text.trimStart().length;
  return span.start < line.offset ? { start: line.offset + blank, end: span.end } : span;
}

/** A line as shown, and the terminal columns (`start`, `end`) of it that are. */
function cutAround(text: string, from: number): { text: string; start: number; end: number } {
  const all = visible(text);
  if (columnsOf(text) <= widest) return { text: all, start: 0, end: Infinity };
  const start = Math.max(0, from - 40);
  const shown = all.slice(start, start + widest);
  const head = start > 0 ? "…" : "";
  return { text: `${head}${shown}${start + widest < all.length ? "…" : ""}`, start: start - head.length, end: start + widest };
}

/**
 * The lines of a help. One that reads like a line of the source replaces it and shows what is new; any other is to be
 * put below the line at fault, and several such are alternatives.
 */
export function helpLinesOf(diagnostic: Diagnostic, sources: Sources, width: number, paint: Paint): string[] {
  const { file, span, help, labels } = diagnostic;
  if (!help?.lines) return [];
  const starts = file && startsOf(sources, file);
  const spans = [...(span ? [span] : []), ...labels.filter((label) => (label.file ?? file) === file).map((label) => label.span)];
  const numbers = file && starts ? spans.map(({ start }) => positionOf(file, starts, start).line) : [];
  const below = numbers[0] === undefined ? undefined : numbers[0] + 1;
  let isFirst = true;
  return help.lines.flatMap((text) => {
    const edited = file && starts ? numbers.map((number) => ({ number, edit: insertedInto(lineOf(file, starts, number).text, text) })).find(({ edit }) => edit.isEdit) : undefined;
    // A comment belongs above the line it is about, everything else is a clause below it.
    const place = text.startsWith("#") ? numbers[0] : below;
    const number = edited ? edited.number : isFirst ? place : undefined;
    const sign = edited || number === undefined ? "|" : "+";
    const line = `${margin(width, paint, number === undefined ? "" : String(number), sign)} ${visible(text)}`;
    if (!edited) isFirst = false;
    const marks = edited ? edited.edit.marks : "";
    return marks === "" ? [line] : [line, `${margin(width, paint)} ${paint("help", marks)}`];
  });
}
