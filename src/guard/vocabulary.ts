/**
 * The portable words of the language as data: tool classes, events, fields. Shared by the checks and the guard; a new
 * class or field is a row here and no parser change. Source: LANGUAGE.md 3.3 and 3.4.
 */

/** Classes a host tool can belong to. `shell` and `any` are groups, `mcp(…)` and quoted names are patterns. */
export const toolClasses = ["bash", "powershell", "write", "edit", "read", "search", "fetch", "websearch", "agent", "mcp"] as const;
export type ToolClass = (typeof toolClasses)[number];

/** Portable moments. A host event in quotes is `host-event`. */
export const eventKinds = ["before-tool", "after-tool", "prompt", "session-start", "stop", "before-compact", "after-compact", "host-event"] as const;
export type EventKind = (typeof eventKinds)[number];

/** `unknown` is `input.*`: a raw argument, coerced to text by text operators. `paths` holds every path of the call. */
export type FieldType = "text" | "path" | "number" | "bool" | "unknown";

export interface FieldFact {
  readonly type: FieldType;
  /** Tool classes whose calls carry it; absent where it does not depend on a tool. */
  readonly classes?: readonly ToolClass[];
  /** Moments that carry it; absent means all. */
  readonly events?: readonly EventKind[];
}

const tools: readonly EventKind[] = ["before-tool", "after-tool"];

/** Every field but `input.NAME`, which exists wherever there is a tool call or a host event. */
export const fields: Readonly<Record<string, FieldFact>> = {
  host: { type: "text" },
  event: { type: "text" },
  session: { type: "text" },
  cwd: { type: "path" },
  tool: { type: "text", events: tools },
  mode: { type: "text" },
  subagent: { type: "bool" },
  platform: { type: "text" },
  branch: { type: "text" },
  // Found out by the guard, as a branch is: what differs from the build in what starts it.
  tampering: { type: "text", events: ["session-start", "stop"] },
  command: { type: "text", events: tools, classes: ["bash", "powershell"] },
  dynamic: { type: "bool", events: tools },
  path: { type: "path", events: tools, classes: ["write", "edit", "read", "search"] },
  content: { type: "text", events: tools, classes: ["write", "edit"] },
  old: { type: "text", events: tools, classes: ["edit"] },
  url: { type: "text", events: tools, classes: ["fetch"] },
  domain: { type: "text", events: tools, classes: ["fetch"] },
  query: { type: "text", events: tools, classes: ["search", "websearch"] },
  server: { type: "text", events: tools, classes: ["mcp"] },
  agent: { type: "text", events: [...tools, "stop"], classes: ["agent"] },
  task: { type: "text", events: tools, classes: ["agent"] },
  output: { type: "text", events: ["after-tool"] },
  error: { type: "text", events: ["after-tool"] },
  status: { type: "text", events: ["after-tool"] },
  exit: { type: "number", events: ["after-tool"], classes: ["bash", "powershell"] },
  duration: { type: "number", events: ["after-tool"] },
  prompt: { type: "text", events: ["prompt"] },
  source: { type: "text", events: ["session-start"] },
  trigger: { type: "text", events: ["before-compact", "after-compact"] },
  instructions: { type: "text", events: ["before-compact"] },
  summary: { type: "text", events: ["after-compact"] },
  message: { type: "text", events: ["stop"] },
};

/** The class's main field: what a bare example text fills. */
export const mainField: Readonly<Record<ToolClass, string>> = {
  bash: "command",
  powershell: "command",
  write: "path",
  edit: "path",
  read: "path",
  search: "path",
  fetch: "url",
  websearch: "query",
  agent: "agent",
  mcp: "tool",
};
