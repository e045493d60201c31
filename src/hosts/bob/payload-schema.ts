/**
 * What Bob Shell writes to a hook's stdin, as schemas, in the spelling of 2.0.2 and in the one of older pages. Sources:
 * the vendor's hooks page (2026-09), payloads measured on 2.0.2 and the tools page. Loose about further fields.
 */
import * as z from "zod";

const text = z.string();
const maybeText = text.nullish();
const anything = z.record(z.string(), z.unknown());
const folder = z.string().regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)/, "not an absolute path");

const call = { tool_name: text, tool_input: anything, tool_use_id: text.optional() };
const extras: Readonly<Record<string, z.ZodRawShape>> = {
  SessionStart: { source: text },
  UserPromptSubmit: { prompt: text },
  PreToolUse: call,
  PostToolUse: { ...call, tool_response: text },
  PreCompact: { trigger: text, custom_instructions: text.nullable() },
  PostCompact: { trigger: text, compact_summary: text },
  Stop: { last_assistant_message: text.nullable() },
};

/** The older page's names for the fields of a call. Nobody has measured such a payload. */
const oldExtras: Readonly<Record<string, z.ZodRawShape>> = {
  ...extras,
  PreToolUse: { tool: text, input: anything },
  PostToolUse: { tool: text, input: anything, output: text },
};

/** Stdin of each event. */
export const payloads: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(extras).map(([event, extra]) => [event, z.looseObject({ session_id: text, cwd: folder, hook_event_name: z.literal(event), ...extra })]),
);
/** What a policy can ask of an event in quotes; at a tool it asks for the tool's arguments instead. */
export function payloadFields(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(extras)
      .filter(([, extra]) => !("tool_input" in extra))
      .map(([event, extra]) => [event, ["session_id", "cwd", "hook_event_name", ...Object.keys(extra)]]),
  );
}
export const oldPayloads: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(oldExtras).map(([event, extra]) => [event, z.looseObject({ session_id: text.optional(), cwd: folder.optional(), event: z.literal(event), ...extra })]),
);

const pathKeys = ["path", "file_path", "filePath", "file", "files", "paths"];
/** A path under one of the names, or several of them as a list. */
function withPath(shape: z.ZodRawShape): z.ZodType {
  const one = { path: maybeText, file_path: maybeText, filePath: maybeText, file: maybeText };
  const several = { paths: z.array(text).nullish(), files: z.array(z.union([text, anything])).nullish() };
  return z.looseObject({ ...one, ...several, ...shape }).refine((value) => pathKeys.some((key) => ((value as Readonly<Record<string, unknown>>)[key] ?? undefined) !== undefined), "no path");
}

const shell = z.looseObject({ command: text, cwd: maybeText });
const write = withPath({ content: text, line_count: z.number().nullish() });
const web = z.looseObject({ url: maybeText, uri: maybeText }).refine((input) => typeof input.url === "string" || typeof input.uri === "string", "neither `url` nor `uri`");

/** Arguments of the built-in tools a policy can name. Searches and subagents have none that is certain. */
export const toolArguments: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["execute_command", shell],
  ["run_shell_command", shell],
  ["write_file", write],
  ["write_to_file", write],
  ["apply_diff", withPath({ diff: text })],
  ["search_and_replace", withPath({ search: text, replace: text, use_regex: z.boolean().nullish(), ignore_case: z.boolean().nullish() })],
  ["insert_content", withPath({ line: z.number().nullish(), content: text })],
  ["read_file", withPath({})],
  ["web_fetch", web],
  ["use_mcp_tool", z.looseObject({ server_name: text, tool_name: text, arguments: z.union([anything, text]).nullish() })],
  ["access_mcp_resource", z.looseObject({ server_name: text, uri: maybeText })],
]);
