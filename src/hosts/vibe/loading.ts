/**
 * Mistral Vibe's own loading rules for `hooks.toml`: which entries it drops, with only a warning, whoever wrote them.
 * Source: its loader in 3.0.2, read and run 2026-11.
 */
import type { TomlValue } from "smol-toml";
import type { Fault } from "../settings/fault.ts";
import type { JsonPath } from "../settings/json.ts";
import { maybe, must, object, oneOf, text, type Shape } from "../settings/shape.ts";

const blank = "must not be blank";
const written: Shape = (value, path) => (typeof value === "string" && value.trim() === "" ? [{ path, why: blank }] : text(value, path));

const number = /^\s*[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
const truth = /^(?:0|1|off|on|f|t|false|true|n|y|no|yes)$/i;

const known = {
  name: text,
  type: oneOf(["pre_tool", "post_tool", "post_agent"], "must be `pre_tool`, `post_tool` or `post_agent`"),
  command: written,
  match: maybe(written),
  // The loader turns texts and truth values into numbers and back where that can be done.
  timeout: maybe(must((value) => Number.isFinite(value) || typeof value === "bigint" || typeof value === "boolean" || (typeof value === "string" && number.test(value)), "must be a number of seconds")),
  strict: maybe(must((value) => typeof value === "boolean" || value === 0 || value === 1 || (typeof value === "string" && truth.test(value)), "must be true or false")),
  description: maybe(text),
};
const entry = object(known, { otherwise: must(() => false, "must be a table") });

/** What an entry of no tool hook has no use for. */
function toolOnly({ type, match, strict }: Entry, path: JsonPath): readonly Fault[] {
  if (type !== "post_agent") return [];
  const isStrict = strict !== undefined && /^(?:true|1|on|t|y|yes)$/i.test(String(strict));
  return [...(match === undefined ? [] : ["match"]), ...(isStrict ? ["strict"] : [])].map((key) => ({ path: [...path, key], why: "is only for tool hooks" }));
}

interface Entry {
  readonly type: string;
  readonly match?: string;
  readonly strict?: unknown;
}

/** The faults of the entries at `hooks`, in order; of several with one name all but the first are dropped. */
export function findEntryFaults(entries: readonly TomlValue[]): readonly Fault[] {
  const seen = new Set<unknown>();
  return entries.flatMap((value, index) => {
    const faults = [...entry(value, ["hooks", index])];
    if (faults.every(({ why }) => why === blank)) faults.push(...toolOnly(value as unknown as Entry, ["hooks", index]));
    if (faults.length > 0) return faults;
    const { name } = value as { readonly name: string };
    if (seen.has(name)) return [{ path: ["hooks", index], why: `has the name \`${name}\`, which an entry before it has` }];
    seen.add(name);
    return [];
  });
}
