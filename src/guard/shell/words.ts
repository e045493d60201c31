/**
 * Words of the syntax tree become values: quotes removed, variables the line sets filled in, substitutions run. A word
 * may become several words or none, so texts here hold borders until `argumentsOf` has cut them.
 */
import { arithmetic, isArithmetic, numberOf } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import { insideSubstitution, isolated, newPipeline, spendCharacters, spendStep } from "./machine.ts";
import type { Context, Interpreter } from "./machine.ts";
import { expandParameter, valueOf } from "./parameters.ts";
import { visit } from "./bash-parser.ts";
import { expectComplete, parseWord } from "./parse.ts";
import type { ParsedScript, SyntaxNode, Word, WordPart } from "./parse.ts";
import { asScalar, border, concatenate, hole, homeMark, loose, nothing, quoteText, splitText, Undecidable, unite, wordsOf } from "./text.ts";
import type { Text, Value } from "./text.ts";

/** Longer words with braces would be slow to expand, and nobody writes them. */
const longestBraceWord = 4096;

/** The word as an argument: braces, splitting and wildcards count. */
export function expandWord(word: Word, machine: Interpreter, context: Context): Value {
  spendStep(machine);
  if (word.parts?.some((part) => part.type === "BraceExpansion") !== true) return expandParts(word, machine, context, false);
  const texts = word.text.length > longestBraceWord ? undefined : expandBraces(word.text);
  if (texts === undefined) {
    // A long range of numbers can spell no command.
    if (/^[^{},]*\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}[^{},]*$/.test(word.text)) return [loose];
    throw new Undecidable("a word of the line expands to too many words");
  }
  const values: Value[] = [];
  for (const text of texts) {
    spendCharacters(machine, text.length);
    const one = parseWord(text);
    if (values.length > 0) values.push([border]);
    values.push(one === undefined ? [text] : expandParts(one, machine, context, false));
  }
  return concatenate(values);
}

/** The word as the value of a variable or the target of a redirect: it stays one word. */
export function expandOne(word: Word, machine: Interpreter, context: Context): Value {
  spendStep(machine);
  return mapValue(expandParts(word, machine, context, true), asScalar);
}

/** The word as the target of a redirect: one word, in which wildcards count. */
export function expandTarget(word: Word, machine: Interpreter, context: Context): Value {
  spendStep(machine);
  return mapValue(expandParts(word, machine, context, false), (text) => text.replaceAll(border, " ").replaceAll(nothing, "").replaceAll(loose, hole));
}

/** The words a list of expanded words can be: each inner list has its own number of words. */
export function argumentsOf(values: readonly Value[]): readonly (readonly Value[])[] {
  let lists: Value[][] = [[]];
  for (const value of values) {
    const [only] = value;
    if (value.length === 1 && only !== undefined) {
      const words = wordsOf(only).map((word): Value => [word]);
      for (const list of lists) for (const word of words) list.push(word);
      continue;
    }
    const byCount = new Map<number, Set<Text>[]>();
    for (const text of value) {
      const words = wordsOf(text);
      const columns = byCount.get(words.length) ?? words.map(() => new Set<Text>());
      words.forEach((word, index) => columns[index]?.add(word));
      byCount.set(words.length, columns);
    }
    const choices = [...byCount.values()].map((columns) => columns.map((column): Value => [...column]));
    lists = lists.flatMap((list) => choices.map((columns) => [...list, ...columns]));
    if (lists.length > 64) throw new Undecidable("the words of a command can be read in too many ways");
  }
  return lists;
}

function expandParts(word: Word, machine: Interpreter, context: Context, single: boolean): Value {
  const { parts } = word;
  if (parts === undefined) return [tilde(word.text, bareText(word.value), machine)];
  const values = parts.map((part, index) => {
    const value = expandPart(part, machine, context, single);
    return index === 0 && part.type === "Literal" ? mapValue(value, (text) => tilde(part.text, text, machine)) : value;
  });
  return concatenate(values);
}

function expandPart(part: WordPart, machine: Interpreter, context: Context, single: boolean): Value {
  switch (part.type) {
    case "Literal":
      return [bareText(part.value)];
    case "SingleQuoted":
      return [quoteText(part.value)];
    case "AnsiCQuoted":
      return [quoteText(ansiText(part.text, part.value))];
    case "DoubleQuoted":
    case "LocaleString":
      return expandQuoted(part.parts, machine, context);
    case "SimpleExpansion":
      return outsideQuotes(valueOf(part.text.slice(1).replaceAll("\\\n", ""), machine), machine, single);
    case "ParameterExpansion":
      return outsideQuotes(expandParameter(part, machine, context), machine, single);
    case "CommandExpansion":
      return outsideQuotes(substitute(part.text, part.script, machine, context), machine, single);
    case "ArithmeticExpansion": {
      if (part.text.startsWith("$((") && !isArithmetic(part.text.slice(3, -2))) throw new Undecidable("an arithmetic expansion may be commands to Bash");
      sweep(part, machine, context);
      const number = numberOf(part.text.replace(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, ""), machine);
      arithmetic(part.text, machine, context);
      return [number === undefined ? hole : String(number)];
    }
    case "ProcessSubstitution":
      return [processPath(part.script, part.text, part.operator, machine, context)];
    case "Glob":
      if (part.kind !== "bracket") return [part.text.replace(/[*?]/g, "\0$&")];
      sweep(part, machine, context);
      return [`\0[${part.value.slice(1, -1)}\0]`];
    case "ExtendedGlob":
      sweep(part, machine, context);
      return ["\0*"];
    case "BraceExpansion":
      // Only where braces do not expand: in assignments and in targets.
      sweep(part, machine, context);
      return [part.text];
    default:
      throw part satisfies never;
  }
}

/** The parts between double quotes (or of a here-document) as one text. */
export function expandQuoted(parts: readonly WordPart[], machine: Interpreter, context: Context): Value {
  const values = parts.map((part): Value => {
    switch (part.type) {
      case "SimpleExpansion":
        return quotedValue(part.text.slice(1).replaceAll("\\\n", ""), machine);
      case "ParameterExpansion":
        return mapValue(expandParameter(part, machine, context), (text) => (isList(part.text) ? listText(text) : part.text.startsWith("${*") ? asScalar(text) : inQuotes(text)));
      case "CommandExpansion":
        return mapValue(substitute(part.text, part.script, machine, context), inQuotes);
      case "Literal":
        return [part.value];
      default:
        return mapValue(expandPart(part, machine, context, true), inQuotes);
    }
  });
  // `"$@"` without parameters is no word at all.
  const empty = parts.length > 0 && parts.every(({ text }) => text === "$@" || isList(text)) ? "" : nothing;
  return mapValue(concatenate(values), (text) => (text === "" ? empty : text));
}

function quotedValue(name: string, machine: Interpreter): Value {
  const value = valueOf(name, machine);
  return mapValue(value, (text) => (name === "@" ? listText(text) : inQuotes(asScalar(text))));
}

/** `${A[@]}`, `${@:2}` in quotes stay several words. */
function isList(text: string): boolean {
  return /^\$\{(?:@|\w+\[@\])/.test(text);
}

/** Words of a list between quotes: a run-time list may be several words or none. */
function listText(text: Text): Text {
  return text.replaceAll(hole, loose);
}

function inQuotes(text: Text): Text {
  return quoteText(asScalar(text)).replaceAll(nothing, "");
}

function outsideQuotes(value: Value, machine: Interpreter, single: boolean): Value {
  if (single) return mapValue(value, asScalar);
  const separators = machine.variables.get("IFS") ?? [" \t\n"];
  const [only = " \t\n"] = separators;
  // Separators known only at run time: the usual ones are the likeliest.
  const known = separators.length === 1 && !only.includes("\0") ? only : " \t\n";
  return mapValue(value, (text) => splitText(text, known));
}

/** A run-time stretch that came through a text given to a shell is unquoted there. */
function bareText(text: Text): Text {
  return text.includes("\0") ? text.replaceAll(hole, loose) : text;
}

function tilde(source: string, text: Text, machine: Interpreter): Text {
  if (!source.startsWith("~")) return text;
  const end = text.search(/[/\0]/);
  const user = text.slice(1, end === -1 ? undefined : end);
  const rest = end === -1 ? "" : text.slice(end);
  if (user === "") return homeMark + rest;
  if (user === "+") return (machine.variables.get("PWD")?.[0] ?? hole) + rest;
  if (user === "-") return (machine.variables.get("OLDPWD")?.[0] ?? hole) + rest;
  return text;
}

/** The parser drops backslash and newline inside `$'…'`, Bash keeps both. */
function ansiText(source: string, value: string): string {
  const whole = /\\\n/.test(source) ? ansiPieces(source.slice(2, -1)) : value;
  const end = whole.indexOf("\0");
  // `\0` ends the text for Bash.
  return end === -1 ? whole : whole.slice(0, end);
}

function ansiPieces(inner: string): string {
  const pieces: string[] = [""];
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] !== "\\") pieces.push((pieces.pop() ?? "") + (inner[at] ?? ""));
    else if (inner[at + 1] === "\n") {
      pieces.push("");
      at += 1;
    } else {
      pieces.push((pieces.pop() ?? "") + inner.slice(at, at + 2));
      at += 1;
    }
  }
  return pieces.map((piece) => parseWord(`$'${piece}'`)?.value ?? "").join("\\\n");
}

/** Runs `$(…)`; its value is what it prints. */
function substitute(text: string, script: ParsedScript | undefined, machine: Interpreter, context: Context): Value {
  const pipeline = newPipeline(machine);
  const output = runNested(text, script, machine, { ...context, stages: [...context.stages, { pipeline, index: 0 }], captured: true });
  machine.sources.texts.push(pipeline);
  const trimmed = mapValue(output, (one) => one.replace(/\n+$/, ""));
  // What the line prints by itself is a guess: the substitution still happens at run time.
  return trimmed.every((one) => one.includes("\0h")) ? trimmed : unite(trimmed, [hole]);
}

function runNested(text: string, script: ParsedScript | undefined, machine: Interpreter, context: Context): Value {
  const inner = insideSubstitution(context);
  spendCharacters(machine, text.length);
  if (script === undefined) throw new Undecidable("a substitution does not parse as Bash");
  expectComplete(script);
  return isolated(machine, () => machine.script(script, inner));
}

/** `<(A)` feeds the command it is an argument of, `>(B)` is fed by it; either makes a pipeline of the two. */
function processPath(script: ParsedScript | undefined, text: string, operator: "<" | ">", machine: Interpreter, context: Context): Text {
  const path = `/dev/fd/${1_000_000 + machine.outputs.size}`;
  machine.outputs.set(path, [hole]);
  const stage = { pipeline: newPipeline(machine), index: operator === "<" ? 0 : 2 };
  machine.sources.processes.push(stage.pipeline);
  const inner: Context = { ...context, stages: [...context.stages, stage], captured: operator === "<", stdin: operator === ">" ? [hole] : undefined, stdinFile: undefined };
  machine.outputs.set(path, runNested(text, script, machine, inner));
  if (operator === ">") machine.sinks.set(path, sinkOf((input) => void runNested(text, script, machine, { ...inner, stdin: input })));
  return path;
}

/** Runs once for each text it is fed. */
export function sinkOf(run: (input: Value) => void): (input: Value) => void {
  const seen = new Set<string>();
  return (input) => {
    const key = input.join(border);
    if (seen.has(key) || input.every((text) => text === "" || text === hole)) return;
    seen.add(key);
    run(input);
  };
}

/** Runs every substitution below a node whose own value does not matter. */
export function sweep(node: SyntaxNode, machine: Interpreter, context: Context): void {
  visit(node, (one) => {
    if (one.type === "CommandExpansion" || one.type === "ProcessSubstitution" || one.type === "ArithmeticCommandExpansion") {
      runNested(one.text, one.script, machine, { ...context, captured: false });
      return false;
    }
    return true;
  });
}

export function mapValue(value: Value, change: (text: Text) => Text): Value {
  const [only] = value;
  if (value.length === 1 && only !== undefined) return [change(only)];
  return [...new Set(value.map(change))];
}
