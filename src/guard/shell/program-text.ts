/**
 * Programs in other small languages given on the line, read only for the shell commands in them: awk's `system()`,
 * sed's `e`, makefile text, the escapes of editors and database clients.
 */
import type { Context, Interpreter } from "./machine.ts";
import { readOptions } from "./options.ts";
import { runTexts } from "./shells.ts";
import { escapeRow } from "./tables/escapes.ts";
import { readKept } from "./data-flow.ts";
import { hole, isSettled } from "./text.ts";
import type { Text, Value } from "./text.ts";

/** Longer programs are not searched for commands. */
const longestProgram = 4096;

export function followAwk(words: readonly Value[], machine: Interpreter, context: Context): void {
  for (const program of awkPrograms(words, machine, context)) for (const { command, input } of awkCommands(program)) runTexts([command], machine, input === undefined ? context : { ...context, stdin: [input], stdinFile: undefined });
}

/** The programs of an awk command, given as text or in a file of the line. */
function awkPrograms(words: readonly Value[], machine: Interpreter, context: Context): readonly Text[] {
  const { options, operands } = readOptions(words, 1, awkValues, false);
  const sources = options.filter((option) => option.name === "-e" || option.name === "--source").flatMap((option) => option.value ?? []);
  const files = options.filter((option) => option.name === "-f" || option.name === "--file" || option.name === "-E");
  const kept = files.flatMap((option) => fileTexts(option.value ?? [], machine, context));
  return [...sources, ...kept, ...(sources.length > 0 || files.length > 0 || operands[0] === undefined ? [] : (words[operands[0]] ?? []))];
}

const awkValues: ReadonlySet<string> = new Set("-f -F -v -i -l -E -e --file --field-separator --assign --source --include --exec".split(" "));

/** What the line itself has put into a program's file. */
function fileTexts(file: Value, machine: Interpreter, context: Context): Value {
  return (file[0] === "-" ? context.stdin : readKept(file, machine, context)) ?? [];
}

interface AwkCommand {
  readonly command: Text;
  /** What is printed into it. */
  readonly input?: Text;
}

function awkCommands(program: Text): readonly AwkCommand[] {
  const text = program.slice(0, longestProgram);
  const commands: AwkCommand[] = [];
  for (const [, expression = ""] of text.matchAll(/\bsystem\s*\(((?:"(?:[^"\\]|\\[^])*"|[^()"]|\([^()]*\))*)\)/g)) commands.push({ command: awkText(expression) });
  for (const [, command = ""] of text.matchAll(/("(?:[^"\\]|\\[^])*")\s*\|&?\s*getline/g)) commands.push({ command: awkText(command) });
  for (const [, printed = "", command = ""] of text.matchAll(/(?:\bprintf?\b((?:"(?:[^"\\]|\\[^])*"|[^|;{}"\n])*))?\|&?\s*("(?:[^"\\]|\\[^])*")/g)) commands.push({ command: awkText(command), input: printed.trim() === "" ? hole : awkText(printed) });
  return commands;
}

/** Literals joined as awk joins them; anything else is known at run time. */
function awkText(expression: string): Text {
  const pieces = expression.match(/"(?:[^"\\]|\\[^])*"|[^"]+/g) ?? [];
  return pieces.map((piece) => (piece.startsWith('"') ? piece.slice(1, -1).replace(/\\(["\\/])/g, "$1").replace(/\\[nt]/g, " ") : piece.trim() === "" ? "" : hole)).join("");
}

/** Files that an awk program on the line reads (`getline < "f"`) and writes (`print > "f"`). */
export function awkFiles(words: readonly Value[]): { readonly reads: readonly Text[]; readonly writes: readonly Text[] } {
  const { options, operands } = readOptions(words, 1, awkValues, false);
  const sources = options.filter((option) => option.name === "-e" || option.name === "--source").flatMap((option) => option.value ?? []);
  const programs = sources.length > 0 ? sources : options.some((option) => option.name === "-f" || option.name === "--file") || operands[0] === undefined ? [] : (words[operands[0]] ?? []);
  const found = (pattern: RegExp): readonly Text[] => programs.flatMap((program) => [...program.slice(0, longestProgram).matchAll(pattern)].map(([, text = ""]) => awkText(text)));
  return { reads: found(/\bgetline\b[^;{}"<]*<\s*("(?:[^"\\]|\\[^])*")/g), writes: found(/\bprintf?\b(?:"(?:[^"\\]|\\[^])*"|[^;{}">])*>>?\s*("(?:[^"\\]|\\[^])*")/g) };
}

const sedCommand = String.raw`(?:^|[;\n{}!]|[\d$/,]\s*)\s*`;
const substitution = String.raw`(?:^|[;\n{}!]|[\d$/,]\s*)\s*s([^\w\s\\])(?:\\[^]|(?!\1)[^\\])*\1((?:\\[^]|(?!\1)[^\\])*)\1`;

export function followSed(words: readonly Value[], machine: Interpreter, context: Context): void {
  for (const script of sedTexts(words, machine, context)) {
    const text = script.slice(0, longestProgram);
    for (const [, command = ""] of text.matchAll(new RegExp(`${sedCommand}e[ \\t]+([^\\n]+)`, "g"))) runTexts([command.replace(/[;}]\s*$/, "")], machine, context);
    // A bare `e` runs the line that has been read, `s///e` what has become of it.
    const runs: Text[] = new RegExp(`${sedCommand}e\\s*(?:$|[;}\\n])`).test(text) ? [...(context.stdin ?? [hole])] : [];
    for (const [, , by = ""] of text.matchAll(new RegExp(`${substitution}[gpiIm\\d]*e`, "g"))) {
      runs.push(by.replace(/\\\d|&/g, hole));
      if (/\\\d|&/.test(by)) runs.push(...(context.stdin ?? []));
    }
    for (const one of runs) {
      if (!isSettled(one)) machine.notes.dynamic ||= !context.inFile;
      runTexts([one], machine, { ...context, certain: false });
    }
  }
}

/** The scripts of a sed command, files of the line included. */
function sedTexts(words: readonly Value[], machine: Interpreter, context: Context): readonly Text[] {
  const { options } = readOptions(words, 1, sedValues, false);
  const files = options.filter((option) => option.name === "-f" || option.name === "--file").flatMap((option) => fileTexts(option.value ?? [], machine, context));
  return [...sedScripts(words), ...files];
}

const sedValues: ReadonlySet<string> = new Set("-e -f -l --expression --file --line-length".split(" "));

/** The scripts of a sed command, not the files. */
export function sedScripts(words: readonly Value[]): readonly Text[] {
  const { options, operands } = readOptions(words, 1, sedValues, false);
  const given = options.filter((option) => option.name === "-e" || option.name === "--expression").flatMap((option) => option.value ?? []);
  const hasScript = given.length > 0 || options.some((option) => option.name === "-f" || option.name === "--file");
  return [...given, ...(hasScript || operands[0] === undefined ? [] : (words[operands[0]] ?? []))];
}

/** Files that a sed script reads (`r f`) and writes (`w f`, `s/a/b/w f`). */
export function sedFiles(words: readonly Value[]): { readonly reads: readonly Text[]; readonly writes: readonly Text[] } {
  const found = (...patterns: readonly RegExp[]): readonly Text[] => sedScripts(words).flatMap((script) => patterns.flatMap((pattern) => [...script.slice(0, longestProgram).matchAll(pattern)].map((match) => (match.at(-1) ?? "").trim())));
  return {
    reads: found(new RegExp(`${sedCommand}[rR]\\s*([^\\n;}]+)`, "g")),
    writes: found(new RegExp(`${sedCommand}[wW]\\s*([^\\n;}]+)`, "g"), new RegExp(`${substitution}[gpiIme\\d]*w\\s*([^\\n]+)`, "g")),
  };
}

export function followMake(words: readonly Value[], machine: Interpreter, context: Context): void {
  const { options } = readOptions(words, 1, new Set("-C -f -I -j -l -o -W -E --eval --directory --file --makefile".split(" ")), false);
  const texts = options.filter((option) => option.name === "--eval" || option.name === "-E").flatMap((option) => option.value ?? []);
  const named = options.filter((option) => option.name === "-f" || option.name === "--file" || option.name === "--makefile").map((option) => option.value ?? []);
  const files = named.length > 0 ? named : [["GNUmakefile"], ["makefile"], ["Makefile"]];
  for (const text of [...texts, ...files.flatMap((file) => fileTexts(file, machine, context))]) {
    const makefile = text.slice(0, longestProgram);
    for (const [, command = ""] of makefile.matchAll(/\$\(shell\s+((?:[^()]|\([^()]*\))*)\)/g)) runTexts([command], machine, context);
    for (const [, command = ""] of makefile.matchAll(/^(?:\t|[^\t\n=]*?:[^=\n;]*;)[-@+\s]*([^\n]+)$/gm)) runTexts([command.replaceAll("$$", "$")], machine, context);
  }
  for (const word of words.slice(1)) for (const text of word) if (text.startsWith("SHELL=")) runTexts([text.slice("SHELL=".length)], machine, context);
}

export function followEscapes(name: string, words: readonly Value[], machine: Interpreter, context: Context): void {
  const row = escapeRow(name);
  if (row === undefined) return;
  const names = new Set(row.texts.split(" "));
  const texts: Text[] = [];
  const run: (text: Text) => void = (text) => {
    const part = text.slice(0, longestProgram);
    const matches = row.escape.global ? [...part.matchAll(row.escape)] : [row.escape.exec(part)].filter((match) => match !== null);
    for (const match of matches) runTexts([(match.slice(1).find((group) => group !== undefined) ?? "").replace(/\\[rn]/g, "\n").replace(/\\(["\\])/g, "$1").replaceAll("''", "'")], machine, context);
  };
  words.forEach((word, index) => {
    if (index === 0) return;
    const before = words[index - 1]?.[0] ?? "";
    const joined = (text: Text): Text | undefined => [...names].filter((one) => one.length === 2 || one === "+").map((one) => (text.startsWith(one) && text.length > one.length ? text.slice(one.length) : undefined)).find((one) => one !== undefined);
    for (const text of word) {
      const equal = text.indexOf("=");
      // `ex -sc TEXT`: the last letter of a cluster has the value.
      if (names.has(before) || names.has("any") || (/^-[A-Za-z]{2,}$/.test(before) && names.has(`-${before.slice(-1)}`))) texts.push(text);
      else if (equal > 0 && names.has(text.slice(0, equal))) texts.push(text.slice(equal + 1));
      else {
        const rest = joined(text);
        if (rest !== undefined) texts.push(rest);
      }
    }
  });
  if (row.input === true) texts.push(...(context.stdin ?? []));
  texts.forEach(run);
}
