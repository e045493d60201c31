/**
 * The real `World`: the disk a guard runs on, looked at without ever blocking, with everything remembered for one call.
 */
import { opendirSync } from "node:fs";
import type { Platform, ToolCall } from "./call.ts";
import { findRepository, readBranch } from "./branch.ts";
import { stateWorld } from "./effects.ts";
import { isMissing, isUntouchable, readRegular } from "./files.ts";
import { tamperingOf } from "./installed.ts";
import { parentOf, relativeTo, removeDots } from "./paths.ts";
import type { GuardPlan, InstalledPlan } from "./plan.ts";
import { thisPlatform } from "./platform.ts";
import { realPathReader } from "./real-path.ts";
import type { ShellModule } from "./shell/shell.ts";
import type { World } from "./world.ts";

export interface Machine {
  /**
   * The guard's file as the host named it, made absolute (`process.argv[1]`). Not its real path: where `.claude` is a link
   * into a folder of dotfiles, the project is where the link stands.
   */
  readonly guardFile: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly shell: () => ShellModule;
  /** See `World.redecode`. */
  readonly redecode?: NonNullable<World["redecode"]>;
  /** What a rule may start to find something out. */
  readonly commands?: Required<Pick<World, "succeeds" | "outputOf">>;
}

type Found = ReturnType<typeof findRepository>;

export function machineWorld(plan: GuardPlan, call: ToolCall, machine: Machine): World {
  const platform = thisPlatform();
  const realPath = realPathReader(platform);
  const root = once(() => projectRoot(plan, call, machine));
  const home = once(() => homeFolder(platform, machine.environment));
  const repositoryOf = memoised((path) => findRepository(realPath(path) ?? path));
  const remember = rememberer();
  const tampering = (installed: InstalledPlan): (() => string) => once(() => tamperingOf(installed, slashed(machine.guardFile), world));
  const state = once(() => stateWorld({ plan, call, world, environment: machine.environment }));
  const world: World = {
    platform,
    // Computed when asked for: most calls need none of them, and a guard starts for each call.
    get home() {
      return home();
    },
    get root() {
      return root();
    },
    get today() {
      return localDate(new Date());
    },
    realPath,
    branch: memoised((folder) => readBranch(realPath(folder) ?? folder)),
    worktreeRoot: memoised((path) => worktreeTwin(repositoryOf(root()), repositoryOf(path), realPath(root()) ?? root(), realPath)),
    list: (folder, limit, depth = Infinity) => remember(`list ${limit} ${depth} ${folder}`, () => listFolder(folder, limit, depth)),
    read(path, limit) {
      const real = realPath(path);
      const file = real === undefined ? undefined : readRegular(real, limit);
      return file?.kind === "text" ? file.text : undefined;
    },
    remember,
    shell: machine.shell,
    ...(machine.redecode !== undefined && { redecode: machine.redecode }),
    ...machine.commands,
    ...(plan.installed !== undefined && { tampering: tampering(plan.installed) }),
    marked: memoised((name) => state().marked(name)),
    retries: memoised((rule) => state().retries(rule)),
    projectFile: (path) => readProjectFile(path, root(), realPath),
  };
  return world;
}

/** Bytes of a file that is told to a model. */
const mostTold = 256 * 1024;

/** Fail closed: a link that leads out of the project would tell the model whatever lies there. */
function readProjectFile(path: string, root: string, realPath: World["realPath"]): string | undefined {
  const [real, top] = [realPath(removeDots(`${root}/${path}`)), realPath(root)];
  if (real === undefined || top === undefined || relativeTo(top, real, false) === undefined) return undefined;
  const file = readRegular(real, mostTold);
  return file.kind === "text" ? file.text : undefined;
}

/** Scope project: three levels above the guard (`ROOT/.claude/policyc/guard.cjs`), whatever the folder of the call is. */
function projectRoot(plan: GuardPlan, call: ToolCall, machine: Machine): string {
  if (plan.scope === "project") return parentOf(parentOf(parentOf(slashed(machine.guardFile))));
  const named = plan.rootVariable === undefined ? undefined : machine.environment[plan.rootVariable];
  if (named !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(named)) return removeDots(slashed(named));
  const folder = removeDots(slashed(call.cwd));
  const repository = findRepository(folder);
  return typeof repository === "object" ? repository.top : folder;
}

/**
 * The folder that is to a linked worktree what the root is to the main checkout; also for the main checkout, where the
 * root itself lies in a linked one.
 */
function worktreeTwin(own: Found, other: Found, root: string, realPath: (path: string) => string | undefined): string | undefined {
  if (typeof own !== "object" || typeof other !== "object" || own.top === other.top) return undefined;
  const common = realPath(own.commonFolder);
  if (common === undefined || realPath(other.commonFolder) !== common) return undefined;
  // Fail closed: anybody can write a `.git` file that points here, so the repository must know that worktree too.
  if (other.gitFolder !== other.commonFolder) {
    const back = readRegular(`${other.gitFolder}/gitdir`, 4096);
    if (back.kind !== "text" || realPath(slashed(back.text.trimEnd())) !== realPath(`${other.top}/.git`)) return undefined;
  }
  const inner = relativeTo(own.top, root, false);
  return inner === undefined || inner === "" ? other.top : `${other.top}/${inner}`;
}

function listFolder(folder: string, limit: number, depth: number): readonly string[] | undefined {
  const found: string[] = [];
  const folders = [{ at: removeDots(folder), left: depth }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { at, left } = next;
    if (isUntouchable(at)) return undefined;
    try {
      const entries = opendirSync(at);
      try {
        for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
          if (found.length >= limit) return undefined;
          const path = `${at.replace(/\/$/, "")}/${entry.name}`;
          found.push(path);
          if (left > 1 && entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") folders.push({ at: path, left: left - 1 });
        }
      } finally {
        entries.closeSync();
      }
    } catch (error) {
      if (!isMissing(error)) return undefined;
    }
  }
  return found;
}

/** As the tools of a host expand `~`. Not `os.homedir`: loading that module is a measurable part of a guard's run. */
function homeFolder(platform: Platform, environment: Machine["environment"]): string {
  const home = slashed(environment[platform === "windows" ? "USERPROFILE" : "HOME"] ?? "");
  return /^(?:\/|[A-Z]:\/)/.test(home) ? removeDots(home) : "";
}

function localDate(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function slashed(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/").replace(/^[a-z]:/, (drive) => drive.toUpperCase()) : path;
}

function once<Value>(make: () => Value): () => Value {
  const made = memoised(make);
  return () => made("");
}

function memoised<Value>(make: (key: string) => Value): (key: string) => Value {
  const remember = rememberer();
  return (key) => remember(key, () => make(key));
}

function rememberer(): NonNullable<World["remember"]> {
  const made = new Map<string, unknown>();
  return <Value>(key: string, make: () => Value): Value => {
    if (!made.has(key)) made.set(key, make());
    return made.get(key) as Value;
  };
}
