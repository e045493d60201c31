/**
 * Words the language does not have, where only a few could stand: statements, clauses, operators. Words of other
 * languages are mapped to ours, mistyped ones to the nearest.
 */
import { sign, Word, type Keyword } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import { spanOfToken, type Reading } from "./cst.ts";
import { isFirstOnLine, isName, isOneOf, lineWith } from "./place.ts";
import type { Refusal } from "./refusal.ts";

/** Words that begin a statement. */
export const statementWords: readonly Keyword[] = [
  "policy", "target", "default", "use", "let", "disable", "observe", "test",
  "deny", "ask", "allow", "retry", "set", "replace", "redact", "tell", "log", "run", "forward", "mark", "unmark", "permission",
];

/** Words that begin a clause of a rule. */
export const clauseWords: readonly Keyword[] = ["when", "unless", "because", "suggest", "else", "for", "id", "severity", "timeout", "limit", "also", "example"];

const operators = ["contains", "matches", "in", "starts", "ends"];

/** By our word, what other rule languages call it. */
type Habits = Readonly<Record<string, string>>;

const statementHabits: Habits = {
  deny: "block forbid prevent reject refuse disallow ban stop drop never",
  allow: "permit accept grant pass always",
  ask: "confirm prompt approve warn",
  replace: "rewrite substitute sub",
  redact: "mask hide censor scrub",
  tell: "say notify inform message print",
  use: "import include require from extends",
  let: "const var define def macro alias",
  log: "audit record write_log",
  run: "exec execute shell command",
  target: "host hosts targets",
  policy: "name package module",
  test: "it describe",
};

const clauseHabits: Habits = {
  when: "if where matching provided",
  unless: "except excluding ignore",
  because: "reason message msg why description",
  suggest: "hint advice instead recommend",
  else: "otherwise fallback",
  for: "host hosts target",
  id: "name label rule",
  severity: "level priority",
  limit: "max",
  also: "plus",
  example: "examples test case",
};

const fallbackHabits: Habits = {
  deny: "block forbid prevent reject refuse",
  ask: "confirm prompt",
  skip: "ignore none nothing pass accept",
};

const operatorHabits: Habits = {
  "==": "is equals equal eq",
  "!=": "isnt ne differs",
  "~": "regex regexp match matching like rlike",
  contains: "includes include containing has_text",
  matches: "glob fits",
  "starts with": "startswith begins begin prefix",
  "ends with": "endswith finishes suffix",
  in: "within among any_of",
};

function ourWord(theirs: string, habits: Habits): string | undefined {
  return Object.keys(habits).find((ours) => habits[ours]?.split(" ").includes(theirs.toLowerCase()));
}

/** `block bash when …` */
export function unknownStatement({ found, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || index !== 0 || found.tokenType !== Word) return undefined;
  return unknown("statement", found.image, spanOfToken(found), file, statementHabits, statementWords);
}

/** `else block` */
export function unknownFallback({ found, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || rule !== "elseAction" || found.tokenType !== Word) return undefined;
  return unknown("fallback", found.image, spanOfToken(found), file, fallbackHabits, ["deny", "ask", "skip", "log", "tell"]);
}

/** `reason "…"`, `beacuse "…"`; a word at the beginning of a line is meant as a clause even if nothing is near. */
export function unknownClause({ found, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || index === 0 || rule !== "end" || !isName(found.tokenType) || isOneOf(statementWords, found)) return undefined;
  const isNear = ourWord(found.image, clauseHabits) !== undefined || nearest(found.image, clauseWords).length > 0;
  return isNear || isFirstOnLine(file, found) ? unknownClauseAt(found.image, spanOfToken(found), file) : undefined;
}

/** The same below a `runs`, whose words would otherwise run on into the next line: nearer, or with a text behind it. */
export function isMeantAsClause(word: string, isBeforeText: boolean): boolean {
  return isBeforeText || (word.length > 3 && nearest(word, clauseWords, 1).length > 0);
}

export function unknownClauseAt(word: string, span: Span, file: SourceFile, notes: readonly string[] = []): Diagnostic {
  return unknown("clause", word, span, file, clauseHabits, clauseWords, notes);
}

/** `command is "x"` */
export function unknownOperator({ found, before, tokens, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || !before || rule !== "end" || found.tokenType !== Word) return undefined;
  let at = index - 1;
  while (at > 0 && (isName(tokens[at]?.tokenType ?? Word) || tokens[at]?.tokenType === sign.dot)) at--;
  const start = tokens[at];
  const isOperand = start !== undefined && at < index - 1 && (isOneOf(["when", "unless", "and", "or", "not"], start) || start.tokenType === sign.open);
  const isKnown = ourWord(found.image, operatorHabits) !== undefined || nearest(found.image, operators).length > 0;
  return isOperand && isKnown ? unknown("operator", found.image, spanOfToken(found), file, operatorHabits, operators) : undefined;
}

/** `deny file when …`: a word of the language, and no tool. */
export function unknownTool({ found, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || !["trigger", "selector", "toolRef"].includes(rule) || !isName(found.tokenType)) return undefined;
  const help = found.image === "file" ? "tools that touch files are `read`, `write`, `edit` and `search`; a rule about a file whatever touches it is `deny any when writes \"…\"`" : "tools are named by what they do: `bash`, `write, edit`, or `any` for all of them";
  return diagnose("check/unknown-name", { kind: "tool class", name: found.image }, { file, span: spanOfToken(found), help: { text: help } });
}

function unknown(
  kind: string, name: string, span: Span, file: SourceFile, habits: Habits, words: readonly string[], notes: readonly string[] = [],
): Diagnostic {
  const habit = ourWord(name, habits);
  const near = habit === undefined ? nearest(name, words) : [habit];
  const [best] = near;
  const help =
    best === undefined
      ? { text: `a ${kind} begins with ${eitherOf(words)}` }
      : habit === undefined
        ? { text: `did you mean ${eitherOf(near)}?`, lines: [lineWith(file, span, best)] }
        : { text: `write \`${best}\``, lines: [lineWith(file, span, best)] };
  return diagnose("check/unknown-name", { kind, name }, { file, span, notes, help });
}
