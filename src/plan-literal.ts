/**
 * JSON as a readable JavaScript literal in pure ASCII: short values on one line, long ones broken and indented. Text of a
 * policy can only ever become a string literal here, whatever it holds.
 */
import type { Json } from "./guard/call.ts";
import type { GuardPlan } from "./guard/plan.ts";

const width = 120;

/** The plan as it stands in a guard. */
export function planLiteral(plan: GuardPlan): string {
  return broken(JSON.parse(JSON.stringify(plan)) as Json, "");
}

/** JSON text without any character outside printable ASCII; valid in JavaScript too, inside a `//` comment included. */
export function asciiJson(value: Json): string {
  return asciiEscaped(JSON.stringify(value));
}

/** JavaScript or JSON with every character beyond ASCII as an escape; line ends and tabs stay. */
export function asciiEscaped(code: string): string {
  return code.replace(/[^\x20-\x7e\n\t]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function broken(value: Json, indent: string): string {
  const inline = inlined(value);
  if (indent.length + inline.length <= width || value === null || typeof value !== "object") return inline;
  const deeper = `${indent}  `;
  if (isList(value)) return `[\n${value.map((item) => `${deeper}${broken(item, deeper)},\n`).join("")}${indent}]`;
  const members = Object.entries(value).map(([key, item]) => `${deeper}${keyLiteral(key)}: ${broken(item, deeper)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

function inlined(value: Json): string {
  if (value === null || typeof value !== "object") return asciiJson(value);
  if (isList(value)) return `[${value.map(inlined).join(", ")}]`;
  const members = Object.entries(value).map(([key, item]) => `${keyLiteral(key)}: ${inlined(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function keyLiteral(key: string): string {
  // Fail closed: written plainly, this key would set the prototype instead of a member.
  return key === "__proto__" ? `["__proto__"]` : asciiJson(key);
}

function isList(value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] {
  return Array.isArray(value);
}
