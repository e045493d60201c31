/**
 * A statement that does not parse in, one diagnostic out. The habits of people come first; where none fits, the message
 * says what the grammar wanted at this place and what it found.
 */
import type { IRecognitionException } from "chevrotain";
import { keyword, sign } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { spanOfToken, type Reading, type Row } from "./cst.ts";
import { diagnoseHabit } from "./habits.ts";
import { endOf, isOneOf } from "./place.ts";
import { describeFound, describeWanted, formOf, type Refusal } from "./refusal.ts";
import { clauseWords } from "./unknown-words.ts";

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
    within: isLeftOver ? [] : exception.context.ruleStack,
    rule: isLeftOver ? "end" : (exception.context.ruleStack.at(-1) ?? "statement"),
    wanted: exception.name === "MismatchedTokenException" ? exception.message : "",
  };
  reading.found.push(diagnoseHabit(refusal, reading) ?? unexpected(refusal, reading));
}

function unexpected(refusal: Refusal, { file }: Reading): Diagnostic {
  const span = refusal.found ? spanOfToken(refusal.found) : endOf(refusal.tokens);
  const form = formOf(refusal);
  return diagnose("syntax/unexpected", { expected: describeWanted(refusal), found: describeFound(refusal.found) }, { file, span, ...(form && { help: { text: `this is how it is written: \`${form}\`` } }) });
}

/** Only the first statement of a file can be indented: behind it, an indented line belongs to the one above. */
export function reportMargin({ tokens }: Row, { file, found }: Reading): boolean {
  const [first] = tokens;
  if (first === undefined || isOneOf(clauseWords, first)) return false;
  const isAtMargin = first.startOffset === 0 || file.text[first.startOffset - 1] === "\n" || file.text[first.startOffset - 1] === "\uFEFF";
  if (isAtMargin) return false;
  found.push(diagnose("syntax/not-at-margin", { word: first.image }, { file, span: spanOfToken(first), help: { text: "remove the blanks in front of it" } }));
  return true;
}

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
