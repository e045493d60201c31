/**
 * `policyc uninstall`: takes entries, guard and ledger of every host away and gives the settings back as they were.
 * Policies stay, and so does whatever is not ours. Works without a policy that compiles.
 */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { renderText } from "../diagnostics/render.ts";
import type { Host } from "../hosts/host.ts";
import { placeIn } from "../hosts/place.ts";
import { startedByAgent } from "./agent.ts";
import { chooseHosts } from "./hosts.ts";
import { guardPlace, installationOf, layoutOf, placesOf } from "./installation.ts";
import type { Installation, InstallationOptions } from "./installation.ts";
import { refusalsOf } from "./outputs.ts";
import { shownFrom } from "./project.ts";
import { counted } from "./report.ts";
import { UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";
import { readOutput, removeEmptyFolders, writeChanges } from "./write.ts";
import type { Change, LinkPolicy } from "./write.ts";

export interface UninstallOptions extends Pick<InstallationOptions, "scope"> {
  readonly target?: readonly string[];
  readonly followSymlinks?: true;
  readonly allowAgent?: true;
}

export async function uninstall(path: string | undefined, options: UninstallOptions, terminal: Terminal): Promise<ExitCode> {
  const chosen = chooseHosts(options.target);
  const root = resolve(terminal.folder, path ?? ".");
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder \`${path ?? "."}\``);
  const links = { followLinks: options.followSymlinks === true };
  const installation = installationOf(options, terminal);
  const plans = chosen.map((host) => removalOf(root, host, installation, links));
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
  const removed = changes.filter((change) => change.after === undefined).flatMap((change) => removeEmptyFolders(root, change));
  for (const { path: place, after } of changes) terminal.print(`${after === undefined ? "removed " : "restored"}  ${place}\n`);
  for (const folder of removed) terminal.print(`removed   ${folder}/\n`);
  for (const diagnostic of found) terminal.print(`${diagnostic.message}\n`);
  for (const left of leftOver(root, chosen, installation)) terminal.print(`left      ${left}\n`);
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

function removalOf(root: string, host: Host, installation: Installation, links: LinkPolicy): Removal {
  const layout = layoutOf(host, installation);
  if (layout === undefined) return { changes: [], diagnostics: [] };
  const places = placesOf(host, installation).map((place) => ({ ...place, existing: readOutput(root, place, links) }));
  const refused = refusalsOf(places.map(({ existing }) => existing));
  if (refused.length > 0) return { changes: [], diagnostics: refused };
  const fileAt = (path: string) => places.flatMap((place) => (place.path === path && place.existing.kind === "file" && place.existing.file ? [place.existing.file] : []))[0];
  const settings = fileAt(placeIn(layout, layout.settings));
  const registered = host.register({ policy: "", ...installation, entries: [], denials: [] }, settings, fileAt(placeIn(layout, layout.ledger)));
  // In the order of the places: guard and ledger go, what is shared becomes what it was.
  const texts = [undefined, undefined, registered.settings, ...(registered.others ?? [])];
  const changes = places.flatMap(({ path, folder, shared }, index): Change[] => {
    const before = fileAt(path)?.text;
    return before === texts[index] ? [] : [{ path, folder, shared, before, after: texts[index] }];
  });
  // The entry goes first: one that names a missing guard would refuse every call in between.
  return { changes: changes.reverse(), diagnostics: registered.diagnostics };
}

/** Our own folders that are still there, because something that is not ours lies in them. */
function leftOver(root: string, chosen: readonly Host[], installation: Installation): readonly string[] {
  const folders = new Set(chosen.map((host) => dirname(guardPlace(host, installation))).filter((folder) => folder !== "."));
  return [...folders].filter((folder) => statSync(resolve(root, folder), { throwIfNoEntry: false })).map((folder) => `${folder}/ (holds files that are not policyc's)`);
}
