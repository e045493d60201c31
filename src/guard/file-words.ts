/**
 * Which words of a simple line may name a file: the words of its commands go in, those come out.
 */
import { rowOf } from "./simple-line.ts";
import type { LineWords } from "./simple-line.ts";

/** The words of a simple line that may name a file. */
export function fileWords(commands: LineWords): readonly string[] {
  return commands.flatMap(([name = "", ...words]) => {
    const [kind, ...subcommands] = rowOf(name);
    const texts = name === "git" && words[0] === "commit" ? messagesOf(words) : [];
    return words.filter((word, index) => {
      if (index === 0 && subcommands.length > 0 && kind !== "*") return false;
      if (kind === "-") return word.startsWith("-") && word.includes("=");
      if (word.startsWith("-")) return !isBareOption(word) && !(index === words.length - 1 && /^--[\w-]+$/.test(word));
      return !texts.includes(index);
    });
  });
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
