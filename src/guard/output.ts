/**
 * What a guard says: an answer goes out on stdout and stderr, synchronously and whole, because streams cut at 64 KiB when
 * the process ends.
 */
import { writeSync } from "node:fs";
import type { Answer } from "./call.ts";
import { transferLate } from "./late.ts";

/** Milliseconds to wait for a host that has stdout open and does not read. */
const mostWait = 4000;

/** False where stdout took not all of it: the host has not heard what it was to hear. */
export function deliver(answer: Answer): boolean {
  const said = writeAll(1, answer.stdout);
  // The exit code decides without the words, so a closed stderr is no failure.
  writeAll(2, answer.stderr);
  return said;
}

/** A line for people on stderr, if somebody listens there. */
export function complain(line: string): void {
  writeAll(2, `${line}\n`);
}

function writeAll(file: number, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) {
    const written = writeSome(file, bytes, done);
    if (written === undefined) return false;
    done += written;
  }
  return true;
}

function writeSome(file: number, bytes: Buffer, from: number): number | undefined {
  const transfer = (): number => writeSync(file, bytes, from);
  try {
    return transfer();
  } catch (error) {
    try {
      return transferLate(error, Date.now() + mostWait, transfer);
    } catch {
      return undefined;
    }
  }
}
