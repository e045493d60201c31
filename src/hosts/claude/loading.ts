/**
 * Claude Code's own loading rules for a settings file: what makes the client drop the file or an entry, whoever wrote it.
 * Source: client 2.1.332, each rule tried there 2026-11-30, and the type declarations of its SDK.
 */
import * as z from "zod";
import type { JsonObject } from "../../guard/call.ts";
import { findFaults, showPath, type Fault } from "../settings/fault.ts";

const say = (text: string) => ({ error: (issue: { input?: unknown }) => (issue.input === undefined ? "is missing" : text) });
const text = z.string(say("must be a string"));
const flag = z.boolean(say("must be true or false"));
const texts = z.array(text, say("must be a list of strings"));
const object = say("must be an object");
const someObject = z.looseObject({}, object);
const days = say("must be a whole number above 0");

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
    z.looseObject({ type: z.literal("http"), url: z.url(say("must be an address")), headers: z.record(z.string(), text, object).optional(), allowedEnvVars: texts.optional(), onFailure, ...common }),
    z.looseObject({ type: z.literal("mcp_tool"), server: text, tool: text, ...common }),
  ],
  { error: (issue) => (issue.code === "invalid_union" ? "must be `command`, `prompt`, `agent`, `http` or `mcp_tool`" : "must be an object") },
);
const group = z.looseObject({ matcher: text.optional(), hooks: z.array(handler, say("must be a list")) }, object);
const modes = ["default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"] as const;
const rules = z.array(z.string(say("is no rule, because it is no string")), say("must be a list of strings")).optional();
const mode = z.enum(modes, say(`must be one of ${modes.map((name) => `\`${name}\``).join(" ")}`)).optional();

/** Settings that have nothing to do with hooks: one of the wrong type and the client drops the whole file all the same. */
const others = {
  ...optional(text, ["$schema", "agent", "apiKeyHelper", "awsAuthRefresh", "language", "model", "otelHeadersHelper", "outputStyle", "plansDirectory"]),
  ...optional(flag, ["alwaysThinkingEnabled", "autoMemoryEnabled", "enableAllProjectMcpServers", "fastMode", "includeCoAuthoredBy", "includeGitInstructions", "respectGitignore", "skipDangerousModePermissionPrompt", "spinnerTipsEnabled"]),
  ...optional(texts, ["allowedHttpHookUrls", "availableModels", "companyAnnouncements"]),
  ...optional(someObject, ["attribution", "enabledPlugins", "env", "fileSuggestion", "modelOverrides", "sandbox", "statusLine", "worktree"]),
  ...optional(z.int(days).positive(days), ["cleanupPeriodDays"]),
};

function optional(type: z.ZodType, names: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((name) => [name, type.optional()]));
}

const settings = z.looseObject({
  ...others,
  hooks: z.record(z.string(), z.array(group, say("must be a list")), object).optional(),
  permissions: z
    .looseObject({ deny: rules, ask: rules, allow: rules, additionalDirectories: texts.optional(), defaultMode: mode, disableBypassPermissionsMode: z.literal("disable", say("must be `disable`")).optional() }, object)
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
  if (path[0] === "permissions" && path.length === 3 && ["deny", "ask", "allow"].includes(path[1] as string)) return `\`${showPath(path)}\``;
  if (path[0] !== "hooks" || path.length < 2 || fatal.includes(path[1] as string)) return "the whole file";
  return `\`${showPath(path.slice(0, 3))}\``;
}
