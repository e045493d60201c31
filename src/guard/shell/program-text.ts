/**
 * Programs in other small languages given on the line, read only for the shell commands in them: awk's `system()`,
 * sed's `e`, makefile text, the escapes of editors and database clients.
 */
import type { Context, Interpreter } from "./machine.ts";
import { readOptions } from "./options.ts";
import { runTexts } from "./shells.ts";
import { escapeRow } from "./tables/escapes.ts";
import { hole } from "./text.ts";
import type { Text, Value } from "./text.ts";

/** Longer programs are not searched for commands. */
const longestProgram = 4096;

export function followAwk(words: readonly Value[], machine: Interpreter, context: Context): void {
  const { options, operands } = readOptions(words, 1, new Set("-f -F -v -i -l -E -e --file --field-separator --assign --source --include --exec".split(" ")), false);
  const sources = options.filter((option) => option.name === "-e" || option.name === "--source").flatMap((option) => option.value ?? []);
  const hasProgram = sources.length > 0 || options.some((option) => option.name === "-f" || option.name === "--file" || option.name === "-E");
  const programs = [...sources, ...(hasProgram || operands[0] === undefined ? [] : (words[operands[0]] ?? []))];
  for (const program of programs) for (const command of awkCommands(program)) runTexts([command], machine, context);
}

function awkCommands(program: Text): readonly Text[] {
  const text = program.slice(0, longestProgram);
  const commands: Text[] = [];
  for (const [, expression = ""] of text.matchAll(/\bsystem\s*\(((?:"(?:[^"\\]|\\[^])*"|[^()"]|\([^()]*\))*)\)/g)) commands.push(awkText(expression));
  for (const [, command = ""] of text.matchAll(/("(?:[^"\\]|\\[^])*")\s*\|&?\s*getline/g)) commands.push(awkText(command));
  for (const [, command = ""] of text.matchAll(/[^|]\|&?\s*("(?:[^"\\]|\\[^])*")/g)) commands.push(awkText(command));
  return commands;
}

/** Literals joined as awk joins them; anything else is known at run time. */
function awkText(expression: string): Text {
  const pieces = expression.match(/"(?:[^"\\]|\\[^])*"|[^"]+/g) ?? [];
  return pieces.map((piece) => (piece.startsWith('"') ? piece.slice(1, -1).replace(/\\(["\\/])/g, "$1").replace(/\\[nt]/g, " ") : piece.trim() === "" ? "" : hole)).join("");
}

export function followSed(words: readonly Value[], machine: Interpreter, context: Context): void {
  for (const script of sedScripts(words)) {
    for (const [, command = ""] of script.slice(0, longestProgram).matchAll(/(?:^|[;\n{}!]|[\d$/]\s*)\s*e[ \t]+([^\n]+)/g)) runTexts([command.replace(/[;}]\s*$/, "")], machine, context);
    // `s///e` and a bare `e` run what has been read.
    if (/(?:^|[;\n{}]|[\d$/])\s*s([^\w\s\\])(?:\\[^]|(?!\1)[^\\])*\1(?:\\[^]|(?!\1)[^\\])*\1[gpiIm\d]*e/.test(script.slice(0, longestProgram))) machine.notes.dynamic ||= !context.inFile;
  }
}

/** The scripts of a sed command, not the files. */
export function sedScripts(words: readonly Value[]): readonly Text[] {
  const { options, operands } = readOptions(words, 1, new Set("-e -f -l --expression --file --line-length".split(" ")), false);
  const given = options.filter((option) => option.name === "-e" || option.name === "--expression").flatMap((option) => option.value ?? []);
  const hasScript = given.length > 0 || options.some((option) => option.name === "-f" || option.name === "--file");
  return [...given, ...(hasScript || operands[0] === undefined ? [] : (words[operands[0]] ?? []))];
}

export function followMake(words: readonly Value[], machine: Interpreter, context: Context): void {
  const { options } = readOptions(words, 1, new Set("-C -f -I -j -l -o -W -E --eval --directory --file --makefile".split(" ")), false);
  const texts = options.filter((option) => option.name === "--eval" || option.name === "-E").flatMap((option) => option.value ?? []);
  const input = options.some((option) => (option.name === "-f" || option.name === "--file" || option.name === "--makefile") && /^(?:-|\/dev\/stdin)$/.test(option.value?.[0] ?? ""));
  for (const text of [...texts, ...(input ? (context.stdin ?? []) : [])]) {
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
    for (const match of matches) runTexts([(match[1] ?? match[2] ?? "").replace(/\\(["\\])/g, "$1").replaceAll("''", "'")], machine, context);
  };
  words.forEach((word, index) => {
    if (index === 0) return;
    const before = words[index - 1]?.[0] ?? "";
    const joined = (text: Text): Text | undefined => [...names].filter((one) => one.length === 2 || one === "+").map((one) => (text.startsWith(one) && text.length > one.length ? text.slice(one.length) : undefined)).find((one) => one !== undefined);
    for (const text of word) {
      const equal = text.indexOf("=");
      if (names.has(before) || names.has("any")) texts.push(text);
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
