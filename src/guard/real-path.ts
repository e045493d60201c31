/**
 * Where a path leads: its links resolved one by one, as the operating system walks them. Unlike `realpath` it goes on
 * where nothing exists yet (a write through a dangling link creates the target) and touches nothing that can block.
 */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import type { Platform } from "./call.ts";
import { isMissing, isUntouchable } from "./files.ts";
import { parentOf, removeDots } from "./paths.ts";

/** Like the kernel's limit; a longer chain is a doubt. */
const mostLinks = 40;

/** What stands under one name: a link's text, anything else, nothing, or something that cannot be looked at. */
type Entry = { readonly kind: "link"; readonly target: string } | { readonly kind: "other" | "missing" | "unknown" };

/** A resolver for one call, which looks at each name once. `undefined`: cannot be known. */
export function realPathReader(platform: Platform): (path: string) => string | undefined {
  const entries = new Map<string, Entry>();
  const look = (path: string): Entry => {
    const known = entries.get(path);
    if (known !== undefined) return known;
    const entry = readEntry(path);
    entries.set(path, entry);
    return entry;
  };
  const walked = new Map<string, string | undefined>();
  return (path) => {
    if (!walked.has(path)) walked.set(path, canonical(walk(path, look), platform, look));
    return walked.get(path);
  };
}

function walk(path: string, look: (path: string) => Entry): string | undefined {
  if (isUntouchable(path)) return removeDots(path);
  let { at, left } = partsOf(path);
  for (let links = 0; left.length > 0; ) {
    const [segment = "", ...rest] = left;
    left = rest;
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      at = parentOf(at);
      continue;
    }
    const next = `${at.replace(/\/$/, "")}/${segment}`;
    if (isUntouchable(next)) return removeDots([next, ...left].join("/"));
    const entry = look(next);
    if (entry.kind === "unknown") return undefined;
    if (entry.kind !== "link") {
      at = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) return undefined;
    const target = entry.target.replace(/^\\\\\?\\/, "");
    const isAbsolute = target.startsWith("/") || /^[A-Za-z]:[\\/]/.test(target);
    const parts = isAbsolute ? partsOf(target) : { at, left: target.split("/") };
    at = parts.at;
    left = [...parts.left, ...left];
  }
  return at;
}

function partsOf(path: string): { at: string; left: readonly string[] } {
  const slashed = /^[A-Za-z]:/.test(path) ? path.replaceAll("\\", "/") : path;
  const drive = /^[A-Za-z]:/.exec(slashed)?.[0];
  return drive === undefined ? { at: "/", left: slashed.split("/") } : { at: `${drive.toUpperCase()}/`, left: slashed.slice(2).split("/") };
}

function readEntry(path: string): Entry {
  try {
    return lstatSync(path).isSymbolicLink() ? { kind: "link", target: readlinkSync(path) } : { kind: "other" };
  } catch (error) {
    return { kind: isMissing(error) ? "missing" : "unknown" };
  }
}

/** Windows also has short names (`GIT~1`) and both platforms another letter case: the system's own spelling of what exists. */
function canonical(path: string | undefined, platform: Platform, look: (path: string) => Entry): string | undefined {
  if (path === undefined || platform === "linux" || isUntouchable(path)) return path;
  let existing = path;
  const tail: string[] = [];
  while (look(existing).kind !== "other") {
    const above = parentOf(existing);
    if (above === existing) return path;
    tail.unshift(existing.slice(above.replace(/\/$/, "").length + 1));
    existing = above;
  }
  try {
    return [realpathSync.native(existing).replaceAll("\\", "/").replace(/\/$/, ""), ...tail].join("/");
  } catch {
    return undefined;
  }
}
