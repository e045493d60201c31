/**
 * Names of rules. Where the author gave none, the name is made from the rule's normal form, so that moving or re-indenting
 * a rule keeps its name, and what silences, disables or tests it by that name.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile } from "../diagnostics/diagnostic.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Effect, Name, Rule } from "../syntax/ast.ts";
import type { CheckedCondition } from "./checked.ts";
import type { Report } from "./report.ts";
import type { Moment } from "./trigger.ts";

/** What makes two rules the same rule; `undefined` parts were refused. */
export interface Essence {
  readonly rule: Rule;
  readonly file: SourceFile;
  readonly moment: Moment | undefined;
  readonly when: CheckedCondition | undefined;
  readonly unless: readonly CheckedCondition[];
  /** Of the rule's own `for`. */
  readonly hosts: readonly string[];
}

export interface Identified {
  readonly id: string;
  readonly named: boolean;
}

/**
 * Ids of one file's rules, in the same order. `taken` holds `name/id` of the project so far and receives the new ones;
 * `name` is the file's.
 */
export function identifyRules(rules: readonly Essence[], name: string, taken: Map<string, { readonly file: SourceFile; readonly name: Name | undefined }>, report: Report): readonly Identified[] {
  const ids = new Array<Identified | undefined>(rules.length);
  // Written ids first: a made one gives way to them, wherever it stands.
  rules.forEach(({ rule, file }, index) => {
    const written = rule.clauses.find((clause) => clause.kind === "id");
    if (written?.kind !== "id") return;
    const id = written.name.text;
    const before = taken.get(`${name}/${id}`);
    ids[index] = { id, named: true };
    if (!before) {
      taken.set(`${name}/${id}`, { file, name: written.name });
      return;
    }
    report(
      diagnose("check/duplicate-id", { id: before.file === file ? id : `${name}/${id}` }, {
        file,
        span: written.name.span,
        ...(before.name && { labels: [{ span: before.name.span, text: "first here", ...(before.file !== file && { file: before.file }) }] }),
        help: { text: before.file === file ? "give each rule an id of its own" : `give one of the two files another name: \`policy NAME\`` },
      }),
    );
  });
  return rules.map((essence, index) => {
    const known = ids[index];
    if (known) return known;
    const made = madeId(essence);
    let id = made;
    for (let turn = 2; taken.has(`${name}/${id}`); turn++) id = `${made}-${turn}`;
    taken.set(`${name}/${id}`, { file: essence.file, name: undefined });
    return { id, named: false };
  });
}

function madeId(essence: Essence): string {
  const { effect } = essence.rule;
  const hash = fingerprint(JSON.stringify(normalForm(essence))).slice(0, 4);
  return [effect.kind, effect.kind === "permission" ? "" : subjectOf(essence.moment), hash].filter((part) => part !== "").join("-");
}

/** `bash`, `shell`, `mcp`, `stop`: the first thing the rule is about. */
function subjectOf(moment: Moment | undefined): string {
  if (!moment) return "";
  const [first, second] = moment.tools;
  if (!first) return moment.event === "host-event" ? wordOf(moment.hostEvent ?? "") : moment.event;
  const { pattern } = first;
  switch (pattern.kind) {
    case "any":
    case "mcp":
    case "agent":
      return pattern.kind;
    case "tool":
      return wordOf(pattern.name);
    case "class":
      return second?.span === first.span ? "shell" : pattern.name;
    default:
      return pattern satisfies never;
  }
}

function wordOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/**
 * Everything that decides what a rule does, nothing of how it is written: no places, no order of tools or of the parts of
 * `and` and `or`, no brackets.
 */
export function normalForm({ rule, file, moment, when, unless, hosts }: Essence): unknown {
  const whole = moment !== undefined && (rule.when === undefined || when !== undefined) && unless.length === rule.clauses.filter((clause) => clause.kind === "unless").length;
  // A rule that was refused still gets a name that does not depend on its layout.
  if (!whole) return file.text.slice(rule.span.start, rule.span.end).replace(/\s+/g, " ");
  return {
    effect: plainEffect(rule.effect),
    event: moment.event,
    hostEvent: moment.hostEvent,
    agents: moment.agents && sorted(moment.agents),
    tools: sorted(moment.tools.map(({ pattern }) => pattern)),
    when: when && normalCondition(when),
    unless: sorted(unless.map(normalCondition)),
    hosts: sorted(hosts),
  };
}

function plainEffect(effect: Effect): unknown {
  return withoutPlaces(effect);
}

function normalCondition(condition: CheckedCondition): unknown {
  switch (condition.kind) {
    case "and":
    case "or":
      return { kind: condition.kind, of: sorted(flattened(condition, condition.kind).map(normalCondition)) };
    case "not":
      return condition.of.kind === "not" ? normalCondition(condition.of.of) : { kind: "not", of: normalCondition(condition.of) };
    default:
      return withoutPlaces(condition);
  }
}

function flattened(condition: CheckedCondition, kind: "and" | "or"): readonly CheckedCondition[] {
  return condition.kind === kind ? condition.of.flatMap((part) => flattened(part, kind)) : [condition];
}

function sorted(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).entries()].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, value]) => value);
}

const placeKeys: ReadonlySet<string> = new Set(["span", "wordSpan", "bodySpan", "flagsSpan", "operatorSpan", "file", "definition", "home", "template", "form"]);

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !placeKeys.has(key)).map(([key, inner]) => [key, withoutPlaces(inner)]));
}
