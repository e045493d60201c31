/**
 * Mistral Vibe as facts. Sources: its hooks pages, the changelog up to 2.26.0 (2026-10-05) and the packages of 3.0.2
 * (2026-11), whose hook runner is the authority where they differ.
 */
import type { EventKind } from "../../guard/vocabulary.ts";
import type { EffectKind, Host } from "../host.ts";
import { contract } from "./contract.ts";
import { mcpPart, mcpTool, player } from "./player.ts";
import { guardPath, ledgerPath, register, settingsPath } from "./register.ts";
import { tools } from "./tools.ts";
import { wire } from "./wire.ts";

export const vibe: Host = {
  id: "vibe",
  title: "Mistral Vibe",
  facts: {
    // The only three a `hooks.toml` may name since 2.21; no prompt, session or compaction events.
    events: { "before-tool": ["pre_tool"], "after-tool": ["post_tool"], stop: ["post_agent"] },
    eventNames: ["pre_tool", "post_tool", "post_agent"],
    tools,
    mcpTool,
    mcpPart,
    supports,
    lacks: {
      deny: "Vibe has hooks before and after a tool and at the end of a turn only",
      ask: "Vibe knows no decision that makes it ask; one that it does not know runs the call",
      allow: "Vibe knows no decision that skips its own permission check",
      permission: "Vibe has no permission strings of the kind that `permission deny` writes",
    },
    // No permission mode and no assistant message in any payload (hook runner, 3.0.2).
    absentFields: ["mode", "prompt", "source", "trigger", "instructions", "summary", "message"],
    constantFields: { duration: "Vibe's Unified runtime always sends 0" },
    // `strict = true` refuses the call on every failure of a tool hook, a time-out included.
    backstop: "strict",
    // 60 s is the client's default; it checks no upper bound, an hour is ours.
    timeout: { most: 3600, least: 10 },
  },
  wire,
  wireModule: "hosts/vibe/wire.ts",
  contract,
  player,
  guardPath,
  settingsPath,
  ledgerPath,
  register,
};

/** After a tool a refusal replaces the text that the model reads. */
function supports(effect: EffectKind, event: EventKind): boolean {
  return effect === "deny" && (event === "before-tool" || event === "after-tool");
}
