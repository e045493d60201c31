/**
 * Runs PowerShell text as `walk.ts` runs Bash: cmdlets are recorded under their full names, other programs as commands
 * of the line; what they carry (texts, script blocks, other shells) is followed.
 */
import { record } from "../commands.ts";
import { insideString, isolated, spendStep } from "../machine.ts";
import type { Context, FoundRedirect, Interpreter } from "../machine.ts";
import { folder } from "../parameters.ts";
import { powerAlias } from "../tables/powershell.ts";
import { below, concatenate, hole, homeMark, isSettled, show } from "../text.ts";
import type { Text, Value } from "../text.ts";
import { isCmdlet } from "./match.ts";
import { cmdletWords } from "./operands.ts";
import { parsePowerShell } from "./syntax.ts";
import type { Piece, PowerCommand, PowerPipeline, PowerWord } from "./syntax.ts";

export function runPowerShell(text: Text, machine: Interpreter, context: Context): void {
  for (const pipeline of parsePowerShell(text.replaceAll("\r\n", "\n"))) runPipeline(pipeline, machine, { ...context, dialect: "powershell" });
}

/** Runs a text that is given to PowerShell by something in the line. */
export function runPowerText(text: Text, machine: Interpreter, context: Context): void {
  if (text.replaceAll(hole, "").trim() === "") {
    machine.notes.dynamic ||= text !== "" && !context.inFile;
    return;
  }
  runPowerShell(text, machine, insideString(context));
}

function entry(name: string): string {
  return `power ${name}`;
}

function runPipeline(pipeline: PowerPipeline, machine: Interpreter, context: Context): Value {
  let given: Value | undefined;
  for (const command of pipeline) given = runOne(command, machine, { ...context, stdin: given, captured: true });
  return given ?? [hole];
}

function runOne(command: PowerCommand, machine: Interpreter, context: Context): Value {
  spendStep(machine);
  const outer = machine.variables.get(entry("_"));
  if (context.stdin !== undefined) machine.variables.set(entry("_"), context.stdin);
  let inside: Value = [hole];
  for (const block of command.inner) for (const pipeline of block) inside = runPipeline(pipeline, machine, { ...context, stdin: undefined });
  const result = runWords(command, inside, machine, context);
  if (context.stdin !== undefined) machine.variables.set(entry("_"), outer ?? [hole]);
  if (command.assigned !== undefined) machine.variables.set(entry(command.assigned), result);
  for (const method of command.methods) recordMethod(method, machine, context);
  return result;
}

function runWords(command: PowerCommand, inside: Value, machine: Interpreter, context: Context): Value {
  const files: readonly FoundRedirect[] = command.redirects.map((word) => ({ access: "writes", target: valueOf(word, machine) }));
  const [first, ...rest] = command.words;
  if (first === undefined) {
    if (files.length > 0) record(machine, context, [], 0, files);
    return command.inner.length > 0 ? inside : [hole];
  }
  const name = valueOf(first, machine);
  if (!command.call && !isCommandWord(first)) {
    if (files.length > 0) record(machine, context, [], 0, files);
    // A lone group gives what its commands give, any other expression its own texts.
    return command.words.length === 1 && name[0] === hole && command.inner.length > 0 ? inside : [first, ...rest].flatMap((word) => valueOf(word, machine));
  }
  const args = rest.map((word) => valueOf(word, machine));
  let output: Value = [hole];
  for (const text of name) output = runNamed(text, args, command.call, machine, context, files);
  return output;
}

function isCommandWord(word: PowerWord): boolean {
  const [piece] = word.items[0] ?? [];
  return word.bare && word.items.length === 1 && piece?.kind === "text" && !/^(?:\d|\[|-|@|=|!|\+|<|\*)/.test(piece.text);
}

function runNamed(text: Text, args: readonly Value[], call: boolean, machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value {
  if (!isSettled(text)) {
    machine.notes.dynamic ||= call && !context.inFile;
    record(machine, context, [[text], ...args], args.length + 1, files);
    return [hole];
  }
  const shown = show(text);
  const last = shown.slice(Math.max(shown.lastIndexOf("\\"), shown.lastIndexOf("/")) + 1);
  const known = machine.variables.get(entry(`alias ${last.toLowerCase()}`))?.[0];
  const full = known ?? powerAlias(last) ?? last;
  const resolved = powerAlias(full) ?? full;
  if (!isCmdlet(resolved)) return machine.command([[last === shown ? shown : shown.replaceAll("\\", "/")], ...args], { ...context, stdin: undefined }, files);
  const words: readonly Value[] = [[text], ...args];
  record(machine, context, words, words.length, files, resolved);
  return followCmdlet(resolved.toLowerCase(), words, machine, context);
}

function followCmdlet(name: string, words: readonly Value[], machine: Interpreter, context: Context): Value {
  const { named, positional } = cmdletWords(name, words);
  const parameter = (wanted: string): Value | undefined => named.find((one) => wanted.startsWith(one.name))?.value;
  switch (name) {
    case "set-location":
    case "push-location":
      machine.enter((parameter("-path") ?? parameter("-literalpath") ?? positional[0] ?? [homeMark]).map((text) => show(text).replaceAll("\\", "/").replace(/^~(?=\/|$)/, homeMark)));
      return [hole];
    case "invoke-expression":
      for (const text of parameter("-command") ?? positional[0] ?? context.stdin ?? []) runPowerText(text, machine, context);
      return [hole];
    case "write-output":
      return positional.length === 0 ? (context.stdin ?? [hole]) : positional.flat();
    case "get-childitem": {
      const filters = [parameter("-filter"), parameter("-include")].flatMap((value) => value ?? []).filter(isSettled);
      const places = parameter("-path") ?? parameter("-literalpath") ?? positional[0] ?? ["."];
      return places.flatMap((place) => (filters.length === 0 ? [`${place}/${below}`] : filters.map((filter) => `${place}/${below}/${filter.replace(/[*?[\]]/g, "\0$&")}`)));
    }
    case "get-item":
    case "resolve-path":
      return parameter("-path") ?? positional[0] ?? [hole];
    case "where-object":
    case "select-object":
    case "sort-object":
    case "tee-object":
      return context.stdin ?? [hole];
    case "set-alias":
    case "new-alias": {
      const [alias] = parameter("-name") ?? positional[0] ?? [];
      const [target] = parameter("-value") ?? positional[1] ?? [];
      machine.notes.defines = true;
      if (alias !== undefined && target !== undefined) machine.variables.set(entry(`alias ${show(alias).toLowerCase()}`), [show(target)]);
      return [hole];
    }
    case "set-variable": {
      const [variable] = parameter("-name") ?? positional[0] ?? [];
      if (variable !== undefined) machine.variables.set(entry(show(variable).toLowerCase()), parameter("-value") ?? positional[1] ?? [hole]);
      return [hole];
    }
    case "start-process": {
      const program = parameter("-filepath") ?? positional[0];
      const args = (parameter("-argumentlist") ?? positional[1] ?? []).flatMap((text) => (isSettled(text) ? show(text).split(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/) : [text])).filter((text) => text !== "");
      for (const text of program ?? []) isolated(machine, () => void runNamed(text, args.map((arg) => [arg]), true, machine, insideString(context), []));
      return [hole];
    }
    default:
      return [hole];
  }
}

/** `[IO.File]::Delete("x")`, `[scriptblock]::Create("x")`: recorded as the cmdlet that does the same. */
function recordMethod(method: PowerCommand["methods"][number], machine: Interpreter, context: Context): void {
  if (/(?:\[(?:System\.Management\.Automation\.)?ScriptBlock\]::Create|\.InvokeScript|\.NewScriptBlock)$/i.test(method.name)) {
    record(machine, context, [["Invoke-Expression"], ...method.args.map((text): Value => [text])], method.args.length + 1, [], "Invoke-Expression");
    for (const text of method.args) runPowerText(text, machine, context);
    return;
  }
  const match = /^\[(?:System\.)?IO\.(File|Directory)(?:Info)?\]::(\w+)$/i.exec(method.name);
  if (match === null) return;
  const verb = (match[2] ?? "").toLowerCase();
  const cmdlet = /^delete/.test(verb) ? "Remove-Item" : /^(?:write|append|create|open)/.test(verb) ? "Set-Content" : /^read/.test(verb) ? "Get-Content" : /^move/.test(verb) ? "Move-Item" : /^copy/.test(verb) ? "Copy-Item" : undefined;
  if (cmdlet === undefined) return;
  const paths = method.args.slice(0, cmdlet === "Move-Item" || cmdlet === "Copy-Item" ? 2 : 1).map((path): Value => [path]);
  const flags: readonly Value[] = match[1]?.toLowerCase() === "directory" && cmdlet === "Remove-Item" ? [["-Recurse"]] : [];
  record(machine, context, [[cmdlet], ...paths, ...flags], paths.length + flags.length + 1, [], cmdlet);
}

/** The texts a word may be: the items of a list, and what variables of the line stand for. */
function valueOf(word: PowerWord, machine: Interpreter): Value {
  const values = word.items.map((pieces) => concatenate(pieces.map((piece, index) => pieceValue(piece, index === 0, machine))));
  return [...new Set(values.flat())];
}

function pieceValue(piece: Piece, first: boolean, machine: Interpreter): Value {
  switch (piece.kind) {
    case "text":
      return [piece.text];
    case "unknown":
      return [hole];
    case "variable": {
      const { name } = piece;
      if (name === "home" || name === "env:userprofile" || name === "env:home") return first ? [homeMark] : [hole];
      if (name === "pwd") return machine.variables.get(folder) ?? [hole];
      if (name === "true" || name === "false" || name === "null") return [`$${name}`];
      return machine.variables.get(entry(name === "psitem" ? "_" : name)) ?? [hole];
    }
    default:
      throw piece satisfies never;
  }
}
