/** Commands found, in words for `explain`: options in brackets, run-time stretches as `<…>`. */
import type { Found } from "./machine.ts";
import { show } from "./text.ts";
import type { Value } from "./text.ts";

const longestWord = 60;
const longestLine = 200;

export function describeFound(found: Found): readonly string[] {
  if (found.words.length === 0) return [];
  const [name = [], ...args] = found.words;
  const words = args.map((word) => (/^-/.test(word[0] ?? "") ? `[${wordText(word)}]` : wordText(word)));
  const line = [wordText(name), ...words].join(" ");
  return [line.length > longestLine ? `${line.slice(0, longestLine)}…` : line];
}

function wordText(word: Value): string {
  const texts = word.slice(0, 4).map((text) => {
    const shown = show(text, "<…>").replace(/[\0-\x1f\x7f]/g, " ");
    return shown.length > longestWord ? `${shown.slice(0, longestWord)}…` : shown === "" ? "''" : shown;
  });
  return texts.join("|") + (word.length > 4 ? "|…" : "");
}
