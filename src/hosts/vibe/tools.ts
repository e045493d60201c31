/**
 * Mistral Vibe's tools by portable class, short names: a matcher is tested against the full name, its last part and the
 * underscored form, so that `file_system.bash` is `bash` too. Source: Vibe 2.26.0 (2026-10-05) and its hooks page;
 * `open_url` belongs to the connector `connector_web_search` of 3.0.2 (2026-11).
 */
import type { ToolClass } from "../../guard/vocabulary.ts";

export const tools: Readonly<Record<ToolClass, readonly string[]>> = {
  bash: ["bash", "git_bash", "process_start", "process_write"],
  powershell: ["powershell"],
  write: ["write_file"],
  edit: ["edit", "search_replace"],
  read: ["read_file"],
  search: ["grep"],
  fetch: ["web_fetch", "open_url"],
  websearch: ["web_search"],
  agent: ["agents_spawn", "agent_spawn", "task"],
  mcp: [],
};
