/**
 * `installed.json` beside the guard: what a build added to a settings file and what carries no mark of its own. Only what
 * stands here is ever removed again; a text that is not exactly a ledger counts as none, because the agent can write it.
 */
import type { SourceFile } from "../../diagnostics/diagnostic.ts";
import { list, maybe, must, object, oneOf, record, text } from "./shape.ts";

export interface Ledger {
  /** The settings text before the first build where it held no value: `null` for no file, else white space. */
  readonly before?: string | null;
  /** Objects and arrays that were not there, as `hooks/PreToolUse`. */
  readonly created: readonly string[];
  /** Objects and arrays that were there and empty, with the white space between their brackets; `""` is the root. */
  readonly inside: Readonly<Record<string, string>>;
  /** Permission strings that were not there. */
  readonly denials: readonly string[];
  /** Handlers that post to an address and were not there: `Stop https://example.com/`. */
  readonly posts: readonly string[];
}

export const emptyLedger: Ledger = { created: [], inside: {}, denials: [], posts: [] };

const isBlank = (value: unknown): boolean => typeof value === "string" && /^\uFEFF?[ \t\r\n]*$/.test(value);
const isPlace = (value: unknown): boolean => typeof value === "string" && /^(?:|hooks|permissions|permissions\/deny|hooks\/\w+)$/.test(value);
const known = object(
  {
    format: oneOf([1], "must be 1"),
    before: maybe(must((value) => value === null || isBlank(value), "must be blank")),
    created: list(must(isPlace, "must be a place")),
    inside: must((value) => record(must(isBlank, "must be blank"))(value, []).length === 0 && Object.keys(value as object).every(isPlace), "must be blanks by place"),
    denials: list(text),
    posts: maybe(list(text)),
  },
  { unknown: "is unknown" },
);

/** The ledger in a file; `undefined` where there is none or the text is not one. */
export function readLedger(file: SourceFile | undefined): Ledger | undefined {
  if (!file) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch {
    return undefined;
  }
  if (known(value, []).length > 0) return undefined;
  const { before, created, inside, denials, posts = [] } = value as Omit<Ledger, "posts"> & Partial<Ledger>;
  return { ...(before !== undefined && { before }), created, inside, denials, posts };
}

/** The same ledger is always the same text. */
export function writeLedger(ledger: Ledger): string {
  const inside = Object.fromEntries(Object.entries(ledger.inside).sort(([a], [b]) => (a < b ? -1 : 1)));
  const sorted = { format: 1, ...(ledger.before !== undefined && { before: ledger.before }), created: [...ledger.created].sort(), inside, denials: [...ledger.denials].sort(), ...(ledger.posts.length > 0 && { posts: [...ledger.posts].sort() }) };
  return JSON.stringify(sorted, undefined, 2) + "\n";
}
