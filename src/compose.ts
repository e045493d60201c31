/**
 * One guard: the text that all guards of a host share and the plan of one policy become the file that the host starts.
 * Pure, and all that a user's build runs. The other way round, a guard on disk is asked how it came about.
 */
import { fingerprint } from "./fingerprint.ts";
import { composePart } from "./guard/part.ts";
import type { ConditionPlan, GuardPlan } from "./guard/plan.ts";
import { sectionNames, sectionParts } from "./parts.ts";
import type { SectionName } from "./parts.ts";
import { asciiJson, planLiteral } from "./plan-literal.ts";
import { ruleIndex, ruleTexts, shellSigns } from "./rule-index.ts";

/** A piece of a guard's file: it begins with a heading, and its text has been fingerprinted. */
export interface Section {
  readonly text: string;
  readonly sum: string;
}

/** What all guards of one host have in common: sections that stand in a guard as they are. */
export type Runtime = (name: SectionName) => Section;

/** The section of that name with what stands in it. */
export function sectionOf(name: SectionName, code: string): Section {
  const text = `\n// ---- ${headings[name]}\n\n${code}`;
  return { text, sum: fingerprint(text) };
}

const headings: Readonly<Record<SectionName, string>> = {
  guard: "The guard, the same for every policy",
  effects: "Doing more than answering",
  processes: "Starting commands and sending calls",
  shell: "Looking into commands",
  state: "Remembering between calls",
};

/** The function that holds a part of that name. */
export function holderName(part: string): string {
  return `${part}Part`;
}

/** One guard: header, plan and rules, then what guards share. Same input, same bytes. */
export function composeGuard(runtime: Runtime, plan: GuardPlan): string {
  const { rules, ...head } = plan;
  const own = [
    header(plan),
    `"use strict";`,
    `const plan = ${planLiteral(head)};\n`,
    "// What a shell call must show for any rule to concern it; then the rules, and which of them a call can concern.",
    `const shellSigns = ${planLiteral(shellSigns(rules))};\n`,
    composePart("rules", ruleTexts(rules)),
    composePart("ruleIndex", ruleIndex(rules)),
  ].join("\n");
  const idle = idleSections(plan);
  const shared = sectionNames.map((name) => (idle.has(name) ? sectionWithout(name) : runtime(name)));
  const checksum = combined([...sumsOf(own), ...shared.map(({ sum }) => sum)]);
  return own.replace(checksumLine, () => `// Checksum: ${checksum}`) + shared.map(({ text }) => text).reduce((before, text) => before + text);
}

/** Parts that nothing can call for: what a guard cannot do its reviewers need not read. */
function sectionWithout(name: SectionName): Section {
  return sectionOf(name, sectionParts(name).map((part) => `function ${holderName(part)}() {}\n`).join(""));
}

/** How a guard on disk came about: `made` by a build of that policyc and plan, or changed since, or never a guard. */
export type GuardOrigin = { readonly kind: "made"; readonly policyc: string; readonly plan: string } | { readonly kind: "changed" };

/** Reads a guard's own word, which holds only as long as nobody forges it: it tells causes apart and proves nothing. */
export function originOf(guard: string): GuardOrigin {
  const policyc = /^\/\/ Guard .*, made by policyc (\S+)\.\n/.exec(guard)?.[1];
  const plan = /^const plan = \{[^]*?^function rules\(\) \{\n\/\*\n[^]*?^\*\/$/m.exec(guard)?.[0];
  if (policyc === undefined || plan === undefined || checksumLine.exec(guard)?.[1] !== checksumOf(guard)) return { kind: "changed" };
  return { kind: "made", policyc, plan };
}

const checksumLine = /^\/\/ Checksum: ([0-9a-f]*)$/m;

/** Of everything but the line that holds it. */
export function checksumOf(guard: string): string {
  return combined(sumsOf(guard));
}

/** So a build need not go through what was released with it. */
function combined(sums: readonly string[]): string {
  return fingerprint(sums.join("\n"));
}

/** The fingerprints of the sections of a guard, the first of which has the plan and the rules. */
function sumsOf(guard: string): readonly string[] {
  return guard.replace(checksumLine, "").split(/(?=\n\/\/ ---- )/).map(fingerprint);
}

function header(plan: GuardPlan): string {
  return [
    `// Guard ${asciiJson(plan.name)} for ${plan.host}, made by policyc ${plan.policyc}.`,
    "// The host starts it for each event registered in its settings, with the event's name as the first argument and the",
    "// payload on stdin. It answers as the rules below say, and says nothing where none of them fires.",
    `// Sources: ${plan.sources.map(asciiJson).join(", ")}`,
    "// Do not edit: change the policy and run `policyc build`; `policyc verify` finds a guard that was changed by hand.",
    "// Checksum: ",
    "",
  ].join("\n");
}

/** Sections that no rule of the plan can ever call for. */
function idleSections(plan: GuardPlan): ReadonlySet<SectionName> {
  const starts = startsProcesses(plan);
  const remembers = keepsState(plan);
  const acts = starts || remembers || plan.installed !== undefined || plan.rules.some(({ effect }) => effect.kind === "log");
  const needed: Readonly<Record<SectionName, boolean>> = { guard: true, shell: needsShell(plan), processes: starts, state: remembers, effects: acts };
  return new Set(sectionNames.filter((name) => !needed[name]));
}

/** True where some rule starts a command or sends something. */
function startsProcesses(plan: GuardPlan): boolean {
  const acts = plan.rules.some(({ effect }) => effect.kind === "run" || effect.kind === "forward" || (effect.kind === "tell" && effect.source.kind === "output-of"));
  return acts || asksFor(plan, (condition) => condition.kind === "succeeds");
}

/** True where something is kept between calls: marks, counts, and what rules that are only observed would have done. */
function keepsState(plan: GuardPlan): boolean {
  const acts = plan.rules.some(({ effect, observed }) => observed !== undefined || effect.kind === "mark" || effect.kind === "unmark" || effect.kind === "retry");
  return acts || plan.mode === "observe" || asksFor(plan, (condition) => condition.kind === "marked");
}

const shellAtoms: ReadonlySet<string> = new Set(["runs", "touches", "reads", "writes", "deletes", "pipes", "dynamic"]);

/** True where some condition is about commands or their effects. */
export function needsShell(plan: GuardPlan): boolean {
  return asksFor(plan, (condition) => shellAtoms.has(condition.kind) || (condition.kind === "is" && condition.field[0] === "dynamic"));
}

function asksFor(plan: GuardPlan, isMeant: (condition: ConditionPlan) => boolean): boolean {
  return plan.rules.some((rule) => [...(rule.when ? [rule.when] : []), ...rule.unless].some((condition) => holdsOne(condition, isMeant)));
}

function holdsOne(condition: ConditionPlan, isMeant: (condition: ConditionPlan) => boolean): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some((part) => holdsOne(part, isMeant));
  return condition.kind === "not" ? holdsOne(condition.of, isMeant) : isMeant(condition);
}
