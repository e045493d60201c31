/**
 * What git knows about a folder, read from its files without a process: the repository a path lies in, linked worktrees
 * and nested folders included, and the branch that is checked out.
 */
import { lstatSync } from "node:fs";
import { isMissing, isUntouchable, readRegular } from "./files.ts";
import { parentOf, removeDots } from "./paths.ts";

/** `HEAD`, `.git` and `commondir` are one line each. */
const mostText = 4096;

export interface Repository {
  /** The folder that holds `.git`. */
  readonly top: string;
  /** The repository's own folder; of a linked worktree its part of it. */
  readonly gitFolder: string;
  /** What all worktrees share. */
  readonly commonFolder: string;
  readonly head: string;
}

/** `"none"` where no folder above holds a repository; `undefined` where that cannot be known. `path` is absolute. */
export function findRepository(path: string): Repository | "none" | undefined {
  for (let folder = removeDots(path), last = ""; folder !== last; last = folder, folder = parentOf(folder)) {
    if (isUntouchable(folder)) return undefined;
    const found = repositoryAt(folder);
    if (found !== "none") return found;
  }
  return "none";
}

/** `""` when detached or outside any repository, `undefined` where it cannot be known. */
export function readBranch(path: string): string | undefined {
  const repository = findRepository(path);
  if (repository === "none") return "";
  if (repository === undefined) return undefined;
  const head = repository.head.trimEnd();
  const branch = /^ref:\s*refs\/heads\/(.+)$/s.exec(head)?.[1];
  // Repositories with reference tables keep this name in HEAD for readers like this one.
  if (branch === ".invalid") return undefined;
  if (branch !== undefined) return branch;
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(head) || head.startsWith("ref:") ? "" : undefined;
}

/** The folder a `gitdir:` line in a `.git` file names, or the text of a `commondir` file, seen from `folder`. */
function placeFrom(folder: string, text: string): string {
  const place = text.trimEnd().replaceAll("\\", "/");
  return removeDots(/^(?:\/|[A-Za-z]:\/)/.test(place) ? place : `${folder}/${place}`);
}

function repositoryAt(top: string): Repository | "none" | undefined {
  const git = `${top === "/" ? "" : top}/.git`;
  let gitFolder = git;
  try {
    const stat = lstatSync(git);
    if (stat.isFile()) {
      const link = readRegular(git, mostText);
      const target = link.kind === "text" ? /^gitdir:\s*(.+)$/s.exec(link.text)?.[1] : undefined;
      if (target === undefined) return undefined;
      gitFolder = placeFrom(top, target);
    } else if (!stat.isDirectory() && !stat.isSymbolicLink()) return undefined;
  } catch (error) {
    return isMissing(error) ? "none" : undefined;
  }
  const head = readRegular(`${gitFolder}/HEAD`, mostText);
  // Like git: a `.git` without a HEAD is no repository, the search goes on above.
  if (head.kind === "missing") return "none";
  const common = readRegular(`${gitFolder}/commondir`, mostText);
  if (head.kind === "refused" || common.kind === "refused") return undefined;
  return { top, gitFolder, commonFolder: common.kind === "text" ? placeFrom(gitFolder, common.text) : gitFolder, head: head.text };
}
