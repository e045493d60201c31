/** Where the parser gave up in a statement, and in plain words what it wanted there and what it found. */
import type { IToken } from "chevrotain";
import { keyword } from "../../grammar/tokens.ts";

/** Where and why the parser gave up. */
export interface Refusal {
  readonly tokens: readonly IToken[];
  /** Of the first token that does not fit; one past the last where the statement ends too early. */
  readonly index: number;
  readonly found: IToken | undefined;
  readonly before: IToken | undefined;
  /** The innermost rule of the grammar that was being read. */
  readonly rule: string;
  /** All rules that were being read, the innermost last. */
  readonly within: readonly string[];
  /** The one token that could stand here, where there is only one. */
  readonly wanted: string;
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
  return token === undefined ? "the end of the statement" : `\`${shorten(token.image)}\``;
}

/** One line of at most 40 characters. */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

/** How what was begun is written, by the rule of the grammar. */
const forms: Readonly<Record<string, string>> = {
  policyDecl: 'policy acme "What it is for"',
  targetDecl: "target claude, vibe",
  defaultDecl: "default timeout 5s",
  useDecl: 'use std/git, "./team.policy" with allow',
  letDecl: 'let $protected = ["main", "production"]',
  toggle: 'disable std/git.no-force-push because "Release bot" until "2099-12-31"',
  setEffect: "set input.timeout to 120 before bash",
  replaceEffect: 'replace /npm/ with "pnpm" in command before bash',
  redactEffect: 'redact $keys in output as "[redacted]" after any',
  tellEffect: 'tell model "Run the tests" after bash',
  logEffect: 'log tool, path to ".policyc/audit.jsonl" on any',
  runEffect: 'run "git status" on stop',
  markEffect: "mark tested after bash",
  permission: 'permission deny "Bash(rm -r *)", "Bash(rm -rf *)"',
  example: 'example deny "git push --force"',
  testBlock: 'test "force push is refused" given bash "git push -f" expect deny',
  mcpPat: "mcp(github.delete_*)",
};

/** An example of the innermost thing that has one. */
export function formOf({ within, wanted }: Refusal): string | undefined {
  if (wanted === '"("') return forms["mcpPat"];
  return within.map((rule) => forms[rule]).findLast((form) => form !== undefined);
}
