/**
 * Glob text to `GlobPlan`: braces are expanded, then every alternative becomes a regular expression, so that no glob
 * library ships in a guard. `folded` is the one for case-folded paths; it may match more than `exact` read without
 * regard to case, never less.
 */
import { foldCase } from "../guard/paths.ts";
import type { GlobPlan } from "../guard/plan.ts";

/** A glob with more alternatives than this is refused by `globProblem`. */
const mostAlternatives = 512;

type Base = GlobPlan["base"];
type Piece =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] };
type ClassPiece = Extract<Piece, { readonly kind: "class" }>;
/** `"**"` or the pieces of one segment. */
type Segment = "**" | readonly Piece[];

interface Alternative {
  readonly base: Base;
  /** True for `/x`, whose subject begins with the slash. */
  readonly slash: boolean;
  readonly segments: readonly Segment[];
}

/** `text` stands without its `!`; `except` says whether it had one. */
export function lowerGlob(text: string, except: boolean): GlobPlan {
  const alternatives = expandBraces(text.normalize("NFC")).map(parseAlternative);
  const base = alternatives[0]?.base ?? "root";
  return {
    text,
    except,
    base,
    exact: globSource(alternatives, { literal: (literal) => literal, set: exactClass }),
    folded: globSource(alternatives, { literal: foldCase, set: foldedClass }),
    start: commonStart(alternatives),
  };
}

/** Why a glob cannot mean what its author hopes, in half a sentence; `undefined` where it is fine. */
export function globProblem(text: string): string | undefined {
  if (text.trim() === "") return "is empty";
  if (text.startsWith("!!")) return "has two `!`";
  if (text.includes("\0")) return "holds a NUL character, which no path has";
  if (/\\/.test(text)) return "holds a backslash; segments are separated by `/` on every platform";
  if (countAlternatives(text) > mostAlternatives) return `has more than ${mostAlternatives} alternatives in braces`;
  const alternatives = expandBraces(text);
  const parsed = alternatives.map(parseAlternative);
  if (parsed.some((alternative) => alternative.base !== parsed[0]?.base)) return "has alternatives that start at different places; write one entry for each";
  if (alternatives.some((alternative) => alternative.split("/").includes(".."))) return "has a `..` segment, which a path never has after it is put in normal form";
  if (/^~[^/]/.test(text)) return "names another user's home; only `~/` is known";
  return undefined;
}

/** `a{b,c}` becomes `ab`, `ac`. A brace without its partner or without a comma inside is an ordinary character. */
function expandBraces(text: string): readonly string[] {
  const brace = findBrace(text);
  if (brace === undefined) return [text];
  const rest = expandBraces(brace.after);
  const options = brace.options.flatMap(expandBraces);
  // Globs come from reviewed policies, but a slip of the pen must not take the build's memory.
  if (options.length * rest.length > mostAlternatives) return [text];
  return options.flatMap((option) => rest.map((tail) => `${brace.before}${option}${tail}`));
}

function countAlternatives(text: string): number {
  const brace = findBrace(text);
  if (brace === undefined) return 1;
  return brace.options.reduce((sum, option) => sum + countAlternatives(option), 0) * countAlternatives(brace.after);
}

function findBrace(text: string): { before: string; options: readonly string[]; after: string } | undefined {
  for (let open = text.indexOf("{"); open !== -1; open = text.indexOf("{", open + 1)) {
    const options: string[] = [];
    let depth = 0;
    let start = open + 1;
    for (let at = open; at < text.length; at += 1) {
      const char = text[at];
      if (char === "{") depth += 1;
      else if (char === "," && depth === 1) {
        options.push(text.slice(start, at));
        start = at + 1;
      } else if (char === "}" && --depth === 0) {
        if (options.length === 0) break;
        options.push(text.slice(start, at));
        return { before: text.slice(0, open), options, after: text.slice(at + 1) };
      }
    }
  }
  return undefined;
}

function parseAlternative(text: string): Alternative {
  const trimmed = text.replace(/^(?:\.\/+)+/, "").replace(/(?<=.)\/+$/, "");
  const parts = trimmed.split("/").filter((part) => part !== "" && part !== ".");
  if (trimmed.startsWith("/")) return { base: "file-system", slash: true, segments: parseSegments(parts) };
  if (/^[A-Za-z]:(?:\/|$)/.test(trimmed)) {
    // Paths have their drive letter in upper case.
    return { base: "file-system", slash: false, segments: parseSegments([(parts[0] ?? "").toUpperCase(), ...parts.slice(1)]) };
  }
  if (parts[0] === "~") return { base: "home", slash: false, segments: parseSegments(parts.slice(1)) };
  return { base: parts[0] === "**" ? "anywhere" : "root", slash: false, segments: parseSegments(parts) };
}

function parseSegments(parts: readonly string[]): readonly Segment[] {
  // `a/**/**/b` is `a/**/b`; two in a row would only cost time.
  return parts.filter((part, index) => part !== "**" || parts[index - 1] !== "**").map((part) => (part === "**" ? "**" : parseSegment(part)));
}

function parseSegment(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const set = char === "[" ? parseClass(text, at) : undefined;
    if (set !== undefined) pieces.push(set.piece);
    else if (char === "*") {
      if (pieces.at(-1)?.kind !== "star") pieces.push({ kind: "star" });
    } else if (char === "?") pieces.push({ kind: "any" });
    else pieces.push({ kind: "literal", text: char });
    at = set?.end ?? at + char.length;
  }
  return pieces;
}

/** `[a-z]`, `[!a-z]`, `[^a-z]`; a `]` right behind the opening stands for itself. */
function parseClass(text: string, open: number): { piece: Piece; end: number } | undefined {
  const negated = text[open + 1] === "!" || text[open + 1] === "^";
  const first = open + (negated ? 2 : 1);
  const close = text.indexOf("]", first + 1);
  if (close === -1) return undefined;
  const points = Array.from(text.slice(first, close), (char) => char.codePointAt(0) ?? 0);
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < points.length; at += 1) {
    const low = points[at] ?? 0;
    const isRange = points[at + 1] === 0x2d && at + 2 < points.length;
    const high = isRange ? (points[at + 2] ?? low) : low;
    if (high < low) return undefined;
    ranges.push([low, high]);
    if (isRange) at += 2;
  }
  return { piece: { kind: "class", negated, ranges }, end: close + 1 };
}

type Spelling = { readonly literal: (text: string) => string; readonly set: (piece: ClassPiece) => string };

/** One expression for all alternatives. */
function globSource(alternatives: readonly Alternative[], spelling: Spelling): string {
  let groups = 0;
  /**
   * `between` as often as needed, then `found`, at the first place where that is so and never again. A later place could
   * match no more than the first one does, and going back to try them all is what makes expressions slow.
   */
  const firstOf = (between: string, found: string): string => {
    groups += 1;
    return `(?=(?<g${groups}>(?:${between})*?${found}))\\k<g${groups}>`;
  };
  const segmentSource = (pieces: readonly Piece[]): string => {
    if (pieces.length === 1 && pieces[0]?.kind === "star") return "[^\\/]+";
    const [head = "", ...runs] = splitAt(pieces, (piece) => piece.kind === "star").map((run) => run.map((piece) => pieceSource(piece, spelling)).join(""));
    return head + runs.map((run, index) => (index === runs.length - 1 ? `[^\\/]*${run}` : firstOf("[^\\/]", run))).join("");
  };
  const sourceOf = ({ base, slash, segments }: Alternative): string => {
    const [head = "", ...runs] = splitAt(segments, (segment) => segment === "**").map((run) => run.flatMap((segment) => (segment === "**" ? [] : [segmentSource(segment)])).join("\\/"));
    const between = base === "anywhere" ? "[^\\/]*\\/" : "[^\\/]+\\/";
    const start = `${slash ? "\\/" : ""}${head}`;
    // `**` alone is anything anywhere, the root of the file system included.
    if (base === "anywhere" && runs.length === 1 && runs[0] === "") return ".*";
    // Nothing comes after the last `**` of `**/x/**` that could send the search back.
    const isFree = runs.length === 2 && runs[1] === "";
    const joined = head === "" || runs.length === 0 ? start : `${start}\\/`;
    return joined + runs.map((run, index) => (index < runs.length - 1 ? (isFree ? `(?:${between})*${run}\\/` : firstOf(between, `${run}\\/`)) : run === "" ? ".+" : `(?:${between})*${run}`)).join("");
  };
  return `^(?:${alternatives.map(sourceOf).join("|")})$`;
}

function splitAt<Value>(values: readonly Value[], isBorder: (value: Value) => boolean): readonly (readonly Value[])[] {
  const runs: Value[][] = [[]];
  for (const value of values) {
    if (isBorder(value)) runs.push([]);
    else runs.at(-1)?.push(value);
  }
  return runs;
}

function pieceSource(piece: Piece, spelling: Spelling): string {
  switch (piece.kind) {
    case "literal":
      return spelling.literal(piece.text).replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&");
    case "any":
      return "[^\\/]";
    case "class":
      return `(?!\\/)${spelling.set(piece)}`;
    case "star":
      return "";
    default:
      return piece satisfies never;
  }
}

function exactClass(piece: ClassPiece): string {
  return classSource(piece.negated, piece.ranges);
}

function foldedClass(piece: ClassPiece): string {
  const size = piece.ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
  if (size > 4096) return piece.negated ? "[^]" : classSource(false, [...piece.ranges, [0x61, 0x7a]]);
  const points = piece.ranges.flatMap(([low, high]) => Array.from({ length: high - low + 1 }, (_, index) => low + index));
  const has = new Set(points);
  const folded = (point: number): number => foldCase(String.fromCodePoint(point)).codePointAt(0) ?? point;
  if (!piece.negated) return classSource(false, [...piece.ranges, ...points.map((point) => [folded(point), folded(point)] as const)]);
  // `[!a]` keeps `A`, whose folded form is `a`: only what is excluded in every case stays excluded.
  const upper = (point: number): number => String.fromCodePoint(point).toUpperCase().codePointAt(0) ?? point;
  const excluded = points.filter((point) => folded(point) === point && has.has(upper(point)));
  return classSource(true, excluded.map((point) => [point, point] as const));
}

function classSource(negated: boolean, ranges: readonly (readonly [number, number])[]): string {
  const body = ranges.map(([low, high]) => (low === high ? pointSource(low) : `${pointSource(low)}-${pointSource(high)}`)).join("");
  return `[${negated ? "^" : ""}${body}]`;
}

function pointSource(point: number): string {
  return /[A-Za-z0-9_]/.test(String.fromCodePoint(point)) ? String.fromCodePoint(point) : `\\u{${point.toString(16)}}`;
}

/** The literal segments every alternative begins with. */
function commonStart(alternatives: readonly Alternative[]): readonly string[] {
  const starts = alternatives.map(({ base, segments }) => {
    const start: string[] = [];
    for (const segment of base === "anywhere" ? segments.slice(1) : segments) {
      const literal = segment === "**" ? undefined : literalOf(segment);
      if (literal === undefined) break;
      start.push(literal);
    }
    return start;
  });
  const [first = [], ...others] = starts;
  const end = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return end === -1 ? first : first.slice(0, end);
}

function literalOf(pieces: readonly Piece[]): string | undefined {
  return pieces.every((piece) => piece.kind === "literal") ? pieces.map((piece) => piece.text).join("") : undefined;
}
