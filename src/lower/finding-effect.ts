/**
 * The diagnostic of an effect that a host lacks: what it needs, what each targeted host says to it, and the ways out.
 */
import type { CheckedRule } from "../check/checked.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { EffectKind, Host } from "../hosts/host.ts";
import { listed } from "./listing.ts";
import { eventsAt, supportsAt } from "./moment.ts";

interface Lack {
  readonly rule: CheckedRule;
  readonly file: SourceFile;
  readonly span: Span;
}

/** After "cannot". */
const abilities: Readonly<Record<EffectKind, string>> = {
  deny: "deny",
  ask: "ask",
  allow: "skip the host's own permission prompt",
  retry: "send the agent back",
  set: "change arguments",
  replace: "change arguments",
  redact: "change arguments",
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
  mark: "`mark` and `unmark` need a host that starts hooks at this moment.",
  permission: "`permission` hands the host its own permission strings, so the host must have such a list.",
};

const noMoment = "it has no such event";

export function diagnoseEffect({ rule, file, span }: Lack, effect: EffectKind, concerned: readonly Host[], hosts: readonly Host[]): Diagnostic {
  const able = hosts.filter((host) => rule.hosts.includes(host.id) && !concerned.includes(host));
  const answers = hosts.map((host) => `${host.id}: ${answerOf(effect, rule, host, concerned.includes(host))}`);
  const isGate = effect === "deny" || effect === "ask";
  const ability = rule.event === "after-tool" && (effect === "set" || effect === "replace" || effect === "redact") ? "change an output" : abilities[effect];
  const canDeny = concerned.every((host) => supportsAt("deny", rule, host));
  const stands = canDeny && (effect === "ask" || effect === "set" || effect === "replace" || effect === "redact") && rule.effect.span.start === span.start;
  return diagnose("host/unsupported-effect", { hosts: listed(concerned.map((host) => host.title)), effect: ability, moment: momentOf(rule, effect) }, {
    file,
    span,
    notes: [
      [needs[effect], ...answers].join("\n  "),
      isGate ? "Nothing is generated, because leaving the rule out there would make the policy weaker." : "Nothing is generated, because there the policy would say one thing and do another.",
    ],
    help: {
      text: effect === "permission" ? "target a host that reads such strings, or write a rule for the guard instead" : "say what should happen on those hosts, or limit the rule",
      lines: [
        ...(stands ? [`  else deny          # refuse${effect === "ask" ? "" : " what it would change"} on ${listed(concerned.map((host) => host.id))}`] : []),
        ...(effect === "permission" ? [] : ["  else skip          # accept the gap; it is listed in the build report"]),
        ...(able.length > 0 ? [`  for ${able.map((host) => host.id).join(", ")}`.padEnd(21) + `# the rule is only about ${listed(able.map((host) => host.id))}`] : []),
      ],
    },
  });
}

function answerOf(effect: EffectKind, rule: CheckedRule, host: Host, isConcerned: boolean): string {
  if (supportsAt(effect, rule, host)) return isConcerned ? "not together with a refusal" : "yes";
  if (effect !== "permission" && eventsAt(rule, host).length === 0) return `no (${rule.event === "stop" && rule.agents !== undefined ? "it tells of the main agent's stop only" : noMoment})`;
  return `no (${host.facts.lacks[effect] ?? noMoment})`;
}

/** How the moment is named after an effect; nothing for the usual one. */
const moments: Readonly<Record<CheckedRule["event"], string>> = {
  "before-tool": "",
  "after-tool": " after a tool",
  prompt: " on a prompt",
  "session-start": " when a session starts",
  stop: " when the agent stops",
  "before-compact": " before a compaction",
  "after-compact": " after a compaction",
  "host-event": " on this event",
  "any-event": "",
};

function momentOf({ event, agents }: CheckedRule, effect: EffectKind): string {
  if (event === "stop" && agents !== undefined) return ` when ${listed(agents.map((agent) => `\`${agent}\``))} ${agents.length > 1 ? "stop" : "stops"}`;
  // Text for the model before a tool is what most hosts lack, and after one what most of them have.
  return event === "before-tool" && effect === "tell-model" ? " before a tool" : moments[event];
}
