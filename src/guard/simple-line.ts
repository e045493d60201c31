/**
 * The programs of everyday lines (`npm test`, `git status`), of which their words say all that rules ask: the words of a
 * line's commands go in, whether they are such programs comes out, and whether some word may be a path. What it says is
 * what the shell model finds, which a test holds it to; most calls need no more.
 */

/** The words of each command of a line, quotes removed, the program first. */
export type LineWords = readonly (readonly string[])[];

/**
 * Programs that do nothing but what they are for, whatever their words: none of them runs another command, reads commands
 * from a file or changes what the rest of the line means. Those with words here are so with these subcommands, written
 * first. `-`: no word behind is a path; `+`: every word behind the subcommand may be one; `*`: the subcommand, too.
 */
const programs: Readonly<Record<string, string>> = {
  cargo: "* bench build check clean clippy doc fmt test tree update",
  cat: "+",
  cd: "+",
  cp: "+",
  date: "+",
  echo: "-",
  eslint: "+",
  gh: "- issue label pr",
  git: "+ add blame branch checkout cherry-pick commit describe diff log merge mv remote reset restore rev-parse rm show stash status switch tag",
  go: "* build fmt get list mod test vet",
  grep: "+",
  head: "+",
  jest: "+",
  ls: "+",
  mkdir: "+",
  mv: "+",
  node: "+",
  npm: "- audit ci i install ls outdated run start t test uninstall update version view",
  prettier: "+",
  pwd: "+",
  pytest: "+",
  rm: "+",
  ruff: "+",
  sleep: "-",
  tail: "+",
  touch: "+",
  true: "-",
  tsc: "+",
  vitest: "+",
  wc: "+",
  which: "-",
  whoami: "-",
};

/** Each program of simple lines, with its subcommand where it has some. */
export function simpleKeys(): readonly string[] {
  return Object.keys(programs).flatMap((name) => {
    const [, ...subcommands] = rowOf(name);
    return subcommands.length === 0 ? [name] : subcommands.map((word) => `${name} ${word}`);
  });
}

/** True for a program that a simple line can start. */
export function isSimpleProgram(name: string): boolean {
  return Object.hasOwn(programs, name);
}

/** True where each command is one that does nothing but what it is for. */
export function isSimple(commands: LineWords): boolean {
  return commands.every(([name = "", first = "", ...others]) => {
    const [kind, ...subcommands] = rowOf(name);
    // `npm run --script-shell X` runs X, also in short; `go test -exec X` does.
    if (name === "npm" && others.some((word) => word.startsWith("--s"))) return false;
    if (name === "go" && others.some((word) => /^--?(?:exec|toolexec|vettool)/.test(word))) return false;
    // Sends a file.
    if (name === "gh" && others.some((word) => /^-[A-Za-z]*F|^--body-/.test(word))) return false;
    return kind !== undefined && (subcommands.length === 0 || subcommands.includes(first));
  });
}

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
    else if (!/^-[aenqsv]$/.test(word) && !bareOptions.includes(word)) break;
  }
  return places;
}

export function mayNameFile(commands: LineWords): boolean {
  return fileWords(commands).length > 0;
}

/** An option that surely takes no path, neither in its own word (`-f.env`, `--file=x`) nor in the next. */
function isBareOption(word: string): boolean {
  return /^-[abdeghiklmnpqsvwxyz\d]+$/.test(word) || bareOptions.includes(word);
}

const bareOptions = "--abbrev-commit --all --amend --cached --color --coverage --decorate --graph --help --json --name-only --name-status --no-edit --oneline --patch --porcelain --quiet --release --run --short --show-current --silent --staged --stat --tags --verbose --version --watch".split(" ");

function rowOf(name: string): readonly string[] {
  return isSimpleProgram(name) ? (programs[name]?.split(" ") ?? []) : [];
}
