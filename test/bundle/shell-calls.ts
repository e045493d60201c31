/** Beside the codec of this folder, as every host has it. */
import type { ShellCalls } from "../../src/guard/shell-call.ts";

export const shellCalls: ShellCalls = { events: [], tools: [] };
