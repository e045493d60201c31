/**
 * Which words of a simple line may name a file: the words of its commands go in, those come out.
 */
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
      if (mayBeFile(word, row[0] ?? "", index === words.length - 1) && (word.startsWith("-") || !texts.includes(index))) found.push(word);
    }
  }
  return found;
}

/** `kind`: how the program's words are to be read. */
function mayBeFile(word: string, kind: string, isLast: boolean): boolean {
  if (kind === "-") return word.startsWith("-") && word.includes("=");
  return !word.startsWith("-") || (!isBareOption(word) && !(isLast && /^--[\w-]+$/.test(word)));
}

/**
 * Places of the texts behind `-m` and `-am`.
 * Fail closed: behind an option that may take the next word, `-m` may be that word and what follows it a file.
 */
function messagesOf(words: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^-a?m$/.test(word)) places.push((at += 1));
    else if (!/^-[aenqsv]$/.test(word) && !bareOptions().includes(word)) break;
  }
  return places;
}

export function mayNameFile(commands: LineWords): boolean {
  return fileWords(commands).length > 0;
}

/** An option that surely takes no path, neither in its own word (`-f.env`, `--file=x`) nor in the next. */
function isBareOption(word: string): boolean {
  return /^-[abdeghiklmnpqsvwxyz\d]+$/.test(word) || bareOptions().includes(word);
}

function bareOptions(): readonly string[] {
  return "--abbrev-commit --all --amend --cached --color --coverage --decorate --graph --help --json --name-only --name-status --no-edit --oneline --patch --porcelain --quiet --release --run --short --show-current --silent --staged --stat --tags --verbose --version --watch".split(" ");
}
