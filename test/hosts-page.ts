/** Prints the hosts part of the README from the facts that host modules state: effects, limits and versions by host. */
import type { EventKind } from "../src/guard/vocabulary.ts";
import { eventKinds } from "../src/guard/vocabulary.ts";
import type { EffectKind, Host, Scope, Surroundings } from "../src/hosts/host.ts";
import { placeIn } from "../src/hosts/place.ts";
import { documented } from "../src/verify/failures.ts";

export const begin = "<!-- Printed from the facts below src/hosts/ by test/hosts-page.test.ts. -->";
export const end = "<!-- End of what is printed. -->";

export function hostsPage(hosts: readonly Host[]): string {
  const rows = [...effectRows, ...limitRows, ...failureRows].map(([name, cell]) => `| ${name} | ${hosts.map((host) => escaped(cell(host))).join(" | ")} |`);
  const head = [`| | ${hosts.map(({ title }) => title).join(" | ")} |`, `| --- |${hosts.map(() => " --- |").join("")}`];
  return [[...head, ...rows].join("\n"), ...hosts.map(limitsOf)].join("\n\n");
}

type TableRow = readonly [name: string, cell: (host: Host) => string];

/** Effects whose words differ and whose hosts and moments do not share a row. */
const effectRows: readonly TableRow[] = [
  ["`deny`", (host) => moments(host, "deny")],
  ["`ask`", (host) => moments(host, "ask")],
  ["`allow`", (host) => moments(host, "allow")],
  ["`retry`", (host) => moments(host, "retry")],
  ["`set` `replace` `redact`", (host) => together(host, ["set", "replace", "redact"])],
  ["`tell model`", (host) => moments(host, "tell-model")],
  ["`tell user`", (host) => moments(host, "tell-user")],
  ["`log` `run` `forward` `mark`", (host) => together(host, ["log", "run", "forward", "mark"])],
  ["`permission deny`", ({ facts }) => (facts.supports("permission", "before-tool") ? "yes" : "no")],
];

const named: Readonly<Record<Exclude<EventKind, "host-event">, string>> = {
  "before-tool": "before tools", "after-tool": "after tools", prompt: "prompts", "session-start": "session starts", stop: "stops", "before-compact": "before compaction", "after-compact": "after compaction",
};
const portable = eventKinds.filter((kind) => kind !== "host-event");

/** Where the effect is: portable moments by name, the host's own events by their number. */
function moments({ facts }: Host, effect: EffectKind): string {
  const had = portable.filter((kind) => facts.events[kind] !== undefined);
  const able = had.filter((kind) => facts.supports(effect, kind));
  const own = facts.eventNames.filter((name) => !Object.values(facts.events).flat().includes(name) && facts.closedEvents[name] === undefined && !facts.laterEvents.some(({ event }) => event === name));
  const quoted = own.filter((name) => facts.supports(effect, "host-event", name)).length;
  if (able.length === 0 && quoted === 0) return "no";
  if (able.length === had.length && quoted === own.length) return "at every event";
  return [...able.map((kind) => named[kind]), ...(quoted > 0 ? [`${quoted} events in quotes`] : [])].join(", ");
}

function together(host: Host, effects: readonly EffectKind[]): string {
  const [cell, ...others] = [...new Set(effects.map((effect) => moments(host, effect)))];
  if (cell === undefined || others.length > 0) throw new Error(`${effects.join(", ")} differ on ${host.id} and need rows of their own`);
  return cell;
}

const around: Surroundings = { platform: "linux", home: "~", node: "/usr/bin/node", environment: {} };

function place(host: Host, scope: Scope): string {
  const layout = host.layoutIn(scope, around);
  return layout === undefined ? "no" : `\`${placeIn(layout, layout.settings)}\``;
}

const limitRows: readonly TableRow[] = [
  ["known from", ({ facts }) => facts.knownFrom],
  ["settings, `--scope project`", (host) => place(host, "project")],
  ["`--scope user`", (host) => place(host, "user")],
  ["`--scope plugin`", (host) => place(host, "plugin")],
  ["`--scope enforced` (Linux)", (host) => place(host, "enforced")],
  ["events; `on any` means", ({ facts }) => (facts.anyEvents.length === facts.eventNames.length ? `${facts.eventNames.length}; all` : `${facts.eventNames.length}; ${facts.anyEvents.map((name) => `\`${name}\``).join(" ")}`)],
  ["events that older versions lack", ({ facts }) => listed(Object.entries(facts.eventsSince).map(([event, since]) => `\`${event}\` ${since}`))],
  ["`on stop of`", ({ facts }) => (facts.stopAgents === "every" ? "any agent" : "`main`")],
  ["most `retry` in a turn", ({ facts }) => (facts.retryCap === undefined ? "-" : `${facts.retryCap}`)],
  ["most context for the model", ({ facts }) => (facts.contextCap === undefined ? "-" : `${grouped(facts.contextCap)} characters`)],
  ["most that a guard may print", ({ facts }) => (facts.outputCap === undefined ? "-" : `${grouped(facts.outputCap)} bytes`)],
  ["longest time-out of an entry", ({ facts }) => `${facts.timeout.most} s`],
  ["`--native-https`", ({ facts }) => (facts.nativeForward ? `yes${facts.nativeForwardSince === undefined ? "" : `, from ${facts.nativeForwardSince}`}` : "no")],
];

/** What is done where a guard of a rule that has to hold, or of one that only logs, gives no answer. */
function then(host: Host, kind: EventKind, failure: "ended" | "late", bound: boolean): string {
  const event = host.facts.events[kind]?.[0];
  if (event === undefined) return "-";
  const fact = documented(host, event, failure, bound);
  if (fact === undefined) return "-";
  // The gaps are what a reader has to see.
  return bound && fact.outcome === "goes-on" ? `**${fact.then}**` : fact.then;
}

const failureRows: readonly TableRow[] = [
  ["a gate's guard is missing or crashes: the host", (host) => then(host, "before-tool", "ended", true)],
  ["it is cut off by the host's time-out", (host) => then(host, "before-tool", "late", true)],
  ["the same after a tool", (host) => (host.facts.supports("redact", "after-tool") ? then(host, "after-tool", "ended", true) : "-")],
  ["the same at a stop", (host) => (host.facts.supports("retry", "stop") ? then(host, "stop", "ended", true) : "-")],
  ["a guard that only logs is missing", (host) => then(host, "before-tool", "ended", false)],
];

function limitsOf({ title, facts }: Host): string {
  const fields = facts.absentFields.map((field) => `\`${field}\``);
  const sentences = [
    ...facts.limits,
    ...(facts.partialOutput === undefined ? [] : [facts.partialOutput]),
    ...(facts.shellStatus === undefined ? [] : [facts.shellStatus]),
    ...Object.entries(facts.constantFields).map(([field, why]) => `\`${field}\`: ${why}`),
    ...(facts.silentDenials ?? []).map((kind) => `a message for the person is not shown beside a refusal ${kind === "before-tool" ? "before a tool" : named[kind as keyof typeof named]}`),
    ...(fields.length > 0 ? [`no payload has ${fields.join(", ")}`] : []),
  ];
  return `${title}:\n\n${sentences.map((sentence) => `* ${sentence}`).join("\n")}`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "-" : items.join(", ");
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}
