/** What a corrected line has that the old one had not: two lines in, a row of `+` under the new parts out. */
import { columnsOf } from "./columns.ts";

interface Edit {
  /** True where the new line is the old one corrected, not another line. */
  readonly isEdit: boolean;
  /** Empty where nothing was only put in: a rewritten line has no single new part to point at. */
  readonly marks: string;
}

export function insertedInto(before: string, after: string): Edit {
  const head = commonHead(before, after);
  const tail = commonHead([...before.slice(head)].reverse().join(""), [...after.slice(head)].reverse().join(""));
  const isEdit = before !== "" && (firstWord(before) === firstWord(after) || (head + tail) / Math.max(before.length, after.length) >= 0.4);
  if (!isEdit) return { isEdit, marks: "" };
  const kept = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const runs = runsAround(kept, added);
  const marks = runs.map(({ text, isNew }) => {
    const blanks = " ".repeat(columnsOf(text));
    // The blanks around a new word are not what one looks for.
    return isNew ? blanks.replace(/./g, (_, index: number) => (text.trim() !== "" && /\S/.test(trimmedAt(text, index)) ? "+" : " ")) : blanks;
  });
  return { isEdit, marks: `${" ".repeat(columnsOf(after.slice(0, head)))}${marks.join("")}`.trimEnd() };
}

function firstWord(line: string): string {
  return /^\s*\S*/.exec(line)?.[0] ?? "";
}

/** Blank where `index` lies in the blanks at an end of `text`. */
function trimmedAt(text: string, index: number): string {
  const start = text.length - text.trimStart().length;
  return index < start || index >= text.trimEnd().length ? " " : "+";
}

/** Where what was there stands whole in what is there now, the new parts around it; nothing otherwise. */
function runsAround(kept: string, added: string): { text: string; isNew: boolean }[] {
  if (kept.trim() === "") return added.trim() === "" ? [] : [{ text: added, isNew: true }];
  const whole = added.indexOf(kept);
  const words = whole < 0 ? longestStart(kept, added) : kept;
  const at = words === "" ? -1 : added.indexOf(words);
  if (at < 0) return [];
  return [
    { text: added.slice(0, at), isNew: true },
    { text: words, isNew: false },
    { text: added.slice(at + words.length), isNew: true },
  ];
}

/** The first words of `kept`, as many as stand in `added`. */
function longestStart(kept: string, added: string): string {
  const words = kept.split(" ");
  for (let count = words.length; count > 0; count--) {
    const start = words.slice(0, count).join(" ");
    if (start.length > 1 && added.includes(start)) return start;
  }
  return "";
}

function commonHead(left: string, right: string): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
}
