/**
 * What a guard starts and does not wait for, or waits for from outside: a second process of the guard's own file, which
 * makes one request or minds one command, and ends both in time. A refusal is out before it begins.
 */
import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs";
import { loadBuiltin } from "./builtin.ts";
import { ownGroup, runCommand } from "./command.ts";
import type { Command } from "./command.ts";
import { errorCode } from "./error-code.ts";
import { jobArgument } from "./job-argument.ts";
import { post } from "./forward.ts";
import type { Post } from "./forward.ts";

export type Job = ({ readonly kind: "forward" } & Post) | { readonly kind: "run"; readonly text: string; readonly folder: string; readonly timeout: number };

/** Holds the job: other users can read a command line, not an environment. */
const jobVariable = "POLICYC_JOB";

export interface JobHost {
  /** The guard's file. */
  readonly guardFile: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Makes the request in a process that is ended when its time is over; the outcome as with `post`. */
export function postOutside(job: Post, host: JobHost): string | undefined {
  const { spawnSync } = loadBuiltin("node:child_process");
  const { status, stderr, error } = spawnSync(process.execPath, [host.guardFile, jobArgument()], {
    env: withJob(host, { kind: "forward", ...job }),
    stdio: ["ignore", "ignore", "pipe"],
    timeout: job.timeout,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  if (error !== undefined) return errorCode(error) === "ETIMEDOUT" ? `there was no answer within ${job.timeout} ms` : `the request could not be started (${errorCode(error) ?? "unknown"})`;
  return status === 0 ? undefined : stderr.toString("utf8").trim().slice(0, 200) || "the request failed";
}

/** Starts the job and leaves it alone; `stdin` is what its command reads. */
export function startJob(job: Job, host: JobHost, stdin: Uint8Array): string | undefined {
  const { spawn } = loadBuiltin("node:child_process");
  let file: number | undefined;
  try {
    // A pipe would have to be filled by this process, which is to end now.
    file = unnamedFile(stdin);
    const child = spawn(process.execPath, [host.guardFile, jobArgument()], { ...ownGroup, env: withJob(host, job), stdio: [file, "ignore", "ignore"], windowsHide: true });
    // Not to be started is told by an event, which would end this process with 1 if nobody listened.
    child.on("error", () => undefined);
    child.unref();
    return child.pid === undefined ? "it could not be started" : undefined;
  } catch (error) {
    return `it could not be started (${errorCode(error) ?? "unknown"})`;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The other side: does the job this process was started for. Ends with 2 and words on stderr where it fails. */
export function doJob(environment: NodeJS.ProcessEnv): void {
  // Fail closed: a hook entry that starts a guard so has no job for it, and 2 is what stops hosts.
  process.exitCode = 2;
  const job = JSON.parse(environment[jobVariable] ?? "null") as Job | null;
  delete environment[jobVariable];
  if (job === null) return;
  switch (job.kind) {
    case "forward":
      void post(job)
        .catch(() => "the request could not be made")
        .then((cause) => {
          if (cause === undefined) process.exitCode = 0;
          else writeSync(2, cause);
        });
      return;
    case "run": {
      const command: Command = { ...job, environment, stdin: "inherited" };
      if (runCommand(command, "dropped").kind === "ended") process.exitCode = 0;
      return;
    }
    default:
      job satisfies never;
  }
}

function withJob(host: JobHost, job: Job): NodeJS.ProcessEnv {
  return { ...host.environment, [jobVariable]: JSON.stringify(job) };
}

/** An open file that no other process finds, filled and at its beginning. */
function unnamedFile(bytes: Uint8Array): number {
  const { tmpdir } = loadBuiltin("node:os");
  const path = `${tmpdir()}/policyc-${process.pid}-${loadBuiltin("node:crypto").randomBytes(12).toString("hex")}`;
  const writer = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(writer, bytes, done);
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } finally {
    closeSync(writer);
    unlinkSync(path);
  }
}
