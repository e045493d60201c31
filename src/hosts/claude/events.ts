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

/** A row for each of the 34 names. Refusals were tried on the client but for those of PreModelSwitch, TaskCompleted, TeammateIdle and ElicitationResult. */
const rows: Readonly<Record<string, string>> = {
  PreToolUse: "before-tool permission blocks context",
  // Inline shell of a skill (2.1.332); it passes no other gate.
  PreSkillShellCommand: "before-tool permission blocks",
  PostToolUse: "after-tool replace context",
  PostToolUseFailure: "after-tool replace context",
  UserPromptSubmit: "prompt block blocks context",
  SessionStart: "session-start exit context",
  Stop: "stop block blocks",
  SubagentStop: "stop block blocks",
  PreCompact: "before-compact block blocks",
  PostCompact: "after-compact exit",
  PermissionRequest: "host-event request blocks",
  PreModelSwitch: "host-event permission blocks",
  UserPromptExpansion: "host-event block blocks context",
  ConfigChange: "host-event block blocks",
  PostToolBatch: "host-event block blocks context",
  TaskCreated: "host-event exit blocks",
  TaskCompleted: "host-event exit blocks",
  TeammateIdle: "host-event exit blocks",
  Elicitation: "host-event exit blocks",
  ElicitationResult: "host-event exit blocks",
  WorktreeCreate: "host-event exit blocks",
  Setup: "host-event exit context",
  SubagentStart: "host-event exit context",
  PostModelSwitch: "host-event exit context",
  Notification: "host-event exit context",
  PermissionDenied: "host-event exit",
  SessionEnd: "host-event exit",
  StopFailure: "host-event exit",
  InstructionsLoaded: "host-event exit",
  CwdChanged: "host-event exit",
  FileChanged: "host-event exit",
  DirectoryAdded: "host-event exit",
  WorktreeRemove: "host-event exit",
  MessageDisplay: "host-event exit",
};

export function eventNames(): readonly string[] {
  return Object.keys(rows);
}

/** `undefined` for an event that the client does not have. */
export function eventFact(name: string): EventFact | undefined {
  if (!Object.hasOwn(rows, name)) return undefined;
  const [kind, refusal, ...can] = (rows[name] ?? "").split(" ");
  return { kind: kind as EventKind, refusal: refusal as Refusal, context: can.includes("context"), blocks: can.includes("blocks") };
}
