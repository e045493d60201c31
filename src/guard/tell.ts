/**
 * Texts for the model and the person besides the answer: rules that fired go in, in file order, one text for each of the
 * two comes out. What a file or a command says is the project's text, so it stands in a fence it cannot close.
 */
import type { Scope } from "./fields.ts";
import { fillMessage } from "./messages.ts";
import { cleanText } from "./patterns.ts";
import type { RulePlan, TellPlan } from "./plan.ts";
import { redactString } from "./redaction.ts";

export type TellRule = RulePlan & { readonly effect: TellPlan };

export interface Told {
  readonly context?: string;
  readonly notice?: string;
  readonly failures: readonly string[];
}

/** Characters of a file or an output that are told: hosts show a model no more than a preview of a context above 10,000. */
const mostFenced = 8000;

export function tellAll(rules: readonly TellRule[], scope: Scope): Told {
  const texts: Record<TellPlan["audience"], string[]> = { model: [], user: [] };
  const failures: string[] = [];
  for (const rule of rules) {
    const told = tellText(rule, scope);
    if (told.text !== undefined) texts[rule.effect.audience].push(told.text);
    else failures.push(`${rule.id}: ${told.failure}`);
  }
  return { ...(texts.model.length > 0 && { context: texts.model.join("\n") }), ...(texts.user.length > 0 && { notice: texts.user.join("\n") }), failures };
}

type Text = { readonly text: string } | { readonly text: undefined; readonly failure: string };

function tellText({ effect: { source }, timeout }: TellRule, scope: Scope): Text {
  const { world, memo, redactions = [] } = scope;
  switch (source.kind) {
    case "text":
      return { text: redactString(fillMessage(source.text, scope), redactions, memo) };
    case "file": {
      const text = world.projectFile?.(source.path);
      return text === undefined ? { text, failure: `${source.path} cannot be read` } : { text: fenced(`Text of the file ${source.path}`, redactString(text, redactions, memo)) };
    }
    case "output-of": {
      const text = world.outputOf?.(source.command, timeout);
      return text === undefined ? { text, failure: `\`${source.command}\` failed, or took too long` } : { text: fenced(`Output of the command ${source.command}`, redactString(text, redactions, memo)) };
    }
    default:
      return source satisfies never;
  }
}

/** Redacted before it is cut: half a secret matches no pattern. */
function fenced(title: string, text: string): string {
  const clean = cleanText(text.replaceAll("\r\n", "\n")).replace(/^\n+/, "").trimEnd();
  const shown = clean.length <= mostFenced ? clean : `${clean.slice(0, mostFenced).replace(/[\ud800-\udbff]$/, "")}\n[${clean.length - mostFenced} characters left out]`;
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${title}:\n${fence}\n${shown}\n${fence}`;
}
