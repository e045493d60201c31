/**
 * Calls, plans and worlds for the tests of the guard, with everything a test does not speak of filled in.
 */
import type { FieldValue, JsonObject, ToolCall } from "../src/guard/call.ts";
import { removeDots } from "../src/guard/paths.ts";
import type { ComparePlan, ConditionPlan, EffectPlan, GlobPlan, GuardPlan, PatternPlan, RulePlan, ValuePlan } from "../src/guard/plan.ts";
import type { ToolClass } from "../src/guard/vocabulary.ts";
import type { World } from "../src/guard/world.ts";
import { lowerGlob } from "../src/lower/glob.ts";

export const projectRoot = "/srv/shop";
export const homeFolder = "/home/ada";

/** A world on paper: `links` maps a path to where it leads, `undefined` where nobody knows. */
export function paperWorld(part: Partial<World> = {}, links: Readonly<Record<string, string | undefined>> = {}): World {
  return {
    platform: "linux",
    home: homeFolder,
    root: projectRoot,
    today: "2026-11-30",
    realPath(path) {
      const found = Object.keys(links).find((link) => path === link || path.startsWith(`${link}/`));
      if (found === undefined) return removeDots(path);
      const target = links[found];
      return target === undefined ? undefined : removeDots(`${target}${path.slice(found.length)}`);
    },
    branch: () => "",
    worktreeRoot: () => undefined,
    list: () => [],
    read: () => undefined,
    shell() {
      throw new Error("this test parses no command");
    },
    ...part,
  };
}

export function toolCall(toolClass: ToolClass | undefined, tool: string, fields: Readonly<Record<string, FieldValue>>, part: Partial<ToolCall> = {}): ToolCall {
  return {
    event: "before-tool",
    hostEvent: "PreToolUse",
    cwd: projectRoot,
    tool,
    toolClass,
    fields: Object.assign(Object.create(null), fields) as ToolCall["fields"],
    input: {},
    subject: { commands: [], paths: [] },
    ...part,
  };
}

export function bashCall(command: string): ToolCall {
  return toolCall("bash", "Bash", { command }, { subject: { commands: [{ text: command, shell: "bash", whole: true }], paths: [] } });
}

export function writeCall(path: string, content = ""): ToolCall {
  return toolCall("write", "Write", { path, content }, { subject: { commands: [], paths: [{ path, access: "writes" }] } });
}

export function inputCall(input: JsonObject): ToolCall {
  return toolCall("mcp", "mcp__linear__create_issue", { server: "linear" }, { input, mcp: { server: "linear", tool: "create_issue", ambiguous: false } });
}

export function compare(field: string, operator: ComparePlan["operator"], ...values: readonly (ValuePlan | string | number)[]): ComparePlan {
  return {
    kind: "compare",
    field: field.split("."),
    operator,
    values: values.map((value) => (typeof value === "string" ? { kind: "text", text: value } : typeof value === "number" ? { kind: "number", value } : value)),
  };
}

export function search(field: string, expression: RegExp, literal?: string): ComparePlan {
  return compare(field, "~", { kind: "pattern", pattern: patternOf(expression, literal) });
}

export function patternOf(expression: RegExp, literal?: string): PatternPlan {
  return { source: expression.source, flags: [...new Set(`${expression.flags}u`)].sort().join(""), ...(literal !== undefined && { literal }) };
}

/** `!` in front subtracts, as in the language. */
export function globsOf(...globs: readonly string[]): readonly GlobPlan[] {
  return globs.map((glob) => (glob.startsWith("!") ? lowerGlob(glob.slice(1), true) : lowerGlob(glob, false)));
}

export function matches(field: string, ...globs: readonly string[]): ComparePlan {
  return compare(field, "matches", { kind: "globs", globs: globsOf(...globs) });
}

export function not(of: ConditionPlan): ConditionPlan {
  return { kind: "not", of };
}

export function ruleOf(effect: "deny" | "ask" | "allow", part: Partial<RulePlan> = {}): RulePlan {
  return {
    id: `acme/${effect}-rule`,
    source: "policy/main.policy:3",
    event: "before-tool",
    tools: [{ kind: "any" }],
    effect: { kind: effect },
    unless: [],
    severity: "medium",
    unsure: "ask",
    ...part,
  };
}

/** A rule of any effect. */
export function ruleWith(effect: EffectPlan, part: Partial<RulePlan> = {}): RulePlan {
  return { ...ruleOf("deny", { id: `acme/${effect.kind}-rule` }), effect, ...part };
}

/** Its guards have so much time that a busy machine is no reason to refuse: what is about the deadline names one of its own. */
export function planOf(...rules: readonly RulePlan[]): GuardPlan {
  return {
    policyc: "0.1.0",
    host: "claude",
    name: "acme",
    sources: ["policy/main.policy"],
    scope: "project",
    onError: "deny",
    deadline: 60_000,
    events: [{ name: "PreToolUse", failClosed: true }],
    rules,
  };
}
