/**
 * What Chevrotain asks of lodash, in the words of the language itself: the shipped command line holds this in the place of
 * the library, whose generality takes a tenth of a build's time. A release fails where Chevrotain asks for anything else.
 */
type Keyed = Readonly<Record<string, unknown>>;
type Collection = readonly unknown[] | Keyed | null | undefined;
type Test = (value: unknown) => unknown;

export const { assign } = Object;
export const { isArray } = Array;

export function clone(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as readonly unknown[])];
  return isObject(value) ? Object.assign(Object.create(Object.getPrototypeOf(value) as object | null) as object, value) : value;
}

export function compact(collection: Collection): unknown[] {
  return values(collection).filter(Boolean);
}

export function defaults(target: Record<string, unknown>, source: Keyed): Keyed {
  for (const key of keys(source)) if (target[key] === undefined) target[key] = source[key];
  return target;
}

export function difference(collection: Collection, without: Collection): unknown[] {
  const known = new Set(values(without));
  return values(collection).filter((value) => !known.has(value));
}

export function drop(collection: Collection, count = 1): unknown[] {
  return values(collection).slice(count);
}

export function dropRight(collection: Collection, count = 1): unknown[] {
  const all = values(collection);
  return all.slice(0, Math.max(0, all.length - count));
}

export function every(collection: Collection, test: Test): boolean {
  return values(collection).every((value) => test(value));
}

export function some(collection: Collection, test: Test): boolean {
  return values(collection).some((value) => test(value));
}

export function filter(collection: Collection, test: Test): unknown[] {
  return values(collection).filter((value) => test(value));
}

export function reject(collection: Collection, test: Test): unknown[] {
  return values(collection).filter((value) => !test(value));
}

export function find(collection: Collection, test: Test): unknown {
  return values(collection).find((value) => test(value));
}

export function first(list: readonly unknown[] | undefined): unknown {
  return list?.[0];
}

export function last(list: readonly unknown[] | undefined): unknown {
  return list?.at(-1);
}

export function flatMap(collection: Collection, change: Test): unknown[] {
  return values(collection).flatMap((value) => change(value));
}

export function flatten(collection: Collection): unknown[] {
  return values(collection).flat();
}

/** Ends early where `act` answers `false`. */
export function forEach(collection: Collection, act: (value: unknown, key: unknown) => unknown): Collection {
  if (isArray(collection)) collection.every((value, index) => act(value, index) !== false);
  else Object.entries(collection ?? {}).every(([key, value]) => act(value, key) !== false);
  return collection;
}

export function map(collection: Collection, change: (value: unknown, key: unknown) => unknown): unknown[] {
  return isArray(collection) ? collection.map((value, index) => change(value, index)) : Object.entries(collection ?? {}).map(([key, value]) => change(value, key));
}

export function reduce(collection: Collection, join: (joined: unknown, value: unknown, key: unknown) => unknown, initial: unknown): unknown {
  let joined = initial;
  forEach(collection, (value, key) => {
    joined = join(joined, value, key);
  });
  return joined;
}

export function groupBy(collection: Collection, keyOf: (value: unknown) => PropertyKey): Readonly<Record<PropertyKey, unknown[]>> {
  const groups: Record<PropertyKey, unknown[]> = {};
  for (const value of values(collection)) (groups[keyOf(value)] ??= []).push(value);
  return groups;
}

export function pickBy(object: Keyed, test: (value: unknown, key: string) => unknown): Keyed {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => test(value, key)));
}

/** The key itself: nothing here asks for a path. */
export function has(object: object | null | undefined, key: PropertyKey): boolean {
  return object !== null && object !== undefined && Object.hasOwn(object, key);
}

export function includes(collection: Collection, value: unknown): boolean {
  return values(collection).includes(value);
}

export function indexOf(list: readonly unknown[], value: unknown): number {
  return list.indexOf(value);
}

export function isEmpty(value: Collection | string): boolean {
  return typeof value === "string" || isArray(value) ? value.length === 0 : keys(value).length === 0;
}

export function keys(object: object | null | undefined): string[] {
  return Object.keys(object ?? {});
}

export function values(collection: Collection): unknown[] {
  return isArray(collection) ? [...(collection as readonly unknown[])] : Object.values(collection ?? {});
}

export function uniq(list: readonly unknown[]): unknown[] {
  return [...new Set(list)];
}

export function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function identity(value: unknown): unknown {
  return value;
}

export function noop(): void {}

export function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function isRegExp(value: unknown): boolean {
  return value instanceof RegExp;
}

export function isString(value: unknown): boolean {
  return typeof value === "string";
}

export function isUndefined(value: unknown): boolean {
  return value === undefined;
}
