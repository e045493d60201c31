/**
 * A short way to the answer for one plain line of Bash that only textual rules concern: gates that compare the command
 * with texts, and with patterns that cannot take long, so that no clock has to run. Tests hold it to the long way.
 */
import type { Answer, Decision } from "./call.ts";
import type { GuardSource } from "./main.ts";
import { joinReasons, plainReason, quoted } from "./messages.ts";
import { partText } from "./part.ts";
import type { ComparePlan, ConditionPlan, MessagePlan, RulePlan, ValuePlan } from "./plan.ts";
import { areTextual, numbersFor } from "./rule-index.ts";
import { readRules } from "./rule-texts.ts";
import type { ShellCall } from "./shell-call.ts";
import { verdictOf } from "./verdict.ts";
import type { Fired } from "./verdict.ts";

/** Steps of a search that take some hundredths of a second. */
const mostSteps = 1e6;

/** `undefined` where it takes the long way to know; the command is plain (`isPlain`). */
export function answerTextual({ plan, rules, shellCalls, encode }: Omit<GuardSource, "wire" | "shellSigns">, event: string, call: ShellCall): Answer | undefined {
  const decision = decideTextual(plan, shellCalls.events, partText(rules.index), () => partText(rules.rules), call);
  return decision && encode(event, decision);
}

/** `events`: the names of the call's event. `index` and `rules`: as they lie in a guard. */
export function decideTextual(plan: GuardSource["plan"], events: readonly string[], index: string, rules: () => string, call: ShellCall): Decision | undefined {
  const { tool, command } = call;
  const numbers = numbersFor(index, ["*", "bash", `=${tool}`, ...events.map((name) => `@${name}`)], command);
  if (plan.mode !== undefined || !areTextual(index, numbers)) return undefined;
  const concerned = readRules(rules(), numbers);
  if (concerned.some((rule) => conditionsOf(rule).some((condition) => mayTakeLong(condition, command.length)))) return undefined;
  const holds = (condition: ConditionPlan): boolean => holdsOn(command, condition);
  const fired = concerned.flatMap((rule, index): Fired[] => {
    const { effect, severity } = rule;
    const applies = (rule.when === undefined || holds(rule.when)) && !rule.unless.some(holds);
    return applies && (effect.kind === "deny" || effect.kind === "ask" || effect.kind === "allow") ? [{ index, effect: effect.kind, severity, reason: reasonOf(rule, call) }] : [];
  });
  const { effect, reasons } = verdictOf(fired);
  return { effect, message: joinReasons(reasons, true), personMessage: joinReasons(reasons, false), reasons };
}

function conditionsOf({ when, unless }: RulePlan): readonly ConditionPlan[] {
  return when === undefined ? unless : [when, ...unless];
}

/** Fail closed: what is no comparison with texts and bounded patterns takes the long way. */
function mayTakeLong(condition: ConditionPlan, length: number): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some((part) => mayTakeLong(part, length));
  if (condition.kind === "not") return mayTakeLong(condition.of, length);
  return condition.kind !== "compare" || condition.values.some((value) => value.kind !== "text" && (value.kind !== "pattern" || length ** (value.pattern.degree ?? Infinity) > mostSteps));
}

/** In a text of plain characters nothing is hidden, so that every position comes to the same. */
function holdsOn(command: string, condition: ConditionPlan): boolean {
  switch (condition.kind) {
    case "and":
      return condition.of.every((part) => holdsOn(command, part));
    case "or":
      return condition.of.some((part) => holdsOn(command, part));
    case "not":
      return !holdsOn(command, condition.of);
    case "compare": {
      const text = condition.measure === "lower" ? command.toLowerCase() : command;
      return condition.values.some((value) => matches(value, condition.operator, text));
    }
    default:
      throw new Error("a rule of texts asks for something else");
  }
}

function matches(value: ValuePlan, operator: ComparePlan["operator"], text: string): boolean {
  if (value.kind === "pattern") return new RegExp(value.pattern.source, value.pattern.flags).test(text);
  if (value.kind !== "text") throw new Error("a rule of texts compares with something else");
  const sought = value.text.normalize("NFC");
  if (operator === "contains") return text.includes(sought);
  if (operator === "starts-with") return text.startsWith(sought);
  return operator === "ends-with" ? text.endsWith(sought) : operator === "==" && text === sought;
}

function reasonOf(rule: RulePlan, { tool, command }: ShellCall): Fired["reason"] {
  const fill = (message: MessagePlan): string => message.map((part) => (typeof part === "string" ? part : quoted(command))).join("");
  const text = rule.because === undefined ? plainReason(rule, { event: "before-tool", tool }) : fill(rule.because);
  return { rule: rule.id, text, ...(rule.suggest !== undefined && { suggest: fill(rule.suggest) }) };
}
