/**
 * The judge of Bob Shell's guards: what the host sends, and how it takes an exit code with stdout and stderr. Where its
 * pages contradict each other an answer has to be right under both. Source: the vendor's hooks page (2026-09) and
 * measurements on 2.0.2; never our codec.
 */
import * as z from "zod";
import type { Json } from "../../guard/call.ts";
import { breachesOf, prototypeKeysIn } from "../breaches.ts";
import type { Contract, Judgement } from "../host.ts";
import { oldPayloads, payloads, toolArguments } from "./payload-schema.ts";

export function judgePayload(event: string, payload: Json): readonly string[] {
  const isOld = typeof payload === "object" && payload !== null && !Object.hasOwn(payload, "hook_event_name") && Object.hasOwn(payload, "event");
  const schema = (isOld ? oldPayloads : payloads).get(event);
  if (schema === undefined) return [`\`${event}\` is not an event of Bob Shell`];
  const breaches = [...prototypeKeysIn(payload, "the payload"), ...breachesOf(schema, payload, "the payload")];
  const [toolKey, inputKey] = isOld ? (["tool", "input"] as const) : (["tool_name", "tool_input"] as const);
  const call = z.object({ [toolKey]: z.string(), [inputKey]: z.record(z.string(), z.unknown()) }).safeParse(payload);
  if (!call.success) return breaches;
  const tool = call.data[toolKey] as string;
  const known = toolArguments.get(tool);
  const input = (payload as Readonly<Record<string, unknown>>)[inputKey];
  return [...breaches, ...prototypeKeysIn(input, `\`${inputKey}\``), ...(known === undefined ? [] : breachesOf(known, call.data[inputKey], `the arguments of ${tool}`))];
}

/** Exit 2 stops these; on the others it is a failure that stops nothing. */
const refusable: ReadonlySet<string> = new Set(["PreToolUse", "UserPromptSubmit", "PreCompact"]);
/** Where text on stdout becomes context of the model. */
const contextEvents: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit"]);
/** Beyond this the host ends the hook and goes on. */
const mostOutput = 1024 * 1024;

export function judgeAnswer(event: string, { exitCode, stdout, stderr }: Parameters<Contract["judgeAnswer"]>[1]): Judgement {
  const breaches: string[] = [];
  if (Buffer.byteLength(stdout, "utf8") + Buffer.byteLength(stderr, "utf8") > mostOutput) {
    return { effect: "pass", reason: "", breaches: ["more than 1 MiB of output: Bob ends the hook and goes on"] };
  }
  if (exitCode === null) return { effect: "pass", reason: "", breaches: ["the guard was ended from outside: Bob goes on"] };
  if (exitCode !== 0 && exitCode !== 2) return { effect: "pass", reason: "", breaches: [`exit ${exitCode} is logged and ignored: Bob goes on`] };
  // One page ignores stdout, another reads JSON from it: only silence means the same under both.
  if (stdout !== "" && (exitCode === 2 || !contextEvents.has(event))) breaches.push(`stdout of ${event} has to stay empty`);
  const context = exitCode === 0 && contextEvents.has(event) ? stdout.trim() : "";
  if (/^[{["]/.test(context)) breaches.push("context that begins like JSON: a newer Bob reads an answer in it");
  if (exitCode === 0) return { effect: "pass", reason: "", ...(context !== "" && { context }), breaches };
  // What a guard says about its own effects (a log that fails, a dry run) is for the host's log and no reason.
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("policyc: "));
  if (lines.length === 0) breaches.push("exit 2 without a reason on stderr");
  if (lines.length > 1) breaches.push(`a reason of ${lines.length} lines: it has to be one`);
  // An event that Bob does not have is refused as one that a newer Bob may block on.
  const refuses = refusable.has(event) || !payloads.has(event);
  if (!refuses) breaches.push(`exit 2 cannot stop ${event}`);
  return { effect: refuses ? "deny" : "pass", reason: lines.join("\n").trim(), breaches };
}
