/**
 * Where and for whom a command puts guards: the words of `--scope`, `--min-version` and `--native-https`, and what the
 * scopes beyond a project have to know of this machine.
 */
import { placeIn } from "../hosts/place.ts";
import type { Host, Layout, Scope, Surroundings } from "../hosts/host.ts";
import type { BuildOptions } from "../lower/lower.ts";
import { thisPlatform } from "../guard/platform.ts";
import { chooseHost } from "./hosts.ts";
import { UsageError } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

export interface Installation {
  readonly scope: Scope;
  readonly around: Surroundings;
  readonly options: BuildOptions;
}

/** As the command line has them. */
export interface InstallationOptions {
  readonly scope?: Scope;
  /** `HOST=VERSION` each. */
  readonly minVersion?: readonly string[];
  readonly nativeHttps?: true;
}

/** @throws UsageError for a version without a host, and where a scope needs a home folder that nobody names */
export function installationOf({ scope = "project", minVersion = [], nativeHttps }: InstallationOptions, { environment }: Terminal): Installation {
  const home = (environment["HOME"] ?? environment["USERPROFILE"] ?? "").replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
  if (scope === "user" && home === "") throw new UsageError("`--scope user` needs a home folder, and HOME is not set");
  const minVersions = Object.fromEntries(minVersion.map(versionOf));
  return {
    scope,
    around: { platform: thisPlatform(), home, node: process.execPath.replaceAll("\\", "/"), environment },
    options: { scope, minVersions, ...(nativeHttps && { nativeHttps }) },
  };
}

function versionOf(word: string): readonly [string, string] {
  const [, host, version] = /^([a-z]+)=(\d+(?:\.\d+){0,3})$/.exec(word) ?? [];
  if (host === undefined || version === undefined) throw new UsageError(`\`--min-version\` takes HOST=VERSION, such as claude=2.1.332, not \`${word}\``);
  return [chooseHost(host).id, version];
}

/** One file of a host that a build owns, or shares with the person. */
export interface OutputPlace {
  /** Below the root, or absolute where the scope's files lie elsewhere. */
  readonly path: string;
  /** Absolute, the scope's own folder: no component below it may be a link. `""`: below the root. */
  readonly folder: string;
  readonly shared: boolean;
}

/** Where a host's files lie in a scope: guard, ledger, settings, then further ones. Empty where it has no such scope. */
export function placesOf(host: Host, installation: Installation): readonly OutputPlace[] {
  const layout = layoutOf(host, installation);
  if (layout === undefined) return [];
  const { folder } = layout;
  const place = (path: string, shared: boolean): OutputPlace => ({ path: placeIn(layout, path), folder, shared });
  return [place(layout.guard, false), place(layout.ledger, false), place(layout.settings, true), ...layout.others.map((path) => place(path, true))];
}

/** The layout with its paths as outputs have them. */
export function layoutOf(host: Host, { scope, around }: Installation): Layout | undefined {
  return host.layoutIn(scope, around);
}

export function guardPlace(host: Host, installation: Installation): string {
  return placesOf(host, installation)[0]?.path ?? "";
}
