/**
 * Which effects mean anything at which moment, whatever the host (the table of LANGUAGE.md 3.2). What a host lacks is
 * told when the project is lowered for it.
 */
import type { Help } from "../diagnostics/diagnostic.ts";
import type { Effect } from "../syntax/ast.ts";
import type { Moment } from "./trigger.ts";

export interface Refusal {
  readonly note: string;
  readonly help: Help;
}

/** Why an effect has no meaning at a moment; `undefined` where it has one. */
export function refusalAt(kind: Effect["kind"], moment: Moment): Refusal | undefined {
  const { event } = moment;
  switch (kind) {
    case "deny":
      return refuseDenial(event);
    case "ask":
      if (event === "before-tool") return undefined;
      if (event === "any-event") return anyGate(kind);
      return refusal("A person can confirm a tool call, and nothing else.", askHelp(event));
    case "allow":
      if (event === "before-tool") return undefined;
      if (event === "any-event") return anyGate(kind);
      return refusal("`allow` skips the host's confirmation of a tool call; there is none to skip here.", "take the rule out: what no rule refuses goes on");
    case "retry":
      if (event === "stop") return undefined;
      return refusal("Only an agent that stops can be sent back to work.", event === "before-tool" || event === "after-tool" || event === "prompt" || event === "before-compact" ? "use `deny`: its reason is given to the model" : "use `retry on stop`");
    case "set":
    case "replace":
      if (event === "before-tool" || event === "after-tool") return undefined;
      return refusal("Only the input of a tool and its output can be changed.", `name a tool: \`${kind} … before bash\`, \`${kind} … after bash\``);
    case "redact":
      // At other events it cleans what the guard sends out; which of a host's outputs it can change is the host's answer.
      if (event !== "any-event") return undefined;
      return refusal("`on any` is every event of a host, and on most of them nothing can be changed.", "name the moments: `redact … before any`, `redact … after any`, `redact … on prompt`");
    case "tell":
      if (event !== "any-event") return undefined;
      return refusal("`on any` is every event of a host, and most of them have no place for a text.", "name the moment: `tell model … on session-start`, `tell user … after bash`");
    default:
      return undefined;
  }
}

function refuseDenial(event: Moment["event"]): Refusal | undefined {
  switch (event) {
    case "any-event":
      return anyGate("deny");
    case "stop":
      return refusal("A stop cannot be refused; the agent can be sent back to work.", "use `retry on stop`: the agent continues, with the reason as a message");
    case "session-start":
      return refusal("A session cannot be refused by a hook.", "refuse its tools or prompts: `deny any`, `deny on prompt`");
    case "after-compact":
      return refusal("It has happened already.", "use `deny before compact`");
    default:
      return undefined;
  }
}

function anyGate(kind: "deny" | "ask" | "allow"): Refusal {
  return refusal("`on any` is every event of a host, most of which cannot be stopped.", `\`${kind} any\` is about every tool call`);
}

function askHelp(event: Moment["event"]): string {
  if (event === "after-tool") return "ask before the tool, or use `deny after` to withhold its output";
  return event === "prompt" || event === "before-compact" ? "use `deny`" : "ask before a tool";
}

function refusal(note: string, help: string): Refusal {
  return { note, help: { text: help } };
}
