/**
 * Shell wildcards against policy globs: is there a path that both match? Both become lists of segments from the file
 * system root on, in which `**` stands for any number of segments.
 */
import { expandBraces } from "./braces.ts";
import { haveCommonText, parseGlob } from "./glob-match.ts";
import type { Token } from "./glob-match.ts";
import { homeMark, named, show } from "./text.ts";
import type { Text } from "./text.ts";
import { foldCase, globHolds, globStarts, removeDots, segmentsOf } from "../paths.ts";
import type { GlobPlan } from "../plan.ts";
import type { Doubt, Position, World } from "../world.ts";

/** One segment: its tokens, or any number of segments (`some`: at least one). */
export type Segment = { readonly kind: "name"; readonly tokens: readonly Token[]; readonly hidden: boolean } | { readonly kind: "any"; readonly some: boolean };

const mostSegments = 128;
export const mostListed = 2000;

/** A stand-in for whatever a wildcard names; no glob asks for it. */
export const someName = "\u{fffd}";

export interface PatternForm {
  readonly segments: readonly Segment[];
  /** One path it can name. */
  readonly sample: string;
}

/** The absolute readings of an operand with wildcards. */
export function patternForms(text: Text, base: string, world: World): readonly PatternForm[] | Doubt {
  if (text.startsWith(homeMark) && world.home === "") return { doubt: "the home folder is unknown" };
  const relative = text.startsWith(homeMark) ? world.home + text.slice(homeMark.length) : text;
  const absolute = relative.startsWith("/") ? relative : `${base}/${relative}`;
  const plain = removeDots(absolute.replace(/\/+$/, ""));
  if (segmentsOf(plain).length > mostSegments) return { doubt: "a path has too many segments" };
  const sample = plain.replace(/\0\[[^/]*?\0\]|\0[*?ghu]/g, someName);
  return [{ segments: segmentsOf(plain).map(shellSegment), sample: show(sample) }];
}

function shellSegment(segment: Text): Segment {
  // Only marked characters are wildcards; others of their kind stand for themselves.
  const tokens: Token[] = [];
  for (const piece of segment.match(/\0\[[^]*?\0\]|\0[^]|[^\0]+/g) ?? []) {
    if (piece.startsWith("\0[")) tokens.push(...parseGlob(`[${piece.slice(2, -2)}]`));
    else if (piece === named) tokens.push(...parseGlob("*"));
    else if (piece === "\0*" || piece === "\0?") tokens.push(...parseGlob(piece.slice(1)));
    else tokens.push(...[...show(piece)].map((char): Token => ({ kind: "char", char })));
  }
  // A wildcard at the start does not name hidden files.
  return { kind: "name", tokens, hidden: !/^\0[*?[g]/.test(segment) };
}

/** True where some path matches both the pattern and the globs, folders below it included for a `tree`. */
export function patternMeets(form: PatternForm, globs: readonly GlobPlan[], position: Position, tree: boolean, world: World): boolean {
  const included = globs.filter((glob) => !glob.except);
  const excluded = globs.filter((glob) => glob.except);
  if (position === "narrow") {
    // Surely inside: whatever the wildcards name, and no exception can be among them.
    if (!included.some((glob) => globHolds(glob, form.sample, "narrow", world))) return false;
    return !excluded.some((glob) => globSegments(glob, form.sample, world).some((segments) => meet(form.segments, segments, 0, 0)));
  }
  if (excluded.some((glob) => globHolds(glob, form.sample, "narrow", world))) return false;
  const reach = tree ? [form.segments, [...form.segments, { kind: "any", some: true } as const]] : [form.segments];
  return included.some((glob) => {
    // A tree below a wildcard against `**/x`: only where the last segment meets what follows.
    if (tree && glob.base === "anywhere") return reach.slice(0, 1).some((segments) => globSegments(glob, form.sample, world).some((other) => meet(segments, other, 0, 0))) || tailMeets(form.segments, glob);
    return reach.some((segments) => globSegments(glob, form.sample, world).some((other) => meet(segments, other, 0, 0)));
  });
}

/**
 * What is there of what the pattern names: the shell fills it in from the disk. `undefined` where that cannot be told:
 * there is no such folder (nor any disk), or wildcards stand in names of folders.
 */
export function namedFiles(form: PatternForm, world: World): readonly string[] | undefined {
  const parts = form.sample.split("/");
  const last = form.segments.at(-1);
  if (last === undefined || parts.findIndex((part) => part.includes(someName)) !== parts.length - 1) return undefined;
  const entries = world.list(parts.slice(0, -1).join("/") || "/", mostListed, 1) ?? [];
  return entries.length === 0 ? undefined : entries.filter((entry) => meet([last], [plainSegment(foldCase(segmentsOf(entry).at(-1) ?? ""))], 0, 0));
}

/** `rm dist/*` can name anything; it does not speak of the names that a glob asks for anywhere. */
export function isOpen(form: PatternForm): boolean {
  const last = form.segments.at(-1);
  return last?.kind === "name" && last.tokens.every((token) => token.kind === "any" || token.kind === "star");
}

/** A glob that asks for a name, wherever the file lies: `**` + `/.env`. */
export function asksForName(glob: GlobPlan): boolean {
  return glob.base === "anywhere" && /[^*?/][^/]*$/.test(glob.text);
}

function plainSegment(name: string): Segment {
  return { kind: "name", tokens: [...name].map((char) => ({ kind: "char", char })), hidden: true };
}

/** `rm -rf .v*` against `**` + `/.vibe/policyc/**`: the last segment meets the first name that the glob asks for. */
function tailMeets(segments: readonly Segment[], glob: GlobPlan): boolean {
  const last = segments.at(-1);
  const [first, ...more] = glob.start;
  return last !== undefined && first !== undefined && (more.length > 0 || glob.text.endsWith("/**")) && meet([last], [policySegment(first)], 0, 0);
}

/** A policy glob as lists of segments from the file system root on, case folded; one for each place its start can be. */
export function globSegments(glob: GlobPlan, form: string, world: World): readonly (readonly Segment[])[] {
  const alternatives = expandBraces(glob.text) ?? [glob.text];
  return alternatives.flatMap((text) => {
    const parts = text.replace(/^~\//, "").split("/").filter((part) => part !== "");
    if (glob.base === "anywhere") return [parts.map((part, index) => (part === "**" ? anySegments(index, parts.length, parts.length === 1) : policySegment(part)))];
    const count = literalCount(parts);
    const rest = parts.slice(count).map((part, index, all) => (part === "**" ? anySegments(index, all.length, false) : policySegment(part)));
    const folder: GlobPlan = { ...glob, start: parts.slice(0, count) };
    return globStarts(folder, form, world).map((place) => [...segmentsOf(place).map(policySegment), ...rest]);
  });
}

function literalCount(parts: readonly string[]): number {
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  return first === -1 ? parts.length : first;
}

function anySegments(index: number, count: number, alone: boolean): Segment {
  return { kind: "any", some: index === count - 1 && !alone };
}

function policySegment(part: string): Segment {
  return { kind: "name", tokens: parseGlob(foldCase(part)), hidden: true };
}

/** True where some path matches both lists from these places on. */
export function meet(left: readonly Segment[], right: readonly Segment[], row: number, column: number, known: Map<number, boolean> = new Map()): boolean {
  const key = row * (right.length + 1) + column;
  const before = known.get(key);
  if (before !== undefined) return before;
  known.set(key, false);
  const result = meetHere(left, right, row, column, known);
  known.set(key, result);
  return result;
}

function meetHere(left: readonly Segment[], right: readonly Segment[], row: number, column: number, known: Map<number, boolean>): boolean {
  const a = left[row];
  const b = right[column];
  if (a === undefined && b === undefined) return true;
  if (a?.kind === "any") {
    if (!a.some && meet(left, right, row + 1, column, known)) return true;
    if (b === undefined) return false;
    if (b.kind === "any") return meet(left, right, row + 1, column + 1, known) || meet(left, right, row, column + 1, known) || meet(left, right, row + 1, column, known);
    return meet(left, right, row + 1, column + 1, known) || meet(left, right, row, column + 1, known);
  }
  if (b?.kind === "any") {
    if (!b.some && meet(left, right, row, column + 1, known)) return true;
    return a !== undefined && (meet(left, right, row + 1, column + 1, known) || meet(left, right, row + 1, column, known));
  }
  if (a === undefined || b === undefined) return false;
  return namesMeet(a, b) && meet(left, right, row + 1, column + 1, known);
}

function namesMeet(left: Segment & { kind: "name" }, right: Segment & { kind: "name" }): boolean {
  for (const [one, other] of [[left, right], [right, left]] as const) {
    const [first] = other.tokens;
    if (!one.hidden && first?.kind === "char" && first.char === ".") return false;
  }
  return haveCommonText(folded(left.tokens), folded(right.tokens));
}

function folded(tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token) => (token.kind === "char" ? { kind: "char", char: foldCase(token.char) } : token.kind === "set" ? { kind: "set", has: (char) => token.has(char) || token.has(char.toUpperCase()) } : token));
}
