/**
 * What keeps a host from loading a settings file or an entry of it: found by the host's loading rules, foreign entries
 * included, and reported with the place in the file as it is on disk.
 */
import type { Diagnostic, SourceFile, Span } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { JsonPath } from "./json.ts";

export interface Fault {
  readonly path: JsonPath;
  /** Continues the sentence that begins with the path: `must be a number above 0`. */
  readonly why: string;
}

/** `hooks.PreToolUse[0].timeout`. */
export function showPath(path: JsonPath): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

/** `what` the host ignores: `the whole file`, `every hook of the file`, an entry. `where` is the entry at fault. */
export function diagnoseIgnored(host: string, file: SourceFile, span: Span, what: string, where: string, why: string): Diagnostic {
  const text = where === "" ? "mend the file and build again; nothing was written" : `mend ${where} in \`${file.path}\` and build again; nothing was written`;
  return diagnose("settings/host-ignores-file", { host, what, why: where === "" ? why : `${where} ${why}` }, { file, span, help: { text } });
}
