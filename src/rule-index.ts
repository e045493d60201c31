/**
 * The rules of a plan as they lie in a guard: each as a text of its own, and an index of what a call must show for a rule
 * to apply to it, so that a guard reads only the few it may need (`guard/rule-store.ts`). What the index leaves out is
 * certain; a rule that cannot be placed is one that every call of its tools may concern.
 */
import type { CommandPlan, ComparePlan, ConditionPlan, FieldPath, PatternPlan, RulePlan, ToolPattern, ValuePlan } from "./guard/plan.ts";
import { isSimpleProgram } from "./guard/simple-line.ts";
import { fields } from "./guard/vocabulary.ts";
import { asciiJson, prettyJson } from "./plan-literal.ts";

/** Something in a simple line. */
type Sign =
  /** A program and further words, each any of its spellings. */
  | { readonly kind: "words"; readonly names: readonly string[]; readonly others: readonly (readonly string[])[] }
  /** `folded`: in the line in lower case. */
  | { readonly kind: "text"; readonly text: string; readonly folded: boolean }
  /** A word that may name a file. */
  | { readonly kind: "path" };

/** A rule applies to no simple line without one of these; `undefined`: it may apply to any. */
type Signs = readonly Sign[] | undefined;

/** More spellings of one command than these are not listed apart. */
const mostSpellings = 64;

/** Every rule behind a line with its number. */
export function ruleTexts(rules: readonly RulePlan[]): string {
  return rules.map((rule, index) => `rule ${index}\n${insideComment(prettyJson(rule))}\n`).join("");
}

/** One line for each key, numbers of rules behind it; see `RuleIndex` in `guard/rule-store.ts`. */
export function ruleIndex(rules: readonly RulePlan[]): string {
  const lists = new Map<string, Map<string, Set<number>>>();
  const put = (list: string, key: string, index: number): void => {
    const rows = lists.get(list) ?? new Map<string, Set<number>>();
    lists.set(list, rows.set(key, (rows.get(key) ?? new Set()).add(index)));
  };
  for (const [index, rule] of rules.entries()) {
    for (const key of toolKeys(rule)) put("tools", key, index);
    if (isBeside(rule)) put("places", "beside", index);
    const signs = signsOf(rule);
    if (signs === undefined) put("places", "always", index);
    for (const sign of signs ?? []) {
      if (sign.kind === "path") put("places", "paths", index);
      else if (sign.kind === "text") put(sign.folded ? "folded texts" : "texts", sign.text, index);
      else for (const [name = "", ...others] of spellingsOf(sign)) put(`program ${name}`, others.join(" "), index);
    }
  }
  const names = ["tools", "places", "texts", "folded texts", ...[...lists.keys()].filter((list) => list.startsWith("program ")).sort()];
  const line = (name: string): string => asciiJson(Object.fromEntries([...(lists.get(name) ?? [])].map(([key, indexes]) => [key, [...indexes]])));
  return [`rules: ${rules.length}`, ...names.map((name) => `${name}: ${insideComment(line(name))}`)].map((one) => `${one}\n`).join("");
}

/** JSON may escape any slash, so nothing in it looks like the end of a comment or like what stands for one. */
function insideComment(json: string): string {
  return json.replace(/(?<=[*~])\//g, "\\/");
}

/** What a call's tool is asked for; `*` for rules about any tool, and for those at moments that other rules are not about. */
function toolKeys(rule: RulePlan): readonly string[] {
  if (rule.event === "any-event" || rule.hostEvent !== undefined) return ["*"];
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
      return isAbsent(condition.field) || condition.field[0] === "dynamic" ? [] : undefined;
    case "dynamic":
      return [];
    case "runs":
      // A change of the folder counts as listed, too.
      return condition.only ? [...condition.commands.map(nameSign), nameSign([["cd"]])] : condition.commands.map(commandSign);
    case "pipes":
      return [{ kind: "words", names: condition.from.flatMap(namesOf), others: [condition.into.flatMap(namesOf)] }];
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

function union(all: readonly Signs[]): Signs {
  return all.some((signs) => signs === undefined) ? undefined : all.flatMap((signs) => signs ?? []);
}

/** Of two that are both needed, the one that fewer lines show. */
function rarer(one: Signs, other: Signs): Signs {
  const weight = (signs: Signs): number => (signs === undefined ? 1000 : signs.reduce((sum, sign) => sum + (sign.kind === "path" ? 20 : sign.kind === "words" && sign.others.length > 0 ? 1 : 2), 0));
  return weight(other) < weight(one) ? other : one;
}

/** As the model compares names in wide positions: last segment, lower case, without the endings of Windows. */
function namesOf(plan: CommandPlan): readonly string[] {
  return (plan[0] ?? []).map((name) => name.slice(name.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat|com)$/i, "").toLowerCase());
}

function nameSign(plan: CommandPlan): Sign {
  return { kind: "words", names: namesOf(plan), others: [] };
}

function commandSign(plan: CommandPlan): Sign {
  // Options may be abbreviated or joined, so only plain words count.
  return { kind: "words", names: namesOf(plan), others: plan.slice(1).filter((spellings) => spellings.every((word) => /^[^\s-]\S*$/.test(word))) };
}

/** Each program of a simple line with each choice of the other words. */
function spellingsOf({ names, others }: Extract<Sign, { readonly kind: "words" }>): readonly (readonly string[])[] {
  let rows: readonly (readonly string[])[] = [...new Set(names)].filter(isSimpleProgram).map((name) => [name]);
  for (const spellings of others) if (rows.length * spellings.length <= mostSpellings) rows = rows.flatMap((row) => spellings.map((word) => [...row, word]));
  return rows;
}

function compareSigns({ field, operator, measure, values }: ComparePlan): Signs {
  if (measure === "length") return undefined;
  if (field[0] === "command" && field.length === 1) return union(values.map((value) => textSigns(value, operator, measure === "lower")));
  if (!isAbsent(field)) return undefined;
  // An absent path or number compares with nothing, an absent text is empty.
  const type = fields[field[0] ?? ""]?.type;
  if (type === "path" || type === "number") return [];
  return type === "text" && values.every((value) => textSigns(value, operator, false) !== undefined)
    ? []
    : undefined;
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

/** A field that no simple line comes with: those of other tools and of other moments. */
function isAbsent(field: FieldPath): boolean {
  const fact = field.length === 1 ? fields[field[0] ?? ""] : undefined;
  if (fact === undefined) return false;
  return (fact.classes !== undefined && !fact.classes.includes("bash")) || (fact.events !== undefined && !fact.events.includes("before-tool"));
}
