/**
 * Where Claude Code's files lie, by scope. Sources: client 2.1.332, run 2026-11-25, for project, user and plugin; its
 * settings page of the same month for managed settings.
 */
import type { Layout, Scope, Surroundings } from "../host.ts";
import { expectSurroundings } from "../place.ts";

export const layout: Layout = { folder: "", guard: ".claude/policyc/guard.cjs", settings: ".claude/settings.json", ledger: ".claude/policyc/installed.json", others: [] };

/** Named after the host, so that one folder can be the plugin of several. */
export const pluginLayout: Layout = { folder: "", guard: "policyc/claude/guard.cjs", settings: "hooks/hooks.json", ledger: "policyc/claude/installed.json", others: [".claude-plugin/plugin.json"] };

/** See `Host.layoutIn`. */
export function layoutIn(scope: Scope, around?: Surroundings): Layout {
  switch (scope) {
    case "project":
      return layout;
    case "user":
      // A folder of its own: where the home folder is a project, both scopes write below one `.claude`.
      return { folder: userFolder(expectSurroundings(scope, around)), guard: "policyc/user/guard.cjs", settings: "settings.json", ledger: "policyc/user/installed.json", others: [] };
    case "plugin":
      return pluginLayout;
    case "enforced":
      return { folder: managedFolders[expectSurroundings(scope, around).platform], guard: "policyc/guard.cjs", settings: "managed-settings.json", ledger: "policyc/installed.json", others: [] };
    default:
      return scope satisfies never;
  }
}

function userFolder({ environment, home }: Surroundings): string {
  const named = environment["CLAUDE_CONFIG_DIR"] ?? "";
  return named === "" ? `${home}/.claude` : named.replaceAll("\\", "/").replace(/\/+$/, "");
}

const managedFolders: Readonly<Record<Surroundings["platform"], string>> = {
  linux: "/etc/claude-code",
  macos: "/Library/Application Support/ClaudeCode",
  windows: "C:/Program Files/ClaudeCode",
};
