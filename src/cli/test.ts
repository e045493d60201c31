/** `policyc test`: every example in process and through real guard processes, every test block, told to people or machines. */
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderJson, renderText } from "../diagnostics/render.ts";
import { coverageOf } from "../sessions/coverage.ts";
import { judgeSessions } from "../sessions/judge.ts";
import type { SessionOutcome } from "../sessions/judge.ts";
import { testExamples } from "../trial.ts";
import type { JudgeInProcess, TestCase, TestReport } from "../trial.ts";
import { plainCoverage, renderCoverage } from "./coverage.ts";
import type { ProjectCoverage } from "./coverage.ts";
import { chooseHosts } from "./hosts.ts";
import { judgeCall } from "./judged-call.ts";
import { renderJunit } from "./junit.ts";
import { examineProject, loadRuntimes } from "./outputs.ts";
import { findProjects } from "./project.ts";
import { styleOf, UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface TestOptions {
  readonly target?: readonly string[];
  readonly sample?: number;
  readonly filter?: string;
  readonly coverage?: boolean;
  readonly format: "text" | "json" | "junit";
}

export async function test(paths: readonly string[], options: TestOptions, terminal: Terminal): Promise<ExitCode> {
  const chosen = chooseHosts(options.target);
  const runtimes = loadRuntimes(chosen);
  const found: Diagnostic[] = [];
  const cases: TestCase[] = [];
  const coverages: ProjectCoverage[] = [];
  for (const project of findProjects(paths, undefined, terminal.folder)) {
    const examined = examineProject(project, chosen);
    found.push(...examined.diagnostics.filter((diagnostic) => diagnostic.severity === "error"));
    // A failing example is a result; after any other error a guard would not be what the policy says.
    if (!isClean(examined.diagnostics.filter((diagnostic) => !diagnostic.code.startsWith("test/")))) continue;
    const stop = showProgress(terminal);
    const report = await testExamples(examined, runtimes, judgeInProcess, { ...(options.sample !== undefined && { sample: options.sample }), ...(options.filter !== undefined && { filter: options.filter }) });
    stop();
    const sessions = examined.project.tests.length === 0 ? [] : judgeSessions(examined.project, examined.lowered).filter(({ test: { title } }) => title.includes(options.filter ?? "")).map(sessionCase);
    cases.push(...[...report.cases, ...sessions].map((one) => ({ ...one, source: one.source.replace(/^.*(?=:\d+$)/, (path) => project.shown(path)) })));
    if (options.coverage) coverages.push({ title: project.title, ...coverageOf(examined.project, examined.lowered, examined.examples) });
  }
  // A slip of the pen there would otherwise look like a run that passed.
  if (options.filter !== undefined && cases.length === 0 && isClean(found)) throw new UsageError(`\`--filter ${options.filter}\` leaves nothing to test: it is a part of no id of a rule with examples, and of no test's title`);
  const report: TestReport = { cases, passed: cases.filter((one) => one.result === "passed").length, failed: cases.filter((one) => one.result === "failed").length };
  print(report, found, coverages, options, terminal);
  return report.failed === 0 && isClean(found) ? 0 : 1;
}

const judgeInProcess: JudgeInProcess = (host, plan, event, payload, { root, environment }) => judgeCall({ on: { host, plan }, event, payload }, root, environment);

function sessionCase({ test: { title, file, span }, host, result, fault }: SessionOutcome): TestCase {
  const lineOf = (offset: number): number => file.text.slice(0, offset).split("\n").length;
  return {
    rule: title,
    example: fault === undefined ? "test" : file.text.slice(fault.span.start, fault.span.end),
    source: `${file.path}:${lineOf((fault?.span ?? span).start)}`,
    host: host.id,
    through: "session",
    result,
    ...(fault && { message: `got ${fault.got}` }),
    milliseconds: 0,
  };
}

function print(report: TestReport, found: readonly Diagnostic[], coverages: readonly ProjectCoverage[], options: TestOptions, terminal: Terminal): void {
  switch (options.format) {
    case "json":
      terminal.print(`${JSON.stringify({ ...report, ...(options.coverage && { coverage: coverages.map(plainCoverage) }), diagnostics: JSON.parse(renderJson(found)) }, undefined, 2)}\n`);
      break;
    case "junit":
      terminal.print(renderJunit(report.cases, found));
      break;
    case "text":
      printText(report, found, coverages, terminal);
      break;
    default:
      options.format satisfies never;
  }
}

function printText({ cases, passed, failed }: TestReport, found: readonly Diagnostic[], coverages: readonly ProjectCoverage[], terminal: Terminal): void {
  const style = styleOf(terminal.colour);
  if (found.length > 0) terminal.complain(renderText(found, { colour: terminal.colour && terminal.live }));
  const rules = new Set(cases.map((one) => one.rule));
  for (const rule of rules) {
    const own = cases.filter((one) => one.rule === rule);
    const broken = own.filter((one) => one.result === "failed");
    terminal.print(`${broken.length === 0 ? style.good("ok    ") : style.bad("failed")}  ${rule}  ${style.dim(`${own.filter((one) => one.result === "passed").length} of ${own.filter((one) => one.result !== "inapplicable").length}`)}\n`);
    for (const { example, source, host, through, message } of broken) terminal.print(`        ${example}  (${host}, ${ways[through]}, ${source})\n          ${message ?? ""}\n`);
  }
  for (const coverage of coverages) terminal.print(`\n${renderCoverage(coverage)}`);
  terminal.print(`${rules.size > 0 ? "\n" : ""}${passed} passed, ${failed} failed\n`);
}

const ways: Readonly<Record<TestCase["through"], string>> = { guard: "through a guard", decision: "in process", session: "as a session" };

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
