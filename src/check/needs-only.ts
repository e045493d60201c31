/**
 * Conditions that relax something on a shell must speak of the whole command line: one good command must not bless what
 * stands beside it. Looks at every branch of an `allow`'s `when` and of the `unless` of a deny or ask.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, Help, Label, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { Rule } from "../syntax/ast.ts";
import type { CheckedCondition } from "./checked.ts";
import { textAt } from "./field.ts";
import type { Report } from "./report.ts";
import type { Moment } from "./trigger.ts";

export interface Relaxing {
  readonly rule: Rule;
  readonly file: SourceFile;
  readonly when: CheckedCondition | undefined;
  readonly unless: readonly CheckedCondition[];
}

export function checkNeedsOnly({ rule, file, when, unless }: Relaxing, moment: Moment, report: Report): void {
  if (moment.event !== "before-tool" && moment.event !== "after-tool") return;
  const { kind } = rule.effect;
  if (kind === "allow") {
    const branches = when ? branchesOf(when, true, kind) : anyCommand;
    if (!isAboutShell(moment, when ? [when] : [])) return;
    if (branches.free) report(finding("allow", file, rule.effect.wordSpan, [], anyLine, { text: "say which command lines: `when only runs [git status, ls]`" }));
    reportAll("allow", branches.partial, file, rule.effect.wordSpan, report);
    return;
  }
  if (kind !== "deny" && kind !== "ask") return;
  if (!isAboutShell(moment, unless)) return;
  for (const condition of unless) {
    reportAll("unless", branchesOf(condition, true, "unless").partial, file, rule.effect.wordSpan, report);
  }
}

/**
 * The ways a condition can hold without a test of the whole line: `free` of any test of the command, or by tests of a
 * part of it, `partial`. Neither: every way speaks of the whole line.
 */
interface Branches {
  readonly free: boolean;
  readonly partial: readonly CheckedCondition[];
}

const anyCommand: Branches = { free: true, partial: [] };
const wholeLine: Branches = { free: false, partial: [] };

function branchesOf(condition: CheckedCondition, holds: boolean, relaxes: "allow" | "unless"): Branches {
  switch (condition.kind) {
    case "not":
      return branchesOf(condition.of, !holds, relaxes);
    case "and":
    case "or": {
      const parts = condition.of.map((part) => branchesOf(part, holds, relaxes));
      return (condition.kind === "and") === holds ? both(parts) : either(parts);
    }
    case "runs":
      // `not runs rm` grants nothing to a good command; it takes something away from the others.
      return holds ? (condition.only ? wholeLine : { free: false, partial: [condition] }) : anyCommand;
    case "pipes":
      return holds ? { free: false, partial: [condition] } : anyCommand;
    case "compare":
      return isCommandText(condition.field) ? ofCommandText(condition, holds) : anyCommand;
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      // An exemption that asks this of every path of the line has more than one good command to show.
      return holds && relaxes === "unless" ? wholeLine : anyCommand;
    case "dynamic":
    case "is":
    case "has":
    case "succeeds":
    case "marked":
      return anyCommand;
    default:
      return condition satisfies never;
  }
}

function ofCommandText(condition: Extract<CheckedCondition, { kind: "compare" }>, holds: boolean): Branches {
  if (!holds || condition.measure === "length") return anyCommand;
  if (condition.operator === "==") return condition.values.every((value) => value.kind === "text") ? wholeLine : { free: false, partial: [condition] };
  return { free: false, partial: [condition] };
}

/** All parts hold together: one that speaks of the whole line is enough. */
function both(parts: readonly Branches[]): Branches {
  if (parts.some((part) => !part.free && part.partial.length === 0)) return wholeLine;
  return { free: parts.every((part) => part.free), partial: parts.flatMap((part) => part.partial) };
}

function either(parts: readonly Branches[]): Branches {
  return { free: parts.some((part) => part.free), partial: parts.flatMap((part) => part.partial) };
}

/** Of an MCP or quoted tool only the condition tells that commands are meant. */
function isAboutShell(moment: Moment, conditions: readonly CheckedCondition[]): boolean {
  return moment.tools.some(({ pattern }) => {
    if (pattern.kind === "any") return true;
    if (pattern.kind === "class") return pattern.name === "bash" || pattern.name === "powershell";
    return (pattern.kind === "mcp" || pattern.kind === "tool") && conditions.some(speaksOfCommands);
  });
}

function speaksOfCommands(condition: CheckedCondition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.some(speaksOfCommands);
    case "not":
      return speaksOfCommands(condition.of);
    case "runs":
    case "pipes":
      return true;
    case "compare":
      return isCommandText(condition.field);
    default:
      return false;
  }
}

function isCommandText(field: readonly string[]): boolean {
  const name = field.join(".");
  return name === "command" || name === "input.command";
}

function reportAll(effect: "allow" | "unless", partial: readonly CheckedCondition[], file: SourceFile, word: Span, report: Report): void {
  const told = new Set<string>();
  for (const condition of partial) {
    const key = `${condition.file.path} ${condition.span.start} ${condition.span.end}`;
    if (told.has(key)) continue;
    told.add(key);
    const here = condition.file === file;
    report(finding(effect, file, here ? condition.span : word, labelsFor(condition, file), oneCommand(effect), helpFor(effect, condition, file)));
  }
}

const anyLine = "Here a way leads to the `allow` on which nothing asks what the command line holds.";

function oneCommand(effect: "allow" | "unless"): string {
  const what = effect === "allow" ? "`allow`" : "an `unless`";
  return `One command of the line is enough to make this true. For ${what} that is not enough:\n    git status; rm -rf ~          runs git status: true     only runs git status: false`;
}

function finding(effect: "allow" | "unless", file: SourceFile, span: Span, labels: readonly Label[], note: string, help: Help): Diagnostic {
  return diagnose("check/allow-needs-only", { effect }, { file, span, labels, notes: [note], help });
}

/** Where the condition is written, if that is not where the rule has it. */
function labelsFor({ span, file, definition }: CheckedCondition, own: SourceFile): readonly Label[] {
  if (definition) return [{ span: definition.span, text: "true when one command fits", file: definition.file }];
  return file === own ? [] : [{ span, text: "true when one command fits", file }];
}

function helpFor(effect: "allow" | "unless", condition: CheckedCondition, file: SourceFile): Help {
  if (condition.kind === "runs") {
    const line = lineAt(file, condition.span.start);
    const fits = condition.file === file && condition.definition === undefined && textAt(file, condition.span).startsWith("runs") && line.end >= condition.span.end;
    const mended = fits && `${file.text.slice(line.start, condition.span.start)}only ${file.text.slice(condition.span.start, line.end)}`;
    return { text: "require that every command matches", ...(mended && { lines: [mended] }) };
  }
  if (condition.kind === "compare" && condition.operator === "==") return { text: "compare with texts: `command == \"…\"`" };
  return { text: `say which commands may stand in the line: \`${effect === "allow" ? "when" : "unless"} only runs [ … ]\`, or which line it is: \`command == "…"\`` };
}

function lineAt(file: SourceFile, offset: number): Span {
  const start = file.text.lastIndexOf("\n", offset - 1) + 1;
  const end = file.text.slice(offset).search(/\r?\n|$/) + offset;
  return { start, end };
}
