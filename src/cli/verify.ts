/**
 * `policyc verify`: compares guards and entries on disk with a fresh build, then runs the guards that are what a build
 * makes and judges their answers. Prints a table and every breach.
 */
import { resolve } from "node:path";
import { diagnose } from "../diagnostics/catalogue.ts";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderJson, renderText } from "../diagnostics/render.ts";
import type { Lowered } from "../lower/lower.ts";
import { guardStarter, verifyGuard } from "../verify.ts";
import type { Verification, VerifiedEvent } from "../verify.ts";
import { chooseHosts } from "./hosts.ts";
import { guardPlace, installationOf, placesOf } from "./installation.ts";
import type { Installation, InstallationOptions } from "./installation.ts";
import { judgeCall } from "./judged-call.ts";
import { prepareOutputs } from "./outputs.ts";
import type { Output, Outputs } from "./outputs.ts";
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
  if (!isClean(built.diagnostics)) return report([], built.diagnostics.filter((diagnostic) => diagnostic.severity === "error"), options, terminal);
  if (built.lowered.length === 0) throw new UsageError("the policies target no host");

  const verifications: Verification[] = [];
  for (const lowered of built.lowered) verifications.push(await verifyHost(lowered, built, installation, terminal));
  const found = built.source.relabel(verifications.flatMap((one) => one.diagnostics));
  return report(verifications.flatMap((one) => one.rows), found, options, terminal);
}

async function verifyHost(lowered: Lowered, { outputs, source }: Outputs, installation: Installation, terminal: Terminal): Promise<Verification> {
  const { host, plan } = lowered;
  const stale = outputs.filter((output) => output.host === host && output.cause !== undefined);
  const [guardPath, ledgerPath, settingsPath] = placesOf(host, installation).map((place) => place.path);
  // The ledger follows guard and settings; on its own it is worth a word.
  const differences = stale.filter((output) => output.path !== ledgerPath || stale.length === 1).flatMap((output) => differenceOf(output, guardPath, settingsPath));
  const guard = outputs.find((output) => output.host === host && output.path === guardPath);
  // Fail closed: a guard of other bytes may do anything when it is started.
  if (guard?.after === undefined || guard.cause !== undefined) return { rows: [], diagnostics: differences };
  const path = resolve(source.root, guardPlace(host, installation));
  const start = guardStarter(path, plan, source.root);
  if (terminal.live) terminal.complain(`\rverifying ${host.id} …\u001b[K`);
  const verification = await verifyGuard({
    host,
    plan,
    cwd: source.root,
    start: async (event, stdin) => {
      // Fail closed: between two runs somebody may put another guard there.
      const now = readText(path, { bytes: outputLimit, follow: false });
      if (now.kind !== "text" || now.text !== guard.before) throw new UsageError(`\`${guardPath}\` was changed while it was being verified`);
      return start(event, stdin);
    },
    decide: (event, payload) => {
      const judged = judgeCall({ on: lowered, event, payload }, source.root, terminal.environment);
      // The payload is the host's own, so it is a rule that makes no call of it.
      if (judged.kind === "malformed") return plan.onError === "allow" ? "pass" : plan.onError;
      return judged.decision.effect;
    },
  });
  if (terminal.live) terminal.complain("\r\u001b[K");
  return { rows: verification.rows, diagnostics: [...differences, ...verification.diagnostics] };
}

function differenceOf({ host, path, cause }: Output, guardPath: string | undefined, settingsPath: string | undefined): readonly Diagnostic[] {
  const place = { file: { path, text: "" }, help: { text: "`policyc build --check` shows the difference, `policyc build` writes it anew" } };
  if (cause === undefined) return [];
  if (path === guardPath) return [cause === "missing" ? diagnose("verify/guard-missing", { host: host.title, path }, place) : diagnose("verify/guard-differs", { host: host.title, path, cause }, place)];
  if (path === settingsPath) return [cause === "missing" || cause === "no entries" ? diagnose("verify/entry-missing", { host: host.title, path }, place) : diagnose("verify/entry-differs", { host: host.title, path }, place)];
  return [diagnose("write/out-of-date", { path, cause }, place)];
}

function report(rows: readonly VerifiedEvent[], found: readonly Diagnostic[], options: VerifyOptions, terminal: Terminal): ExitCode {
  const clean = isClean(found);
  if (options.format === "json") {
    terminal.print(`${JSON.stringify({ events: rows, diagnostics: JSON.parse(renderJson(found)) }, undefined, 2)}\n`);
    return clean ? 0 : 1;
  }
  const style = styleOf(terminal.colour);
  if (rows.length > 0) {
    const cells = rows.map((row) => [row.host, row.event, `${row.samples}`, `${row.malformed}`, row.breaches === 0 ? "none" : `${row.breaches}`]);
    terminal.print(renderTable([["host", "event", "payloads", "malformed", "breaches"], ...cells]));
  }
  if (!clean) {
    terminal.complain(`${rows.length > 0 ? "\n" : ""}${renderText(found, { colour: terminal.colour && terminal.live })}`);
    terminal.complain(`\n${counted(found.length, "finding")}.\n`);
    return 1;
  }
  const runs = rows.reduce((sum, row) => sum + row.samples + row.malformed, 0);
  terminal.print(`\n${style.good("Verified")}: guards and entries are what a build makes, and ${counted(runs, "answer")} kept to the contracts.\n`);
  return 0;
}
