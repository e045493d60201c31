/**
 * Puts a set of files on disk, or takes them away, all or nothing: every place is looked at and every text written beside
 * its target before the first rename. What changed under our hands, a link on the way, or a failing disk leaves the old
 * content where it was.
 */
import { accessSync, closeSync, constants, fchmodSync, fchownSync, lstatSync, mkdirSync, openSync, realpathSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import type { Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";
import { describeSystemError, isLink, outputLimit, readText } from "./read.ts";

/** One file below a root: what stood there when the work began, and what shall stand there. `undefined`: no file. */
export interface Change {
  /** Relative to the root, forward slashes; absolute where `folder` is not `""`. */
  readonly path: string;
  /** Absolute, where the file does not lie below the root: a link is looked for below it. */
  readonly folder: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The file is the person's own (settings): with `followLinks` it may be a link, and the file it names is changed. */
  readonly shared: boolean;
}

export type Existing = { readonly kind: "file"; readonly file: SourceFile | undefined } | { readonly kind: "refused"; readonly diagnostic: Diagnostic };

export interface LinkPolicy {
  readonly followLinks: boolean;
}

/** What stands at an output path now. A link, below a link, or no text: refused, as writing there would be. */
export function readOutput(root: string, { path, folder, shared }: Pick<Change, "path" | "folder" | "shared">, { followLinks }: LinkPolicy): Existing {
  const refused = (diagnostic: Diagnostic): Existing => ({ kind: "refused", diagnostic });
  const link = linkOnTheWay(root, path, folder);
  if (link !== undefined && !(link === path && shared && followLinks)) return refused(linkDiagnostic(link, path, shared));
  const reading = readText(resolve(root, path), { bytes: outputLimit, follow: link !== undefined });
  if (reading.kind === "unreadable") return refused(diagnose("write/refused", { path, why: reading.why }));
  return { kind: "file", file: reading.kind === "text" ? { path, text: reading.text } : undefined };
}

/** The first component below the root, or the folder, that is a link. That itself may be one: the person named it. */
function linkOnTheWay(root: string, path: string, folder: string): string | undefined {
  const base = folder === "" ? [] : folder.split("/");
  const parts = path.split("/");
  for (let count = base.length + 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join("/");
    if (isLink(resolve(root, part))) return part;
  }
  return undefined;
}

function linkDiagnostic(link: string, path: string, shared: boolean): Diagnostic {
  return link === path && shared
    ? diagnose("settings/symlink", { path }, { help: { text: "add --follow-symlinks if the link is yours: the file it names is edited then" } })
    : diagnose("write/symlink", { path, link }, { help: { text: `put a real folder or file in the place of \`${link}\`` } });
}

/** Does all of it or, as far as the disk lets us, nothing. The diagnostics are empty where it was done. */
export function writeChanges(root: string, changes: readonly Change[], links: LinkPolicy): readonly Diagnostic[] {
  const madeFolders: string[] = [];
  const staged: Staged[] = [];
  let current = changes[0]?.path ?? "";
  try {
    for (const change of changes) {
      current = change.path;
      const found = recheck(root, change, links);
      if (found) return undo(staged, [], madeFolders, found);
      staged.push(stage(root, change, madeFolders));
    }
  } catch (error) {
    return undo(staged, [], madeFolders, diagnose("write/failed", { path: current, why: describeSystemError(error) }));
  }
  const done: Staged[] = [];
  try {
    for (const one of staged) {
      current = one.change.path;
      const found = recheck(root, one.change, links);
      if (found) return undo(staged, done, madeFolders, found);
      if (one.temporary === undefined) unlinkSync(one.target);
      else renameSync(one.temporary, one.target);
      done.push(one);
    }
  } catch (error) {
    return undo(staged, done, madeFolders, diagnose("write/failed", { path: current, why: describeSystemError(error) }));
  }
  return [];
}

interface Staged {
  readonly change: Change;
  /** Where it goes in the end, links resolved where that was asked for. */
  readonly target: string;
  /** The new text beside the target; `undefined` where the file goes away. */
  readonly temporary: string | undefined;
  readonly old: Stats | undefined;
}

/** Fail closed: someone else's edit since we read the file would be lost by writing what we computed from the old text. */
function recheck(root: string, change: Change, links: LinkPolicy): Diagnostic | undefined {
  const now = readOutput(root, change, links);
  if (now.kind === "refused") return now.diagnostic;
  return now.file?.text === change.before ? undefined : diagnose("write/changed-meanwhile", { path: change.path }, { help: { text: "run the command again" } });
}

function stage(root: string, change: Change, madeFolders: string[]): Staged {
  const named = resolve(root, change.path);
  const target = isLink(named) ? realpathSync(named) : named;
  const old = lstatSync(target, { throwIfNoEntry: false });
  // A rename would replace a file that its owner made read-only.
  if (old) accessSync(target, constants.W_OK);
  if (change.after === undefined) return { change, target, temporary: undefined, old };
  makeFolders(dirname(target), madeFolders);
  const temporary = writeBeside(target, change.after, old);
  return { change, target, temporary, old };
}

function makeFolders(folder: string, made: string[]): void {
  if (lstatSync(folder, { throwIfNoEntry: false })) return;
  makeFolders(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}

/** In the target's own folder, because a rename is atomic only within one file system. */
function writeBeside(target: string, text: string, old: Stats | undefined): string {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}-${process.hrtime.bigint()}.policyc`);
  const descriptor = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o666);
  try {
    writeFileSync(descriptor, text);
    if (old) {
      fchmodSync(descriptor, old.mode & 0o7777);
      if (process.getuid?.() === 0) fchownSync(descriptor, old.uid, old.gid);
    }
  } catch (error) {
    closeSync(descriptor);
    unlinkSync(temporary);
    throw error;
  }
  closeSync(descriptor);
  return temporary;
}

/** Best effort in reverse: old texts come back, temporary files and folders we made go. */
function undo(staged: readonly Staged[], done: readonly Staged[], madeFolders: readonly string[], cause: Diagnostic): readonly Diagnostic[] {
  const diagnostics = [cause];
  for (const one of [...done].reverse()) {
    try {
      if (one.change.before === undefined) unlinkSync(one.target);
      else renameSync(writeBeside(one.target, one.change.before, one.old), one.target);
    } catch (error) {
      diagnostics.push(diagnose("write/failed", { path: one.change.path, why: `${describeSystemError(error)}, so its old content could not be put back` }));
    }
  }
  for (const one of staged) if (one.temporary !== undefined && !done.includes(one)) attempt(() => unlinkSync(one.temporary as string));
  for (const folder of [...madeFolders].reverse()) attempt(() => rmdirSync(folder));
  return diagnostics;
}

/** Removes the file's folder and its parents as long as they are empty, up to the root or its scope's folder. Never goes through a link. */
export function removeEmptyFolders(root: string, { path, folder: top }: Pick<Change, "path" | "folder">): readonly string[] {
  const removed: string[] = [];
  for (let folder = dirname(path); folder !== "." && folder !== top; folder = dirname(folder)) {
    if (linkOnTheWay(root, folder, top) !== undefined || !attempt(() => rmdirSync(resolve(root, folder)))) break;
    removed.push(folder);
  }
  return removed;
}

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
