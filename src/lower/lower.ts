/**
 * A checked project and one host go in; the guard's plan, the hook entries and the native permission strings come out.
 * What the host cannot do becomes a finding, or a gap the author accepted, never a weaker rule.
 */
import type { CheckedProject, CheckedRule } from "../check/checked.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { ConditionPlan, GuardPlan, RulePlan } from "../guard/plan.ts";
import type { HookEntry, Host, Scope } from "../hosts/host.ts";
import { budgetOf, eventPlans, lowerEntries, namesOf } from "./entries.ts";
import type { Post } from "./entries.ts";
import { diagnoseFindings } from "./finding.ts";
import type { Finding } from "./finding.ts";
import type { Occasion } from "./moment.ts";
import { hostFindings, projectFindings } from "./project-findings.ts";
import { lowerRule, possible } from "./rule.ts";
import type { Gap } from "./rule.ts";

export interface Lowered {
  readonly host: Host;
  readonly plan: GuardPlan;
  readonly entries: readonly HookEntry[];
  /** Native permission strings, in file order, each once. */
  readonly denials: readonly string[];
  readonly gaps: readonly Gap[];
  readonly origins: Origins;
  /** What is wrong on this host; `diagnoseFindings` merges those of all hosts into diagnostics. */
  readonly findings: readonly Finding[];
}

/** Where a part of the plan comes from. Of several plans of one rule the first is what the rule itself says. */
export interface Origin {
  readonly rule: CheckedRule;
  readonly file: SourceFile;
  readonly span: Span;
}
export type Origins = ReadonlyMap<RulePlan | ConditionPlan, Origin>;

/** How a build differs from the usual one: a project's own guards, for every version of the hosts. */
export interface BuildOptions {
  readonly scope?: Scope;
  /** The oldest version in use by host id, where the author vouches for one (`--min-version`). */
  readonly minVersions?: Readonly<Record<string, string>>;
  /** Hosts that can post to an address do so themselves (`--native-https`). */
  readonly nativeHttps?: boolean;
}

/** Lowers for every host that some file of the project is for, and says once what is wrong on which of them. */
export function lowerForHosts(project: CheckedProject, hosts: readonly Host[], policyc: string, options: BuildOptions = {}): { readonly lowered: readonly Lowered[]; readonly diagnostics: readonly Diagnostic[] } {
  const targets = hosts.filter((host) => project.files.some((file) => file.targets.includes(host.id)));
  const lowered = targets.map((host) => lowerProject(project, host, policyc, options));
  const findings = projectFindings(project, targets, lowered.flatMap((one) => one.findings));
  return { lowered, diagnostics: findings.length === 0 ? [] : diagnoseFindings(findings, targets) };
}

/** `policyc` is the version that makes the guard. */
export function lowerProject(project: CheckedProject, host: Host, policyc: string, options: BuildOptions = {}): Lowered {
  const { scope = "project", minVersions = {}, nativeHttps = false } = options;
  const atLeast = Object.hasOwn(minVersions, host.id) ? minVersions[host.id] : undefined;
  const occasion: Occasion = { ...(atLeast !== undefined && { atLeast }), nativeHttps };
  const origins = new Map<RulePlan | ConditionPlan, Origin>();
  const posts = new Map<string, Post[]>();
  const lowered = project.rules.filter((rule) => rule.hosts.includes(host.id)).map((rule) => ({ rule, ...lowerRule(rule, host, occasion) }));
  for (const one of lowered) {
    for (const { plan, span } of one.plans) if (span) origins.set(plan, { rule: one.rule, file: one.rule.file, span });
    for (const [plan, condition] of one.conditions) origins.set(plan, { rule: one.rule, file: condition.file, span: condition.span });
    for (const { event, post } of one.posts) posts.set(event, [...(posts.get(event) ?? []), post]);
  }

  const rules = lowered.flatMap((one) => one.plans.map(({ plan }) => plan));
  const onError = possible(project.onError, host, "before-tool");
  const mode = isObserving(project, host) ? "observe" : undefined;
  const entries = lowerEntries({ rules, posts, onError, mode, deadline: project.deadline }, host, occasion);
  const plan: GuardPlan = {
    policyc,
    host: host.id,
    name: project.name,
    sources: sourcesOf(project, host),
    scope,
    ...(scope !== "project" && host.facts.rootVariable !== undefined && { rootVariable: host.facts.rootVariable }),
    onError,
    ...(mode && { mode }),
    ...(project.state !== undefined && { state: project.state }),
    deadline: project.deadline,
    events: eventPlans(entries),
    rules,
  };
  const findings: Finding[] = [...lowered.flatMap((one) => one.findings), ...hostFindings(project, lowered, entries, host, occasion)];
  for (const { event, timeout } of entries) if (timeout > host.facts.timeout.most) findings.push({ kind: "timeout-budget", host, event, seconds: timeout, at: costliest(event, lowered, host, occasion) });
  return { host, plan, entries, denials: [...new Set(lowered.flatMap((one) => one.denials))], gaps: lowered.flatMap((one) => one.gaps), origins, findings };
}

/** The rule of the event that may spend most. */
function costliest(event: string, lowered: readonly { readonly rule: CheckedRule; readonly plans: readonly { readonly plan: RulePlan }[] }[], host: Host, occasion: Occasion) {
  const costs = lowered.map(({ rule, plans }) => ({ rule, cost: budgetOf(plans.map(({ plan }) => plan).filter((plan) => namesOf(plan, host, occasion).includes(event))) }));
  const most = costs.reduce<(typeof costs)[number] | undefined>((worst, one) => (one.cost > (worst?.cost ?? 0) ? one : worst), undefined);
  if (!most) return undefined;
  const { rule } = most;
  return { file: rule.file, span: rule.rule.clauses.find((clause) => clause.kind === "timeout")?.span ?? rule.effect.wordSpan };
}

/** Every file for the host says `default mode observe`; where only some do, their rules are observed one by one. */
function isObserving(project: CheckedProject, host: Host): boolean {
  const files = project.files.filter((file) => file.targets.includes(host.id));
  return files.length > 0 && files.every((file) => file.mode === "observe");
}

/** Root files for this host and every file whose rules it got, in byte order. */
function sourcesOf(project: CheckedProject, host: Host): readonly string[] {
  const roots = project.files.filter((file) => file.targets.includes(host.id)).map((file) => file.file.path);
  const used = project.rules.filter((rule) => rule.hosts.includes(host.id)).map((rule) => rule.file.path);
  return [...new Set([...roots, ...used])].sort((first, second) => Buffer.compare(Buffer.from(first), Buffer.from(second)));
}
