/**
 * Parameters: what `$x`, `${x:-word}`, `${x%.c}` stand for. A name the line never sets is known only at run time, but
 * for the few whose value the call itself tells.
 */
import { arithmetic, numberOf } from "./arithmetic.ts";
import { findPrefixes, parseGlob } from "./glob-match.ts";
import type { Context, Interpreter } from "./machine.ts";
import type { ParameterExpansionPart, ParameterOperation } from "./parse.ts";
import { asScalar, border, hole, homeMark, isSettled, loose, nothing, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { expandOne, mapValue, sweep } from "./words.ts";
import type { Platform } from "../call.ts";

/** Longer texts are not computed with; the result is known only at run time. */
const longestText = 512;
const mostWork = 1 << 16;

/** The name of a store entry for the positional parameters: `$1` and on, as one list. */
export const positional = "@";
/** The name of the store entry for the folder the line is in. */
export const folder = "PWD";

/** The folders that `target` names in the folders `before`. */
export function folderBelow(before: Value, target: Value, platform: Platform): Value {
  const places = target.map((text): Value => {
    // Where the line goes is open, so where it has been stays possible.
    if (text.startsWith(hole) || text.startsWith(loose)) return unite([text], before);
    if (text.startsWith("/") || text.startsWith(homeMark) || (platform === "windows" && /^[A-Za-z]:\//.test(text))) return [text];
    return mapValue(before, (base) => (text === "." ? base : `${base === "/" ? "" : base}/${text}`));
  });
  return places.reduce((all, place) => unite(all, place), places[0] ?? before);
}

/** What a name stands for that the line has not set. */
export function inherited(name: string): Value {
  if (name === "HOME") return [homeMark];
  if (name === "IFS") return [" \t\n"];
  return [hole];
}

/** What `declare` says of a name: it stands for another one, its values are arithmetic, its elements are in no order. */
export type Attribute = "refers" | "integer" | "sparse";

export function setAttribute(attribute: Attribute, name: string, value: Value, machine: Interpreter): void {
  machine.variables.set(`${attribute} ${name}`, value);
}

export function attributeOf(attribute: Attribute, name: string, machine: Interpreter): string {
  const value = machine.variables.get(`${attribute} ${name}`);
  return value?.length === 1 && isSettled(value[0] ?? "") ? (value[0] ?? "") : "";
}

/** The variable that a name stands for (`declare -n`). */
export function targetOf(name: string, machine: Interpreter): string {
  return attributeOf("refers", name, machine) || name;
}

/** The value of a parameter as a list text: words of arrays are apart by borders. */
export function valueOf(written: string, machine: Interpreter): Value {
  const name = targetOf(written, machine);
  if (name === "@" || name === "*") return machine.variables.get(positional) ?? [hole];
  if (/^\d+$/.test(name)) {
    if (name === "0") return machine.variables.get("0") ?? [hole];
    return item(machine.variables.get(positional) ?? [hole], Number(name) - 1);
  }
  if (!/^\w+$/.test(name)) return [hole];
  machine.sources.texts.push(...(machine.origins.get(name) ?? []));
  const value = machine.variables.get(name);
  if (value === undefined) return inherited(name);
  return element(name, value, 0, machine);
}

/** One element; of an array whose elements are in no known order it may be any. */
function element(name: string, list: Value, index: number | undefined, machine: Interpreter): Value {
  if (index === undefined || attributeOf("sparse", name, machine) !== "") return concatenateAll(list.map((text) => itemsOf(text) ?? [hole]));
  return index < 0 ? mapValue(list, (text) => itemsOf(text)?.at(index)?.replaceAll(nothing, "") ?? hole) : item(list, index);
}

/** The words of a list that is not empty; `undefined` where a run-time stretch makes their number unknown. */
function itemsOf(text: Text): readonly Text[] | undefined {
  if (text === hole) return undefined;
  return text === "" ? [] : text.split(border);
}

function item(list: Value, index: number): Value {
  return mapValue(list, (text) => {
    const items = itemsOf(text);
    return items === undefined ? hole : (items[index] ?? "").replaceAll(nothing, "");
  });
}

/** `${…}`; the result is not yet split. Lists keep their borders for `[@]`, `[*]`, `@`, `*`. */
export function expandParameter(part: ParameterExpansionPart, machine: Interpreter, context: Context): Value {
  const { prefix, index, operation } = part;
  const parameter = targetOf(part.parameter, machine);
  if (index !== undefined) sweep(index, machine, context);
  if (prefix === "#") return [hole];
  let value: Value;
  if (prefix === "!") {
    if (operation?.type === "Names" || index !== undefined) return [hole];
    value = concatenateAll(valueOf(part.parameter, machine).map((name) => named(name, machine, context)));
  } else if (index !== undefined) value = indexed(parameter, index.value, machine, context);
  else value = valueOf(parameter, machine);
  if (operation === undefined) return value;
  const set = machine.variables.get(parameter) !== undefined || (/^\d+$/.test(parameter) && machine.variables.get(positional) !== undefined);
  return operate(operation, value, set, parameter, machine, context);
}

/** `${NAME[INDEX]}`. */
function indexed(name: string, index: string, machine: Interpreter, context: Context): Value {
  machine.sources.texts.push(...(machine.origins.get(name) ?? []));
  const list = machine.variables.get(name) ?? [hole];
  if (index === "@" || index === "*") return list;
  arithmetic(index, machine, context);
  // Which element it is may show at run time; it is one of them.
  return element(name, list, numberOf(index.replace(/^\$\{?(\w+)\}?$/, "$1"), machine), machine);
}

/** What `${!x}` stands for where `x` holds this text. */
function named(text: Text, machine: Interpreter, context: Context): Value {
  if (/^\w+$/.test(text)) return valueOf(text, machine);
  const [, name, index = ""] = /^(\w+)\[([^]*)\]$/.exec(text) ?? [];
  if (name === undefined || !isSettled(text)) return [hole];
  arithmetic(text, machine, context, new Set([""]));
  return indexed(name, index, machine, context);
}

function concatenateAll(values: readonly Value[]): Value {
  return values.reduce<Value>((all, value) => unite(all, value), values[0] ?? [""]);
}

function operate(operation: ParameterOperation, value: Value, set: boolean, name: string, machine: Interpreter, context: Context): Value {
  switch (operation.type) {
    case "Default": {
      const word = expandOne(operation.operand, machine, context);
      const kind = operation.operator.replace(":", "");
      if (kind === "?") return value;
      // What is empty may have been unset, which only the forms with a colon treat alike; what run time fills may be empty.
      const alike = operation.operator.startsWith(":");
      const either = (filled: Value, empty: Value, text: Text): Value => (text === "" ? (alike ? empty : unite(empty, filled)) : alike && (text === hole || text === loose) ? unite(empty, filled) : filled);
      if (kind === "+") return set ? concatenateAll(value.map((text) => either(word, [""], text))) : unite(word, [""]);
      const result = set ? concatenateAll(value.map((text) => either([text], word, text))) : unite(word, value);
      if (kind === "=") machine.variables.set(name, result);
      return result;
    }
    case "Remove": {
      const pattern = expandOne(operation.operand, machine, context);
      return compute(value, pattern, 1, (text, glob) => removed(text, glob, operation.operator));
    }
    case "Replace": {
      const pattern = expandOne(operation.pattern, machine, context);
      const replacement = expandOne(operation.replacement, machine, context);
      const [by] = replacement;
      if (replacement.length !== 1 || by === undefined) return [hole];
      return compute(value, pattern, Math.max(...value.map((text) => text.length / 8)), (text, glob) => replaced(text, glob, by, operation.operator));
    }
    case "Slice": {
      const [offset = "", length] = [operation.offset, operation.length].map((word) => {
        const [text] = word === undefined ? [undefined] : expandOne(word, machine, context);
        if (text !== undefined) arithmetic(text, machine, context);
        return text;
      });
      const [start, count] = [offset, length].map((text) => (text === undefined ? undefined : numberOf(text, machine)));
      if (start === undefined || (length !== undefined && count === undefined)) return [hole];
      return mapValue(value, (text) => sliced(text, start, count));
    }
    case "CaseModification": {
      if (operation.operand !== undefined) sweep(operation.operand, machine, context);
      const upper = operation.operator.startsWith("^");
      const change = (text: string): string => (upper ? text.toUpperCase() : text.toLowerCase());
      return mapValue(value, (text) => (!isSettled(text) ? hole : operation.operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1)));
    }
    case "Transform":
      return transformed(operation.operand.text, value, machine, context);
    case "Names":
    case "Unknown":
      return [hole];
    default:
      throw operation satisfies never;
  }
}

function transformed(operator: string, value: Value, machine: Interpreter, context: Context): Value {
  switch (operator) {
    case "U":
      return mapValue(value, (text) => (isSettled(text) ? text.toUpperCase() : hole));
    case "L":
      return mapValue(value, (text) => (isSettled(text) ? text.toLowerCase() : hole));
    case "P":
      // Prompt expansion runs the substitutions in the value.
      for (const text of value) {
        if (text.includes("$(") || text.includes("`")) machine.quoted(text, context);
        else if (!isSettled(text)) machine.notes.dynamic = true;
      }
      return [hole];
    default:
      return [hole];
  }
}

/** `weight`: how often the pattern is tried for each character. */
function compute(value: Value, patterns: Value, weight: number, change: (text: string, pattern: string) => string): Value {
  const [pattern] = patterns;
  if (patterns.length !== 1 || pattern === undefined || !isSettled(pattern) || pattern.length > longestText) return [hole];
  return mapValue(value, (text) => (isSettled(text) && text.length <= longestText && text.length * pattern.length * weight <= mostWork ? change(asScalar(text), asScalar(pattern)) : hole));
}

function removed(text: string, pattern: string, operator: "#" | "##" | "%" | "%%"): string {
  const fromEnd = operator.startsWith("%");
  const glob = parseGlob(pattern);
  const subject = fromEnd ? [...text].reverse().join("") : text;
  const ends = findPrefixes(fromEnd ? [...glob].reverse() : glob, subject);
  const end = operator.length === 2 ? ends.at(-1) : ends[0];
  if (end === undefined) return text;
  return fromEnd ? text.slice(0, text.length - end) : text.slice(end);
}

function replaced(text: string, pattern: string, by: string, operator: "/" | "//" | "/#" | "/%"): string {
  const glob = parseGlob(pattern);
  let out = "";
  let at = 0;
  while (at <= text.length) {
    const end = findPrefixes(glob, text.slice(at)).filter((length) => length > 0 && (operator !== "/%" || at + length === text.length)).at(-1);
    if (end !== undefined) {
      out += by;
      at += end;
      if (operator !== "//") break;
    } else {
      if (operator === "/#") break;
      out += text.slice(at, at + 1);
      at += 1;
    }
  }
  return out + text.slice(at);
}

function sliced(text: Text, offset: number, length: number | undefined): Text {
  const items = text.includes(border) ? text.split(border) : undefined;
  if (items === undefined && !isSettled(text)) return hole;
  const size = items?.length ?? text.length;
  // `${@:1}` counts from one.
  const start = Math.max(0, offset < 0 ? size + offset : items === undefined ? offset : offset - 1);
  const end = length === undefined ? size : length < 0 ? size + length : start + length;
  return items === undefined ? text.slice(start, end) : items.slice(start, end).join(border);
}
