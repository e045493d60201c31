/**
 * The judge of Claude Code's guards: what the client sends, and how it takes an exit code with stdout and stderr. Knows
 * the client by its schemas and by the outcome table measured on 2.1.332 (2026-11-25), never by our codec.
 */
import * as z from "zod";
import type { Json, JsonObject } from "../../guard/call.ts";
import { breachesOf, prototypeKeysIn } from "../breaches.ts";
import type { Contract, Judgement } from "../host.ts";
import { payloads, toolArguments } from "./payload-schema.ts";
import { resultShape, unlikeness } from "./result-schema.ts";

export function judgePayload(event: string, payload: Json): readonly string[] {
  const schema = payloads.get(event);
  if (schema === undefined) return [`\`${event}\` is not an event of Claude Code`];
  const breaches = [...prototypeKeysIn(payload, "the payload"), ...breachesOf(schema, payload, "the payload")];
  const call = z.object({ tool_name: z.string(), tool_input: z.record(z.string(), z.unknown()), tool_response: z.unknown().optional() }).safeParse(payload);
  if (!call.success) return breaches;
  const { tool_name: tool, tool_input: input, tool_response: response } = call.data;
  const known = toolArguments.get(tool);
  const shape = event === "PostToolUse" ? resultShape(tool) : undefined;
  if (shape !== undefined) breaches.push(...breachesOf(shape, response, `the result of ${tool}`));
  // A batch reports calls that were refused for their arguments as well; everywhere else they are validated.
  return [...breaches, ...prototypeKeysIn((payload as { tool_input: unknown }).tool_input, "`tool_input`"), ...(known === undefined ? [] : breachesOf(known, input, `the arguments of ${tool}`))];
}

/** What exit 2 does: refuses the thing itself, is only heard by the model, or nothing at all. */
const refusable: ReadonlySet<string> = new Set([
  "PreToolUse", "PermissionRequest", "PreSkillShellCommand", "UserPromptSubmit", "UserPromptExpansion", "PostToolBatch", "Stop", "SubagentStop", "PreCompact",
  "PreModelSwitch", "TaskCreated", "TaskCompleted", "TeammateIdle", "ConfigChange", "Elicitation", "ElicitationResult", "WorktreeCreate",
]);
/** Where `additionalContext` reaches the model without changing what happens: at a stop it would send the agent back. */
const contextEvents: ReadonlySet<string> = new Set([
  "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "Setup", "SubagentStart", "PostModelSwitch", "Notification",
]);
/** Where text on stdout that is no JSON has a meaning: model context, or the new worktree's path. */
const plainTextEvents: ReadonlySet<string> = new Set(["SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch", "WorktreeCreate"]);

const text = z.string();
const own: Readonly<Record<string, z.ZodRawShape>> = {
  PreToolUse: permissionShape(),
  PreSkillShellCommand: permissionShape(),
  PreModelSwitch: permissionShape(),
  PermissionRequest: { decision: z.looseObject({ behavior: z.enum(["allow", "deny"]), message: text.optional(), interrupt: z.boolean().optional() }).optional() },
  PostToolUse: { updatedToolOutput: z.unknown().optional(), additionalContext: text.optional() },
  PermissionDenied: { retry: z.boolean().optional() },
  Elicitation: { action: z.enum(["accept", "decline", "cancel"]).optional() },
  ElicitationResult: { action: z.enum(["accept", "decline", "cancel"]).optional() },
  WorktreeCreate: { worktreePath: text.optional() },
  MessageDisplay: { displayContent: text.optional() },
};

function permissionShape(): z.ZodRawShape {
  return { permissionDecision: z.enum(["allow", "deny", "ask", "defer"]).optional(), permissionDecisionReason: text.optional(), updatedInput: z.record(z.string(), z.unknown()).optional() };
}

/** The one JSON object of an answer. The client takes it whole or not at all. */
function outputSchema(event: string) {
  return z.looseObject({
    continue: z.boolean().optional(),
    stopReason: text.optional(),
    suppressOutput: z.boolean().optional(),
    systemMessage: text.optional(),
    decision: z.enum(["approve", "block"]).optional(),
    reason: text.optional(),
    hookSpecificOutput: z.looseObject({ hookEventName: z.literal(event), additionalContext: text.optional(), ...own[event] }).optional(),
  });
}
type Output = z.infer<ReturnType<typeof outputSchema>>;
const outputKeys = ["continue", "stopReason", "suppressOutput", "systemMessage", "terminalSequence", "decision", "reason", "hookSpecificOutput"];

export function judgeAnswer(event: string, { exitCode, stdout, stderr }: Parameters<Contract["judgeAnswer"]>[1], payload?: Json): Judgement {
  const breaches: string[] = [];
  const output = readOutput(event, stdout, breaches);
  const said = output === undefined ? undefined : saidBy(event, output);
  const rest = output === undefined ? plainContext(event, stdout) : besides(event, output, payload, breaches);
  const spoken = stderr.trim();
  if (exitCode === 2) {
    if (spoken === "") breaches.push("exit 2 without a reason on stderr: the model reads `No stderr output`");
    if (said !== undefined && said.effect !== refusal(event)) breaches.push(`exit 2 refuses, but stdout says ${said.effect}`);
    if (!payloads.has(event)) return { effect: "deny", reason: spoken, breaches };
    if (!refusable.has(event)) return { effect: "pass", reason: spoken, breaches: [...breaches, `exit 2 cannot stop ${event}`] };
    return { ...rest, effect: refusal(event), reason: said?.effect === refusal(event) && said.reason !== "" ? said.reason : spoken, breaches };
  }
  // The client obeys JSON beside these too, but lets the call run whenever there is none.
  if (exitCode === null) breaches.push("the guard was ended from outside: the client lets the call run");
  else if (exitCode !== 0) breaches.push(`exit ${exitCode} is a failure: without \`onFailure\` the client lets the call run`);
  if (!payloads.has(event)) return { effect: "pass", reason: "", breaches: [...breaches, `\`${event}\` is not an event of Claude Code`] };
  if (said?.effect === refusal(event) && said.reason.trim() === "") breaches.push("a refusal without a reason");
  return { ...rest, effect: said?.effect ?? (rest.output === undefined ? "pass" : "deny"), reason: said?.reason ?? "", breaches };
}

/** At a stop a refusal sends the agent back. */
function refusal(event: string): "deny" | "retry" {
  return event === "Stop" || event === "SubagentStop" ? "retry" : "deny";
}

/** Characters of context the client passes on; beyond them it stores the text and shows a preview (measured). */
const mostContext = 10_000;

/** What an answer says besides its decision. */
function besides(event: string, output: Output, payload: Json | undefined, breaches: string[]): Partial<Judgement> {
  const specific = (output.hookSpecificOutput ?? {}) as Readonly<Record<string, unknown>>;
  const { updatedInput, updatedToolOutput, additionalContext } = specific;
  const context = typeof additionalContext === "string" && additionalContext !== "" ? additionalContext : undefined;
  if (context !== undefined && !contextEvents.has(event)) breaches.push(`${event} takes no context`);
  if (context !== undefined && context.length > mostContext) breaches.push(`context of ${context.length} characters: the model gets a preview of more than ${mostContext}`);
  const call = z.object({ tool_name: text, tool_response: z.unknown() }).partial().safeParse(payload).data;
  if (updatedInput !== undefined) breaches.push(...judgeInput(event, call?.tool_name, updatedInput));
  const isTaken = updatedToolOutput !== undefined && judgeResult(event, call, updatedToolOutput, breaches);
  return {
    ...(updatedInput !== undefined && event === "PreToolUse" && { input: updatedInput as JsonObject }),
    ...(isTaken && { output: updatedToolOutput as Json }),
    ...(context !== undefined && contextEvents.has(event) && { context }),
    ...(output.systemMessage !== undefined && { notice: output.systemMessage }),
  };
}

function judgeInput(event: string, tool: string | undefined, input: unknown): readonly string[] {
  if (event !== "PreToolUse") return [`arguments cannot be changed at ${event}`];
  const known = tool === undefined ? undefined : toolArguments.get(tool);
  return known === undefined ? [] : breachesOf(known, input, `the new arguments of ${tool ?? ""}`);
}

/** True where the client takes it. Without the payload the tool is not known, and nothing but the event is judged. */
function judgeResult(event: string, call: { readonly tool_name?: string | undefined; readonly tool_response?: unknown } | undefined, result: unknown, breaches: string[]): boolean {
  const faults: string[] = [];
  const { tool_name: tool, tool_response: before } = call ?? {};
  if (event !== "PostToolUse") faults.push(`an output cannot be changed at ${event}`);
  else if (tool !== undefined) {
    const shape = resultShape(tool);
    if (shape !== undefined) faults.push(...breachesOf(shape, result, `the new output of ${tool}`));
    // Nobody knows which words such a tool may answer; texts of another wording have been taken wherever it was tried.
    else if (unlikeness(before, result) !== undefined) faults.push(`\`${unlikeness(before, result) ?? ""}\` of the new output of ${tool} is of another shape, and the client ignores it`);
  }
  breaches.push(...faults);
  return faults.length === 0;
}

/** Text that is no JSON, where it becomes context. */
function plainContext(event: string, stdout: string): Partial<Judgement> {
  const printed = stdout.replace(/^\ufeff/, "").trim();
  return printed !== "" && contextEvents.has(event) && plainTextEvents.has(event) && !printed.startsWith("{") ? { context: printed } : {};
}

/** The answer's JSON object, `undefined` where the client sees none. */
function readOutput(event: string, stdout: string, breaches: string[]): Output | undefined {
  const printed = stdout.replace(/^\ufeff/, "").trim();
  if (printed === "") return undefined;
  if (!printed.startsWith("{") || !printed.endsWith("}")) {
    if (!plainTextEvents.has(event)) breaches.push("stdout is not one JSON object: the client takes it for plain text, which decides nothing");
    return undefined;
  }
  let json: unknown;
  try {
    json = JSON.parse(printed);
  } catch {
    breaches.push("stdout begins and ends like JSON and cannot be read: a failure of the hook");
    return undefined;
  }
  const schema = outputSchema(event);
  const faults = breachesOf(schema, json, "the answer");
  breaches.push(...faults);
  if (faults.length > 0) return undefined;
  const output = schema.parse(json);
  if (!outputKeys.some((key) => Object.hasOwn(output, key))) breaches.push("the answer holds no key the client knows, so it decides nothing");
  if (output.continue === false && event === "PreToolUse" && saidBy(event, output)?.effect !== "deny") breaches.push("`continue: false` ends the turn after the call has run: it refuses nothing");
  return output;
}

interface Said {
  readonly effect: Judgement["effect"];
  readonly reason: string;
}

function saidBy(event: string, output: Output): Said | undefined {
  const specific = (output.hookSpecificOutput ?? {}) as Readonly<Record<string, unknown>>;
  const permission = specific["permissionDecision"];
  const reason = typeof specific["permissionDecisionReason"] === "string" ? specific["permissionDecisionReason"] : (output.reason ?? "");
  // Inline skill shell is refused by every answer but allow; `defer` stops the call on each event.
  if (permission === "deny" || permission === "defer" || (permission === "ask" && event === "PreSkillShellCommand")) return { effect: "deny", reason };
  if (permission === "ask" || permission === "allow") return { effect: permission, reason };
  const request = specific["decision"] as { readonly behavior?: unknown; readonly message?: string } | undefined;
  if (request?.behavior === "deny") return { effect: "deny", reason: request.message ?? "" };
  if (request?.behavior === "allow") return { effect: "allow", reason: "" };
  if (specific["action"] === "decline" || specific["action"] === "cancel") return { effect: "deny", reason: output.reason ?? "declined" };
  if (output.decision === "block") return { effect: refusal(event), reason: output.reason ?? "" };
  if (output.decision === "approve") return { effect: "allow", reason: output.reason ?? "" };
  return undefined;
}
