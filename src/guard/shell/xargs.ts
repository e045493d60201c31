/** `xargs` and `parallel`: the command they run is given further arguments by their input, as far as it is in the line. */
import { readKept } from "./data-flow.ts";
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
  const [stdin = hole] = inputOf(read, machine, context);
  if (command.length === 0) return [hole];
  if (mark !== undefined && mark !== "") {
    const lines = !/\0[hu]/.test(stdin) ? [...new Set(stdin.split("\n").filter((line) => line !== ""))].slice(0, mostLines) : [hole];
    for (const line of lines) machine.command(command.map((word) => mapValue(word, (text) => text.replaceAll(mark, line))), inner);
    return [hole];
  }
  machine.command([...command, ...argumentsIn(stdin, delimiterOf(read))], inner);
  return [hole];
}

/** The input, or the file that is named instead of it. */
function inputOf(read: ReadWords, machine: Interpreter, context: Context): Value {
  const file = read.options.find((option) => option.name === "-a" || option.name === "--arg-file")?.value;
  return file === undefined ? (context.stdin ?? [hole]) : (readKept(file, machine, context) ?? [hole]);
}

/** What parts the arguments where blanks and quotes do not. */
function delimiterOf(read: ReadWords): string | undefined {
  const given = read.options.find((option) => option.name === "-d" || option.name === "--delimiter")?.value?.[0];
  if (given !== undefined) return show(given).replace(/\\n/g, "\n").replace(/\\0/g, "\0");
  return read.options.some((option) => option.name === "-0" || option.name === "--null") ? "\0" : undefined;
}

/** The words of the input; run-time input may be any number of them. */
function argumentsIn(stdin: Text, delimiter: string | undefined): readonly Value[] {
  if (/\0[hu]/.test(stdin)) return [[loose]];
  // A text of the line holds no NUL, so what would be parted there is one word or one a line.
  if (delimiter !== undefined) return [...new Set([stdin.replace(/\n$/, ""), ...stdin.split(delimiter === "\0" ? "\n" : delimiter)])].filter((word) => word !== "").slice(0, 4 * mostLines).map((word) => [word]);
  const words = stdin.match(/"[^"]*"|'[^']*'|(?:\\[^]|[^\s"'\\])+/g) ?? [];
  return words.slice(0, 4 * mostLines).map((word) => [/^["']/.test(word) ? word.slice(1, -1) : word.replace(/\\([^])/g, "$1")]);
}

export function runParallel(read: ReadWords, words: readonly Value[], machine: Interpreter, context: Context): Value {
  const split = words.findIndex((word) => /^:::/.test(word[0] ?? ""));
  const command = split === -1 ? words : words.slice(0, split);
  const [stdin = hole] = inputOf(read, machine, context);
  if (read.options.some((option) => option.name === "--pipe" || option.name === "--pipepart" || option.name === "--spreadstdin") && command.length > 0) return machine.command(command, context);
  const given = split === -1 ? undefined : words.slice(split + 1).filter((word) => !/^:::/.test(word[0] ?? ""));
  // `::::` names files whose lines are the arguments.
  const fromFile = split !== -1 && (words[split]?.[0] ?? "").startsWith("::::");
  const lines: Value = fromFile ? [hole] : (given?.flat() ?? (isSettled(stdin) ? stdin.split("\n").filter((line) => line !== "") : [hole]));
  const inner: Context = { ...context, stdin: undefined, stdinFile: undefined };
  if (command.length === 0) return runTexts(lines.slice(0, mostLines), machine, inner);
  const text = concatenate(command.flatMap((word, index) => [[index === 0 ? "" : " "], word]));
  for (const line of [...new Set(lines)].slice(0, mostLines)) {
    const fill = (argument: Text): Value =>
      mapValue(text, (one) => {
        const filled = one.replaceAll("{}", argument).replace(/\{(?:[./#%]|\/\/|\/\.|\d+)\}/g, hole);
        return /\{[^{}\s]*\}/.test(one) ? filled : `${filled} ${argument}`;
      });
    const plain = asScript(line);
    runTexts(fill(plain), machine, inner);
    // An argument is quoted, so a shell behind `-c` gets it whole.
    if (/[\s;&|]/.test(plain)) runTexts(fill(`'${plain.replaceAll("'", "'\\''")}'`), machine, inner);
  }
  return [hole];
}
