/**
 * A statement that does not parse in, one diagnostic out. The habits of people come first; where none fits, the message
 * says what the grammar wanted at this place and what it found.
 */
import type { IRecognitionException, IToken } from "chevrotain";
import { keyword, sign } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { spanOfToken, type Reading } from "./cst.ts";
import { habits } from "./habits.ts";
import type { Row } from "./parse.ts";
import { endOf } from "./place.ts";

/** Where and why the parser gave up. */
export interface Refusal {
  readonly tokens: readonly IToken[];
  /** Of the first token that does not fit; one past the last where the statement ends too early. */
  readonly index: number;
  readonly found: IToken | undefined;
  readonly before: IToken | undefined;
  /** The innermost rule of the grammar that was being read. */
  readonly rule: string;
  /** The one token that could stand here, where there is only one. */
  readonly wanted: string;
}

/** Deeper than people nest, and far from where recursion would run out of stack. */
const deepest = 100;

export function reportRefusal(exception: IRecognitionException, row: Row, reading: Reading): void {
  const found = row.tokens.indexOf(exception.token);
  const index = found < 0 ? row.tokens.length : found;
  const isLeftOver = exception.name === "NotAllInputParsedException";
  const refusal: Refusal = {
    tokens: row.tokens,
    index,
    found: row.tokens[index],
    before: row.tokens[index - 1],
    rule: isLeftOver ? "end" : (exception.context.ruleStack.at(-1) ?? "statement"),
    wanted: exception.name === "MismatchedTokenException" ? exception.message : "",
  };
  for (const habit of habits) {
    const diagnostic = habit(refusal, reading);
    if (diagnostic) {
      reading.found.push(diagnostic);
      return;
    }
  }
  reading.found.push(unexpected(refusal, reading));
}

function unexpected(refusal: Refusal, { file }: Reading): Diagnostic {
  const span = refusal.found ? spanOfToken(refusal.found) : endOf(refusal.tokens);
  return diagnose("syntax/unexpected", { expected: describeWanted(refusal), found: describeFound(refusal.found) }, { file, span });
}

/** What could have stood where the parser gave up, by the rule it was in. */
const wantedIn: Readonly<Record<string, string>> = {
  statement: "a statement",
  text: "a text in quotes",
  module: "a module such as `std/git`, or a file in quotes",
  action: "an effect",
  trigger: "a tool class, `before`, `after` or `on`",
  selector: "a tool class",
  toolRef: "a tool class or a tool name in quotes",
  event: "an event",
  mcpPat: "a server, or `server.tool`",
  mcpPart: "a name or `*`",
  effect: "an effect",
  tellEffect: "`model` or `user`",
  source: "a text in quotes, `file`, `output of` or a `$name`",
  setEffect: "a text in quotes, a number or a `$name`",
  elseAction: "`deny`, `ask`, `skip` or an effect",
  clause: "a clause",
  stimulus: "a text in quotes, or fields with their values",
  scalar: "a text in quotes or a number",
  cond: "a condition",
  conj: "a condition",
  neg: "a condition",
  atom: "a condition",
  operand: "a field",
  comparison: "an operator",
  rhs: "a text in quotes, a pattern, a number, a list, a field or a `$name`",
  invocation: "a command",
  command: "a command",
  words: "a command",
  cmdWord: "a command",
  argument: "a flag, a word, a text in quotes, a pattern or a list of them",
  arg: "a flag, a word, a text in quotes, a pattern or a `$name`",
  pattern: "a pattern, a text in quotes, a list or a `$name`",
  literal: "a pattern, a text in quotes or a number",
  list: "an entry of the list",
  item: "an entry of the list",
  field: "a field",
  fieldList: "a field",
  nameList: "a name",
  defaultDecl: "a value",
  useDecl: "a module such as `std/git`, or a file in quotes",
  letDecl: "a text, a pattern, a number, a list or a condition",
  testBlock: "`given`",
  step: "`expect`",
  expect: "`deny`, `ask`, `allow`, `retry`, `pass`, or a field with a comparison",
  permission: "a text in quotes",
};

const wantedToken: Readonly<Record<string, string>> = {
  NAME: "a name",
  DURATION: "a duration such as `5s`",
  NUMBER: "a number",
  DOLLAR: "a name of your own such as `$protected`",
  STRING: "a text in double quotes",
};

export function describeWanted({ wanted, rule, tokens, index }: Refusal): string {
  if (wanted !== "") return wantedToken[wanted] ?? wanted.replaceAll('"', "`");
  if (rule !== "end") return wantedIn[rule] ?? "something else";
  const isRule = tokens[0] !== undefined && !declarations.includes(tokens[0].tokenType);
  if (!isRule) return "the end of the line";
  return tokens.slice(0, index).some(({ tokenType }) => tokenType === keyword.when) ? "a clause or the end of the rule" : "`when`, a clause or the end of the rule";
}

const declarations = [keyword.policy, keyword.target, keyword.default, keyword.use, keyword.let, keyword.disable, keyword.observe, keyword.test];

export function describeFound(token: IToken | undefined): string {
  if (token === undefined) return "the end of the statement";
  const shown = token.image.length > 40 ? `${token.image.slice(0, 39)}…` : token.image;
  return `\`${shown.replaceAll(/\s+/g, " ")}\``;
}

/** Only the first statement of a file can be indented: behind it, an indented line belongs to the one above. */
export function reportMargin({ tokens }: Row, { file, found }: Reading): boolean {
  const [first] = tokens;
  if (first === undefined || clauseWords.has(first.image)) return false;
  const isAtMargin = first.startOffset === 0 || file.text[first.startOffset - 1] === "\n" || file.text[first.startOffset - 1] === "\uFEFF";
  if (isAtMargin) return false;
  found.push(diagnose("syntax/not-at-margin", { word: first.image }, { file, span: spanOfToken(first), help: { text: "remove the blanks in front of it" } }));
  return true;
}

const clauseWords = new Set(["when", "unless", "because", "suggest", "else", "for", "id", "severity", "timeout", "limit", "also", "example"]);

/** The parser and everything behind it follow a condition by recursion. */
export function reportDepth({ tokens }: Row, { file, found }: Reading): boolean {
  let open = 0;
  let negations = 0;
  for (const token of tokens) {
    if (token.tokenType === sign.open) open++;
    if (token.tokenType === sign.close) open--;
    negations = token.tokenType === keyword.not ? negations + 1 : token.tokenType === sign.open ? negations : 0;
    if (open + negations > deepest) {
      found.push(diagnose("syntax/too-deep", { most: deepest }, { file, span: spanOfToken(token), help: { text: "give parts of the condition a name with `let $name = …`" } }));
      return true;
    }
  }
  return false;
}
