/**
 * Reads one regular file as UTF-8 text. Whatever else stands at the path (a folder, a FIFO, bytes that are no text) comes
 * back as a sentence and never blocks.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";

export type Reading =
  | { readonly kind: "text"; readonly text: string; readonly mode: number }
  | { readonly kind: "absent" }
  /** `why` completes "it …": `is a folder`. */
  | { readonly kind: "unreadable"; readonly why: string };

export interface ReadLimits {
  readonly bytes: number;
  /** False: a link at the path is not followed. */
  readonly follow: boolean;
}

export const policyLimit = 1024 * 1024;
export const outputLimit = 32 * 1024 * 1024;

export function readText(path: string, limits: ReadLimits): Reading {
  let descriptor: number;
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (limits.follow ? 0 : (constants.O_NOFOLLOW ?? 0)));
  } catch (error) {
    return failedToOpen(path, limits, error as NodeJS.ErrnoException);
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return { kind: "unreadable", why: "is a folder" };
    if (!stat.isFile()) return { kind: "unreadable", why: "is not a regular file" };
    if (stat.size > limits.bytes) return { kind: "unreadable", why: `is larger than ${limits.bytes / 1024 / 1024} MB` };
    const bytes = readFileSync(descriptor);
    const text = bytes.toString();
    // Decoding writes U+FFFD for what is no UTF-8, so only a text that holds one needs the second look.
    const mark = text.indexOf("\ufffd");
    if (mark >= 0 && !Buffer.from(text).equals(bytes)) return { kind: "unreadable", why: `is not UTF-8 text (line ${text.slice(0, mark).split("\n").length})` };
    return { kind: "text", text, mode: stat.mode & 0o7777 };
  } catch (error) {
    return { kind: "unreadable", why: describeSystemError(error) };
  } finally {
    closeSync(descriptor);
  }
}

function failedToOpen(path: string, limits: ReadLimits, error: NodeJS.ErrnoException): Reading {
  if (error.code === "ENOENT") {
    return isLink(path) ? { kind: "unreadable", why: "is a link that points at nothing" } : { kind: "absent" };
  }
  if (error.code === "ENOTDIR") return { kind: "absent" };
  if (error.code === "ELOOP") return { kind: "unreadable", why: limits.follow ? "is a link that leads back to itself" : "is a link" };
  return { kind: "unreadable", why: describeSystemError(error) };
}

/** False also where it cannot be known; opening the path then says why. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return false;
  }
}

const causes: Readonly<Record<string, string>> = {
  EACCES: "may not be accessed by this user",
  EPERM: "may not be changed by this user",
  EROFS: "is on a read-only file system",
  ENOSPC: "does not fit: the disk is full",
  EDQUOT: "does not fit: the quota is used up",
  EISDIR: "is a folder",
  ENOTDIR: "lies below something that is not a folder",
  ENXIO: "is not a regular file",
  EMFILE: "cannot be opened: too many open files",
  ENAMETOOLONG: "has a name that is too long",
};

/** What a system error says about a path, to follow "it". */
export function describeSystemError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && causes[code]) ?? `cannot be used (${code ?? message})`;
}

/** True where two texts differ in their line ends at most: git may have changed those. */
export function sameText(left: string | undefined, right: string | undefined): boolean {
  if (left === right) return true;
  return left !== undefined && right !== undefined && left.replaceAll("\r\n", "\n") === right.replaceAll("\r\n", "\n");
}
