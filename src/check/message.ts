/**
 * Texts with places to fill in. In messages `{field}` must be a field of the event; in commands nothing may be filled in
 * at all, because what stands there is chosen by the agent.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile } from "../diagnostics/diagnostic.ts";
import type { Rule, Text } from "../syntax/ast.ts";
import { isAvailable, unavailableField } from "./field.ts";
import type { Report } from "./report.ts";
import type { Moment } from "./trigger.ts";

/** `captures`: groups of the pattern a replacement may name; absent where there is no pattern. */
export function checkMessage(text: Text, moment: Moment, rule: { readonly rule: Rule; readonly file: SourceFile }, report: Report, captures?: number): void {
  for (const part of text.template) {
    if (part.kind === "literal") continue;
    const place = { file: rule.file, span: part.span };
    if (part.kind === "field") {
      const available = isAvailable(part.path, moment, "some");
      if (available.kind !== "yes") report(unavailableField(part.path, available, moment, place, rule));
    } else if (captures === undefined) {
      report(diagnose("check/unknown-field", { field: String(part.index), where: " in this text" }, { ...place, help: { text: "`{1}` is a group of a pattern, in `replace … with` only; write `{{1}}` for the characters" } }));
    } else if (part.index > captures) {
      const groups = captures === 1 ? "one group" : `${captures} groups`;
      report(diagnose("check/unknown-field", { field: String(part.index), where: " in this text" }, { ...place, help: { text: captures === 0 ? "the pattern has no groups: put `( )` around the part to keep" : `the pattern has ${groups}` } }));
    }
  }
}

/** A text that a name stands for, with its places where the rule uses the name. */
export function usedAt(text: Text, span: Text["span"]): Text {
  return { ...text, span, template: text.template.map((part) => (part.kind === "literal" ? part : { ...part, span })) };
}

/** A command of `run`, `succeeds` or `output of`. */
export function checkCommandText(text: Text, word: string, file: SourceFile, report: Report): void {
  if (text.value.trim() === "") report(diagnose("check/type-mismatch", { problem: `\`${word}\` names a command, and this text is empty` }, { file, span: text.span, help: { text: `write the command: \`${word} "npm test"\`` } }));
  for (const part of text.template) {
    if (part.kind === "literal") continue;
    const name = part.kind === "field" ? part.path.join(".") : String(part.index);
    report(
      diagnose("check/unsafe-interpolation", { problem: `\`{${name}}\` is not filled in where a command is written` }, {
        file,
        span: part.span,
        notes: ["The value is chosen by the agent: put into a command, it could end that command and start another."],
        help: { text: part.kind === "field" ? `use the environment variable \`POLICYC_${name.replace(/\W/g, "_").toUpperCase()}\` in the command of \`${word}\`, or read the payload on standard input` : "read the payload on standard input" },
      }),
    );
  }
}

/**
 * A path of `log` or `tell … file`, fixed when the policy is built: the agent must not choose which file is read or
 * written. What is told to the model lies in the project.
 */
export function checkPathText(path: Text, word: "log" | "tell", file: SourceFile, report: Report): void {
  for (const part of path.template) {
    if (part.kind === "literal") continue;
    report(diagnose("check/unsafe-interpolation", { problem: "a path is fixed when the policy is built" }, { file, span: part.span, help: { text: "write the path out" } }));
  }
  const problem = pathProblem(path.value, word);
  if (problem) report(diagnose("check/type-mismatch", { problem: problem.what }, { file, span: path.span, help: { text: problem.help } }));
}

function pathProblem(path: string, word: "log" | "tell"): { readonly what: string; readonly help: string } | undefined {
  if (path.trim() === "") return { what: "an empty text is the path of no file", help: 'write a path such as "docs/AGENT_NOTES.md"' };
  if (path.includes("\0")) return { what: "no path holds a character of code 0", help: "leave it out" };
  if (/[/\\]$/.test(path)) return { what: `\`${path}\` is a folder`, help: "name a file in it" };
  if (word === "log") return undefined;
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return { what: "a file that is told to the model lies in the project", help: "write its path below the project root" };
  return path.split(/[/\\]/).includes("..") ? { what: "a file that is told to the model lies in the project, and `..` leads out of it", help: "write its path below the project root" } : undefined;
}

/** The address of a `forward`: https and nothing of the call in it. */
export function checkAddress(text: Text, file: SourceFile, report: Report): void {
  if (!/^https:\/\/[^/\s]/.test(text.value) || !URL.canParse(text.value)) {
    report(
      diagnose("check/unsafe-interpolation", { problem: "`forward` sends to `https://` addresses only" }, {
        file,
        span: text.span,
        help: { text: text.value.startsWith("http://") ? "write `https://`" : "write the whole address: `https://host/path`" },
      }),
    );
  }
  for (const part of text.template) {
    if (part.kind === "literal") continue;
    report(diagnose("check/unsafe-interpolation", { problem: "the address of a `forward` is fixed when the policy is built" }, { file, span: part.span, help: { text: "name the fields to send: `forward tool, path to \"https://…\"`" } }));
  }
}
