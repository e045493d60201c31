/**
 * The words of lines that are no more than words, quoted texts and what parts commands: a line goes in, the words of each
 * of its commands come out. `undefined` for every other line, which the shell model reads.
 */
import type { LineWords } from "./simple-line.ts";

interface Reader {
  readonly text: string;
  at: number;
  readonly commands: (readonly string[])[];
  words: string[];
}

/** `text` is printable ASCII, line ends and tabs. */
export function readLine(text: string): LineWords | undefined {
  // git runs the rest of such an address.
  if (text.includes("ext::")) return undefined;
  const reader: Reader = { text, at: 0, commands: [], words: [] };
  for (;;) {
    skip(/[ \t]*/y, reader);
    if (reader.at === text.length) return endCommand(reader) ? reader.commands : undefined;
    if (skip(/2>&1(?![^\s;|&])|[12&]?>[ \t]*\/dev\/null(?![^\s;|&])/y, reader) !== undefined) continue;
    const word = readMessage(reader) ?? skip(/(?:[\w.,:=@%+\/^-]+|"[^"$`\\!]*"|'[^']*')(?=[\s;|&]|$)/y, reader)?.replace(/^["']|["']$/g, "");
    if (word !== undefined) reader.words.push(word);
    else if (skip(/&&|\|\||[|;\n]/y, reader) === undefined || !endCommand(reader)) return undefined;
  }
}

/** What the expression matches here, stepped over. */
function skip(expression: RegExp, reader: Reader): string | undefined {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.text)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function endCommand(reader: Reader): boolean {
  if (reader.words.length === 0) return false;
  reader.commands.push(reader.words);
  reader.words = [];
  return true;
}

/** `"$(cat <<'EOF' … )"`: the way agents write a text of several lines. It is that text. */
function readMessage(reader: Reader): string | undefined {
  const { text, at } = reader;
  if (!text.startsWith('"$(', at)) return undefined;
  const opening = skip(/"\$\(cat <<(?:'\w+'|\w+)\n/y, reader);
  if (opening === undefined) return undefined;
  const name = /\w+/.exec(opening.slice('"$(cat <<'.length))?.[0] ?? "";
  const start = reader.at;
  // The first line that is the name ends the text, whatever comes behind it.
  const end = text.startsWith(`${name}\n`, start) ? start : text.indexOf(`\n${name}\n`, start) + 1;
  reader.at = end + name.length + 1;
  const body = text.slice(start, Math.max(start, end - 1));
  const isPlain = opening.includes("'") || !/[$`\\]/.test(body);
  // Bash also ends the text at the name with the closing parenthesis behind it: `EOF)"; rm -rf build`.
  const hasOtherEnd = body.split("\n").some((line) => line.trimStart().startsWith(name));
  if (end >= start && isPlain && !hasOtherEnd && skip(/[ \t\n]*\)"(?=[\s;|&]|$)/y, reader) !== undefined) {
    reader.commands.push(["cat"]);
    return body.replace(/\n+$/, "");
  }
  reader.at = at;
  return undefined;
}
