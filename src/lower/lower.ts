/**
 * A checked project and one host go in; the guard's plan, the hook entries and the native permission strings come out.
 * What the host cannot do becomes a finding, or a gap the author accepted, never a weaker rule.
 */
import type { CheckedCondition, CheckedProject, CheckedRule } from "../check/checked.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { ConditionPlan, EffectPlan, GuardPlan, MessagePlan, OnError, RulePlan, RuleSeverity, Unsure } from "../guard/plan.ts";
import type { HookEntry, Host } from "../hosts/host.ts";
import type { Text } from "../syntax/ast.ts";
import { lowerCondition } from "./condition.ts";
import { lowerEffect } from "./effect.ts";
import { entrySeconds, eventPlans, lowerEntries } from "./entries.ts";
import { fieldFindings } from "./field.ts";
import { diagnoseFindings } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { lowerTools } from "./tools.ts";

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

/** Something the host does not do as written, and the author said what then. */
export interface Gap {
  /** `policy/id`. */
  readonly rule: string;
  /** What is missing: an effect word, or a tool class. */
  readonly lacks: string;
  /** The effect that stands in; `undefined` where the rule does nothing on the host. */
  readonly instead: EffectPlan["kind"] | undefined;
}

/** Where a part of the plan comes from. */
export interface Origin {
  readonly rule: CheckedRule;
  readonly file: SourceFile;
  readonly span: Span;
}
export type Origins = ReadonlyMap<RulePlan | ConditionPlan, Origin>;

/** Lowers for every host that some file of the project is for, and says once what is wrong on which of them. */
export function lowerForHosts(project: CheckedProject, hosts: readonly Host[], policyc: string): { readonly lowered: readonly Lowered[]; readonly diagnostics: readonly Diagnostic[] } {
  const targets = hosts.filter((host) => project.files.some((file) => file.targets.includes(host.id)));
  const lowered = targets.map((host) => lowerProject(project, host, policyc));
  const findings = [...lowered.flatMap((one) => one.findings), ...deadPermissions(project, targets)];
  return { lowered, diagnostics: diagnoseFindings(findings, targets) };
}

/** Permission strings are left out where a host cannot read them; where none can, the rule would do nothing at all. */
function deadPermissions(project: CheckedProject, targets: readonly Host[]): readonly Finding[] {
  return project.rules.flatMap((rule): Finding[] => {
    const hosts = targets.filter((host) => rule.hosts.includes(host.id));
    if (rule.effect.kind !== "permission" || hosts.some((host) => lowerEffect(rule, host).kind !== "elsewhere")) return [];
    return hosts.map((host) => ({ kind: "unsupported-effect", rule, host, file: rule.file, effect: "permission", span: rule.effect.wordSpan }));
  });
}

/** `policyc` is the version that makes the guard. */
export function lowerProject(project: CheckedProject, host: Host, policyc: string): Lowered {
  const rules: RulePlan[] = [];
  const denials = new Set<string>();
  const gaps: Gap[] = [];
  const origins = new Map<RulePlan | ConditionPlan, Origin>();
  const findings: Finding[] = [];

  for (const rule of project.rules.filter((candidate) => candidate.hosts.includes(host.id))) {
    const place = { rule, host, file: rule.file };
    for (const denial of permissionsOf(rule)) if (host.facts.supports("permission", rule.event)) denials.add(denial);
    const effect = lowerEffect(rule, host);
    if (effect.kind === "missing") findings.push({ ...place, kind: "unsupported-effect", effect: effect.effect, span: effect.span });
    if (effect.kind === "skipped") gaps.push({ rule: rule.id, lacks: rule.effect.kind, instead: undefined });
    if (effect.kind !== "gate") continue;

    const tools = lowerTools(rule, host);
    const acceptsMissing = rule.otherwise?.kind === "skip";
    for (const { span, pattern } of tools.missing) {
      if (acceptsMissing) gaps.push({ rule: rule.id, lacks: toolName(pattern), instead: undefined });
      else findings.push({ ...place, kind: "no-such-tool", tool: toolName(pattern), span });
    }
    // Fail closed: a rule that has lost all its tools matches nothing; it must not become one without a tool test.
    if (rule.tools.length > 0 && tools.patterns.length === 0) continue;

    if (effect.instead) gaps.push({ rule: rule.id, lacks: rule.effect.kind, instead: effect.plan.kind });
    findings.push(...fieldFindings(rule, host).map((finding) => ({ ...place, ...finding })));
    if (effect.plan.kind === "deny" && isGrave(rule.severity) && host.facts.backstop !== "strict") {
      findings.push({ ...place, kind: "no-backstop", span: rule.effect.wordSpan });
    }
    const plan = rulePlan(rule, effect.plan, tools.patterns, host, (part, condition) => origins.set(part, { rule, file: condition.file, span: condition.span }));
    origins.set(plan, { rule, file: rule.file, span: rule.rule.span });
    rules.push(plan);
  }

  const onError = possible(project.onError, host);
  const entries = lowerEntries(rules, onError, project.deadline, host);
  if (entries.length > 0 && entrySeconds(project.deadline, host) > host.facts.timeout.most) {
    findings.push({ kind: "timeout-budget", host, seconds: entrySeconds(project.deadline, host) });
  }
  const plan: GuardPlan = {
    policyc,
    host: host.id,
    name: project.name,
    sources: sourcesOf(project, host),
    scope: "project",
    onError,
    deadline: project.deadline,
    events: eventPlans(entries),
    rules,
  };
  return { host, plan, entries, denials: [...denials], gaps, origins, findings };
}

function rulePlan(
  rule: CheckedRule,
  effect: EffectPlan,
  tools: RulePlan["tools"],
  host: Host,
  remember: (plan: ConditionPlan, condition: CheckedCondition) => void,
): RulePlan {
  return {
    id: rule.id,
    source: `${rule.file.path}:${lineAt(rule.file.text, rule.rule.span.start)}`,
    event: rule.event,
    ...(rule.hostEvent !== undefined && { hostEvent: rule.hostEvent }),
    tools,
    effect,
    ...(rule.when && { when: lowerCondition(rule.when, remember) }),
    unless: rule.unless.map((condition) => lowerCondition(condition, remember)),
    ...(rule.because && { because: messagePlan(rule.because) }),
    ...(rule.suggest && { suggest: messagePlan(rule.suggest) }),
    severity: rule.severity,
    unsure: possible(rule.unsure, host),
    ...(rule.from !== undefined && { from: rule.from }),
  };
}

/** `ask` is a deny where nobody can be asked. */
function possible<Answer extends OnError | Unsure>(answer: Answer, host: Host): Answer | "deny" {
  return answer === "ask" && !host.facts.supports("ask", "before-tool") ? "deny" : answer;
}

function isGrave(severity: RuleSeverity): boolean {
  return severity === "high" || severity === "critical";
}

function permissionsOf(rule: CheckedRule): readonly string[] {
  return [rule.effect, ...rule.also].flatMap((effect) => (effect.kind === "permission" ? effect.denials.map((denial) => denial.value) : []));
}

function messagePlan(text: Text): MessagePlan {
  return text.template.map((part) => {
    if (part.kind === "literal") return part.text;
    return part.kind === "field" ? { field: part.path } : `{${part.index}}`;
  });
}

function toolName(pattern: CheckedRule["tools"][number]["pattern"]): string {
  return pattern.kind === "class" || pattern.kind === "tool" ? pattern.name : pattern.kind;
}

/** Root files for this host and every file whose rules it got, in byte order. */
function sourcesOf(project: CheckedProject, host: Host): readonly string[] {
  const roots = project.files.filter((file) => file.targets.includes(host.id)).map((file) => file.file.path);
  const used = project.rules.filter((rule) => rule.hosts.includes(host.id)).map((rule) => rule.file.path);
  return [...new Set([...roots, ...used])].sort((first, second) => Buffer.compare(Buffer.from(first), Buffer.from(second)));
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
