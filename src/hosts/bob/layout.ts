/**
 * Where Bob Shell's files lie, by scope. Sources: the vendor's hooks page (2026-09) for project and user; for the
 * organisation a reading of the shipped 2.0.2, which nobody has tried. It has no plugins with hooks.
 */
import type { Layout, Scope, Surroundings } from "../host.ts";
import { expectSurroundings } from "../place.ts";

export const layout: Layout = { folder: "", guard: ".bob/policyc/guard.cjs", settings: ".bob/settings.json", ledger: ".bob/policyc/installed.json", others: [] };

/** See `Host.layoutIn`. */
export function layoutIn(scope: Scope, around?: Surroundings): Layout | undefined {
  switch (scope) {
    case "project":
      return layout;
    case "user":
      // The global file has a folder `settings` of its own, the workspace's has none.
      return { folder: `${expectSurroundings(scope, around).home}/.bob`, guard: "policyc/user/guard.cjs", settings: "settings/settings.json", ledger: "policyc/user/installed.json", others: [] };
    case "plugin":
      return undefined;
    case "enforced":
      // The value of the policy `EnforcedHooks`, which an administrator's own tools distribute.
      return { folder: managedFolders[expectSurroundings(scope, around).platform], guard: "policyc/guard.cjs", settings: "policyc/EnforcedHooks.json", ledger: "policyc/installed.json", others: [] };
    default:
      return scope satisfies never;
  }
}

const managedFolders: Readonly<Record<Surroundings["platform"], string>> = {
  linux: "/etc/bob",
  macos: "/Library/Application Support/IBM Bob",
  windows: "C:/ProgramData/IBM/Bob",
};
