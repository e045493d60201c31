/**
 * What a decision may ask about the machine. The guard gives the real one, examples a scratch world without a disk, so
 * that one `decide` serves guard, test and explain.
 */
import type { JsonObject, Platform, ToolCall } from "./call.ts";
import type { ShellModule } from "./shell/shell.ts";

export interface World {
  readonly platform: Platform;
  /** Absolute; `""` where unknown. */
  readonly home: string;
  /** The project root (LANGUAGE.md 3.7), absolute. */
  readonly root: string;
  /** `YYYY-MM-DD`, local. */
  readonly today: string;
  /** An absolute path (`..` still in it, perhaps) with its longest existing prefix resolved through symlinks; `undefined` where that cannot be known (doubt). */
  realPath(path: string): string | undefined;
  /** The branch checked out in the folder's repository; `""` when detached or none, `undefined` where that cannot be known (doubt). */
  branch(folder: string): string | undefined;
  /** The project root's twin in the linked worktree of this project's repository that holds the path, if it is in one. */
  worktreeRoot(path: string): string | undefined;
  /**
   * Absolute paths below a folder, `depth` levels deep or all (skips node_modules and .git, follows no link), `undefined`
   * past `limit` entries; `[]` where there is no disk.
   */
  list(folder: string, limit: number, depth?: number): readonly string[] | undefined;
  /** A regular file's text, if it has at most `limit` bytes; `undefined` otherwise. */
  read(path: string, limit: number): string | undefined;
  /** What `make` made for this key before, for one call: many rules ask the same of one path. Absent: nothing is remembered. */
  remember?<Value>(key: string, make: () => Value): Value;
  /**
   * The call as the host would send it with these arguments (`wire.withInput`, decoded). Needed where a rule changes some.
   * @throws MalformedPayload where that is nothing the host could send
   */
  redecode?(input: JsonObject): ToolCall;
  /** Exit code 0 of a command of the project; a doubt where it takes longer than `timeout` milliseconds. Absent: nobody may start it. */
  succeeds?(command: string, timeout: number | undefined): Truth;
  /** What a command of the project prints; `undefined` where it fails or takes too long. Absent: nobody may start it. */
  outputOf?(command: string, timeout: number | undefined): string | undefined;
  /** What is not as it was built in the settings that start this guard, in words; `""` where everything is. Absent: nobody looks. */
  tampering?(): string;
  /** A mark of the session. Absent: none is set. */
  marked?(name: string): Truth;
  /** How often in a row the rule has sent this agent back. Absent: never. */
  retries?(rule: string): number;
  /** A regular file below the project root; `undefined` where it cannot be read. Absent: there is no disk. */
  projectFile?(path: string): string | undefined;
  /** The shell model; loaded on first use because its parser costs start-up time. */
  shell(): ShellModule;
}

/** Three-valued truth: a doubt carries its cause in words. */
export type Truth = boolean | Doubt;
export interface Doubt {
  readonly doubt: string;
}

/** Wide where a match restricts, narrow where it relaxes (LANGUAGE.md 3.5). Flips under `not`. */
export type Position = "wide" | "narrow";
