/**
 * Where Mistral Vibe's files lie, by scope. Sources: client 3.0.2, run 2026-11, for project and user; its hooks page of
 * 2026-10 for plugins. It has no managed hooks.
 */
import type { Layout, Scope, Surroundings } from "../host.ts";
import { expectSurroundings } from "../place.ts";

export const layout: Layout = { folder: "", guard: ".vibe/policyc/guard.cjs", settings: ".vibe/hooks.toml", ledger: ".vibe/policyc/installed.json", others: [] };

/** Named after the host, so that one folder can be the plugin of several. */
export const pluginLayout: Layout = { folder: "", guard: "policyc/vibe/guard.cjs", settings: "ai.mistral.vibe/hooks.toml", ledger: "policyc/vibe/installed.json", others: ["plugin.json"] };

/** See `Host.layoutIn`. */
export function layoutIn(scope: Scope, around?: Surroundings): Layout | undefined {
  switch (scope) {
    case "project":
      return layout;
    case "user":
      // A folder of its own: where the home folder is a project, both scopes write below one `.vibe`.
      return { folder: userFolder(expectSurroundings(scope, around)), guard: "policyc/user/guard.cjs", settings: "hooks.toml", ledger: "policyc/user/installed.json", others: [] };
    case "plugin":
      return pluginLayout;
    case "enforced":
      return undefined;
    default:
      return scope satisfies never;
  }
}

function userFolder({ environment, home }: Surroundings): string {
  const named = environment["VIBE_HOME"] ?? "";
  return named === "" ? `${home}/.vibe` : named.replaceAll("\\", "/").replace(/\/+$/, "").replace(/^~(?=\/|$)/, home);
}
