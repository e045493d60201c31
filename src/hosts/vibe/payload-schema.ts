/**
 * What Vibe writes to a hook's stdin, as schemas, for the runtimes since 2.15. Sources: changelog up to 2.26.0
 * (2026-10-05), the hooks pages, and the hook runner and argument models in the packages of 3.0.2 (2026-11). Loose about
 * further fields and about values.
 */
import * as z from "zod";

const text = z.string();
const maybeText = text.nullish();
const maybeNumber = z.number().nullish();
const anything = z.record(z.string(), z.unknown());
const folder = z.string().regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)/, "not an absolute path");

/** Unified 2.25 sent none of the session's own fields. */
const session = { session_id: text.optional(), parent_session_id: maybeText, transcript_path: text.optional(), cwd: folder };
const call = { tool_name: text.min(1), tool_call_id: text, tool_input: anything };

const moments: readonly { readonly names: readonly string[]; readonly extra: z.ZodRawShape }[] = [
  { names: ["pre_tool", "before_tool"], extra: call },
  {
    names: ["post_tool", "after_tool"],
    // An MCP tool may give any value for its output, `null` on success included.
    extra: { ...call, tool_status: text, tool_output: z.unknown().optional(), tool_output_text: text, tool_error: maybeText, duration_ms: z.number() },
  },
  { names: ["post_agent", "post_agent_turn"], extra: { agent_name: text.optional() } },
];

/** Stdin of each event, by the names since 2.21 and those before. */
export const payloads: ReadonlyMap<string, z.ZodType> = new Map(
  moments.flatMap(({ names, extra }) => {
    const schema = z.looseObject({ ...session, hook_event_name: z.enum(names as [string, ...string[]]), ...extra });
    return names.map((name) => [name, schema] as const);
  }),
);

/** One of the spellings of an argument has to be there. */
function withPath(shape: z.ZodRawShape): z.ZodType {
  return z.looseObject({ file_path: maybeText, path: maybeText, ...shape }).refine((input) => typeof input["file_path"] === "string" || typeof input["path"] === "string", "neither `file_path` nor `path`");
}

const shell = z.looseObject({ command: text, timeout: maybeNumber, timeout_seconds: maybeNumber, cwd: maybeText, env: anything.nullish() });
const typed = z
  .looseObject({ processId: maybeText, text: maybeText, control: z.array(text).nullish(), bytesBase64: z.base64().nullish() })
  .refine((input) => [input.text, input.control, input.bytesBase64].some((value) => value !== undefined && value !== null), "none of `text`, `control`, `bytesBase64`");
const hunk = z.looseObject({ old_str: text, new_str: text, replace_all: z.boolean().nullish() });
const edit = withPath({ old_string: maybeText, new_string: maybeText, replace_all: z.boolean().nullish(), content: z.union([text, z.array(hunk)]).nullish() }).refine(
  (value) => {
    const input = value as Readonly<Record<string, unknown>>;
    return (typeof input["old_string"] === "string" && typeof input["new_string"] === "string") || (input["content"] ?? undefined) !== undefined;
  },
  "neither `old_string` with `new_string` nor `content`",
);
const read = withPath({ offset: maybeNumber, limit: maybeNumber });
const fetch = z.looseObject({ url: text, timeout: maybeNumber });
const search = z.looseObject({ query: text });

/** Arguments of the built-in tools a policy can name, under each name of the tool. */
export const toolArguments: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...["file_system.bash", "bash", "git_bash", "powershell", "process.start"].map((name) => [name, shell] as const),
  ["process.write", typed],
  ...["file_system.write_file", "write_file"].map((name) => [name, withPath({ content: text })] as const),
  ...["file_system.search_replace", "search_replace", "edit"].map((name) => [name, edit] as const),
  ...["file_system.read_file", "read_file", "read"].map((name) => [name, read] as const),
  ["grep", z.looseObject({ pattern: text, path: maybeText, max_matches: maybeNumber, use_default_ignore: z.boolean().nullish() })],
  ...["web_fetch", "web.web_fetch", "connector_web_search.open_url"].map((name) => [name, fetch] as const),
  ...["web_search", "connector_web_search.web_search"].map((name) => [name, search] as const),
  ...["skill", "skill.read"].map((name) => [name, z.looseObject({ name: text })] as const),
  ["agents.spawn", z.looseObject({ message: maybeText, config_name: maybeText })],
  ["task", z.looseObject({ task: text, agent: maybeText })],
]);
