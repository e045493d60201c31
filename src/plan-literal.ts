/**
 * JSON as a readable JavaScript literal in pure ASCII: short values on one line, long ones broken and indented. Text of a
 * policy can only ever become a string literal here, whatever it holds.
 */
import type { Json } from "./guard/call.ts";

const width = 120;

/** A plan, or a part of one, as it stands in a guard. */
export function planLiteral(plan: object): string {
  return broken(JSON.parse(JSON.stringify(plan)) as Json, "", literalForm);
}

/** The same layout as JSON text. */
export function prettyJson(value: object): string {
  return broken(JSON.parse(JSON.stringify(value)) as Json, "", jsonForm);
}

/** JSON text without any character outside printable ASCII; valid in JavaScript too, inside a `//` comment included. */
export function asciiJson(value: Json): string {
  return asciiEscaped(JSON.stringify(value));
}

/** JavaScript or JSON with every character beyond ASCII as an escape; line ends and tabs stay. */
export function asciiEscaped(code: string): string {
  return code.replace(/[^\x20-\x7e\n\t]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface Form {
  /** How far members stand behind what holds them. */
  readonly step: string;
  /** Behind the last member. */
  readonly trailing: string;
  readonly key: (key: string) => string;
}

const literalForm: Form = { step: "  ", trailing: ",", key: keyLiteral };
/** Rules are nested deeply, and a guard is read whole at every call. */
const jsonForm: Form = { step: " ", trailing: "", key: asciiJson };

function broken(value: Json, indent: string, form: Form): string {
  const inline = inlined(value, form);
  if (indent.length + inline.length <= width || value === null || typeof value !== "object") return inline;
  const deeper = indent + form.step;
  const members = isList(value) ? value.map((item) => broken(item, deeper, form)) : Object.entries(value).map(([key, item]) => `${form.key(key)}: ${broken(item, deeper, form)}`);
  // What is outermost has a line for each member.
  const lines = indent === "" ? members : filled(members, width - deeper.length);
  const [open, close] = isList(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.map((line) => deeper + line).join(",\n")}${form.trailing}\n${indent}${close}`;
}

/** As many items on a line as there is room for; what is broken itself stands alone. */
function filled(items: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const joined = `${last}, ${item}`;
    if (last !== undefined && joined.length <= room && !joined.includes("\n")) lines[lines.length - 1] = joined;
    else lines.push(item);
  }
  return lines;
}

function inlined(value: Json, form: Form): string {
  if (value === null || typeof value !== "object") return asciiJson(value);
  if (isList(value)) return `[${value.map((item) => inlined(item, form)).join(", ")}]`;
  const members = Object.entries(value).map(([key, item]) => `${form.key(key)}: ${inlined(item, form)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function keyLiteral(key: string): string {
  // Fail closed: written plainly, this key would set the prototype instead of a member.
  return key === "__proto__" ? `["__proto__"]` : asciiJson(key);
}

function isList(value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] {
  return Array.isArray(value);
}
