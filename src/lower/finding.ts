/**
 * What lowering found wrong, host by host, and the diagnostics it becomes: one for each place in the source, naming every
 * host it concerns, because one mistake must not be told three times.
 */
import type { CheckedRule } from "../check/checked.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { EffectKind, Host } from "../hosts/host.ts";
import type { FieldFinding } from "./field.ts";
import { diagnoseEffect } from "./finding-effect.ts";
import { listed } from "./listing.ts";

export type Finding = RuleFinding | ProjectFinding;

export type RuleFinding = { readonly rule: CheckedRule; readonly host: Host; readonly file: SourceFile; readonly span: Span } & (
  | { readonly kind: "unsupported-effect"; readonly effect: EffectKind }
  | { readonly kind: "no-such-tool"; readonly tool: string }
  | { readonly kind: "unknown-event"; readonly event: string }
  | { readonly kind: "closed-event"; readonly effect: string; readonly why: string }
  | FieldFinding
  | { readonly kind: "shell-gap"; readonly tool: string; readonly misses: readonly string[] }
  | { readonly kind: "partial-redaction"; readonly why: string }
  | { readonly kind: "context-cap"; readonly length: number; readonly most: number }
  | { readonly kind: "unset-mark"; readonly mark: string }
  /** `total`: of this rule and those before it. */
  | { readonly kind: "retry-cap"; readonly limit: number; readonly total: number; readonly most: number }
  | { readonly kind: "min-version"; readonly what: string; readonly version: string }
  /** `rules`: how many depend on it; the first of a root file is the one it is told at. */
  | { readonly kind: "no-backstop"; readonly rules: number }
);

/** What no single rule is at fault for; `at` is one that has a part in it. */
export type ProjectFinding = { readonly host: Host } & (
  | { readonly kind: "timeout-budget"; readonly event: string; readonly seconds: number; /** The rule that may spend most. */ readonly at: { readonly file: SourceFile; readonly span: Span } | undefined }
  /** A step of a test is about an event that the host does not have. */
  | { readonly kind: "no-such-step"; readonly file: SourceFile; readonly span: Span }
);

/** `hosts` are all targeted ones, so that a message can say which of them are not at fault. */
export function diagnoseFindings(findings: readonly Finding[], hosts: readonly Host[]): readonly Diagnostic[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const concerned = [...new Set(group.map((finding) => finding.host))];
    return [first.kind === "timeout-budget" ? diagnoseBudget(first, group) : first.kind === "no-such-step" ? diagnoseStep(first, concerned) : diagnoseGroup(first, group, concerned, hosts)];
  });
}

function keyOf(finding: Finding): string {
  if (finding.kind === "timeout-budget") return [finding.host.id, finding.kind, finding.seconds, finding.at?.file.path, finding.at?.span.start].join(" ");
  return [finding.file.path, finding.span.start, finding.kind, finding.kind === "no-such-step" ? "" : detailOf(finding)].join(" ");
}

/** What keeps two findings of one kind at one place apart. */
function detailOf(finding: RuleFinding): string {
  switch (finding.kind) {
    case "unsupported-effect":
      return finding.effect;
    case "no-such-tool":
      return finding.tool;
    case "absent-field":
    case "constant-field":
    case "status-trap":
      return finding.field;
    case "absent-value":
      return `${finding.field} ${finding.value}`;
    case "min-version":
      return `${finding.host.id} ${finding.what}`;
    case "unknown-event":
    case "closed-event":
    case "shell-gap":
    case "partial-redaction":
    case "context-cap":
    case "unset-mark":
    case "no-backstop":
      return "";
    case "retry-cap":
      return String(finding.limit > finding.most);
    default:
      return finding satisfies never;
  }
}

function diagnoseGroup(finding: RuleFinding, group: readonly Finding[], concerned: readonly Host[], hosts: readonly Host[]): Diagnostic {
  const titles = listed(concerned.map((host) => host.title));
  const several = concerned.length > 1;
  const place = { file: finding.file, span: finding.span };
  const limit = forLine(finding.rule, concerned);
  switch (finding.kind) {
    case "unsupported-effect":
      return diagnoseEffect(finding, finding.effect, concerned, hosts);
    case "no-such-tool":
      return diagnose("host/no-such-tool", { hosts: titles, tool: finding.tool, several }, {
        ...place,
        notes: ["A rule about a tool that is not there would be listed as a protection and match nothing."],
        help: {
          text: "limit the rule to the hosts that have the tool, or accept the gap",
          lines: [...limit, "  else skip          # accept the gap; it is listed in the build report"],
        },
      });
    case "unknown-event": {
      const names = [...new Set(concerned.flatMap((host) => host.facts.eventNames))];
      const near = nearest(finding.event, names);
      const help = near.length > 0 ? `did you mean ${eitherOf(near.map((name) => `on "${name}"`))}?` : `the events of ${titles} are ${names.map((name) => `"${name}"`).join(", ")}`;
      return diagnose("check/unknown-name", { kind: "event", name: finding.event }, { ...place, help: { text: help } });
    }
    case "closed-event":
      return diagnose("check/effect-on-event", { effect: finding.effect, event: `on "${finding.rule.hostEvent}"` }, { ...place, notes: [`No rule can be about it: ${finding.why}.`], help: { text: "take another event" } });
    case "absent-field": {
      const near = nearest(finding.field.replace(/^input\./, ""), finding.known);
      const text = near.length > 0 ? `did you mean ${eitherOf(near.map((name) => `input.${name}`))}?` : finding.known.length > 0 ? `the fields are ${finding.known.map((name) => `\`input.${name}\``).join(", ")}` : "limit the rule to the hosts that send it, or test another field";
      return diagnose("check/unknown-field", { field: finding.field, where: `${finding.rule.hostEvent === undefined ? "" : ` at "${finding.rule.hostEvent}"`} on ${titles}` }, {
        ...place,
        notes: ["The field would always be missing there, and a test on it always come out the same."],
        help: { text, lines: limit },
      });
    }
    case "constant-field":
      return diagnose("host/constant-field", { hosts: titles, field: finding.field }, {
        ...place,
        notes: group.flatMap((one) => (one.kind === "constant-field" ? [`${one.host.id}: ${one.why}`] : [])),
        help: { text: "limit the rule to the other hosts, or test another field", lines: limit },
      });
    case "absent-value":
      return diagnose("host/constant-field", { hosts: titles, field: finding.field, value: finding.value }, {
        ...place,
        notes: group.flatMap((one) => (one.kind === "absent-value" ? [`${one.host.id}: ${one.why}`] : [])),
        help: { text: "take the value out, or limit the rule to the other hosts", lines: limit },
      });
    case "status-trap":
      return diagnose("host/status-trap", { hosts: titles, several }, {
        ...place,
        notes: group.flatMap((one) => (one.kind === "status-trap" ? [`${one.host.id}: ${one.why}`] : [])),
        help: { text: "test `exit == 0`, or what the `output` says", lines: limit },
      });
    case "shell-gap":
      return diagnose("host/background-shell-gap", { hosts: titles, tool: finding.tool, misses: listed(finding.misses.map((name) => `\`${name}\``)) }, {
        ...place,
        notes: ["A name in quotes is that one tool. What it leaves out runs commands just the same, and the agent chooses which of them it uses."],
        help: { text: "name the class, which is every tool that runs commands: `bash`" },
      });
    case "partial-redaction":
      return diagnose("host/partial-redaction", { hosts: titles, effect: finding.rule.effect.kind, several }, {
        ...place,
        notes: group.flatMap((one) => (one.kind === "partial-redaction" ? [`${one.host.id}: ${one.why}`] : [])),
        help: { text: "where that is acceptable, say so", lines: ["  else skip          # accept what remains; it is listed in the build report"] },
      });
    case "context-cap":
      return diagnose("host/context-cap", { hosts: titles, length: finding.length, most: finding.most, several }, {
        ...place,
        help: { text: "shorten the text, or put it in a file of the project and tell the model where" },
      });
    case "unset-mark":
      return diagnose("check/unknown-reference", { problem: `no rule sets the mark \`${finding.mark}\` on ${titles}` }, {
        ...place,
        notes: ["Marks are kept by each host's own guard: one that is set on another host is never there."],
        help: { text: "let the rule that sets it apply there too, or limit this one", lines: limit },
      });
    case "retry-cap":
      return diagnose("host/retry-cap", { caps: listed(concerned.map(({ title, facts }) => `${title} ${facts.retryCap}`)), limit: finding.limit, total: finding.total, alone: finding.limit > finding.most }, {
        ...place,
        notes: ["Past that number the host ends the turn, whatever the guard answers."],
        help: { text: finding.limit > finding.most ? `write \`limit ${Math.min(...concerned.map(({ facts }) => facts.retryCap ?? finding.most))}\` or less` : "lower the limits, or make one rule of several" },
      });
    case "min-version":
      return diagnose("host/min-version", { host: titles, what: finding.what, version: finding.version }, {
        ...place,
        notes: ["An older version does not know it, and some versions ignore every hook of a file that names something they do not know."],
        help: { text: `make sure that nobody uses an older one than ${finding.version}`, lines: limit },
      });
    case "no-backstop":
      return diagnose("host/no-backstop", { hosts: titles, rules: finding.rules, several }, {
        ...place,
        notes: ["There is no switch that makes a failed hook refuse the call. The command line does so for a missing `node`, a missing guard and a crash; a hook that the host ends for taking too long lets the call through."],
        help: { text: "where that is acceptable, say so once, on the line above this rule: `# policyc: allow host/no-backstop: REASON`" },
      });
    default:
      return finding satisfies never;
  }
}

function diagnoseBudget({ host, seconds, at }: Extract<ProjectFinding, { readonly kind: "timeout-budget" }>, group: readonly Finding[]): Diagnostic {
  const events = group.flatMap((one) => (one.kind === "timeout-budget" ? [`\`${one.event}\``] : []));
  return diagnose("host/timeout-budget", { host: host.title, events: listed(events), several: events.length > 1, seconds, most: host.facts.timeout.most }, {
    ...at,
    notes: ["The entry's time is the guard's deadline, what the event's rules may spend on processes and requests, and 5 s for starting and answering."],
    help: { text: at ? "lower the `timeout` of rules on this event, or `default timeout`" : "lower `default timeout`" },
  });
}

function diagnoseStep({ file, span }: Extract<ProjectFinding, { readonly kind: "no-such-step" }>, concerned: readonly Host[]): Diagnostic {
  return diagnose("check/no-host", { what: "step", hosts: listed(concerned.map((host) => host.title)), event: true }, {
    file,
    span,
    help: { text: "name the test's hosts: `test \"…\" for HOST`" },
  });
}

function forLine(rule: CheckedRule, concerned: readonly Host[]): readonly string[] {
  const named = new Set(concerned.map((host) => host.id));
  const others = rule.hosts.filter((id) => !named.has(id));
  return others.length === 0 ? [] : [`  for ${others.join(", ")}`.padEnd(21) + `# the rule is only about ${listed(others)}`];
}
