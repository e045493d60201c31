/** Trees of conditions in, condition nodes out; a condition of one part is that part, without a node around it. */
import type { CstNode, IToken } from "chevrotain";
import { Bare, Dollar, Flag, RegexLiteral } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { joinSpans, type Span } from "../diagnostics/diagnostic.ts";
import type { Command, CommandWord, ComparisonTail, Condition, FieldOperand, Invocation, Operand, Operator } from "./ast.ts";
import { node, nodes, onlyChild, optionalNode, optionalToken, spanOf, spanOfToken, token, tokens, type Reading } from "./cst.ts";
import { isLineBreakBetween, reportMissingComma, toDollar, toField, toList, toName, toRegex, toSimple, toText } from "./literals.ts";
import { readText } from "./text.ts";
import { isMeantAsClause, unknownClauseAt } from "./unknown-words.ts";

export function toCondition(cond: CstNode, reading: Reading): Condition {
  return joined("or", cond, nodes(cond, "conj").map((conj) => joined("and", conj, nodes(conj, "neg").map((neg) => toNegation(neg, reading)))));
}

function joined(kind: "or" | "and", parent: CstNode, of: readonly Condition[]): Condition {
  const [only] = of;
  return of.length === 1 && only ? only : { kind, of, parenthesised: false, span: spanOf(parent) };
}

function toNegation(neg: CstNode, reading: Reading): Condition {
  const inner = optionalNode(neg, "neg");
  return inner ? { kind: "not", of: toNegation(inner, reading), span: spanOf(neg) } : toAtom(node(neg, "atom"), reading);
}

function toAtom(atom: CstNode, reading: Reading): Condition {
  const span = spanOf(atom);
  const inner = optionalNode(atom, "cond");
  if (inner) {
    const condition = toCondition(inner, reading);
    return condition.kind === "or" || condition.kind === "and" ? { ...condition, parenthesised: true, span } : condition;
  }
  const dollar = optionalToken(atom, "DOLLAR");
  const operand = optionalNode(atom, "operand");
  if (dollar || operand) {
    const left = dollar ? toDollar(dollar) : toFieldOperand(operand as CstNode, reading);
    const comparison = optionalNode(atom, "comparison");
    if (comparison) return { kind: "compare", left, comparison: toComparison(comparison, reading), span };
    return left.kind === "dollar" ? { kind: "reference", reference: left, span } : { kind: "is", operand: left, span };
  }
  return toVerb(token(atom, "word").image as Verb, atom, reading);
}

type Verb = "runs" | "only" | "touches" | "reads" | "writes" | "deletes" | "pipes" | "has" | "succeeds" | "marked";

function toVerb(verb: Verb, atom: CstNode, reading: Reading): Condition {
  const span = spanOf(atom);
  switch (verb) {
    case "runs":
    case "only":
      return { kind: "runs", only: verb === "only", invocation: toInvocation(node(atom, "invocation"), reading), span };
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      return { kind: verb, operand: toOperand(node(atom, "rhs"), reading), span };
    case "pipes": {
      const [from, into] = nodes(atom, "command").map((command) => toCommand(command, reading)) as [Command, Command];
      return { kind: "pipes", from, into, span };
    }
    case "has":
      return { kind: "has", field: toField(node(atom, "field"), reading), span };
    case "succeeds":
      return { kind: "succeeds", command: toText(node(atom, "text"), reading), span };
    case "marked":
      return { kind: "marked", name: toName(node(atom, "name")), span };
    default:
      throw new Error(`no condition begins with ${verb satisfies never}`);
  }
}

function toFieldOperand(operand: CstNode, reading: Reading): FieldOperand {
  const [outer, inner] = nodes(operand, "field").map((field) => toField(field, reading));
  const span = spanOf(operand);
  if (outer && inner) return { kind: "field-operand", measure: { kind: "name", text: outer.path.join("."), span: outer.span }, field: inner, span };
  return { kind: "field-operand", field: toField(node(operand, "field"), reading), span };
}

export function toComparison(comparison: CstNode, reading: Reading): ComparisonTail {
  const words = tokens(comparison, "word");
  const first = words[0] as IToken;
  return {
    operator: operatorOf(words.map((word) => word.image).join("-")),
    operatorSpan: joinSpans(spanOfToken(first), spanOfToken(words.at(-1) ?? first)),
    operand: toOperand(node(comparison, "rhs"), reading),
    span: spanOf(comparison),
  };
}

function operatorOf(words: string): Operator {
  return words as Operator;
}

function toOperand(rhs: CstNode, reading: Reading): Operand {
  const child = onlyChild(rhs);
  if ("image" in child) return toDollar(child);
  if (child.name === "list") return toList(child, reading);
  if (child.name === "field") return toField(child, reading);
  return toSimple(child, reading) as Operand;
}

function toInvocation(invocation: CstNode, reading: Reading): Invocation {
  return {
    command: toCommand(node(invocation, "command"), reading),
    arguments: nodes(invocation, "argument").map((argument) => ({
      kind: token(argument, "word").image as "with" | "without",
      patterns: nodes(argument, "arg").map((arg) => toCommandWord(arg, reading)),
      span: spanOf(argument),
    })),
    span: spanOf(invocation),
  };
}

function toCommand(command: CstNode, reading: Reading): Command {
  const close = optionalToken(command, '"]"');
  const alternatives = nodes(command, "words").map((row) => nodes(row, "cmdWord").map((word) => toCommandWord(word, reading)));
  const tail = nodes(command, "cmdWord").map((word) => toCommandWord(word, reading));
  if (close) {
    // Fail closed: a line break may stand for a comma in a list, so words on two lines look like two commands here.
    for (const row of alternatives) {
      row.forEach((word, index) => {
        const before = row[index - 1];
        if (before && isLineBreakBetween(before.span, word.span, reading)) reportMissingComma(before.span, word.span, reading);
      });
    }
  }
  const isSwallowing = refuseSwallowedClauses(close ? [{ span: spanOfToken(close) }, ...tail] : (alternatives[0] ?? []), reading);
  if (!isSwallowing) for (const word of [...alternatives.flat(), ...tail]) warnOfBlanks(word, reading);
  return { alternatives, tail, span: spanOf(command) };
}

/**
 * Fail closed: words run on over line breaks, so a mistyped clause below a `runs` would become part of its command, and
 * a command that nobody ever types guards nothing.
 */
function refuseSwallowedClauses(row: readonly (CommandWord | { readonly span: Span; readonly kind?: never })[], reading: Reading): boolean {
  const swallowed = row.flatMap((word, index) => {
    const before = row[index - 1];
    if (!before || word.kind !== "bare" || !isLineBreakBetween(before.span, word.span, reading)) return [];
    return isMeantAsClause(word.text, row[index + 1]?.kind === "text") ? [word] : [];
  });
  const notes = ["A line below `runs` goes on with the words of the command, unless it begins with a word of the rule language."];
  for (const word of swallowed) reading.found.push(unknownClauseAt(word.text, word.span, reading.file, notes));
  return swallowed.length > 0;
}

function toCommandWord(parent: CstNode, reading: Reading): CommandWord {
  const image = onlyChild(parent) as IToken;
  const span = spanOfToken(image);
  if (image.tokenType === Flag) return { kind: "flag", text: image.image, span };
  if (image.tokenType === Dollar) return toDollar(image);
  if (image.tokenType === RegexLiteral) return toRegex(image);
  if (optionalToken(parent, Bare.name)) return { kind: "bare", text: image.image, span };
  return readText(image, reading);
}

/** `runs "npm install"` asks for a program of that very name, and nobody has one. */
function warnOfBlanks(word: CommandWord, reading: Reading): void {
  if (word.kind !== "text" || !/\s/.test(word.value)) return;
  reading.found.push(
    diagnose("syntax/quoted-blanks", { text: word.value }, {
      file: reading.file,
      span: word.span,
      notes: ["Quotes make one word of it, and this one would have to be the name of a program or one whole argument."],
      help: { text: `write the words without quotes: \`${word.value}\`` },
    }),
  );
}
