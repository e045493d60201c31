/**
 * Effects that change data (`set`, `replace`, `redact`) and the field lists of effects: fields that exist and can be
 * changed at the moment, patterns that are patterns, values of the field's type.
 */
import type { Effect, Field, Pattern, Text } from "../syntax/ast.ts";
import type { CheckedField, CheckedPattern, CheckedTransform } from "./checked.ts";
import { elsewhere, mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import type { Setting } from "./effect.ts";
import { isAvailable, textAt, typeOfField, unavailableField } from "./field.ts";
import { checkMessage, usedAt } from "./message.ts";
import { groupsOf } from "./pattern.ts";
import type { Moment } from "./trigger.ts";
import { flatten } from "./values.ts";

type Transform = Extract<Effect, { readonly kind: "set" | "replace" | "redact" }>;

export function checkTransform(effect: Transform, setting: Setting): CheckedTransform | undefined {
  const { place } = setting;
  switch (effect.kind) {
    case "set": {
      const fields = changeable([effect.field], effect.kind, setting);
      const value = checkValue(effect.field, effect.value, setting);
      return value === undefined ? undefined : { kind: "set", fields, value };
    }
    case "replace": {
      const fields = changeable(effect.fields, effect.kind, setting);
      const patterns = checkPattern(effect.pattern, place);
      checkText(effect.replacement, setting, patterns === undefined ? mostGroups : groupsIn(patterns));
      return patterns && { kind: "replace", patterns, with: effect.replacement, fields };
    }
    case "redact": {
      const fields = changeable(effect.fields, effect.kind, setting);
      const patterns = checkPattern(effect.pattern, place);
      if (effect.as) checkText(effect.as, setting);
      return patterns && { kind: "redact", patterns, ...(effect.as && { as: effect.as }), fields };
    }
    default:
      return effect satisfies never;
  }
}

/** Fields of a list, each once. `need`: as of `isAvailable`. */
export function checkFields(fields: readonly Field[], need: "every" | "some", { moment, rule, file, place }: Setting): readonly CheckedField[] {
  const known = new Map<string, CheckedField>();
  for (const { path, span } of fields) {
    const name = path.join(".");
    const available = moment && isAvailable(path, moment, need);
    if (available && available.kind !== "yes") place.report(unavailableField(path, available, moment, { file, span }, { rule, file }));
    else if (name === "dynamic") mismatch(place, span, "`dynamic` is no part of a call, so there is nothing of it to take", "`dynamic` is a condition");
    else if (known.has(name)) mismatch(place, span, `\`${name}\` stands in this list already`, "once is enough");
    known.set(name, { path, span });
  }
  return [...known.values()];
}

/** Arguments a tool is given; everything else about a call is what the host says of it. */
const argumentFields: ReadonlySet<string> = new Set(["command", "path", "content", "old", "url", "query", "agent", "task"]);

function changeable(fields: readonly Field[], effect: Transform["kind"], setting: Setting): readonly CheckedField[] {
  const { moment, place } = setting;
  const checked = checkFields(fields, effect === "set" ? "every" : "some", setting);
  if (!moment) return checked;
  for (const { path, span } of checked) {
    const problem = refusalOf(path, effect, moment);
    if (problem) mismatch(place, span, problem.what, problem.help);
  }
  return checked;
}

/** Why a field that exists at the moment cannot be changed there. */
function refusalOf(path: CheckedField["path"], effect: Transform["kind"], moment: Moment): { readonly what: string; readonly help: string } | undefined {
  const name = path.join(".");
  const type = typeOfField(path);
  if (effect !== "set" && (type === "number" || type === "bool")) return { what: `\`${name}\` is ${type === "number" ? "a number" : "true or false"}, and patterns are looked for in text`, help: "name a field that holds text" };
  if (moment.event === "after-tool") {
    if (name === "output") return undefined;
    return { what: `after a tool only \`output\` can be changed, not \`${name}\``, help: name === "error" ? "what the model reads of a call that failed is its `output` too" : `change it before the tool runs: \`${effect} … before …\`` };
  }
  if (moment.event !== "before-tool" || path[0] === "input" || argumentFields.has(name)) return undefined;
  return { what: `\`${name}\` is not an argument of a tool, so it cannot be changed`, help: name === "domain" ? "change `url`" : "name an argument: `command`, `path`, `content`, `url`, or any other as `input.NAME`" };
}

function checkText(text: Text, { moment, rule, file, place }: Setting, captures?: number): void {
  if (moment) checkMessage(text, moment, { rule, file }, place.report, captures);
}

/** `undefined` where one of them was refused. */
function checkPattern(pattern: Pattern, place: Place): readonly CheckedPattern[] | undefined {
  const flat = flatten(pattern, place.home, place.names, place.report);
  if (!flat) return undefined;
  let whole = flat.items.length > 0;
  if (!whole) mismatch(place, pattern.span, "an empty list matches nothing", "write what is to be found");
  const patterns: CheckedPattern[] = [];
  for (const found of flat.items) {
    const { item, home } = found;
    const span = home === place.home ? item.span : pattern.span;
    if (item.kind === "regex") {
      if (place.refused.has(item)) whole = false;
      else patterns.push({ kind: "pattern", regex: item, ...elsewhere(found, place) });
    } else if (item.kind === "text") {
      if (item.value === "") whole = mismatch(place, span, "an empty text is found everywhere", "write what is to be found");
      else patterns.push({ kind: "text", text: item.value });
    } else whole = mismatch(place, span, `\`${textAt(home.file, item.span)}\` is no pattern`, "write /…/, or a text in quotes");
  }
  return whole ? patterns : undefined;
}

/** Nothing is said about groups of a pattern that was refused. */
const mostGroups = Infinity;

/** Groups a replacement may name: those that every pattern has. */
function groupsIn(patterns: readonly CheckedPattern[]): number {
  return Math.min(...patterns.map((pattern) => (pattern.kind === "text" ? 0 : groupsOf(pattern.regex))));
}

function checkValue(field: Field, value: Extract<Effect, { kind: "set" }>["value"], setting: Setting): Text | number | undefined {
  const { place, file } = setting;
  const written = textAt(file, value.span);
  const refuse = (problem: string, help: string): undefined => void mismatch(place, value.span, problem, help);
  const flat = value.kind === "dollar" ? flatten(value, place.home, place.names, place.report) : undefined;
  if (value.kind === "dollar" && !flat) return undefined;
  if (flat && (flat.list || flat.items.length !== 1)) return refuse(`\`${written}\` is a list, and a field is set to one value`, "write one text or number");
  const meant = flat?.items[0]?.item ?? value;
  if (meant.kind !== "text" && meant.kind !== "number") return refuse(`\`${written}\` is neither a text nor a number`, "a field is set to a text or a number");
  const name = field.path.join(".");
  const type = typeOfField(field.path);
  if (meant.kind === "number") return type === "text" || type === "path" ? refuse(`\`${name}\` is text`, "put the number in quotes") : meant.value;
  if (type === "number" || type === "bool") return refuse(`\`${name}\` is ${type === "bool" ? "true or false" : "a number"}`, "set it to a value of its type");
  const text = meant === value ? meant : usedAt(meant, value.span);
  checkText(text, setting);
  return text;
}
