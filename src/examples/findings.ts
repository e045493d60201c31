/**
 * Diagnostics of examples: one for each line that failed, whatever the number of hosts, with the truth of every part of
 * the condition and the commands found.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, Label } from "../diagnostics/diagnostic.ts";
import type { ConditionPlan } from "../guard/plan.ts";
import type { Truth } from "../guard/world.ts";
import type { ExampleOutcome, JudgedCall } from "./judge.ts";

/** More commands than these do not help to see why. */
const mostCommands = 8;
/** Characters of a changed text. */
const mostShown = 120;

export function diagnoseExamples(outcomes: readonly ExampleOutcome[]): readonly Diagnostic[] {
  const byExample = new Map<ExampleOutcome["example"], ExampleOutcome[]>();
  for (const outcome of outcomes) byExample.set(outcome.example, [...(byExample.get(outcome.example) ?? []), outcome]);
  return [...byExample.values()].flatMap((group) => {
    const failed = group.filter((outcome) => outcome.result === "failed");
    const [first] = failed;
    if (first !== undefined) return [diagnoseFailure(first, failed, group)];
    return diagnoseUnreachable(group);
  });
}

function diagnoseFailure(first: ExampleOutcome, failed: readonly ExampleOutcome[], group: readonly ExampleOutcome[]): Diagnostic {
  const { rule, example } = first;
  const telling = tellingCall(first);
  const words = { outcome: outcomeWords(telling), expected: expectedWords(first) };
  const hosts = failed.map((outcome) => outcome.host.id).join(", ");
  return diagnose("test/example-failed", words, {
    file: rule.file,
    span: example.span,
    labels: [{ span: example.span, text: `the rule ${ruleWords(telling)} (checked: ${hosts})` }, ...conditionLabels(first, telling)],
    notes: [...commandNotes(telling), ...hostNotes(first, telling, group)],
    help: { text: "mend the rule's condition, or the example if it expects the wrong thing" },
  });
}

/** The commands found, and the parts of each `runs` that failed at its arguments. */
function commandNotes({ commands: found, truths }: JudgedCall): readonly string[] {
  if (!truths.some(({ condition }) => isAboutCommands(condition))) return [];
  const commands = found();
  if (commands.length === 0) return [];
  const shown = commands.length > mostCommands ? [...commands.slice(0, mostCommands), `and ${commands.length - mostCommands} more`] : commands;
  const parts = truths.map(({ parts }) => parts()).filter((parts) => parts.length > 0).map((parts) => parts.map(({ words, truth }) => `${words}: ${truthWords(truth)}`).join("    "));
  return [`commands found:  ${shown.join("\n                 ")}`, ...parts];
}

function hostNotes(first: ExampleOutcome, telling: JudgedCall, group: readonly ExampleOutcome[]): readonly string[] {
  const passed = group.filter((outcome) => outcome.result === "passed").map((outcome) => outcome.host.id);
  const tried = first.calls.map(({ call }) => call.tool ?? call.event);
  return [
    ...(passed.length > 0 ? [`It holds on ${passed.join(", ")}.`] : []),
    ...(tried.length > 1 ? [`It was tried on ${tried.join(", ")}; shown is ${telling.call.tool ?? telling.call.event}.`] : []),
  ];
}

/** The call that shows best why: one that broke a `pass`, or the first that was tried. */
function tellingCall(outcome: ExampleOutcome): JudgedCall {
  const offending = outcome.example.verdict === "pass" ? outcome.calls.find((call) => call.outcome.kind === "fires" || call.outcome.kind === "malformed") : undefined;
  const call = offending ?? outcome.calls.find((one) => one.outcome.kind !== "malformed") ?? outcome.calls[0];
  if (call === undefined) throw new Error("an example without a call cannot fail");
  return call;
}

function outcomeWords({ outcome, after }: JudgedCall): string {
  if (outcome.kind === "malformed") return "is no call of the host";
  if (outcome.kind !== "fires") return after === undefined ? "passes" : "stays as it is";
  if (after !== undefined) return `becomes ${JSON.stringify(after.length > mostShown ? `${after.slice(0, mostShown)}…` : after)}`;
  return outcome.cause === undefined ? "fires for certain" : "fires by doubt";
}

function expectedWords({ rule, example }: ExampleOutcome): string {
  if (example.verdict === "pass") return "stay silent";
  if (example.becomes) return `make it ${JSON.stringify(example.becomes.text)}`;
  if (example.verdict === "fires") return `${rule.effect.kind} it`;
  return example.verdict === "ask" && rule.effect.kind === "deny" ? "fire only by doubt" : `${example.verdict} it`;
}

function ruleWords({ outcome }: JudgedCall): string {
  switch (outcome.kind) {
    case "malformed":
      return `never saw it: ${outcome.why}`;
    case "elsewhere":
      return "is not about this tool";
    case "silent":
      return outcome.cause === undefined ? "stays silent" : `stays silent by doubt: ${outcome.cause}`;
    case "fires":
      return outcome.cause === undefined ? "fires" : `fires by doubt: ${outcome.cause}`;
    default:
      return outcome satisfies never;
  }
}

/** The truth of each test in the rule; `and`, `or` and `not` speak for themselves. */
function conditionLabels({ rule }: ExampleOutcome, call: JudgedCall): readonly Label[] {
  return call.truths.filter(({ condition }) => !isConnective(condition)).map(({ origin, truth }) => ({ span: origin.span, text: truthWords(truth), ...(origin.file !== rule.file && { file: origin.file }) }));
}

function isConnective(condition: ConditionPlan): boolean {
  return condition.kind === "and" || condition.kind === "or" || condition.kind === "not";
}

function isAboutCommands({ kind }: ConditionPlan): boolean {
  return kind !== "compare" && kind !== "is" && kind !== "has" && kind !== "and" && kind !== "or" && kind !== "not";
}

function truthWords(truth: Truth): string {
  return typeof truth === "boolean" ? String(truth) : `in doubt: ${truth.doubt}`;
}

/** An example whose outcome no condition decided would come out the same whatever the condition said. */
function diagnoseUnreachable(group: readonly ExampleOutcome[]): readonly Diagnostic[] {
  const [first] = group;
  if (first === undefined) return [];
  const { rule, example } = first;
  const inForce = group.filter((outcome) => outcome.plan.rules.length > 0);
  if (inForce.length === 0) return [];
  const calls = inForce.flatMap((outcome) => outcome.calls);
  if (calls.length === 0) {
    const place = { file: rule.file, span: example.span, help: { text: "name fields that one of the rule's tools has" } };
    if (example.verdict !== "pass") return [diagnose("test/example-failed", { outcome: "fits no tool of the rule", expected: expectedWords(first) }, place)];
    return [diagnose("test/example-unreachable", { reason: "no tool of the rule has the fields it names" }, place)];
  }
  const hasConditions = rule.when !== undefined || rule.unless.length > 0;
  if (!hasConditions || calls.some((call) => call.outcome.kind !== "elsewhere")) return [];
  const place = { file: rule.file, span: example.span, help: { text: "name a call that the rule's trigger sees" } };
  return [diagnose("test/example-unreachable", { reason: "the trigger settles it before any condition is looked at" }, place)];
}
