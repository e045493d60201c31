/**
 * Bob Shell's tools by portable class, names of 1.x and 2.x. Only `write_file` is on the vendor's hooks page; the others
 * come from its tools page and from measurements on 2.0.2 (2026-08 to 2026-10), which is why no matcher is built on them.
 */
import type { ToolClass } from "../../guard/vocabulary.ts";

export const tools: Readonly<Record<ToolClass, readonly string[]>> = {
  bash: ["execute_command", "run_shell_command"],
  powershell: ["execute_command"],
  write: ["write_file", "write_to_file"],
  edit: ["apply_diff", "search_and_replace", "insert_content"],
  read: ["read_file"],
  search: ["grep", "glob", "search_files", "list_files"],
  fetch: ["web_fetch"],
  websearch: [],
  agent: ["spawn_subagent", "start_subtask", "new_task"],
  mcp: [],
};
