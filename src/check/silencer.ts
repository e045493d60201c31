/**
 * `# policyc: allow CODE: reason` lines that do nothing: a code that does not exist, an error, or a warning that is not
 * there. Only codes of the named stages are judged, because the findings of later stages are not known yet.
 */
import { catalogue, diagnose, isCode } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { Policy, Silencer } from "../syntax/ast.ts";

/** Warnings of later stages that the language page names already: a line that silences one is no mistake. */
const laterCodes: ReadonlySet<string> = new Set([
  "host/matcher-trap", "host/dead-permission",
  "lint/anchored-command", "lint/competing-set", "lint/constant-condition", "lint/contradiction", "lint/duplicate-rule", "lint/flag-spellings",
  "lint/missing-shell-twin", "lint/mixed-and-or", "lint/powershell-gap", "lint/root-only-glob", "lint/shadowed-rule", "lint/text-where-structure",
  "lint/unless-other-word", "lint/unprotected-guard", "lint/unredacted-log", "lint/untested-rule", "regex/super-linear", "regex/trivial",
]);

/** `diagnostics` as found, before anything is silenced; `stages` the first words of the codes to judge. */
export function idleSilencers(policies: readonly Policy[], diagnostics: readonly Diagnostic[], stages: readonly string[]): readonly Diagnostic[] {
  return policies.flatMap((policy) => policy.silencers.flatMap((silencer) => judge(silencer, policy, diagnostics, stages) ?? []));
}

function judge(silencer: Silencer, policy: Policy, diagnostics: readonly Diagnostic[], stages: readonly string[]): Diagnostic | undefined {
  const { code, span, target } = silencer;
  const idle = (why: string, help: string) => diagnose("check/idle-silencer", { code, why }, { file: policy.file, span, help: { text: help } });
  if (!isCode(code)) {
    // Codes without a stage of ours are judged once, by the first stages asked.
    if (laterCodes.has(code) || !stages.includes("check")) return undefined;
    const near = nearest(code, Object.keys(catalogue));
    return idle("names no finding of policyc", near.length > 0 ? `did you mean ${eitherOf(near)}?` : "codes look like `lint/flag-spellings`; each finding is printed with its own");
  }
  if (!stages.includes(code.slice(0, code.indexOf("/")))) return undefined;
  if (catalogue[code].severity === "error") return idle("would silence an error, which cannot be silenced", "mend what the error says, and remove this line");
  const silenced = diagnostics.some((found) => found.code === code && found.severity !== "error" && found.file === policy.file && found.span !== undefined && target.start <= found.span.start && found.span.start <= target.end);
  return silenced ? undefined : idle("silences nothing on the next line", "remove it, or put it directly above the line that is warned about");
}
