/**
 * A decision in Vibe's words: one JSON object in ASCII, below what the client reads of it. Source: the hook runner of
 * 2.26 and 3.0.2 (2026-10 and 2026-11), which drops what comes after a million bytes, so that a longer answer is none.
 */
import type { Answer, Decision, Json } from "../../guard/call.ts";
import { asciiJson, contextText, plainText, reasonText, wellFormed } from "../../guard/reason-text.ts";
import type { EventKind } from "../../guard/vocabulary.ts";
import { events } from "./events.ts";

/** Bytes of stdout. */
const mostOutput = 1_000_000;
const mostReason = 4000;
const mostNotice = 4000;
const mostContext = 50_000;

/** See `Wire.encode`. A refusal is JSON with exit 0: since 2.15 any other exit code is a failure, 2 included. */
export function encode(event: string, decision: Decision): Answer {
  return { exitCode: 0, stdout: composeAnswer(events.get(event)?.kind, decision), stderr: "" };
}

/** What is printed for an event of the kind; `""` where there is nothing to say. `undefined` stands for an event Vibe does not have. */
function composeAnswer(kind: EventKind | undefined, decision: Decision): string {
  // Vibe has no word that skips its own prompt, and nobody can be asked. Fail closed: asking is refusing.
  const refuses = decision.effect !== "pass" && decision.effect !== "allow";
  const notice = plainText(decision.notice ?? "", mostNotice);
  const context = kind === "after-tool" ? contextText(decision.context ?? "", mostContext) : "";
  const output = kind === "after-tool" && !refuses ? changedOutput(decision) : undefined;
  const input = kind === "before-tool" && !refuses ? decision.input : undefined;
  if (input !== undefined && asciiJson(input).length > mostOutput - mostNotice * 6 - 200) {
    // Fail closed: cut arguments would be other arguments.
    return composeAnswer(kind, { ...decision, effect: "deny", message: "A rule rewrites this call, and its new arguments are larger than Vibe reads from a hook." });
  }
  const specific: Record<string, Json> = { ...(input !== undefined && { tool_input: input }), ...(context !== "" && { additional_context: context }) };
  const besides: Record<string, Json> = {
    // Before a tool Vibe ignores it beside a refusal.
    ...(notice !== "" && !(refuses && kind === "before-tool") && { system_message: notice }),
    ...(Object.keys(specific).length > 0 && { hook_specific_output: specific }),
  };
  if (refuses) return print({ decision: "deny", reason: reasonText(decision.message, mostReason), ...besides });
  if (output !== undefined) return print({ decision: "deny", reason: cutForJson(output, mostOutput - asciiJson(besides).length - 100), ...besides });
  return Object.keys(besides).length > 0 ? print(besides) : "";
}

/** What transforms made of an output. An empty reason is a stock sentence on one runtime and no text at all on another. */
function changedOutput({ output, response }: Decision): string | undefined {
  const text = output ?? (typeof response === "string" ? response : undefined);
  if (text === undefined) return undefined;
  return text.trim() === "" ? "(empty)" : wellFormed(text);
}

function print(answer: Record<string, Json>): string {
  return `${asciiJson(answer)}\n`;
}

/**
 * The text, or as much of it as takes `most` bytes in ASCII JSON. Fail closed: a redacted output that is too large has to
 * arrive shorter, for a cut answer would leave the one that is not redacted.
 */
function cutForJson(text: string, most: number): string {
  const note = " [999999999 characters left out]".length;
  let bytes = 0;
  let fits = 0;
  for (let at = 0; at < text.length; at += 1) {
    bytes += jsonBytes(text.charCodeAt(at));
    if (bytes <= most - note) fits = at + 1;
    else if (bytes > most) {
      // Never between the halves of one character.
      const end = /[\ud800-\udbff]/.test(text.charAt(fits - 1)) ? fits - 1 : fits;
      return `${text.slice(0, end)} [${text.length - end} characters left out]`;
    }
  }
  return text;
}

/** How long a UTF-16 unit is there: itself, `\n`, or `\u00e9`. */
function jsonBytes(unit: number): number {
  if (unit === 0x22 || unit === 0x5c || unit === 0x08 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d) return 2;
  return unit < 0x20 || unit >= 0x7f ? 6 : 1;
}
