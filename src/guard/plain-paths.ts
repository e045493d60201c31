/**
 * Files that a simple line reads, held against what rules about reading ask for, without the shell model: the line goes
 * in, whether some rule may be about one of its files comes out. It says no only of regular files below the folder of
 * the call, and of names that nothing has, none of them behind a link; every other line is for the model. Tests hold it to
 * it.
 */
import { lstatSync, realpathSync } from "node:fs";
import { errorCode } from "./error-code.ts";
import { fileWords } from "./file-words.ts";
import { indexLine } from "./needs.ts";
import { isPlain } from "./shell-call.ts";
import type { LineWords } from "./simple-line.ts";

/** What stands under a path, links not followed. */
export type FileKind = "file" | "folder" | "missing" | "other";

/** The disk, as far as a plain path needs it. */
export interface Disk {
  /** As the environment names it. */
  readonly home: string;
  kind(path: string): FileKind;
  /** The path without links; throws where there is nothing. */
  real(path: string): string;
}

/** Programs of simple lines that only look at the files their words name. */
export function readers(): readonly string[] {
  return "cat,cd,date,echo,grep,head,ls,pwd,tail,wc,which,git add,git blame,git commit,git describe,git diff,git log,git rev-parse,git show,git status".split(",");
}

/**
 * `index`: as it lies in a guard.
 * @throws where the folder is not there
 */
export function mayConcernFiles(commands: LineWords, cwd: string | undefined, index: string, disk: Disk = thisDisk()): boolean {
  const words = fileWords(commands);
  if (words.length === 0) return false;
  if (cwd === undefined) return true;
  // `null`: some rule is about files of any name.
  const texts = JSON.parse(indexLine(index, "read texts") ?? "null") as readonly string[] | null;
  if (texts === null) return true;
  const naming = commands.length === 1 ? commands : commands.filter((command) => fileWords([command]).length > 0);
  // Behind `cd` a name means another file, also where `cd` itself names none.
  const moves = commands.filter(([name]) => name === "cd").length;
  const isMoved = moves > 0 && (moves > 1 || words.length > 1 || naming.some(([name]) => name !== "cd"));
  // Fail closed: without a home folder nobody can say which files are below it.
  if (isMoved || !disk.home.startsWith("/") || !naming.every(isReader)) return true;
  const folder = disk.real(cwd);
  // Fail closed: beyond ASCII one letter may stand for another in a name (`ſecrets`), whatever its lower case.
  if (!isPlain(cwd) || !isPlain(folder)) return true;
  // Only the folder itself is looked at: `cd src`, `ls src`.
  const isShallow = naming.every(([name, ...rest]) => (name === "ls" || name === "cd") && !rest.some((word) => word.startsWith("--")));
  return !words.every((word) => isPlainFile(word, folder, isShallow, disk) && !texts.some((text) => `${cwd}/${word}\n${folder}/${word}`.toLowerCase().includes(text)));
}

function isReader([name = "", first = ""]: readonly string[]): boolean {
  const all = readers();
  return all.includes(name) || all.includes(`${name} ${first}`);
}

function isPlainFile(word: string, folder: string, isShallow: boolean, { kind, real }: Disk): boolean {
  const name = word.endsWith("/") ? word.slice(0, -1) : word;
  if (!isPlainName(name)) return false;
  const path = `${folder}/${name}`;
  const found = kind(path);
  if (found === "missing") {
    const above = path.slice(0, path.lastIndexOf("/"));
    return kind(above) === "folder" && real(above) === above;
  }
  return (found === "file" || (found === "folder" && isShallow)) && real(path) === path;
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@+";

/** False of a wildcard, a folder above, an address and a text. */
function isPlainName(name: string): boolean {
  if (name.length > 512 || name.startsWith("-")) return false;
  for (const character of name) if (!nameCharacters.includes(character)) return false;
  const segments = name.split("/");
  return !segments.includes("") && !segments.includes(".") && !segments.includes("..") && segments.at(-1)?.startsWith("-") === false;
}

function thisDisk(): Disk {
  return {
    home: process.env["HOME"] ?? "",
    kind(path) {
      try {
        const facts = lstatSync(path);
        return facts.isFile() ? "file" : facts.isDirectory() ? "folder" : "other";
      } catch (error) {
        return errorCode(error) === "ENOENT" ? "missing" : "other";
      }
    },
    real: realpathSync.native,
  };
}
