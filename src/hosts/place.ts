/** Paths of a scope's files, and what the scopes beyond a project need to know of the machine. */
import type { Layout, Scope, Surroundings } from "./host.ts";

/** The path of a file of the layout: absolute where its folder is. */
export function placeIn({ folder }: Layout, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

/** @throws where a caller registers in a scope with absolute paths and does not say on which machine: a bug of ours */
export function expectSurroundings(scope: Scope, around: Surroundings | undefined): Surroundings {
  if (around === undefined) throw new Error(`scope ${scope} needs a machine`);
  return around;
}
