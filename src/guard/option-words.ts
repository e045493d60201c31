/** Which options of simple lines may name a file, in their own word (`-f.env`, `--file=x`) or in the next. */

/** `kind`: how the program's words are to be read. */
export function mayBeFile(option: string, kind: string, isLast: boolean): boolean {
  if (kind === "-") return option.includes("=");
  return !isBareOption(option) && !(isLast && /^--[\w-]+$/.test(option));
}

/**
 * Places of the texts behind `-m` and `-am` of `git commit`.
 * Fail closed: behind an option that may take the next word, `-m` may be that word and what follows it a file.
 */
export function messagesOf(words: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^-a?m$/.test(word)) places.push((at += 1));
    else if (!/^-[aenqsv]$/.test(word) && !bareOptions().includes(word)) break;
  }
  return places;
}

/** An option that surely takes no path. */
function isBareOption(word: string): boolean {
  return /^-[abdeghiklmnpqsvwxyz\d]+$/.test(word) || bareOptions().includes(word);
}

function bareOptions(): readonly string[] {
  return "--abbrev-commit --all --amend --cached --color --coverage --decorate --graph --help --json --name-only --name-status --no-edit --oneline --patch --porcelain --quiet --release --run --short --show-current --silent --staged --stat --tags --verbose --version --watch".split(" ");
}
