/**
 * What a build tells people and machines: which files were read, which rule guards what on which host, what was accepted
 * or switched off, and what happened to every output.
 */
import type { CheckedRule } from "../check/checked.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Outputs } from "./outputs.ts";
import { renderTable } from "./terminal.ts";
import type { Style } from "./terminal.ts";

/** What a rule does on one host. `skip`: nothing, and the author said so. `undefined`: the rule is not for the host. */
type OnHost = string | undefined;

export interface RuleRow {
  readonly id: string;
  readonly source: string;
  /** `deny write, edit`: the rule up to its condition. */
  readonly what: string;
  readonly hosts: Readonly<Record<string, OnHost>>;
}

export function ruleRows({ project, lowered }: Outputs): readonly RuleRow[] {
  return project.rules.map((rule) => ({
    id: rule.id,
    source: `${rule.file.path}:${rule.file.text.slice(0, rule.rule.span.start).split("\n").length}`,
    what: headOf(rule),
    hosts: Object.fromEntries(
      lowered.map(({ host, plan, gaps }): [string, OnHost] => {
        if (!rule.hosts.includes(host.id)) return [host.id, undefined];
        const own = gaps.find((gap) => gap.rule === rule.id && gap.lacks === rule.effect.kind);
        if (own) return [host.id, own.instead ?? "skip"];
        const planned = plan.rules.find((candidate) => candidate.id === rule.id);
        if (planned) return [host.id, planned.effect.kind];
        if (gaps.some((gap) => gap.rule === rule.id)) return [host.id, "skip"];
        return [host.id, rule.effect.kind === "permission" && host.facts.supports("permission", "before-tool") ? "permission" : undefined];
      }),
    ),
  }));
}

function headOf({ rule, file }: CheckedRule): string {
  const end = rule.trigger?.span.end ?? rule.effect.span.end;
  const head = file.text.slice(rule.effect.span.start, end).replace(/\s+/g, " ");
  return head.length > 48 ? `${head.slice(0, 47)}…` : head;
}

export interface GapRow {
  readonly rule: string;
  readonly lacks: string;
  readonly hosts: readonly string[];
  /** The effect that stands in, if any does. */
  readonly instead: string | undefined;
}

/** Accepted gaps, hosts with the same one together. */
export function gapRows({ lowered }: Outputs): readonly GapRow[] {
  const rows = new Map<string, GapRow>();
  for (const { host, gaps } of lowered) {
    for (const { rule, lacks, instead } of gaps) {
      const key = JSON.stringify([rule, lacks, instead]);
      rows.set(key, { rule, lacks, instead, hosts: [...(rows.get(key)?.hosts ?? []), host.id] });
    }
  }
  return [...rows.values()];
}

export interface DisabledRow {
  readonly rule: string;
  readonly because: string;
  /** From this day on it is enforced again. */
  readonly until: string | undefined;
}

export function disabledRows({ project }: Outputs): readonly DisabledRow[] {
  const gone = project.files.flatMap((file) => file.disabled.map((one) => ({ ...one, until: undefined })));
  const dated = project.rules.flatMap((rule) => (rule.from === undefined ? [] : [{ rule: rule.id, because: rule.offBecause ?? "", until: rule.from }]));
  return [...gone, ...dated];
}

export interface ObservedRow {
  readonly rule: string;
  /** From this day on it answers. */
  readonly until: string | undefined;
}

/** Rules that decide and answer nothing: a build in which nobody notices them would look like protection. */
export function observedRows({ project }: Pick<Outputs, "project">): readonly ObservedRow[] {
  return project.rules.flatMap((rule) => (rule.observed === undefined ? [] : [{ rule: rule.id, until: rule.observed.until }]));
}

/** Everything but the diagnostics. `verb` says how an output's state is told: what was done, or what would be. */
export function renderSummary(outputs: Outputs, verb: (state: Outputs["outputs"][number]["state"]) => string, style: Style): string {
  const { project, lowered, source } = outputs;
  const rules = ruleRows(outputs);
  const hosts = lowered.map(({ host }) => host.id);
  const blocks = [
    `${style.strong(project.name)}: ${counted(rules.length, "rule")} for ${hosts.join(", ") || "no host"} in ${quoted(source.title)}\n`,
    block("Read", source.files().map((path) => [path]), style),
    block("Rules", [["", "", ...hosts], ...rules.map((row) => [row.id, row.what, ...hosts.map((host) => row.hosts[host] ?? "-")])], style),
    block("Accepted gaps", gapRows(outputs).map((gap) => [gap.rule, `no \`${gap.lacks}\` on ${gap.hosts.join(", ")}`, gap.instead ? `${gap.instead} stands in` : "the rule does nothing there"]), style),
    block("Disabled", disabledRows(outputs).map((row) => [row.rule, row.because, row.until ? `enforced again from ${row.until}` : ""]), style),
    block("Observed", observedRows(outputs).map((row) => [row.rule, row.until ? `answers from ${row.until} on` : "answers nothing, logs what it would"]), style),
    block("Outputs", outputs.outputs.filter((output) => output.before !== undefined || output.after !== undefined).map((output) => [verb(output.state), output.path]), style),
  ];
  return blocks.join("");
}

function block(title: string, rows: readonly (readonly string[])[], style: Style): string {
  const filled = rows.filter((row) => row.some((cell) => cell !== ""));
  const isEmpty = filled.length === 0 || (title === "Rules" && filled.length === 1);
  return isEmpty ? "" : `\n${style.strong(title)}\n${renderTable(filled, "  ")}`;
}

/** Warnings and notes one line per code, most severe first; `check` prints them whole. */
export function renderFindingCounts(diagnostics: readonly Diagnostic[]): string {
  const counts = new Map<string, { readonly severity: string; readonly count: number }>();
  for (const { code, severity } of diagnostics) {
    if (severity !== "error") counts.set(code, { severity, count: (counts.get(code)?.count ?? 0) + 1 });
  }
  const rows = [...counts].sort(([left, { severity: first }], [right, { severity: second }]) => (first === second ? (left < right ? -1 : 1) : first === "warning" ? -1 : 1));
  if (rows.length === 0) return "";
  return `\n${renderTable(rows.map(([code, { severity, count }]) => [severity, code, `${count}x`]))}\`policyc check\` shows them whole.\n`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function quoted(path: string): string {
  return `\`${path}\``;
}
