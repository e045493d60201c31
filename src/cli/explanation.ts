/** How one judged call is told: to people as indented lines, to machines as an object with `decision` and `rules`. */
import type { Decision, Json } from "../guard/call.ts";
import type { Outcome } from "../guard/decide.ts";
import type { ConditionPlan, RulePlan } from "../guard/plan.ts";
import type { Truth } from "../guard/world.ts";
import type { Lowered } from "../lower/lower.ts";
import type { AskedCall, CallRecord, JudgedCall } from "./judged-call.ts";
import { counted } from "./report.ts";
import { styleOf } from "./terminal.ts";

type Decided = Extract<JudgedCall, { readonly kind: "decided" }>;

/** One test of a rule's condition: the words of the policy and what they came to. */
interface ExplainedCondition {
  readonly clause: "when" | "unless";
  readonly text: string;
  readonly truth: boolean | "doubt" | "not looked at";
  /** Why it cannot be decided. */
  readonly doubt?: string;
}

interface ExplainedRule {
  readonly id: string;
  readonly source: string;
  readonly effect: RulePlan["effect"]["kind"];
  readonly outcome: Outcome["kind"];
  /** It fires on what other rules made of the call, and not on the call as it was sent. */
  readonly rewritten?: true;
  /** What it comes to, where it fires. */
  readonly verdict?: string;
  readonly doubt?: string;
  readonly conditions: readonly ExplainedCondition[];
}

export function explanationJson(asked: AskedCall, judged: JudgedCall): object {
  const { on, event } = asked;
  const head = { host: on.host.id, event };
  if (judged.kind === "malformed") return { ...head, decision: onError(on), malformed: judged.why, rules: [] };
  const { call, decision, commands } = judged;
  return { ...head, tool: call.tool, decision: decision.effect, message: decision.message, ...besides(decision), commands, rules: explainRules(on, judged) };
}

export function explanationText(asked: AskedCall, judged: JudgedCall, colour: boolean): string {
  const { on, event } = asked;
  const style = styleOf(colour);
  if (judged.kind === "malformed") {
    return `${on.host.title}, ${event}: ${style.strong(onError(on))}\n\nThe payload is malformed: ${judged.why}. The guard answers as \`default on-error\` says.\n`;
  }
  const { call, decision, commands } = judged;
  const rules = explainRules(on, judged);
  const told = [...rules.filter((rule) => rule.outcome === "fires"), ...rules.filter((rule) => rule.outcome === "silent")];
  const others = rules.length - told.length;
  const lines = [
    `${[on.host.title, event, plain(call.tool)].filter((part) => part !== "").join(", ")}: ${style.strong(decision.effect)}`,
    "",
    ...told.flatMap((rule) => ruleLines(rule, style.strong)),
    ...(told.length === 0 ? ["No rule is about this tool at this moment."] : others > 0 ? [style.dim(`${counted(others, "other rule")} about other tools or moments.`)] : []),
    ...(commands.length > 0 ? ["", "Commands found", ...commands.map((command) => `  ${plain(command)}`)] : []),
    ...section("The model reads", decision.message),
    ...section("The tool is given", inLines(decision.input)),
    ...section("In the place of the output stands", decision.output ?? inLines(decision.response)),
    ...section("The model is told besides", decision.context),
    ...section("The person is told", decision.notice),
  ];
  return `${lines.join("\n")}\n`;
}

/** What a decision comes to beyond its effect; keys that do not apply are left out. */
function besides({ input, response, output, context, notice, effects }: Decision): object {
  return {
    ...(input !== undefined && { input }),
    ...(response !== undefined && { response }),
    ...(output !== undefined && { output }),
    ...(context !== undefined && { context }),
    ...(notice !== undefined && { notice }),
    ...(effects !== undefined && { effects: effects.map(({ rule, effect }) => ({ rule, ...effect })) }),
  };
}

function inLines(value: Json | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

function section(title: string, text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : ["", title, ...text.split("\n").map((line) => `  ${plain(line)}`)];
}

/** The call's text is chosen by whoever made the call: it must not drive the terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\uFFFD");
}

function ruleLines(rule: ExplainedRule, strong: (text: string) => string): readonly string[] {
  const verdict = rule.verdict === undefined ? "is silent" : `says ${rule.verdict}`;
  const width = Math.max(...rule.conditions.map(({ truth }) => String(truth).length), 0);
  return [
    `${strong(rule.id)} ${verdict}${rule.rewritten === true ? " to the rewritten call" : ""}${rule.doubt === undefined ? "" : `, in doubt: ${plain(rule.doubt)}`}  (${rule.source})`,
    ...rule.conditions.map(({ clause, text, truth, doubt }) => `  ${clause.padEnd(6)}  ${String(truth).padEnd(width)}  ${text}${doubt === undefined ? "" : `  (${plain(doubt)})`}`),
  ];
}

function onError(on: Lowered): string {
  return on.plan.onError === "allow" ? "pass" : on.plan.onError;
}

function explainRules(on: Lowered, judged: Decided): readonly ExplainedRule[] {
  return on.plan.rules.map((rule) => {
    const rewritten = judged.again?.outcomes.get(rule)?.kind === "fires" && judged.outcomes.get(rule)?.kind !== "fires";
    const record: CallRecord = (rewritten ? judged.again : undefined) ?? judged;
    const outcome = record.outcomes.get(rule) ?? { kind: "elsewhere" };
    const conditions = outcome.kind === "elsewhere" ? [] : [...(rule.when ? explainCondition("when", rule.when, on, record) : []), ...rule.unless.flatMap((condition) => explainCondition("unless", condition, on, record))];
    return {
      id: rule.id,
      source: rule.source,
      effect: rule.effect.kind,
      outcome: outcome.kind,
      ...(rewritten && { rewritten }),
      ...(outcome.kind === "fires" && { verdict: outcome.effect }),
      ...(outcome.kind !== "elsewhere" && outcome.cause !== undefined && { doubt: outcome.cause }),
      conditions,
    };
  });
}

/** The single tests below a condition, in the order of the source. */
function explainCondition(clause: "when" | "unless", condition: ConditionPlan, on: Lowered, record: CallRecord): readonly ExplainedCondition[] {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.flatMap((part) => explainCondition(clause, part, on, record));
  if (condition.kind === "not") return explainCondition(clause, condition.of, on, record);
  const origin = on.origins.get(condition);
  const text = origin ? origin.file.text.slice(origin.span.start, origin.span.end).replace(/\s+/g, " ") : condition.kind;
  return [{ clause, text, ...told(record.truths.get(condition)) }];
}

function told(truth: Truth | undefined): Pick<ExplainedCondition, "truth" | "doubt"> {
  if (truth === undefined) return { truth: "not looked at" };
  return typeof truth === "boolean" ? { truth } : { truth: "doubt", doubt: truth.doubt };
}
