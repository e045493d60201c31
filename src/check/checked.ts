/**
 * A project after the checks: files loaded, `use` followed, every name resolved, still portable. Lowering turns it into
 * one plan per host. Conditions keep their spans for host findings and for explaining examples.
 */
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { CommandPlan, FieldPath, OnError, RuleSeverity, ToolPattern, Unsure } from "../guard/plan.ts";
import type { EventKind } from "../guard/vocabulary.ts";
import type { Effect, ElseAction, Regex, Rule, Text, Verdict } from "../syntax/ast.ts";

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
  readonly event: EventKind;
  readonly hostEvent?: string;
  readonly tools: readonly CheckedTool[];
  readonly effect: Effect;
  readonly when?: CheckedCondition;
  readonly unless: readonly CheckedCondition[];
  readonly because?: Text;
  readonly suggest?: Text;
  readonly otherwise?: ElseAction;
  readonly severity: RuleSeverity;
  readonly unsure: Unsure;
  /** `YYYY-MM-DD` from `disable … until`. */
  readonly from?: string;
  /** `also` effects. */
  readonly also: readonly Effect[];
  readonly examples: readonly CheckedExample[];
}

export interface CheckedTool {
  readonly span: Span;
  readonly pattern: ToolPattern;
}

export interface CheckedExample {
  readonly span: Span;
  readonly verdict: Verdict;
  /** One call: portable fields by dotted name (`command`, `input.timeout`, `tool`). `main` is a bare text, whose field depends on the tool. */
  readonly stimulus: { readonly main: string } | { readonly fields: readonly { readonly field: string; readonly value: string | number }[] };
  readonly becomes?: string;
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
