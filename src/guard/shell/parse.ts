/**
 * The one place that knows the Bash parser. In goes text, out comes its syntax tree; text that is not Bash, or that the
 * parser would be slow or lost in, is `Undecidable` and never an empty tree.
 */
import { forEachChild, parse } from "unbash";
import type { ParsedScript, SyntaxNode, Word } from "unbash";
import { Undecidable } from "./text.ts";

export type {
  ArithmeticExpression, ArrayValue, Assignment, Case, Command, CommandNode, CompoundList, For, HereDoc, ParameterExpansionPart, ParameterOperation,
  ParsedScript, Pipeline, Redirection, Script, Select, Statement, SyntaxNode, Word, WordPart,
} from "unbash";
export { forEachChild };

/** A line with more here-documents than this keeps the parser busy for longer than a guard may take. */
const mostPending = 400;

/** @throws Undecidable for text that does not parse */
export function parseScript(text: string): ParsedScript {
  // Only operators on one line pile up; a body of C++ code has one `<<` or two on a line.
  if (text.includes("<<") && text.split("\n").some((line) => line.split("<<").length > mostPending)) throw new Undecidable("the command has too many here-documents on one line");
  let script: ParsedScript;
  try {
    script = parse(text);
  } catch (error) {
    // Fail closed: `f() f() f() …` overflows the parser's stack.
    if (error instanceof RangeError) throw new Undecidable("the command is nested too deeply");
    throw error;
  }
  expectComplete(script);
  return script;
}

/** Nested scripts carry their own errors. */
export function expectComplete(script: ParsedScript): void {
  const error = script.errors?.[0];
  if (error !== undefined) throw new Undecidable(`the command does not parse as Bash (${error.message})`);
}

/** One word of text, as it would stand among the arguments of a command. */
export function parseWord(text: string): Word | undefined {
  const statement = parseScript(`: ${text}`).commands[0]?.command;
  const word = statement?.type === "Command" ? statement.suffix[0] : undefined;
  return word?.type === "Word" ? word : undefined;
}

/** Parts of `text` read as inside double quotes. */
export function parseQuoted(text: string): Word | undefined {
  return parseWord(`"${text.replace(/\\?"/g, '\\"')}"`);
}

export function visit(node: SyntaxNode, enter: (node: SyntaxNode) => boolean): void {
  if (enter(node)) forEachChild(node, (child) => visit(child, enter));
}
