/**
 * Adds one line to a file that many guards write at once: whole, in one write, and to nothing but a regular file of the
 * user's own under the place the policy names. A file that has grown too large is moved aside first; no line is lost,
 * because a writer that comes late writes into the file it opened, wherever that has been moved to.
 */
import { closeSync, constants, fchmodSync, fstatSync, lstatSync, opendirSync, openSync, readSync, readlinkSync, renameSync, unlinkSync, writeSync } from "node:fs";
import type { Stats } from "node:fs";
import type { Platform } from "./call.ts";
import { realFolder, refused, settleFolder } from "./declared-place.ts";
import type { DeclaredPlace, Refused } from "./declared-place.ts";
import { errorCode } from "./error-code.ts";
import { parentOf, segmentsOf } from "./paths.ts";

/** Bytes. */
export interface LogLimits {
  /** A file that would grow beyond is moved aside. */
  readonly file: number;
  /** What files moved aside may hold together; the oldest go first. */
  readonly kept: number;
}

export const usualLimits: LogLimits = { file: 10 * 1024 * 1024, kept: 40 * 1024 * 1024 };

/** The file moved, was moved aside or was deleted between two looks at it: another try finds the next one. */
type Attempt = { readonly kind: "written" } | { readonly kind: "again" } | Refused;

/** Many guards may move a file aside at once, each once. */
const mostAttempts = 200;
/** Entries of a folder looked through for files moved aside. */
const mostEntries = 10_000;

/** Appends `line`, which is ASCII without a line end. */
export function appendLine(place: DeclaredPlace, line: string, platform: Platform, limits: LogLimits = usualLimits): { readonly kind: "written" } | Refused {
  const name = segmentsOf(place.path).at(-1);
  if (name === undefined) return refused("it names no file");
  const bytes = Buffer.from(`${line}\n`, "latin1");
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const settled = settleFolder(parentOf(place.path), place.base, platform);
    if (settled.kind === "refused") return settled;
    const file = `${settled.folder.replace(/\/$/, "")}/${name}`;
    const isThere = (): boolean => realFolder(parentOf(place.path), place.base, platform) === settled.folder;
    const result = tryAppend(file, isThere, bytes, limits);
    if (result.kind !== "again") return result;
  }
  return refused("other writers kept moving it");
}

/** `isThere`: whether the file's folder is still the one that the policy's path leads to. */
function tryAppend(file: string, isThere: () => boolean, bytes: Buffer, limits: LogLimits): Attempt {
  const before = look(file);
  // Never opened: opening a FIFO or a device can have effects of its own.
  if (before !== undefined && !before.isFile()) return refused(before.isSymbolicLink() ? "it is a link" : "it is no regular file");
  let descriptor: number | undefined;
  try {
    // Readable too, for the look at its last byte.
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
    descriptor = openSync(file, flags, 0o600);
    const stat = fstatSync(descriptor);
    const fault = faultOf(stat);
    if (fault !== undefined) return fault;
    // Fail closed: a link may have been put in the folder's place before the file was opened. What was opened has to be
    // what stands there now.
    const after = isThere() ? look(file) : undefined;
    if (after === undefined || !isSame(after, stat) || isElsewhere(descriptor, file)) return { kind: "again" };
    if ((stat.mode & 0o077) !== 0 && process.geteuid !== undefined) fchmodSync(descriptor, 0o600);
    // A folder that takes no new names keeps one file that grows: better than lines that are lost.
    if (stat.size > 0 && stat.size + bytes.length > limits.file && moveAside(file, stat, limits)) return { kind: "again" };
    const whole = endsInLine(descriptor, stat.size) ? bytes : Buffer.concat([Buffer.from("\n"), bytes]);
    if (!writeWhole(descriptor, whole)) return refused("it could not be written whole");
    // Deleted while it was being written: nobody will read that line.
    return fstatSync(descriptor).nlink === 0 ? { kind: "again" } : { kind: "written" };
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    // Its folder may be gone, or a link have been put there, since the look.
    return code === "ENOENT" ? { kind: "again" } : refused(code === "ELOOP" ? "it is a link" : `it cannot be written (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function faultOf(stat: Stats): Attempt | undefined {
  if (!stat.isFile()) return refused("it is no regular file");
  if (stat.nlink === 0) return { kind: "again" };
  if (stat.nlink > 1) return refused("it has several names (hard links)");
  if (process.geteuid !== undefined && stat.uid !== process.geteuid()) return refused("it belongs to another user");
  return undefined;
}

function look(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}

/**
 * True where the system says that what was opened has another path. A link can come and go between any two looks at a
 * path; Linux knows the path of an open file itself, and elsewhere the looks have to do.
 */
function isElsewhere(descriptor: number, file: string): boolean {
  try {
    // Some file systems keep another letter case than was asked for.
    return readlinkSync(`/proc/self/fd/${descriptor}`).toLowerCase() !== file.toLowerCase();
  } catch {
    return false;
  }
}

function isSame(first: Stats, second: Stats): boolean {
  return first.ino === second.ino && first.dev === second.dev;
}

/**
 * One call of the system for the whole line: only that keeps it in one piece among other writers. What follows a short
 * write (a full disk, as a rule) is finished as far as possible; the next line then begins on its own.
 */
function writeWhole(descriptor: number, bytes: Buffer): boolean {
  for (let done = 0; done < bytes.length; ) {
    const written = writeSync(descriptor, bytes, done);
    if (written === 0) return false;
    done += written;
  }
  return true;
}

/** False where a writer was cut off in the middle of a line, which is not the same as one that is at it. */
function endsInLine(descriptor: number, seen: number): boolean {
  const last = Buffer.alloc(1);
  for (let size = seen; size > 0; ) {
    readSync(descriptor, last, 0, 1, size - 1);
    if (last[0] === 0x0a) return true;
    // Sizes grow page by page while a line is written. To set rights the system waits until the write at hand is done: a
    // file that is no larger then has nobody at it.
    fchmodSync(descriptor, 0o600);
    const now = fstatSync(descriptor).size;
    if (now === size) return false;
    size = now;
  }
  return true;
}

/**
 * A rename to a name that nobody else uses. Two guards that do it at once move two files: the second one is small, and
 * nothing is overwritten.
 */
function moveAside(file: string, seen: Stats, limits: LogLimits): boolean {
  const now = look(file);
  if (now === undefined || !isSame(now, seen)) return true;
  const stamp = new Date().toISOString().replace(/[-:.]/g, "");
  try {
    renameSync(file, `${file}.${stamp}-${process.pid}-${process.hrtime.bigint().toString(36)}`);
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
  dropOldest(file, limits.kept);
  return true;
}

function dropOldest(file: string, most: number): void {
  const folder = parentOf(file);
  let kept = 0;
  for (const name of filesAside(folder, `${segmentsOf(file).at(-1) ?? ""}.`)) {
    const path = `${folder}/${name}`;
    kept += look(path)?.size ?? 0;
    if (kept > most) removeIfPossible(path);
  }
}

/** Newest first: their names begin with the time. */
function filesAside(folder: string, start: string): readonly string[] {
  const aside: string[] = [];
  const entries = opendirSync(folder);
  try {
    let left = mostEntries;
    for (let entry = entries.readSync(); entry !== null && left > 0; entry = entries.readSync(), left -= 1) {
      if (entry.isFile() && entry.name.startsWith(start) && /^\d{8}T\d{9}Z-\d+-[0-9a-z]+$/.test(entry.name.slice(start.length))) aside.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  return aside.sort().reverse();
}

function removeIfPossible(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another guard was faster, or the folder does not let go of it.
  }
}
