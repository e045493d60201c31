/**
 * Reading Chevrotain's trees: children by name, spans of nodes and tokens. Its end offsets are inclusive; every span made
 * here is half-open.
 */
import type { CstNode, IToken } from "chevrotain";
import type { Tokens } from "../../grammar/tokens.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";

/** One file being read, and what was found wrong with it so far. */
export interface Reading {
  readonly file: SourceFile;
  readonly found: Diagnostic[];
}

/** The tokens of one statement, and the stretch of text up to the newline that ends it. */
export interface Row {
  readonly tokens: readonly IToken[];
  readonly strays: Tokens["strays"];
  readonly end: number;
}

export function spanOf(node: CstNode): Span {
  const { startOffset, endOffset } = presume(node.location, node.name);
  return { start: startOffset, end: presume(endOffset, node.name) + 1 };
}

export function spanOfToken(token: IToken): Span {
  return { start: token.startOffset, end: token.startOffset + token.image.length };
}

/** All child nodes of one rule, in order. */
export function nodes(parent: CstNode, rule: string): readonly CstNode[] {
  return (parent.children[rule] ?? []).filter((child): child is CstNode => "children" in child);
}

export function optionalNode(parent: CstNode, rule: string): CstNode | undefined {
  return nodes(parent, rule)[0];
}

/** The child the grammar promises. */
export function node(parent: CstNode, rule: string): CstNode {
  return presume(optionalNode(parent, rule), `${parent.name}/${rule}`);
}

/** All child tokens of one type (or label), in order. */
export function tokens(parent: CstNode, type: string): readonly IToken[] {
  return (parent.children[type] ?? []).filter((child): child is IToken => "image" in child);
}

export function optionalToken(parent: CstNode, type: string): IToken | undefined {
  return tokens(parent, type)[0];
}

export function token(parent: CstNode, type: string): IToken {
  return presume(optionalToken(parent, type), `${parent.name}/${type}`);
}

/** The only child of a rule that is nothing but alternatives. */
export function onlyChild(parent: CstNode): CstNode | IToken {
  for (const name in parent.children) return presume(parent.children[name]?.[0], name);
  throw new Error(`the syntax tree has nothing in ${parent.name}`);
}

/** Absence here means that grammar and reader disagree: a bug of policyc, not of the policy. */
export function presume<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`the syntax tree has no ${what}`);
  return value;
}
