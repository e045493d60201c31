/**
 * Commands of `run`, `succeeds` and `output of` that run code of the project: scripts, hooks and settings which the agent
 * may write, started by the guard with the person's rights. Only a warning: `npm test` is what such rules are for.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { Report } from "./report.ts";
import type { RuleDraft } from "./rule.ts";
import { conditionsIn, effectsOf } from "./visit.ts";

export function warnOfProjectCode(drafts: readonly RuleDraft[], report: Report): void {
  for (const draft of drafts) {
    for (const condition of [...(draft.when ? [draft.when] : []), ...draft.unless].flatMap(conditionsIn)) {
      if (condition.kind === "succeeds") warn(condition.command, "succeeds", condition.file, condition.span, report);
    }
    for (const effect of effectsOf(draft)) {
      if (effect.kind === "run") warn(effect.command, "run", draft.home.file, effect.span, report);
      if (effect.kind === "tell" && effect.source.kind === "output-of") warn(effect.source.command, "output of", draft.home.file, effect.span, report);
    }
  }
}

function warn(command: string, word: string, file: SourceFile, span: Span, report: Report): void {
  const program = programsIn(command).find((words) => !isHarmless(words));
  if (!program) return;
  const git = program[0] === "git";
  report(
    diagnose("lint/project-code", { word, program: program[0] ?? "" }, {
      file,
      span,
      notes: [git ? "git runs hooks and programs that the repository's own settings name, and the agent can write both." : "What it runs is in the project, where the agent writes."],
      help: { text: git ? "switch them off: `git -c core.hooksPath=/dev/null -c core.fsmonitor=false …`, or say why not on the line above: `# policyc: allow lint/project-code: REASON`" : "where that is meant, say so on the line above: `# policyc: allow lint/project-code: REASON`" },
    }),
  );
}

/** The words of each command of the line. A rough reading: what it takes for a program too much costs a warning. */
function programsIn(command: string): readonly (readonly string[])[] {
  return command.split(/&&|\|\||[;|&\n(){}]|\$\(/).map((part) => part.trim().split(/\s+/).filter((word) => !/^\w+=/.test(word))).filter((words) => words[0] !== undefined && words[0] !== "");
}

/** Programs that look, count and print, and start nothing. */
const harmless: ReadonlySet<string> = new Set(["[", "[[", "!", "basename", "cat", "cut", "date", "dirname", "echo", "false", "grep", "head", "hostname", "id", "ls", "notify-send", "printf", "pwd", "realpath", "sort", "stat", "tail", "test", "tr", "true", "uname", "uniq", "wc", "whoami"]);

function isHarmless([program = "", ...words]: readonly string[]): boolean {
  if (harmless.has(program)) return true;
  const settings = words.flatMap((word, index) => (word === "-c" ? [words[index + 1] ?? ""] : []));
  return program === "git" && settings.some((setting) => /^core\.hooksPath=\/dev\/null$/i.test(setting)) && settings.some((setting) => /^core\.fsmonitor=(?:false)?$/i.test(setting));
}
