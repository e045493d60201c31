/**
 * What people write out of habit, and what it is called here: a refused statement in, the diagnostic of the first habit
 * that fits out. The order matters: the more certain stand first.
 */
import type { IToken, TokenType } from "chevrotain";
import { keyword, ModulePath, sign, structureWords, verbWords, Word } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { joinSpans, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { commandHabits } from "./command-habits.ts";
import { spanOfToken, type Reading } from "./cst.ts";
import { endOf, isFirstOnLine, isName, isOneOf, isOnOneLine, isText, lineWith, openBracket, quoted } from "./place.ts";
import { describeFound, shorten, type Refusal } from "./refusal.ts";
import { clauseWords, statementWords, unknownClause, unknownFallback, unknownOperator, unknownStatement, unknownTool } from "./unknown-words.ts";

type Habit = (refusal: Refusal, reading: Reading) => Diagnostic | undefined;

const habits: readonly Habit[] = [
  indentedStatement,
  unknownStatement,
  orphanClause,
  lateWhen,
  ...commandHabits,
  singleEquals,
  unquotedText,
  missingTrigger,
  bareName,
  textBeforeOperator,
  noAudience,
  unknownOperator,
  unknownFallback,
  permissionString,
  unknownClause,
  missingComma,
  secondEffect,
  wordOfTheLanguage,
  unknownTool,
  openEnd,
];

export function diagnoseHabit(refusal: Refusal, reading: Reading): Diagnostic | undefined {
  for (const habit of habits) {
    const diagnostic = habit(refusal, reading);
    if (diagnostic) return diagnostic;
  }
  return undefined;
}

/** `  deny read` below a rule: the line belongs to that rule. */
function indentedStatement({ found, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || index === 0 || !isOneOf(statementWords, found) || !isFirstOnLine(file, found)) return undefined;
  return diagnose("syntax/not-at-margin", { word: found.image }, { file, span: spanOfToken(found), help: { text: "remove the blanks in front of it" } });
}

/** A clause at the margin has left its rule. */
function orphanClause({ found, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || index !== 0 || !isOneOf(clauseWords, found)) return undefined;
  const isIndented = file.text[found.startOffset - 1] !== "\n" && found.startOffset > 0;
  return diagnose("syntax/unexpected", { expected: "a statement", found: `\`${found.image}\`` }, {
    file,
    span: spanOfToken(found),
    notes: [`\`${found.image}\` is part of a rule, and ${isIndented ? "no rule stands above it" : "a line at the left margin begins a new statement"}.`],
    help: { text: isIndented ? "begin with the rule: an effect and the moment it is for" : "indent the line, below the rule it belongs to" },
  });
}

/** `command = "x"` */
function singleEquals({ found, tokens, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  const isInCondition = tokens.slice(0, index).some((token) => isOneOf(["when", "unless"], token) || token.tokenType === sign.assign);
  if (!found || found.tokenType !== sign.assign || !isInCondition) return undefined;
  const span = spanOfToken(found);
  return diagnose("syntax/foreign-sign", { sign: "=", instead: "`==`" }, { file, span, help: { text: "write `==`", lines: [lineWith(file, span, "==")] } });
}

/** `because no quotes` */
function unquotedText({ found, before, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (rule !== "text" || !found || !before || !isOnOneLine(file, before, found) || !/^\w/.test(found.image)) return undefined;
  const newline = file.text.indexOf("\n", found.startOffset);
  const rest = file.text.slice(found.startOffset, newline < 0 ? file.text.length : newline).replace(/#.*$/, "").trimEnd();
  const span = { start: found.startOffset, end: found.startOffset + rest.length };
  return diagnose("syntax/unexpected", { expected: "a text in quotes", found: `\`${found.image}\`` }, {
    file,
    span,
    help: { text: "put the text in quotes", lines: [lineWith(file, span, quoted(rest))] },
  });
}

/** `deny when …`, `log to "f"` */
function missingTrigger({ found, tokens, rule, before }: Refusal, { file }: Reading): Diagnostic | undefined {
  const [effect] = tokens;
  if (!effect || !before || (rule !== "trigger" && rule !== "selector")) return undefined;
  if (found && !isOneOf(clauseWords, found) && !isOneOf(["given", "expect"], found)) return undefined;
  const isBehindMoment = before.tokenType === keyword.before || before.tokenType === keyword.after || before.tokenType === sign.comma;
  if (isBehindMoment || before.tokenType === keyword.given) return undefined;
  const end = endOf(tokens.slice(0, tokens.indexOf(before) + 1));
  return diagnose("syntax/missing-trigger", { effect: effect.image }, {
    file,
    span: spanOfToken(effect),
    notes: ["Behind the effect stands its moment: a tool class (before that tool), `before` or `after` one, or `on` an event."],
    help: { text: "say when it applies", lines: [lineWith(file, end, isGate(effect) ? " bash" : " after bash")] },
  });
}

function isGate(token: IToken): boolean {
  return isOneOf(["deny", "ask", "allow", "retry"], token);
}

/** `let secrets = …` */
function bareName({ found, wanted }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (wanted !== "DOLLAR" || !found || !isName(found.tokenType)) return undefined;
  const span = spanOfToken(found);
  return diagnose("syntax/unexpected", { expected: "a name that begins with `$`", found: `\`${found.image}\`` }, {
    file,
    span,
    notes: ["Names you define begin with `$`; all other words belong to the language, so a later version can add words without breaking your policy."],
    help: { text: "put a `$` in front, here and where the name is used", lines: [lineWith(file, span, `$${found.image}`)] },
  });
}

/** `when "a" in command` */
function textBeforeOperator({ found, rule, wanted, tokens, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || wanted !== "" || !["cond", "conj", "neg", "atom"].includes(rule) || !isText(found.tokenType)) return undefined;
  const operator = tokens[index + 1];
  const field = tokens[index + 2];
  const span = field ? joinSpans(spanOfToken(found), spanOfToken(field)) : spanOfToken(found);
  const turned = operator?.tokenType === keyword.in && field && isName(field.tokenType) ? [lineWith(file, span, `${field.image} contains ${found.image}`)] : undefined;
  return diagnose("syntax/unexpected", { expected: "a field", found: `\`${found.image}\`` }, {
    file,
    span: spanOfToken(found),
    notes: ["A comparison begins with the field: `command contains \"sudo\"`, `path matches \"src/**\"`."],
    help: { text: "put the field in front of the operator", ...(turned && { lines: turned }) },
  });
}

/** `tell "x" after bash` */
function noAudience({ found, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || rule !== "tellEffect" || !isText(found.tokenType)) return undefined;
  const { start } = spanOfToken(found);
  return diagnose("syntax/unexpected", { expected: "`model` or `user`", found: `\`${found.image}\`` }, {
    file,
    span: spanOfToken(found),
    help: { text: "say who is told", lines: [lineWith(file, { start, end: start }, "model ")] },
  });
}

/** Two entries side by side where the grammar wants a comma: tools, hosts, modules, texts. */
function missingComma({ found, before, tokens, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || !before) return undefined;
  const isEntry = isTwice(isText, before, found) || isTwice(isName, before, found) || isTwice((type) => type === ModulePath, before, found);
  if (!isEntry || !isOnOneLine(file, before, found) || !isListing(tokens, index) || !["end", "toolRef", "example"].includes(rule)) return undefined;
  const span = { start: spanOfToken(before).end, end: found.startOffset };
  return diagnose("syntax/missing-comma", { before: shorten(before.image), after: shorten(found.image) }, {
    file,
    span,
    help: { text: "separate them with a comma", lines: [lineWith(file, span, ", ")] },
  });
}

function isTwice(test: (type: TokenType) => boolean, left: IToken, right: IToken): boolean {
  return test(left.tokenType) && test(right.tokenType);
}

/** True where the tokens before `index` are the entries of something that takes several. */
function isListing(tokens: readonly IToken[], index: number): boolean {
  const starts = ["deny", "ask", "allow", "retry", "pass", "example", "before", "after", "for", "target", "use", "of", "with", "in", "log", "forward"] as const;
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at] as IToken;
    if (isOneOf(starts, token)) return true;
    if (!isText(token.tokenType) && !isName(token.tokenType) && ![ModulePath, sign.comma, sign.dot].includes(token.tokenType)) return false;
  }
  return false;
}

/** `when` behind a clause, or a second one. */
function lateWhen({ found, tokens, index, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || found.tokenType !== keyword.when || rule !== "end") return undefined;
  const first = tokens.slice(0, index).find(({ tokenType }) => tokenType === keyword.when);
  return diagnose("syntax/unexpected", { expected: "a clause or the end of the rule", found: "`when`" }, {
    file,
    span: spanOfToken(found),
    labels: first ? [{ span: spanOfToken(first), text: "the condition of this rule begins here" }] : [],
    notes: first ? [] : ["The condition stands straight behind the trigger; clauses such as `because` and `id` come after it."],
    help: { text: first ? "join the two conditions with `and` or `or`" : "move it in front of the clauses" },
  });
}

/** `deny bash allow read`: one line, two rules. */
function secondEffect({ found, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || rule !== "end" || !isOneOf(statementWords, found)) return undefined;
  return diagnose("syntax/unexpected", { expected: "a clause or the end of the rule", found: `\`${found.image}\`` }, {
    file,
    span: spanOfToken(found),
    notes: ["A rule has one effect. Several can follow one trigger with `also`, and another rule begins on a line of its own."],
    help: { text: `begin a new line with \`${found.image}\`, at the left margin` },
  });
}

/** `deny Bash(rm *)`: the way one host writes its own permission rules. */
function permissionString({ found, before, rule }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || found.tokenType !== sign.open || rule !== "end" || before?.tokenType !== Word) return undefined;
  return diagnose("syntax/unexpected", { expected: "`when`, a clause or the end of the rule", found: "`(`" }, {
    file,
    span: spanOfToken(found),
    notes: ["A tool class takes no arguments: what else must hold stands behind `when`."],
    help: { text: 'ask for a command with `when runs …`; a host\'s own permission rule is written `permission deny "Bash(rm -r *)"`' },
  });
}

/** `id for`: the language keeps some words for itself. */
function wordOfTheLanguage({ found, wanted }: Refusal, { file }: Reading): Diagnostic | undefined {
  if (!found || wanted !== "NAME" || !(isOneOf(structureWords, found) || isOneOf(verbWords, found))) return undefined;
  return diagnose("syntax/unexpected", { expected: "a name", found: `the word \`${found.image}\` of the language` }, { file, span: spanOfToken(found) });
}

/** An open bracket swallows nothing, and the place where it was opened is what one looks for. */
function openEnd({ found, wanted, tokens, index }: Refusal, { file }: Reading): Diagnostic | undefined {
  const close = wanted === '")"' ? ")" : wanted === '"]"' ? "]" : undefined;
  const open = close && openBracket(tokens, index);
  if (!open) return undefined;
  return diagnose("syntax/unexpected", { expected: `\`${close}\``, found: describeFound(found) }, {
    file,
    span: found ? spanOfToken(found) : endOf(tokens),
    labels: [{ span: spanOfToken(open), text: "opened here" }],
  });
}
