/** The long text of a diagnostic code, for `policyc explain CODE`. */
import { catalogue, isCode } from "../diagnostics/catalogue.ts";
import type { Code } from "../diagnostics/catalogue.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import { styleOf, UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

const width = 96;

export function explainCode(code: string, format: "text" | "json", terminal: Terminal): ExitCode {
  if (!isCode(code)) throw new UsageError(`there is no code \`${code}\`; ${suggestion(code)}`);
  const { severity, explanation } = catalogue[code];
  if (format === "json") {
    terminal.print(`${JSON.stringify({ code, severity, explanation }, undefined, 2)}\n`);
    return 0;
  }
  terminal.print(`${styleOf(terminal.colour).strong(`${severity} ${code}`)}\n\n${wrap(explanation)}\n`);
  return 0;
}

function suggestion(code: string): string {
  const codes = Object.keys(catalogue) as Code[];
  const slug = code.slice(code.indexOf("/") + 1);
  const near = [...new Set([...codes.filter((known) => known.endsWith(`/${slug}`)), ...nearest(code, codes)])];
  if (near.length > 0) return `did you mean ${eitherOf(near)}?`;
  const family = codes.filter((known) => known.startsWith(`${code.split("/")[0]}/`));
  return family.length > 0 ? `of that kind there are ${family.join(", ")}` : "`policyc check` prints a code with every finding; to explain a call, give --tool or --payload";
}

function wrap(text: string): string {
  return text.split("\n").map((paragraph) => wrapParagraph(paragraph)).join("\n");
}

function wrapParagraph(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
