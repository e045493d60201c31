/**
 * The one way a guard opens a file: without blocking, without following a link, regular files only, up to a size. A FIFO
 * or an automount in the place of a file would otherwise hold a guard until its host lets the call through.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "./error-code.ts";

export type FileReading = { readonly kind: "text"; readonly text: string } | { readonly kind: "missing" } | { readonly kind: "refused" };

/**
 * True for absolute paths (with `/`) whose mere look-up can block or tells about the guard's own process: UNC shares,
 * `/net`, `/proc/<pid>`, `/dev/fd`. They are judged by their text.
 */
export function isUntouchable(path: string): boolean {
  return /^(?:\/\/|\/net(?:\/|$)|\/proc\/(?:\d+|self|thread-self)(?:\/|$)|\/dev\/(?:fd(?:\/|$)|std(?:in|out|err)$))/.test(path);
}

/** A regular file of at most `limit` bytes, as UTF-8. `missing` is certain; everything else that is no such file is `refused`. */
export function readRegular(path: string, limit: number): FileReading {
  if (isUntouchable(path)) return { kind: "refused" };
  let file: number | undefined;
  try {
    // Windows has neither flag, so the link is looked for first; a race there is the price.
    if (!lstatSync(path).isFile()) return { kind: "refused" };
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > limit) return { kind: "refused" };
    return readWhole(file, limit);
  } catch (error) {
    return isMissing(error) ? { kind: "missing" } : { kind: "refused" };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** True where the error says that there is nothing under the path. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The size a file had when it was opened says nothing of how much can be read (it grows, or lies in `/proc`). */
function readWhole(file: number, limit: number): FileReading {
  const buffer = Buffer.alloc(limit + 1);
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    length += read;
    if (length > limit) return { kind: "refused" };
    if (read === 0) return { kind: "text", text: buffer.toString("utf8", 0, length) };
  }
}
