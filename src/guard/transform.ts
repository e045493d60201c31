/**
 * `set`, `replace` and `redact`: a call as changed so far and a transform go in, the call as changed now comes out.
 * Texts are changed where the host's codec says they stand; what was not sent stays as it was.
 */
import type { Json, ToolCall } from "./call.ts";
import type { Draft } from "./draft.ts";
import { fieldTexts, readField } from "./fields.ts";
import type { Scope } from "./fields.ts";
import { textsAt, valueAt, withValues } from "./json-place.ts";
import type { JsonPath } from "./json-place.ts";
import { fillMessage, fillReplacement } from "./messages.ts";
import type { FieldPath, MessagePlan, TransformPlan } from "./plan.ts";
import { withheld } from "./redaction.ts";
import { redactText, replaceText } from "./text-change.ts";
import { someHolds } from "./truth.ts";
import type { Truth } from "./world.ts";

export interface Transformed {
  readonly draft: Draft;
  readonly changed: boolean;
  /** Why what has to go cannot be taken out, field by field. */
  readonly failures: readonly string[];
}

type SetPlan = Extract<TransformPlan, { readonly kind: "set" }>;
type PatternTransform = Exclude<TransformPlan, SetPlan>;

/** The scope of texts that are filled in after the changes made so far. */
export function scopeOf(draft: Draft, scope: Scope): Scope {
  const { call, input, response } = draft;
  const fields = Object.assign(Object.create(null) as object, call.fields, draft.fields) as ToolCall["fields"];
  return { ...scope, call: { ...call, input, ...(response !== undefined && { response }), fields } };
}

/** `rule` is the id of the rule, for what stands in the place of a text that is withheld. */
export function applyTransform(plan: TransformPlan, rule: string, draft: Draft, scope: Scope): Transformed {
  return plan.kind === "set" ? applySet(plan, draft, scope) : applyPatterns(plan, rule, draft, scope);
}

function applySet({ field, value: plan }: SetPlan, draft: Draft, scope: Scope): Transformed {
  const now = scopeOf(draft, scope);
  // A portable field is text, whatever it is set to.
  const value = typeof plan !== "number" ? fillMessage(plan, now) : field[0] === "input" ? plan : String(plan);
  const same = { draft, changed: false, failures: [] };
  if (isOutput(field, draft)) {
    if (now.call.fields["output"] === value) return same;
    const output = String(value);
    return { draft: { ...draft, output, fields: { ...draft.fields, output } }, changed: true, failures: [] };
  }
  const [side, places] = placesOf(field, draft);
  const before = places.map((path) => valueAt(draft[side], path));
  const whole = field[0] === "input" ? undefined : now.call.fields[field[0] ?? ""];
  // Several spellings of one argument are all set; of the pieces of one text the first one takes all of it.
  const values = places.map((path, index) => ({ path, value: index === 0 || typeof whole !== "string" || before[index] === whole ? value : "" }));
  if (values.every((one, index) => one.value === before[index])) return same;
  const next = changedAt(draft, side, values, field);
  return places.every((path, index) => valueAt(next[side], path) === before[index]) ? same : { draft: next, changed: true, failures: [] };
}

function applyPatterns(plan: PatternTransform, rule: string, start: Draft, scope: Scope): Transformed {
  let draft = start;
  const failures: string[] = [];
  const change = changerOf(plan, scopeOf(start, scope));
  for (const field of plan.fields) {
    const name = field.join(".");
    if (isOutput(field, draft) && draft.output !== undefined) {
      const output = change(draft.output) ?? (plan.kind === "redact" ? withheld(draft.output, rule) : draft.output);
      if (output !== draft.output) draft = { ...draft, output, fields: { ...draft.fields, output } };
      continue;
    }
    const [side, places] = placesOf(field, draft);
    const whole = plan.kind === "redact" && isOutput(field, draft) && places.length === 0 ? wholeOutput(draft) : undefined;
    if (whole !== undefined) {
      const output = change(whole) ?? withheld(whole, rule);
      if (output !== whole) draft = { ...draft, output, fields: { ...draft.fields, output } };
      continue;
    }
    const values: { path: JsonPath; value: string }[] = [];
    for (const { path, text } of places.flatMap((place) => textsAt(draft[side], place))) {
      const after = change(text);
      if (after !== undefined) {
        if (after !== text) values.push({ path, value: after });
      } else if (plan.kind === "redact") {
        // Fail closed: an output is withheld; arguments are refused, for a note in their place would be written to a file.
        if (side === "response") values.push({ path, value: withheld(text, rule) });
        else failures.push(`\`${name}\` has ${text.length} characters, too many to be searched for what has to be redacted`);
      }
    }
    if (values.length > 0) draft = changedAt(draft, side, values, field);
    if (plan.kind === "redact" && places.length === 0 && isChangeable(field, draft) && fieldTexts(field, scope).some((text) => change(text) !== text)) {
      failures.push(`\`${name}\` holds what has to be redacted, and cannot be changed in this call`);
    }
  }
  return { draft, changed: draft !== start, failures };
}

/** Whether a stand-in applies: the transform would have found something to change. Fields are read, for the host has no places. */
export function wouldChange(plan: TransformPlan, scope: Scope): Truth {
  if (plan.kind === "set") return !holdsValue(plan.field, plan.value, scope);
  const change = changerOf(plan, scope);
  return someHolds(plan.fields.flatMap((field) => fieldTexts(field, scope)), (text) => {
    const after = change(text);
    return after === undefined ? { doubt: `a text of ${text.length} characters is too long to be searched whole` } : after !== text;
  });
}

function holdsValue(field: FieldPath, plan: MessagePlan | number, scope: Scope): boolean {
  if (typeof plan === "number") {
    const reading = readField(field, scope);
    return (reading.kind === "json" || reading.kind === "number") && reading.value === plan;
  }
  const texts = fieldTexts(field, scope);
  const value = fillMessage(plan, scope);
  return texts.length > 0 && texts.every((text) => text === value);
}

/** `undefined` for a text that is too long to be searched. */
function changerOf(plan: PatternTransform, scope: Scope): (text: string) => string | undefined {
  const { patterns } = plan;
  if (plan.kind === "replace") return (text) => replaceText(text, patterns, (groups) => fillReplacement(plan.with, groups, scope), scope.memo);
  const as = fillMessage(plan.as, scope);
  return (text) => redactText(text, patterns, as, scope.memo);
}

/** Where the field stands: in the arguments before a tool, in the result after it. */
function placesOf(field: FieldPath, { call }: Draft): readonly ["input" | "response", readonly JsonPath[]] {
  const side = call.event === "after-tool" ? "response" : "input";
  const [name = "", ...inner] = field;
  const places = call.places !== undefined && Object.hasOwn(call.places, name) ? (call.places[name] ?? []) : [];
  return [side, places.filter((place) => place.in === side).map((place) => [...place.path, ...inner])];
}

function isOutput(field: FieldPath, { call }: Draft): boolean {
  return call.event === "after-tool" && field.length === 1 && field[0] === "output";
}

/** Fail closed: the texts of a result in which nobody can say where they stand, or that has too many of them. */
function wholeOutput({ response }: Draft): string | undefined {
  return response === undefined ? undefined : textsAt(response, []).map(({ text }) => text).join("\n");
}

/** After a tool nobody expects its arguments to change. */
function isChangeable(field: FieldPath, { call }: Draft): boolean {
  return call.event === "before-tool" || field[0] === "output" || field[0] === "error";
}

function changedAt(draft: Draft, side: "input" | "response", values: readonly { readonly path: JsonPath; readonly value: Json }[], field: FieldPath): Draft {
  const next = { ...draft, [side]: withValues(draft[side] ?? null, values) } as Draft;
  const [name = ""] = field;
  if (name === "input") return next;
  const texts = placesOf(field, next)[1].flatMap((place) => textsAt(next[side], place)).map(({ text }) => text);
  const several = typeof draft.call.fields[name] === "object";
  // As codecs join pieces: an edit keeps its empty hunks, an output shows no empty part.
  const joined = (side === "input" ? texts : texts.filter((text) => text !== "")).join("\n");
  return { ...next, fields: { ...next.fields, [name]: several ? texts : joined } };
}
