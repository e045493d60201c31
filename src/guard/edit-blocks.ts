/**
 * Edits written as text: SEARCH/REPLACE blocks or a unified diff go in, the text taken away and the text put in their
 * place come out. A text of neither form counts as both, since any of it may end up in the file.
 */

export interface EditText {
  readonly old: string;
  readonly content: string;
}

const searchStart = /^<{5,9} ?SEARCH/;
const divider = /^={5,9}$/;
const replaceEnd = /^>{5,9} ?REPLACE/;

export function readEditBlocks(text: string): EditText {
  const lines = text.split(/\r?\n/);
  if (lines.some((line) => searchStart.test(line))) return readSearchReplace(lines);
  if (lines.some((line) => line.startsWith("@@"))) return readUnified(lines);
  return { old: text, content: text };
}

function readSearchReplace(lines: readonly string[]): EditText {
  const old: string[] = [];
  const content: string[] = [];
  let inside: "nothing" | "header" | "search" | "replace" = "nothing";
  for (const [index, line] of lines.entries()) {
    if (inside === "nothing") {
      // `:start_line:3` and a rule of dashes may stand between the marker and the text.
      if (searchStart.test(line)) inside = /^:\w+:/.test(lines[index + 1] ?? "") ? "header" : "search";
    } else if (inside === "header") {
      if (/^-{3,}$/.test(line)) inside = "search";
      else if (divider.test(line)) inside = "replace";
    } else if (inside === "search") {
      if (divider.test(line)) inside = "replace";
      else old.push(line);
    } else if (replaceEnd.test(line)) inside = "nothing";
    else content.push(line);
  }
  return { old: old.join("\n"), content: content.join("\n") };
}

function readUnified(lines: readonly string[]): EditText {
  const starting = (sign: string, header: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(header)).map((line) => line.slice(1)).join("\n");
  return { old: starting("-", "--- "), content: starting("+", "+++ ") };
}
