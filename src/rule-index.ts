/**
 * The rules of a plan as they lie in a guard: each as a text of its own, and an index of what a call must show for a rule
 * to apply to it, so that a guard reads only the few it may need (`guard/rule-store.ts`). What the index leaves out is
 * certain; a rule that cannot be placed is one that every call of its tools may concern.
 */
import type { Json } from "./guard/call.ts";
import type { ArgumentPlan, CommandPlan, ComparePlan, ConditionPlan, FieldPath, GlobPlan, PatternPlan, RulePlan, RunsPlan, ToolPattern, ValuePlan } from "./guard/plan.ts";
import type { Need, ProgramRow } from "./guard/needs.ts";
import { plainArguments } from "./guard/shell-call.ts";
import type { ShellSigns } from "./guard/shell-call.ts";
import { foldCase } from "./guard/paths.ts";
import { expandBraces } from "./guard/shell/braces.ts";
import { requiredText } from "./guard/shell/glob-literals.ts";
import { isSimpleProgram } from "./guard/simple-line.ts";
import { fields } from "./guard/vocabulary.ts";
import { asciiJson, prettyJson } from "./plan-literal.ts";

/** Something in a simple line. */
type Sign =
  /** One of the programs, and of each need something. */
  | { readonly kind: "program"; readonly names: readonly string[]; readonly needs: readonly Need[] }
  /** `folded`: in the line in lower case. */
  | { readonly kind: "text"; readonly text: string; readonly folded: boolean }
  /** A word that may name a file. */
  | { readonly kind: "path" };

/** A rule applies to no simple line without one of these; `undefined`: it may apply to any. */
type Signs = readonly Sign[] | undefined;

/** Every rule behind a line with its number. */
export function ruleTexts(rules: readonly RulePlan[]): string {
  return rules.map((rule, index) => `rule ${index}\n${insideComment(prettyJson(rule))}\n`).join("");
}

/** One line for each list, numbers of rules by key; `guard/rule-index.ts` reads it. */
export function ruleIndex(rules: readonly RulePlan[]): string {
  const lists = new Map<string, Map<string, Set<number>>>();
  const put = (list: string, key: string, index: number): void => {
    const rows = lists.get(list) ?? new Map<string, Set<number>>();
    lists.set(list, rows.set(key, (rows.get(key) ?? new Set()).add(index)));
  };
  const programs = new Map<string, readonly ProgramRow[]>();
  for (const [index, rule] of rules.entries()) {
    const keys = toolKeys(rule);
    for (const key of keys) put("tools", key, index);
    if (keys.length === 0) continue;
    if (isBeside(rule)) put("places", "beside", index);
    if (isTextual(rule)) put("places", "textual", index);
    const signs = signsOf(rule);
    if (signs === undefined) put("places", "always", index);
    for (const sign of signs ?? []) {
      if (sign.kind === "path") put("places", "paths", index);
      else if (sign.kind === "text") put(sign.folded ? "folded texts" : "texts", sign.text, index);
      else for (const [key, needs] of programKeys(sign)) programs.set(key, [...(programs.get(key) ?? []), { rule: index, needs }]);
    }
  }
  const rows = (name: string): Json => Object.fromEntries([...(lists.get(name) ?? [])].map(([key, indexes]) => [key, [...indexes]]));
  const lines: readonly (readonly [string, unknown])[] = [
    ["rules", rules.length],
    ["words", rules.map(signsOf).some(needWords)],
    ["read texts", readTexts(rules)],
    ...["tools", "places", "texts", "folded texts"].map((name) => [name, rows(name)] as const),
    ...[...programs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, found]) => [`program ${name}`, found] as const),
  ];
  return lines.map(([name, value]) => `${name}: ${insideComment(asciiJson(value as Json))}\n`).join("");
}

/** Under which programs of simple lines a sign is listed, those with a word that it needs by themselves, and what else it needs. */
function programKeys({ names, needs }: Extract<Sign, { readonly kind: "program" }>): readonly (readonly [key: string, needs: readonly Need[]])[] {
  const isKey = (word: string): boolean => /^[\w.][\w.-]*$/.test(word);
  const listed = needs.find(({ words = [], ...others }) => words.length > 0 && words.every(isKey) && Object.keys(others).length === 0);
  const simple = [...new Set(names.filter(isSimpleProgram))];
  if (listed === undefined) return simple.map((name) => [name, needs]);
  const rest = needs.filter((need) => need !== listed);
  return simple.flatMap((name) => [...new Set(listed.words)].map((word) => [`${name} ${word}`, rest] as const));
}

/** What a shell call must show for any rule to concern it, in short. */
export function shellSigns(rules: readonly RulePlan[]): ShellSigns {
  const concerned = rules.filter((rule) => !isBeside(rule) && toolKeys(rule).some((key) => key === "*" || key === "bash" || key.startsWith("=")));
  const tools = new Set(concerned.flatMap(toolKeys));
  const general = concerned.filter((rule) => toolKeys(rule).some((key) => key === "*" || key === "bash")).map(signsOf);
  const signs = general.flatMap((one) => one ?? []);
  const texts = (folded: boolean): readonly string[] => [...new Set(signs.flatMap((sign) => (sign.kind === "text" && sign.folded === folded ? [sign.text] : [])))];
  return {
    always: general.includes(undefined),
    tools: [...tools].filter((key) => key.startsWith("=")).map((key) => key.slice(1)),
    events: [...new Set(rules.filter((rule) => !isBeside(rule)).flatMap(toolKeys))].filter((key) => key.startsWith("@")).map((key) => key.slice(1)),
    texts: texts(false),
    folded: texts(true),
    paths: signs.some((sign) => sign.kind === "path"),
    textual: concerned.some(isTextual),
    words: general.some(needWords),
  };
}

/** A rule without a sign is one that no simple line concerns; only a look at the words tells whether the line is one. */
function needWords(signs: Signs): boolean {
  return signs !== undefined && (signs.length === 0 || signs.some((sign) => sign.kind !== "text"));
}

/** JSON may escape any slash, so nothing in it looks like the end of a comment or like what stands for one. */
function insideComment(json: string): string {
  return json.replace(/(?<=[*~])\//g, "\\/");
}

/** What a call is asked for: its tool, `*` for rules about any tool, or the host's name of its event. */
function toolKeys(rule: RulePlan): readonly string[] {
  if (rule.event === "any-event") return (rule.hostEvents ?? []).map((name) => `@${name}`);
  if (rule.hostEvent !== undefined) return [`@${rule.hostEvent}`];
  if (rule.event !== "before-tool") return [];
  return rule.tools.length === 0 ? ["*"] : [...new Set(rule.tools.map(toolKey))];
}

function toolKey(pattern: ToolPattern): string {
  switch (pattern.kind) {
    case "any":
      return "*";
    case "class":
      return pattern.name;
    case "tool":
      return `=${pattern.name}`;
    case "mcp":
    case "agent":
      return pattern.kind;
    default:
      return pattern satisfies never;
  }
}

/** Only cleans what other rules say. */
function isBeside({ effect, wouldChange }: RulePlan): boolean {
  return effect.kind === "redact" && effect.fields.length === 0 && wouldChange === undefined;
}

/** A gate that compares the command with texts and does nothing else, on which the guard's `textual.ts` decides. */
function isTextual(rule: RulePlan): boolean {
  const { effect, when, unless, because = [], suggest = [] } = rule;
  const isGate = rule.event === "before-tool" && (effect.kind === "deny" || effect.kind === "ask" || effect.kind === "allow");
  const isBare = [rule.hostEvent, rule.agents, rule.from, rule.timeout, rule.observed, rule.wouldChange].every((part) => part === undefined);
  const says = [...because, ...suggest].every((part) => typeof part === "string" || (part.field.length === 1 && part.field[0] === "command"));
  return isGate && isBare && says && [...(when === undefined ? [] : [when]), ...unless].every(comparesTexts);
}

function comparesTexts(condition: ConditionPlan): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.every(comparesTexts);
  if (condition.kind === "not") return comparesTexts(condition.of);
  if (condition.kind !== "compare" || condition.measure === "length" || condition.field.length !== 1 || condition.field[0] !== "command") return false;
  return condition.values.every((value) => (value.kind === "pattern" ? condition.operator === "~" && value.pattern.degree !== undefined : value.kind === "text" && condition.operator !== "~"));
}

function signsOf(rule: RulePlan): Signs {
  if (rule.event !== "before-tool" || rule.hostEvent !== undefined || rule.when === undefined) return undefined;
  return conditionSigns(rule.when);
}

function conditionSigns(condition: ConditionPlan): Signs {
  switch (condition.kind) {
    case "and":
      return condition.of.map(conditionSigns).reduce((best, signs) => rarer(best, signs), undefined);
    case "or":
      return union(condition.of.map(conditionSigns));
    case "compare":
      return compareSigns(condition);
    case "is":
    case "has":
      return condition.field[0] === "dynamic" ? onlyIfNotSimple : isAbsent(condition.field) ? [] : undefined;
    case "dynamic":
      return onlyIfNotSimple;
    case "runs":
      // A change of the folder counts as listed, too.
      return condition.only ? [programSign([...condition.commands.flatMap(namesOf), "cd"])] : condition.commands.map((plan) => commandSign(plan, condition.with));
    case "pipes":
      return [programSign(condition.from.flatMap(namesOf), [{ words: condition.into.flatMap(namesOf) }])];
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      return [{ kind: "path" }];
    case "not":
    case "succeeds":
    case "marked":
      return undefined;
    default:
      return condition satisfies never;
  }
}

/**
 * No simple line shows it.
 * Fail closed: no sign at all would be lost beside the texts of an `or`, and with it the look at whether a line is simple.
 */
const onlyIfNotSimple: Signs = [{ kind: "program", names: [], needs: [] }];

/** Shorter texts stand in many a line that a pattern does not match. */
const telling = 3;

/**
 * Texts of which every path has one, in lower case, that a rule about what a shell call reads asks for; `null` where some
 * rule asks for paths without a text. What is only written or deleted is no matter of programs that read.
 */
function readTexts(rules: readonly RulePlan[]): readonly string[] | null {
  const globs = rules.filter((rule) => signsOf(rule)?.some((sign) => sign.kind === "path") === true).flatMap(({ when }) => (when === undefined ? [] : readGlobs(when)));
  const alternatives = globs.filter((glob) => !glob.except).flatMap((glob) => (expandBraces(glob.text) ?? [glob.text]).map((text) => ({ ...glob, text })));
  const texts = alternatives.map((glob) => requiredText(glob).toLowerCase());
  return texts.some((text) => text.length < telling || /[^!-~]/.test(text)) ? null : [...new Set(texts)].sort();
}

function readGlobs(condition: ConditionPlan): readonly GlobPlan[] {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.flatMap(readGlobs);
  if (condition.kind === "not") return readGlobs(condition.of);
  return condition.kind === "reads" || condition.kind === "touches" ? condition.globs : [];
}

function union(all: readonly Signs[]): Signs {
  return all.some((signs) => signs === undefined) ? undefined : all.flatMap((signs) => signs ?? []);
}

/** Of two that are both needed, the one that fewer lines show. */
function rarer(one: Signs, other: Signs): Signs {
  return weightOf(other) < weightOf(one) ? other : one;
}

function weightOf(signs: Signs): number {
  return signs === undefined ? 1000 : signs.reduce((sum, sign) => sum + (sign.kind === "path" ? 20 : sign.kind === "text" ? (sign.text.length < telling ? 15 : 2) : sign.names.length === 0 ? 0 : sign.needs.length > 0 ? 1 : 2), 0);
}

/** As the model compares names in wide positions: last segment, lower case, without the endings of Windows. */
function namesOf(plan: CommandPlan): readonly string[] {
  return (plan[0] ?? []).map((name) => foldCase(name.slice(name.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat|com)$/i, "")));
}

function programSign(names: readonly string[], needs: readonly Need[] = []): Sign {
  return { kind: "program", names, needs };
}

function commandSign(plan: CommandPlan, args: RunsPlan["with"]): Sign {
  return programSign(namesOf(plan), [...plan.slice(1).map((words) => ({ words })), ...args.map(needOf)].filter((need) => need !== undefined));
}

/** `undefined` where a pattern may match a word of any kind, and trying it could take long. */
function needOf(args: readonly ArgumentPlan[]): Need | undefined {
  const words = args.flatMap((arg) => (arg.kind === "pattern" ? [] : [arg.text]));
  const found = args.flatMap((arg) => (arg.kind === "pattern" ? [arg.pattern] : []));
  const isTried = (pattern: PatternPlan): boolean => (pattern.degree ?? 2) <= 1 && !(patternSigns(pattern, false)?.every((sign) => sign.kind !== "text" || sign.text.length >= telling) ?? false);
  const patterns = found.filter(isTried);
  const signs = union(found.filter((pattern) => !isTried(pattern)).map((pattern) => patternSigns(pattern, false)));
  if (signs === undefined) return undefined;
  const texts = (folded: boolean): readonly string[] => signs.flatMap((sign) => (sign.kind === "text" && sign.folded === folded ? [sign.text] : []));
  const [exact, folded] = [texts(false), texts(true)];
  return { ...(words.length > 0 && { words }), ...(exact.length > 0 && { texts: exact }), ...(folded.length > 0 && { folded }), ...(patterns.length > 0 && { patterns: patterns.map(({ source, flags }) => ({ source, flags })) }) };
}

function compareSigns({ field, operator, measure, values }: ComparePlan): Signs {
  if (measure === "length") return undefined;
  if (isCommand(field)) return union(values.map((value) => textSigns(value, operator, measure === "lower")));
  if (!isAbsent(field)) return undefined;
  // An absent path or number compares with nothing, an absent text is empty, and so is an absent argument.
  const type = field[0] === "input" ? "text" : fields[field[0] ?? ""]?.type;
  if (type === "path" || type === "number") return [];
  return type === "text" && values.every((value) => textSigns(value, operator, false) !== undefined) ? [] : undefined;
}

/** The command by its portable name, or by that of the argument. */
function isCommand(field: FieldPath): boolean {
  return field.at(-1) === "command" && (field.length === 1 || (field.length === 2 && field[0] === "input"));
}

/** What a text must hold for the comparison with one value to hold. */
function textSigns(value: ValuePlan, operator: ComparePlan["operator"], lower: boolean): Signs {
  if (value.kind === "pattern" && operator === "~") return patternSigns(value.pattern, lower);
  const isTextual = operator === "==" || operator === "contains" || operator === "starts-with" || operator === "ends-with";
  if (value.kind !== "text" || !isTextual || value.text === "") return undefined;
  return [{ kind: "text", text: value.text.normalize("NFC"), folded: lower }];
}

function patternSigns({ literal, oneOf, flags }: PatternPlan, lower: boolean): Signs {
  const texts = literal === undefined ? oneOf : [literal];
  const folds = flags.includes("i");
  return texts?.map((text) => ({ kind: "text", text: folds ? text.toLowerCase() : text, folded: lower || folds }));
}

/** A field that no simple line comes with: those of other tools and of other moments, and arguments it does not have. */
function isAbsent(field: FieldPath): boolean {
  if (field[0] === "input") return field[1] !== undefined && !plainArguments().includes(field[1]);
  const fact = field.length === 1 ? fields[field[0] ?? ""] : undefined;
  if (fact === undefined) return false;
  return (fact.classes !== undefined && !fact.classes.includes("bash")) || (fact.events !== undefined && !fact.events.includes("before-tool"));
}
