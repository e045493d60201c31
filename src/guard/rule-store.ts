/**
 * Which rules of a guard are read for a call: the call goes in, the rules it may concern come out.
 */
import type { ToolCall } from "./call.ts";
import { partText } from "./part.ts";
import type { PartHolder } from "./part.ts";
import type { RulePlan } from "./plan.ts";
import { countRules, numbersFor } from "./rule-index.ts";
import { readRules } from "./rule-texts.ts";
import { isPlain, plainArguments } from "./shell-call.ts";

/** Holders of the index and of the rules, each behind a line with its number. */
export interface RuleHolders {
  readonly index: PartHolder;
  readonly rules: PartHolder;
}

/** Every rule, in the order of the files. */
export function allRules({ index, rules }: RuleHolders): readonly RulePlan[] {
  return readRules(partText(rules), Array.from({ length: countRules(partText(index)) }, (_, number) => number));
}

/** The rules that may apply to the call, or make a difference if others do; none where no rule can apply. */
export function rulesFor(call: ToolCall, holders: RuleHolders): readonly RulePlan[] {
  if (call.event !== "before-tool") return allRules(holders);
  const keys = ["*", `@${call.hostEvent}`, call.toolClass, call.alsoClass, `=${call.tool}`, call.mcp && "mcp"].filter((key) => key !== undefined);
  const numbers = numbersFor(partText(holders.index), keys, soleLine(call));
  if (numbers.length === 0) return [];
  const rules = readRules(partText(holders.rules), numbers);
  // What a rule makes of the call is judged by all rules, and may concern others than the call did.
  return rules.some(({ effect }) => effect.kind === "set" || effect.kind === "replace" || (effect.kind === "redact" && effect.fields.length > 0)) ? allRules(holders) : rules;
}

/** Fields that say nothing about what the tool is to do. */
const setting: ReadonlySet<string> = new Set(["host", "event", "session", "cwd", "tool", "mode", "subagent", "platform", "command"]);

/** The command of a call that is one line of Bash and nothing else. */
export function soleLine({ toolClass, alsoClass, mcp, fields, input, subject }: ToolCall): string | undefined {
  const [command, ...others] = subject.commands;
  const isSole = command?.shell === "bash" && command.whole && others.length === 0 && subject.paths.length === 0 && subject.env === undefined;
  if (!isSole || toolClass !== "bash" || alsoClass !== undefined || mcp !== undefined) return undefined;
  const isBare = Object.keys(fields).every((field) => setting.has(field)) && Object.keys(input).every((key) => plainArguments().includes(key));
  return isBare && isPlain(command.text) && fields["command"] === command.text && input["command"] === command.text ? command.text : undefined;
}
