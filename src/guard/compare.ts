/**
 * One comparison of a condition: a field's reading and the values beside the operator go in, a truth comes out. Several
 * values of one call: any of them in wide position, every one in narrow.
 */
import type { Json } from "./call.ts";
import { jsonStrings, jsonText, readField } from "./fields.ts";
import type { Reading, Scope } from "./fields.ts";
import { baseFolder } from "./file-effects.ts";
import { belowRoot, foldCase, formsHold, isDoubt, matchGlobs, removeDots, resolvePath } from "./paths.ts";
import type { PathValue } from "./paths.ts";
import { compareTexts, searchPattern } from "./patterns.ts";
import type { ComparePlan, PatternPlan, ValuePlan } from "./plan.ts";
import { anyOf, everyHolds, someHolds } from "./truth.ts";
import type { Doubt, Position, Truth } from "./world.ts";

type Operator = ComparePlan["operator"];

/** One value of the field, on the left of the operator. */
type Item = { readonly kind: "text"; readonly text: string } | { readonly kind: "number"; readonly value: number } | { readonly kind: "path"; readonly path: PathValue } | Doubt;

interface Comparing {
  readonly plan: ComparePlan;
  readonly position: Position;
  readonly scope: Scope;
}

export function compareField(plan: ComparePlan, scope: Scope, position: Position): Truth {
  const reading = readField(plan.field, scope);
  const comparing = { plan, position, scope };
  const test = (item: Item): Truth => someHolds(plan.values, (value) => compareItem(item, value, comparing));
  if (reading.kind === "texts" && reading.relation !== "several") return compareNames(reading, test);
  const items = itemsOf(reading, position);
  return position === "wide" ? someHolds(items, test) : everyHolds(items, test);
}

function compareNames(reading: Extract<Reading, { readonly kind: "texts" }>, test: (item: Item) => Truth): Truth {
  const truths = reading.texts.map((text) => test({ kind: "text", text }));
  if (reading.relation === "aliases" || new Set(truths).size === 1) return anyOf(truths);
  return { doubt: "a name in the call can be read in several ways" };
}

/** An absent text is empty; an absent number or path has no value, so that no comparison with it holds. */
function itemsOf(reading: Reading, position: Position): readonly Item[] {
  switch (reading.kind) {
    case "absent":
      return reading.type === "path" || reading.type === "number" ? [] : [{ kind: "text", text: reading.type === "bool" ? "false" : "" }];
    case "texts":
      return reading.texts.map((text) => ({ kind: "text", text }));
    case "paths":
      return reading.paths.map((path) => (isDoubt(path) ? path : { kind: "path", path }));
    case "number":
      return [{ kind: "number", value: reading.value }];
    case "bool":
      return [{ kind: "text", text: String(reading.value) }];
    case "json":
      return jsonItems(reading.value, position);
    case "doubt":
      return [{ doubt: reading.doubt }];
    default:
      return reading satisfies never;
  }
}

/** JSON hides line ends and quotes behind escapes, so in wide position each string inside counts as well. */
function jsonItems(value: Json, position: Position): readonly Item[] {
  if (typeof value === "number") return [{ kind: "number", value }];
  const texts = typeof value === "object" && position === "wide" ? [jsonText(value), ...jsonStrings(value)] : [jsonText(value)];
  return texts.map((text) => ({ kind: "text", text }));
}

function compareItem(item: Item, value: ValuePlan, comparing: Comparing): Truth {
  if (isDoubt(item)) return item;
  if (comparing.plan.measure === "length") return compareLength(item, value, comparing.plan.operator);
  switch (value.kind) {
    case "number":
    case "size":
      return compareNumber(item, value.kind === "size" ? value.bytes : value.value, comparing);
    case "text":
      return compareText(item, value.text, comparing);
    case "pattern":
      return matchPattern(item, value.pattern, comparing);
    case "globs": {
      const path = item.kind === "path" ? item.path : resolvePath(itemText(item), baseFolder(comparing.scope.call, comparing.scope.world), comparing.scope.world);
      return isDoubt(path) ? path : matchGlobs(value.globs, path, comparing.position, comparing.scope.world);
    }
    case "field":
      return compareFields(item, readField(value.field, comparing.scope), comparing);
    default:
      return value satisfies never;
  }
}

function compareFields(item: Item, right: Reading, comparing: Comparing): Truth {
  const items = itemsOf(right, comparing.position);
  const test = (other: Item): Truth => {
    if (isDoubt(other)) return other;
    if (other.kind === "number") return compareNumber(item, other.value, comparing);
    return compareText(item, itemText(other), comparing);
  };
  return comparing.position === "wide" ? someHolds(items, test) : everyHolds(items, test);
}

/** Unicode code points, or UTF-8 bytes against a size. */
function compareLength(item: Exclude<Item, Doubt>, value: ValuePlan, operator: Operator): boolean {
  const text = itemText(item);
  if (value.kind === "size") return holdsNumber(operator, Buffer.byteLength(text, "utf8"), value.bytes);
  if (value.kind !== "number") return false;
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return holdsNumber(operator, text.length - pairs, value.value);
}

function compareNumber(item: Item, value: number, { plan, position, scope }: Comparing): Truth {
  if (isDoubt(item)) return item;
  if (isTextual(plan.operator)) return compareTexts(plan.operator, itemText(item), String(value), position, scope.memo);
  if (item.kind === "number") return holdsNumber(plan.operator, item.value, value);
  // Some hosts take `"10"` for 10; a relaxing rule does not build on that.
  const isNumeric = position === "wide" && item.kind === "text" && /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(item.text);
  return isNumeric && holdsNumber(plan.operator, Number(item.text), value);
}

function compareText(item: Item, text: string, { plan, position, scope }: Comparing): Truth {
  if (isDoubt(item)) return item;
  if (item.kind === "path") return plan.operator === "==" && plan.measure === undefined ? samePath(item.path, text, position, scope) : pathText(item.path, text, { plan, position, scope });
  return compareTexts(plan.operator, lowered(itemText(item), plan), text, position, scope.memo);
}

/** The text is itself a path: below the project root, below home (`~/`), or absolute. */
function samePath(path: PathValue, text: string, position: Position, { world }: Scope): Truth {
  const spell = (form: string): string => (position === "wide" ? foldCase(form) : form);
  if (!/^(?:[\\/~]|[A-Za-z]:)/.test(text)) {
    const sought = spell(removeDots(`/${text}`).slice(1).normalize("NFC"));
    return formsHold(path, position, world, (form) => belowRoot(form, position, world).some((one) => spell(one) === sought));
  }
  const other = resolvePath(text, world.root, world);
  if (isDoubt(other)) return other;
  const sought = new Set([other.lexical, world.realPath(other.lexical) ?? other.lexical].map(spell));
  return formsHold(path, position, world, (form) => sought.has(spell(form)));
}

/** Parts of a path's text: its absolute forms, in wide position also what is below the root, and any letter case. */
function pathText(path: PathValue, text: string, { plan, position, scope }: Comparing): Truth {
  const { world } = scope;
  const sought = text.startsWith("~/") && world.home !== "" ? `${world.home}${text.slice(1)}` : text;
  const holds = (left: string, right: string): boolean => compareTexts(plan.operator, left, right, position, scope.memo);
  return formsHold(path, position, world, (form) => spellings(form, position, scope).some((one) => holds(lowered(one, plan), sought) || (position === "wide" && holds(foldCase(one), foldCase(sought)))));
}

function matchPattern(item: Exclude<Item, Doubt>, pattern: PatternPlan, { plan, position, scope }: Comparing): Truth {
  if (item.kind !== "path") return searchPattern(pattern, lowered(itemText(item), plan), position, scope.memo);
  const anyCase: PatternPlan = { source: pattern.source, flags: pattern.flags.includes("i") ? pattern.flags : `i${pattern.flags}` };
  // Paths are short enough to be searched whole, so a form either matches or does not.
  const holds = (text: string): boolean => searchPattern(pattern, lowered(text, plan), position, scope.memo) === true || (position === "wide" && searchPattern(anyCase, text, position, scope.memo) === true);
  return formsHold(item.path, position, scope.world, (form) => spellings(form, position, scope).some(holds));
}

function spellings(form: string, position: Position, scope: Scope): readonly string[] {
  return position === "wide" ? [form, ...belowRoot(form, position, scope.world)] : [form];
}

function isTextual(operator: Operator): boolean {
  return operator === "contains" || operator === "starts-with" || operator === "ends-with";
}

function holdsNumber(operator: Operator, left: number, right: number): boolean {
  switch (operator) {
    case "==":
      return left === right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    default:
      return false;
  }
}

function lowered(text: string, plan: ComparePlan): string {
  return plan.measure === "lower" ? text.toLowerCase() : text;
}

function itemText(item: Exclude<Item, Doubt>): string {
  if (item.kind === "path") return item.path.lexical;
  return item.kind === "text" ? item.text : JSON.stringify(item.value);
}
