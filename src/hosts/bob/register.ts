/**
 * Bob Shell's part of registering: one group per event in `.bob/settings.json`, without a matcher, because the host's
 * tool names are not confirmed and a matcher that misses one is a hole. Source: the vendor's hooks page, 2026-10.
 */
import type { SourceFile } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../guard/call.ts";
import type { HookEntry, Registered, Registration } from "../host.ts";
import { registerHookGroups, type HookFile } from "../settings/hook-groups.ts";
import { layout } from "./layout.ts";
import { findSettingsFaults } from "./loading.ts";

const { guard: guardPath, settings: settingsPath, ledger: ledgerPath } = layout;

const hookFile: HookFile = {
  host: "Bob Shell",
  settingsPath,
  ledgerPath,
  owns,
  composeGroup,
  findFaults: findSettingsFaults,
  nameLoss: () => "every hook of the file",
  refusesEmpty: true,
};

/** See `Host.register`. */
export function register(registration: Registration, existing: SourceFile | undefined, ledger: SourceFile | undefined): Registered {
  return registerHookGroups(hookFile, registration, existing, ledger);
}

/** A line that starts node on our guard and does nothing else: one that only mentions the guard is somebody else's. */
function owns(handler: JsonObject): boolean {
  const { command } = handler;
  return typeof command === "string" && /^node (?:\.\/)?\.bob\/policyc\/guard\.cjs(?: \w+)*(?: \|\| exit \d+)?$/.test(command.trim());
}

/** Valid in `sh` and in `cmd`: no quotes, no blanks in the path. `|| exit 2` refuses where node or the guard is missing. */
function composeGroup(entry: HookEntry): JsonObject {
  return { hooks: [{ type: "command", command: `node ${guardPath} ${entry.event}${entry.failClosed ? " || exit 2" : ""}`, timeout: entry.timeout }] };
}
