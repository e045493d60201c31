/**
 * What Claude Code's tools answer, in which shapes, and where the text that the model reads stands in them. The client
 * takes a changed result only in the tool's own shape and ignores any other without a word, so what names things stays
 * as it is. Tried on client 2.1.332, 2026-11-30; the types are those of the Agent SDK 0.3.332.
 */
import type { Json, JsonObject, Place, ToolCall } from "../../guard/call.ts";
import { valueAt } from "../../guard/json-place.ts";
import { isObject, own } from "../../guard/payload.ts";
import { deepPlaces, findPlaces } from "../../guard/places.ts";

const shellOutput = ["stdout", "stderr", "structuredContent.*.text"];

/** Tools whose result is text of somebody else's: what of it the model reads. */
const outputs: Readonly<Record<string, readonly string[]>> = {
  Bash: shellOutput,
  PowerShell: shellOutput,
  Read: ["file.content", "file.cells.*.source", "file.cells.*.outputs.*.text"],
  Grep: ["content", "filenames.*"],
  Glob: ["filenames.*"],
  WebFetch: ["result"],
  WebSearch: ["results.*", "results.*.content.*.title", "results.*.content.*.url", "results.*.content.*.snippet"],
  Agent: ["content.*.text"],
  Task: ["content.*.text"],
  ReadMcpResourceTool: ["contents.*.text"],
};

/** Keys whose value is a word of the client's or bytes: another one, and the result is not taken. */
const kept: ReadonlySet<string> = new Set(["type", "mode", "status", "kind", "role", "id", "base64", "data", "media_type", "mediaType", "mimeType", "cell_type", "cellType", "output_type", "edit_mode", "action"]);
/** In a result of an MCP tool only blocks have such words. */
const keptOfBlocks: ReadonlySet<string> = new Set(["type", "source"]);

/** Where the texts of a result stand that the model reads. */
export function outputPlaces(call: Pick<ToolCall, "tool" | "mcp">, response: Json): readonly Place[] {
  if (typeof response === "string") return [{ in: "response", path: [] }];
  if (call.mcp !== undefined) return deepPlaces("response", response, Array.isArray(response) ? keptOfBlocks : new Set());
  const known = Object.hasOwn(outputs, call.tool) ? findPlaces("response", response, { output: outputs[call.tool] ?? [] })["output"] : undefined;
  return known ?? deepPlaces("response", response, kept);
}

/** The texts at the places as one; the whole result where it holds no text. */
export function outputText(response: Json, places: readonly Place[]): string {
  const texts = places.map(({ path }) => valueAt(response, path)).filter((text) => typeof text === "string" && text !== "");
  return places.length > 0 ? texts.join("\n") : JSON.stringify(response);
}

/** A result of the tool that holds this text alone; `undefined` for a tool whose shape is not known. */
export function resultWith(text: string, { tool, mcp, input, response }: ToolCall): Json | undefined {
  if (mcp !== undefined) return [{ type: "text", text }];
  const before = isObject(response) ? response : {};
  const lines = text.split("\n").length;
  switch (tool) {
    case "Bash":
    case "PowerShell": {
      const background = own(before, "backgroundTaskId");
      return { stdout: text, stderr: "", interrupted: before["interrupted"] === true, isImage: false, ...(background === undefined ? {} : { backgroundTaskId: background }) };
    }
    case "Read":
      // A picture or a notebook becomes a page of text: the shape may be any of the tool's.
      return { type: "text", file: { filePath: own(input, "file_path") ?? "", content: text, numLines: lines, startLine: 1, totalLines: lines } };
    case "Grep":
      return { mode: "content", numFiles: 0, filenames: [], content: text, numLines: lines };
    case "Glob":
      return { filenames: [text], durationMs: 0, numFiles: 1, truncated: false };
    case "WebFetch":
      return { bytes: 0, code: 200, codeText: "OK", durationMs: 0, url: own(input, "url") ?? "", ...before, result: text };
    case "WebSearch":
      return { query: own(input, "query") ?? "", results: [text], durationSeconds: 0 };
    case "ReadMcpResourceTool":
      return { contents: [{ uri: own(input, "uri") ?? "", text }] };
    case "Agent":
    case "Task":
      // One that was only started has told nothing yet.
      return Array.isArray(before["content"]) ? { ...before, content: [{ type: "text", text }] } : undefined;
    default:
      return undefined;
  }
}

/** What a shell prints beyond 30,000 characters lies in a file, whole and as it was, and the model is told where. */
const stored = ["persistedOutputPath", "persistedOutputSize", "rawOutputPath"];

/**
 * A changed result without the way to the unchanged one. Fail closed: a secret must not leak because an output was large,
 * so what the guard did not see is left out, and the model is told so.
 */
export function withoutStored(response: Json): Json {
  if (!isObject(response) || !stored.some((key) => own(response, key) !== undefined)) return response;
  const rest: JsonObject = Object.fromEntries(Object.entries(response).filter(([key]) => !stored.includes(key)));
  const { stdout } = rest;
  return typeof stdout === "string" ? { ...rest, stdout: `${stdout}\n[policyc: the rest of this output is left out, because a rule changes what is shown of it]` } : rest;
}
