/**
 * What a rule does, held against the moment it is about: an effect as written goes in, the same with its names filled in
 * comes out. What it changes is looked at in `transform.ts`, what its texts fill in in `message.ts`.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile } from "../diagnostics/diagnostic.ts";
import type { Effect, Rule, Source, Text } from "../syntax/ast.ts";
import type { CheckedEffect, CheckedSource } from "./checked.ts";
import { mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import { textAt } from "./field.ts";
import { checkAddress, checkCommandText, checkMessage, checkPathText, usedAt } from "./message.ts";
import { refusalAt } from "./moment.ts";
import { checkFields, checkTransform } from "./transform.ts";
import type { Moment } from "./trigger.ts";
import { flatten } from "./values.ts";

/** A rule with what its texts and fields are about; `moment` is absent where the trigger was refused. */
export interface Setting {
  readonly rule: Rule;
  readonly file: SourceFile;
  readonly moment: Moment | undefined;
  readonly place: Place;
}

/** `undefined` where its own parts were refused; a moment at which it means nothing is reported besides. */
export function checkEffect(effect: Effect, setting: Setting): CheckedEffect | undefined {
  const { moment, place, file } = setting;
  const refusal = moment && refusalAt(effect.kind, moment);
  if (refusal) place.report(diagnose("check/effect-on-event", { effect: effect.kind, event: moment.words }, { file, span: effect.wordSpan, notes: [refusal.note], help: refusal.help }));
  const { span, wordSpan } = effect;
  const parts = partsOf(effect, setting);
  return parts && { ...parts, span, wordSpan };
}

/** `Omit` over each member of a union. */
type Parts = CheckedEffect extends infer E ? (E extends CheckedEffect ? Omit<E, "span" | "wordSpan"> : never) : never;

function partsOf(effect: Effect, setting: Setting): Parts | undefined {
  const { place, file } = setting;
  switch (effect.kind) {
    case "deny":
    case "ask":
    case "allow":
      return { kind: effect.kind };
    case "retry":
      return { kind: "retry", ...limitOf(setting.rule) };
    case "mark":
    case "unmark":
      return { kind: effect.kind, name: effect.name.text };
    case "permission":
      return { kind: "permission", denials: effect.denials };
    case "set":
    case "replace":
    case "redact":
      return checkTransform(effect, setting);
    case "tell": {
      const source = checkSource(effect.source, setting);
      return source && { kind: "tell", audience: effect.audience, source };
    }
    case "log":
      checkPathText(effect.to, "log", file, place.report);
      return { kind: "log", fields: checkFields(effect.fields, "some", setting), to: effect.to.value };
    case "run":
      checkCommandText(effect.command, "run", file, place.report);
      return { kind: "run", command: effect.command.value };
    case "forward":
      checkAddress(effect.to, file, place.report);
      return { kind: "forward", fields: checkFields(effect.fields, "some", setting), to: effect.to.value };
    default:
      return effect satisfies never;
  }
}

/** Once in a row, unless the rule says how often. */
function limitOf(rule: Rule): { readonly limit: number; readonly limitSpan?: CheckedEffect["span"] } {
  const clause = rule.clauses.find((one) => one.kind === "limit");
  return clause?.kind === "limit" ? { limit: clause.count.value, limitSpan: clause.span } : { limit: 1 };
}

function checkSource(source: Source, setting: Setting): CheckedSource | undefined {
  const { place, file, moment, rule } = setting;
  switch (source.kind) {
    case "text":
      if (moment) checkMessage(source, moment, { rule, file }, place.report);
      return { kind: "text", text: source };
    case "number":
      return { kind: "text", text: plainText(String(source.value), source.span) };
    case "dollar": {
      const text = namedText(source, setting);
      return text && { kind: "text", text };
    }
    case "file":
      checkPathText(source.path, "tell", file, place.report);
      return { kind: "file", path: source.path.value };
    case "output-of":
      checkCommandText(source.command, "output of", file, place.report);
      return { kind: "output-of", command: source.command.value };
    default:
      return source satisfies never;
  }
}

function namedText(source: Extract<Source, { kind: "dollar" }>, setting: Setting): Text | undefined {
  const { place, file, moment, rule } = setting;
  const flat = flatten(source, place.home, place.names, place.report);
  if (!flat) return undefined;
  const [only] = flat.items;
  const item = only?.item;
  if (flat.list || (item?.kind !== "text" && item?.kind !== "number")) {
    mismatch(place, source.span, `\`${textAt(file, source.span)}\` is ${flat.list ? "a list" : "no text"}, and one text is told`, "a text, or a name for one");
    return undefined;
  }
  if (item.kind === "number") return plainText(String(item.value), source.span);
  const text = usedAt(item, source.span);
  if (moment) checkMessage(text, moment, { rule, file }, place.report);
  return text;
}

function plainText(value: string, span: Text["span"]): Text {
  return { kind: "text", form: "string", value, template: [{ kind: "literal", text: value }], span };
}

/** Whether an effect starts a process or a request, which is what its rule's `timeout` is for. */
export function spendsTime(effect: CheckedEffect): boolean {
  return effect.kind === "run" || effect.kind === "forward" || (effect.kind === "tell" && effect.source.kind === "output-of");
}
