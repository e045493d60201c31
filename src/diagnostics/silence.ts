/** Takes out the warnings and notes that a `# policyc: allow CODE: reason` line above them accepts. Errors stay. */
import type { Policy } from "../syntax/ast.ts";
import type { Diagnostic } from "./diagnostic.ts";

export function silence(diagnostics: readonly Diagnostic[], policies: readonly Policy[]): readonly Diagnostic[] {
  return diagnostics.filter((diagnostic) => {
    const { code, file, severity, span } = diagnostic;
    if (severity === "error" || span === undefined) return true;
    const silencers = policies.find((policy) => policy.file === file)?.silencers ?? [];
    return !silencers.some((silencer) => silencer.code === code && silencer.target.start <= span.start && span.start <= silencer.target.end);
  });
}
