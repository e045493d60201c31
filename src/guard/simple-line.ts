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
 * first. `-`: no word behind is a path; `+`: every word may be one.
 */
const programs: Readonly<Record<string, string>> = {
  cargo: "+ bench build check clean clippy doc fmt test tree update",
  cat: "+",
  cd: "+",
  cp: "+",
  date: "+",
  echo: "-",
  eslint: "+",
  gh: "- issue label pr release",
  git: "+ add blame branch checkout cherry-pick commit describe diff log merge mv remote reset restore rev-parse rm show stash status switch tag",
  go: "+ build fmt get list mod test vet",
  grep: "+",
  head: "+",
  jest: "+",
  ls: "+",
  mkdir: "+",
  mv: "+",
  node: "+",
  npm: "- audit ci i install ls outdated pack publish run start t test uninstall update version view",
  prettier: "+",
  pwd: "-",
  pytest: "+",
  rg: "+",
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

/** True for a program that a simple line can start. */
export function isSimpleProgram(name: string): boolean {
  return Object.hasOwn(programs, name);
}

/** True where each command is one that does nothing but what it is for. */
export function isSimple(commands: LineWords): boolean {
  return commands.every(([name = "", first = ""]) => {
    const [kind, ...subcommands] = rowOf(name);
    return kind !== undefined && (subcommands.length === 0 || subcommands.includes(first));
  });
}

/** True where some word of a simple line may name a file. */
export function mayNameFile(commands: LineWords): boolean {
  return commands.some(([name = "", ...words]) => {
    const [kind, ...subcommands] = rowOf(name);
    const isCommit = name === "git" && words[0] === "commit";
    return words.some((word, index) => {
      if (index === 0 && subcommands.length > 0) return false;
      if (word.startsWith("-")) return word.includes("=");
      return kind !== "-" && !(isCommit && /^-a?m$/.test(words[index - 1] ?? ""));
    });
  });
}

function rowOf(name: string): readonly string[] {
  return isSimpleProgram(name) ? (programs[name]?.split(" ") ?? []) : [];
}
