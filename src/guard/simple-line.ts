/**
 * The everyday lines of agents (`npm test`, `git status && git diff --stat`, a commit with its message) by a look at their
 * words: which programs they start, with which words, and whether one may be a path. `undefined` for every other line.
 * What it says is what the shell model finds, which a test holds it to; most calls need no more.
 */

export interface SimpleLine {
  /** The words of each command, quotes removed, the program first. */
  readonly commands: readonly (readonly string[])[];
  /** Some word may name a file. */
  readonly hasPaths: boolean;
}

/** Longer lines are no everyday ones. */
const longest = 16 * 1024;

/** `undefined` where the line is anything but plain words for programs of the list below. */
export function readSimpleLine(text: string): SimpleLine | undefined {
  if (text.length > longest || !/^[\t\n -~]*$/.test(text) || text.includes("ext::")) return undefined;
  const reader: Reader = { text, at: 0, commands: [], words: [] };
  for (;;) {
    skip(/[ \t]*/y, reader);
    if (reader.at === text.length) break;
    if (skip(/2>&1(?![^\s;|&])|[12&]?>[ \t]*\/dev\/null(?![^\s;|&])/y, reader) !== undefined) continue;
    const word = readWord(reader);
    if (word !== undefined) reader.words.push(word);
    else if (skip(/&&|\|\||[|;\n]/y, reader) === undefined || !endCommand(reader)) return undefined;
  }
  if (!endCommand(reader)) return undefined;
  const commands = reader.commands;
  return commands.every(isKnown) ? { commands, hasPaths: commands.some(mayNameFile) } : undefined;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly commands: (readonly string[])[];
  words: string[];
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

/** A bare word, or one that is a single quoted text. */
function readWord(reader: Reader): string | undefined {
  const message = readMessage(reader);
  if (message !== undefined) return message;
  const word = skip(/(?:[\w.,:=@%+\/^-]+|"[^"$`\\!]*"|'[^']*')(?=[\s;|&]|$)/y, reader);
  return word?.replace(/^["']|["']$/g, "");
}

/** `"$(cat <<'EOF' … )"`: the way agents write a text of several lines. It is that text. */
function readMessage(reader: Reader): string | undefined {
  const { text, at } = reader;
  const opening = skip(/"\$\(cat <<(?:'\w+'|\w+)\n/y, reader);
  if (opening === undefined) return undefined;
  const name = /\w+/.exec(opening.slice('"$(cat <<'.length))?.[0] ?? "";
  const start = reader.at;
  // The first line that is the name ends the text, whatever comes behind it.
  const end = text.startsWith(`${name}\n`, start) ? start : text.indexOf(`\n${name}\n`, start) + 1;
  reader.at = end + name.length + 1;
  const body = text.slice(start, Math.max(start, end - 1));
  const isPlain = opening.includes("'") || !/[$`\\]/.test(body);
  if (end >= start && isPlain && skip(/[ \t\n]*\)"(?=[\s;|&]|$)/y, reader) !== undefined) {
    reader.commands.push(["cat"]);
    return body.replace(/\n+$/, "");
  }
  reader.at = at;
  return undefined;
}

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

function rowOf(name: string): readonly string[] {
  return Object.hasOwn(programs, name) ? (programs[name]?.split(" ") ?? []) : [];
}

function isKnown(words: readonly string[]): boolean {
  const [name = "", first = ""] = words;
  const [kind, ...subcommands] = rowOf(name);
  return kind !== undefined && (subcommands.length === 0 || subcommands.includes(first));
}

function mayNameFile(words: readonly string[]): boolean {
  const [name = "", first = ""] = words;
  const [kind, ...subcommands] = rowOf(name);
  const isCommit = name === "git" && first === "commit";
  return words.slice(subcommands.length === 0 ? 1 : 2).some((word, index, behind) => {
    if (word.includes("=") && word.startsWith("-")) return true;
    if (kind === "-" || word.startsWith("-")) return false;
    return !(isCommit && /^-a?m$/.test(behind[index - 1] ?? ""));
  });
}
