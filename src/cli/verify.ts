/**
 * `policyc verify`: compares guards and entries on disk with a fresh build, then runs the guards that are what a build
 * makes and judges their answers. Prints a table and every breach.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Runtime } from "../compose.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderJson, renderText } from "../diagnostics/render.ts";
import type { Host } from "../hosts/host.ts";
import type { Lowered } from "../lower/lower.ts";
import type { InjectedFailure } from "../verify/failures.ts";
import type { Recorded } from "../verify/samples.ts";
import { guardEnvironment, guardStarter } from "../verify/start.ts";
import type { GuardUnderTest } from "../verify/subject.ts";
import { verifyGuard } from "../verify/verify.ts";
import type { TriedEffect, Verification, VerifiedEvent } from "../verify/verify.ts";
import { chooseHosts } from "./hosts.ts";
import { guardPlace, installationOf, placesOf } from "./installation.ts";
import type { Installation, InstallationOptions } from "./installation.ts";
import { judgeCall } from "./judged-call.ts";
import { loadRuntimes, prepareOutputs } from "./outputs.ts";
import type { Output, Outputs } from "./outputs.ts";
import { packageRoot } from "./package-root.ts";
import { findProjects } from "./project.ts";
import { outputLimit, readText } from "./read.ts";
import { counted } from "./report.ts";
import { renderTable, styleOf, UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface VerifyOptions extends InstallationOptions {
  readonly out?: string;
  readonly target?: readonly string[];
  readonly followSymlinks?: true;
  readonly format: "text" | "json";
}

export async function verify(paths: readonly string[], options: VerifyOptions, terminal: Terminal): Promise<ExitCode> {
  const [project, ...others] = findProjects(paths, options.out, terminal.folder);
  if (project === undefined || others.length > 0) throw new UsageError("verify looks at one project at a time");
  const installation = installationOf(options, terminal);
  const built = prepareOutputs(project, chooseHosts(options.target), { followLinks: options.followSymlinks === true }, installation);
  if (!isClean(built.diagnostics)) return report(nothing, built.diagnostics.filter((diagnostic) => diagnostic.severity === "error"), options, terminal);
  if (built.lowered.length === 0) throw new UsageError("the policies target no host");

  const verifications: Verification[] = [];
  for (const lowered of built.lowered) verifications.push(await verifyHost(lowered, built, installation, terminal));
  const found = built.source.relabel(verifications.flatMap((one) => one.diagnostics));
  return report({ rows: verifications.flatMap((one) => one.rows), failures: verifications.flatMap((one) => one.failures) }, found, options, terminal);
}

type Tables = Pick<Verification, "rows" | "failures">;
const nothing: Tables = { rows: [], failures: [] };

async function verifyHost(lowered: Lowered, { outputs, source, examples }: Outputs, installation: Installation, terminal: Terminal): Promise<Verification> {
  const { host, plan } = lowered;
  const stale = outputs.filter((output) => output.host === host && output.cause !== undefined);
  const [guardPath, ledgerPath, settingsPath] = placesOf(host, installation).map((place) => place.path);
  // The ledger follows guard and settings; on its own it is worth a word.
  const differences = stale.filter((output) => output.path !== ledgerPath || stale.length === 1).flatMap((output) => differenceOf(output, guardPath, settingsPath));
  const guard = outputs.find((output) => output.host === host && output.path === guardPath);
  // Fail closed: a guard of other bytes may do anything when it is started.
  if (guard?.after === undefined || guard.cause !== undefined) return { ...nothing, diagnostics: differences };
  // Guards for a user lie elsewhere, and are started in the project's folder all the same.
  if (!existsSync(source.root)) throw new UsageError(`there is no folder \`${source.root}\` to start the guards in`);
  const path = resolve(source.root, guardPlace(host, installation));
  const start = guardStarter(path, plan, source.root);
  if (terminal.live) terminal.complain(`\rverifying ${host.id} …\u001b[K`);
  const judge: GuardUnderTest["judge"] = (judgedPlan, event, payload, ground) => judgeCall({ on: { ...lowered, plan: judgedPlan }, event, payload }, ground.root, ground.environment);
  const verification = await verifyGuard({
    host,
    plan,
    entries: lowered.entries,
    ground: { root: source.root, environment: guardEnvironment() },
    runtime: presumeRuntime(host),
    recorded: readRecorded(),
    calls: examples.filter((example) => example.host === host).flatMap((example) => example.calls.map(({ call }) => call)),
    start: async (event, stdin) => {
      // Fail closed: between two runs somebody may put another guard there.
      const now = readText(path, { bytes: outputLimit, follow: false });
      if (now.kind !== "text" || now.text !== guard.before) throw new UsageError(`\`${guardPath}\` was changed while it was being verified`);
      return start(event, stdin);
    },
    judge,
  });
  if (terminal.live) terminal.complain("\r\u001b[K");
  return { ...verification, diagnostics: [...differences, ...verification.diagnostics] };
}

function presumeRuntime(host: Host): Runtime {
  const runtime = loadRuntimes([host]).get(host.id);
  if (runtime === undefined) throw new Error(`there is no guard runtime for ${host.id}`);
  return runtime;
}

/** Payloads that hosts sent, put beside the program when policyc was released. */
function readRecorded(): readonly Recorded[] {
  return JSON.parse(readFileSync(join(packageRoot(), "dist/recorded.json"), "utf8")) as readonly Recorded[];
}

function differenceOf({ host, path, cause }: Output, guardPath: string | undefined, settingsPath: string | undefined): readonly Diagnostic[] {
  const place = { file: { path, text: "" }, help: { text: "`policyc build --check` shows the difference, `policyc build` writes it anew" } };
  if (cause === undefined) return [];
  if (path === guardPath) return [cause === "missing" ? diagnose("verify/guard-missing", { host: host.title, path }, place) : diagnose("verify/guard-differs", { host: host.title, path, cause }, place)];
  if (path === settingsPath) return [cause === "missing" || cause === "no entries" ? diagnose("verify/entry-missing", { host: host.title, path }, place) : diagnose("verify/entry-differs", { host: host.title, path }, place)];
  return [diagnose("write/out-of-date", { path, cause }, place)];
}

function report({ rows, failures }: Tables, found: readonly Diagnostic[], options: VerifyOptions, terminal: Terminal): ExitCode {
  const clean = isClean(found);
  if (options.format === "json") {
    terminal.print(`${JSON.stringify({ events: rows, failures, diagnostics: JSON.parse(renderJson(found)) }, undefined, 2)}\n`);
    return clean ? 0 : 1;
  }
  const style = styleOf(terminal.colour);
  if (rows.length > 0) terminal.print(eventTable(rows));
  if (failures.length > 0) terminal.print(`\n${failureTable(failures)}`);
  if (!clean) {
    terminal.complain(`${rows.length > 0 ? "\n" : ""}${renderText(found, { colour: terminal.colour && terminal.live })}`);
    terminal.complain(`\n${counted(found.length, "finding")}.\n`);
    return 1;
  }
  const runs = rows.reduce((sum, row) => sum + row.samples + row.malformed, 0);
  terminal.print(`\n${style.good("Verified")}: guards and entries are what a build makes, ${counted(runs, "answer")} kept to the contracts, and ${counted(failures.length, "failure")} came out as documented.\n`);
  return 0;
}

function eventTable(rows: readonly VerifiedEvent[]): string {
  const cells = rows.map((row) => [row.host, row.event, `${row.samples}`, `${row.malformed}`, row.breaches === 0 ? "none" : `${row.breaches}`, row.effects.map(effectCell).join(", ")]);
  const tried = rows.flatMap((row) => row.effects);
  const notes = [
    ...(tried.some(({ alone, payloads }) => alone && payloads > 0) ? ["* no payload met the conditions of these rules: tried in a guard of their own without them"] : []),
    ...(tried.some(({ payloads }) => payloads === 0) ? ["0: no payload holds what these rules change; an `example` in the policy would bring one"] : []),
  ];
  return renderTable([["host", "event", "payloads", "malformed", "breaches", "effects tried"], ...cells]) + notes.map((note) => `${note}\n`).join("");
}

function effectCell({ effect, payloads, alone }: TriedEffect): string {
  return `${effect} ${payloads}${alone && payloads > 0 ? "*" : ""}`;
}

/** Failures and events that came out alike share a row. */
function failureTable(failures: readonly InjectedFailure[]): string {
  const byFailure = grouped(failures, ({ host, guard, then, failure }) => [host, guard, then, failure].join("\n"));
  const rows = byFailure.map(([first, ...rest]) => ({ ...first, events: [...new Set([first, ...rest].map(({ event }) => event))].join(", ") }));
  const cells = grouped(rows, ({ host, guard, then, events }) => [host, guard, then, events].join("\n")).map(([first, ...rest]) => [first.host, [first, ...rest].map(({ failure }) => failure).join(", "), first.guard, first.then, first.events]);
  return renderTable([["host", "a guard that", "ends with", "and the host", "on"], ...cells]);
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly (readonly [Item, ...Item[]])[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
