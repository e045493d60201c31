/**
 * One rule: trigger, effect, conditions and clauses, each held against the others. What comes out is a draft: its name and
 * the hosts of its file are added when the project is put together.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { RuleSeverity } from "../guard/plan.ts";
import type { Clause, Condition, Regex, Rule, Text } from "../syntax/ast.ts";
import type { CheckedCondition, CheckedEffect, CheckedExample, CheckedFallback } from "./checked.ts";
import { mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import type { Conditions } from "./condition.ts";
import { checkConditionFields } from "./condition-fields.ts";
import { checkHosts } from "./declaration.ts";
import { checkEffect, spendsTime } from "./effect.ts";
import type { Setting } from "./effect.ts";
import { checkExample } from "./example.ts";
import type { LoadedFile } from "./load.ts";
import { checkMessage } from "./message.ts";
import { refusalAt } from "./moment.ts";
import { mostParts } from "./names.ts";
import type { Names } from "./names.ts";
import { checkNeedsOnly } from "./needs-only.ts";
import { watch } from "./report.ts";
import type { Report } from "./report.ts";
import { checkTrigger } from "./trigger.ts";
import type { Moment } from "./trigger.ts";

export interface RuleDraft {
  readonly home: LoadedFile;
  readonly rule: Rule;
  /** False where an error was found: the rule has a name, and is not built. */
  readonly sound: boolean;
  /** `undefined` where the trigger was refused; a `permission` has no trigger. */
  readonly moment: Moment | undefined;
  /** `undefined` where it was refused. */
  readonly effect: CheckedEffect | undefined;
  readonly when: CheckedCondition | undefined;
  readonly unless: readonly CheckedCondition[];
  /** Of the rule's own `for`, else every host. */
  readonly hosts: readonly string[];
  readonly limited: boolean;
  readonly severity: RuleSeverity;
  readonly because: Text | undefined;
  readonly suggest: Text | undefined;
  readonly otherwise: CheckedFallback | undefined;
  /** Milliseconds. */
  readonly timeout: number | undefined;
  readonly also: readonly CheckedEffect[];
  readonly examples: readonly CheckedExample[];
}

export interface RuleContext {
  readonly names: Names;
  readonly conditions: Conditions;
  readonly refused: ReadonlySet<Regex>;
  /** Every host there is. */
  readonly hosts: readonly string[];
  /** Of the file, where it counts: in a root file. */
  readonly targets: readonly string[];
  readonly isRoot: boolean;
}

const severities: readonly RuleSeverity[] = ["low", "medium", "high", "critical"];

/** Stands for the trigger of `permission`, whose strings say themselves what they are about. */
const ofPermission: Moment = { event: "before-tool", tools: [], words: "in the host's own rules" };

export function checkRule(rule: Rule, home: LoadedFile, context: RuleContext, outer: Report): RuleDraft {
  const { report, failed } = watch(outer);
  const place: Place = { home, names: context.names, refused: context.refused, report };
  const file = home.file;
  const clauses = once(rule, file, report);
  const moment = rule.trigger ? checkTrigger(rule.trigger, file, report) : ofPermission;
  const setting: Setting = { rule, file, moment, place };

  const effect = checkEffect(rule.effect, setting);
  const conditions = checkConditions(rule, setting, context, report);

  const { hosts, limited } = checkFor(clauses.get("for"), file, context, report);
  const severity = checkSeverity(clauses.get("severity"), file, report);
  const because = textOf(clauses.get("because"), setting);
  const suggest = textOf(clauses.get("suggest"), setting);
  const otherwise = checkElse(clauses.get("else"), setting);
  checkLimit(clauses.get("limit"), setting);
  const also = rule.clauses.flatMap((clause) => {
    if (clause.kind !== "also") return [];
    if (rule.effect.kind === "permission" && clause.effect.kind !== "permission") mismatch(place, clause.effect.span, "`permission` is about no moment at which anything else could be done", "write a rule of its own");
    return [checkEffect(clause.effect, setting)];
  });
  const effects = [effect, ...also, ...(otherwise === "refused" ? [undefined] : otherwise?.kind === "effect" ? [otherwise.effect] : [])];
  const timeout = checkTimeout(clauses.get("timeout"), effects, conditions, setting);
  const applies = context.isRoot ? hosts.filter((host) => context.targets.includes(host)) : hosts;
  const examples = rule.clauses.flatMap((clause) => (clause.kind === "example" ? checkExample(clause, effect, applies, context.hosts, setting) : []));

  // A condition may have been refused where it is defined, which is not in this rule.
  const whole = (rule.when === undefined || conditions.when !== undefined) && conditions.unless.length === rule.clauses.filter((clause) => clause.kind === "unless").length;
  if (moment && whole) checkNeedsOnly({ rule, file, ...conditions }, moment, report);
  return {
    home,
    rule,
    // A pattern is refused where it is written, which may be elsewhere too.
    sound: whole && effects.every((one) => one !== undefined) && !failed(),
    moment,
    effect,
    ...conditions,
    hosts,
    limited,
    severity,
    because,
    suggest,
    otherwise: otherwise === "refused" ? undefined : otherwise,
    timeout,
    also: also.filter((one) => one !== undefined),
    examples,
  };
}

type ClauseKind = Clause["kind"];
/** `id` and `severity` share a node, and so do `because` and `suggest`: the node whose kinds include K. */
type ClauseOf<K> = Clause extends infer C ? (C extends { readonly kind: infer Kinds } ? (K extends Kinds ? C : never) : never) : never;
type Clauses = { get<K extends ClauseKind>(kind: K): ClauseOf<K> | undefined };

const repeatable: ReadonlySet<ClauseKind> = new Set(["unless", "also", "example"]);

/** The first clause of each kind; a second one of those that may stand once is reported. */
function once(rule: Rule, file: SourceFile, report: Report): Clauses {
  const first = new Map<ClauseKind, Clause>();
  for (const clause of rule.clauses) {
    const before = first.get(clause.kind);
    if (!before) first.set(clause.kind, clause);
    else if (!repeatable.has(clause.kind)) {
      report(diagnose("check/duplicate-clause", { word: clause.kind, per: "rule" }, { file, span: clause.span, labels: [{ span: before.span, text: "first here" }], help: { text: clause.kind === "for" ? "one `for` takes several hosts: `for claude, vibe`" : "keep one of them" } }));
    }
  }
  return { get: <K extends ClauseKind>(kind: K) => first.get(kind) as ClauseOf<K> | undefined };
}

function checkConditions(rule: Rule, setting: Setting, { names, conditions }: RuleContext, report: Report): { readonly when: CheckedCondition | undefined; readonly unless: readonly CheckedCondition[] } {
  const exceptions = rule.clauses.flatMap((clause) => (clause.kind === "unless" ? [clause.condition] : []));
  const all = [...(rule.when ? [rule.when] : []), ...exceptions];
  const { moment, place, file } = setting;
  if (rule.effect.kind === "permission") {
    for (const condition of all) mismatch(place, condition.span, "`permission` is the host's own rule, and takes no condition", "say it in the string, or write a `deny` rule");
  }
  const parts = all.reduce((sum, condition) => sum + names.sizeOf(condition, place.home), 0);
  if (parts > mostParts) {
    report(diagnose("check/too-large", { what: "this rule", most: mostParts }, { file, span: rule.effect.wordSpan, help: { text: "split the rule" } }));
    return { when: undefined, unless: [] };
  }
  const lower = (condition: Condition) => {
    if (moment) checkConditionFields(condition, moment, rule, place.home, names, report);
    return conditions.lower(condition, place);
  };
  return { when: rule.when && lower(rule.when), unless: exceptions.flatMap((condition) => lower(condition) ?? []) };
}

function checkFor(clause: ClauseOf<"for"> | undefined, file: SourceFile, context: RuleContext, report: Report): { readonly hosts: readonly string[]; readonly limited: boolean } {
  if (!clause) return { hosts: context.hosts, limited: false };
  const hosts = checkHosts(clause.hosts, context.hosts, file, report);
  // Of an imported file only the hosts of its users count, and those may be others than its own.
  if (context.isRoot && hosts.length > 0 && !hosts.some((host) => context.targets.includes(host))) {
    report(diagnose("check/no-host", { what: "rule", hosts: hosts.join(", ") }, { file, span: clause.span, help: { text: `this file targets ${context.targets.join(", ")}: add the host to its \`target\` line, or take the rule out` } }));
  }
  return { hosts, limited: true };
}

function checkSeverity(clause: ClauseOf<"severity"> | undefined, file: SourceFile, report: Report): RuleSeverity {
  if (!clause) return "medium";
  const { text, span } = clause.name;
  const known = severities.find((severity) => severity === text);
  if (known) return known;
  const near = nearest(text, severities);
  report(diagnose("check/unknown-name", { kind: "severity", name: text }, { file, span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `it is one of ${severities.join(", ")}` } }));
  return "medium";
}

function textOf(clause: ClauseOf<"because"> | undefined, { rule, file, moment, place }: Setting): Text | undefined {
  if (!clause) return undefined;
  if (moment && rule.trigger) checkMessage(clause.text, moment, { rule, file }, place.report);
  return clause.text;
}

function checkElse(clause: ClauseOf<"else"> | undefined, setting: Setting): CheckedFallback | "refused" | undefined {
  if (!clause) return undefined;
  const { rule, place, file, moment } = setting;
  const { action } = clause;
  if (action.kind === "effect") {
    const effect = checkEffect(action.effect, setting);
    return effect ? { kind: "effect", effect, span: action.span } : "refused";
  }
  const refusal = moment && action.kind !== "skip" ? refusalAt(action.kind, moment) : undefined;
  if (refusal && moment) place.report(diagnose("check/effect-on-event", { effect: action.kind, event: moment.words }, { file, span: action.span, notes: [refusal.note], help: refusal.help }));
  else if (action.kind === rule.effect.kind) mismatch(place, action.span, `\`else ${action.kind}\` is what the rule does anyway`, "`else` says what happens on hosts that cannot do it: `else skip` accepts the gap");
  else if (rule.effect.kind === "permission" && action.kind !== "skip") mismatch(place, action.span, `\`permission\` names no tool that could be ${action.kind === "deny" ? "denied" : "asked about"} instead`, `write a rule of its own: \`${action.kind} bash when …\``);
  return { kind: action.kind, span: action.span };
}

/** `timeout` is for what a rule starts; the guard's own time is `default timeout`. */
function checkTimeout(clause: ClauseOf<"timeout"> | undefined, effects: readonly (CheckedEffect | undefined)[], { when, unless }: Pick<RuleDraft, "when" | "unless">, { rule, place }: Setting): number | undefined {
  if (!clause) return undefined;
  const { milliseconds, span } = clause.duration;
  if (milliseconds <= 0) mismatch(place, span, "a time limit of nothing stops everything", "write `5s`");
  // What was refused may have been what the time is for.
  const isKnown = effects.every((effect) => effect !== undefined) && (rule.when === undefined || when !== undefined);
  const spends = effects.some((effect) => effect !== undefined && spendsTime(effect)) || [...(when ? [when] : []), ...unless].some(startsProcess);
  if (isKnown && !spends) mismatch(place, clause.span, "this rule starts nothing that a `timeout` could stop", "`timeout` is for `run`, `succeeds`, `output of` and `forward`; the guard's own time is `default timeout`");
  return milliseconds;
}

function startsProcess(condition: CheckedCondition): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some(startsProcess);
  return condition.kind === "not" ? startsProcess(condition.of) : condition.kind === "succeeds";
}

function checkLimit(clause: ClauseOf<"limit"> | undefined, { rule, place }: Setting): void {
  if (!clause) return;
  if (rule.effect.kind !== "retry") mismatch(place, clause.span, `\`limit\` counts how often an agent is sent back, and this rule says \`${rule.effect.kind}\``, "`limit` is for `retry on stop`");
  else if (!Number.isInteger(clause.count.value) || clause.count.value < 1) mismatch(place, clause.count.span, "`limit` is a whole number of at least 1", "write `limit 1`, which is the default");
}
