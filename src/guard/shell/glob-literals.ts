/** A cheap look before an expression is tried: the text that every path of a glob has in it. */
import { foldCase } from "../paths.ts";
import type { GlobPlan } from "../plan.ts";

/** The longest such text, case folded; `""` where the glob has none. */
export function requiredText(glob: GlobPlan): string {
  // From the first bracket to the last one: what stands between two of them may be part of either.
  const plain = glob.text.normalize("NFC").replace(/\{[^]*\}/g, "*").replace(/\[[^]*\]/g, "*");
  // A path is in normal form, and a glob may be written in any: `./src`, `a//b`, `~`.
  const segments = plain.split("/").filter((segment) => segment !== "" && segment !== ".");
  const named = segments[0] === "~" ? segments.slice(1) : segments;
  const runs = named.join("/").split(/[*?]+/).map((run) => run.replace(/^\/+|\/+$/g, ""));
  return foldCase(runs.reduce((longest, run) => (run.length > longest.length ? run : longest), ""));
}

/** The globs that may hold one of the case-folded forms, and every exception. */
export function likelyGlobs(globs: readonly GlobPlan[], required: ReadonlyMap<GlobPlan, string>, folded: readonly string[]): readonly GlobPlan[] {
  return globs.filter((glob) => glob.except || folded.some((form) => form.includes(required.get(glob) ?? "")));
}
