/** How a check hands over what it found: it goes on afterwards, so that one run shows everything. */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

export type Report = (diagnostic: Diagnostic) => void;

/** A report that hands on, and knows whether an error went through it. */
export interface Watched {
  readonly report: Report;
  failed(): boolean;
}

export function watch(report: Report): Watched {
  let errors = 0;
  return {
    report: (diagnostic) => {
      if (diagnostic.severity === "error") errors++;
      report(diagnostic);
    },
    failed: () => errors > 0,
  };
}
