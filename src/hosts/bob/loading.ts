/**
 * Bob Shell's own loading rules for `hooks` in a settings file. The schema is strict: one unknown key, empty list or
 * time-out of 0 and every hook of the file is ignored. Sources: the vendor's hooks page, its `configure-hooks` skill
 * (2026-10-06) and a reading of the shipped 2.0.2; where they differ the stricter one counts, except that both names of
 * the handler for addresses pass.
 */
import * as z from "zod";
import type { JsonObject } from "../../guard/call.ts";
import { findFaults, type Fault } from "../settings/fault.ts";

const say = (text: string) => ({ error: (issue: { code: string; input?: unknown }) => (issue.code === "unrecognized_keys" ? "is no key that Bob Shell knows" : issue.input === undefined ? "is missing" : text) });
const text = z.string(say("must be a string"));
const timeout = z.number(say("must be a number of seconds above 0")).positive(say("must be a number of seconds above 0")).optional();
const disabled = z.boolean(say("must be true or false")).optional();
const object = say("must be an object");

const command = z.strictObject({ type: z.literal("command"), command: text, timeout, disabled }, object);
const address = { url: text, timeout, disabled, headers: z.record(z.string(), text, object).optional(), allowedEnvVars: z.array(text, say("must be a list of strings")).optional() };
const handler = z.discriminatedUnion("type", [command, z.strictObject({ type: z.literal("https"), ...address }, object), z.strictObject({ type: z.literal("http"), ...address }, object)], {
  error: (issue) => (issue.code === "invalid_union" ? "must be `command` or `https`" : "must be an object"),
});
const full = <T extends z.ZodType>(item: T) => z.array(item, say("must be a list")).min(1, { error: "is an empty list" });
const groups = full(z.strictObject({ matcher: text.optional(), hooks: full(handler) }, object)).optional();

const settings = z.looseObject({
  hooks: z
    .strictObject({ SessionStart: groups, UserPromptSubmit: groups, PreToolUse: groups, PostToolUse: groups, PreCompact: groups, PostCompact: groups, Stop: groups }, object)
    .optional(),
});

/** One fault for everything the host would not accept. */
export function findSettingsFaults(value: JsonObject): readonly Fault[] {
  return findFaults(settings, value);
}
