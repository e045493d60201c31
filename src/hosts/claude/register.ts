/**
 * Claude Code's part of registering: one group per event in `.claude/settings.json`, in exec form, because a shell would
 * see the project's path and a relative path fails after a `cd`. Sources: client 2.1.332, measured 2026-11-25.
 */
import type { SourceFile } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../guard/call.ts";
import type { HookEntry, Registered, Registration, ToolMatch } from "../host.ts";
import { registerHookGroups, type HookFile } from "../settings/hook-groups.ts";
import { layout } from "./layout.ts";
import { findSettingsFaults, nameLoss } from "./loading.ts";
import { tools } from "./tools.ts";

const { guard: guardPath, settings: settingsPath, ledger: ledgerPath } = layout;

/** The one placeholder the client expands in exec form; `$CLAUDE_PROJECT_DIR` and `~` it does not. */
const guardArgument = "${CLAUDE_PROJECT_DIR}/" + guardPath;

/** Events with tools: on the others the client ignores a matcher or compares it with something else. */
const toolEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "PreSkillShellCommand"];

const hookFile: HookFile = {
  host: "Claude Code",
  settingsPath,
  ledgerPath,
  owns,
  composeGroup,
  findFaults: findSettingsFaults,
  nameLoss,
  refusesEmpty: false,
};

/** See `Host.register`. */
export function register(registration: Registration, existing: SourceFile | undefined, ledger: SourceFile | undefined): Registered {
  return registerHookGroups(hookFile, registration, existing, ledger);
}

/** Node started on our guard and on nothing before it: a wrapper that mentions the guard is somebody else's. */
function owns(handler: JsonObject): boolean {
  const { command, args } = handler;
  if (typeof command !== "string") return false;
  if (args === undefined) return /^node "?\$\{?CLAUDE_PROJECT_DIR\}?"?\/\.claude\/policyc\/guard\.cjs"?(?: \w+)*$/.test(command);
  return /^(?:.*[\\/])?node(?:\.exe)?$/.test(command) && Array.isArray(args) && args[0] === guardArgument;
}

function composeGroup(entry: HookEntry): JsonObject {
  const matcher = toolEvents.includes(entry.event) ? composeMatcher(entry.tools) : undefined;
  return {
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: "command", command: "node", args: [guardArgument, entry.event], timeout: entry.timeout, ...(entry.failClosed && { onFailure: "block" }) }],
  };
}

/**
 * The client takes letters, digits, `_`, `-`, blanks, `,` and `|` as a list of exact names and anything else as an
 * unanchored regular expression, so that `mcp__github` alone matches no tool. Exact names make a list; as soon as one
 * MCP server is among them the whole becomes one anchored expression.
 */
export function composeMatcher(matches: readonly ToolMatch[] | undefined): string | undefined {
  if (!matches || matches.length === 0) return undefined;
  const names = [...new Set(matches.flatMap((match) => (match.kind === "class" ? tools[match.toolClass] : match.kind === "tool" ? [match.name] : [])))];
  const prefixes = [...new Set(matches.flatMap(prefixOf))];
  if (prefixes.length === 0 && names.every((name) => /^[\w-]+$/.test(name))) return names.join("|");
  const exact = names.length > 0 ? [`^(?:${names.map(escapeRegExp).join("|")})$`] : [];
  return [...exact, ...prefixes.map((prefix) => `^${escapeRegExp(prefix)}`)].join("|");
}

function prefixOf(match: ToolMatch): readonly string[] {
  if (match.kind === "mcp") return [`mcp__${match.server.text}${match.server.star ? "" : "__"}`];
  return match.kind === "class" && match.toolClass === "mcp" ? ["mcp__"] : [];
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
