/**
 * `touches`, `reads`, `writes`, `deletes` on the paths that a tool names in its arguments (a file tool, an MCP tool of
 * that shape). Commands are the shell model's; a call without commands is judged here alone, so that no parser loads.
 */
import type { ToolCall } from "./call.ts";
import { isDoubt, matchGlobs, resolvePath } from "./paths.ts";
import type { EffectAtom, GlobPlan } from "./plan.ts";
import { everyHolds, someHolds } from "./truth.ts";
import type { Position, Truth, World } from "./world.ts";

/**
 * The folder that relative paths of a call start at, absolute: the tool's own `cwd` argument, or the session's.
 * `""` where it cannot be known; `resolvePath` then doubts relative paths.
 */
export function baseFolder(call: ToolCall, world: World): string {
  if (call.subject.cwd === undefined) return call.cwd;
  const folder = resolvePath(call.subject.cwd, call.cwd, world);
  return isDoubt(folder) ? "" : folder.written;
}

/** One truth for each path of the call's arguments that the atom is about. */
export function fileEffects(atom: { readonly kind: EffectAtom; readonly globs: readonly GlobPlan[] }, call: ToolCall, position: Position, world: World): readonly Truth[] {
  const base = baseFolder(call, world);
  return call.subject.paths
    .filter(({ access }) => atom.kind === "touches" || access === atom.kind)
    .map(({ path }) => {
      const value = resolvePath(path, base, world);
      return isDoubt(value) ? value : matchGlobs(atom.globs, value, position, world);
    });
}

/** The atom on a call without commands. Wide: any path; narrow: at least one and every one. */
export function judgeFileEffect(atom: { readonly kind: EffectAtom; readonly globs: readonly GlobPlan[] }, call: ToolCall, position: Position, world: World): Truth {
  const truths = fileEffects(atom, call, position, world);
  return position === "wide" ? someHolds(truths, (truth) => truth) : everyHolds(truths, (truth) => truth);
}
