/**
 * One guard: the text that all guards of a host share and the plan of one policy become the file that the host starts.
 * Pure, and all that a user's build runs. The other way round, a guard on disk is asked how it came about.
 */
import { fingerprint } from "./fingerprint.ts";
import { composePart } from "./guard/part.ts";
import type { ConditionPlan, GuardPlan } from "./guard/plan.ts";
import { shellParts } from "./parts.ts";
import { asciiJson, planLiteral } from "./plan-literal.ts";
import { ruleIndex, ruleTexts, shellSigns } from "./rule-index.ts";

/** What all guards of one host have in common. */
export interface Runtime {
  /** What runs at every call; expects a constant `plan` before it and the holders of rules and parts behind it. */
  readonly guard: string;
  /** Code by the part's name. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The function that holds a part of that name. */
export function holderName(part: string): string {
  return `${part}Part`;
}

/** One guard: header, plan, start, rules and parts. Same input, same bytes. */
export function composeGuard(runtime: Runtime, plan: GuardPlan): string {
  const [directive, code] = splitDirective(runtime.guard);
  const { rules, ...head } = plan;
  const idle = idleParts(plan);
  const parts = Object.keys(runtime.parts).sort().map((name) => (idle.has(name) ? `function ${holderName(name)}() {}\n` : composePart(holderName(name), runtime.parts[name] ?? "")));
  const whole = [
    header(plan),
    directive,
    `const plan = ${planLiteral(head)};\n`,
    "// What a shell call must show for any rule to concern it; then the rules, and which of them a call can concern.",
    `const shellSigns = ${planLiteral(shellSigns(rules))};\n`,
    composePart("rules", ruleTexts(rules)),
    composePart("ruleIndex", ruleIndex(rules)),
    code,
    ...(parts.length > 0 ? [partsNote, ...parts] : []),
  ].join("\n");
  return whole.replace(checksumLine, () => `// Checksum: ${checksumOf(whole)}`);
}

/** The mark is put together when it is needed, because this very text lies in a part of policyc, and no part may hold it. */
const partsNote = `
// Parts of the guard that most calls do without. Each is the code in a function's comment, compiled when something in it
// is first called, and reads \`${["*~", "/"].join("")}\` where the end of a comment would be.
`;

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
function checksumOf(guard: string): string {
  return fingerprint(guard.replace(checksumLine, ""));
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

/** esbuild opens its output with the directive, and only the first statement of a file can be one. */
function splitDirective(code: string): readonly [string, string] {
  const directive = `"use strict";\n`;
  return code.startsWith(directive) ? [directive.trimEnd(), code.slice(directive.length)] : [`"use strict";`, code];
}

/** Parts that no rule of the plan can ever call for: what a guard cannot do its reviewers need not read. */
function idleParts(plan: GuardPlan): ReadonlySet<string> {
  const starts = startsProcesses(plan);
  const remembers = keepsState(plan);
  const acts = starts || remembers || plan.installed !== undefined || plan.rules.some(({ effect }) => effect.kind === "log");
  return new Set([...(needsShell(plan) ? [] : shellParts), ...(starts ? [] : ["processes"]), ...(remembers ? [] : ["state"]), ...(acts ? [] : ["effects"])]);
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
