/**
 * Guards as processes: a guard's file, or the command of a hook entry, is started the way its host does it, with a payload
 * on stdin, and how it ended comes out. Nothing of our environment goes along that could change how Node runs.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { delimiter, dirname } from "node:path";
import type { GuardPlan } from "../guard/plan.ts";
import type { Launch } from "../hosts/host.ts";

export interface GuardRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True where it was killed because it did not end. */
  readonly late: boolean;
}

export type StartGuard = (event: string, stdin: string) => Promise<GuardRun>;

interface Started {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly stdin: string;
  /** Milliseconds until it is killed. */
  readonly patience: number;
}

/** Milliseconds after which a guard counts as hanging: its deadline and what starting Node may take on a busy machine. */
export function patienceOf({ deadline }: Pick<GuardPlan, "deadline">): number {
  return deadline + 10_000;
}

/** Of our environment what every process needs; `home` stands in for the person's. */
export function guardEnvironment(home?: string): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP", "LANG", "XDG_STATE_HOME", "LOCALAPPDATA"];
  const own = Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  if (home === undefined) return own;
  return { ...own, HOME: home, USERPROFILE: home, XDG_STATE_HOME: `${home}/state`, LOCALAPPDATA: `${home}/state` };
}

/** Starts a guard's file, always dry. */
export function guardStarter(guardPath: string, plan: GuardPlan, cwd: string, home?: string): StartGuard {
  const environment = guardEnvironment(home);
  return (event, stdin) => runToEnd([process.execPath, guardPath, event, "dry"], false, { cwd, environment, stdin, patience: patienceOf(plan) });
}

/** Starts what a hook entry starts. Its `node` is the one that runs this. */
export function startLaunch(launch: Launch, started: Started): Promise<GuardRun> {
  const environment = { ...started.environment, PATH: [dirname(process.execPath), started.environment["PATH"] ?? ""].join(delimiter) };
  return launch.kind === "words" ? runToEnd(launch.words, false, { ...started, environment }) : runToEnd([launch.line], true, { ...started, environment });
}

function runToEnd([command, ...args]: readonly [string, ...string[]], shell: boolean, { cwd, environment, stdin, patience }: Started): Promise<GuardRun> {
  return new Promise((resolve, reject) => {
    // A group of its own: killing a shell alone would leave what it started, and our pipes open.
    const grouped = shell && process.platform !== "win32";
    const child = spawn(command, args, { cwd, env: environment, stdio: "pipe", shell, detached: grouped, windowsHide: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (grouped && child.pid !== undefined) killGroup(child.pid);
      else child.kill("SIGKILL");
    }, patience);
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    // A guard that ends before it has read everything closes the pipe; what it answered is what counts.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString("utf8"), stderr: Buffer.concat(stderr).toString("utf8"), late });
    });
    child.stdin.end(stdin);
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}

/** At most as many at once as the machine has processors, results in order. */
export async function inParallel<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 8) }, worker));
  return results;
}
