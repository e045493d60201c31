/**
 * Triggers: whether a rule is about a call at all, by event and tool. A doubt only where a host spells an MCP tool so
 * that its server cannot be told.
 */
import type { McpName, ToolCall } from "./call.ts";
import type { NamePattern, RulePlan, ToolPattern } from "./plan.ts";
import { anyOf } from "./truth.ts";
import type { Truth } from "./world.ts";

export function appliesTo(rule: RulePlan, call: ToolCall): Truth {
  if (!isAtMoment(rule, call)) return false;
  return rule.tools.length === 0 || anyOf(rule.tools.map((pattern) => matchTool(pattern, call)));
}

function isAtMoment(rule: RulePlan, call: ToolCall): boolean {
  if (rule.event === "any-event") return rule.hostEvents?.includes(call.hostEvent) ?? false;
  if (rule.hostEvent !== undefined) return rule.hostEvent === call.hostEvent;
  return rule.event === call.event && (rule.agents === undefined || isAgent(rule.agents, call));
}

/** A host that names no agent at a stop tells at least a subagent from the main one. */
function isAgent(names: readonly string[], call: ToolCall): boolean {
  const agent = Object.hasOwn(call.fields, "agent") ? call.fields["agent"] : undefined;
  if (typeof agent === "string" && agent !== "") return names.includes(agent);
  return names.includes("main") && call.fields["subagent"] !== true;
}

function matchTool(pattern: ToolPattern, call: ToolCall): Truth {
  switch (pattern.kind) {
    case "any":
      return true;
    case "class":
      return call.toolClass === pattern.name || call.alsoClass === pattern.name;
    case "tool":
      return call.tool === pattern.name;
    case "mcp":
      return call.mcp !== undefined && matchMcp(pattern, call.mcp);
    case "agent": {
      const agent = Object.hasOwn(call.fields, "agent") ? call.fields["agent"] : undefined;
      return call.toolClass === "agent" && (pattern.names.length === 0 || pattern.names.some((name) => name === agent));
    }
    default:
      return pattern satisfies never;
  }
}

function matchMcp(pattern: Extract<ToolPattern, { readonly kind: "mcp" }>, mcp: McpName): Truth {
  const matches = [mcp, ...(mcp.others ?? [])].map((name) => matchName(pattern.server, name.server) && (pattern.tool === undefined || matchName(pattern.tool, name.tool)));
  if (!mcp.ambiguous) return matches.includes(true);
  const holdsAnyName = (name: NamePattern | undefined): boolean => name === undefined || (name.star && name.text === "");
  if (holdsAnyName(pattern.server) && holdsAnyName(pattern.tool)) return true;
  if (mcp.others !== undefined && new Set(matches).size === 1) return matches.includes(true);
  return { doubt: "the MCP server and tool cannot be told apart in the tool's name" };
}

function matchName(pattern: NamePattern, name: string): boolean {
  return pattern.star ? name.startsWith(pattern.text) : name === pattern.text;
}
