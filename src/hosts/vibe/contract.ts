/**
 * The judge of Vibe's guards: what the client sends, and how the Unified runtime takes an exit code and stdout. Sources:
 * the hook runner in 2.26 and 3.0.2 (2026-10 and 2026-11) and the hooks pages; never our codec.
 */
import * as z from "zod";
import type { Json, JsonObject } from "../../guard/call.ts";
import { breachesOf, prototypeKeysIn } from "../breaches.ts";
import type { Contract, Judgement } from "../host.ts";
import { payloads, toolArguments } from "./payload-schema.ts";

export function judgePayload(event: string, payload: Json): readonly string[] {
  const schema = payloads.get(event);
  if (schema === undefined) return [`\`${event}\` is not an event of Vibe`];
  const breaches = [...prototypeKeysIn(payload, "the payload"), ...breachesOf(schema, payload, "the payload")];
  const call = z.object({ tool_name: z.string(), tool_input: z.record(z.string(), z.unknown()) }).safeParse(payload);
  if (!call.success) return breaches;
  const { tool_name: tool, tool_input: input } = call.data;
  const known = toolArguments.get(tool);
  return [...breaches, ...prototypeKeysIn((payload as { tool_input: unknown }).tool_input, "`tool_input`"), ...(known === undefined ? [] : breachesOf(known, input, `the arguments of ${tool}`))];
}

/** The runner keeps this much of stdout and drops the rest, so that a longer answer is a broken one. */
const mostStdout = 1_000_000;

/**
 * What the legacy runtime would refuse is a breach although Unified lets it pass as "allow": a refusal that is spelled
 * wrongly runs the call there, under `strict` too.
 */
const outputSchema = z.looseObject({
  decision: z.enum(["allow", "deny"]).optional(),
  reason: z.string().optional(),
  system_message: z.string().optional(),
  hook_specific_output: z.looseObject({ tool_input: z.record(z.string(), z.unknown()).optional(), additional_context: z.string().optional() }).optional(),
});
const outputKeys = ["decision", "reason", "system_message", "hook_specific_output"];

export function judgeAnswer(event: string, { exitCode, stdout, stderr }: Parameters<Contract["judgeAnswer"]>[1], payload?: Json): Judgement {
  const failure = (why: string): Judgement => ({ effect: "pass", reason: "", breaches: [`${why}: a failure, which only \`strict\` turns into a refusal`] });
  if (exitCode === null) return failure("the guard was ended from outside");
  if (exitCode !== 0) return failure(`exit ${exitCode}${stderr.trim() === "" ? "" : " with text on stderr"}`);
  if (Buffer.byteLength(stdout, "utf8") > mostStdout) return failure(`more than ${mostStdout} bytes on stdout`);
  const printed = stdout.trim();
  if (printed === "") return { effect: "pass", reason: "", breaches: [] };
  // Python's reader takes no byte order mark, which `trim` has cut here.
  if (stdout.startsWith("\ufeff")) return failure("a byte order mark before the answer");
  let json: unknown;
  try {
    json = JSON.parse(printed);
  } catch {
    return failure("stdout is not one JSON value");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) return failure("the answer is not a JSON object");
  const breaches = [...breachesOf(outputSchema, json, "the answer")];
  if (!outputKeys.some((key) => Object.hasOwn(json, key))) breaches.push("the answer holds no key that Vibe knows, which means allow");
  return { ...heard(event, json as Heard, payload, breaches), breaches };
}

interface Heard {
  readonly decision?: unknown;
  readonly reason?: unknown;
  readonly system_message?: unknown;
  readonly hook_specific_output?: { readonly tool_input?: unknown; readonly additional_context?: unknown } | null;
}

/** What Vibe makes of an object, and as breaches what it ignores without a word. */
function heard(event: string, { decision, reason, system_message: notice, hook_specific_output: specific }: Heard, payload: Json | undefined, breaches: string[]): Omit<Judgement, "breaches"> {
  const before = ["pre_tool", "before_tool"].includes(event);
  const after = ["post_tool", "after_tool"].includes(event);
  const refuses = decision === "deny";
  const { tool_input: input, additional_context: context } = specific ?? {};
  if (input !== undefined && (!before || refuses)) breaches.push("new arguments count before a tool only, and not beside a refusal");
  if (context !== undefined && !after) breaches.push("context is heard after a tool only");
  if (notice !== undefined && before && refuses) breaches.push("a message beside a refusal before a tool is shown to nobody");
  const besides = {
    ...(typeof context === "string" && context !== "" && after && { context }),
    ...(typeof notice === "string" && notice !== "" && !(before && refuses) && { notice }),
  };
  // `allow` leaves the client's own permission check in place.
  if (!refuses) {
    const rewrites = before && typeof input === "object" && input !== null && !Array.isArray(input);
    if (rewrites) breaches.push(...judgeInput(payload, input));
    return { effect: "pass", reason: "", ...(rewrites && { input: input as JsonObject }), ...besides };
  }
  const text = typeof reason === "string" ? reason : reason === undefined || reason === null ? "" : JSON.stringify(reason);
  if (text.trim() === "") breaches.push(`a refusal without a reason: the model reads a stock sentence${after ? " in place of the output" : ""}`);
  const isTurn = ["post_agent", "post_agent_turn"].includes(event);
  return { effect: isTurn ? "retry" : "deny", reason: text, ...(after && { output: text }), ...besides };
}

/** A rewrite replaces the arguments as a whole, and one that the tool does not take is a refusal. */
function judgeInput(payload: Json | undefined, input: unknown): readonly string[] {
  const tool = z.object({ tool_name: z.string() }).safeParse(payload).data?.tool_name;
  const known = tool === undefined ? undefined : toolArguments.get(tool);
  return known === undefined ? [] : breachesOf(known, input, `the new arguments of ${tool ?? ""}`);
}
