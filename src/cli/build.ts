/**
 * `policyc build`: compiles every project, then writes what differs, or with `--check` says what differs and why. One
 * error anywhere and nothing is written.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderGithub, renderJson, renderText } from "../diagnostics/render.ts";
import { startedByAgent } from "./agent.ts";
import { compareTexts, renderDifference } from "./diff.ts";
import { chooseHosts } from "./hosts.ts";
import { installationOf } from "./installation.ts";
import type { InstallationOptions } from "./installation.ts";
import { prepareOutputs } from "./outputs.ts";
import type { Output, Outputs } from "./outputs.ts";
import { findProjects } from "./project.ts";
import { counted, disabledRows, gapRows, observedRows, renderFindingCounts, renderSummary, ruleRows } from "./report.ts";
import { styleOf, UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";
import { removeEmptyFolders, writeChanges } from "./write.ts";

export interface BuildOptions extends InstallationOptions {
  readonly target?: readonly string[];
  readonly out?: string;
  readonly check?: true;
  readonly diff?: true;
  readonly followSymlinks?: true;
  readonly allowAgent?: true;
  readonly format: "text" | "json" | "github";
}

/** Lines of one file's difference that `--check` shows without `--diff`. */
const shortDifference = 24;

export async function build(paths: readonly string[], options: BuildOptions, terminal: Terminal): Promise<ExitCode> {
  const chosen = chooseHosts(options.target);
  const links = { followLinks: options.followSymlinks === true };
  const installation = installationOf(options, terminal);
  const projects = findProjects(paths, options.out, terminal.folder).map((project) => prepareOutputs(project, chosen, links, installation));
  const found = projects.flatMap((project) => project.diagnostics);
  const clean = isClean(found);

  if (clean && !options.check) {
    if (!options.allowAgent) refuseAgent(projects, terminal);
    for (const { source, outputs } of projects) {
      const changes = outputs.filter((output) => output.state !== "unchanged");
      found.push(...source.relabel(writeChanges(source.root, changes, links)));
      for (const change of changes.filter(({ after }) => after === undefined)) removeEmptyFolders(source.root, change);
    }
  }
  if (clean && options.check) found.push(...projects.flatMap(staleness));
  const done = isClean(found);

  switch (options.format) {
    case "json":
      terminal.print(`${JSON.stringify({ projects: projects.map((project) => describe(project, done)), diagnostics: JSON.parse(renderJson(found)) }, undefined, 2)}\n`);
      break;
    case "github":
      terminal.print(renderGithub(found));
      break;
    case "text":
      printText(projects, found, clean, options, terminal);
      break;
    default:
      options.format satisfies never;
  }
  return done ? 0 : 1;
}

/** Fail closed: an agent that may change a policy could otherwise take its own guard apart by building it. */
function refuseAgent(projects: readonly Outputs[], terminal: Terminal): void {
  const agent = startedByAgent(terminal.environment);
  const changed = projects.flatMap(({ outputs, installed }) => outputs.filter((output) => output.state !== "unchanged" && installed.includes(output.host)));
  if (agent === undefined || changed.length === 0) return;
  throw new UsageError(`an agent started policyc (${agent} is set), and this build would change guards that are in place: ${changed.map((output) => `\`${output.path}\``).join(", ")}. A person runs it, or adds --allow-agent`);
}

function staleness({ source, outputs }: Outputs): readonly Diagnostic[] {
  const stale = outputs.flatMap(({ path, cause }) => (cause === undefined ? [] : [diagnose("write/out-of-date", { path, cause }, { file: { path, text: "" } })]));
  return source.relabel(stale);
}

function printText(projects: readonly Outputs[], found: readonly Diagnostic[], clean: boolean, options: BuildOptions, terminal: Terminal): void {
  const style = styleOf(terminal.colour);
  const errors = found.filter((diagnostic) => diagnostic.severity === "error");
  if (!clean) {
    terminal.complain(renderText(errors, { colour: terminal.live && terminal.colour }));
    terminal.complain(`\n${counted(errors.length, "error")}; nothing was written.\n`);
    return;
  }
  for (const project of projects) {
    terminal.print(renderSummary(project, options.check ? toBeDone : isClean(found) ? doneTo : untouched, style));
    if (options.check || options.diff) terminal.print(renderDifferences(project.outputs, options.diff === true, style));
    const left = project.installed.filter((host) => !project.lowered.some((lowered) => lowered.host === host));
    for (const host of left) terminal.print(`\nLeft in place: the guard of ${host.id}, which no policy targets; \`policyc uninstall --target ${host.id}\` takes it away.\n`);
  }
  terminal.print(renderFindingCounts(found));
  const stale = projects.flatMap((project) => project.outputs.filter((output) => output.state !== "unchanged"));
  if (options.check) {
    for (const { cause, path } of stale) terminal.complain(`${path}: ${cause}\n`);
    terminal.complain(stale.length === 0 ? "\nUp to date.\n" : `${counted(stale.length, "file")} not up to date; \`policyc build\` writes them.\n`);
    return;
  }
  if (errors.length > 0) {
    terminal.complain(renderText(errors, { colour: terminal.live && terminal.colour }));
    return;
  }
  terminal.print(`\n${doneWith(stale)}\n`);
}

function doneWith(stale: readonly Output[]): string {
  const removed = stale.filter(({ state }) => state === "removed").length;
  if (stale.length === 0) return "Nothing to write: everything is up to date.";
  if (removed === stale.length) return `Removed ${counted(removed, "file")}.`;
  return `Wrote ${counted(stale.length - removed, "file")}${removed > 0 ? `, removed ${removed}` : ""}.`;
}

function renderDifferences(outputs: readonly Output[], whole: boolean, style: ReturnType<typeof styleOf>): string {
  return outputs
    .filter((output) => output.state !== "unchanged")
    // Of a new file every line is one that was not there.
    .map(({ path, before, after }) => (before === undefined ? `\n+++ ${path} (new, ${counted((after ?? "").split("\n").length - 1, "line")})\n` : `\n${renderDifference(path, compareTexts(before, after), style, whole ? Infinity : shortDifference)}`))
    .join("");
}

function doneTo(state: Output["state"]): string {
  return state;
}

function toBeDone(state: Output["state"]): string {
  return { unchanged: "up to date", created: "missing", changed: "differs", removed: "not wanted" }[state];
}

function untouched(): string {
  return "untouched";
}

/** The stable form of a build for machines. */
function describe(outputs: Outputs, done: boolean): object {
  return {
    root: outputs.source.title,
    name: outputs.project.name,
    read: outputs.source.files(),
    hosts: outputs.lowered.map(({ host }) => host.id),
    rules: ruleRows(outputs),
    gaps: gapRows(outputs),
    disabled: disabledRows(outputs),
    observed: observedRows(outputs),
    outputs: outputs.outputs.map(({ host, path, state, cause }) => ({ host: host.id, path, state, ...(cause !== undefined && { cause }) })),
    done,
  };
}
