/**
 * What a rule does, held against the moment it is about: gates only where they mean something, fields that exist, patterns
 * and commands of the right kind.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Help, SourceFile } from "../diagnostics/diagnostic.ts";
import type { DollarReference, Effect, Field, NumberLiteral, Pattern, Regex, Rule, Source, Text } from "../syntax/ast.ts";
import { mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import { isAvailable, textAt, typeOfField, unavailableField } from "./field.ts";
import { checkAddress, checkCommandText, checkMessage } from "./message.ts";
import { mustWait } from "./not-yet.ts";
import { groupsOf } from "./pattern.ts";
import type { Moment } from "./trigger.ts";
import { flatten } from "./values.ts";

/** A rule with what its texts and fields are about; `moment` is absent where the trigger was refused. */
export interface Setting {
  readonly rule: Rule;
  readonly file: SourceFile;
  readonly moment: Moment | undefined;
  readonly place: Place;
}

/** `position`: the rule's own effect, or one that stands behind `also` or `else`. */
export function checkEffect(effect: Effect, position: "rule" | "also" | "else", setting: Setting): void {
  const { moment, place, file } = setting;
  if (moment) checkMoment(effect, moment, file, place);
  checkParts(effect, setting);
  if (position !== "rule" && effect.kind !== "permission") {
    mustWait(position, file, effect.span, place.report);
    return;
  }
  const { kind } = effect;
  if (kind !== "deny" && kind !== "ask" && kind !== "allow" && kind !== "permission") mustWait(kind, file, effect.wordSpan, place.report);
}

/** Events whose answer the host needs to go on: a guard that answers anything would break what it watches. */
const untouchable: ReadonlySet<string> = new Set(["WorktreeCreate", "MessageDisplay"]);

function checkMoment(effect: Effect, moment: Moment, file: SourceFile, place: Place): void {
  const help = refusalOf(effect.kind, moment);
  if (help === undefined) return;
  place.report(diagnose("check/effect-on-event", { effect: effect.kind, event: moment.words }, { file, span: effect.wordSpan, notes: [...help.notes], help: help.help }));
}

/** Why an effect has no meaning at a moment; `undefined` where it has one. The table of LANGUAGE.md 3.2. */
function refusalOf(kind: Effect["kind"], moment: Moment): { readonly notes: readonly string[]; readonly help: Help } | undefined {
  const { event } = moment;
  if (event === "host-event" && untouchable.has(moment.hostEvent ?? "")) {
    return { notes: [`The host waits for this hook's own output on "${moment.hostEvent}": a guard that answers there would break it.`], help: { text: "take another event" } };
  }
  const onAny = event === "any-event" && (kind === "deny" || kind === "ask" || kind === "allow" || kind === "retry");
  if (onAny) return { notes: ["`on any` is every event of a host, most of which cannot be stopped."], help: { text: `\`${kind} any\` is about every tool call` } };
  switch (kind) {
    case "deny":
      if (event === "stop") return { notes: ["A stop cannot be refused; the agent can be sent back to work."], help: { text: "use `retry on stop`: the agent continues, with the reason as a message" } };
      if (event === "session-start") return { notes: ["A session cannot be refused by a hook."], help: { text: "refuse its tools or prompts: `deny any`, `deny on prompt`" } };
      if (event === "after-compact") return { notes: ["It has happened already."], help: { text: "use `deny before compact`" } };
      return undefined;
    case "ask":
      if (event === "before-tool") return undefined;
      return { notes: ["A person can confirm a tool call, and nothing else."], help: { text: askHelp(event) } };
    case "allow":
      if (event === "before-tool") return undefined;
      return { notes: ["`allow` skips the host's confirmation of a tool call; there is none to skip here."], help: { text: "take the rule out: what no rule refuses goes on" } };
    case "retry":
      if (event === "stop") return undefined;
      return { notes: ["Only an agent that stops can be sent back to work."], help: { text: event === "before-tool" || event === "after-tool" || event === "prompt" || event === "before-compact" ? "use `deny`: its reason is given to the model" : "use `retry on stop`" } };
    case "set":
    case "replace":
      if (event === "before-tool" || event === "after-tool") return undefined;
      return { notes: ["Only the input of a tool and its output can be changed."], help: { text: `name a tool: \`${kind} … before bash\`, \`${kind} … after bash\`` } };
    default:
      return undefined;
  }
}

function askHelp(event: Moment["event"]): string {
  if (event === "after-tool") return "ask before the tool, or use `deny after` to withhold its output";
  return event === "prompt" || event === "before-compact" ? "use `deny`" : "ask before a tool";
}

function checkParts(effect: Effect, setting: Setting): void {
  const { place, file } = setting;
  switch (effect.kind) {
    case "deny":
    case "ask":
    case "allow":
    case "retry":
    case "permission":
    case "mark":
    case "unmark":
      return;
    case "set":
      checkFields([effect.field], "every", setting);
      checkSetValue(effect.field, effect.value, setting);
      return;
    case "replace":
      checkFields(effect.fields, "some", setting);
      checkText(effect.replacement, setting, groupsIn(effect.pattern, place));
      return;
    case "redact":
      checkFields(effect.fields, "some", setting);
      groupsIn(effect.pattern, place);
      if (effect.as) checkText(effect.as, setting);
      return;
    case "tell":
      checkSource(effect.source, setting);
      return;
    case "log":
      checkFields(effect.fields, "some", setting);
      refuseFilling(effect.to, place, file);
      return;
    case "run":
      checkCommandText(effect.command, "run", file, place.report);
      return;
    case "forward":
      checkFields(effect.fields, "some", setting);
      checkAddress(effect.to, file, place.report);
      return;
    default:
      effect satisfies never;
  }
}

function checkFields(fields: readonly Field[], need: "every" | "some", { moment, rule, file, place }: Setting): void {
  if (!moment) return;
  for (const field of fields) {
    const available = isAvailable(field.path, moment, need);
    if (available.kind !== "yes") place.report(unavailableField(field.path, available, moment, { file, span: field.span }, { rule, file }));
  }
}

function checkText(text: Text, { moment, rule, file, place }: Setting, captures?: number): void {
  if (moment) checkMessage(text, moment, { rule, file }, place.report, captures);
}

/** Groups a replacement may name: those that every pattern has. */
function groupsIn(pattern: Pattern, place: Place): number {
  const flat = flatten(pattern, place.home, place.names, place.report);
  if (!flat) return 99;
  const groups: number[] = [];
  for (const { item, home } of flat.items) {
    if (item.kind === "regex") groups.push(groupsOf(item as Regex));
    else if (item.kind === "text") groups.push(0);
    else mismatch(place, home === place.home ? item.span : pattern.span, `\`${textAt(home.file, item.span)}\` is no pattern`, "write /…/, or a text in quotes");
  }
  return groups.length === 0 ? 0 : Math.min(...groups);
}

function checkSetValue(field: Field, value: Text | NumberLiteral | DollarReference, setting: Setting): void {
  const { place } = setting;
  if (value.kind === "text") checkText(value, setting);
  const flat = value.kind === "dollar" ? flatten(value, place.home, place.names, place.report) : undefined;
  const [only, ...more] = flat?.items ?? [];
  if (flat && (more.length > 0 || flat.list)) {
    mismatch(place, value.span, `\`${textAt(setting.file, value.span)}\` is a list, and a field is set to one value`, "write one text or number");
    return;
  }
  const kind = only ? only.item.kind : value.kind;
  const type = typeOfField(field.path);
  if (kind !== "text" && kind !== "number" && kind !== "dollar") mismatch(place, value.span, `\`${textAt(setting.file, value.span)}\` is neither a text nor a number`, "a field is set to a text or a number");
  else if (kind === "number" && (type === "text" || type === "path")) mismatch(place, value.span, `\`${field.path.join(".")}\` is text`, "put the number in quotes");
  else if (kind === "text" && (type === "number" || type === "bool")) mismatch(place, value.span, `\`${field.path.join(".")}\` is ${type === "bool" ? "true or false" : "a number"}`, "set it to a value of its type");
}

function checkSource(source: Source, setting: Setting): void {
  const { place, file } = setting;
  switch (source.kind) {
    case "text":
      checkText(source, setting);
      return;
    case "number":
      return;
    case "dollar": {
      const flat = flatten(source, place.home, place.names, place.report);
      if (flat && flat.items.some(({ item }) => item.kind !== "text" && item.kind !== "number")) mismatch(place, source.span, `\`${textAt(file, source.span)}\` is no text`, "a text, or a name for one");
      return;
    }
    case "file":
      refuseFilling(source.path, place, file);
      return;
    case "output-of":
      checkCommandText(source.command, "output of", file, place.report);
      return;
    default:
      source satisfies never;
  }
}

/** A path is fixed when the policy is built: the agent must not choose which file is read or written. */
function refuseFilling(path: Text, place: Place, file: SourceFile): void {
  for (const part of path.template) {
    if (part.kind === "literal") continue;
    place.report(diagnose("check/unsafe-interpolation", { problem: "a path is fixed when the policy is built" }, { file, span: part.span, help: { text: "write the path out" } }));
  }
}

/** Whether a rule of this effect starts a process or a request, which is what its `timeout` is for. */
export function spendsTime(effect: Effect): boolean {
  return effect.kind === "run" || effect.kind === "forward" || (effect.kind === "tell" && effect.source.kind === "output-of");
}
