/**
 * Claude Code's events as facts: the portable moment of each, how a refusal is put there, whether the answer takes text
 * for the model. Source: `HOOK_EVENTS` and the output types of the Agent SDK 0.3.332, client 2.1.332, 2026-11-25.
 */
import type { EventKind } from "../../guard/vocabulary.ts";

/**
 * How a refusal is put in JSON. `replace`: the tool has run, and a text stands in the place of its output. `exit`: there
 * are no words for it, exit 2 and stderr alone say it where anything does.
 */
export type Refusal = "permission" | "request" | "block" | "replace" | "exit";

export interface EventFact {
  readonly kind: EventKind;
  readonly refusal: Refusal;
  /** The answer takes `additionalContext`. At Stop and SubagentStop too, where it would send the agent back. */
  readonly context: boolean;
  /** A refusal stops the thing itself. */
  readonly blocks: boolean;
}

const fact = (kind: EventKind, refusal: Refusal, ...can: readonly ("context" | "blocks")[]): EventFact => ({ kind, refusal, context: can.includes("context"), blocks: can.includes("blocks") });

/** All 34 names. Refusals were tried on the client but for those of PreModelSwitch, TaskCompleted, TeammateIdle and ElicitationResult. */
export const events: ReadonlyMap<string, EventFact> = new Map<string, EventFact>([
  ["PreToolUse", fact("before-tool", "permission", "blocks", "context")],
  // Inline shell of a skill (2.1.332); it passes no other gate.
  ["PreSkillShellCommand", fact("before-tool", "permission", "blocks")],
  ["PostToolUse", fact("after-tool", "replace", "context")],
  ["PostToolUseFailure", fact("after-tool", "replace", "context")],
  ["UserPromptSubmit", fact("prompt", "block", "blocks", "context")],
  ["SessionStart", fact("session-start", "exit", "context")],
  ["Stop", fact("stop", "block", "blocks")],
  ["SubagentStop", fact("stop", "block", "blocks")],
  ["PreCompact", fact("before-compact", "block", "blocks")],
  ["PostCompact", fact("after-compact", "exit")],
  ["PermissionRequest", fact("host-event", "request", "blocks")],
  ["PreModelSwitch", fact("host-event", "permission", "blocks")],
  ["UserPromptExpansion", fact("host-event", "block", "blocks", "context")],
  ["ConfigChange", fact("host-event", "block", "blocks")],
  ["PostToolBatch", fact("host-event", "block", "blocks", "context")],
  ["TaskCreated", fact("host-event", "exit", "blocks")],
  ["TaskCompleted", fact("host-event", "exit", "blocks")],
  ["TeammateIdle", fact("host-event", "exit", "blocks")],
  ["Elicitation", fact("host-event", "exit", "blocks")],
  ["ElicitationResult", fact("host-event", "exit", "blocks")],
  ["WorktreeCreate", fact("host-event", "exit", "blocks")],
  ["Setup", fact("host-event", "exit", "context")],
  ["SubagentStart", fact("host-event", "exit", "context")],
  ["PostModelSwitch", fact("host-event", "exit", "context")],
  ["Notification", fact("host-event", "exit", "context")],
  ...["PermissionDenied", "SessionEnd", "StopFailure", "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "WorktreeRemove", "MessageDisplay"].map((name) => [name, fact("host-event", "exit")] as const),
]);
