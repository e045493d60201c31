/**
 * Random rule sets and calls for a host on paper: one tool with a command, an edit in hunks and free arguments, whose
 * output comes in two parts. Everything is short and of few letters, so that rules meet.
 */
import fc from "fast-check";
import type { FieldValue, Json, JsonObject, ToolCall } from "../../src/guard/call.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import type { ConditionPlan, EffectPlan, GuardPlan, MessagePlan, PatternPlan, RulePlan, TransformPlan } from "../../src/guard/plan.ts";
import type { World } from "../../src/guard/world.ts";
import { patternOf, planOf } from "../guard-values.ts";
import type { Degree, Machine } from "./evaluate.ts";

type Moment = "before-tool" | "after-tool" | "prompt" | "stop";

/** Letters of no word that the guard writes itself: what is redacted once stays as it is. */
const text = fc.array(fc.constantFrom("m", "n", "mn", "z", "7", " ", "key-k9", "w"), { maxLength: 6 }).map((parts) => parts.join(""));

/** The host's codec. */
export function readPaper(event: Moment, input: JsonObject, response?: readonly string[]): ToolCall {
  const fields: Record<string, FieldValue> = Object.create(null) as Record<string, FieldValue>;
  const { command, hunks } = input;
  if (typeof command === "string") fields["command"] = command;
  const list = Array.isArray(hunks) ? (hunks as readonly { readonly text: string }[]) : undefined;
  if (list !== undefined) fields["content"] = list.map((hunk) => hunk.text).join("\n");
  if (event === "prompt") fields["prompt"] = typeof command === "string" ? command : "";
  if (response !== undefined) fields["output"] = response.filter((part) => part !== "").join("\n");
  return {
    event,
    hostEvent: event,
    cwd: "/scratch/project",
    tool: event === "prompt" || event === "stop" ? "" : "Tool",
    toolClass: undefined,
    fields,
    input,
    ...(response !== undefined && { response: response as Json }),
    places: {
      input: [{ in: "input", path: [] }],
      ...(typeof command === "string" && { command: [{ in: "input" as const, path: ["command"] }] }),
      ...(list !== undefined && { content: list.map((_, index) => ({ in: "input" as const, path: ["hunks", index, "text"] })) }),
      ...(response !== undefined && { output: response.map((_, index) => ({ in: "response" as const, path: [index] })) }),
    },
    subject: { commands: [], paths: [] },
  };
}

const paperInput: fc.Arbitrary<JsonObject> = fc.record(
  { command: text, hunks: fc.array(text.map((one) => ({ text: one })), { minLength: 1, maxLength: 3 }), note: text, timeout: fc.constantFrom(5, 60, "60") },
  { requiredKeys: [] },
);

export interface PaperCase {
  readonly plan: GuardPlan;
  readonly call: ToolCall;
  readonly machine: Machine;
}

const pattern: fc.Arbitrary<PatternPlan> = fc.constantFrom(
  patternOf(/mn?/),
  patternOf(/n+/),
  patternOf(/key-\w+/, "key-"),
  patternOf(/\d/),
  patternOf(/z*/),
  patternOf(/^/),
  patternOf(/M(N)?/i, "m"),
  patternOf(/(\w)(\s)?w/, "w"),
  patternOf(/n\nn/, "n\nn"),
);
const patterns = fc.array(pattern, { minLength: 1, maxLength: 3 });

const field = fc.constantFrom(["command"], ["content"], ["input", "note"], ["input", "timeout"], ["output"]);
const message: fc.Arbitrary<MessagePlan> = fc.array(fc.oneof(fc.constantFrom("see ", "key-1 ", "w"), field.map((one) => ({ field: one }))), { minLength: 1, maxLength: 3 });

/** `changed`: the fields it is likely to be about. */
const transformOf = (changed: fc.Arbitrary<readonly string[]>): fc.Arbitrary<TransformPlan> => fc.oneof(
  fc.record({ kind: fc.constant("set" as const), field: changed, value: fc.oneof(message, text.map((one) => [one]), fc.constant(60)) }),
  fc.record({ kind: fc.constant("replace" as const), patterns, with: fc.array(fc.oneof(fc.constantFrom("m", "", "[7]"), fc.constantFrom({ capture: 0 }, { capture: 1 }), fc.constant({ field: ["input", "timeout"] })), { maxLength: 2 }), fields: fc.array(changed, { minLength: 1, maxLength: 2 }) }),
  fc.record({ kind: fc.constant("redact" as const), patterns, as: fc.constantFrom<MessagePlan>(["[redacted]"], ["#"], [], [{ field: ["input", "note"] }]), fields: fc.array(changed, { maxLength: 3 }) }),
);
const transform = transformOf(field);
const outputTransform = transformOf(fc.oneof({ weight: 4, arbitrary: fc.constant(["output"]) }, { weight: 1, arbitrary: field }));

const gate: fc.Arbitrary<EffectPlan> = fc.constantFrom({ kind: "deny" }, { kind: "ask" }, { kind: "allow" });
const other: fc.Arbitrary<EffectPlan> = fc.oneof(
  fc.record({ kind: fc.constant("tell" as const), audience: fc.constantFrom("model" as const, "user" as const), source: fc.oneof(message.map((one) => ({ kind: "text" as const, text: one })), fc.constantFrom("notes.md", "gone.md").map((path) => ({ kind: "file" as const, path }))) }),
  fc.constantFrom<EffectPlan>({ kind: "log", fields: [["command"]], to: "audit.jsonl" }, { kind: "run", command: "make" }, { kind: "forward", fields: [], to: "https://api.example.com/" }, { kind: "mark", name: "tested" }, { kind: "unmark", name: "tested" }),
);

const { condition } = fc.letrec<{ condition: ConditionPlan }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    fc.record({ kind: fc.constant("compare" as const), field: fc.constantFrom(["command"], ["input", "note"], ["content"]), operator: fc.constant("~" as const), values: fc.tuple(pattern.map((one) => ({ kind: "pattern" as const, pattern: one }))) }),
    fc.record({ kind: fc.constant("compare" as const), field: fc.constantFrom(["command"], ["input", "note"]), operator: fc.constantFrom("contains" as const, "==" as const), values: fc.tuple(text.map((one) => ({ kind: "text" as const, text: one }))) }),
    fc.constantFrom<ConditionPlan>({ kind: "has", field: ["command"] }, { kind: "has", field: ["input", "note"] }, { kind: "marked", name: "tested" }, { kind: "marked", name: "other" }),
    fc.constantFrom<ConditionPlan>({ kind: "succeeds", command: "npm test" }, { kind: "succeeds", command: "sleep 9" }),
    tie("condition").map((of): ConditionPlan => ({ kind: "not", of })),
    fc.record({ kind: fc.constantFrom("and" as const, "or" as const), of: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }) }),
  ),
}));

function oneIn<Value>(chances: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: chances - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function ruleAt(event: Moment): fc.Arbitrary<RulePlan> {
  const effects = { "before-tool": [gate, transform, transform, other], "after-tool": [fc.constant<EffectPlan>({ kind: "deny" }), outputTransform, outputTransform, other], prompt: [fc.constant<EffectPlan>({ kind: "deny" }), other], stop: [fc.integer({ min: 1, max: 2 }).map((limit): EffectPlan => ({ kind: "retry", limit })), other] };
  return fc
    .record({
      id: fc.constantFrom("acme/one", "acme/two", "acme/three", "acme/four"),
      effect: fc.oneof(...effects[event]) as fc.Arbitrary<EffectPlan>,
      when: oneIn(2, condition),
      unless: fc.oneof(fc.constant([]), fc.array(condition, { maxLength: 2 })),
      because: message,
      suggest: oneIn(3, message),
      severity: fc.constantFrom("low" as const, "medium" as const, "high" as const, "critical" as const),
      unsure: fc.constantFrom("ask" as const, "deny" as const, "pass" as const),
      from: oneIn(8, fc.constantFrom("2026-11-30", "2026-12-01")),
      observed: oneIn(8, fc.constantFrom({}, { until: "2026-11-30" }, { until: "2026-12-01" })),
      wouldChange: event === "before-tool" ? oneIn(4, transform) : fc.constant(undefined),
    })
    .map(({ when, suggest, from, observed, wouldChange, ...rule }) => {
      const stands = wouldChange !== undefined && (rule.effect.kind === "deny" || rule.effect.kind === "ask" || rule.effect.kind === "tell");
      return {
        ...rule,
        source: "policy/main.policy:3",
        event,
        tools: [],
        ...(when !== undefined && { when }),
        ...(suggest !== undefined && { suggest }),
        ...(from !== undefined && { from }),
        ...(observed !== undefined && { observed }),
        ...(stands && { wouldChange }),
      };
    });
}

export const paperCase: fc.Arbitrary<PaperCase> = fc.constantFrom<Moment>("before-tool", "before-tool", "before-tool", "after-tool", "after-tool", "prompt", "stop").chain((event) =>
  fc
    .record({
      rules: fc.array(ruleAt(event), { maxLength: 9 }),
      input: paperInput,
      response: fc.tuple(text, text),
      mode: oneIn(12, fc.constant("observe" as const)),
      marked: fc.boolean(),
      tests: fc.constantFrom<Degree>(0, 0.5, 1),
      retries: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ rules, input, response, mode, marked, tests, retries }) => ({
      plan: { ...planOf(...rules), ...(mode !== undefined && { mode }) },
      call: readPaper(event, input, event === "after-tool" ? response : undefined),
      machine: {
        today: "2026-11-30",
        marks: new Set(marked ? ["tested"] : []),
        commands: { "npm test": tests, "sleep 9": 0.5 as const },
        retries: { "acme/one": retries },
        files: { "notes.md": "Build with key-k9.\nThen mn." },
      },
    })),
);

/** The same machine as the guard sees it. */
export function worldOf(machine: Machine, call: ToolCall): World {
  const world = scratchWorld({
    platform: "linux",
    branch: "",
    today: machine.today,
    redecode: (input) => readPaper(call.event as Moment, input),
    shell() {
      throw new Error("the paper host runs no commands");
    },
  });
  return {
    ...world,
    marked: (name) => machine.marks.has(name),
    succeeds(command) {
      const degree = machine.commands[command] ?? 0.5;
      return degree === 0.5 ? { doubt: "in doubt" } : degree === 1;
    },
    retries: (rule) => machine.retries[rule] ?? 0,
    projectFile: (path) => machine.files[path],
  };
}
