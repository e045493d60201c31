/** Bob Shell's calls of its shell tools, names of 2.x and 1.x. Source: payloads measured on 2.0.2, 2026-10. */
import type { ShellCalls } from "../../guard/shell-call.ts";

export const shellCalls: ShellCalls = { events: ["PreToolUse"], tools: ["execute_command", "run_shell_command"] };
