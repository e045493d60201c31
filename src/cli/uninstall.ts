/**
 * `policyc uninstall`: takes entries, guard and ledger of every host away and gives the settings back as they were.
 * Policies stay, and so does whatever is not ours. Works without a policy that compiles.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderText } from "../diagnostics/render.ts";
import type { Host } from "../hosts/host.ts";
import { startedByAgent } from "./agent.ts";
import { chooseHosts } from "./hosts.ts";
import { placesOf, refusalsOf } from "./outputs.ts";
import { shownFrom } from "./project.ts";
import { counted } from "./report.ts";
import { UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";
import { readOutput, removeEmptyFolders, writeChanges } from "./write.ts";
import type { Change, LinkPolicy } from "./write.ts";

export interface UninstallOptions {
  readonly target?: readonly string[];
  readonly followSymlinks?: true;
  readonly allowAgent?: true;
}

export async function uninstall(path: string | undefined, options: UninstallOptions, terminal: Terminal): Promise<ExitCode> {
  const chosen = chooseHosts(options.target);
  const root = resolve(terminal.folder, path ?? ".");
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder \`${path ?? "."}\``);
  const links = { followLinks: options.followSymlinks === true };
  const plans = chosen.map((host) => removalOf(root, host, links));
  const found = plans.flatMap((plan) => plan.diagnostics);
  const changes = plans.flatMap((plan) => plan.changes);
  if (!isClean(found)) return complain(found, terminal);
  if (changes.length === 0) {
    terminal.print("Nothing to take away: no guard, ledger or entry of policyc is here.\n");
    return 0;
  }

  const agent = startedByAgent(terminal.environment);
  // Fail closed: the first thing a steered agent would do is take its guard away.
  if (agent !== undefined && !options.allowAgent) throw new UsageError(`an agent started policyc (${agent} is set), and this would take guards away. A person runs it, or adds --allow-agent`);

  const failed = writeChanges(root, changes, links);
  if (failed.length > 0) return complain(failed, terminal);
  const folders = [...new Set(changes.filter((change) => change.after === undefined).map((change) => change.path.slice(0, change.path.lastIndexOf("/"))))];
  const removed = folders.flatMap((folder) => removeEmptyFolders(root, folder));
  for (const { path: place, after } of changes) terminal.print(`${after === undefined ? "removed " : "restored"}  ${place}\n`);
  for (const folder of removed) terminal.print(`removed   ${folder}/\n`);
  for (const diagnostic of found) terminal.print(`${diagnostic.message}\n`);
  for (const left of leftOver(root, chosen)) terminal.print(`left      ${left}\n`);
  terminal.print(`\nTook policyc's part out of ${counted(changes.length, "file")} in \`${shownFrom(terminal.folder, root) || "."}\`. Policies are left as they are.\n`);
  return 0;
}

function complain(found: readonly Diagnostic[], terminal: Terminal): ExitCode {
  terminal.complain(renderText(found, { colour: terminal.live && terminal.colour }));
  terminal.complain("\nNothing was taken away.\n");
  return 1;
}

interface Removal {
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

function removalOf(root: string, host: Host, links: LinkPolicy): Removal {
  const places = placesOf(host).map((place) => ({ ...place, existing: readOutput(root, place.path, place.shared, links) }));
  const refused = refusalsOf(places.map(({ existing }) => existing));
  if (refused.length > 0) return { changes: [], diagnostics: refused };
  const fileAt = (path: string) => places.flatMap((place) => (place.path === path && place.existing.kind === "file" && place.existing.file ? [place.existing.file] : []))[0];
  const settings = fileAt(host.layout.settings);
  const registered = host.register({ policy: "", scope: "project", entries: [], denials: [] }, settings, fileAt(host.layout.ledger));
  const changes = places.flatMap(({ path, shared }): Change[] => {
    const before = fileAt(path)?.text;
    const after = shared ? registered.settings : undefined;
    return before === after ? [] : [{ path, shared, before, after }];
  });
  // The entry goes first: one that names a missing guard would refuse every call in between.
  return { changes: changes.reverse(), diagnostics: registered.diagnostics };
}

/** Our own folders that are still there, because something that is not ours lies in them. */
function leftOver(root: string, chosen: readonly Host[]): readonly string[] {
  const folders = new Set(chosen.map((host) => host.layout.guard.slice(0, host.layout.guard.lastIndexOf("/"))));
  return [...folders].filter((folder) => statSync(join(root, folder), { throwIfNoEntry: false })).map((folder) => `${folder}/ (holds files that are not policyc's)`);
}
