/** The built `policyc` for tests that run the real thing: built first where a source is newer, then started as a process. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const executable = resolve("dist/policyc.cjs");

/** Path of an up-to-date `dist/policyc.cjs`. */
export function builtExecutable(): string {
  const newest = Math.max(...["src", "grammar", "package.json"].map(newestIn));
  if (!existsSync(executable) || statSync(executable).mtimeMs < newest) execFileSync("npm", ["run", "build"], { stdio: "pipe" });
  return executable;
}

function newestIn(path: string): number {
  const stat = statSync(path);
  return stat.isDirectory() ? Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name)))) : stat.mtimeMs;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly executable?: string;
  /** Start as this user; only where the tests themselves run as root. */
  readonly uid?: number;
}

/** Runs policyc with nothing of the tests' environment but `PATH`, in an empty home. */
export function runPolicyc(words: readonly string[], options: RunOptions): Finished {
  const run = spawnSync(process.execPath, [options.executable ?? executable, ...words], {
    cwd: options.cwd,
    input: options.input ?? "",
    env: { PATH: process.env["PATH"], HOME: options.cwd, ...options.environment },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}
