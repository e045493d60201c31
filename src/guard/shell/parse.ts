/**
 * Text to a syntax tree: a plain line by the lexer, all others by the Bash parser. Text that is not Bash, or that the
 * parser would be slow or lost in, is `Undecidable` and never an empty tree.
 */
import { parseBash } from "./bash-parser.ts";
import { parsePlain } from "./plain-lexer.ts";
import { giveUp } from "./text.ts";
import type { ParsedScript, Word } from "unbash";

export type {
  ArithmeticExpression, ArrayValue, Assignment, Case, Command, CommandNode, CompoundList, For, HereDoc, ParameterExpansionPart, ParameterOperation,
  ParsedScript, Pipeline, PipelineNode, Redirection, Script, Select, Statement, SyntaxNode, Word, WordPart,
} from "unbash";

/** A line with more here-documents than this keeps the parser busy for longer than a guard may take. */
const mostPending = 400;

/** @throws Undecidable for text that does not parse */
export function parseScript(text: string): ParsedScript {
  const plain = parsePlain(text);
  if (plain !== undefined) return plain;
  // Only operators on one line pile up; a body of C++ code has one `<<` or two on a line.
  if (text.includes("<<") && text.split("\n").some((line) => line.split("<<").length > mostPending)) giveUp("the command has too many here-documents on one line");
  let script: ParsedScript;
  try {
    script = parseBash(text);
  } catch (error) {
    // Fail closed: `f() f() f() …` overflows the parser's stack.
    if (error instanceof RangeError) giveUp("the command is nested too deeply");
    throw error;
  }
  expectComplete(script);
  return script;
}

/** Nested scripts carry their own errors. */
export function expectComplete(script: ParsedScript): void {
  const error = script.errors?.[0];
  if (error !== undefined) giveUp(`the command does not parse as Bash (${error.message})`);
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
