/**
 * Claude Code as facts. Unless another date stands beside one, the source is client 2.1.332 (npm, 2026-11-25), run
 * against a loopback API, and the types of @anthropic-ai/claude-agent-sdk 0.3.332 of the same day.
 */
import type { EventKind } from "../../guard/vocabulary.ts";
import type { EffectKind, Host } from "../host.ts";
import { judgeAnswer, judgePayload } from "./contract.ts";
import { orderedNames } from "./event-names.ts";
import { eventFact, eventNames } from "./events.ts";
import { layout, layoutIn } from "./layout.ts";
import { payloadFields } from "./payload-schema.ts";
import { mcpPart, mcpTool, player } from "./player.ts";
import { launch, register } from "./register.ts";
import { tools } from "./tools.ts";
import { wire } from "./wire.ts";

const changes = "Claude Code can change the arguments of a call and what the model reads after it only";

/** A stop takes both too, and would go on: the word there is `retry`. */
const facts = eventNames().map((name) => ({ name, ...eventFact(name) }));
const eventsThat = (can: "blocks" | "context"): readonly string[] => facts.filter((fact) => fact[can] === true && fact.kind !== "stop").map(({ name }) => name);
const blockingEvents = eventsThat("blocks").filter((name) => name !== "WorktreeCreate");
const contextEvents = eventsThat("context");

export const claude: Host = {
  id: "claude",
  title: "Claude Code",
  facts: {
    knownFrom: "client 2.1.332, run and recorded",
    limits: [
      // Measured on 2.1.332; `settings.local.json` is found from a subfolder, and names a guard that is not there then.
      "hooks of a project are read from the folder the client is started in, and from no folder above it",
      // Measured on 2.1.332; managed hooks run in all of these.
      "`--bare`, `--safe-mode` and `disableAllHooks` switch every hook off that is not a managed one; `permission` strings stay",
      // Measured on 2.1.332: no tool is called for them.
      "files that a person mentions as `@file` are read without a tool; `permission deny \"Read(…)\"` holds there",
      // Changelog 2.1.332.
      "commands inside a skill's text pass by before 2.1.332; from then on they have an event, which `--min-version claude=2.1.332` registers",
      // Measured on 2.1.332: nobody is there to be asked.
      "plain `-p` refuses a call that a rule asks about",
      // Measured on 2.1.332 with a host of the SDK.
      "a refusal at `PermissionRequest` can lose against a host that answers for the person at once",
      // Types of 0.3.332 and documentation, 2026-11.
      "refusals at `PreModelSwitch`, `TaskCompleted`, `TeammateIdle` and `ElicitationResult` are as its types say, and were not tried",
    ],
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
    eventNames: orderedNames,
    tools,
    mcpTool,
    mcpPart,
    supports,
    lacks: {
      deny: "Claude Code can refuse a call, a prompt, a compaction and some events of its own, and replace what the model reads after a call; a stop is sent back with `retry`",
      ask: "Claude Code can ask a person before a tool only",
      allow: "Claude Code can skip its confirmation before a tool only",
      retry: "Claude Code can send an agent back only when it stops",
      set: changes,
      replace: changes,
      redact: changes,
      "tell-model": "Claude Code takes text for the model at tools, prompts, session starts and some events of its own; at a stop it would send the agent back",
    },
    anyEvents: ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    blockingEvents,
    contextEvents,
    closedEvents: {
      WorktreeCreate: "its hook has to make the worktree itself, and Claude Code takes the answer for the place of one",
      MessageDisplay: "it comes for every piece of a message, and what a hook prints is shown in its place",
    },
    // Changelog; PreModelSwitch and PostModelSwitch came between 2.1.219 and 2.1.295 without a line of their own.
    eventsSince: { StopFailure: "2.1.78", CwdChanged: "2.1.83", FileChanged: "2.1.83", TaskCreated: "2.1.84", PermissionDenied: "2.1.89", DirectoryAdded: "2.1.219", PreSkillShellCommand: "2.1.332" },
    laterEvents: [{ event: "PreSkillShellCommand", kind: "before-tool", classes: ["bash", "powershell"], since: "2.1.332", refused: ["ask", "set", "replace", "redact"] }],
    stopAgents: "every",
    // Blocks in a row before the client ends the turn all the same (measured; `CLAUDE_CODE_STOP_HOOK_BLOCK_CAP` changes it).
    retryCap: 8,
    // One character more and the client stores the text in a file and shows the model a preview (measured).
    contextCap: 10_000,
    partialOutput: "Claude Code keeps the output of a call that failed, and of a tool whose result has no known shape",
    rootVariable: "CLAUDE_PROJECT_DIR",
    nativeForward: false,
    // `exit` would have to be cut out of an error text; no field carries it.
    absentFields: ["exit"],
    // The permission mode comes with events of a turn (payloads of 2.1.332).
    absentAt: { "session-start": ["mode"], "before-compact": ["mode"], "after-compact": ["mode"] },
    get payloadFields() {
      return payloadFields();
    },
    constantFields: {},
    absentValues: { status: { cancelled: "Claude Code tells of success and failure only" } },
    settingsShape: "groups",
    // The highest file that has the key decides; managed hooks run on (client 2.1.332, measured 2026-11-25).
    hookSwitches: [{ key: "disableAllHooks", files: [".claude/settings.local.json", ".claude/settings.json", "~/.claude/settings.json"], scopes: ["project", "user", "plugin"] }],
    protectedPaths: [
      // Guard and ledger of a build; settings of the project and of one person, hot-reloaded within seconds (2.1.332).
      "**/.claude/policyc/**",
      "**/.claude/settings.json",
      "**/.claude/settings.local.json",
      // These bring hooks, commands and agents of their own; servers of `.mcp.json` bring tools (documentation, 2026-11).
      "**/.claude/{skills,agents,commands,plugins}/**",
      "**/.mcp.json",
      // The user's folder, but for what the client itself writes there while it works, plans and memories included.
      "~/.claude/**",
      "!~/.claude/{projects,todos,plans,tasks,shell-snapshots,file-history,debug}/**",
      "~/.claude.json",
      // Managed settings (documentation, 2026-11).
      "/etc/claude-code/**",
      "/Library/Application Support/ClaudeCode/**",
      "C:/Program Files/ClaudeCode/**",
    ],
    // `"onFailure": "block"` holds for a guard that cannot start, fails or is timed out, since 2.1.295 (changelog); older clients ignore the key.
    backstop: "strict",
    failures: [
      // Types of 0.3.332 and tried on 2.1.332: the key is ignored on these four.
      { bound: true, events: ["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"], outcome: "goes-on", by: "host", then: "goes on: `onFailure` does not count there" },
      // Tried on 2.1.332: the tool has run, and a message of the failure stands beside its output.
      { bound: true, events: ["PostToolUse", "PostToolUseFailure"], outcome: "goes-on", by: "host", then: "keeps the output and tells the model that the hook failed" },
      { bound: true, outcome: "stops", by: "host", then: "refuses from 2.1.295 on (`onFailure`); before, goes on" },
      // The client's hooks page, 2026-11; it says so of this event alone.
      { failure: "late", bound: false, events: ["PreModelSwitch"], outcome: "stops", by: "host", then: "keeps the model: a time-out counts as a refusal there" },
      { bound: false, outcome: "goes-on", by: "host", then: "goes on and shows the person an error" },
    ],
    // 600 s is the client's own default since 2.1.3; no upper limit is documented.
    timeout: { most: 600, least: 10 },
  },
  wire,
  wireModule: "hosts/claude/wire.ts",
  contract: { judgePayload, judgeAnswer },
  player,
  layout,
  layoutIn,
  register,
  launch,
};

const toolEvents: readonly EventKind[] = ["before-tool", "after-tool"];

function supports(effect: EffectKind, event: EventKind, hostEvent?: string): boolean {
  const named = (events: readonly string[]): boolean => hostEvent === undefined || events.includes(hostEvent);
  switch (effect) {
    case "deny":
      return toolEvents.includes(event) || event === "prompt" || event === "before-compact" || (event === "host-event" && named(blockingEvents));
    case "ask":
    case "allow":
      return event === "before-tool";
    case "retry":
      return event === "stop";
    case "set":
    case "replace":
    case "redact":
      return toolEvents.includes(event);
    case "tell-model":
      return toolEvents.includes(event) || event === "prompt" || event === "session-start" || (event === "host-event" && named(contextEvents));
    case "tell-user":
    case "log":
    case "run":
    case "forward":
    case "mark":
    // Rules of the client's own settings, at no moment in particular.
    case "permission":
      return true;
    default:
      return effect satisfies never;
  }
}
