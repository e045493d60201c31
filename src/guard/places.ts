/**
 * Where the texts of portable fields stand in a call: a host's table of paths and the call's own arguments or response go
 * in, the places that hold text come out. They are what a transform changes, so a place without text is none.
 */
import type { Json, Place } from "./call.ts";

/** By field: keys parted by dots, `*` for every entry of a list; `""` is the value itself. */
export type PlaceTable = Readonly<Record<string, readonly string[]>>;

export type Places = { readonly [field: string]: readonly Place[] };

/** More texts than a guard looks at one by one: a field with more of them cannot be changed. */
const mostPlaces = 10_000;

/** The fields of the table that have text in the value. */
export function findPlaces(where: Place["in"], value: Json, table: PlaceTable): Places {
  const places: Record<string, readonly Place[]> = {};
  for (const [field, paths] of Object.entries(table)) {
    const found = paths.flatMap((path) => pathsOfTexts(value, path === "" ? [] : path.split(".")));
    if (found.length > 0 && found.length <= mostPlaces) places[field] = found.map((path) => ({ in: where, path }));
  }
  return places;
}

/** Every text at any depth but those under the `kept` keys, which name things and hold no words. */
export function deepPlaces(where: Place["in"], value: Json, kept: ReadonlySet<string>): readonly Place[] {
  const found: Place[] = [];
  // A stack and no recursion: nesting is the sender's choice.
  const stack: { readonly value: Json; readonly path: Place["path"] }[] = [{ value, path: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value: inner, path } = next;
    if (typeof inner === "string") found.push({ in: where, path });
    else if (Array.isArray(inner)) for (let index = inner.length - 1; index >= 0; index -= 1) stack.push({ value: (inner as readonly Json[])[index] ?? null, path: [...path, index] });
    else if (typeof inner === "object" && inner !== null) {
      for (const [key, below] of Object.entries(inner as { readonly [key: string]: Json }).reverse()) if (!kept.has(key)) stack.push({ value: below, path: [...path, key] });
    }
    if (found.length > mostPlaces) return [];
  }
  return found;
}

function pathsOfTexts(value: Json, steps: readonly string[]): readonly Place["path"][] {
  let open: { readonly value: Json; readonly path: Place["path"] }[] = [{ value, path: [] }];
  for (const step of steps) {
    const next: typeof open = [];
    for (const { value: inner, path } of open) {
      if (step === "*") {
        if (Array.isArray(inner)) for (const [index, entry] of (inner as readonly Json[]).entries()) next.push({ value: entry, path: [...path, index] });
        continue;
      }
      const below = stepInto(inner, step);
      if (below !== undefined) next.push({ value: below, path: [...path, step] });
    }
    open = next;
  }
  return open.filter((one) => typeof one.value === "string").map((one) => one.path);
}

function stepInto(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  if (Array.isArray(value) !== (typeof step === "number")) return undefined;
  return (value as Readonly<Record<string | number, Json>>)[step];
}
