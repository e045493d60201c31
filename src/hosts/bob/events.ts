/** Bob Shell's events as facts: the portable moment of each, and what an answer does there. */
import type { EventKind } from "../../guard/vocabulary.ts";

export interface EventFact {
  readonly kind: EventKind;
  /** Exit 2 stops it; elsewhere Bob takes exit 2 for a failure of the hook. */
  readonly blocks: boolean;
  /** Text on stdout becomes context of the model. */
  readonly context: boolean;
}

/** Source: the vendor's hooks page, 2026-09. */
export const events: ReadonlyMap<string, EventFact> = new Map<string, EventFact>([
  ["SessionStart", { kind: "session-start", blocks: false, context: true }],
  ["UserPromptSubmit", { kind: "prompt", blocks: true, context: true }],
  ["PreToolUse", { kind: "before-tool", blocks: true, context: false }],
  ["PostToolUse", { kind: "after-tool", blocks: false, context: false }],
  ["PreCompact", { kind: "before-compact", blocks: true, context: false }],
  ["PostCompact", { kind: "after-compact", blocks: false, context: false }],
  ["Stop", { kind: "stop", blocks: false, context: false }],
]);
