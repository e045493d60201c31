/** The built `policyc` for tests that run the real thing: built first where a source is newer, then started as a process. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, statSync } from "node:fs";
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
  /** Become this user; only where the tests themselves run as root. */
  readonly uid?: number;
}

/** Runs policyc with nothing of the tests' environment but `PATH`, in an empty home. */
export function runPolicyc(words: readonly string[], options: RunOptions): Finished {
  const started = options.executable ?? executable;
  const run = spawnSync(process.execPath, options.uid === undefined ? [started, ...words] : ["-e", becoming(options.uid), started, ...words], {
    cwd: options.cwd,
    input: options.input ?? "",
    env: { PATH: process.env["PATH"], HOME: options.cwd, ...options.environment },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

/** Started as ourselves, because Node may lie where nobody else may go. */
function becoming(uid: number): string {
  return `process.setgroups([]); process.setgid(${uid}); process.setuid(${uid}); require(process.argv[1]);`;
}

/** A copy of the built `policyc` below `folder` that every user may run, wherever this checkout lies. */
export function executableForAll(folder: string): string {
  for (const part of ["dist", "stdlib", "package.json"]) cpSync(part, join(folder, part), { recursive: true });
  execFileSync("chmod", ["-R", "a+rX", folder]);
  return join(folder, "dist/policyc.cjs");
}
