/**
 * The text from stdin as a JSON value. Stricter than `JSON.parse` in one thing: a key that stands twice in an object is
 * refused, because readers differ in which of the two they take. A byte order mark before the value is dropped.
 */
import { MalformedPayload } from "./call.ts";
import type { Json } from "./call.ts";

export function parsePayload(text: string): Json {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    throw new MalformedPayload("the payload is not one JSON value");
  }
  refuseDuplicateKeys(json);
  return value;
}

/** One pass over text that is known to be JSON, without recursion: nesting is the sender's choice. */
function refuseDuplicateKeys(json: string): void {
  /** Keys of each open object, `undefined` for a list. */
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set());
        expectsKey = true;
        break;
      case 0x5b: // [
        open.push(undefined);
        expectsKey = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        expectsKey = false;
        break;
      case 0x2c: // ,
        expectsKey = open[open.length - 1] !== undefined;
        break;
      case 0x22: {
        const end = stringEnd(json, at);
        const keys = open[open.length - 1];
        if (expectsKey && keys !== undefined) {
          // Parsed, because `"a"` and `"\u0061"` are one key.
          const key = JSON.parse(json.slice(at, end + 1)) as string;
          if (keys.has(key)) throw new MalformedPayload("a key stands twice in one object");
          keys.add(key);
          expectsKey = false;
        }
        at = end;
        break;
      }
    }
  }
}

/** Where the string that begins at `start` ends: the offset of its closing quote. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  for (; json.charCodeAt(at) !== 0x22; at += 1) if (json.charCodeAt(at) === 0x5c) at += 1;
  return at;
}
