/**
 * Arithmetic runs commands: Bash evaluates a variable's value as an expression, and the subscript of an array in it may
 * hold a substitution (`x='a[$(cmd)]'; ((x))`). Values the line sets are looked into; all results are run-time numbers.
 */
import type { Context, Interpreter } from "./machine.ts";
import { hole, isSettled } from "./text.ts";
import type { Text } from "./text.ts";

const mostNames = 64;

/** Looks for substitutions in what `expression` evaluates; marks the variables it sets. */
export function arithmetic(expression: Text, machine: Interpreter, context: Context, seen: Set<string> = new Set()): void {
  const depth = seen.size;
  if (depth > 0 && /\[[^]*(?:\$\(|`)/.test(expression)) machine.quoted(expression, context);
  for (const name of new Set(expression.match(/[A-Za-z_]\w*/g)?.slice(0, mostNames) ?? [])) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const text of machine.variables.get(name) ?? []) if (isSettled(text) && /[A-Za-z_]/.test(text)) arithmetic(text, machine, context, seen);
  }
  if (depth > 0) return;
  for (const [, name = ""] of expression.matchAll(/([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)/g)) machine.variables.set(name, [hole]);
  for (const [, before = "", after = ""] of expression.matchAll(/(?:\+\+|--)\s*([A-Za-z_]\w*)|([A-Za-z_]\w*)\s*(?:\+\+|--)/g)) machine.variables.set(before + after, [hole]);
}
