/**
 * Commands that run other commands: shells and the programs of `tables/carriers.ts`. Each is recorded and what it runs
 * is followed, so both count.
 */
import { record, setVariable } from "./commands.ts";
import { insideString, isolated } from "./machine.ts";
import type { Context, FoundRedirect, Interpreter } from "./machine.ts";
import { forkOptions, only, readOptions } from "./options.ts";
import { printed } from "./printed.ts";
import { readInput, runShell, runTexts } from "./shells.ts";
import { runParallel, runXargs } from "./xargs.ts";
import { subcommandKeys } from "./subcommands.ts";
import { carrierRow } from "./tables/carriers.ts";
import type { Carrier } from "./tables/carriers.ts";
import { isShell } from "./tables/shells.ts";
import { asScript, concatenate, hole, isSettled, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

/** Runs what the command carries; `undefined` for a program that carries nothing (it is not recorded then). */
export function followCarrier(name: string, words: readonly Value[], machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value | undefined {
  if (name === "") return undefined;
  const key = subcommandKeys(/^ld[-\w.]*\.so(?:\.\d+)?$/.test(name) ? "ld.so" : name, words).find(({ key: one }) => carrierRow(one) !== undefined);
  const row = key === undefined ? undefined : carrierRow(key.key);
  if (!isShell(name) && row === undefined) return undefined;
  let output: Value | undefined;
  for (const fork of forkOptions(words)) {
    const run = (): Value => (row === undefined || key === undefined ? runShell(fork, machine, context, files) : runRow(name, row, key.at, fork, machine, context, files));
    const result = run();
    output = output === undefined ? result : unite(output, result);
  }
  return output;
}

function runRow(name: string, row: Carrier, at: number, words: readonly Value[], machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value {
  const rest = row.rest ?? "command";
  const texts = new Set(split(row.texts));
  const valued = new Set([...split(row.values), ...split(row.pairs), ...texts]);
  const marks = split(row.after);
  const mark = words.findIndex((word, index) => index >= at && marks.includes(only(word) ?? ""));
  const pairs = new Set(split(row.pairs));
  // The second value of a pair is taken for an operand otherwise.
  const second = new Set(words.flatMap((word, index) => (pairs.has(only(word) ?? "") ? [index + 2] : [])));
  const read = readOptions(pairs.size === 0 ? words : words.map((word, index) => (second.has(index) ? ["--value"] : word)), at, valued, rest !== "none" && mark === -1 && (row.after === undefined || row.skip !== undefined));
  let operands = read.operands;
  if (mark !== -1) operands = words.flatMap((_, index) => (index > mark ? [index] : []));
  else if (row.after !== undefined && row.skip === undefined) operands = [];
  else if (row.skip !== undefined) {
    const behind = operands.slice(row.skip);
    // `ssh HOST -t CMD`, `flock FILE -c TEXT`: options may go on behind the operand.
    const more = behind[0] === undefined || !/^-/.test(words[behind[0]]?.[0] ?? "") ? undefined : readOptions(words.slice(0, behind.at(-1)! + 1), behind[0], valued, true);
    operands = more === undefined ? behind : more.operands;
    read.options.push(...(more?.options ?? []));
  }
  const lookup = new Set(split(row.lookup));
  if (read.options.some((option) => lookup.has(option.name))) {
    record(machine, context, words, words.length, files);
    return printed("which", words, machine, context);
  }
  let start = operands[0] ?? words.length;
  const assigned: (readonly [string, Value])[] = [];
  if (row.assigns === true) {
    while (start < words.length && /^[^=/]+=/.test(words[start]?.[0] ?? "")) {
      const word = words[start] ?? [""];
      const split = (word[0] ?? "").indexOf("=");
      assigned.push([(word[0] ?? "").slice(0, split), mapValue(word, (text) => text.slice(split + 1))]);
      start += 1;
    }
  }
  // `command -v x` only asks.
  if (name === "command" && read.options.some((option) => /^-[vV]$/.test(option.name))) start = words.length;
  record(machine, context, words, rest === "none" ? words.length : start, files);
  const folder = read.options.find((option) => option.name === "-C" || option.name === "--chdir" || option.name === "-D")?.value;
  const run = (): Value => {
    for (const [variable, value] of assigned) setVariable(variable, value, machine, context);
    if (folder !== undefined && (name === "env" || name === "sudo")) machine.enter(folder);
    for (const option of read.options) {
      if (!texts.has(option.name) || option.value === undefined) continue;
      // The words behind go on: `env -S 'rm -rf' x`, `docker run --entrypoint rm IMAGE -rf x`.
      const from = name === "env" ? start : option.name === "--entrypoint" ? read.operands[row.skip ?? 0] : undefined;
      const tail = words.slice(from ?? words.length).map((word) => mapValue(word, (text) => ` ${asScript(text)}`));
      runTexts(concatenate([carriedText(option.name, option.value), ...tail]), machine, context);
      if (name === "env") return [hole];
    }
    if (row.arguments !== undefined) return row.arguments === "words" ? runXargs(read, words.slice(start), machine, insideString(context)) : runParallel(read, words.slice(start), machine, context);
    const reads = row.shell === true || (row.shell !== undefined && read.options.some((option) => split(row.shell as string).includes(option.name)));
    if (reads && (start >= words.length || rest === "none") && !read.options.some((option) => texts.has(option.name))) return readInput(machine, { ...context, texts: [] });
    if (rest === "none" || start >= words.length) return [hole];
    const command = words.slice(start);
    if (rest === "texts") {
      for (const word of command) runTexts(word, machine, { ...context, certain: false });
      return [hole];
    }
    if (rest === "keys") return runTexts(concatenate(command.map((word) => mapValue(word, typed))), machine, { ...context, certain: false });
    if (rest === "text") return runTexts(concatenate(command.flatMap((word, index) => [[index === 0 ? "" : " "], word])), machine, context);
    const [first = [""], ...others] = command;
    const program = row.versioned === true ? mapValue(first, (text) => text.replace(/(?!^)@[^/@]*$/, "")) : first;
    return machine.command([program, ...others], insideString(context), []);
  };
  return name === "exec" || name === "command" || name === "builtin" ? run() : isolated(machine, run);
}

/** What a key's name types. */
function typed(text: Text): Text {
  if (/^(?:Enter|KPEnter|C-[mj])$/i.test(text)) return "\n";
  return text === "Space" ? " " : text;
}

/** `tar --checkpoint-action=exec=CMD`; other actions run nothing. */
function carriedText(option: string, value: Value): Value {
  return option === "--checkpoint-action" ? mapValue(value, (text) => (text.startsWith("exec=") ? text.slice(5) : isSettled(text) ? "" : text)) : value;
}

function split(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? [] : list.split(" ");
}
