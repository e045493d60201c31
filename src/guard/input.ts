/**
 * All of stdin, read without a stream. A non-blocking one whose data is late says EAGAIN, and gives up on what was read
 * if `readFileSync` does it, so the pieces are gathered here.
 */
import { readvSync } from "node:fs";
import { MalformedPayload } from "./call.ts";
import { transferLate } from "./late.ts";

/** Milliseconds to wait for a host that has stdin open and does not write. */
const mostWait = 4000;
/** Bytes. Hosts send a whole file or a whole output at most. */
const mostInput = 64 * 1024 * 1024;

/**
 * @throws MalformedPayload for one without end
 * @throws what Node throws where stdin cannot be read
 */
export function readInput(): Uint8Array<ArrayBuffer> {
  // A bare array and the call for several of them: Node has the least to set up for these at the first use.
  let bytes = new Uint8Array(8192);
  let until: number | undefined;
  for (let length = 0; ; ) {
    const free = [bytes.subarray(length)];
    let read: number | undefined;
    try {
      read = readvSync(0, free);
    } catch (error) {
      read = transferLate(error, (until ??= Date.now() + mostWait), () => readvSync(0, free));
    }
    if (read === undefined) throw new MalformedPayload("the payload did not end");
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > mostInput) throw new MalformedPayload("the payload is too large");
    if (length === bytes.length) {
      const more = new Uint8Array(2 * length);
      more.set(bytes);
      bytes = more;
    }
  }
}
