/**
 * Places inside JSON values: a value and the keys and indexes that lead somewhere in it go in, what stands there comes
 * out, or a copy with something else there. Keys named like parts of every object are keys like any other.
 */
import type { Json } from "./call.ts";

export type JsonPath = readonly (string | number)[];

export interface PlacedText {
  readonly path: JsonPath;
  readonly text: string;
}

/** `undefined` where nothing stands there. */
export function valueAt(root: Json | undefined, path: JsonPath): Json | undefined {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !hasKey(value, key)) return undefined;
    value = (value as { readonly [key: string]: Json })[key];
  }
  return value;
}

/** Every text at the place and below it. */
export function textsAt(root: Json | undefined, path: JsonPath): readonly PlacedText[] {
  const found: PlacedText[] = [];
  // A stack and no recursion: nesting is the sender's choice.
  const stack: { readonly value: Json | undefined; readonly path: JsonPath }[] = [{ value: valueAt(root, path), path }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path: at } = next;
    if (typeof value === "string") found.push({ path: at, text: value });
    else if (typeof value === "object" && value !== null) {
      const inner = Object.entries(value) as [string, Json][];
      for (const [key, part] of inner.reverse()) stack.push({ value: part, path: [...at, Array.isArray(value) ? Number(key) : key] });
    }
  }
  return found;
}

/**
 * A copy with the values at their places. Objects on the way that are not there are made; where the way leads through a
 * text, a number or past a list, the place does not exist and nothing is put there.
 */
export function withValues(root: Json, values: readonly { readonly path: JsonPath; readonly value: Json }[]): Json {
  // One copy for all of them: a result may hold thousands of texts.
  let copy = structuredClone(root) as Json;
  for (const { path, value } of values) {
    if (path.length === 0) copy = value;
    else put(copy, path, value);
  }
  return copy;
}

function put(root: Json, path: JsonPath, value: Json): void {
  let at: Json | undefined = root;
  for (const [index, key] of path.entries()) {
    if (typeof at !== "object" || at === null || (Array.isArray(at) && !hasKey(at, key))) return;
    if (index === path.length - 1) define(at, key, value);
    else if (!hasKey(at, key) || (at as { readonly [key: string]: Json })[key] === null) define(at, key, {});
    at = (at as { readonly [key: string]: Json })[key];
  }
}

/** Assignment to `__proto__` would change what the object is. */
function define(object: object, key: string | number, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** `length` is no key of a list. */
function hasKey(value: object, key: string | number): boolean {
  return Object.hasOwn(value, key) && !(Array.isArray(value) && !/^\d+$/.test(String(key)));
}
