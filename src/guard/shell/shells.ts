/** Shells started by the line: the text of `-c`, text on their input, or a script file; `eval` runs in the same shell. */
import { record } from "./commands.ts";
import { insideString, isolated } from "./machine.ts";
import type { Context, FoundRedirect, Interpreter } from "./machine.ts";
import { listOf } from "./functions.ts";
import { only, readOptions } from "./options.ts";
import { positional } from "./parameters.ts";
import { runFile } from "./script-files.ts";
import { shellValues } from "./tables/shells.ts";
import { asScript, hole, show, unite } from "./text.ts";
import type { Value } from "./text.ts";

/** Runs each text as a shell of its own would; one that is not known at all makes the line dynamic. */
export function runTexts(texts: Value, machine: Interpreter, context: Context): Value {
  let output: Value | undefined;
  const inner = insideString(context);
  for (const text of texts) {
    const printed = isolated(machine, () => machine.text(text, inner));
    output = output === undefined ? printed : unite(output, printed);
  }
  return output ?? [""];
}

/** True where nothing of a text stands in the line. */
export function isUnknown(text: string): boolean {
  return text !== "" && asScript(text).replaceAll(hole, "").trim() === "" && text.includes("\0");
}

export function runShell(words: readonly Value[], machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value {
  record(machine, context, words, words.length, files);
  const { options, operands } = readOptions(words, 1, shellValues, true);
  const startup = options.filter((option) => option.name === "--rcfile" || option.name === "--init-file" || option.name === "--init-command" || option.name === "-C");
  for (const option of startup) {
    if (option.name.startsWith("--init-c") || option.name === "-C") runTexts(option.value ?? [], machine, { ...context, certain: false });
    else runFile(option.value ?? [], undefined, machine, context);
  }
  const long = options.find((option) => option.name === "--command");
  const [first, ...rest] = operands.map((at) => words[at] ?? [""]);
  if (long?.value !== undefined) return runTexts(long.value, machine, context);
  const inner: Context = { ...context, texts: [] };
  if (options.some((option) => option.name === "-c")) {
    if (first === undefined) return [hole];
    return isolated(machine, () => {
      // The word behind the text is `$0`.
      machine.variables.set("0", rest[0] ?? [hole]);
      machine.variables.set(positional, listOf(rest.slice(1)));
      return runTexts(first, machine, inner);
    });
  }
  const fromInput = first === undefined || options.some((option) => option.name === "-s") || ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].includes(show(only(first) ?? ""));
  if (fromInput) {
    const args = options.some((option) => option.name === "-s") && first !== undefined ? [first, ...rest] : rest;
    return isolated(machine, () => {
      machine.variables.set(positional, listOf(args));
      return readInput(machine, inner);
    });
  }
  return isolated(machine, () => runFile(first, rest, machine, inner));
}

/** What a shell does with its input: the text in the line, or the file it comes from. */
export function readInput(machine: Interpreter, context: Context): Value {
  if (context.stdinFile !== undefined) return runFile(context.stdinFile, undefined, machine, context);
  if (context.stdin === undefined) return [hole];
  return runTexts(context.stdin, machine, { ...context, stdin: undefined });
}
