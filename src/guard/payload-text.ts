/**
 * Stdin to JSON, strictly: bytes go in, the one value they hold comes out. Refused is whatever two readers could take for
 * two different payloads (a key twice, bytes that are no UTF-8) or what exhausts a reader (deep nesting).
 */
import { MalformedPayload } from "./call.ts";
import type { Json } from "./call.ts";

/** Levels of lists and objects; hosts stay below ten, arguments of MCP tools too. */
const mostDepth = 256;

/** @throws MalformedPayload */
export function parsePayload(bytes: Buffer): Json {
  const sent = bytes.toString("utf8");
  // Decoding writes U+FFFD for what is no UTF-8, so only a text that holds one needs the second look.
  if (sent.includes("\ufffd") && !Buffer.from(sent, "utf8").equals(bytes)) throw new MalformedPayload("the payload is not UTF-8");
  const text = sent.startsWith("\ufeff") ? sent.slice(1) : sent;
  if (text.trim() === "") throw new MalformedPayload("the payload is empty");
  try {
    refuseAmbiguity(text);
    return JSON.parse(text) as Json;
  } catch (error) {
    // The parser's own message quotes the payload.
    throw error instanceof MalformedPayload ? error : new MalformedPayload("the payload is not one JSON value");
  }
}

/**
 * Refuses one key twice in one object, where readers differ in which one counts, and deep nesting: before parsing, on text
 * that may be no JSON at all, because the parser must not be the one that finds the bottom.
 */
function refuseAmbiguity(text: string): void {
  // The keys of each object that is open; lists have none.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x7b || unit === 0x5b) {
      open.push(unit === 0x7b ? new Set() : undefined);
      if (open.length > mostDepth) throw new MalformedPayload("the payload is nested too deeply");
    } else if (unit === 0x7d || unit === 0x5d) open.pop();
    else if (unit === quote) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys !== undefined && isKey(text, end)) {
        const raw = text.slice(at, end + 1);
        const key = raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
        if (keys.has(key)) throw new MalformedPayload("the payload holds a key twice in one object");
        keys.add(key);
      }
      at = end;
    }
  }
}

const quote = 0x22;

/** The index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  for (let at = end + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return unit === 0x3a;
  }
  return false;
}
