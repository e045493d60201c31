/**
 * Mistral Vibe as facts. Sources: its hooks pages, the changelog up to 2.26.0 (2026-10-05) and the packages of 3.0.2
 * (2026-11), whose hook runner is the authority where they differ.
 */
import type { EventKind } from "../../guard/vocabulary.ts";
import type { EffectKind, Host } from "../host.ts";
import { judgeAnswer, judgePayload } from "./contract.ts";
import { layout, layoutIn } from "./layout.ts";
import { mcpPart, mcpTool, player } from "./player.ts";
import { launch, register } from "./register.ts";
import { tools } from "./tools.ts";
import { wire } from "./wire.ts";

const changes = "Vibe can change the arguments of a call and what the model reads after it only";

export const vibe: Host = {
  id: "vibe",
  title: "Mistral Vibe",
  facts: {
    knownFrom: "client 3.0.2, payloads recorded; spellings since 2.15 read",
    limits: [
      // Changelog: 2.21 renamed the events without an alias, and a file that names both loses entries on either.
      "entries are written for 2.21 and later",
      // Hook loader of 2.18.4 and the hooks pages.
      "hooks of a project are read from the folder the client is started in, where that is trusted; `-p` does not ask whether it is",
      // Hook loader: of two entries of one name the first counts, and the project's comes first.
      "a repository can switch off the user's entry by one of the same name, so names hold a hash",
      // Hook runner of 2.26: the calls of a program come one by one, what is refused there fails inside the program.
      "of `run_typescript` the calls inside are seen, but the model is not told why one was refused",
      // Source of 2.18.4: no tool is called for it.
      "`!command` of the person passes by",
      // Changelog 2.25.5.
      "before 2.25.5 the Unified runtime skips hooks in subagents",
      // Recorded on 3.0.2, against the hooks page of 2026-10.
      "3.0.2 does not tell which agent has stopped: `on stop of` a name other than `main` waits for a client that does",
    ],
    // The only three a `hooks.toml` may name since 2.21; no prompt, session or compaction events.
    events: { "before-tool": ["pre_tool"], "after-tool": ["post_tool"], stop: ["post_agent"] },
    eventNames: ["pre_tool", "post_tool", "post_agent"],
    tools,
    mcpTool,
    mcpPart,
    supports,
    lacks: {
      deny: "Vibe can refuse a call and replace what the model reads after it; a turn is sent back with `retry`",
      ask: "Vibe knows no decision that makes it ask; one that it does not know runs the call",
      allow: "Vibe knows no decision that skips its own permission check",
      retry: "Vibe can send an agent back only at the end of a turn",
      set: changes,
      replace: changes,
      redact: changes,
      "tell-model": "Vibe takes text for the model after a tool only",
      permission: "Vibe has no permission strings of the kind that `permission deny` writes",
    },
    anyEvents: ["pre_tool", "post_tool", "post_agent"],
    blockingEvents: ["pre_tool"],
    contextEvents: ["post_tool"],
    closedEvents: {},
    eventsSince: {},
    laterEvents: [],
    // The hooks page of 2026-10 has `agent_name`; 3.0.2 does not send it (recorded 2026-11), so that there only `main` is known.
    stopAgents: "every",
    // The hooks pages: the line beside a refusal is Vibe's own, `Denied tool 'bash'`.
    silentDenials: ["before-tool"],
    // Per turn and over all hooks (hooks page of 2026-10, recorded on 3.0.2); before 2.26 three in a row for each hook.
    retryCap: 3,
    // The hook runner keeps as much of stdout and drops the rest, which then is no JSON.
    outputCap: 1_000_000,
    nativeForward: false,
    // No permission mode and no assistant message in any payload (hook runner, 3.0.2).
    absentFields: ["mode", "prompt", "source", "trigger", "instructions", "summary", "message"],
    payloadFields: { post_agent: ["session_id", "parent_session_id", "transcript_path", "cwd", "hook_event_name", "agent_name"] },
    constantFields: { duration: "Vibe's Unified runtime always sends 0" },
    absentValues: { status: { cancelled: "Vibe's Unified runtime tells of success and failure only" } },
    shellStatus: "Vibe calls a shell command that ran a success, whatever its exit code",
    settingsShape: "tables",
    hookSwitches: [],
    protectedPaths: [
      // Guard and ledger of a build; the hooks of a trusted folder and of a plugin (hooks page of 2.26, client 3.0.2).
      "**/.vibe/policyc/**",
      "**/.vibe/hooks.toml",
      "**/ai.mistral.vibe/hooks.toml",
      // Permissions of tools and switches of the client (documentation of 2.26).
      "**/.vibe/config.toml",
      // Hooks, settings, trusted folders and plugins of the user; its logs are its own affair.
      "~/.vibe/**",
      "!~/.vibe/logs/**",
    ],
    // Both run commands, and one of them types into a shell that is open already.
    shellGaps: Object.fromEntries(["bash", "git_bash", "powershell"].map((tool) => [tool, ["process_start", "process_write"]])),
    // `strict = true` refuses the call on every failure of a tool hook, a time-out included.
    backstop: "strict",
    failures: [
      // The hooks pages: an entry for this event that says `strict` is dropped.
      { events: ["post_agent"], outcome: "goes-on", by: "host", then: "accepts the answer with a warning: there is no `strict` there" },
      // The hook runner of 2.26 and 3.0.2.
      { bound: true, events: ["pre_tool"], outcome: "stops", by: "host", then: "refuses with the cause (`strict`)" },
      { bound: true, events: ["post_tool"], outcome: "stops", by: "host", then: "puts nothing in the place of the output (`strict`)" },
      { bound: false, outcome: "goes-on", by: "host", then: "goes on with a warning, before 2.26 without one" },
    ],
    // 60 s is the client's default; it checks no upper bound, an hour is ours.
    timeout: { most: 3600, least: 10 },
  },
  wire,
  wireModule: "hosts/vibe/wire.ts",
  contract: { judgePayload, judgeAnswer },
  player,
  layout,
  layoutIn,
  register,
  launch,
};

function supports(effect: EffectKind, event: EventKind, hostEvent?: string): boolean {
  const tools = event === "before-tool" || event === "after-tool";
  const has = tools || event === "stop" || event === "host-event";
  switch (effect) {
    case "deny":
      return tools || (event === "host-event" && (hostEvent === undefined || hostEvent === "pre_tool"));
    case "set":
    case "replace":
    case "redact":
      return tools;
    case "tell-model":
      return event === "after-tool" || (event === "host-event" && (hostEvent === undefined || hostEvent === "post_tool"));
    case "retry":
      return event === "stop";
    case "tell-user":
    case "log":
    case "run":
    case "forward":
    case "mark":
      return has;
    case "ask":
    case "allow":
    case "permission":
      return false;
    default:
      return effect satisfies never;
  }
}
