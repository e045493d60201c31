/**
 * Diagnostics in, text out: frames for people, JSON for programs, annotations for GitHub. Lines and columns are computed
 * here and nowhere else.
 */
import { positionOf, visible } from "./columns.ts";
import type { Diagnostic, Label, Severity, SourceFile, Span } from "./diagnostic.ts";
import { frameOf, helpLinesOf, startsOf, type Paint, type Sources, type Style } from "./frame.ts";

/** Columns of a line of prose. */
const width = 100;

/** One block per diagnostic with a blank line between them; ends with a newline unless there is nothing to say. */
export function renderText(diagnostics: readonly Diagnostic[], options: { readonly colour: boolean }): string {
  const sources: Sources = new Map();
  const paint = options.colour ? inColour : plain;
  return diagnostics.map((diagnostic) => `${linesOf(diagnostic, sources, paint).join("\n")}\n`).join("\n");
}

const colours: Readonly<Record<Style, string>> = { error: "1;31", warning: "1;33", note: "1;36", gutter: "34", help: "32", strong: "1" };
const inColour: Paint = (style, text) => (text === "" ? "" : `\u001B[${colours[style]}m${text}\u001B[0m`);
const plain: Paint = (_, text) => text;

function linesOf(diagnostic: Diagnostic, sources: Sources, paint: Paint): string[] {
  const { severity, code, message, help } = diagnostic;
  const frame = frameOf(diagnostic, sources, paint);
  const before = diagnostic.notes.filter((note) => !isAfterthought(note)).flatMap((note) => noteLines(note, frame.width, paint));
  const after = diagnostic.notes.filter(isAfterthought).flatMap((note) => noteLines(note, frame.width, paint));
  const bar = paint("gutter", `${" ".repeat(frame.width)} |`);
  const helpLines = helpLinesOf(diagnostic, sources, frame.width, paint);
  return [
    `${paint(severity, `${severity} ${code}`)}${paint("strong", `: ${visible(message)}`)}`,
    ...frame.lines,
    ...(before.length > 0 || after.length > 0 ? [...(frame.lines.length > 1 ? [bar] : []), ...before] : []),
    ...(help ? wrap(visible(help.text), width - 6).map((line, index) => (index === 0 ? `${paint("help", "help")}: ${line}` : `      ${line}`)) : []),
    ...(helpLines.length > 0 ? [bar, ...helpLines] : []),
    ...after,
  ];
}

/** `note: …` and `or …` come behind the help. */
function isAfterthought(note: string): boolean {
  return note.startsWith("note: ") || note.startsWith("or ");
}

/** A note's first line stands behind `=`, its others below its text; lines that begin with a blank keep their layout. */
function noteLines(note: string, margin: number, paint: Paint): string[] {
  const lines = note.split("\n").flatMap((line) => (line.startsWith(" ") ? [visible(line)] : wrap(visible(line), width - margin - 3)));
  return lines.map((line, index) => (index === 0 ? `${paint("gutter", `${" ".repeat(margin)} =`)} ${line}` : `${" ".repeat(margin + 3)}${line}`));
}

/** Breaks at blanks; a word longer than the line stays whole. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

interface JsonPlace {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
}

/** An array of objects that all have the same keys; what is not known is `null`. Ends with a newline. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  const sources: Sources = new Map();
  const all = diagnostics.map(({ code, severity, message, file, span, labels, notes, help }) => ({
    code,
    severity,
    message,
    ...placeOf(file, span, sources),
    labels: labels.map((label) => jsonLabel(label, file, sources)),
    notes,
    help: help ? { text: help.text, lines: help.lines ?? [] } : null,
  }));
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

function jsonLabel(label: Label, file: SourceFile | undefined, sources: Sources): JsonPlace & { readonly text: string } {
  return { ...placeOf(label.file ?? file, label.span, sources), text: label.text };
}

function placeOf(file: SourceFile | undefined, span: Span | undefined, sources: Sources): JsonPlace {
  if (!file || !span) return { file: file?.path ?? null, line: null, column: null, endLine: null, endColumn: null };
  const starts = startsOf(sources, file);
  const start = positionOf(file, starts, span.start);
  const end = positionOf(file, starts, span.end);
  return { file: file.path, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

const commands: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

/** Workflow commands, one line each; the end column is the last one marked, as GitHub counts. */
export function renderGithub(diagnostics: readonly Diagnostic[]): string {
  const sources: Sources = new Map();
  return diagnostics
    .map(({ code, severity, message, file, span }) => {
      const { line, column, endLine, endColumn } = placeOf(file, span, sources);
      const isOneLine = line === endLine;
      const properties = {
        ...(file && { file: file.path }),
        ...(line !== null && column !== null && { line, ...(isOneLine ? { col: column, endColumn: Math.max(column, (endColumn ?? 1) - 1) } : { endLine }) }),
        title: code,
      };
      const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
      return `::${commands[severity]} ${list.join(",")}::${escapeData(message)}\n`;
    })
    .join("");
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
