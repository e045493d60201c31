/**
 * Which calls of a host an example line stands for. A bare text fills the main field of the rule's tools; with several
 * classes the example is tried on each that has the fields it names.
 */
import type { CheckedExample, CheckedRule } from "../check/checked.ts";
import type { Platform } from "../guard/call.ts";
import type { ToolPattern } from "../guard/plan.ts";
import { fields as fieldFacts, mainField, toolClasses } from "../guard/vocabulary.ts";
import type { ToolClass } from "../guard/vocabulary.ts";
import type { Host } from "../hosts/host.ts";

/** One call, in the words of `Player.compose`, and the machine it is made on. */
export interface ExampleCall {
  /** The host's event name. */
  readonly event: string;
  /** The host's tool name; `undefined` where the event has none. */
  readonly tool: string | undefined;
  readonly fields: Readonly<Record<string, string | number>>;
  /** `""`: no repository. */
  readonly branch: string;
  /** What has been done to the settings that start the guard; `""`: nothing. */
  readonly tampering: string;
  /** Where the example names it, or where the host's tool is of the class on one platform only. */
  readonly platform: Platform | undefined;
}

/** A tool to try, and its class where it is known. */
interface Candidate {
  readonly tool: string;
  readonly toolClass: ToolClass | undefined;
}

/** When something happens, of a rule or of a step of a test. */
type Moment = Pick<CheckedRule, "event" | "hostEvent" | "agents">;

/** Fields that choose the tool or the machine, and are nothing the tool is given. */
const surroundings: ReadonlySet<string> = new Set(["branch", "platform", "server", "tampering", "tool"]);

/** `tools` are those the rule has on the host. Empty where no tool of the rule has the fields that the example names. */
export function exampleCalls(rule: Moment, example: Pick<CheckedExample, "stimulus">, tools: readonly ToolPattern[], host: Host): readonly ExampleCall[] {
  const named = namedFields(rule, example, tools, host);
  const event = rule.event === "host-event" ? rule.hostEvent : rule.event === "any-event" ? undefined : host.player.eventOf(rule.event, named ?? {});
  if (named === undefined || event === undefined) return [];
  const own = Object.fromEntries(Object.entries(named).filter(([field]) => !surroundings.has(field)));
  const platform = platforms.find((name) => name === named["platform"]);
  const call = { event, branch: String(named["branch"] ?? ""), tampering: String(named["tampering"] ?? "") };
  if (tools.length === 0) return [{ ...call, platform, tool: undefined, fields: own }];
  const server = named["server"] === undefined ? undefined : String(named["server"]);
  const candidates: readonly Candidate[] = named["tool"] === undefined ? tools.flatMap((pattern) => candidatesOf(pattern, host, server)) : [namedTool(String(named["tool"]), host)];
  return distinct(candidates)
    .filter(({ toolClass }) => Object.keys(own).every((field) => hasField(toolClass, field)) && (server === undefined || toolClass === "mcp"))
    .map(({ tool, toolClass }) => ({
      ...call,
      platform: platform ?? (isWindowsOnly(tool, toolClass, host) ? "windows" : undefined),
      tool,
      fields: { ...(toolClass === "mcp" || toolClass === undefined ? asArguments(own) : own), ...(server !== undefined && { server }) },
    }));
}

/** Of a rule about the stop of some agents, the first of them stops. */
function namedFields(rule: Moment, example: Pick<CheckedExample, "stimulus">, tools: readonly ToolPattern[], host: Host): Readonly<Record<string, string | number>> | undefined {
  const stopping = rule.agents === undefined ? {} : { agent: rule.agents[0] ?? "main" };
  if ("fields" in example.stimulus) return { ...stopping, ...Object.fromEntries(example.stimulus.fields.map(({ field, value }) => [field, value])) };
  const main = mainFieldOf(rule, tools, host);
  return main === undefined ? undefined : { ...stopping, [main]: example.stimulus.main };
}

/** LANGUAGE.md 3.12: the class's main field; of several classes the path, or for shells and MCP together the command. */
function mainFieldOf(rule: Moment, tools: readonly ToolPattern[], host: Host): string | undefined {
  if (rule.event === "prompt") return "prompt";
  if (rule.event === "stop") return "message";
  if (rule.event === "after-tool") return "output";
  if (rule.event !== "before-tool") return undefined;
  const classes = new Set(tools.flatMap((pattern) => candidatesOf(pattern, host)).map(({ toolClass }) => toolClass));
  const mains = new Set([...classes].map((toolClass) => (toolClass === undefined ? undefined : mainField[toolClass])));
  if (mains.size === 1) return [...mains][0];
  if (mains.has("path")) return "path";
  return mains.has("command") && [...mains].every((main) => main === "command" || main === "tool") ? "command" : undefined;
}

/** `server`: the one the example names. */
function candidatesOf(pattern: ToolPattern, host: Host, server?: string): readonly Candidate[] {
  switch (pattern.kind) {
    case "any":
      return toolClasses.flatMap((toolClass) => candidatesOf(toolClass === "mcp" ? { kind: "mcp", server: { text: "", star: true } } : { kind: "class", name: toolClass }, host, server));
    case "class":
      return host.facts.tools[pattern.name].slice(0, 1).map((tool) => ({ tool, toolClass: pattern.name }));
    case "agent":
      return host.facts.tools.agent.slice(0, 1).map((tool) => ({ tool, toolClass: "agent" }));
    case "tool":
      return [namedTool(pattern.name, host)];
    case "mcp":
      return [{ tool: host.facts.mcpTool(server ?? spelled(pattern.server, "server"), spelled(pattern.tool ?? { text: "", star: true }, "tool")), toolClass: "mcp" }];
    default:
      return pattern satisfies never;
  }
}

/** A name the pattern matches: `github`, `delete_tool` for `delete_*`. */
function spelled(part: { readonly text: string; readonly star: boolean }, filler: string): string {
  return part.star ? `${part.text}${filler}` : part.text;
}

/** `Bash` and `mcp__github__x` are a host's own spellings, `github.delete_repo` is an MCP tool in ours. */
function namedTool(name: string, host: Host): Candidate {
  const toolClass = toolClasses.find((candidate) => host.facts.tools[candidate].includes(name));
  if (toolClass !== undefined) return { tool: name, toolClass };
  if (name.startsWith(mcpMark(host))) return { tool: name, toolClass: "mcp" };
  const dot = name.indexOf(".");
  return dot > 0 ? { tool: host.facts.mcpTool(name.slice(0, dot), name.slice(dot + 1)), toolClass: "mcp" } : { tool: name, toolClass: undefined };
}

/** What the host's names of MCP tools begin with. */
function mcpMark(host: Host): string {
  const [one, other] = [host.facts.mcpTool("a", "tool"), host.facts.mcpTool("b", "tool")];
  return one.slice(0, [...one].findIndex((character, index) => character !== other[index]));
}

/** An MCP tool and one that nobody knows may have any argument; a known class has its fields. */
function hasField(toolClass: ToolClass | undefined, field: string): boolean {
  if (toolClass === undefined || toolClass === "mcp" || field.startsWith("input.")) return true;
  const fact = Object.hasOwn(fieldFacts, field) ? fieldFacts[field] : undefined;
  return fact?.classes?.includes(toolClass) ?? true;
}

/** Where a field depends on the tool, it is an argument of that name for a tool without a class. */
function asArguments(fields: Readonly<Record<string, string | number>>): Readonly<Record<string, string | number>> {
  const isArgument = (field: string) => Object.hasOwn(fieldFacts, field) && fieldFacts[field]?.classes !== undefined;
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [isArgument(field) ? `input.${field}` : field, value]));
}

const platforms: readonly Platform[] = ["linux", "macos", "windows"];

/** A tool that runs Bash elsewhere is a PowerShell only on Windows. */
function isWindowsOnly(tool: string, toolClass: ToolClass | undefined, host: Host): boolean {
  return toolClass === "powershell" && host.facts.tools.bash.includes(tool);
}

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(candidates.map((candidate) => [`${candidate.tool} ${candidate.toolClass}`, candidate])).values()];
}
