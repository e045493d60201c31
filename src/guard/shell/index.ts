/**
 * The shell model as the guard loads it: one compiled piece that holds the Bash parser, so that a guard without a
 * command to look at never pays for it.
 */
import { createShellModule } from "./judge.ts";
import type { ShellModule } from "./shell.ts";

export const shellModule: ShellModule = createShellModule();

/** The same for those who load it when they first need it. */
export function loadShell(): ShellModule {
  return shellModule;
}
