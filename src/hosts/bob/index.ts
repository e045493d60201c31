/**
 * IBM Bob Shell as facts. Sources: the vendor's lifecycle hooks page (2026-09), its other pages of the same month, and
 * payloads and behaviour measured on 2.0.2; the host itself is on no registry and was not run.
 */
import type { EventKind } from "../../guard/vocabulary.ts";
import type { EffectKind, Host } from "../host.ts";
import { contract } from "./contract.ts";
import { payloads } from "./payload-schema.ts";
import { mcpTool, player } from "./player.ts";
import { guardPath, ledgerPath, register, settingsPath } from "./register.ts";
import { tools } from "./tools.ts";
import { wire } from "./wire.ts";

export const bob: Host = {
  id: "bob",
  title: "IBM Bob Shell",
  facts: {
    // The two compact events came with 2.0.3 (2026-09).
    events: {
      "before-tool": ["PreToolUse"],
      "after-tool": ["PostToolUse"],
      prompt: ["UserPromptSubmit"],
      "session-start": ["SessionStart"],
      stop: ["Stop"],
      "before-compact": ["PreCompact"],
      "after-compact": ["PostCompact"],
    },
    eventNames: [...payloads.keys()],
    tools,
    mcpTool,
    supports,
    lacks: {
      deny: "Bob can refuse a call, a prompt and a compaction only",
      ask: "Bob has no answer that makes it ask a person",
      allow: "Bob has no answer that skips its own approval",
      permission: "Bob's `deniedCommands` are command prefixes of the global settings only",
    },
    absentFields: ["mode", "subagent", "error", "status", "exit", "duration"],
    constantFields: {},
    // `|| exit 2` refuses where node or the guard is missing or crashes; on a time-out Bob goes on (measured on 2.0.2).
    backstop: "command-line",
    // The default is 10 s and a time-out lets the call run, so ours is long; no upper bound is documented, an hour is ours.
    timeout: { most: 3600, least: 60 },
  },
  wire,
  wireModule: "hosts/bob/wire.ts",
  contract,
  player,
  guardPath,
  settingsPath,
  ledgerPath,
  register,
};

/** Exit 2 stops these three and nothing else. */
function supports(effect: EffectKind, event: EventKind): boolean {
  return effect === "deny" && (event === "before-tool" || event === "prompt" || event === "before-compact");
}
