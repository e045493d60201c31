/**
 * What lowering found wrong, host by host, and the diagnostics it becomes: one for each place in the source, naming every
 * host it concerns, because one mistake must not be told three times.
 */
import type { CheckedRule } from "../check/checked.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { EventKind } from "../guard/vocabulary.ts";
import type { EffectKind, Host } from "../hosts/host.ts";

export type Finding = RuleFinding | { readonly kind: "timeout-budget"; readonly host: Host; readonly seconds: number };

type RuleFinding = { readonly rule: CheckedRule; readonly host: Host; readonly file: SourceFile; readonly span: Span } & (
  | { readonly kind: "unsupported-effect"; readonly effect: EffectKind }
  | { readonly kind: "no-such-tool"; readonly tool: string }
  | { readonly kind: "absent-field" | "constant-field"; readonly field: string }
  | { readonly kind: "no-backstop" }
);

/** `hosts` are all targeted ones, so that a message can say which of them are not at fault. */
export function diagnoseFindings(findings: readonly Finding[], hosts: readonly Host[]): readonly Diagnostic[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = finding.kind === "timeout-budget" ? `${finding.host.id} ${finding.kind}` : [finding.file.path, finding.span.start, finding.kind, detailOf(finding)].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [diagnoseGroup(first, group.map((finding) => finding.host), hosts)];
  });
}

function detailOf(finding: RuleFinding): string {
  switch (finding.kind) {
    case "unsupported-effect":
      return finding.effect;
    case "no-such-tool":
      return finding.tool;
    case "absent-field":
    case "constant-field":
      return finding.field;
    case "no-backstop":
      return "";
    default:
      return finding satisfies never;
  }
}

function diagnoseGroup(finding: Finding, concerned: readonly Host[], hosts: readonly Host[]): Diagnostic {
  const titles = listed(concerned.map((host) => host.title));
  switch (finding.kind) {
    case "unsupported-effect":
      return diagnoseEffect(finding, finding.effect, concerned, hosts);
    case "no-such-tool":
      return diagnose("host/no-such-tool", { hosts: titles, tool: finding.tool, several: concerned.length > 1 }, {
        file: finding.file,
        span: finding.span,
        notes: ["A rule about a tool that is not there would be listed as a protection and match nothing."],
        help: {
          text: "limit the rule to the hosts that have the tool, or accept the gap",
          lines: [...forLine(finding.rule, concerned), "  else skip          # accept the gap; it is listed in the build report"],
        },
      });
    case "absent-field":
      return diagnose("check/unknown-field", { field: finding.field, where: ` on ${titles}` }, {
        file: finding.file,
        span: finding.span,
        notes: ["The field would always be missing there, and a test on it always come out the same."],
        help: { text: "limit the rule to the hosts that send it, or test another field", lines: forLine(finding.rule, concerned) },
      });
    case "constant-field":
      return diagnose("host/constant-field", { hosts: titles, field: finding.field }, {
        file: finding.file,
        span: finding.span,
        notes: concerned.map((host) => `${host.id}: ${host.facts.constantFields[finding.field] ?? ""}`),
        help: { text: "limit the rule to the other hosts, or test another field", lines: forLine(finding.rule, concerned) },
      });
    case "no-backstop":
      return diagnose("host/no-backstop", { hosts: titles, rule: finding.rule.id, several: concerned.length > 1 }, {
        file: finding.file,
        span: finding.span,
        notes: ["There is no switch that makes a failed hook refuse the call. The command line does so for a missing `node`, a missing guard and a crash; a hook that the host ends for taking too long lets the call through."],
        help: { text: "where that is acceptable, say so on the line above: `# policyc: allow host/no-backstop: REASON`" },
      });
    case "timeout-budget":
      return diagnose("host/timeout-budget", { host: finding.host.title, seconds: finding.seconds, most: finding.host.facts.timeout.most }, {
        notes: ["The entry's time is the guard's deadline, what its rules may spend, and 5 s for starting and answering."],
        help: { text: "lower `default timeout`" },
      });
    default:
      return finding satisfies never;
  }
}

/** After "cannot". */
const abilities: Readonly<Record<EffectKind, string>> = {
  deny: "deny",
  ask: "ask",
  allow: "skip the host's own permission prompt",
  retry: "send the agent back",
  set: "change arguments",
  replace: "change arguments",
  redact: "change what it shows",
  "tell-model": "add text for the model",
  "tell-user": "show a message to the person",
  log: "log",
  run: "start a command",
  forward: "forward the event",
  mark: "keep a mark",
  permission: "read permission strings",
};

/** What a host must be able to do for the effect to mean something. */
const needs: Readonly<Record<EffectKind, string>> = {
  deny: "`deny` needs a host that lets a hook refuse at this moment.",
  ask: "`ask` needs a host that can put a question to a person in the middle of a tool call.",
  allow: "`allow` needs a host whose hooks can answer its own permission prompt.",
  retry: "`retry` needs a host that lets a hook keep the agent going.",
  set: "`set` needs a host that takes other arguments or another output from a hook.",
  replace: "`replace` needs a host that takes other arguments or another output from a hook.",
  redact: "`redact` needs a host that takes other arguments or another output from a hook.",
  "tell-model": "`tell model` needs a host that hands text of a hook to the model at this moment.",
  "tell-user": "`tell user` needs a host that shows text of a hook to the person at this moment.",
  log: "`log` needs a host that starts hooks at this moment.",
  run: "`run` needs a host that starts hooks at this moment.",
  forward: "`forward` needs a host that starts hooks at this moment.",
  mark: "`mark` needs a host that starts hooks at this moment.",
  permission: "`permission` hands the host its own permission strings, so the host must have such a list.",
};

function diagnoseEffect(finding: RuleFinding, effect: EffectKind, concerned: readonly Host[], hosts: readonly Host[]): Diagnostic {
  const { rule } = finding;
  const able = hosts.filter((host) => rule.hosts.includes(host.id) && !concerned.includes(host));
  const answers = hosts.map((host) => {
    if (host.facts.supports(effect, rule.event)) return `${host.id}: yes`;
    return `${host.id}: no (${host.facts.lacks[effect] ?? "it has no such moment"})`;
  });
  const weaker = effect === "deny" || effect === "ask";
  return diagnose("host/unsupported-effect", { hosts: listed(concerned.map((host) => host.title)), effect: abilities[effect], moment: moments[rule.event] }, {
    file: finding.file,
    span: finding.span,
    notes: [
      [needs[effect], ...answers].join("\n  "),
      weaker ? "Nothing is generated, because leaving the rule out there would make the policy weaker." : "Nothing is generated, because there the policy would say one thing and do another.",
    ],
    help: {
      text: effect === "permission" ? "target a host that reads such strings, or write a rule for the guard instead" : "say what should happen on those hosts, or limit the rule",
      lines: [
        ...(effect === "ask" ? [`  else deny          # refuse on ${listed(concerned.map((host) => host.id))}`] : []),
        ...(effect === "permission" ? [] : ["  else skip          # accept the gap; it is listed in the build report"]),
        ...(able.length > 0 ? [`  for ${able.map((host) => host.id).join(", ")}`.padEnd(21) + `# the rule is only about ${listed(able.map((host) => host.id))}`] : []),
      ],
    },
  });
}

/** How the moment is named after an effect; nothing for the usual one. */
const moments: Readonly<Record<EventKind, string>> = {
  "before-tool": "",
  "after-tool": " after a tool",
  prompt: " on a prompt",
  "session-start": " when a session starts",
  stop: " when the agent stops",
  "before-compact": " before a compaction",
  "after-compact": " after a compaction",
  "host-event": " on this event",
};

function forLine(rule: CheckedRule, concerned: readonly Host[]): readonly string[] {
  const others = rule.hosts.filter((id) => !concerned.some((host) => host.id === id));
  return others.length === 0 ? [] : [`  for ${others.join(", ")}`.padEnd(21) + `# the rule is only about ${listed(others)}`];
}

/** `Vibe`, `Vibe and Bob`, `Claude, Vibe and Bob`. */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
