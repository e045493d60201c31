/**
 * The tree of one policy file as written: every node has a span, names are not resolved yet. Everything the grammar
 * accepts has a node here; what a stage cannot do yet is refused by the checks, never dropped by the parser.
 */
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";

interface Node {
  readonly span: Span;
}

/** One file of rules (or of tests, for `*.test.policy`). */
export interface Policy {
  readonly file: SourceFile;
  readonly statements: readonly Statement[];
  /** `# policyc: allow CODE: reason`, each silencing CODE on the next line that is not a comment. */
  readonly silencers: readonly Silencer[];
}

export interface Silencer extends Node {
  readonly code: string;
  readonly reason: string;
  /** The span of the line it silences. */
  readonly target: Span;
}

export type Statement = PolicyDeclaration | TargetDeclaration | DefaultDeclaration | UseDeclaration | LetDeclaration | Toggle | TestBlock | Rule;

export interface PolicyDeclaration extends Node {
  readonly kind: "policy";
  readonly name: Name;
  readonly description?: Text;
}

export interface TargetDeclaration extends Node {
  readonly kind: "target";
  readonly hosts: readonly Name[];
}

export interface DefaultDeclaration extends Node {
  readonly kind: "default";
  readonly setting: Name;
  readonly value: Text | NumberLiteral | Duration | Size | Name;
}

export interface UseDeclaration extends Node {
  readonly kind: "use";
  readonly modules: readonly (ModulePath | Text)[];
  readonly grants: readonly Name[];
}

export interface LetDeclaration extends Node {
  readonly kind: "let";
  readonly name: Name;
  readonly value: Literal | List | Condition;
}

export interface Toggle extends Node {
  readonly kind: "disable" | "observe";
  readonly target: RuleReference;
  readonly because?: Text;
  readonly until?: Text;
}

/** `id`, `policy.id`, `std/git.id`; for `observe` also a module alone (`rule` absent). */
export interface RuleReference extends Node {
  readonly module?: ModulePath | Name;
  readonly rule?: Name;
}

export interface TestBlock extends Node {
  readonly kind: "test";
  readonly title: Text;
  readonly hosts: readonly Name[];
  readonly steps: readonly TestStep[];
}

export interface TestStep extends Node {
  readonly trigger: Trigger;
  readonly stimulus?: Stimulus;
  readonly expectations: readonly Expectation[];
}

export type Expectation =
  | (Node & { readonly kind: "verdict"; readonly verdict: Verdict; readonly verdictSpan: Span; readonly by?: RuleReference })
  | (Node & { readonly kind: "field"; readonly field: Field; readonly comparison: ComparisonTail });

export interface Rule extends Node {
  readonly kind: "rule";
  /** The `##` lines directly above. */
  readonly description?: string;
  readonly effect: Effect;
  /** Absent for `permission`. */
  readonly trigger?: Trigger;
  readonly when?: Condition;
  readonly clauses: readonly Clause[];
}

export type GateWord = "deny" | "ask" | "allow" | "retry";

/** What a rule does; `wordSpan` covers the effect's first word. */
export type Effect = Node & { readonly wordSpan: Span } & (
    | { readonly kind: GateWord }
    | { readonly kind: "set"; readonly field: Field; readonly value: Text | NumberLiteral | DollarReference }
    | { readonly kind: "replace"; readonly pattern: Pattern; readonly replacement: Text; readonly fields: readonly Field[] }
    | { readonly kind: "redact"; readonly pattern: Pattern; readonly fields: readonly Field[]; readonly as?: Text }
    | { readonly kind: "tell"; readonly audience: "model" | "user"; readonly source: Source }
    | { readonly kind: "log"; readonly fields: readonly Field[]; readonly to: Text }
    | { readonly kind: "run"; readonly command: Text }
    | { readonly kind: "forward"; readonly fields: readonly Field[]; readonly to: Text }
    | { readonly kind: "mark" | "unmark"; readonly name: Name }
    | { readonly kind: "permission"; readonly denials: readonly Text[] }
  );

export type Source =
  | Text
  | NumberLiteral
  | DollarReference
  | (Node & { readonly kind: "file"; readonly path: Text })
  | (Node & { readonly kind: "output-of"; readonly command: Text });

export type Trigger = Node &
  (
    | { readonly kind: "on"; readonly event: Name | Text; readonly of: readonly (Name | Text)[] }
    | {
        readonly kind: "tools";
        /** `moment` is "before" also where the word was left out. */
        readonly moment: "before" | "after";
        readonly tools: readonly ToolReference[];
      }
  );

export type ToolReference = Node &
  (
    | { readonly kind: "class"; readonly name: string }
    | { readonly kind: "host-tool"; readonly name: string }
    | { readonly kind: "mcp"; readonly patterns: readonly McpPattern[] }
    | { readonly kind: "agent"; readonly names: readonly Text[] }
  );

/** `server.tool`, each part with `*` at its end or alone; `tool` absent means every tool of the server. */
export interface McpPattern extends Node {
  readonly server: McpPart;
  readonly tool?: McpPart;
}

/** `text` is the literal (or literal prefix where `star`). */
export interface McpPart extends Node {
  readonly text: string;
  readonly star: boolean;
}

export type Clause = Node &
  (
    | { readonly kind: "unless"; readonly condition: Condition }
    | { readonly kind: "because" | "suggest"; readonly text: Text }
    | { readonly kind: "else"; readonly action: ElseAction }
    | { readonly kind: "for"; readonly hosts: readonly Name[] }
    | { readonly kind: "id" | "severity"; readonly name: Name }
    | { readonly kind: "timeout"; readonly duration: Duration }
    | { readonly kind: "limit"; readonly count: NumberLiteral }
    | { readonly kind: "also"; readonly effect: Effect }
    | Example
  );

export type ElseAction = (Node & { readonly kind: "deny" | "ask" | "skip" }) | (Node & { readonly kind: "effect"; readonly effect: Effect });

export type Verdict = GateWord | "pass";

export type Example = Node & {
  readonly kind: "example";
  readonly verdict?: Verdict;
  readonly stimulus: Stimulus;
  readonly becomes?: Text;
  readonly hosts: readonly Name[];
};

/** Texts are one call each; fields are one call together. */
export type Stimulus =
  | (Node & { readonly kind: "texts"; readonly texts: readonly Text[] })
  | (Node & { readonly kind: "fields"; readonly fields: readonly { readonly field: Field; readonly value: Text | NumberLiteral }[] });

export type Condition = Node &
  (
    | { readonly kind: "or" | "and"; readonly of: readonly Condition[]; /** True where the source wrote parentheses around it. */ readonly parenthesised: boolean }
    | { readonly kind: "not"; readonly of: Condition }
    | { readonly kind: "runs"; readonly only: boolean; readonly invocation: Invocation }
    | { readonly kind: "touches" | "reads" | "writes" | "deletes"; readonly operand: Operand }
    | { readonly kind: "pipes"; readonly from: Command; readonly into: Command }
    | { readonly kind: "has"; readonly field: Field }
    | { readonly kind: "succeeds"; readonly command: Text }
    | { readonly kind: "marked"; readonly name: Name }
    | { readonly kind: "reference"; readonly reference: DollarReference }
    /** A boolean field alone. */
    | { readonly kind: "is"; readonly operand: FieldOperand }
    | { readonly kind: "compare"; readonly left: FieldOperand | DollarReference; readonly comparison: ComparisonTail }
  );

export interface FieldOperand extends Node {
  readonly kind: "field-operand";
  /** `length` or `lower`, or any other word the author wrote before the parenthesis. */
  readonly measure?: Name;
  readonly field: Field;
}

export type Operator = "~" | "!~" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not-in" | "contains" | "matches" | "starts-with" | "ends-with";

export interface ComparisonTail extends Node {
  readonly operator: Operator;
  readonly operatorSpan: Span;
  readonly operand: Operand;
}

export type Operand = Literal | List | DollarReference | Field;

export interface Invocation extends Node {
  readonly command: Command;
  readonly arguments: readonly (Node & { readonly kind: "with" | "without"; readonly patterns: readonly CommandWord[] })[];
}

/** Alternatives (one without brackets), each a row of words; `tail` follows the bracket. */
export interface Command extends Node {
  readonly alternatives: readonly (readonly CommandWord[])[];
  readonly tail: readonly CommandWord[];
}

/** `regex` only after `with` and `without`. */
export type CommandWord = (Node & { readonly kind: "bare" | "flag"; readonly text: string }) | Text | DollarReference | Regex;

export type Pattern = Regex | Text | DollarReference | List;
export type Literal = Regex | Text | NumberLiteral | Duration | Size;

export interface List extends Node {
  readonly kind: "list";
  readonly items: readonly ListItem[];
}

/** `words` is one command of several words, or a single bare name. */
export type ListItem = Literal | DollarReference | (Node & { readonly kind: "flag"; readonly text: string }) | (Node & { readonly kind: "words"; readonly words: readonly string[] });

export interface Text extends Node {
  readonly kind: "text";
  readonly form: "string" | "raw" | "heredoc";
  /** Escapes undone, heredoc indentation removed; `{x}` left as written. */
  readonly value: string;
  /** The same text cut at its `{field}` and `{1}`, for message positions only. */
  readonly template: readonly TemplatePart[];
}

export type TemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "field"; readonly path: readonly string[]; readonly span: Span }
  | { readonly kind: "capture"; readonly index: number; readonly span: Span };

export interface Regex extends Node {
  readonly kind: "regex";
  /** As written between the slashes; `bodySpan.start` is the offset of its first character. */
  readonly body: string;
  readonly flags: string;
  readonly bodySpan: Span;
  readonly flagsSpan: Span;
}

export interface NumberLiteral extends Node {
  readonly kind: "number";
  readonly value: number;
}

export interface Duration extends Node {
  readonly kind: "duration";
  readonly milliseconds: number;
}

export interface Size extends Node {
  readonly kind: "size";
  readonly bytes: number;
}

/** `$name` or `$lib.name`; `path` without the dollar. */
export interface DollarReference extends Node {
  readonly kind: "dollar";
  readonly path: readonly string[];
}

export interface Field extends Node {
  readonly kind: "field";
  readonly path: readonly string[];
}

export interface Name extends Node {
  readonly kind: "name";
  readonly text: string;
}

export interface ModulePath extends Node {
  readonly kind: "module-path";
  readonly text: string;
}
