/**
 * The judge of Vibe's guards: what the client sends, and how the Unified runtime takes an exit code and stdout. Sources:
 * the hook runner in 2.26 and 3.0.2 (2026-10 and 2026-11) and the hooks pages; never our codec.
 */
import * as z from "zod";
import type { Json } from "../../guard/call.ts";
import { breachesOf, prototypeKeysIn } from "../breaches.ts";
import type { Contract, Judgement } from "../host.ts";
import { payloads, toolArguments } from "./payload-schema.ts";

export const contract: Contract = { judgePayload, judgeAnswer };

function judgePayload(event: string, payload: Json): readonly string[] {
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

function judgeAnswer(event: string, { exitCode, stdout, stderr }: Parameters<Contract["judgeAnswer"]>[1]): Judgement {
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
  const { decision, reason } = json as { readonly decision?: unknown; readonly reason?: unknown };
  // `allow` leaves the client's own permission check in place.
  if (decision !== "deny") return { effect: "pass", reason: "", breaches };
  const text = typeof reason === "string" ? reason : reason === undefined || reason === null ? "" : JSON.stringify(reason);
  if (text.trim() === "") breaches.push(`a refusal without a reason: the model reads a stock sentence${event.startsWith("post_tool") ? " in place of the output" : ""}`);
  return { effect: "deny", reason: text, breaches };
}
