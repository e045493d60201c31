/**
 * All of stdin, read without a stream. A non-blocking one whose data is late says EAGAIN, and gives up on what was read
 * if `readFileSync` does it, so the pieces are gathered here.
 */
import { readSync } from "node:fs";
import { MalformedPayload } from "./call.ts";
import { transferLate } from "./late.ts";

/** Milliseconds to wait for a host that has stdin open and does not write. */
const mostWait = 4000;
/** Bytes. Hosts send a whole file or a whole output at most. */
const mostInput = 64 * 1024 * 1024;

export function readInput(): Buffer {
  const until = Date.now() + mostWait;
  const chunks: Buffer[] = [];
  let length = 0;
  for (let chunk = Buffer.allocUnsafe(65536); ; ) {
    const read = readChunk(chunk, until);
    if (read === undefined) throw new MalformedPayload("the payload did not end");
    if (read === 0) return chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks, length);
    length += read;
    if (length > mostInput) throw new MalformedPayload("the payload is too large");
    chunks.push(chunk.subarray(0, read));
    chunk = Buffer.allocUnsafe(65536);
  }
}

function readChunk(chunk: Buffer, until: number): number | undefined {
  const transfer = (): number => readSync(0, chunk, 0, chunk.length, null);
  try {
    return transfer();
  } catch (error) {
    return transferLate(error, until, transfer);
  }
}
