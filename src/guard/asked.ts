/**
 * Commands that a decision asks for. A decision runs under a deadline that a command of its own must not use up, so it is
 * left where it asks, the command is run outside, and the decision made anew with what is known by then: it changes
 * nothing and comes to the same question with the answer at hand.
 */
import { allowance, mostPatience } from "./budget.ts";
import type { RulePlan } from "./plan.ts";
import type { Truth, World } from "./world.ts";

export type Asking = "exit code" | "output";

/** Thrown out of a decision; caught by whoever runs it, never by the decision. */
export class CommandNeeded extends Error {
  override readonly name = "CommandNeeded";
  readonly asking: Asking;
  readonly command: string;
  readonly timeout: number;
  constructor(asking: Asking, command: string, timeout: number) {
    super("a decision waits for a command");
    this.asking = asking;
    this.command = command;
    this.timeout = timeout;
  }
}

export type Ended =
  | { readonly kind: "ended"; readonly exitCode: number; readonly output: string }
  /** Its time was over. */
  | { readonly kind: "late" }
  /** Never began, or was ended by a signal. */
  | { readonly kind: "failed"; readonly cause: string; readonly started: boolean };

export interface AskedCommands {
  readonly world: Required<Pick<World, "succeeds" | "outputOf">>;
  /** Keeps how the command ended, and after how many milliseconds, for the next time. */
  answer(needed: CommandNeeded, end: Ended, took: number): void;
}

/** `concerned` are the rules that are about the call: they share a command, and the most patient one says how long it may take. */
export function askedCommands(concerned: () => readonly RulePlan[]): AskedCommands {
  const known = new Map<string, { readonly end: Ended; readonly took: number }>();
  const ask = (asking: Asking, command: string, timeout: number): Ended => {
    const most = asking === "output" ? timeout : mostPatience(concerned(), command, timeout);
    const found = known.get(`${asking} ${most} ${command}`);
    if (found === undefined) throw new CommandNeeded(asking, command, most);
    // A rule with less patience than another one would not have waited.
    return found.took > timeout && found.end.kind === "ended" ? { kind: "late" } : found.end;
  };
  return {
    world: {
      succeeds: (command, timeout) => succeeded(command, allowance(timeout), ask("exit code", command, allowance(timeout))),
      outputOf(command, timeout) {
        const end = ask("output", command, allowance(timeout));
        return end.kind === "ended" && end.exitCode === 0 ? end.output : undefined;
      },
    },
    answer({ asking, command, timeout }, end, took) {
      known.set(`${asking} ${timeout} ${command}`, { end, took });
    },
  };
}

/** For guards that start nothing: what a command would say is unknown. */
export function dryCommands(): AskedCommands["world"] {
  return {
    succeeds: (command) => ({ doubt: `\`${command}\` is not started in a dry run` }),
    outputOf: () => undefined,
  };
}

function succeeded(command: string, timeout: number, end: Ended): Truth {
  if (end.kind === "ended") return end.exitCode === 0;
  if (end.kind === "late") return { doubt: `\`${command}\` took longer than ${timeout} ms` };
  // What a signal has ended has not succeeded; what never began has said nothing.
  return end.started ? false : { doubt: `\`${command}\` did not run: ${end.cause}` };
}
