/**
 * Checked reading of a host's payload: JSON values go in, texts and objects come out, and anything of the wrong shape
 * throws `MalformedPayload`. `null` is read as absent, and only own keys count.
 */
import { MalformedPayload } from "./call.ts";
import type { FieldValue, Json, JsonObject, Platform } from "./call.ts";

/** True for a JSON object: not `null`, not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The own value under a key; `undefined` where it is absent or `null`. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

export function expectObject(value: Json | undefined, what: string): JsonObject {
  if (!isObject(value)) throw new MalformedPayload(`${what} is not an object`);
  return value;
}

/**
 * The value of one argument that has several spellings.
 * Fail closed: two spellings that differ mean that guard and host could read different calls.
 */
export function anySpelling(object: JsonObject, keys: readonly string[]): Json | undefined {
  let found: Json | undefined;
  for (const key of keys) {
    const value = own(object, key);
    if (value === undefined) continue;
    if (found !== undefined && !sameJson(found, value)) throw new MalformedPayload(`\`${keys.join("` and `")}\` differ`);
    found = value;
  }
  return found;
}

/** Text under any of the spellings, `undefined` where none is there. */
export function optionalText(object: JsonObject, ...keys: readonly string[]): string | undefined {
  const value = anySpelling(object, keys);
  if (value !== undefined && typeof value !== "string") throw new MalformedPayload(`\`${keys.join("`/`")}\` is not text`);
  return value;
}

export function expectText(object: JsonObject, ...keys: readonly string[]): string {
  const value = optionalText(object, ...keys);
  if (value === undefined) throw new MalformedPayload(`\`${keys.join("`/`")}\` is missing`);
  return value;
}

/** Copies text under the key into a portable field, if it is there. */
export function copyText(object: JsonObject, key: string, fields: Record<string, FieldValue>, field: string): void {
  const text = optionalText(object, key);
  if (text !== undefined) fields[field] = text;
}

export function copyNumber(object: JsonObject, key: string, fields: Record<string, FieldValue>, field: string): void {
  const value = own(object, key);
  if (value === undefined) return;
  if (typeof value !== "number") throw new MalformedPayload(`\`${key}\` is not a number`);
  fields[field] = value;
}

/** Every text under the keys: for arguments whose names are a guess, where nothing can be demanded. */
export function guessedTexts(object: JsonObject, ...keys: readonly string[]): readonly string[] {
  return keys.map((key) => own(object, key)).filter((value) => typeof value === "string");
}

/** A list under the key, `undefined` where it is absent. */
export function optionalList(object: JsonObject, key: string): readonly Json[] | undefined {
  const value = own(object, key);
  if (value !== undefined && !Array.isArray(value)) throw new MalformedPayload(`\`${key}\` is not a list`);
  return value as readonly Json[] | undefined;
}

/** The payload's folder. Fail closed: a relative one would move every path of the call. */
export function expectFolder(object: JsonObject, key: string, platform: Platform): string {
  const folder = expectText(object, key);
  const absolute = platform === "windows" ? /^(?:[A-Za-z]:[\\/]|[\\/])/ : /^\//;
  if (!absolute.test(folder)) throw new MalformedPayload(`\`${key}\` is not an absolute path`);
  return folder;
}

/**
 * Refuses keys that mean something else on an object's prototype, in the object itself and `__proto__` at any depth.
 * Hosts never send them; a reader that forgets `Object.hasOwn` would take their content for arguments.
 */
export function refusePrototypeKeys(object: JsonObject): void {
  for (const key of ["constructor", "prototype"]) {
    if (Object.hasOwn(object, key)) throw new MalformedPayload("a key is named like a part of every object");
  }
  // A stack and no recursion: nesting is the sender's choice.
  const stack: Json[] = [object];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) throw new MalformedPayload("a key is named like a part of every object");
    for (const inner of Object.values(value) as Json[]) stack.push(inner);
  }
}

/** Equal JSON texts. Only ever asked for two spellings of one argument, so key order may count. */
function sameJson(one: Json, other: Json): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    // Nested too deeply to compare: treated as different.
    return false;
  }
}
