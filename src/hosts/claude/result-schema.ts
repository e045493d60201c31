/**
 * The shapes in which Claude Code takes a changed tool result: one that does not fit is ignored without a word, and the
 * model reads the old one. Source: the result types in `sdk-tools.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.332, and
 * client 2.1.332, tried 2026-11-30.
 */
import * as z from "zod";

const text = z.string();
const count = z.number();
const flag = z.boolean();

const shell = z.looseObject({ stdout: text, stderr: text, interrupted: flag, isImage: flag.optional(), persistedOutputPath: text.optional(), persistedOutputSize: count.optional() });
const read = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), file: z.looseObject({ filePath: text, content: text, numLines: count, startLine: count, totalLines: count }) }),
  z.looseObject({ type: z.literal("image"), file: z.looseObject({ base64: text, type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]), originalSize: count }) }),
  z.looseObject({ type: z.literal("notebook"), file: z.looseObject({ filePath: text, cells: z.array(z.unknown()) }) }),
  z.looseObject({ type: z.literal("pdf"), file: z.looseObject({ filePath: text, base64: text, originalSize: count }) }),
  z.looseObject({ type: z.literal("parts"), file: z.looseObject({ filePath: text, originalSize: count, count, outputDir: text }) }),
]);
const agent = z.discriminatedUnion("status", [
  z.looseObject({ status: z.literal("completed"), agentId: text, content: z.array(z.looseObject({ type: z.literal("text"), text })), prompt: text }),
  z.looseObject({ status: z.literal("async_launched"), agentId: text, description: text, prompt: text, outputFile: text }),
  z.looseObject({ status: z.literal("remote_launched"), taskId: text, sessionUrl: text, prompt: text }),
]);
const hits = z.array(z.looseObject({ title: text, url: text, snippet: text.optional() }));

const results: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["Bash", shell],
  ["PowerShell", shell],
  ["Read", read],
  ["Grep", z.looseObject({ mode: z.enum(["content", "files_with_matches", "count"]).optional(), numFiles: count, filenames: z.array(text), content: text.optional() })],
  ["Glob", z.looseObject({ filenames: z.array(text), durationMs: count, numFiles: count, truncated: flag })],
  ["WebFetch", z.looseObject({ bytes: count, code: count, codeText: text, result: text, durationMs: count, url: text })],
  ["WebSearch", z.looseObject({ query: text, results: z.array(z.union([text, z.looseObject({ tool_use_id: text, content: hits })])), durationSeconds: count })],
  ["Agent", agent],
  ["Task", agent],
  ["ReadMcpResourceTool", z.looseObject({ contents: z.array(z.looseObject({ uri: text, text: text.optional() })) })],
]);

/** Of an MCP tool: text, blocks, or any object. */
const mcpResult = z.union([text, z.array(z.looseObject({ type: text })), z.looseObject({})]);

/** The shape of a tool's result; `undefined` for a tool whose types are not read here. */
export function resultShape(tool: string): z.ZodType | undefined {
  return tool.startsWith("mcp__") ? mcpResult : results.get(tool);
}

/** Where two results differ in more than texts: keys, types, numbers. `undefined` where they do not. */
export function unlikeness(before: unknown, after: unknown, path = ""): string | undefined {
  if (typeof before === "string" && typeof after === "string") return undefined;
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null) return before === after ? undefined : path || "the whole";
  if (Array.isArray(before) !== Array.isArray(after)) return path || "the whole";
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) {
    const [one, other] = [before, after].map((value) => (Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined));
    const place = unlikeness(one, other, path === "" ? key : `${path}.${key}`);
    if (place !== undefined) return place;
  }
  return undefined;
}
