/**
 * The rules of a guard as they lie in its file, read one by one: a call goes in, the rules it may concern come out.
 * `rule-index.ts` of the compiler writes what is read here. Fail closed: what cannot be read is an error, never no rule.
 */
import type { ToolCall } from "./call.ts";
import { partText } from "./part.ts";
import type { PartHolder } from "./part.ts";
import type { RulePlan } from "./plan.ts";
import { readSimpleLine } from "./simple-line.ts";

export interface RuleStore {
  /** Every rule, in the order of the files. */
  all(): readonly RulePlan[];
  /** The rules that may apply to the call, or make a difference if others do; none where no rule can apply. */
  concerning(call: ToolCall): readonly RulePlan[];
}

/** Numbers of rules by key. */
type Rows = Readonly<Record<string, readonly number[]>>;

/** `index`: a line for each list of rows. `texts`: the rules, each behind a line with its number. */
export function ruleStore(index: PartHolder, texts: PartHolder): RuleStore {
  const all = (): readonly RulePlan[] => {
    const count = Number(lineOf(partText(index), "rules"));
    return readRules(partText(texts), Array.from({ length: count }, (_, number) => number));
  };
  return {
    all,
    concerning(call) {
      if (call.event !== "before-tool") return all();
      const numbers = numbersFor(call, partText(index));
      if (numbers.length === 0) return [];
      const rules = readRules(partText(texts), numbers);
      // What a rule makes of the call is judged by all rules, and may concern others than the call did.
      return rules.some(({ effect }) => effect.kind === "set" || effect.kind === "replace" || (effect.kind === "redact" && effect.fields.length > 0)) ? all() : rules;
    },
  };
}

function numbersFor(call: ToolCall, index: string): readonly number[] {
  const tools = rowsOf(index, "tools");
  const keys = ["*", call.toolClass, call.alsoClass, `=${call.tool}`, call.mcp && "mcp"];
  const concerned = new Set(keys.flatMap((key) => (key === undefined ? [] : numbersUnder(tools, key))));
  if (concerned.size === 0) return [];
  const places = rowsOf(index, "places");
  const placed = simplePlaces(call, places, index);
  const numbers = placed === undefined ? concerned : new Set([...concerned].filter((number) => placed.has(number)));
  const beside = numbersUnder(places, "beside");
  if ([...numbers].every((number) => beside.includes(number))) return [];
  return [...numbers].sort((one, other) => one - other);
}

/** The rules whose signs a simple line shows; `undefined` for calls of any other kind. */
function simplePlaces(call: ToolCall, places: Rows, index: string): ReadonlySet<number> | undefined {
  const text = soleCommand(call);
  const line = text === undefined ? undefined : readSimpleLine(text);
  if (text === undefined || line === undefined) return undefined;
  const found = [...numbersUnder(places, "always"), ...numbersUnder(places, "beside"), ...(line.hasPaths ? numbersUnder(places, "paths") : [])];
  for (const [sign, numbers] of Object.entries(rowsOf(index, "texts"))) if (text.includes(sign)) found.push(...numbers);
  const folded = text.toLowerCase();
  for (const [sign, numbers] of Object.entries(rowsOf(index, "folded texts"))) if (folded.includes(sign)) found.push(...numbers);
  const words = new Set(line.commands.flat());
  for (const [name = ""] of line.commands) {
    for (const [others, numbers] of Object.entries(rowsOf(index, `program ${name}`))) {
      if (others === "" || others.split(" ").every((word) => words.has(word))) found.push(...numbers);
    }
  }
  return new Set(found);
}

/** Fields that say nothing about what the tool is to do. */
const setting: ReadonlySet<string> = new Set(["host", "event", "session", "cwd", "tool", "mode", "subagent", "platform", "command"]);

/** The command of a call that is one line of Bash and nothing else. */
function soleCommand({ toolClass, alsoClass, mcp, fields, subject }: ToolCall): string | undefined {
  const [command, ...others] = subject.commands;
  const isSole = command?.shell === "bash" && command.whole && others.length === 0 && subject.paths.length === 0 && subject.env === undefined;
  if (!isSole || toolClass !== "bash" || alsoClass !== undefined || mcp !== undefined) return undefined;
  return fields["command"] === command.text && Object.keys(fields).every((field) => setting.has(field)) ? command.text : undefined;
}

function numbersUnder(rows: Rows, key: string): readonly number[] {
  return Object.hasOwn(rows, key) ? (rows[key] ?? []) : [];
}

/** A program that no rule names has no line. */
function rowsOf(index: string, list: string): Rows {
  const line = lineOf(index, list);
  if (line === undefined && !list.startsWith("program ")) throw new Error("the guard's index is incomplete");
  return line === undefined ? {} : (JSON.parse(line) as Rows);
}

function lineOf(index: string, list: string): string | undefined {
  const start = index.indexOf(`\n${list}: `);
  return start < 0 ? undefined : index.slice(start + list.length + 3, index.indexOf("\n", start + 1));
}

function readRules(texts: string, numbers: readonly number[]): readonly RulePlan[] {
  return numbers.map((number) => {
    const mark = `\nrule ${number}\n`;
    const start = texts.indexOf(mark);
    if (start < 0) throw new Error("a rule of the guard is missing");
    const end = texts.indexOf(`\nrule ${number + 1}\n`, start);
    return JSON.parse(texts.slice(start + mark.length, end < 0 ? undefined : end)) as RulePlan;
  });
}
