/**
 * Compiles a project against what is on disk and says for every output what stands there, what should, and why they
 * differ. Nothing is written here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { originOf } from "../compose.ts";
import type { Runtime } from "../compose.ts";
import { compile, examine } from "../compile.ts";
import type { Examined, Sources } from "../compile.ts";
import { isClean } from "../diagnostics/diagnostic.ts";
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";
import type { Host } from "../hosts/host.ts";
import { placeIn } from "../hosts/place.ts";
import { hosts } from "../hosts/registry.ts";
import { layoutOf, placesOf } from "./installation.ts";
import type { Installation } from "./installation.ts";
import { packageRoot } from "./package-root.ts";
import type { Project } from "./project.ts";
import { sameText } from "./read.ts";
import { readOutput } from "./write.ts";
import type { Change, Existing, LinkPolicy } from "./write.ts";

/** One file a build owns or shares, as it is and as it should be. */
export interface Output extends Change {
  readonly host: Host;
  readonly state: "unchanged" | "created" | "changed" | "removed";
  /** Why it is not up to date; `undefined` where it is. */
  readonly cause: Cause | undefined;
}

export type Cause = "missing" | "no entries" | "other policyc version" | "policy changed" | "edited by hand" | "not wanted";

export interface Outputs extends Examined {
  readonly source: Project;
  /** In the order they are to be written; empty where there is an error. */
  readonly outputs: readonly Output[];
  /** Hosts that hold guards or entries of ours on disk already. */
  readonly installed: readonly Host[];
}

export function sourcesOf(project: Project, chosen: readonly Host[]): Sources {
  return { roots: project.sources, load: project.load, today: today(new Date()), policyc: version, hosts, only: chosen.map((host) => host.id) };
}

/** `YYYY-MM-DD` where the person is: `until` dates are meant locally. */
function today(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** What can be said without looking at outputs, test files included: findings with paths as the person would write them. */
export function examineProject(project: Project, chosen: readonly Host[]): Examined {
  const examined = examine({ ...sourcesOf(project, chosen), tests: project.tests() });
  return { ...examined, diagnostics: project.relabel([...project.problems(), ...examined.diagnostics]) };
}

export function prepareOutputs(project: Project, chosen: readonly Host[], links: LinkPolicy, installation: Installation): Outputs {
  const disk = new Map(chosen.flatMap((host) => placesOf(host, installation).map((place) => [place.path, readOutput(project.root, place, links)] as const)));
  const fileAt = (path: string): SourceFile | undefined => {
    const existing = disk.get(path);
    return existing?.kind === "file" ? existing.file : undefined;
  };
  const existing = [...disk.keys()].flatMap((path) => fileAt(path) ?? []);
  const compiled = compile({ ...sourcesOf(project, chosen), options: installation.options, around: installation.around }, existing, loadRuntimes(chosen));
  const targets = compiled.lowered.map(({ host }) => host);
  const refused = targets.flatMap((host) => refusalsOf(placesOf(host, installation).flatMap(({ path }) => disk.get(path) ?? [])));
  const findings = [...project.problems(), ...compiled.diagnostics, ...refused];
  const outputs = isClean(findings) ? targets.flatMap((host) => outputsOf(host, installation, compiled.artefacts, fileAt)) : [];
  return {
    ...compiled,
    source: project,
    diagnostics: project.relabel(findings),
    outputs,
    installed: chosen.filter((host) => isInstalled(host, installation, fileAt)),
  };
}

/** What keeps a host's places from being written. One link on the way to all of them is one finding. */
export function refusalsOf(places: readonly Existing[]): readonly Diagnostic[] {
  const found = places.flatMap((existing) => (existing.kind === "refused" ? [existing.diagnostic] : []));
  return found.filter(({ code }, index) => code !== "write/symlink" || found.findIndex((other) => other.code === code) === index);
}

type FileAt = (path: string) => SourceFile | undefined;

/** True where a guard, a ledger or an entry of ours is there. A guard alone can have been taken away to look like a first build. */
function isInstalled(host: Host, installation: Installation, fileAt: FileAt): boolean {
  return placesOf(host, installation).some(({ path, shared }) => !shared && fileAt(path) !== undefined) || hasEntries(host, installation, fileAt);
}

/** Without the ledger, removing touches nothing but entries that carry our mark. */
function hasEntries(host: Host, installation: Installation, fileAt: FileAt): boolean {
  const layout = layoutOf(host, installation);
  if (layout === undefined) return false;
  const settings = fileAt(placeIn(layout, layout.settings));
  const without = host.register({ policy: "", ...installation, entries: [], denials: [] }, settings, undefined);
  return !sameText(settings?.text, without.settings);
}

function outputsOf(host: Host, installation: Installation, artefacts: readonly { readonly path: string; readonly text: string | undefined }[], fileAt: FileAt): readonly Output[] {
  const changes = placesOf(host, installation).map(({ path, folder, shared }): Change => ({ path, folder, shared, before: fileAt(path)?.text, after: artefacts.find((artefact) => artefact.path === path)?.text }));
  const [guard, ledger, settings, ...others] = changes;
  if (!guard || !ledger || !settings) return [];
  const guardCause = causeOf(guard, () => guardDifference(guard.before ?? "", guard.after ?? ""));
  const ledgerCause = causeOf(ledger, () => guardCause ?? "edited by hand");
  // Permission strings stand in the ledger and not in the guard.
  const settingsCause = causeOf(settings, () => (hasEntries(host, installation, fileAt) ? (guardCause ?? (ledgerCause ? "policy changed" : "edited by hand")) : "no entries"));
  const causes = [guardCause, ledgerCause, settingsCause, ...others.map((other) => causeOf(other, () => guardCause ?? "edited by hand"))];
  const outputs = changes.map((change, index): Output => ({ ...change, host, state: stateOf(change), cause: causes[index] }));
  // An entry must never name a guard that is not there: it comes last and goes first.
  return guard.after === undefined ? outputs.reverse() : outputs;
}

function stateOf({ before, after }: Change): Output["state"] {
  if (sameText(before, after)) return "unchanged";
  if (before === undefined) return "created";
  return after === undefined ? "removed" : "changed";
}

function causeOf({ before, after }: Change, otherwise: () => Cause): Cause | undefined {
  if (sameText(before, after)) return undefined;
  if (before === undefined) return "missing";
  return after === undefined ? "not wanted" : otherwise();
}

function guardDifference(onDisk: string, wanted: string): Cause {
  const [found, fresh] = [originOf(onDisk.replaceAll("\r\n", "\n")), originOf(wanted)];
  if (found.kind === "changed" || fresh.kind === "changed") return "edited by hand";
  return found.policyc === fresh.policyc && found.plan !== fresh.plan ? "policy changed" : "other policyc version";
}

/** What guards share, made when policyc was released. A section is read when a guard needs it: most guards lack the largest. */
export function loadRuntimes(chosen: readonly Host[]): ReadonlyMap<string, Runtime> {
  const folder = join(packageRoot(), "dist", "runtime");
  return new Map(
    chosen.map(({ id }): [string, Runtime] => [
      id,
      (name) => {
        const file = readFileSync(join(folder, id, `${name}.txt`), "utf8");
        const end = file.indexOf("\n");
        return { sum: file.slice(0, end), text: file.slice(end + 1) };
      },
    ]),
  );
}
