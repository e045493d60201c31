/**
 * The lowered form of a policy for one host: plain JSON, the only thing of a policy that ships in a guard. Globs are
 * regular expressions by now, names are resolved, and what the host cannot do has been refused at build time.
 */
import type { EventKind, ToolClass } from "./vocabulary.ts";

export interface GuardPlan {
  /** The policyc version that made it. */
  readonly policyc: string;
  readonly host: string;
  /** The project's name: the first file's `policy` name. */
  readonly name: string;
  /** Policy files, relative to the project root, in byte order. */
  readonly sources: readonly string[];
  /** How the guard finds the project root: from its own place (scope project) or from the call. */
  readonly scope: "project" | "user" | "plugin" | "enforced";
  /** Environment variable in which the host names the project, for the other scopes (`CLAUDE_PROJECT_DIR`). */
  readonly rootVariable?: string;
  readonly onError: OnError;
  /** No rule answers anything; each decides and logs. */
  readonly mode?: "observe";
  /** Folder of marks and retry counts; the user's state directory where absent. */
  readonly state?: string;
  /** Milliseconds the guard may take to decide. */
  readonly deadline: number;
  /** What should start the guard, where a rule asks whether it still does (`tampering`). */
  readonly installed?: InstalledPlan;
  readonly events: readonly EventPlan[];
  readonly rules: readonly RulePlan[];
}

/** How a settings file holds hook entries: JSON groups of handlers by event, or TOML tables. */
export type SettingsShape = "groups" | "tables";

/** What a build puts beside a guard. Both paths are below one folder, the project's root in scope project. */
export interface InstalledPlan {
  readonly guard: string;
  readonly settings: string;
  readonly shape: SettingsShape;
  /** Prints of the entries that start the guard, by the host's event name. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
  readonly switches: readonly HookSwitch[];
}

/** A setting that keeps the host from starting hooks where it is `true`. */
export interface HookSwitch {
  readonly key: string;
  /** Below the project's root, or `~/…`; the first file that holds the key decides. */
  readonly files: readonly string[];
}

export type OnError = "deny" | "ask" | "allow";
export type Unsure = "ask" | "deny" | "pass";

/** One host event the guard is registered for, by the host's name. */
export interface EventPlan {
  readonly name: string;
  /** True where a gate, transform or redaction targets it and `on-error` is not `allow`. */
  readonly failClosed: boolean;
}

export type RuleSeverity = "low" | "medium" | "high" | "critical";

export interface RulePlan {
  /** `policy/id`, as shown to the model in brackets. */
  readonly id: string;
  /** `file:line`, for reviewers and `explain`. */
  readonly source: string;
  readonly event: EventKind | "any-event";
  /** Only for `host-event`: the host's event name. */
  readonly hostEvent?: string;
  /** Only for `any-event`: the host's events that `on any` stands for. */
  readonly hostEvents?: readonly string[];
  /** Only at a stop: the agents it is about, `main` being the main one; absent: every agent. */
  readonly agents?: readonly string[];
  /** Any of these; empty where the event has no tool. */
  readonly tools: readonly ToolPattern[];
  readonly effect: EffectPlan;
  readonly when?: ConditionPlan;
  /** Any of these exempts. */
  readonly unless: readonly ConditionPlan[];
  readonly because?: MessagePlan;
  readonly suggest?: MessagePlan;
  readonly severity: RuleSeverity;
  /** What a deny that fires only by doubt becomes. `ask` only where the host can ask. */
  readonly unsure: Unsure;
  /** `YYYY-MM-DD`: enforced from this day on (`disable … until`). */
  readonly from?: string;
  /** Milliseconds for the process or request of this rule (`run`, `succeeds`, `output of`, `forward`). */
  readonly timeout?: number;
  /** Decides and logs what it would have answered, and answers nothing; until that day (`YYYY-MM-DD`) where there is one. */
  readonly observed?: { readonly until?: string };
  /** The effect stands in for this transform on a host that lacks it: it applies only to calls the transform would have changed. */
  readonly wouldChange?: TransformPlan;
}

export type EffectPlan = GatePlan | TransformPlan | TellPlan | SidePlan;

/** `retry` sends the agent back, at most `limit` times in a row for one rule, session and agent. */
export type GatePlan = { readonly kind: "deny" | "ask" | "allow" } | { readonly kind: "retry"; readonly limit: number };

/**
 * Changes arguments before a tool, or its output after it. A `redact` without fields changes nothing that the host is
 * given: its patterns only clean what the guard itself sends out (logs, messages, forwards).
 */
export type TransformPlan =
  | { readonly kind: "set"; readonly field: FieldPath; readonly value: MessagePlan | number }
  | { readonly kind: "replace"; readonly patterns: readonly PatternPlan[]; readonly with: ReplacementPlan; readonly fields: readonly FieldPath[] }
  | { readonly kind: "redact"; readonly patterns: readonly PatternPlan[]; readonly as: MessagePlan; readonly fields: readonly FieldPath[] };

/** Text put in the place of a match; `{ capture: 1 }` is what its first group held. */
export type ReplacementPlan = readonly (string | { readonly field: FieldPath } | { readonly capture: number })[];

export interface TellPlan {
  readonly kind: "tell";
  readonly audience: "model" | "user";
  readonly source:
    | { readonly kind: "text"; readonly text: MessagePlan }
    /** Relative to the project root; a regular file inside it. */
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "output-of"; readonly command: string };
}

/** What a guard does besides answering. Its failure never changes a decision. */
export type SidePlan =
  | { readonly kind: "log"; readonly fields: readonly FieldPath[]; readonly to: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "forward"; readonly fields: readonly FieldPath[]; readonly to: string }
  | { readonly kind: "mark" | "unmark"; readonly name: string };

/** Text for people and models; `{field}` is cut, stripped and quoted when filled in. */
export type MessagePlan = readonly (string | { readonly field: readonly string[] })[];

export type ToolPattern =
  | { readonly kind: "any" }
  | { readonly kind: "class"; readonly name: ToolClass }
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "mcp"; readonly server: NamePattern; readonly tool?: NamePattern }
  | { readonly kind: "agent"; readonly names: readonly string[] };

export interface NamePattern {
  readonly text: string;
  /** True: `text` is a prefix. */
  readonly star: boolean;
}

export type EffectAtom = "touches" | "reads" | "writes" | "deletes";

export type ConditionPlan =
  | { readonly kind: "and" | "or"; readonly of: readonly ConditionPlan[] }
  | { readonly kind: "not"; readonly of: ConditionPlan }
  | ComparePlan
  /** A boolean field. */
  | { readonly kind: "is"; readonly field: FieldPath }
  | { readonly kind: "has"; readonly field: FieldPath }
  | RunsPlan
  | { readonly kind: EffectAtom; readonly globs: readonly GlobPlan[] }
  | { readonly kind: "pipes"; readonly from: readonly CommandPlan[]; readonly into: readonly CommandPlan[] }
  | { readonly kind: "dynamic" }
  /** Exit code 0 of a command of the project, within the rule's time. */
  | { readonly kind: "succeeds"; readonly command: string }
  | { readonly kind: "marked"; readonly name: string };

/** `["command"]`, `["input", "timeout"]`. */
export type FieldPath = readonly string[];

export interface ComparePlan {
  readonly kind: "compare";
  readonly field: FieldPath;
  readonly measure?: "length" | "lower";
  /** `!=`, `!~`, `not in` are `not` around these; `in` is `==` with several values. */
  readonly operator: "~" | "==" | "<" | "<=" | ">" | ">=" | "contains" | "starts-with" | "ends-with" | "matches";
  /** Any of these. */
  readonly values: readonly ValuePlan[];
}

export type ValuePlan =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  /** Compared with a length in UTF-8 bytes. */
  | { readonly kind: "size"; readonly bytes: number }
  | { readonly kind: "field"; readonly field: FieldPath }
  | { readonly kind: "pattern"; readonly pattern: PatternPlan }
  /** All globs of the list together; only with `matches`. */
  | { readonly kind: "globs"; readonly globs: readonly GlobPlan[] };

export interface PatternPlan {
  readonly source: string;
  /** Always with `u`. */
  readonly flags: string;
  /** Text every match holds (lower-cased where the flags have `i`); searched before the pattern runs. */
  readonly literal?: string;
  /** Instead of a literal: texts of which every match holds one. */
  readonly oneOf?: readonly string[];
  /** A text of length l costs at most about l to this power; absent where nothing bounds it but the guard's clock. */
  readonly degree?: number;
}

export interface GlobPlan {
  /** As written, without the `!`. */
  readonly text: string;
  /** True for `!glob`: subtracts. */
  readonly except: boolean;
  /** What the pattern is matched against: the path below the project root, the absolute path, below home, or any tail. */
  readonly base: "root" | "file-system" | "home" | "anywhere";
  /** Anchored regular expressions for the exact and for the case-folded path. */
  readonly exact: string;
  readonly folded: string;
  /** Segments before the first one with a wildcard (`~/.ssh/**`: `[".ssh"]`; after a leading `**` + `/`, those that follow it). */
  readonly start: readonly string[];
}

/** Words of one command; each word is any of its spellings. `git push` is `[["git"], ["push"]]`. */
export type CommandPlan = readonly (readonly string[])[];

export interface RunsPlan {
  readonly kind: "runs";
  readonly only: boolean;
  readonly commands: readonly CommandPlan[];
  /** All of these needed; each is any of its patterns. */
  readonly with: readonly (readonly ArgumentPlan[])[];
  /** None of any of these. */
  readonly without: readonly (readonly ArgumentPlan[])[];
}

export type ArgumentPlan =
  | { readonly kind: "flag"; readonly text: string }
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "pattern"; readonly pattern: PatternPlan };
