/**
 * A slow second reading of LANGUAGE.md 3.1, 3.2, 3.5, 3.10 and 3.11 for the paper host of `random.ts`: what a guard has to
 * answer, worked out the long way. It shares nothing with the guard but the length a text may have, and knows only short texts of plain ASCII.
 */
import type { Json, JsonObject, ToolCall } from "../../src/guard/call.ts";
import { mostSearched } from "../../src/guard/patterns.ts";
import type { ConditionPlan, GuardPlan, MessagePlan, PatternPlan, ReplacementPlan, RulePlan, TransformPlan } from "../../src/guard/plan.ts";

/** What the machine says, as the rules may ask it. */
export interface Machine {
  readonly today: string;
  readonly marks: ReadonlySet<string>;
  /** 1 succeeds, 0 fails, ½ takes too long. */
  readonly commands: Readonly<Record<string, Degree>>;
  readonly retries: Readonly<Record<string, number>>;
  readonly files: Readonly<Record<string, string>>;
}

/** Kleene's logic in numbers: false, unknown, true. */
export type Degree = 0 | 0.5 | 1;

/** The host's reading of arguments; `undefined` for the event's own ones. */
export type Reader = (input: JsonObject) => ToolCall;

interface Applied {
  readonly rule: RulePlan;
  /** What it comes to; a deny by doubt may be something else. */
  readonly effect: string;
  readonly doubt: boolean;
  readonly watched: boolean;
}

interface Gate {
  readonly rule: RulePlan;
  readonly effect: string;
  readonly text: string;
  readonly suggest: string | undefined;
}

interface Mask {
  readonly rule: string;
  readonly patterns: readonly PatternPlan[];
  readonly as: string;
}

export interface Expected {
  readonly effect: string;
  readonly message: string;
  readonly reasons: readonly { readonly rule: string; readonly text: string; readonly suggest?: string }[];
  readonly input: JsonObject | undefined;
  readonly response: Json | undefined;
  readonly output: string | undefined;
  readonly context: string | undefined;
  readonly notice: string | undefined;
  readonly observed: readonly string[];
  readonly effects: readonly string[];
  readonly retried: readonly string[];
}

export function evaluate(plan: GuardPlan, call: ToolCall, machine: Machine, read: Reader): Expected {
  const applied = applyingRules(plan, call, machine);
  const masks = masksOf(applied, call);
  const observed: string[] = [];

  // Step 2 and 3: gates on the call as sent.
  const firstGates = gatesOf(applied, call, masks, observed);
  const firstEffect = strictest(firstGates);
  const refusedBefore = firstEffect === "deny" && call.event !== "after-tool";

  // Step 4: set, replace, redact.
  let state: State = { input: call.input, response: call.response, output: undefined, command: fieldOf(call, "command"), content: fieldOf(call, "content"), shown: fieldOf(call, "output") };
  if (firstEffect === "deny" && call.event === "after-tool") {
    const reason = wordsOf(sorted(firstGates, firstEffect));
    state = { ...state, output: reason, shown: reason };
  }
  if (!refusedBefore) {
    for (const kind of ["set", "replace", "redact"]) {
      for (const { rule, watched } of applied) {
        if (rule.effect.kind !== kind) continue;
        const after = transform(rule.effect as TransformPlan, state, call, masks);
        if (watched) {
          if (!same(after, state)) observed.push(`${rule.id} ${kind}`);
        } else state = after;
      }
    }
  }

  // Step 5: gates on what it became, once.
  const gates = [...firstGates];
  let effect = firstEffect;
  if (!refusedBefore && state.rewritten === true) {
    const later = read(state.input);
    const secondGates = gatesOf(applyingRules(plan, later, machine), later, masks, observed);
    const secondEffect = strictest(secondGates);
    const both = [firstEffect, secondEffect];
    effect = both.includes("deny") ? "deny" : both.includes("retry") ? "retry" : both.includes("ask") ? "ask" : both.every((one) => one === "allow") ? "allow" : "pass";
    for (const gate of secondGates) {
      const known = gates.findIndex((one) => one.rule === gate.rule);
      if (known < 0) gates.push(gate);
      else if (rank(gate.effect) > rank(gates[known]?.effect ?? "pass")) gates[known] = gate;
    }
  }
  const refused = effect === "deny" && call.event !== "after-tool";
  gates.sort((one, other) => plan.rules.indexOf(one.rule) - plan.rules.indexOf(other.rule));
  const told = sorted(gates, effect);

  // Step 6: what is told, about the call as it is now.
  const now: ToolCall = { ...call, input: state.input, fields: { ...call.fields, command: state.command, content: state.content, output: state.shown } };
  const texts: { readonly model: string[]; readonly user: string[] } = { model: [], user: [] };
  if (!refused) {
    for (const { rule, watched } of applied) {
      if (rule.effect.kind !== "tell") continue;
      const { audience, source } = rule.effect;
      if (watched) observed.push(`${rule.id} tell ${audience}`);
      else if (source.kind === "text") texts[audience].push(masked(filled(source.text, now, masks), masks));
      else if (source.kind === "file" && machine.files[source.path] !== undefined) texts[audience].push(`Text of the file ${source.path}:\n\`\`\`\n${masked(machine.files[source.path] ?? "", masks)}\n\`\`\``);
    }
  }

  // Step 7: what is done, refused or not.
  const effects: string[] = [];
  for (const { rule, watched } of applied) {
    const { kind } = rule.effect;
    if (kind !== "log" && kind !== "run" && kind !== "forward" && kind !== "mark" && kind !== "unmark") continue;
    if (watched && (kind === "run" || kind === "forward")) observed.push(`${rule.id} ${kind}`);
    else effects.push(`${rule.id} ${kind}`);
  }
  return {
    effect,
    message: effect === "deny" && state.output !== undefined ? state.output : wordsOf(told),
    reasons: told.map(({ rule, text, suggest }) => ({ rule: rule.id, text, ...(suggest !== undefined && { suggest }) })),
    input: !refused && state.rewritten === true ? state.input : undefined,
    response: state.unlike === true ? state.response : undefined,
    output: refused || effect === "deny" ? undefined : state.output,
    context: texts.model.length > 0 ? texts.model.join("\n") : undefined,
    notice: texts.user.length > 0 ? texts.user.join("\n") : undefined,
    observed: observed.sort(),
    effects,
    retried: effect === "retry" ? told.map(({ rule }) => rule.id).filter((id, index, all) => all.indexOf(id) === index) : [],
  };
}

// ---- which rules apply ----

const doubtApplies = ["deny", "ask", "retry", "redact", "log", "forward"];

function applyingRules(plan: GuardPlan, call: ToolCall, machine: Machine): readonly Applied[] {
  const applied: Applied[] = [];
  for (const rule of plan.rules) {
    if (rule.from !== undefined && machine.today < rule.from) continue;
    if (rule.event !== call.event) continue;
    const { kind } = rule.effect;
    let when: Degree = rule.when === undefined ? 1 : degree(rule.when, call, machine);
    if (rule.wouldChange !== undefined && !changesFields(rule.wouldChange, call)) when = 0;
    const unless = Math.max(0, ...rule.unless.map((condition) => degree(condition, call, machine)));
    const holds = when === 1 || (when === 0.5 && doubtApplies.includes(kind));
    const exempt = unless === 1 || (unless === 0.5 && kind === "allow");
    if (!holds || exempt) continue;
    if (rule.effect.kind === "retry" && (machine.retries[rule.id] ?? 0) >= rule.effect.limit) continue;
    const doubt = when === 0.5 || unless === 0.5;
    const watched = plan.mode === "observe" || (rule.observed !== undefined && (rule.observed.until === undefined || machine.today < rule.observed.until));
    applied.push({ rule, effect: kind === "deny" && doubt ? rule.unsure : kind, doubt, watched });
  }
  return applied;
}

function degree(condition: ConditionPlan, call: ToolCall, machine: Machine): Degree {
  switch (condition.kind) {
    case "and":
      return Math.min(...condition.of.map((part) => degree(part, call, machine))) as Degree;
    case "or":
      return Math.max(...condition.of.map((part) => degree(part, call, machine))) as Degree;
    case "not":
      return (1 - degree(condition.of, call, machine)) as Degree;
    case "marked":
      return machine.marks.has(condition.name) ? 1 : 0;
    case "succeeds":
      return machine.commands[condition.command] ?? 0.5;
    case "has":
      return condition.field[0] === "input" ? (call.input[condition.field[1] ?? ""] === undefined ? 0 : 1) : call.fields[condition.field[0] ?? ""] === undefined ? 0 : 1;
    case "compare": {
      const text = shown(condition.field, call);
      const held = condition.values.some((value) => {
        if (value.kind === "text") return condition.operator === "==" ? text === value.text : text.includes(value.text);
        if (value.kind === "pattern") return new RegExp(value.pattern.source, value.pattern.flags).test(text);
        throw new Error("the reference knows texts and patterns only");
      });
      return held ? 1 : 0;
    }
    default:
      throw new Error(`the reference does not know \`${condition.kind}\``);
  }
}

// ---- gates ----

function rank(effect: string): number {
  return ["pass", "allow", "ask", "deny"].indexOf(effect === "retry" ? "deny" : effect);
}

function gatesOf(applied: readonly Applied[], call: ToolCall, masks: readonly Mask[], observed: string[]): readonly Gate[] {
  const gates: Gate[] = [];
  for (const { rule, effect, doubt, watched } of applied) {
    if (!["deny", "ask", "allow", "retry"].includes(rule.effect.kind) || effect === "pass") continue;
    const because = filled(rule.because ?? [], call, masks);
    const text = masked(doubt && effect !== "allow" ? `${because} (This could not be ruled out: in doubt.)` : because, masks);
    const suggest = rule.suggest === undefined ? undefined : masked(filled(rule.suggest, call, masks), masks);
    if (!watched) gates.push({ rule, effect, text, suggest });
    else if (!observed.includes(`${rule.id} ${effect}`)) observed.push(`${rule.id} ${effect}`);
  }
  return gates;
}

function strictest(gates: readonly Gate[]): string {
  return gates.reduce((effect, gate) => (rank(gate.effect) > rank(effect) ? gate.effect : effect), "pass");
}

function sorted(gates: readonly Gate[], effect: string): readonly Gate[] {
  const told: Gate[] = [];
  for (const strict of [3, 2, 1]) {
    for (const severity of ["critical", "high", "medium", "low"]) {
      told.push(...gates.filter((gate) => rank(gate.effect) === strict && gate.rule.severity === severity && (gate.effect !== "allow" || effect === "allow")));
    }
  }
  return told;
}

function wordsOf(gates: readonly Gate[]): string {
  const lines = gates.slice(0, 5).map(({ rule, text, suggest }) => `[${rule.id}] ${text}${suggest === undefined ? "" : `\nInstead: ${suggest}`}`);
  return [...lines, ...(gates.length > 5 ? [`and ${gates.length - 5} more`] : [])].join("\n");
}

// ---- what changes ----

interface State {
  readonly input: JsonObject;
  readonly response: Json | undefined;
  readonly output: string | undefined;
  readonly command: string;
  readonly content: string;
  readonly shown: string;
  /** The arguments are no longer those that were sent. */
  readonly rewritten?: boolean;
  /** The response is no longer what the tool answered. */
  readonly unlike?: boolean;
}

function same(one: State, other: State): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Hunks = readonly { readonly text: string }[];

function transform(plan: TransformPlan, state: State, call: ToolCall, masks: readonly Mask[]): State {
  const now: ToolCall = { ...call, input: state.input, fields: { ...call.fields, command: state.command, content: state.content, output: state.shown } };
  if (plan.kind === "set") {
    const [name = "", key = ""] = plan.field;
    const value = typeof plan.value !== "number" ? filled(plan.value, now, masks) : name === "input" ? plan.value : String(plan.value);
    if (call.event === "after-tool") return name === "output" && state.shown !== value ? { ...state, output: String(value), shown: String(value) } : state;
    if (name === "input") return state.input[key] === value ? state : withInput(state, { ...state.input, [key]: value });
    if (name === "command" && state.input["command"] !== undefined) return state.input["command"] === value ? state : withInput(state, { ...state.input, command: value });
    if (name === "content" && state.input["hunks"] !== undefined) {
      const hunks = state.input["hunks"] as Hunks;
      const next = hunks.map((_, index) => ({ text: index === 0 ? value : "" }));
      return JSON.stringify(next) === JSON.stringify(hunks) ? state : withInput(state, { ...state.input, hunks: next });
    }
    return state;
  }
  const change = changer(plan, now, masks);
  let next = state;
  for (const [name = "", key = ""] of plan.fields) {
    if (call.event === "after-tool") {
      if (name !== "output") continue;
      if (next.output !== undefined) next = { ...next, output: change(next.output), shown: change(next.output) };
      else {
        const [out = "", err = ""] = next.response as readonly string[];
        const leaves = [change(out), change(err)];
        if (leaves[0] !== out || leaves[1] !== err) next = { ...next, response: leaves, shown: leaves.filter((leaf) => leaf !== "").join("\n"), unlike: true };
      }
    } else if (name === "input" || name === "command") {
      const own = name === "input" ? key : "command";
      const value = next.input[own];
      if (typeof value === "string" && change(value) !== value) next = withInput(next, { ...next.input, [own]: change(value) });
    } else if (name === "content" && next.input["hunks"] !== undefined) {
      const hunks = next.input["hunks"] as Hunks;
      const changed = hunks.map(({ text }) => ({ text: change(text) }));
      if (JSON.stringify(changed) !== JSON.stringify(hunks)) next = withInput(next, { ...next.input, hunks: changed });
    }
  }
  return next;
}

function withInput(state: State, input: JsonObject): State {
  const hunks = (input["hunks"] ?? []) as Hunks;
  const content = JSON.stringify(input["hunks"]) === JSON.stringify(state.input["hunks"]) ? state.content : hunks.map(({ text }) => text).join("\n");
  return { ...state, input, command: typeof input["command"] === "string" ? input["command"] : "", content, rewritten: true };
}

function changesFields(plan: TransformPlan, call: ToolCall): boolean {
  if (plan.kind === "set") {
    const [name = "", key = ""] = plan.field;
    const value = typeof plan.value === "number" ? plan.value : filled(plan.value, call, []);
    return (name === "input" ? call.input[key] : call.fields[name]) !== value;
  }
  const change = changer(plan, call, []);
  return plan.fields.some(([name = "", key = ""]) => {
    const value = name === "input" ? call.input[key] : call.fields[name];
    return typeof value === "string" && change(value) !== value;
  });
}

function changer(plan: Exclude<TransformPlan, { readonly kind: "set" }>, call: ToolCall, masks: readonly Mask[]): (text: string) => string {
  if (plan.kind === "redact") {
    const as = filled(plan.as, call, masks);
    return (text) => hide(text, plan.patterns, as);
  }
  return (text) => replaced(text, plan.patterns, plan.with, call, masks);
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

function hits(text: string, { source, flags }: PatternPlan): readonly Hit[] {
  const found: Hit[] = [];
  text.replace(new RegExp(source, `${flags}g`), (...parts: unknown[]) => {
    const at = parts.findIndex((part) => typeof part === "number");
    const groups = parts.slice(0, at) as (string | undefined)[];
    const start = parts[at] as number;
    found.push({ start, end: start + (groups[0] ?? "").length, groups });
    return "";
  });
  return found;
}

/** Replacements that are matched again grow fast; what a guard does with a text above its limit has tests of its own. */
export class TooLong extends Error {}

function searched(text: string): string {
  if (text.length > mostSearched) throw new TooLong();
  return text;
}

/** Every match, overlapping ones together: a character is gone where a match covers it, and goes with the one before it where a match covers both. */
function hide(whole: string, patterns: readonly PatternPlan[], as: string): string {
  const text = searched(whole);
  const gone: boolean[] = [];
  const withBefore: boolean[] = [];
  for (const { start, end } of patterns.flatMap((pattern) => hits(text, pattern))) {
    for (let at = start; at < end; at += 1) {
      gone[at] = true;
      if (at > start) withBefore[at] = true;
    }
  }
  return text.split("").map((letter, at) => (gone[at] !== true ? letter : withBefore[at] === true ? "" : as)).join("");
}

/** From left to right; where two matches would overlap the one that begins first counts, then that of the first pattern. */
function replaced(whole: string, patterns: readonly PatternPlan[], plan: ReplacementPlan, call: ToolCall, masks: readonly Mask[]): string {
  const text = searched(whole);
  const firstAt = new Map<number, Hit>();
  for (const hit of patterns.flatMap((pattern) => hits(text, pattern))) if (!firstAt.has(hit.start)) firstAt.set(hit.start, hit);
  let result = "";
  let free = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const hit = at < free ? undefined : firstAt.get(at);
    if (hit !== undefined) {
      result += plan.map((part) => (typeof part === "string" ? part : "capture" in part ? (hit.groups[part.capture] ?? "") : filled([part], call, masks))).join("");
      free = hit.end;
    }
    if (at >= free && at < text.length) result += text[at];
  }
  return result;
}

// ---- texts ----

function masksOf(applied: readonly Applied[], call: ToolCall): readonly Mask[] {
  const plans = applied.flatMap(({ rule }) => {
    const plan = rule.effect.kind === "redact" ? rule.effect : rule.wouldChange;
    return plan?.kind === "redact" ? [{ rule: rule.id, plan }] : [];
  });
  const plain = plans.map(({ rule, plan }) => ({ rule, patterns: plan.patterns, as: "[redacted]" }));
  return plans.map(({ rule, plan }) => ({ rule, patterns: plan.patterns, as: filled(plan.as, call, plain) }));
}

function masked(text: string, masks: readonly Mask[]): string {
  return masks.reduce((clean, { patterns, as }) => hide(clean, patterns, as), text);
}

/** Values are redacted, put on one line, cut in the middle above 200 characters, and quoted. */
function filled(message: MessagePlan, call: ToolCall, masks: readonly Mask[]): string {
  return message.map((part) => (typeof part === "string" ? part : `"${cut(masked(shown(part.field, call), masks).replace(/\s+/g, " ").trim()).replaceAll('"', "'")}"`)).join("");
}

function cut(line: string): string {
  const left = line.length - 200;
  return left <= 0 ? line : `${line.slice(0, 134)} [${left} characters left out] ${line.slice(-66)}`;
}

function shown([name = "", key = ""]: readonly string[], call: ToolCall): string {
  const value = name === "input" ? call.input[key] : call.fields[name];
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function fieldOf(call: ToolCall, name: string): string {
  return shown([name], call);
}
