/** Vibe's calls of its Bash tool under the names since 2.25 and before. Source: payloads recorded on 3.0.2, 2026-11. */
import type { ShellCalls } from "../../guard/shell-call.ts";

export const shellCalls: ShellCalls = { events: ["pre_tool", "before_tool"], tools: ["file_system.bash", "bash"] };
