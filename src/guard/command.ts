/**
 * Commands of the project: a text of the policy, given to the system's shell in the project's root with the payload on
 * stdin, comes back as an exit code and an output. Nothing of a call is ever put into the text. What is not done in its
 * time is killed with all it has started.
 */
import type { Ended } from "./asked.ts";
import { loadBuiltin } from "./builtin.ts";
import { errorCode } from "./error-code.ts";

export interface Command {
  readonly text: string;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What it reads; or what this process itself was given. */
  readonly stdin: Uint8Array | "inherited";
  /** Milliseconds. */
  readonly timeout: number;
}

/** Bytes of an output that are kept; a command that prints more is ended there. */
export const mostOutput = 256 * 1024;

/** `output: "kept"` is what it prints on stdout; stderr is nobody's. */
export function runCommand(command: Command, output: "kept" | "dropped"): Ended {
  const { spawnSync } = loadBuiltin("node:child_process");
  const keeps = output === "kept";
  const options = {
    shell: true,
    cwd: command.folder,
    env: command.environment,
    ...(command.stdin === "inherited" ? {} : { input: command.stdin }),
    // A pipe that a background process holds open would be waited for, so there is none where nobody reads it.
    stdio: [command.stdin === "inherited" ? "inherit" : "pipe", keeps ? "pipe" : "ignore", "ignore"] as ("pipe" | "ignore" | "inherit")[],
    timeout: command.timeout,
    killSignal: "SIGKILL" as const,
    maxBuffer: mostOutput,
    windowsHide: true,
    ...ownGroup,
  };
  const { pid, status, signal, error, stdout } = spawnSync(command.text, options);
  const code = error === undefined ? undefined : errorCode(error);
  if (code === "ETIMEDOUT" || code === "ENOBUFS") killGroup(pid);
  const text = keeps ? (stdout ?? Buffer.alloc(0)).toString("utf8", 0, mostOutput) : "";
  // A command need not read its stdin.
  if (status !== null && (error === undefined || code === "EPIPE" || code === "ETIMEDOUT")) return { kind: "ended", exitCode: status, output: text };
  // It did what was asked of it, and what it printed so far is there to be told.
  if (code === "ENOBUFS") return { kind: "ended", exitCode: 0, output: text };
  if (code === "ETIMEDOUT") return { kind: "late" };
  return signal === null ? { kind: "failed", cause: `it could not be started (${code ?? "unknown"})`, started: false } : { kind: "failed", cause: `it was ended by ${signal}`, started: true };
}

/**
 * A process group of its own, so that all of it can be ended. `spawnSync` takes the option too, though only `spawn`
 * documents it. Not on Windows, where it would open a window and groups cannot be killed: there only the shell is.
 */
export const ownGroup: { readonly detached: boolean } = { detached: process.platform !== "win32" };

/** Ends what a command has started and left behind. */
export function killGroup(leader: number): void {
  if (process.platform === "win32" || leader <= 1) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
