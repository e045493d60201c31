/**
 * Where a policy lets a guard write: the path it names goes in, the real folder to write into comes out, made where it
 * is missing. A folder that links lead out of what the policy names is refused: the agent can make links, and a guard
 * often runs where the agent's own sandbox ends.
 */
import { lstatSync, mkdirSync } from "node:fs";
import type { Platform } from "./call.ts";
import { errorCode } from "./error-code.ts";
import { isMissing, isUntouchable } from "./files.ts";
import { parentOf, relativeTo, removeDots, segmentsOf } from "./paths.ts";
import { realPathReader } from "./real-path.ts";

/** The parts of the `World` that say what a path in a policy means. */
export interface Surroundings {
  readonly platform: Platform;
  readonly root: string;
  /** `""` where unknown. */
  readonly home: string;
}

export interface DeclaredPlace {
  /** Absolute, dots removed. */
  readonly path: string;
  /** The folder that the real path has to lie in: project root or home. Absent for an absolute path, which names itself. */
  readonly base?: string;
}

export type Settled = { readonly kind: "settled"; readonly folder: string } | Refused;
/** `cause` completes "… because". */
export interface Refused {
  readonly kind: "refused";
  readonly cause: string;
}

/** What a path in a policy means: below the root, below home with `~/`, or as it stands. */
export function declaredPlace(text: string, { platform, root, home }: Surroundings): DeclaredPlace | Refused {
  const slashed = platform === "windows" ? text.replaceAll("\\", "/").replace(/^[a-z]:/, (drive) => drive.toUpperCase()) : text;
  if (slashed.includes("\0")) return refused("its name holds a NUL character");
  if (slashed.startsWith("~/")) {
    if (home === "") return refused("the home folder is unknown");
    return within(home, slashed.slice(2));
  }
  if (slashed.startsWith("/") || (platform === "windows" && /^[A-Z]:\//.test(slashed))) return { path: removeDots(slashed) };
  return within(root, slashed);
}

function within(base: string, text: string): DeclaredPlace {
  const path = removeDots(`${base}/${text}`);
  // `../logs/x.jsonl` names a place outside in so many words.
  return relativeTo(base, path, false) === undefined ? { path } : { path, base };
}

/** The real folder of a declared one; every part of it that is missing is made for the owner alone. */
export function settleFolder(folder: string, base: string | undefined, platform: Platform): Settled {
  const real = realFolder(folder, base, platform);
  if (typeof real !== "string") return real;
  const made = makeFolders(real);
  if (typeof made === "string") return refused(made);
  // Something may have been put in the place of a part while the others were made.
  const again = made === 0 ? real : realFolder(folder, base, platform);
  if (typeof again !== "string") return again;
  return again === real ? { kind: "settled", folder: real } : refused("its folder changed while it was made");
}

/** Where a declared folder really lies, nothing made; its last parts may be missing. */
export function realFolder(folder: string, base: string | undefined, platform: Platform): string | Refused {
  if (isUntouchable(folder)) return refused("its folder is not one of files");
  const realPath = realPathReader(platform);
  const real = realPath(folder);
  if (real === undefined || isUntouchable(real)) return refused("its folder cannot be found out");
  if (base === undefined) return hasForeignLink(folder) ? refused("a link leads to its folder") : real;
  const realBase = realPath(base);
  if (realBase === undefined || relativeTo(realBase, real, false) === undefined) return refused("links lead out of the folder that the policy names");
  return real;
}

/** Systems have links of their own in absolute paths (`/var` of macOS); those belong to the administrator. */
function hasForeignLink(folder: string): boolean {
  if (process.geteuid === undefined) return false;
  for (let at = folder, last = ""; at !== last; last = at, at = parentOf(at)) {
    try {
      const stat = lstatSync(at);
      if (stat.isSymbolicLink() && stat.uid !== 0) return true;
    } catch (error) {
      if (!isMissing(error)) return true;
    }
  }
  return false;
}

/** How many were missing, or what is wrong. */
function makeFolders(real: string): number | string {
  const missing: string[] = [];
  let at = real;
  for (; ; at = parentOf(at)) {
    const kind = kindOf(at);
    if (kind === "folder") break;
    if (kind === "other" || parentOf(at) === at) return "a part of its folder is no folder";
    missing.unshift(segmentsOf(at).at(-1) ?? "");
  }
  for (const segment of missing) {
    at = `${at.replace(/\/$/, "")}/${segment}`;
    try {
      mkdirSync(at, 0o700);
    } catch (error) {
      // Another guard may have been faster.
      if (errorCode(error) !== "EEXIST") return `its folder cannot be made (${errorCode(error) ?? "unknown"})`;
    }
  }
  return missing.length;
}

function kindOf(path: string): "folder" | "other" | "missing" {
  try {
    return lstatSync(path).isDirectory() ? "folder" : "other";
  } catch (error) {
    return isMissing(error) ? "missing" : "other";
  }
}

export function refused(cause: string): Refused {
  return { kind: "refused", cause };
}
