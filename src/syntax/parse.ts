/**
 * One policy text in, its tree and what is wrong with it out. Statements are parsed one by one, cut at the newlines that
 * end them, so a broken one costs exactly one message and never its neighbours.
 */
import type { CstNode } from "chevrotain";
import { tabulate, type Lookahead } from "../../grammar/lookahead.ts";
import { PolicyParser } from "../../grammar/parser.ts";
import { createLexer, NewLine, tokenize, type Tokens } from "../../grammar/tokens.ts";
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";
import type { Policy, Statement } from "./ast.ts";
import { describe, readSilencers } from "./comments.ts";
import type { Reading, Row } from "./cst.ts";
import { reportFaults } from "./faults.ts";
import { reportHidden } from "./hidden.ts";
import { reportDepth, reportMargin, reportRefusal } from "./refusals.ts";
import { toStatement } from "./statements.ts";

/** Never throws: every text has a tree, of the statements that could be read. */
export function parsePolicy(file: SourceFile): { policy: Policy; diagnostics: Diagnostic[] } {
  const reading: Reading = { file, found: [] };
  const { lexer, parser } = machinery();
  const tokens = tokenize(lexer, file.text);
  reportHidden(tokens, reading);
  const statements = rowsOf(tokens, file.text.length).flatMap((row) => readRow(row, parser, reading));
  const silencers = readSilencers(tokens.comments, reading);
  const policy: Policy = { file, statements: describe(statements, tokens.comments, file.text), silencers };
  return { policy, diagnostics: reading.found.toSorted((left, right) => (left.span?.start ?? 0) - (right.span?.start ?? 0)) };
}

/** Put in here when policyc is released; whoever runs policyc from source waits for Chevrotain to work it out. */
declare const lookaheadTable: Lookahead | undefined;

/** The table for a release. */
export function tabulateLookahead(): Lookahead {
  return tabulate(new PolicyParser({ validate: true }).choices);
}

/** Built at the first parse: commands that read no policy start without it. */
const machinery = once(() => ({
  lexer: createLexer({ validate: false }),
  parser: new PolicyParser({ validate: false, lookahead: typeof lookaheadTable === "undefined" ? undefined : lookaheadTable }),
}));

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function rowsOf({ tokens, strays }: Tokens, length: number): Row[] {
  const rows: Row[] = [];
  let stray = 0;
  let start = 0;
  const cut = (stop: number, end: number) => {
    const firstStray = stray;
    while (stray < strays.length && (strays[stray]?.offset ?? 0) < end) stray++;
    const row: Row = { tokens: tokens.slice(start, stop), strays: strays.slice(firstStray, stray), end };
    if (row.tokens.length > 0 || row.strays.length > 0) rows.push(row);
    start = stop + 1;
  };
  tokens.forEach((token, index) => {
    if (token.tokenType === NewLine) cut(index, token.startOffset);
  });
  cut(tokens.length, length);
  return rows;
}

function readRow(row: Row, parser: PolicyParser, reading: Reading): Statement[] {
  if (reportFaults(row, reading)) return [];
  if (reportMargin(row, reading) || reportDepth(row, reading)) return [];
  parser.input = [...row.tokens];
  const tree: CstNode | undefined = parser.statement();
  const refusal = parser.errors[0];
  if (refusal) {
    reportRefusal(refusal, row, reading);
    return [];
  }
  return [toStatement(tree, reading)];
}
