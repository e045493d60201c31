/**
 * The values every stage reports with. Spans are half-open UTF-16 offsets into a source text; lines and columns are
 * computed only when rendering.
 */
import type { Code } from "./catalogue.ts";

/** One source text with the path it is shown under (relative, forward slashes). */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Half-open range of UTF-16 offsets: `start` is inside, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A second place that explains the finding, with its own words. Same file unless `file` says otherwise. */
export interface Label {
  readonly span: Span;
  readonly text: string;
  readonly file?: SourceFile;
}

/** What to do about it: one sentence, and optionally source lines as they should read. */
export interface Help {
  readonly text: string;
  readonly lines?: readonly string[];
}

export type Severity = "error" | "warning" | "note";

/** One static finding. `file` and `span` are absent only where no text is at fault (a missing guard, say). */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly file?: SourceFile;
  readonly span?: Span;
  readonly labels: readonly Label[];
  /** Why: paragraphs shown behind `=`. */
  readonly notes: readonly string[];
  readonly help?: Help;
}

/** The better of two spans' hulls: from the first's start to the second's end. */
export function joinSpans(first: Span, last: Span): Span {
  return { start: first.start, end: last.end };
}

/** True where nothing found is an error. */
export function isClean(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every((diagnostic) => diagnostic.severity !== "error");
}
