/**
 * Arithmetic runs commands: Bash evaluates a variable's value as an expression, and the subscript of an array in it may
 * hold a substitution (`x='a[$(cmd)]'; ((x))`). Values the line sets are looked into; all results are run-time numbers.
 */
import type { Context, Interpreter } from "./machine.ts";
import type { ArithmeticExpression } from "./parse.ts";
import { hole, isExact, isSettled } from "./text.ts";
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

/**
 * False where Bash takes the text between `$((` and `))` for commands in a subshell: its parentheses, which it counts
 * without regard to the pattern of a `case`, do not match.
 */
export function isArithmetic(text: string): boolean {
  let open = 0;
  for (const [token] of text.matchAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[()]/g)) {
    if (token === "(") open += 1;
    if (token === ")") open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/** The text of an expression that the parser keeps as a tree only. */
export function expressionText(node: ArithmeticExpression): string {
  switch (node.type) {
    case "ArithmeticBinary":
      return `${expressionText(node.left)} ${node.operator} ${expressionText(node.right)}`;
    case "ArithmeticUnary":
      return node.prefix ? `${node.operator}${expressionText(node.operand)}` : `${expressionText(node.operand)}${node.operator}`;
    case "ArithmeticTernary":
      return [node.test, node.consequent, node.alternate].map(expressionText).join(" : ");
    case "ArithmeticGroup":
      return `(${expressionText(node.expression)})`;
    case "ArithmeticWord":
      return node.value;
    case "ArithmeticCommandExpansion":
      return node.text;
    default:
      throw node satisfies never;
  }
}

const longestSum = 64;

/** The number that a plain expression stands for; `undefined` where only the run tells. */
export function numberOf(expression: Text, machine: Interpreter): number | undefined {
  if (expression.length > longestSum || !isExact(expression)) return undefined;
  const tokens = expression.match(/\d+|[A-Za-z_]\w*|[-+*/%()]|\S/g) ?? [];
  let at = 0;
  const factor = (): number => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token === "-") return -factor();
    if (token === "+") return factor();
    if (token === "(") {
      const inner = sum();
      at += 1;
      return tokens[at - 1] === ")" ? inner : NaN;
    }
    if (/^(?:0|[1-9]\d*)$/.test(token)) return Number(token);
    const value = /^[A-Za-z_]/.test(token) ? machine.variables.get(token) : undefined;
    return value?.length === 1 && /^(?:0|-?[1-9]\d{0,8})$/.test(value[0] ?? "") ? Number(value[0]) : NaN;
  };
  const product = (): number => {
    let left = factor();
    for (let token = tokens[at]; token === "*" || token === "/" || token === "%"; token = tokens[at]) {
      at += 1;
      const right = factor();
      left = token === "*" ? left * right : token === "/" ? Math.trunc(left / right) : left % right;
    }
    return left;
  };
  const sum = (): number => {
    let left = product();
    for (let token = tokens[at]; token === "+" || token === "-"; token = tokens[at]) {
      at += 1;
      left = token === "+" ? left + product() : left - product();
    }
    return left;
  };
  const result = sum();
  return at === tokens.length && Number.isSafeInteger(result) ? result : undefined;
}
