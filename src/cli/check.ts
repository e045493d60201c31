/** `policyc check`: everything that can be known from the policies alone, warnings and notes in full. Writes nothing. */
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic, Severity } from "../diagnostics/diagnostic.ts";
import { renderGithub, renderJson, renderText } from "../diagnostics/render.ts";
import { chooseHosts } from "./hosts.ts";
import { examineProject } from "./outputs.ts";
import { findProjects } from "./project.ts";
import { counted } from "./report.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface CheckOptions {
  readonly target?: readonly string[];
  readonly format: "text" | "json" | "github";
}

export async function check(paths: readonly string[], options: CheckOptions, terminal: Terminal): Promise<ExitCode> {
  const chosen = chooseHosts(options.target);
  const projects = findProjects(paths, undefined, terminal.folder);
  const examined = projects.map((project) => examineProject(project, chosen));
  const found = examined.flatMap((one) => one.diagnostics);
  switch (options.format) {
    case "json":
      terminal.print(renderJson(found));
      break;
    case "github":
      terminal.print(renderGithub(found));
      break;
    case "text":
      terminal.print(renderText(found, { colour: terminal.colour }));
      terminal.print(`${found.length > 0 ? "\n" : ""}${summary(found, projects.flatMap((project) => project.files()).length, new Set(examined.flatMap((one) => one.examples.map((outcome) => outcome.example))).size)}\n`);
      break;
    default:
      options.format satisfies never;
  }
  return isClean(found) ? 0 : 1;
}

function summary(found: readonly Diagnostic[], files: number, examples: number): string {
  const of = (severity: Severity): number => found.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = [counted(of("error"), "error"), counted(of("warning"), "warning"), counted(of("note"), "note")].join(", ");
  return `Checked ${counted(files, "file")} and ${counted(examples, "example")}: ${counts}.`;
}
