/**
 * Claude Code's own loading rules for a settings file: what makes the client drop the file or an entry, whoever wrote it.
 * Source: client 2.1.332, each rule tried there 2026-11-30, and the type declarations of its SDK.
 */
import type { JsonObject } from "../../guard/call.ts";
import { showPath, type Fault } from "../settings/fault.ts";
import { byType, flag, list, maybe, must, object, oneOf, record, seconds, text, type Shape } from "../settings/shape.ts";

const texts = list(text, "must be a list of strings");
const someObject = object({});

const common = {
  /** Seconds. `0` and strings are refused (measured). */
  timeout: maybe(seconds),
  if: maybe(text),
  once: maybe(flag),
  statusMessage: maybe(text),
};
const onFailure = maybe(oneOf(["continue", "block"], "must be `continue` or `block`"));
const handler = byType(
  {
    command: object({ command: text, args: maybe(texts), shell: maybe(oneOf(["bash", "powershell"], "must be `bash` or `powershell`")), async: maybe(flag), asyncRewake: maybe(flag), onFailure, ...common }),
    prompt: object({ prompt: text, model: maybe(text), continueOnBlock: maybe(flag), ...common }),
    agent: object({ prompt: text, model: maybe(text), ...common }),
    http: object({ url: must((value) => typeof value === "string" && URL.canParse(value.trim()), "must be an address"), headers: maybe(record(text)), allowedEnvVars: maybe(texts), onFailure, ...common }),
    mcp_tool: object({ server: text, tool: text, ...common }),
  },
  "must be `command`, `prompt`, `agent`, `http` or `mcp_tool`",
);
const group = object({ matcher: maybe(text), hooks: list(handler) });
const modes = ["default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"];
const rules = maybe(list(must((value) => typeof value === "string", "is no rule, because it is no string"), "must be a list of strings"));
const mode = maybe(oneOf(modes, `must be one of ${modes.map((name) => `\`${name}\``).join(" ")}`));

/** Settings that have nothing to do with hooks: one of the wrong type and the client drops the whole file all the same. */
const others = {
  ...optional(text, ["$schema", "agent", "apiKeyHelper", "awsAuthRefresh", "language", "model", "otelHeadersHelper", "outputStyle", "plansDirectory"]),
  ...optional(flag, ["alwaysThinkingEnabled", "autoMemoryEnabled", "enableAllProjectMcpServers", "fastMode", "includeCoAuthoredBy", "includeGitInstructions", "respectGitignore", "skipDangerousModePermissionPrompt", "spinnerTipsEnabled"]),
  ...optional(texts, ["allowedHttpHookUrls", "availableModels", "companyAnnouncements"]),
  ...optional(someObject, ["attribution", "enabledPlugins", "env", "fileSuggestion", "modelOverrides", "sandbox", "statusLine", "worktree"]),
  ...optional(must((value) => Number.isSafeInteger(value) && Number(value) > 0, "must be a whole number above 0"), ["cleanupPeriodDays"]),
};

function optional(shape: Shape, names: readonly string[]): Record<string, Shape> {
  return Object.fromEntries(names.map((name) => [name, maybe(shape)]));
}

const settings = object({
  ...others,
  hooks: maybe(record(list(group))),
  permissions: maybe(object({ deny: rules, ask: rules, allow: rules, additionalDirectories: maybe(texts), defaultMode: mode, disableBypassPermissionsMode: maybe(oneOf(["disable"], "must be `disable`")) })),
  // A switch in this very file that keeps every hook of it from running protects nobody.
  disableAllHooks: maybe(oneOf([false], "is set, and no hook runs while it is")),
});

/** One fault for everything the client would not accept. */
export function findSettingsFaults(value: JsonObject): readonly Fault[] {
  return settings(value, []);
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
