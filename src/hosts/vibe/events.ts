/** Vibe's events by every name they have had, with the portable moment of each. Source: changelog up to 2.26.0, 2026-10-05. */
import type { EventKind } from "../../guard/vocabulary.ts";

export interface EventFact {
  readonly name: string;
  readonly kind: EventKind;
}

const preTool: EventFact = { name: "pre_tool", kind: "before-tool" };
const postTool: EventFact = { name: "post_tool", kind: "after-tool" };
const postAgent: EventFact = { name: "post_agent", kind: "stop" };

/** The names since 2.21 and those of 2.15 to 2.20. */
export const events: ReadonlyMap<string, EventFact> = new Map([
  ["pre_tool", preTool],
  ["before_tool", preTool],
  ["post_tool", postTool],
  ["after_tool", postTool],
  ["post_agent", postAgent],
  ["post_agent_turn", postAgent],
]);
