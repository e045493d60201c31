/**
 * Every diagnostic code with its severity, its one-sentence message and the long text of `policyc explain CODE`. A wrong
 * code or a missing parameter does not compile.
 */
import type { Diagnostic, Help, Label, Severity, SourceFile, Span } from "./diagnostic.ts";

interface Entry<Parameters> {
  readonly severity: Severity;
  /** One sentence without a full stop; names in backticks. */
  readonly message: (parameters: Parameters) => string;
  /** The long text: what it means, why it matters, how to mend it. */
  readonly explanation: string;
}

function error<Parameters>(message: (parameters: Parameters) => string, explanation: string): Entry<Parameters> {
  return { severity: "error", message, explanation };
}

/** Sorted by code. Codes are never reused for another meaning. */
export const catalogue = {
  "check/unknown-name": error(
    (p: { kind: string; name: string }) => `there is no ${p.kind} \`${p.name}\``,
    "The language has fixed lists of tool classes, events, hosts, settings and effects. A word outside them is refused, because a rule that names nothing protects nothing.",
  ),
} as const;

export type Code = keyof typeof catalogue;
type ParametersOf<C extends Code> = (typeof catalogue)[C] extends Entry<infer P> ? P : never;

/** Where a diagnostic points and what it adds to the catalogue's sentence. */
export interface Place {
  readonly file?: SourceFile;
  readonly span?: Span;
  readonly labels?: readonly Label[];
  readonly notes?: readonly string[];
  readonly help?: Help;
}

/** Makes the diagnostic `code` with the catalogue's sentence filled from `parameters`. */
export function diagnose<C extends Code>(code: C, parameters: ParametersOf<C>, place: Place = {}): Diagnostic {
  const entry = catalogue[code] as unknown as Entry<ParametersOf<C>>;
  return {
    code,
    severity: entry.severity,
    message: entry.message(parameters),
    ...(place.file && { file: place.file }),
    ...(place.span && { span: place.span }),
    labels: place.labels ?? [],
    notes: place.notes ?? [],
    ...(place.help && { help: place.help }),
  };
}

/** True where `text` is a code of the catalogue. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(catalogue, text);
}
