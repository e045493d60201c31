/**
 * A decision in Bob Shell's words: an exit code and one line on stderr. Nothing is ever printed on stdout before a tool:
 * the pages disagree on who reads it.
 */
import type { Answer, Decision } from "../../guard/call.ts";
import { contextText, reasonLine } from "../../guard/reason-text.ts";
import { events } from "./events.ts";

/** More than 1 MiB of output would have Bob end the hook and let the call run; a line is for reading. */
const mostReason = 2000;
const mostContext = 100_000;

/** See `Wire.encode`. */
export function encode(event: string, decision: Decision): Answer {
  const { effect } = decision;
  const fact = events.get(event);
  // Bob has no word that skips its own approval.
  if (effect === "pass" || effect === "allow") return { exitCode: 0, stdout: fact?.context === true ? spoken(contextText(decision.context ?? "", mostContext)) : "", stderr: "" };
  const stderr = `${reasonLine(decision.message, mostReason)}\n`;
  // Fail closed: nobody can be asked, and an event name that Bob lacks may be one that a newer Bob blocks on.
  return { exitCode: fact?.blocks === false ? 0 : 2, stdout: "", stderr };
}

/** Context as Bob reads it. What begins like JSON is taken for an answer by newer builds, and could block or be dropped. */
function spoken(context: string): string {
  if (context === "") return "";
  return `${/^[{["]/.test(context) ? "Context:\n" : ""}${context}\n`;
}
