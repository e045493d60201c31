/**
 * Files that a simple line reads, held against what rules about reading ask for, without the shell model: the line goes
 * in, whether some rule may be about one of its files comes out. It says no only of what is no folder below the folder
 * of the call, and of names that nothing has, none of them behind a link; every other line is for the model. Tests hold it to
 * it.
 */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { fileWords } from "./file-words.ts";
import { indexLine } from "./needs.ts";
import { isPlain } from "./shell-call.ts";
import type { LineWords } from "./simple-line.ts";

/** The disk, as far as a plain path needs it. */
export interface Disk {
  /** As the environment names it. */
  readonly home: string;
  /** The path without links; throws where there is nothing, and where a link leads nowhere. */
  real(path: string): string;
  /** Links followed. */
  isFolder(path: string): boolean;
  /** Links not followed. */
  isMissing(path: string): boolean;
}

/** Programs of simple lines that only look at the files their words name. */
export function readers(): readonly string[] {
  return "cat,cd,date,echo,grep,head,ls,pwd,tail,wc,which,git add,git blame,git commit,git describe,git diff,git log,git rev-parse,git show,git status".split(",");
}

/**
 * `index`: as it lies in a guard.
 * @throws where the folder is not there, or may not be looked into
 */
export function mayConcernFiles(commands: LineWords, cwd: string | undefined, index: string, disk: Disk = thisDisk()): boolean {
  const words = fileWords(commands);
  if (words.length === 0) return false;
  // `null`: some rule is about files of any name.
  const texts = JSON.parse(indexLine(index, "read texts") ?? "null") as readonly string[] | null;
  if (cwd === undefined || texts === null) return true;
  const naming = commands.length === 1 ? commands : commands.filter((command) => fileWords([command]).length > 0);
  let moves = 0;
  for (const [name] of commands) if (name === "cd") moves += 1;
  // Behind `cd` a name means another file, also where `cd` itself names none.
  const isMoved = moves > 0 && (moves > 1 || words.length > 1 || naming.some(([name]) => name !== "cd"));
  // Fail closed: without a home folder nobody can say which files are below it.
  if (isMoved || !disk.home.startsWith("/") || !naming.every(isReader)) return true;
  const folder = disk.real(cwd);
  // Fail closed: beyond ASCII one letter may stand for another in a name (`ſecrets`), whatever its lower case.
  if (!isPlain(cwd) || !isPlain(folder)) return true;
  for (const word of words) {
    const place = `${cwd}/${word}\n${folder}/${word}`.toLowerCase();
    for (const text of texts) if (place.includes(text)) return true;
    if (!isPlainFile(word, folder, naming, disk)) return true;
  }
  return false;
}

function isReader([name = "", first = ""]: readonly string[]): boolean {
  const all = readers();
  return all.includes(name) || all.includes(`${name} ${first}`);
}

function isPlainFile(word: string, folder: string, commands: LineWords, disk: Disk): boolean {
  const name = word.endsWith("/") ? word.slice(0, -1) : word;
  if (!isPlainName(name)) return false;
  const path = `${folder}/${name}`;
  let found: string;
  try {
    found = disk.real(path);
  } catch {
    const above = path.slice(0, path.lastIndexOf("/"));
    return disk.isFolder(above) && disk.isMissing(path) && disk.real(above) === above;
  }
  // What is no folder has nothing in it that a rule could be about.
  return found === path && (!disk.isFolder(path) || areShallow(commands));
}

/** True where of a folder nothing but itself is looked at: `cd src`, `ls src`. */
function areShallow(commands: LineWords): boolean {
  return commands.every(([name, ...rest]) => (name === "ls" || name === "cd") && !rest.some((word) => word.startsWith("--")));
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@+";

/** False of a wildcard, a folder above, an address and a text. */
function isPlainName(name: string): boolean {
  if (name.length > 512 || name.startsWith("-")) return false;
  for (const character of name) if (!nameCharacters.includes(character)) return false;
  const segments = name.split("/");
  return !segments.includes("") && !segments.includes(".") && !segments.includes("..") && segments.at(-1)?.startsWith("-") === false;
}

/** What Node has ready; facts of a file take longer than all the rest of the way. */
function thisDisk(): Disk {
  return {
    home: process.env["HOME"] ?? "",
    real: realpathSync.native,
    isFolder: (path) => existsSync(`${path}/`),
    isMissing: (path) => lstatSync(path, { throwIfNoEntry: false }) === undefined,
  };
}
