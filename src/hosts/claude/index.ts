/**
 * Claude Code as facts. Unless another date stands beside one, the source is client 2.1.332 (npm, 2026-11-25), run
 * against a loopback API, and the types of @anthropic-ai/claude-agent-sdk 0.3.332 of the same day.
 */
import type { EventKind } from "../../guard/vocabulary.ts";
import type { EffectKind, Host } from "../host.ts";
import { contract } from "./contract.ts";
import { payloads } from "./payload-schema.ts";
import { mcpPart, mcpTool, player } from "./player.ts";
import { guardPath, ledgerPath, register, settingsPath } from "./register.ts";
import { tools } from "./tools.ts";
import { wire } from "./wire.ts";

export const claude: Host = {
  id: "claude",
  title: "Claude Code",
  facts: {
    // A call that fails fires PostToolUseFailure instead of PostToolUse, never both.
    events: {
      "before-tool": ["PreToolUse"],
      "after-tool": ["PostToolUse", "PostToolUseFailure"],
      prompt: ["UserPromptSubmit"],
      "session-start": ["SessionStart"],
      stop: ["Stop", "SubagentStop"],
      "before-compact": ["PreCompact"],
      "after-compact": ["PostCompact"],
    },
    eventNames: [...payloads.keys()],
    tools,
    mcpTool,
    mcpPart,
    supports,
    lacks: {
      deny: "Claude Code can refuse a call, a prompt and a compaction; a stop is sent back with `retry`",
      ask: "Claude Code can ask a person before a tool only",
      allow: "Claude Code can skip its confirmation before a tool only",
    },
    // `exit` would have to be cut out of an error text; no field carries it.
    absentFields: ["exit"],
    constantFields: {},
    // `"onFailure": "block"` holds for a guard that cannot start, fails or is timed out, since 2.1.295 (changelog); older clients ignore the key.
    backstop: "strict",
    // 600 s is the client's own default since 2.1.3; no upper limit is documented.
    timeout: { most: 600, least: 10 },
  },
  wire,
  wireModule: "hosts/claude/wire.ts",
  contract,
  player,
  guardPath,
  settingsPath,
  ledgerPath,
  register,
};

/** Refusals: measured on PreToolUse, UserPromptSubmit and ConfigChange, PreCompact since 2.1.105 (changelog). */
function supports(effect: EffectKind, event: EventKind): boolean {
  switch (effect) {
    case "deny":
      return event === "before-tool" || event === "prompt" || event === "before-compact" || event === "host-event";
    case "ask":
    case "allow":
      return event === "before-tool";
    case "permission":
      // Rules of the client's own settings, at no moment in particular.
      return true;
    default:
      return false;
  }
}
