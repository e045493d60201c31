/**
 * A decision in Claude Code's words: stdout, stderr and exit code. Source: client 2.1.332, 2026-11-25. A refusal is said
 * twice, as JSON and as exit 2, because either alone fails open somewhere: rejected JSON lets the call run, and a bare
 * exit 2 shows the model a command line.
 */
import type { Answer, Decision, Json, JsonObject, ToolCall } from "../../guard/call.ts";
import { contextText, plainText, reasonText, wellFormed } from "../../guard/reason-text.ts";
import { eventFact } from "./events.ts";
import type { EventFact } from "./events.ts";
import { resultWith, withoutStored } from "./results.ts";

/** Reasons are not under the client's 10,000 character cap; beyond 2 kB they only cost the model context. */
const mostReason = 4000;
/** One character more and the model gets a preview of 2,000 (measured). */
const mostContext = 10_000;
const mostNotice = 4000;

/** See `Wire.encode`. */
export function encode(event: string, decision: Decision, call?: ToolCall): Answer {
  const fact = eventFact(event);
  const effect = effectAt(event, fact, decision);
  const specific: Record<string, Json> = {};
  const top: Record<string, Json> = {};
  const notice = plainText(decision.notice ?? "", mostNotice);
  if (notice !== "") top["systemMessage"] = notice;
  const reason = decision.input !== undefined && event === "PreSkillShellCommand" && decision.effect !== "deny" ? unchangeable : reasonText(decision.message, mostReason);
  let refused = false;
  if (effect === "deny" || effect === "retry") refused = refuse(event, fact, reason, call, top, specific);
  else {
    if (effect !== "pass") Object.assign(specific, permission(effect, reasonText(decision.personMessage, mostReason)));
    if (decision.input !== undefined && event === "PreToolUse") specific["updatedInput"] = decision.input;
    if (fact?.refusal === "replace") change(event, decision, call, top, specific);
  }
  const context = fact?.context === true ? contextText(decision.context ?? "", mostContext) : "";
  if (context !== "") specific["additionalContext"] = context;
  const output = { ...top, ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: event, ...specific } }) };
  const stdout = Object.keys(output).length > 0 ? `${JSON.stringify(output)}\n` : "";
  return refused ? { exitCode: 2, stdout, stderr: `${reason}\n` } : { exitCode: 0, stdout, stderr: "" };
}

const unchangeable = "A rule rewrites this command, and Claude Code runs a skill's own command as it stands or not at all.";

/** What can be said there. Fail closed: where nobody can be asked, asking is refusing, and so is a rewrite that is never applied. */
function effectAt(event: string, fact: EventFact | undefined, { effect, input }: Decision): Decision["effect"] {
  const inline = event === "PreSkillShellCommand";
  if (inline && input !== undefined && effect !== "retry") return "deny";
  if (effect === "allow") return fact?.refusal === "permission" ? "allow" : "pass";
  if (effect === "ask") return fact?.refusal === "permission" && !inline ? "ask" : "deny";
  return effect;
}

/** Puts the refusal in JSON; true where exit 2 says it as well. */
function refuse(event: string, fact: EventFact | undefined, reason: string, call: ToolCall | undefined, top: Record<string, Json>, specific: Record<string, Json>): boolean {
  const how = fact?.refusal ?? "exit";
  switch (how) {
    case "permission":
      Object.assign(specific, permission("deny", reason));
      return true;
    case "request":
      specific["decision"] = { behavior: "deny", message: reason };
      return true;
    case "block":
      Object.assign(top, { decision: "block", reason });
      return true;
    case "replace":
      // The call has happened: exit 2 would only add a second text.
      replace(event, reason, call, top, specific);
      return false;
    case "exit":
      return true;
    default:
      return how satisfies never;
  }
}

/** What transforms made of an output. */
function change(event: string, { output, response }: Decision, call: ToolCall | undefined, top: Record<string, Json>, specific: Record<string, Json>): void {
  if (output !== undefined) replace(event, wellFormed(output), call, top, specific);
  else if (response !== undefined && event === "PostToolUse") specific["updatedToolOutput"] = withoutStored(response);
}

/** The text in the place of the output, or beside it where the client keeps the output whatever is answered. */
function replace(event: string, text: string, call: ToolCall | undefined, top: Record<string, Json>, specific: Record<string, Json>): void {
  const result = event === "PostToolUse" && call !== undefined ? resultWith(text, call) : undefined;
  if (result !== undefined) specific["updatedToolOutput"] = result;
  else Object.assign(top, { decision: "block", reason: reasonText(text, mostReason) });
}

function permission(decision: "allow" | "ask" | "deny", reason: string): JsonObject {
  return { permissionDecision: decision, permissionDecisionReason: reason };
}
