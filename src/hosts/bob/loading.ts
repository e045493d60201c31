/**
 * Bob Shell's own loading rules for `hooks` in a settings file. The schema is strict: one unknown key, empty list or
 * time-out of 0 and every hook of the file is ignored. Sources: the vendor's hooks page, its `configure-hooks` skill
 * (2026-10-06) and a reading of the shipped 2.0.2; where they differ the stricter one counts, except that both names of
 * the handler for addresses pass.
 */
import type { JsonObject } from "../../guard/call.ts";
import type { Fault } from "../settings/fault.ts";
import { byType, flag, list, maybe, object, record, seconds, text } from "../settings/shape.ts";

const strict = { unknown: "is no key that Bob Shell knows" };
const type = () => [];

const common = { timeout: maybe(seconds), disabled: maybe(flag) };
const address = object({ type, url: text, ...common, headers: maybe(record(text)), allowedEnvVars: maybe(list(text, "must be a list of strings")) }, strict);
const handler = byType({ command: object({ type, command: text, ...common }, strict), https: address, http: address }, "must be `command` or `https`");
const groups = maybe(list(object({ matcher: maybe(text), hooks: list(handler, "must be a list", "is an empty list") }, strict), "must be a list", "is an empty list"));

const settings = object({
  hooks: maybe(object({ SessionStart: groups, UserPromptSubmit: groups, PreToolUse: groups, PostToolUse: groups, PreCompact: groups, PostCompact: groups, Stop: groups }, strict)),
});

/** One fault for everything the host would not accept. */
export function findSettingsFaults(value: JsonObject): readonly Fault[] {
  return settings(value, []);
}
