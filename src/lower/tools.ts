/**
 * Which tools a rule looks at on one host, and which of them the hook entry of an event must name. A class without a tool
 * on the host is reported, never turned into an entry that matches nothing.
 */
import type { CheckedRule, CheckedTool } from "../check/checked.ts";
import type { NamePattern, ToolPattern } from "../guard/plan.ts";
import type { ToolClass } from "../guard/vocabulary.ts";
import type { Host, ToolMatch } from "../hosts/host.ts";

export interface LoweredTools {
  readonly patterns: readonly ToolPattern[];
  /** What the author named and the host has no tool for; one for each place in the source. */
  readonly missing: readonly CheckedTool[];
}

/** Keeps the tools the host has. A group word such as `shell` is missing only where all its classes are. */
export function lowerTools(rule: Pick<CheckedRule, "tools">, host: Host): LoweredTools {
  const exists = ({ pattern }: CheckedTool) => {
    const toolClass = listedClass(pattern);
    return toolClass === undefined || host.facts.tools[toolClass].length > 0;
  };
  const present = rule.tools.filter(exists);
  const found = new Set(present.map((tool) => tool.span.start));
  const missing = rule.tools.filter((tool, index) => !found.has(tool.span.start) && rule.tools.findIndex((other) => other.span.start === tool.span.start) === index);
  return { patterns: present.map((tool) => spell(tool.pattern, host)), missing };
}

/** Fail closed: a name as people wrote it matches no call of a host that sends it with other characters. */
function spell(pattern: ToolPattern, host: Host): ToolPattern {
  const { mcpPart } = host.facts;
  if (pattern.kind !== "mcp" || mcpPart === undefined) return pattern;
  const spelled = (name: NamePattern): NamePattern => ({ text: mcpPart(name.text), star: name.star });
  return { kind: "mcp", server: spelled(pattern.server), ...(pattern.tool && { tool: spelled(pattern.tool) }) };
}

/** The class whose names the host must have; `undefined` where there is no list of names to look in. */
function listedClass(pattern: ToolPattern): ToolClass | undefined {
  if (pattern.kind === "agent") return "agent";
  return pattern.kind === "class" && pattern.name !== "mcp" ? pattern.name : undefined;
}

/** The union of what the rules look at, for the entry's matcher; `undefined` where one of them needs every tool. */
export function matchTools(patterns: readonly ToolPattern[]): readonly ToolMatch[] | undefined {
  const matches = new Map<string, ToolMatch>();
  for (const pattern of patterns) {
    if (pattern.kind === "any") return undefined;
    const match = matchOf(pattern);
    matches.set(JSON.stringify(match), match);
  }
  return [...matches.entries()].sort(([first], [second]) => (first < second ? -1 : 1)).map(([, match]) => match);
}

function matchOf(pattern: Exclude<ToolPattern, { readonly kind: "any" }>): ToolMatch {
  switch (pattern.kind) {
    case "class":
      return { kind: "class", toolClass: pattern.name };
    case "agent":
      return { kind: "class", toolClass: "agent" };
    case "tool":
      return { kind: "tool", name: pattern.name };
    case "mcp":
      return { kind: "mcp", server: { text: pattern.server.text, star: pattern.server.star } };
    default:
      return pattern satisfies never;
  }
}
