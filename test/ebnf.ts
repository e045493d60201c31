/** The grammar page, printed from the productions that Chevrotain recorded: rules first, then what the words stand for. */
import type { ISerializedGast, TokenType } from "chevrotain";
import { PolicyParser } from "../grammar/parser.ts";
import { keyword, nounWords, structureWords, tokenTypes, verbWords } from "../grammar/tokens.ts";

const heading = `(* The grammar of the policy language, LL(1). Printed from grammar/parser.ts by test/grammar.test.ts; do not edit. *)
(* [ x ] may be left out, { x } stands any number of times, "x" is written as it is, ? /x/ ? is a regular expression. *)
(* NL is a line break in front of a line that begins at column 1 with anything but ")", "]" or a comment. *)
`;

export function printGrammar(): string {
  const rules = new PolicyParser({ validate: true }).getSerializedGastProductions();
  return `${heading}\n${rules.map(printRule).join("\n\n")}\n\n${printWords()}\n`;
}

function printRule(rule: ISerializedGast): string {
  const { name = "", definition = [] } = rule as Node;
  const [only] = definition;
  const choices = definition.length === 1 && only?.type === "Alternation" ? alternativesOf(only).map(sequence) : [sequence(definition)];
  return `${name} = ${choices.join(`\n${" ".repeat(name.length)} | `)} ;`;
}

/** The fields that the kinds of nodes have. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly label?: string;
  readonly definition?: readonly ISerializedGast[];
  readonly separator?: { readonly name: string };
}

function alternativesOf(node: ISerializedGast): readonly (readonly ISerializedGast[])[] {
  return ((node as Node).definition ?? []).map((choice) => (choice as Node).definition ?? []);
}

function sequence(nodes: readonly ISerializedGast[]): string {
  return nodes.map(printNode).join(" ");
}

function printNode(serialized: ISerializedGast): string {
  const node = serialized as Node;
  const inner = () => sequence(node.definition ?? []);
  switch (node.type) {
    case "Terminal":
    case "NonTerminal":
      return node.name ?? "";
    case "Option":
      return `[ ${inner()} ]`;
    case "Repetition":
      return `{ ${inner()} }`;
    case "RepetitionMandatory":
      return `${inner()} { ${inner()} }`;
    case "RepetitionMandatoryWithSeparator":
      return `${inner()} { ${node.separator?.name} ${inner()} }`;
    case "Alternation":
      return `( ${alternativesOf(serialized).map(sequence).join(" | ")} )`;
    default:
      throw new Error(`the printer does not know ${node.type}`);
  }
}

function printWords(): string {
  const row = (words: readonly string[]) => wrapChoices(words.map((word) => `"${word}"`));
  const members = (category: string) => tokenTypes.filter((type) => type.CATEGORIES?.some(({ name }) => name === category) && !Object.values(keyword).includes(type)).map(({ name }) => name);
  return [
    `NAME = ${[...members("NAME"), "contextualNoun"].join(" | ")} ;`,
    `BARE = ${[...members("BARE"), "contextualNoun"].join(" | ")} ;`,
    `ANYWORD = ${[...members("ANYWORD"), "structureWord", "contextualVerb", "contextualNoun"].join(" | ")} ;`,
    `structureWord = ${row(structureWords)} ;`,
    `contextualVerb = ${row(verbWords)} ;`,
    `contextualNoun = ${row(nounWords)} ;`,
    ...tokenTypes.filter(isTerminal).map((type) => `${type.name} = ? ${String(type.PATTERN)} ? ;`),
  ].join("\n\n");
}

/** Named in capitals and matched by a pattern: literals and words, not signs, keywords, categories or faults. */
function isTerminal({ name, PATTERN }: TokenType): boolean {
  return /^[A-Z]+$/.test(name) && PATTERN instanceof RegExp && PATTERN.source !== "NOT_APPLICABLE";
}

function wrapChoices(choices: readonly string[]): string {
  const lines: string[] = [];
  for (let start = 0; start < choices.length; start += 10) lines.push(choices.slice(start, start + 10).join(" | "));
  return lines.join("\n  | ");
}
