/**
 * What comments mean: `##` lines are the description of the rule below them, `# policyc: allow CODE: reason` silences one
 * warning on the next line. All other comments mean nothing.
 */
import type { IToken } from "chevrotain";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Help, Span } from "../diagnostics/diagnostic.ts";
import type { Silencer, Statement } from "./ast.ts";
import { spanOfToken, type Reading } from "./cst.ts";

export function readSilencers(comments: readonly IToken[], reading: Reading): Silencer[] {
  return comments.filter((comment) => /^#+\s*policyc\b\s*:?\s*allow\b|^#+\s*policyc:/i.test(comment.image)).flatMap((comment) => readSilencer(comment, reading));
}

function readSilencer(comment: IToken, reading: Reading): Silencer[] {
  const { file } = reading;
  const span = spanOfToken(comment);
  const [, code, reason] = /^#\s*policyc:\s*allow\s+([\w/-]+)\s*(?::\s*(.*?)\s*)?$/.exec(comment.image) ?? [];
  const refuse = (problem: string, help: Help) => {
    reading.found.push(diagnose("syntax/malformed-silencer", { problem }, { file, span, help }));
    return [];
  };
  const form: Help = { text: "this is the whole form", lines: [`# policyc: allow ${code ?? "lint/flag-spellings"}: only GNU rm here`] };
  if (code === undefined) return refuse("this comment is meant for policyc and is not `# policyc: allow CODE: reason`", form);
  if (!reason) return refuse(`\`allow ${code}\` gives no reason`, form);
  if (file.text.slice(startOfLine(file.text, span.start), span.start).trim() !== "") {
    return refuse("a silencer stands on a line of its own", { text: "move it to the line above the one it is for" });
  }
  return [{ code, reason, target: nextLine(file.text, span.end), span }];
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The next line that holds more than blanks or a comment; empty at the end of the file where there is none. */
function nextLine(text: string, offset: number): Span {
  let start = offset;
  while ((start = text.indexOf("\n", start) + 1) > 0) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    if (!/^\s*(?:#|$)/.test(text.slice(start, end))) return { start, end };
    start = end;
  }
  return { start: text.length, end: text.length };
}

/** Gives every rule the `##` lines directly above it; plain comments may stand between, a blank line may not. */
export function describe(statements: readonly Statement[], comments: readonly IToken[], text: string): Statement[] {
  const descriptions = new Map<number, string>();
  let lines: string[] = [];
  let reach = -1;
  for (const comment of comments) {
    const start = startOfLine(text, comment.startOffset);
    if (text.slice(start, comment.startOffset).trim() !== "") continue;
    if (start !== reach) lines = [];
    if (/^##(?!#)/.test(comment.image)) lines.push(comment.image.slice(2).trim());
    const newline = text.indexOf("\n", comment.startOffset);
    reach = newline < 0 ? text.length : newline + 1;
    if (lines.length > 0) descriptions.set(reach, lines.join("\n"));
  }
  return statements.map((statement) => {
    const description = statement.kind === "rule" ? descriptions.get(statement.span.start) : undefined;
    return statement.kind === "rule" && description !== undefined ? { ...statement, description } : statement;
  });
}
