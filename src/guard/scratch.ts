/**
 * The `World` of examples and replay: an empty project without a disk, where paths mean what their text says.
 */
import type { Platform } from "./call.ts";
import { relativeTo, removeDots } from "./paths.ts";
import type { ShellModule } from "./shell/shell.ts";
import type { World } from "./world.ts";

export interface Scratch {
  readonly platform: Platform;
  /** Checked out in the project; `""` for none. */
  readonly branch: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly shell: () => ShellModule;
  /** See `World.tampering`. */
  readonly tampering?: string;
  /** See `World.redecode`. */
  readonly redecode?: NonNullable<World["redecode"]>;
  /** Absolute; by default `scratchRoot` and `scratchHome` of the platform. */
  readonly root?: string;
  readonly home?: string;
}

export function scratchWorld(scratch: Scratch): World {
  const root = scratch.root ?? scratchRoot(scratch.platform);
  return {
    platform: scratch.platform,
    home: scratch.home ?? scratchHome(scratch.platform),
    root,
    today: scratch.today,
    realPath: removeDots,
    branch: (folder) => (relativeTo(root, folder, false) === undefined ? "" : scratch.branch),
    worktreeRoot: () => undefined,
    list: () => [],
    read: () => undefined,
    shell: scratch.shell,
    tampering: () => scratch.tampering ?? "",
    ...(scratch.redecode !== undefined && { redecode: scratch.redecode }),
  };
}

/** The project of an example, which is also its `cwd`. */
export function scratchRoot(platform: Platform): string {
  return platform === "windows" ? "C:/scratch/project" : "/scratch/project";
}

export function scratchHome(platform: Platform): string {
  return platform === "windows" ? "C:/scratch/home" : "/scratch/home";
}
