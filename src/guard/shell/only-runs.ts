/**
 * `only runs`: every command of the line is listed and nothing else in the line could make it do more: no file written
 * by a redirect, no variable set, no name given another meaning, no folder outside the project entered.
 */
import type { Analysis } from "./interpret.ts";
import type { Found } from "./machine.ts";
import { matchesRuns } from "./match.ts";
import { isPseudoFile } from "./tables/names.ts";
import { isExact, show } from "./text.ts";
import { isDoubt, relativeTo, removeDots, resolvePath } from "../paths.ts";
import type { RunsPlan } from "../plan.ts";
import type { Position, World } from "../world.ts";

export function onlyRuns(analysis: Analysis, atom: RunsPlan, position: Position, world: World): boolean {
  const { notes } = analysis;
  if (notes.dynamic || notes.assigns || notes.defines) return false;
  const found = analysis.found.filter((one) => !one.inFile);
  return found.some((one) => one.words.length > 0) && found.every((one) => !opensFile(one) && (one.words.length === 0 || entersProject(one, world) || matchesRuns(one, atom, position)));
}

/** A redirect that writes, or that opens a connection (`< /dev/tcp/host/port`). */
function opensFile(found: Found): boolean {
  return found.redirects.some(({ access, target }) => target.some((text) => (access === "writes" ? !isExact(text) || !isPseudoFile(show(text)) : !isExact(text) || /^\/dev\/(?:tcp|udp)\//.test(show(text)))));
}

/** A plain `cd DIR` to a folder in the project. */
function entersProject(found: Found, world: World): boolean {
  const [name, target, ...more] = found.words;
  if (found.name !== "cd" || name?.[0] !== "cd" || more.length > 0 || target?.length !== 1) return false;
  const [text = ""] = target;
  if (!isExact(text) || text.startsWith("-")) return false;
  return found.cwd.every((base) => {
    const path = resolvePath(show(text), show(base), world);
    if (isDoubt(path)) return false;
    const real = world.realPath(path.written);
    return [path.lexical, real].every((form) => form !== undefined && relativeTo(removeDots(world.root), form, false) !== undefined);
  });
}
