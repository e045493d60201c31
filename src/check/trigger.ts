/**
 * What a rule is about: the event and, where it is a tool call, the tools. Unknown words are refused with near ones; the
 * rest of the checks works with the `Moment` made here.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { NamePattern, ToolPattern } from "../guard/plan.ts";
import { toolClasses } from "../guard/vocabulary.ts";
import type { EventKind, ToolClass } from "../guard/vocabulary.ts";
import type { McpPart, Name, Text, ToolReference, Trigger } from "../syntax/ast.ts";
import type { CheckedTool } from "./checked.ts";
import type { Report } from "./report.ts";

export interface Moment {
  /** `any-event`: every event a host has. */
  readonly event: EventKind | "any-event";
  readonly hostEvent?: string;
  /** Of `on stop of …`. */
  readonly agents?: readonly string[];
  /** Empty where the event has no tool. */
  readonly tools: readonly CheckedTool[];
  /** `before a tool`, `on stop`: for sentences. */
  readonly words: string;
}

export const eventWords: Readonly<Record<Exclude<EventKind, "host-event"> | "any-event", string>> = {
  "before-tool": "before a tool",
  "after-tool": "after a tool",
  prompt: "on prompt",
  "session-start": "on session-start",
  stop: "on stop",
  "before-compact": "before compact",
  "after-compact": "after compact",
  "any-event": "on any",
};

/** Words after `on`. */
const events: Readonly<Record<string, EventKind | "any-event">> = { prompt: "prompt", "session-start": "session-start", stop: "stop", any: "any-event" };

/** Words people bring from hosts and other guards, and what they mean here. */
const foreignTools: Readonly<Record<string, string>> = {
  cmd: "shell", command: "shell", exec: "bash", execute_command: "bash", terminal: "shell", sh: "bash", zsh: "bash", pwsh: "powershell",
  file: "write, edit", files: "write, edit", delete: "any", create: "write", modify: "edit", patch: "edit", glob: "search", grep: "search",
  find: "search", ls: "search", http: "fetch", web: "fetch, websearch", webfetch: "fetch", web_fetch: "fetch", curl: "fetch", task: "agent",
  subagent: "agent", tool: "any", tools: "any", all: "any", everything: "any",
};

export function checkTrigger(trigger: Trigger, file: SourceFile, report: Report): Moment | undefined {
  return trigger.kind === "on" ? checkEvent(trigger, file, report) : checkTools(trigger, file, report);
}

function checkEvent(trigger: Extract<Trigger, { kind: "on" }>, file: SourceFile, report: Report): Moment | undefined {
  const { event, of } = trigger;
  const kind = event.kind === "text" ? "host-event" : Object.hasOwn(events, event.text) ? events[event.text] : undefined;
  if (kind === undefined) {
    const name = event.kind === "text" ? event.value : event.text;
    report(diagnose("check/unknown-name", { kind: "event", name }, { file, span: event.span, help: { text: eventHelp(name) } }));
    return undefined;
  }
  if (of.length > 0 && kind !== "stop") {
    report(
      diagnose("check/type-mismatch", { problem: "only `on stop` can be about one agent" }, {
        file,
        span: joined(of),
        help: { text: "leave `of …` out" },
      }),
    );
    return undefined;
  }
  const hostEvent = event.kind === "text" ? event.value : undefined;
  if (hostEvent?.trim() === "") {
    report(diagnose("check/type-mismatch", { problem: "an empty name is the name of no event" }, { file, span: event.span, help: { text: "write the host's name of the event" } }));
    return undefined;
  }
  const agents = of.map((name) => (name.kind === "text" ? name.value : name.text));
  if (agents.some((name) => name.trim() === "")) {
    report(diagnose("check/type-mismatch", { problem: "an empty name is the name of no agent" }, { file, span: joined(of), help: { text: "write its name; `main` is the main agent" } }));
    return undefined;
  }
  return { event: kind, ...(hostEvent !== undefined && { hostEvent }), ...(agents.length > 0 && { agents }), tools: [], words: kind === "host-event" ? `on "${hostEvent}"` : eventWords[kind] };
}

function eventHelp(name: string): string {
  const plain = name.toLowerCase();
  if (plain === "compact") return "write `before compact` or `after compact`";
  if (isToolWord(name)) return `a tool is named without \`on\`: \`before ${name}\` or \`after ${name}\``;
  const near = nearest(name, Object.keys(events));
  if (near.length > 0) return `did you mean ${eitherOf(near.map((event) => `on ${event}`))}?`;
  // Hosts write their events in capitals: PreToolUse, SubagentStart.
  if (/[A-Z]/.test(name)) return `a host's own event goes in quotes: \`on "${name}"\``;
  return "the events are `on prompt`, `on session-start`, `on stop`, `on any`, and a host's own in quotes";
}

function checkTools(trigger: Extract<Trigger, { kind: "tools" }>, file: SourceFile, report: Report): Moment | undefined {
  const [only] = trigger.tools;
  const spoken = only !== undefined && trigger.span.start < only.span.start;
  if (trigger.tools.length === 1 && only?.kind === "class" && only.name === "compact" && spoken) {
    const event = trigger.moment === "before" ? "before-compact" : "after-compact";
    return { event, tools: [], words: eventWords[event] };
  }
  const tools: CheckedTool[] = [];
  let known = true;
  for (const reference of trigger.tools) {
    const patterns = patternsOf(reference);
    tools.push(...patterns.map((pattern) => ({ span: reference.span, pattern })));
    if (patterns.some(namesNothing)) {
      known = false;
      report(diagnose("check/type-mismatch", { problem: "an empty name is the name of no tool" }, { file, span: reference.span, help: { text: "write the name, or `any` for every tool" } }));
    }
    if (patterns.length > 0) continue;
    known = false;
    if (reference.kind !== "class") continue;
    report(diagnose("check/unknown-name", { kind: "tool class", name: reference.name }, { file, span: reference.span, help: { text: toolHelp(reference.name) } }));
  }
  const event = trigger.moment === "before" ? "before-tool" : "after-tool";
  return known ? { event, tools, words: eventWords[event] } : undefined;
}

/** Empty for an unknown word. */
function patternsOf(reference: ToolReference): readonly ToolPattern[] {
  switch (reference.kind) {
    case "class":
      if (reference.name === "any") return [{ kind: "any" }];
      // On hosts where one tool is both, the guard tells them apart.
      if (reference.name === "shell") return [{ kind: "class", name: "bash" }, { kind: "class", name: "powershell" }];
      return isToolClass(reference.name) ? [{ kind: "class", name: reference.name }] : [];
    case "host-tool":
      return [{ kind: "tool", name: reference.name }];
    case "mcp":
      return reference.patterns.map(({ server, tool }) => ({ kind: "mcp", server: partOf(server), ...(tool && { tool: partOf(tool) }) }));
    case "agent":
      return [reference.names.length === 0 ? { kind: "class", name: "agent" } : { kind: "agent", names: reference.names.map((name) => name.value) }];
    default:
      return reference satisfies never;
  }
}

/** A rule on such a pattern would be listed as a protection and match nothing. */
function namesNothing(pattern: ToolPattern): boolean {
  const isEmpty = (name: string) => name.trim() === "";
  const isEmptyPart = (part: NamePattern | undefined) => part !== undefined && !part.star && isEmpty(part.text);
  if (pattern.kind === "tool") return isEmpty(pattern.name);
  if (pattern.kind === "mcp") return isEmptyPart(pattern.server) || isEmptyPart(pattern.tool);
  return pattern.kind === "agent" && pattern.names.some(isEmpty);
}

function partOf({ text, star }: McpPart) {
  return { text, star };
}

function toolHelp(name: string): string {
  const plain = name.toLowerCase();
  if (plain === "compact") return "write `before compact` or `after compact`, in a rule of its own";
  if (Object.hasOwn(events, plain)) return `an event is named with \`on\`: \`on ${plain}\``;
  if (plain === "mcp") return "name the server and tool: `mcp(github.delete_*)`, or `mcp(*)` for all";
  const near = nearest(name, [...toolClasses, "shell", "any"]);
  if (near.length > 0) return `did you mean ${eitherOf(near)}?`;
  const foreign = Object.hasOwn(foreignTools, plain) ? foreignTools[plain] : undefined;
  if (foreign !== undefined) return `the word for it here is \`${foreign}\``;
  if (/[A-Z_]/.test(name)) return `a host's own tool goes in quotes: \`"${name}"\``;
  return `the classes are ${toolClasses.filter((tool) => tool !== "mcp").join(", ")}, shell, any and mcp(server.tool)`;
}

function isToolWord(name: string): boolean {
  return isToolClass(name) || name === "shell";
}

export function isToolClass(name: string): name is ToolClass {
  return (toolClasses as readonly string[]).includes(name);
}

function joined(nodes: readonly (Name | Text)[]): Span {
  return { start: nodes[0]?.span.start ?? 0, end: nodes.at(-1)?.span.end ?? 0 };
}
