/**
 * One comparison: types of both sides, names filled in, operators made few. `!=`, `!~` and `not in` become `not` around
 * their opposites, and `in` becomes `==` with several values.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { ComparisonTail, DollarReference, Field, FieldOperand, Operator, Regex } from "../syntax/ast.ts";
import type { CheckedComparison, CheckedCondition, CheckedGlob, CheckedValue } from "./checked.ts";
import { noSuchField, textAt, typeOfField } from "./field.ts";
import type { LoadedFile } from "./load.ts";
import type { Names } from "./names.ts";
import type { Report } from "./report.ts";
import { flatten, isValue } from "./values.ts";
import type { FlatItem, FlatValue } from "./values.ts";

/** Where a condition stands and what it may ask. */
export interface Place {
  readonly home: LoadedFile;
  readonly names: Names;
  /** Patterns that do not compile; told already. */
  readonly refused: ReadonlySet<Regex>;
  readonly report: Report;
}

/** The left side: what is compared, as a type and in the author's words. */
interface Left {
  readonly field: Field;
  readonly measure?: "length" | "lower";
  readonly type: "text" | "path" | "number" | "length" | "unknown";
  readonly written: string;
}

type Family = "search" | "equal" | "order" | "text" | "glob";

const families: Readonly<Record<Operator, { readonly family: Family; readonly operator: CheckedComparison["operator"]; readonly negated: boolean }>> = {
  "~": { family: "search", operator: "~", negated: false },
  "!~": { family: "search", operator: "~", negated: true },
  "==": { family: "equal", operator: "==", negated: false },
  "!=": { family: "equal", operator: "==", negated: true },
  in: { family: "equal", operator: "==", negated: false },
  "not-in": { family: "equal", operator: "==", negated: true },
  "<": { family: "order", operator: "<", negated: false },
  "<=": { family: "order", operator: "<=", negated: false },
  ">": { family: "order", operator: ">", negated: false },
  ">=": { family: "order", operator: ">=", negated: false },
  contains: { family: "text", operator: "contains", negated: false },
  "starts-with": { family: "text", operator: "starts-with", negated: false },
  "ends-with": { family: "text", operator: "ends-with", negated: false },
  matches: { family: "glob", operator: "matches", negated: false },
};

export function lowerComparison(written: FieldOperand | DollarReference, tail: ComparisonTail, span: Span, place: Place): CheckedCondition | undefined {
  const left = checkLeft(written, place);
  // The right side is looked at all the same, so that one run shows the mistakes of both.
  const right = tail.operand.kind === "field" ? tail.operand : flatten(tail.operand, place.home, place.names, place.report);
  if (!left || !right) return undefined;
  const { family, operator, negated } = families[tail.operator];
  if (!fitsFamily(left, family, tail, place)) return undefined;
  const values = "kind" in right ? fieldValue(left, family, tail, right, place) : valuesOf(left, family, tail, right, place);
  if (!values) return undefined;
  const file = place.home.file;
  const comparison: CheckedCondition = { kind: "compare", field: left.field.path, ...(left.measure && { measure: left.measure }), operator, values, span, file };
  return negated ? { kind: "not", of: comparison, span, file } : comparison;
}

function checkLeft(written: FieldOperand | DollarReference, place: Place): Left | undefined {
  if (written.kind === "dollar") {
    const binding = place.names.expect(written, place.home, place.report);
    if (!binding) return undefined;
    const name = textAt(place.home.file, written.span);
    const value = isValue(binding.declaration.value);
    mismatch(place, written.span, value ? `\`${name}\` is a value, and the left side of a comparison is a field` : `\`${name}\` is a condition, which is not compared with anything`, value ? "write the field first" : `leave the comparison out: \`${name}\` alone is true or false`);
    return undefined;
  }
  const { field } = written;
  const type = typeOfField(field.path);
  const measure = checkMeasure(written, place);
  if (type === undefined) {
    place.report(noSuchField(field.path, { file: place.home.file, span: field.span }));
    return undefined;
  }
  if (measure === "unknown") return undefined;
  const text = textAt(place.home.file, written.span);
  const name = field.path.join(".");
  if (type === "bool") {
    mismatch(place, written.span, `\`${name}\` is true or false, and is not compared with anything`, `write \`${name}\` or \`not ${name}\``);
    return undefined;
  }
  if (measure && type === "number") {
    mismatch(place, written.span, `\`${name}\` is a number, and \`${measure}\` is for text`, `compare \`${name}\` itself`);
    return undefined;
  }
  const seen = measure === "length" ? "length" : measure === "lower" ? "text" : type;
  return { field, ...(measure && { measure }), type: seen, written: text };
}

function checkMeasure(written: FieldOperand, place: Place): "length" | "lower" | "unknown" | undefined {
  const { measure } = written;
  if (!measure) return undefined;
  if (measure.text === "length" || measure.text === "lower") return measure.text;
  const near = nearest(measure.text, ["length", "lower"]);
  const foreign: Readonly<Record<string, string>> = { len: "length", size: "length", count: "length", tolower: "lower", lowercase: "lower" };
  const meant = Object.hasOwn(foreign, measure.text.toLowerCase()) ? [foreign[measure.text.toLowerCase()] ?? ""] : near;
  place.report(
    diagnose("check/unknown-name", { kind: "function", name: measure.text }, {
      file: place.home.file,
      span: measure.span,
      help: { text: meant.length > 0 ? `did you mean ${eitherOf(meant)}?` : "there are two: `length(field)` and `lower(field)`" },
    }),
  );
  return "unknown";
}

function fitsFamily(left: Left, family: Family, tail: ComparisonTail, place: Place): boolean {
  const operator = textAt(place.home.file, tail.operatorSpan);
  const numeric = left.type === "number" || left.type === "length";
  const problem = (text: string, help: string): false => mismatch(place, { start: left.field.span.start, end: tail.operatorSpan.end }, text, help);
  switch (family) {
    case "search":
    case "text":
      return !numeric || problem(`\`${left.written}\` is a number, and \`${operator}\` is for text`, left.measure === "length" ? `compare \`${left.field.path.join(".")}\` itself, or use \`>\`` : "use `==`, `<` or `>`");
    case "order":
      if (numeric || left.type === "unknown") return true;
      return problem(`\`${left.written}\` is text, and \`${operator}\` is for numbers`, `\`length(${left.field.path.join(".")}) ${operator} ${textAt(place.home.file, tail.operand.span)}\` compares its length`);
    case "glob":
      if (left.measure === undefined && (left.type === "path" || left.type === "unknown")) return true;
      if (left.measure === "lower" && left.field.path[0] !== undefined && typeOfField(left.field.path) !== "text") {
        return problem("`matches` compares the path itself, not its lower-case form", `write \`${left.field.path.join(".")} matches …\`: a restricting rule folds letter case by itself`);
      }
      return problem(`\`${left.written}\` is no path, and \`matches\` compares paths with globs`, "use `~ /pattern/`, `starts with` or `ends with`");
    case "equal":
      return true;
    default:
      return family satisfies never;
  }
}

function fieldValue(left: Left, family: Family, tail: ComparisonTail, right: Field, place: Place): readonly CheckedValue[] | undefined {
  const type = typeOfField(right.path);
  const name = right.path.join(".");
  const refuse = (problem: string, help: string): undefined => void mismatch(place, right.span, problem, help);
  if (type === undefined) {
    place.report(noSuchField(right.path, { file: place.home.file, span: right.span }));
    return undefined;
  }
  if (type === "bool") return refuse(`\`${name}\` is true or false, and is not compared with anything`, `write \`${name}\` or \`not ${name}\` as a condition of its own`);
  if (family === "search") return refuse("`~` takes a pattern, not a field", `\`contains ${name}\` looks for the field's text`);
  if (family === "glob") return refuse("`matches` takes globs, which are known when the policy is built, not a field", `\`== ${name}\` compares with the field`);
  if (tail.operator === "in" || tail.operator === "not-in") return refuse("`in` takes a list, not a field", `\`== ${name}\` compares with the field`);
  if (left.type === "length") return refuse(`\`${left.written}\` is compared with a number or a size that is written out, not with a field`, "write the number: `length(content) > 200kb`");
  const leftNumeric = left.type === "number";
  const rightNumeric = type === "number";
  if (left.type !== "unknown" && type !== "unknown" && leftNumeric !== rightNumeric) {
    return refuse(`\`${left.written}\` is ${leftNumeric ? "a number" : "text"} and \`${name}\` is ${rightNumeric ? "a number" : "text"}`, "compare fields of one type");
  }
  return [{ kind: "field", field: right.path }];
}

function valuesOf(left: Left, family: Family, tail: ComparisonTail, right: FlatValue, place: Place): readonly CheckedValue[] | undefined {
  const operator = textAt(place.home.file, tail.operatorSpan);
  if ((tail.operator === "in" || tail.operator === "not-in") && !right.list) {
    mismatch(place, right.span, `\`${operator}\` takes a list`, tail.operator === "in" ? `write \`== …\`, or brackets around the values: \`in [${textAt(place.home.file, right.span)}]\`` : `write \`!= …\`, or brackets: \`not in [${textAt(place.home.file, right.span)}]\``);
    return undefined;
  }
  if (family === "order" && right.list) {
    mismatch(place, right.span, `\`${operator}\` compares with one number, not with a list`, "write one number");
    return undefined;
  }
  if (family === "glob") {
    const globs = lowerGlobs(right, place, "matches");
    return globs && [{ kind: "globs", globs }];
  }
  if (right.items.length === 0) mismatch(place, right.span, "an empty list matches nothing", "write what it should match");
  const values: CheckedValue[] = [];
  let whole = right.items.length > 0;
  for (const flat of right.items) {
    const value = valueOf(left, family, operator, flat, right, place);
    if (value) values.push(value);
    else whole = false;
  }
  return whole ? values : undefined;
}

function valueOf(left: Left, family: Family, operator: string, flat: FlatItem, right: FlatValue, place: Place): CheckedValue | undefined {
  const { item } = flat;
  const span = spanIn(flat, right, place);
  const refuse = (problem: string, help: string): undefined => void mismatch(place, span, problem, help);
  const written = textAt(flat.home.file, item.span);
  switch (item.kind) {
    case "regex":
      if (family === "search") return place.refused.has(item) ? undefined : { kind: "pattern", regex: item, ...elsewhere(flat, place) };
      return refuse(`\`${operator}\` does not take a pattern`, family === "order" ? "write a number" : `use \`~\` for patterns: \`${left.written} ~ ${written}\``);
    case "text":
      if (family === "search") return refuse("`~` takes a pattern in slashes, not a text", `did you mean \`contains ${written}\`, or \`~ /${escapePattern(item.value)}/\`?`);
      if (family === "order") return refuse(`\`${operator}\` compares with a number, not with a text`, /^\d+(\.\d+)?$/.test(item.value) ? `leave the quotes out: \`${item.value}\`` : "write a number");
      if (left.type === "number" || left.type === "length") return refuse(`\`${left.written}\` is a number and ${written} is text`, /^\d+(\.\d+)?$/.test(item.value) ? `leave the quotes out: \`${item.value}\`` : "write a number");
      if (family === "text" && item.value === "") return refuse(`every text ${operator} the empty text`, `write what it should ${operator}`);
      return { kind: "text", text: item.value };
    case "number":
      if (family === "search" || family === "text") return refuse(`\`${operator}\` takes text, not a number`, `put it in quotes: \`${operator} "${written}"\``);
      if (left.type === "text" || left.type === "path") return refuse(`\`${left.written}\` is text and ${written} is a number`, `put it in quotes: \`"${written}"\``);
      return { kind: "number", value: item.value };
    case "size":
      if (left.type === "length" && (family === "order" || family === "equal")) return { kind: "size", bytes: item.bytes };
      return refuse(`${written} is a size, and only \`length(field)\` is compared with one`, left.type === "text" || left.type === "path" ? `write \`length(${left.field.path.join(".")})\`` : "write a plain number");
    case "duration":
      if (left.type === "number" && left.field.path.join(".") === "duration" && left.measure === undefined) return { kind: "number", value: item.milliseconds };
      return refuse(`${written} is a time, and only \`duration\` is compared with one`, "write a plain number");
    case "flag":
    case "words":
      return refuse(`\`${written}\` is ${item.kind === "flag" ? "a flag" : "a command word"} here, not a text`, `put it in quotes: \`"${written}"\``);
    default:
      return item satisfies never;
  }
}

/** Globs of a path atom; `!` in front of one subtracts it from the others. */
export function lowerGlobs(right: FlatValue, place: Place, word: string): readonly CheckedGlob[] | undefined {
  const globs: CheckedGlob[] = [];
  let whole = true;
  const refuse = (span: Span, problem: string, help: string) => {
    whole = false;
    mismatch(place, span, problem, help);
  };
  for (const flat of right.items) {
    const { item } = flat;
    const span = spanIn(flat, right, place);
    const written = textAt(flat.home.file, item.span);
    if (item.kind === "regex") refuse(span, `\`${word}\` takes globs, not patterns`, word === "matches" ? `write a glob such as "src/**", or \`~ ${written}\`` : 'write a glob such as "src/**"');
    else if (item.kind !== "text") refuse(span, `\`${word}\` takes globs in quotes, and \`${written}\` is none`, `put it in quotes: \`"${written}"\``);
    else if (/^!?\s*$/.test(item.value)) refuse(span, "an empty glob matches no path", 'write a glob such as "src/**"');
    else globs.push({ text: item.value.replace(/^!/, ""), except: item.value.startsWith("!"), span });
  }
  // Fail closed: nothing is left of a list that only subtracts, so a rule made of it would never fire.
  if (whole && globs.every((glob) => glob.except)) refuse(right.span, "this list only subtracts, so nothing can match it", 'begin with what it subtracts from: "**" is everything');
  return whole ? globs : undefined;
}

/** Where the author of this place wrote the item: the name, for what comes from another file. */
function spanIn(flat: FlatItem, right: FlatValue, place: Place): Span {
  return flat.home === place.home ? flat.item.span : right.span;
}

/** The file whose text an item's own span is about, where it is not the condition's. */
export function elsewhere(flat: FlatItem, place: Place) {
  return flat.home === place.home ? {} : { home: flat.home.file };
}

/** Reports and answers false, so that a check reads as one condition. */
export function mismatch(place: Place, span: Span, problem: string, help: string): false {
  place.report(diagnose("check/type-mismatch", { problem }, { file: place.home.file, span, help: { text: help } }));
  return false;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s/g, "\\s");
}
