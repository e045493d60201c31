/**
 * Claude Code's own loading rules for a settings file: what makes the client drop the file or an entry, whoever wrote it.
 * Source: client 2.1.332 and the type declarations of its SDK, 2026-11-25.
 */
import { z } from "zod";
import type { JsonObject } from "../../guard/call.ts";
import { findFaults, showPath, type Fault } from "../settings/fault.ts";

const say = (text: string) => ({ error: (issue: { input?: unknown }) => (issue.input === undefined ? "is missing" : text) });
const text = z.string(say("must be a string"));
const flag = z.boolean(say("must be true or false"));
const texts = z.array(text, say("must be a list of strings"));
const object = say("must be an object");

const common = {
  /** Seconds. `0` and strings are refused (measured). */
  timeout: z.number(say("must be a number of seconds above 0")).positive(say("must be a number of seconds above 0")).optional(),
  if: text.optional(),
  once: flag.optional(),
  statusMessage: text.optional(),
};
const onFailure = z.enum(["continue", "block"], say("must be `continue` or `block`")).optional();
const handler = z.discriminatedUnion(
  "type",
  [
    z.looseObject({ type: z.literal("command"), command: text, args: texts.optional(), shell: z.enum(["bash", "powershell"], say("must be `bash` or `powershell`")).optional(), async: flag.optional(), asyncRewake: flag.optional(), onFailure, ...common }),
    z.looseObject({ type: z.literal("prompt"), prompt: text, model: text.optional(), continueOnBlock: flag.optional(), ...common }),
    z.looseObject({ type: z.literal("agent"), prompt: text, model: text.optional(), ...common }),
    z.looseObject({ type: z.literal("http"), url: text, onFailure, ...common }),
    z.looseObject({ type: z.literal("mcp_tool"), server: text, tool: text, ...common }),
  ],
  { error: (issue) => (issue.code === "invalid_union" ? "must be `command`, `prompt`, `agent`, `http` or `mcp_tool`" : "must be an object") },
);
const group = z.looseObject({ matcher: text.optional(), hooks: z.array(handler, say("must be a list")) }, object);
const modes = ["default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"] as const;
const settings = z.looseObject({
  hooks: z.record(z.string(), z.array(group, say("must be a list")), object).optional(),
  permissions: z
    .looseObject({ deny: texts.optional(), ask: texts.optional(), allow: texts.optional(), defaultMode: z.enum(modes, say(`must be one of ${modes.map((mode) => `\`${mode}\``).join(" ")}`)).optional() }, object)
    .optional(),
  // A switch in this very file that keeps every hook of it from running protects nobody.
  disableAllHooks: z.literal(false, say("is set, and no hook runs while it is")).optional(),
});

/** One fault for everything the client would not accept. */
export function findSettingsFaults(value: JsonObject): readonly Fault[] {
  return findFaults(settings, value);
}

/** Events whose entries guard calls: a bad one takes the whole file with it (measured); of other events only itself. */
const fatal = ["PreToolUse", "PermissionRequest"];

/** What the client drops because of the fault. */
export function nameLoss({ path }: Fault): string {
  if (path[0] === "disableAllHooks") return "every hook of the file";
  if (path[0] !== "hooks" || path.length < 2 || fatal.includes(path[1] as string)) return "the whole file";
  return `\`${showPath(path.slice(0, 3))}\``;
}
