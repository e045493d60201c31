/**
 * Claude Code's tools by portable class. Source: `sdk-tools.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.332 and client
 * 2.1.332, 2026-11-25; `MultiEdit` and `Task` are names of older clients, harmless in a list.
 */
import type { ToolClass } from "../../guard/vocabulary.ts";

export const tools: Readonly<Record<ToolClass, readonly string[]>> = {
  bash: ["Bash", "Monitor"],
  powershell: ["PowerShell"],
  write: ["Write"],
  edit: ["Edit", "MultiEdit", "NotebookEdit"],
  read: ["Read"],
  search: ["Grep", "Glob"],
  fetch: ["WebFetch"],
  websearch: ["WebSearch"],
  agent: ["Agent", "Task"],
  mcp: [],
};
