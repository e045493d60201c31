/**
 * Claude Code's part of registering: one group per event in its settings, in exec form, because a shell would see the
 * project's path and a relative path fails after a `cd`. Sources: client 2.1.332, measured 2026-11-25.
 */
import type { Diagnostic, SourceFile } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { JsonObject } from "../../guard/call.ts";
import type { HookEntry, Launch, Layout, Registered, Registration, ToolMatch } from "../host.ts";
import { expectSurroundings, placeIn } from "../place.ts";
import { guardWords, startsGuard } from "../settings/command-line.ts";
import { registerHookGroups, type HookFile } from "../settings/hook-groups.ts";
import { layout, layoutIn, pluginLayout } from "./layout.ts";
import { findSettingsFaults, nameLoss } from "./loading.ts";
import { tools } from "./tools.ts";

/** Events with tools: on the others the client ignores a matcher or compares it with something else. */
const toolEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "PreSkillShellCommand"];

/** See `Host.register`. */
export function register(registration: Registration, existing: SourceFile | undefined, ledger: SourceFile | undefined): Registered {
  const { scope, denials } = registration;
  if (scope !== "plugin") return registerHookGroups(hookFileOf(registration), registration, existing, ledger);
  const registered = registerHookGroups(hookFileOf(registration), { ...registration, denials: [] }, existing, ledger);
  const lost = denials.length > 0 ? [noteDenials(denials)] : [];
  return { ...registered, others: [registration.entries.length > 0 ? composeManifest(registration.policy) : undefined], diagnostics: [...registered.diagnostics, ...lost] };
}

/** See `Host.launch`. The client puts the project's folder in the place of its placeholder, whatever blanks are in it. */
export function launch({ event }: HookEntry, root: string): Launch {
  const [command, ...args] = throughPlaceholder("CLAUDE_PROJECT_DIR", layout).words(event);
  return { kind: "words", words: [command, ...args.map((word) => word.replaceAll("${CLAUDE_PROJECT_DIR}", () => root))] };
}

function noteDenials(denials: readonly string[]): Diagnostic {
  return diagnose("settings/no-permissions", { host: "Claude Code" }, { notes: denials.map((denial) => `left out: \`${denial}\``) });
}

function hookFileOf(registration: Registration): HookFile {
  const starting = startingOf(registration);
  return { host: "Claude Code", layout: starting.layout, owns: starting.owns, composeGroup: (entry) => composeGroup(entry, starting.words(entry.event)), findFaults: findSettingsFaults, nameLoss, readsMark: true, refusesEmpty: false };
}

/** How the guard of a scope is started, and how one that starts it is told from people's own. */
interface Starting {
  readonly layout: Layout;
  words(event: string): readonly [string, ...string[]];
  owns(handler: JsonObject): boolean;
}

/** The placeholders are those the client expands in exec form; `$CLAUDE_PROJECT_DIR` and `~` it does not. */
function startingOf({ scope, around }: Registration): Starting {
  switch (scope) {
    case "project":
      return throughPlaceholder("CLAUDE_PROJECT_DIR", layout);
    case "plugin":
      return throughPlaceholder("CLAUDE_PLUGIN_ROOT", pluginLayout);
    case "user":
    case "enforced": {
      const surroundings = expectSurroundings(scope, around);
      const own = layoutIn(scope, surroundings);
      const guard = placeIn(own, own.guard);
      return { layout: own, words: (event) => guardWords(guard, event, surroundings), owns: ({ command, args }) => typeof command === "string" && isTexts(args) && startsGuard([command, ...args], guard) };
    }
    default:
      return scope satisfies never;
  }
}

function throughPlaceholder(variable: string, own: Layout): Starting {
  const guard = `\${${variable}}/${own.guard}`;
  return { layout: own, words: (event) => ["node", guard, event], owns: (handler) => ownsPlaced(handler, variable, own.guard) };
}

/** Node started on our guard and on nothing before it: a wrapper that mentions the guard is somebody else's. */
function ownsPlaced({ command, args }: JsonObject, variable: string, guard: string): boolean {
  if (typeof command !== "string") return false;
  if (args === undefined) return new RegExp(`^node "?\\$\\{?${variable}\\}?"?/${escapeRegExp(guard)}"?(?: \\w+)*$`).test(command);
  return /^(?:.*[\\/])?node(?:\.exe)?$/.test(command) && Array.isArray(args) && args[0] === `\${${variable}}/${guard}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function composeGroup(entry: HookEntry, [command, ...args]: readonly [string, ...string[]]): JsonObject {
  const matcher = toolEvents.includes(entry.event) ? composeMatcher(entry.tools) : undefined;
  return {
    ...(matcher !== undefined && { matcher }),
    hooks: [{ type: "command", command, args, timeout: entry.timeout, ...(entry.failClosed && { onFailure: "block" }) }],
  };
}

/** `.claude-plugin/plugin.json`: only the name is required, lower case with hyphens (plugin validation of client 2.1.332). */
function composeManifest(policy: string): string {
  const name = `policyc-${policy.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "guard"}`.slice(0, 64).replace(/-+$/, "");
  return `${JSON.stringify({ name, version: "1.0.0", description: `Guards of the policy ${policy}, generated by policyc; do not edit.` }, undefined, 2)}\n`;
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
