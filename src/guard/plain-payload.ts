/**
 * The short way to read a payload: bytes go in, the value comes out if they are JSON as hosts write it. What this takes
 * `payload-text.ts` takes too, as the same value, unless it is nested deeply; a test holds it to that.
 */
import type { Json } from "./call.ts";
import { parsePayload } from "./payload-text.ts";

/** A buffer's own decoder, which Node has without loading what chooses an encoding. */
interface Decoder {
  utf8Slice(this: Uint8Array, start: number, end: number): string;
}

/**
 * `undefined` for what takes a closer look.
 * @throws for what is no payload
 */
export function readPlain(bytes: Uint8Array<ArrayBuffer>): Json | undefined {
  const { utf8Slice } = Buffer.prototype as Partial<Decoder>;
  const text = utf8Slice?.call(bytes, 0, bytes.length);
  // Decoding writes U+FFFD for what is no UTF-8.
  if (text === undefined || text.includes("\ufffd")) return undefined;
  const value = JSON.parse(text) as Json;
  // All hosts write without spaces, and a text that comes out again as it went in holds no key twice.
  return JSON.stringify(value) === text.trim() ? value : parsePayload(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}
