/**
 * A project after the checks: files loaded, `use` followed, every name resolved, still portable. Lowering turns it into
 * one plan per host. Conditions keep their spans for host findings and for explaining examples.
 */
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { CommandPlan, FieldPath, OnError, RuleSeverity, ToolPattern, Unsure } from "../guard/plan.ts";
import type { EventKind } from "../guard/vocabulary.ts";
import type { Regex, Rule, Text, Verdict } from "../syntax/ast.ts";

export interface CheckedProject {
  /** The first root file's name. */
  readonly name: string;
  /** Root files in byte order. */
  readonly files: readonly CheckedFile[];
  /** Every rule of every file, imports at their `use` line, in evaluation order. */
  readonly rules: readonly CheckedRule[];
  /** The strictest of the root files. */
  readonly onError: OnError;
  /** Milliseconds; the shortest of the root files. */
  readonly deadline: number;
  /** Folder of marks and retry counts; absent: the user's state directory. */
  readonly state?: string;
  /** `test` blocks of the root files, then those of the test files. */
  readonly tests: readonly CheckedTest[];
}

export interface CheckedFile {
  readonly file: SourceFile;
  readonly name: string;
  readonly description?: string;
  /** Host ids; all known ones without a `target` line. */
  readonly targets: readonly string[];
  readonly unsure: Unsure;
  /** `observe`: none of its rules answers anything. */
  readonly mode: "enforce" | "observe";
  /** What a reader should know was left out: `disable`d rules without a date. */
  readonly disabled: readonly { readonly rule: string; readonly because: string }[];
}

export interface CheckedRule {
  /** The file it stands in (an imported one, perhaps). */
  readonly file: SourceFile;
  /** `policy/id`, unique in the project. */
  readonly id: string;
  /** True where the author wrote the id. */
  readonly named: boolean;
  readonly rule: Rule;
  /** Hosts it applies on: the root file's targets, cut by the rule's own `for`. */
  readonly hosts: readonly string[];
  /** True where the rule's own `for` named them. */
  readonly limited: boolean;
  readonly event: EventKind | "any-event";
  readonly hostEvent?: string;
  /** Of `on stop of …`; absent: every agent. */
  readonly agents?: readonly string[];
  readonly tools: readonly CheckedTool[];
  readonly effect: CheckedEffect;
  readonly when?: CheckedCondition;
  readonly unless: readonly CheckedCondition[];
  readonly because?: Text;
  readonly suggest?: Text;
  readonly otherwise?: CheckedFallback;
  readonly severity: RuleSeverity;
  readonly unsure: Unsure;
  /** `YYYY-MM-DD` from `disable … until`. */
  readonly from?: string;
  /** Why it is off until then. */
  readonly offBecause?: string;
  /** `observe` of the rule, its pack or its file; enforced from `until` (`YYYY-MM-DD`) on. */
  readonly observed?: { readonly until?: string };
  /** Milliseconds for what the rule starts. */
  readonly timeout?: number;
  /** `also` effects, in file order. */
  readonly also: readonly CheckedEffect[];
  readonly examples: readonly CheckedExample[];
}

/** What a rule does, with its names filled in; `wordSpan` covers the effect's first word. */
export type CheckedEffect = { readonly span: Span; readonly wordSpan: Span } & (
  | { readonly kind: "deny" | "ask" | "allow" }
  | { readonly kind: "retry"; readonly limit: number; readonly limitSpan?: Span }
  | CheckedTransform
  | { readonly kind: "tell"; readonly audience: "model" | "user"; readonly source: CheckedSource }
  /** Without fields: those that every line has. */
  | { readonly kind: "log" | "forward"; readonly fields: readonly CheckedField[]; readonly to: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "mark" | "unmark"; readonly name: string }
  | { readonly kind: "permission"; readonly denials: readonly Text[] }
);

export type CheckedTransform =
  | { readonly kind: "set"; readonly fields: readonly CheckedField[]; readonly value: Text | number }
  | { readonly kind: "replace"; readonly patterns: readonly CheckedPattern[]; readonly with: Text; readonly fields: readonly CheckedField[] }
  | { readonly kind: "redact"; readonly patterns: readonly CheckedPattern[]; readonly as?: Text; readonly fields: readonly CheckedField[] };

/** `text` is looked for as it stands. */
export type CheckedPattern = PlacedRegex | { readonly kind: "text"; readonly text: string };

export interface CheckedField {
  readonly path: FieldPath;
  readonly span: Span;
}

export type CheckedSource =
  | { readonly kind: "text"; readonly text: Text }
  /** Below the project root. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "output-of"; readonly command: string };

/** What stands behind `else`. */
export type CheckedFallback = { readonly span: Span } & ({ readonly kind: "deny" | "ask" | "skip" } | { readonly kind: "effect"; readonly effect: CheckedEffect });

export interface CheckedTool {
  readonly span: Span;
  readonly pattern: ToolPattern;
}

export interface CheckedExample {
  readonly span: Span;
  /** `fires`: no word of a gate fits, and the rule does what it says. */
  readonly verdict: Verdict | "fires";
  /** One call: portable fields by dotted name (`command`, `input.timeout`, `tool`). `main` is a bare text, whose field depends on the tool. */
  readonly stimulus: { readonly main: string } | { readonly fields: readonly { readonly field: string; readonly value: string | number }[] };
  /** The field after this rule. */
  readonly becomes?: { readonly field: FieldPath; readonly text: string };
  readonly hosts: readonly string[];
}

/** One `test` block: a row of events of one session, for each of its hosts, judged by the whole policy. */
export interface CheckedTest {
  readonly file: SourceFile;
  readonly span: Span;
  readonly title: string;
  /** Of its `for`, else every host the project targets. */
  readonly hosts: readonly string[];
  readonly steps: readonly CheckedStep[];
}

/** One event of the session and what must come of it. */
export interface CheckedStep {
  /** The `given` line. */
  readonly span: Span;
  readonly event: EventKind;
  readonly hostEvent?: string;
  /** Whose stop it is (`on stop of reviewer`); absent: the main agent's. */
  readonly agent?: string;
  /** The tool, as a rule names it (`shell` is two); empty where the event has none. */
  readonly tools: readonly CheckedTool[];
  /** Without fields where nothing is said about the call. */
  readonly stimulus: CheckedExample["stimulus"];
  /** What the commands of `succeeds` and `output of` come to in this step; one that is not named is unknown. */
  readonly commands: readonly CommandOutcome[];
  readonly expectations: readonly CheckedExpectation[];
}

/** `exit."npm test" 1` and `output."git status" "…"`: what a test says a command of the policy comes to. */
export interface CommandOutcome {
  readonly command: string;
  readonly exit?: number;
  readonly output?: string;
}

export type CheckedExpectation = { readonly span: Span } & (
  /** `by`: `policy/id` of a rule that must be among the reasons. */
  | { readonly kind: "verdict"; readonly verdict: Verdict; readonly by?: string }
  /** A comparison, or `not` around one: holds for the call as the tool gets it, or for what the model reads after it. */
  | { readonly kind: "field"; readonly condition: CheckedCondition }
);

/**
 * A condition with `let`s inlined, lists flattened and operators normalised; `span` is where the author wrote it. Of a
 * named condition, the top is the use of the name and `definition` the text behind it; what is below keeps its own places.
 */
export type CheckedCondition = { readonly span: Span; readonly file: SourceFile; readonly definition?: { readonly span: Span; readonly file: SourceFile } } & (
  | { readonly kind: "and" | "or"; readonly of: readonly CheckedCondition[] }
  | { readonly kind: "not"; readonly of: CheckedCondition }
  | CheckedComparison
  | { readonly kind: "is" | "has"; readonly field: FieldPath }
  | {
      readonly kind: "runs";
      readonly only: boolean;
      readonly commands: readonly CommandPlan[];
      readonly with: readonly (readonly CheckedArgument[])[];
      readonly without: readonly (readonly CheckedArgument[])[];
    }
  | { readonly kind: "touches" | "reads" | "writes" | "deletes"; readonly globs: readonly CheckedGlob[] }
  | { readonly kind: "pipes"; readonly from: readonly CommandPlan[]; readonly into: readonly CommandPlan[] }
  | { readonly kind: "dynamic" }
  | { readonly kind: "succeeds"; readonly command: string }
  | { readonly kind: "marked"; readonly name: string }
);

export interface CheckedComparison {
  readonly kind: "compare";
  readonly field: FieldPath;
  readonly measure?: "length" | "lower";
  readonly operator: "~" | "==" | "<" | "<=" | ">" | ">=" | "contains" | "starts-with" | "ends-with" | "matches";
  readonly values: readonly CheckedValue[];
}

export type CheckedValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "size"; readonly bytes: number }
  | { readonly kind: "field"; readonly field: FieldPath }
  | PlacedRegex
  | { readonly kind: "globs"; readonly globs: readonly CheckedGlob[] };

export type CheckedArgument =
  | { readonly kind: "flag"; readonly text: string }
  | { readonly kind: "word"; readonly text: string }
  | PlacedRegex;

export interface PlacedRegex {
  readonly kind: "pattern";
  readonly regex: Regex;
  /** The file its spans are about, where that is not the condition's: it came by a `let` of a module. */
  readonly home?: SourceFile;
}

/** `text` without its `!`. `span` is in the condition's file: the use of the name, for what came from a module. */
export interface CheckedGlob {
  readonly text: string;
  readonly except: boolean;
  readonly span: Span;
}
