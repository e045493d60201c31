/** Claude Code's calls of its Bash tool. Source: client 2.1.332, 2026-11-25. */
import type { ShellCalls } from "../../guard/shell-call.ts";

export const shellCalls: ShellCalls = { events: ["PreToolUse"], tools: ["Bash"] };
