/**
 * Which words of a simple line may name a file: the words of its commands go in, those come out.
 */
import { mayBeFile, messagesOf } from "./option-words.ts";
import { rowOf } from "./simple-line.ts";
import type { LineWords } from "./simple-line.ts";

/** The words of a simple line that may name a file. */
export function fileWords(commands: LineWords): readonly string[] {
  const found: string[] = [];
  for (const [name = "", ...words] of commands) {
    const row = rowOf(name);
    const texts = name === "git" && words[0] === "commit" ? messagesOf(words) : [];
    const first = row.length > 1 && row[0] !== "*" ? 1 : 0;
    for (let index = first; index < words.length; index += 1) {
      const word = words[index] ?? "";
      if (word.startsWith("-") ? mayBeFile(word, row[0] ?? "", index === words.length - 1) : row[0] !== "-" && !texts.includes(index)) found.push(word);
    }
  }
  return found;
}

export function mayNameFile(commands: LineWords): boolean {
  return fileWords(commands).length > 0;
}
