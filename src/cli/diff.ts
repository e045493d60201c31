/** Shows how two texts differ, as a unified diff cut to a length a person reads. */
import { diffArrays } from "diff";
import type { Style } from "./terminal.ts";

export interface Difference {
  readonly added: number;
  readonly removed: number;
  /** Lines of the hunks, each with its `+`, `-`, blank or `@@` in front. */
  readonly lines: readonly string[];
}

/** Past this many edits an exact search takes seconds. */
const mostEdits = 1000;

/** Line ends count as equal. An absent text is an empty one. */
export function compareTexts(before: string | undefined, after: string | undefined): Difference {
  const edits = editsBetween(linesOf(before), linesOf(after));
  return { added: edits.filter(({ mark }) => mark === "+").length, removed: edits.filter(({ mark }) => mark === "-").length, lines: hunksOf(edits) };
}

interface Edit {
  readonly mark: "+" | "-" | " ";
  readonly line: string;
}

function linesOf(text: string | undefined): readonly string[] {
  const plain = (text ?? "").replaceAll("\r\n", "\n");
  if (plain === "") return [];
  return plain.endsWith("\n") ? plain.slice(0, -1).split("\n") : `${plain}\n\\ No newline at end of file`.split(/\n(?!\\ No newline at end of file$)/);
}

/**
 * Exact where that is quick. Guards that differ by a whole part of their runtime are compared by paragraphs first, so that
 * what stayed still stands between what came and went: the rules are at the top, and they are what a person looks for.
 */
function editsBetween(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const exact = exactEdits(before, after);
  if (exact) return exact;
  const paragraphs = diffArrays([...paragraphsOf(before)], [...paragraphsOf(after)], { maxEditLength: mostEdits });
  if (!paragraphs) return replaced(before, after);
  const edits: Edit[] = [];
  let gone: readonly string[] = [];
  // What goes comes before what stands in its place.
  for (const { added, removed, value } of [...paragraphs, { added: false, removed: false, value: [] }]) {
    if (removed) gone = value;
    else {
      edits.push(...editsOfParagraphs(gone, added ? value : []), ...(added ? [] : marked(" ", inLines(value))));
      gone = [];
    }
  }
  return edits;
}

/** Where many come for a few, each of the few is compared with the one in its place. */
function editsOfParagraphs(gone: readonly string[], come: readonly string[]): readonly Edit[] {
  const exact = exactEdits(inLines(gone), inLines(come));
  if (exact) return exact;
  const shared = Math.min(gone.length, come.length);
  const pairs = gone.slice(0, shared).flatMap((paragraph, index) => {
    const [left, right] = [inLines([paragraph]), inLines([come[index] ?? ""])];
    return exactEdits(left, right) ?? replaced(left, right);
  });
  return [...pairs, ...replaced(inLines(gone.slice(shared)), inLines(come.slice(shared)))];
}

function inLines(paragraphs: readonly string[]): readonly string[] {
  return paragraphs.flatMap((paragraph) => paragraph.split("\n"));
}

function exactEdits(before: readonly string[], after: readonly string[]): readonly Edit[] | undefined {
  return diffArrays([...before], [...after], { maxEditLength: mostEdits })?.flatMap(({ added, removed, value }) => marked(added ? "+" : removed ? "-" : " ", value));
}

function replaced(before: readonly string[], after: readonly string[]): readonly Edit[] {
  return [...marked("-", before), ...marked("+", after)];
}

function marked(mark: Edit["mark"], lines: readonly string[]): readonly Edit[] {
  return lines.map((line) => ({ mark, line }));
}

/** Lines up to and with a blank one, joined by line breaks. */
function paragraphsOf(lines: readonly string[]): readonly string[] {
  const ends = lines.flatMap((line, index) => (line === "" || index === lines.length - 1 ? [index + 1] : []));
  return ends.map((end, index) => lines.slice(ends[index - 1] ?? 0, end).join("\n"));
}

/** Every edit with three unchanged lines around it, each group below its `@@` line. */
function hunksOf(edits: readonly Edit[]): readonly string[] {
  const context = 3;
  const near = new Set<number>();
  edits.forEach(({ mark }, index) => {
    if (mark !== " ") for (let at = index - context; at <= index + context; at += 1) near.add(at);
  });
  const lines: string[] = [];
  let place = { before: 1, after: 1 };
  edits.forEach(({ mark, line }, index) => {
    if (near.has(index)) {
      if (!near.has(index - 1) || index === 0) lines.push(headOf(edits, index, near, place));
      lines.push(`${mark}${line}`);
    }
    place = { before: place.before + (mark === "+" ? 0 : 1), after: place.after + (mark === "-" ? 0 : 1) };
  });
  return lines;
}

function headOf(edits: readonly Edit[], start: number, near: ReadonlySet<number>, place: { readonly before: number; readonly after: number }): string {
  let end = start;
  while (end < edits.length && near.has(end)) end += 1;
  const hunk = edits.slice(start, end);
  const [before, after] = [hunk.filter(({ mark }) => mark !== "+").length, hunk.filter(({ mark }) => mark !== "-").length];
  return `@@ -${before === 0 ? place.before - 1 : place.before},${before} +${after === 0 ? place.after - 1 : place.after},${after} @@`;
}

/** `limit` lines at most, each cut at `width`, then how many were left out. */
export function renderDifference(path: string, difference: Difference, style: Style, limit: number, width = 160): string {
  const shown = difference.lines.slice(0, limit).map((line) => {
    // A settings file of somebody else's repository must not drive the reader's terminal.
    const plain = line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\uFFFD");
    const cut = plain.length > width ? `${plain.slice(0, width)} … (${plain.length - width} more)` : plain;
    if (line.startsWith("+")) return style.good(cut);
    if (line.startsWith("-")) return style.bad(cut);
    return line.startsWith("@@") ? style.dim(cut) : cut;
  });
  const left = difference.lines.length - shown.length;
  const rest = left > 0 ? [style.dim(`… ${left} more ${left === 1 ? "line" : "lines"}; --diff shows all`)] : [];
  return [`--- ${path} (on disk)`, `+++ ${path} (built now)`, ...shown, ...rest, ""].join("\n");
}
