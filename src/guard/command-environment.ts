/**
 * What a command of the project may know besides the payload on its stdin: one `POLICYC_*` variable for each field of
 * the call (`POLICYC_COMMAND`, `POLICYC_PATH`, …), and what the guard is and decided.
 */
import type { Decision, ToolCall } from "./call.ts";
import type { GuardPlan } from "./plan.ts";

/** UTF-16 units of one variable. Systems refuse to start a process with too many of them; the payload has all. */
const mostValue = 4096;

/** Several values of one field stand on a line each. */
export function commandEnvironment(inherited: NodeJS.ProcessEnv, plan: GuardPlan, call: ToolCall, root: string, decision?: Decision): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(inherited)) {
    // Whoever reads one of ours can rely on it: none comes from outside.
    if (!/^POLICYC_/i.test(name)) environment[name] = value;
  }
  for (const [name, value] of Object.entries(call.fields)) set(environment, name, typeof value === "object" ? value.join("\n") : String(value));
  set(environment, "event", call.hostEvent);
  set(environment, "host", plan.host);
  set(environment, "cwd", call.cwd);
  set(environment, "root", root);
  set(environment, "policy", plan.name);
  if (call.tool !== "") set(environment, "tool", call.tool);
  if (decision !== undefined) {
    set(environment, "decision", decision.effect);
    set(environment, "rules", decision.reasons.map(({ rule }) => rule).join("\n"));
  }
  return environment;
}

function set(environment: NodeJS.ProcessEnv, field: string, value: string): void {
  const name = `POLICYC_${field.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
  environment[name] = value.replaceAll("\0", "").slice(0, mostValue).replace(/[\ud800-\udbff]$/, "");
}
