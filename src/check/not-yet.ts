/**
 * What the language has and the guard cannot carry out yet. A construct is refused as long as it has a row here and is
 * otherwise fully checked: the step that brings it deletes the row.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { Report } from "./report.ts";

export type Construct =
  | "after-tool" | "prompt" | "session-start" | "stop" | "before-compact" | "after-compact" | "any-event" | "host-event"
  | "retry" | "set" | "replace" | "redact" | "tell" | "log" | "run" | "forward" | "mark" | "unmark"
  | "also" | "else" | "succeeds" | "marked" | "observe" | "mode" | "state" | "test";

const turns: Partial<Record<Construct, string>> = {
  "after-tool": "a rule after a tool",
  prompt: "a rule on prompts",
  "session-start": "a rule on session starts",
  stop: "a rule on stop",
  "before-compact": "a rule before compaction",
  "after-compact": "a rule after compaction",
  "any-event": "a rule on any event",
  "host-event": "a rule on a host's own event",
  retry: "`retry`",
  set: "`set`",
  replace: "`replace`",
  redact: "`redact`",
  tell: "`tell`",
  log: "`log`",
  run: "`run`",
  forward: "`forward`",
  mark: "`mark`",
  unmark: "`unmark`",
  also: "an `also` of anything but `permission`",
  else: "an `else` of anything but `deny`, `ask` and `skip`",
  succeeds: "`succeeds`",
  marked: "`marked`",
  observe: "`observe`",
  mode: "`default mode observe`",
  state: "`default state`",
  test: "a `test` block",
};

/** Reports and answers true where the construct has to wait. */
export function mustWait(construct: Construct, file: SourceFile, span: Span, report: Report): boolean {
  const words = turns[construct];
  if (words === undefined) return false;
  report(diagnose("check/not-yet", { construct: words }, { file, span, help: { text: "take it out, or wait for a version of policyc that knows it" } }));
  return true;
}

/** Warnings of later stages that the language page names already: a line that silences one is no mistake. */
export const laterCodes: ReadonlySet<string> = new Set([
  "host/matcher-trap", "host/min-version", "host/partial-redaction", "host/retry-cap", "host/status-trap", "host/dead-permission",
  "lint/anchored-command", "lint/competing-set", "lint/constant-condition", "lint/contradiction", "lint/duplicate-rule", "lint/flag-spellings",
  "lint/missing-shell-twin", "lint/mixed-and-or", "lint/powershell-gap", "lint/root-only-glob", "lint/shadowed-rule", "lint/text-where-structure",
  "lint/unless-other-word", "lint/unprotected-guard", "lint/unredacted-log", "lint/untested-rule", "regex/super-linear", "regex/trivial",
]);
