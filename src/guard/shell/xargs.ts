/** `xargs` and `parallel`: the command they run is given further arguments by their input, as far as it is in the line. */
import type { Context, Interpreter } from "./machine.ts";
import { runTexts } from "./shells.ts";
import type { ReadWords } from "./options.ts";
import { asScript, concatenate, hole, isSettled, loose, show } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

const mostLines = 64;

export function runXargs(read: ReadWords, command: readonly Value[], machine: Interpreter, context: Context): Value {
  const mark = read.options.map((option) => (option.name === "-I" || option.name === "-J" ? show(option.value?.[0] ?? "") : /^(?:-i|--replace)$/.test(option.name) ? (show(option.value?.[0] ?? "") || "{}") : undefined)).find((text) => text !== undefined);
  const inner: Context = { ...context, stdin: undefined, stdinFile: undefined };
  const [stdin = hole] = context.stdin ?? [hole];
  if (command.length === 0) return [hole];
  if (mark !== undefined && mark !== "") {
    const lines = !/\0[hu]/.test(stdin) ? [...new Set(stdin.split("\n").filter((line) => line !== ""))].slice(0, mostLines) : [hole];
    for (const line of lines) machine.command(command.map((word) => mapValue(word, (text) => text.replaceAll(mark, line))), inner);
    return [hole];
  }
  machine.command([...command, ...argumentsIn(stdin)], inner);
  return [hole];
}

/** The words of the input; run-time input may be any number of them. */
function argumentsIn(stdin: Text): readonly Value[] {
  if (/\0[hu]/.test(stdin)) return [[loose]];
  const words = stdin.match(/"[^"]*"|'[^']*'|(?:\\[^]|[^\s"'\\])+/g) ?? [];
  return words.slice(0, 4 * mostLines).map((word) => [/^["']/.test(word) ? word.slice(1, -1) : word.replace(/\\([^])/g, "$1")]);
}

export function runParallel(words: readonly Value[], machine: Interpreter, context: Context): Value {
  const split = words.findIndex((word) => /^:::/.test(word[0] ?? ""));
  const command = split === -1 ? words : words.slice(0, split);
  const [stdin = hole] = context.stdin ?? [hole];
  const given = split === -1 ? undefined : words.slice(split + 1).filter((word) => !/^:::/.test(word[0] ?? ""));
  // `::::` names files whose lines are the arguments.
  const fromFile = split !== -1 && (words[split]?.[0] ?? "").startsWith("::::");
  const lines: Value = fromFile ? [hole] : (given?.flat() ?? (isSettled(stdin) ? stdin.split("\n").filter((line) => line !== "") : [hole]));
  const inner: Context = { ...context, stdin: undefined, stdinFile: undefined };
  if (command.length === 0) return runTexts(lines.slice(0, mostLines), machine, inner);
  const text = concatenate(command.flatMap((word, index) => [[index === 0 ? "" : " "], word]));
  for (const line of [...new Set(lines)].slice(0, mostLines)) {
    runTexts(
      mapValue(text, (one) => {
        const filled = one.replaceAll("{}", line).replace(/\{(?:[./#%]|\/\/|\/\.|\d+)\}/g, hole);
        return /\{[^{}\s]*\}/.test(one) ? filled : `${filled} ${asScript(line)}`;
      }),
      machine,
      inner,
    );
  }
  return [hole];
}
