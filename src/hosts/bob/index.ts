/**
 * IBM Bob Shell as facts. Sources: the vendor's lifecycle hooks page (2026-09), its other pages of the same month, and
 * payloads and behaviour measured on 2.0.2; the host itself is on no registry and was not run.
 */
import type { EventKind } from "../../guard/vocabulary.ts";
import type { EffectKind, Host } from "../host.ts";
import { judgeAnswer, judgePayload } from "./contract.ts";
import { events } from "./events.ts";
import { layout, layoutIn } from "./layout.ts";
import { payloadFields } from "./payload-schema.ts";
import { mcpTool, player } from "./player.ts";
import { launch, register } from "./register.ts";
import { tools } from "./tools.ts";
import { wire } from "./wire.ts";

const changes = "Bob can refuse a call, and change neither its arguments nor its output";

export const bob: Host = {
  id: "bob",
  title: "IBM Bob Shell",
  facts: {
    knownFrom: "documentation of 2.0.x and payloads measured on 2.0.2; never run here",
    limits: [
      // The hooks page, 2026-09; `bob run` takes an undecided folder for a trusted one.
      "hooks of a workspace are read from its root, where that is trusted",
      // A reading of the shipped 2.0.2, and the built-in skill of 2026-10.
      "a person can switch single hooks off in `/hooks`, and `disableGlobalHooks` of a workspace those of the user",
      // Nobody has measured it.
      "whether hooks run for the tools of a subagent is unknown",
      // The hooks page of 2026-09; a newer skill text and field reports say that the model reads it.
      "older builds show the reason of a refusal in their log only",
      // Field reports: `PostToolUse` is skipped for them by newer builds.
      "calls that failed may be missing after a tool",
      // A reading of 2.0.2: the schema of the file is strict.
      "an event or a type that a Bob does not know makes it ignore every hook of the file",
    ],
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
    eventNames: [...events.keys()],
    tools,
    mcpTool,
    supports,
    lacks: {
      deny: "Bob can refuse a call, a prompt and a compaction only",
      ask: "Bob has no answer that makes it ask a person",
      allow: "Bob has no answer that skips its own approval",
      retry: "Bob stops whatever a hook answers",
      set: changes,
      replace: changes,
      redact: changes,
      "tell-model": "Bob takes text for the model with a prompt and at a session's start only",
      "tell-user": "Bob shows a hook's words to nobody",
      permission: "Bob's `deniedCommands` are command prefixes of the global settings only",
    },
    // Without the two compact events: a Bob before 2.0.3 ignores every hook of a file that names them.
    anyEvents: ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
    blockingEvents: ["PreToolUse", "UserPromptSubmit", "PreCompact"],
    contextEvents: ["SessionStart", "UserPromptSubmit"],
    closedEvents: {},
    eventsSince: { PreCompact: "2.0.3", PostCompact: "2.0.3" },
    laterEvents: [],
    stopAgents: "main",
    // Node's `maxBuffer` of 1 MiB, stdout and stderr each; past it the hook is ended and Bob goes on (a reading of 2.0.2).
    outputCap: 1_000_000,
    nativeForward: true,
    nativeForwardSince: "2.0.3",
    absentFields: ["mode", "subagent", "error", "status", "exit", "duration"],
    get payloadFields() {
      return payloadFields();
    },
    constantFields: {},
    absentValues: {},
    settingsShape: "groups",
    // A reading of the shipped 2.0.2.
    hookSwitches: [{ key: "disableGlobalHooks", files: [".bob/settings.json"], scopes: ["user"] }],
    protectedPaths: [
      // Guard and ledger of a build; the workspace's hooks and `disableGlobalHooks` (2.0.2), reloaded while it runs.
      "**/.bob/policyc/**",
      "**/.bob/settings.json",
      // Modes decide which tools there are (documentation, 2026-09).
      "**/.bob/custom_modes.yaml",
      // Global settings in either of the two places that the documentation names, and the list of trusted folders.
      "~/.bob/**",
      // The enterprise policy with its `EnforcedHooks` (2.0.2 on Linux), and our guards for it on the other platforms.
      "/etc/bob/**",
      "/Library/Application Support/IBM Bob/**",
      "C:/ProgramData/IBM/Bob/**",
    ],
    // `|| exit 2` refuses where node or the guard is missing or crashes; on a time-out Bob goes on (measured on 2.0.2).
    backstop: "command-line",
    failures: [
      // Measured on 2.0.2: the shell is sent SIGTERM and gives no exit code.
      { failure: "late", outcome: "goes-on", by: "host", then: "goes on" },
      { failure: "ended", bound: true, events: ["PreToolUse", "UserPromptSubmit", "PreCompact"], outcome: "stops", by: "entry", then: "refuses, because `|| exit 2` in the entry makes it a refusal" },
      // The hooks page, 2026-09.
      { failure: "ended", bound: false, outcome: "goes-on", by: "host", then: "logs it and goes on" },
    ],
    // The default is 10 s and a time-out lets the call run, so ours is long; no upper bound is documented, an hour is ours.
    timeout: { most: 3600, least: 60 },
  },
  wire,
  wireModule: "hosts/bob/wire.ts",
  contract: { judgePayload, judgeAnswer },
  player,
  layout,
  layoutIn,
  register,
  launch,
};

function supports(effect: EffectKind, event: EventKind, hostEvent?: string): boolean {
  const named = (events: readonly string[]): boolean => event === "host-event" && (hostEvent === undefined || events.includes(hostEvent));
  switch (effect) {
    case "deny":
      return event === "before-tool" || event === "prompt" || event === "before-compact" || named(bob.facts.blockingEvents);
    case "tell-model":
      return event === "prompt" || event === "session-start" || named(bob.facts.contextEvents);
    case "log":
    case "run":
    case "forward":
    case "mark":
      return true;
    case "ask":
    case "allow":
    case "retry":
    case "set":
    case "replace":
    case "redact":
    case "tell-user":
    case "permission":
      return false;
    default:
      return effect satisfies never;
  }
}
