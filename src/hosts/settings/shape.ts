/**
 * What a value of a settings file must be, in the words of its faults: a value goes in, and comes out as everything that is
 * wrong with it. A few lines of our own, because these rules run at every build and a library for them starts slowly.
 */
import type { Fault } from "./fault.ts";
import type { JsonPath } from "./json.ts";

export type Shape = (value: unknown, path: JsonPath) => readonly Fault[];

/** `why` continues a sentence that begins with the place: `must be a string`. */
export function must(fits: (value: unknown) => boolean, why: string): Shape {
  return (value, path) => (fits(value) ? [] : [{ path, why: value === undefined ? "is missing" : why }]);
}

export function oneOf(values: readonly unknown[], why: string): Shape {
  return must((value) => values.includes(value), why);
}

export const text = must((value) => typeof value === "string", "must be a string");
export const flag = must((value) => typeof value === "boolean", "must be true or false");
export const seconds = must((value) => typeof value === "number" && value > 0 && Number.isFinite(value), "must be a number of seconds above 0");

/** May also be absent. */
export function maybe(shape: Shape): Shape {
  return (value, path) => (value === undefined ? [] : shape(value, path));
}

/** `empty`: what is wrong with a list of nothing, where it is. */
export function list(item: Shape, why = "must be a list", empty?: string): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return must(() => false, why)(value, path);
    if (value.length === 0 && empty !== undefined) return [{ path, why: empty }];
    return value.flatMap((one, index) => item(one, [...path, index]));
  };
}

const mustBeObject = must(isObject, "must be an object");

/** `unknown`: what is wrong with any other key; without it there may be others. */
export function object(known: Readonly<Record<string, Shape>>, { unknown, otherwise = mustBeObject }: { readonly unknown?: string; readonly otherwise?: Shape } = {}): Shape {
  return (value, path) => {
    if (!isObject(value)) return otherwise(value, path);
    const others = unknown === undefined ? [] : Object.keys(value).filter((key) => !Object.hasOwn(known, key));
    return [
      ...Object.entries(known).flatMap(([key, shape]) => shape(Object.hasOwn(value, key) ? value[key] : undefined, [...path, key])),
      ...others.map((key) => ({ path: [...path, key], why: unknown ?? "" })),
    ];
  };
}

/** An object whose keys are anybody's. */
export function record(item: Shape): Shape {
  return (value, path) => (isObject(value) ? Object.entries(value).flatMap(([key, one]) => item(one, [...path, key])) : mustBeObject(value, path));
}

/** An object whose `type` says of which shape it is. */
export function byType(shapes: Readonly<Record<string, Shape>>, why: string): Shape {
  return (value, path) => {
    if (!isObject(value)) return [{ path, why: "must be an object" }];
    const { type } = value;
    const shape = typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
    return shape === undefined ? [{ path: [...path, "type"], why }] : shape(value, path);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
