/**
 * Findings that no rule shows alone: limits of all rules together, marks that no rule of a host sets, versions an entry
 * needs, events that no host has, tests of events that are not there, grave denials without a backstop.
 */
import type { CheckedProject, CheckedRule } from "../check/checked.ts";
import { conditionsIn, effectsOf } from "../check/visit.ts";
import type { RulePlan } from "../guard/plan.ts";
import type { HookEntry, Host } from "../hosts/host.ts";
import type { Finding, RuleFinding } from "./finding.ts";
import { eventsAt, isAtLeast, supportsAt } from "./moment.ts";
import type { Occasion } from "./moment.ts";
import type { LoweredRule } from "./rule.ts";

type Row = Pick<LoweredRule, "plans"> & { readonly rule: CheckedRule };

/** Of one host's rules together; `project` holds those of the other hosts too. */
export function hostFindings(project: CheckedProject, rows: readonly Row[], entries: readonly HookEntry[], host: Host, occasion: Occasion): readonly RuleFinding[] {
  return [...retryFindings(rows, host), ...markFindings(project, rows, host), ...versionFindings(rows, entries, host, occasion), ...backstopFindings(rows, host)];
}

function retryFindings(rows: readonly Row[], host: Host): readonly RuleFinding[] {
  const most = host.facts.retryCap;
  if (most === undefined) return [];
  let total = 0;
  let isTold = false;
  return rows.flatMap(({ rule, plans }): readonly RuleFinding[] => {
    const { effect } = rule;
    const limit = plans.reduce((sum, { plan }) => sum + (plan.effect.kind === "retry" ? plan.effect.limit : 0), 0);
    if (limit === 0 || effect.kind !== "retry") return [];
    total += limit;
    // Once the sum is passed every further rule passes it too.
    const isOver = limit > most || (total > most && !isTold);
    isTold ||= total > most;
    return isOver ? [{ kind: "retry-cap", rule, host, file: rule.file, span: effect.limitSpan ?? effect.wordSpan, limit, total, most }] : [];
  });
}

/** A mark that no rule sets at all is told by the checks. */
function markFindings(project: CheckedProject, rows: readonly Row[], host: Host): readonly RuleFinding[] {
  const set = new Set(rows.flatMap(({ plans }) => plans.flatMap(({ plan }) => (plan.effect.kind === "mark" ? [plan.effect.name] : []))));
  const elsewhere = new Set(project.rules.flatMap((rule) => effectsOf(rule).flatMap((effect) => (effect.kind === "mark" && !set.has(effect.name) ? [effect.name] : []))));
  return rows.flatMap(({ rule, plans }): readonly RuleFinding[] => {
    if (plans.length === 0) return [];
    const asked = [...(rule.when ? [rule.when] : []), ...rule.unless].flatMap(conditionsIn);
    return asked.flatMap((condition) => (condition.kind === "marked" && elsewhere.has(condition.name) ? [{ kind: "unset-mark" as const, rule, host, file: condition.file, span: condition.span, mark: condition.name }] : []));
  });
}

/** One note for each event (and for posts of the host's own), at the first rule that needs it. */
function versionFindings(rows: readonly Row[], entries: readonly HookEntry[], host: Host, { atLeast }: Occasion): readonly RuleFinding[] {
  const { eventsSince, laterEvents, nativeForwardSince } = host.facts;
  const vouched = new Set(laterEvents.map((later) => later.event));
  const isVouchedFor = (version: string): boolean => atLeast !== undefined && isAtLeast(atLeast, version);
  const findings = entries.flatMap((entry): readonly RuleFinding[] => {
    const version = Object.hasOwn(eventsSince, entry.event) && !vouched.has(entry.event) ? eventsSince[entry.event] : undefined;
    const first = version === undefined ? undefined : rows.find(({ rule }) => rule.event !== "any-event" && eventsAt(rule, host).includes(entry.event) && entry.rules.includes(rule.id));
    return first && version !== undefined && !isVouchedFor(version) ? [{ kind: "min-version", rule: first.rule, host, file: first.rule.file, span: first.rule.rule.trigger?.span ?? first.rule.effect.wordSpan, what: `the event \`${entry.event}\``, version }] : [];
  });
  const posting = nativeForwardSince === undefined || entries.every((entry) => entry.posts === undefined) ? undefined : rows.find(({ rule, plans }) => rule.effect.kind === "forward" && plans.length === 0);
  return posting && nativeForwardSince !== undefined && !isVouchedFor(nativeForwardSince)
    ? [...findings, { kind: "min-version", rule: posting.rule, host, file: posting.rule.file, span: posting.rule.effect.wordSpan, what: "a hook that posts to an address", version: nativeForwardSince }]
    : findings;
}

function backstopFindings(rows: readonly Row[], host: Host): readonly RuleFinding[] {
  if (host.facts.backstop === "strict") return [];
  return rows.flatMap(({ rule, plans }): readonly RuleFinding[] => {
    const isGrave = (rule.severity === "high" || rule.severity === "critical") && plans.some(({ plan }) => isEnforcedDenial(plan));
    return isGrave ? [{ kind: "no-backstop", rule, host, file: rule.file, span: rule.effect.wordSpan, rules: 1 }] : [];
  });
}

function isEnforcedDenial({ effect, observed }: RulePlan): boolean {
  return effect.kind === "deny" && (observed === undefined || observed.until !== undefined);
}

/** `findings` of every targeted host go in; what is said once for the project is put together. */
export function projectFindings(project: CheckedProject, targets: readonly Host[], findings: readonly Finding[]): readonly Finding[] {
  return [...withUnknownEvents(withOneBackstop(project, findings), targets), ...deadPermissions(project, targets), ...stepFindings(project, targets)];
}

/** One warning for all grave denials: nobody should have to silence the same fact at every rule. */
function withOneBackstop(project: CheckedProject, findings: readonly Finding[]): readonly Finding[] {
  const open = findings.flatMap((finding) => (finding.kind === "no-backstop" ? [finding] : []));
  const rules = new Set(open.map(({ rule }) => rule.id)).size;
  const roots = new Set(project.files.map(({ file }) => file));
  // What comes in by `use` alone was accepted where the pack was written.
  const order = new Map(project.rules.map((rule, index) => [rule, index]));
  const [first] = open.filter(({ rule }) => roots.has(rule.file)).sort((left, right) => (order.get(left.rule) ?? 0) - (order.get(right.rule) ?? 0));
  const hosts = new Map(open.map(({ host }) => [host.id, host]));
  return [...findings.filter(({ kind }) => kind !== "no-backstop"), ...(first ? [...hosts.values()].map((host) => ({ ...first, host, rules })) : [])];
}

/** An event in quotes that none of the rule's hosts has is a mistyped name, not a gap. */
function withUnknownEvents(findings: readonly Finding[], targets: readonly Host[]): readonly Finding[] {
  return findings.flatMap((finding): readonly Finding[] => {
    if (finding.kind !== "unsupported-effect") return [finding];
    const { rule, host } = finding;
    const event = rule.hostEvent;
    const concerned = targets.filter((target) => rule.hosts.includes(target.id));
    if (event === undefined || concerned.some((target) => target.facts.eventNames.includes(event))) return [finding];
    const span = rule.rule.trigger?.kind === "on" ? rule.rule.trigger.event.span : finding.span;
    return [{ kind: "unknown-event", rule, host, file: rule.file, span, event }];
  });
}

/** Permission strings are left out where a host cannot read them; where none can, the rule would do nothing at all. */
function deadPermissions(project: CheckedProject, targets: readonly Host[]): readonly Finding[] {
  return project.rules.flatMap((rule): readonly Finding[] => {
    const hosts = targets.filter((host) => rule.hosts.includes(host.id));
    if (rule.effect.kind !== "permission" || rule.limited || hosts.some((host) => supportsAt("permission", rule, host))) return [];
    return hosts.map((host) => ({ kind: "unsupported-effect", rule, host, file: rule.file, effect: "permission", span: rule.effect.wordSpan }));
  });
}

function stepFindings(project: CheckedProject, targets: readonly Host[]): readonly Finding[] {
  return project.tests.flatMap((test) =>
    test.steps.flatMap((step) =>
      targets
        .filter((host) => test.hosts.includes(host.id) && eventsAt({ event: step.event, ...(step.hostEvent !== undefined && { hostEvent: step.hostEvent }), ...(step.agent !== undefined && { agents: [step.agent] }) }, host).length === 0)
        .map((host) => ({ kind: "no-such-step" as const, host, file: test.file, span: step.span })),
    ),
  );
}
