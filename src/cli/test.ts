/** `policyc test`: every example in process and through real guard processes, told to people, JSON or JUnit readers. */
import { diagnose } from "../diagnostics/catalogue.ts";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderJson, renderText } from "../diagnostics/render.ts";
import { testExamples } from "../trial.ts";
import type { TestCase, TestReport } from "../trial.ts";
import { chooseHosts } from "./hosts.ts";
import { renderJunit } from "./junit.ts";
import { examineProject, loadRuntimes } from "./outputs.ts";
import { findProjects } from "./project.ts";
import { styleOf } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface TestOptions {
  readonly target?: readonly string[];
  readonly sample?: number;
  readonly filter?: string;
  readonly format: "text" | "json" | "junit";
}

export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<ExitCode> {
  const chosen = chooseHosts(options.target);
  const runtimes = loadRuntimes(chosen);
  const found: Diagnostic[] = [];
  const cases: TestCase[] = [];
  for (const project of findProjects(paths, undefined, terminal.folder)) {
    const examined = examineProject(project, chosen);
    found.push(...project.tests.map((path) => diagnose("check/not-yet", { construct: "a test file" }, { file: { path, text: "" } })));
    found.push(...examined.diagnostics.filter((diagnostic) => diagnostic.severity === "error"));
    // A failing example is a result; after any other error a guard would not be what the policy says.
    if (!isClean(examined.diagnostics.filter((diagnostic) => !diagnostic.code.startsWith("test/")))) continue;
    const stop = showProgress(terminal);
    const report = await testExamples(examined, runtimes, { ...(options.sample !== undefined && { sample: options.sample }), ...(options.filter !== undefined && { filter: options.filter }) });
    stop();
    cases.push(...report.cases);
  }
  const report: TestReport = { cases, passed: cases.filter((one) => one.result === "passed").length, failed: cases.filter((one) => one.result === "failed").length };
  print(report, found, options, terminal);
  return report.failed === 0 && isClean(found) ? 0 : 1;
}

function print(report: TestReport, found: readonly Diagnostic[], options: TestOptions, terminal: Terminal): void {
  switch (options.format) {
    case "json":
      terminal.print(`${JSON.stringify({ ...report, diagnostics: JSON.parse(renderJson(found)) }, undefined, 2)}\n`);
      break;
    case "junit":
      terminal.print(renderJunit(report.cases, found));
      break;
    case "text":
      printText(report, found, terminal);
      break;
    default:
      options.format satisfies never;
  }
}

function printText({ cases, passed, failed }: TestReport, found: readonly Diagnostic[], terminal: Terminal): void {
  const style = styleOf(terminal.colour);
  if (found.length > 0) terminal.complain(renderText(found, { colour: terminal.colour && terminal.live }));
  const rules = new Set(cases.map((one) => one.rule));
  for (const rule of rules) {
    const own = cases.filter((one) => one.rule === rule);
    const broken = own.filter((one) => one.result === "failed");
    terminal.print(`${broken.length === 0 ? style.good("ok    ") : style.bad("failed")}  ${rule}  ${style.dim(`${own.filter((one) => one.result === "passed").length} of ${own.filter((one) => one.result !== "inapplicable").length}`)}\n`);
    for (const { example, source, host, through, message } of broken) terminal.print(`        ${example}  (${host}, ${through === "guard" ? "through a guard" : "in process"}, ${source})\n          ${message ?? ""}\n`);
  }
  terminal.print(`${rules.size > 0 ? "\n" : ""}${passed} passed, ${failed} failed\n`);
}

/** On a terminal a line that counts seconds once a run takes more than one. Returns what ends it. */
function showProgress(terminal: Terminal): () => void {
  if (!terminal.live) return () => undefined;
  const begin = Date.now();
  const timer = setInterval(() => terminal.complain(`\rrunning examples through guards … ${Math.round((Date.now() - begin) / 1000)} s\u001b[K`), 1000);
  return () => {
    clearInterval(timer);
    terminal.complain("\r\u001b[K");
  };
}
