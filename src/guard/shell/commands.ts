/**
 * Simple commands: words, assignments and redirects of the syntax tree become `Found` commands, and what a command does
 * with other commands (builtins, wrappers, texts given to shells) is followed from here.
 */
import { followBuiltin } from "./builtins.ts";
import { followCarrier } from "./carriers.ts";
import { callFunction } from "./functions.ts";
import { insideString, isolated, spendStep, withSources } from "./machine.ts";
import type { Context, Found, FoundRedirect, Interpreter } from "./machine.ts";
import { readOptions } from "./options.ts";
import { folder, folderBelow } from "./parameters.ts";
import { parseWord } from "./parse.ts";
import type { Assignment, Command, HereDoc, Redirection } from "./parse.ts";
import { absolutePaths, runFile } from "./script-files.ts";
import { followProgram } from "./programs.ts";
import { globalOptions } from "./tables/global-options.ts";
import { runsProgramText } from "./tables/shells.ts";
import { printed } from "./printed.ts";
import { commandVariables } from "./tables/variables.ts";
import { border, hole, isSettled, loose, nothing, show, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { argumentsOf, expandOne, expandQuoted, expandWord, mapValue } from "./words.ts";
import { concatenate } from "./text.ts";

export function simpleCommand(node: Command, machine: Interpreter, context: Context): Value {
  const { result: words, sources } = withSources(machine, () => {
    const values: Value[] = node.name === undefined ? [] : [expandWord(node.name, machine, context)];
    for (const part of node.suffix) {
      if (part.type === "Word") values.push(expandWord(part, machine, context));
      // `export A=1`: one word, whatever its value holds.
      else if (part.type === "Assignment") values.push(mapValue(concatenate([[`${part.name}${part.append === true ? "+" : ""}=`], assigned(part, machine, context)]), (text) => text.replaceAll(border, " ")));
    }
    return values;
  });
  const redirection = withSources(machine, () => redirects(node.redirects, machine, context));
  const { files } = redirection.result;
  const keeps = files.some((file) => file.access === "writes");
  const here: Context = {
    ...context,
    ...redirection.result.input,
    captured: context.captured || keeps,
    texts: [...sources.texts, ...redirection.sources.texts],
    stages: [...context.stages, ...[...sources.processes, ...redirection.sources.processes].map((pipeline) => ({ pipeline, index: 1 }))],
  };
  machine.sources.texts.push(...here.texts);
  const assignments = node.prefix.filter((part) => part.type === "Assignment");
  if (words.length === 0) {
    for (const assignment of assignments) assign(assignment, machine, here);
    const { files } = redirection.result;
    // `> f` alone is the command that does nothing, and empties `f`.
    if (files.length > 0) record(machine, here, [[":"]], 1, files);
    else if (assignments.length > 0) record(machine, here, [], 0);
    return [""];
  }
  const run = (): Value => {
    let output: Value | undefined;
    for (const list of argumentsOf(words)) {
      const result = machine.command(list, here, files);
      output = output === undefined ? result : unite(output, result);
    }
    if (keeps) keepWritten(files, output ?? [""], machine);
    return output ?? [""];
  };
  if (assignments.length === 0) return run();
  // The command sees them, the line afterwards does not.
  machine.variables.begin();
  for (const assignment of assignments) assign(assignment, machine, here);
  const output = run();
  const written = machine.variables.end();
  const own = new Set(assignments.map((assignment) => assignment.name));
  for (const [name, value] of written) if (!own.has(name) && value !== undefined) machine.variables.set(name, value);
  return output;
}

/** A compound command with redirects: they are recorded, and its input is the input of the commands inside. */
export function redirected(list: readonly Redirection[], machine: Interpreter, context: Context, run: (inner: Context) => Value): Value {
  const { result, sources } = withSources(machine, () => redirects(list, machine, context));
  const keeps = result.files.some((file) => file.access === "writes");
  if (result.files.length > 0) record(machine, context, [], 0, result.files);
  const output = run({
    ...context,
    ...result.input,
    captured: context.captured || keeps,
    stages: [...context.stages, ...[...sources.processes, ...sources.texts].map((pipeline) => ({ pipeline, index: 1 }))],
  });
  if (keeps) keepWritten(result.files, output, machine);
  return output;
}

/** Remembers what has been written where, for a shell that runs the file later in the line. */
export function keepWritten(files: readonly FoundRedirect[], output: Value, machine: Interpreter): void {
  for (const { access, target, appends } of files) {
    if (access !== "writes") continue;
    for (const path of target.flatMap((text) => absolutePaths(text, machine))) machine.written.set(path, appends === true ? concatenate([machine.written.get(path) ?? [""], output]) : output);
  }
}

/** Adds a command to those found; `end` is where another command's words begin, `as` a name other than the written one. */
export function record(machine: Interpreter, context: Context, words: readonly Value[], end: number, files: readonly FoundRedirect[] = [], as?: string): Found {
  const [first] = words;
  const name = first === undefined ? undefined : commandName(first[0] ?? "");
  const dynamic = name?.dynamic === true;
  if (dynamic && !context.inFile) machine.notes.dynamic = true;
  const feeds = name !== undefined && runsProgramText(name.name, words) ? context.texts : [];
  const found: Found = {
    dialect: context.dialect,
    name: as ?? name?.name ?? "",
    dynamic,
    words,
    end,
    redirects: files,
    cwd: name?.name === "git" ? gitFolder(words, machine) : (machine.variables.get(folder) ?? [hole]),
    stages: [...context.stages, ...feeds.map((pipeline) => ({ pipeline, index: 1 }))],
    stdin: context.stdin,
    certain: context.certain,
    inFile: context.inFile,
  };
  machine.found.push(found);
  return found;
}

const mostOpenNames = 4;

/** `git -C DIR`: git acts, and reads its operands, there. */
function gitFolder(words: readonly Value[], machine: Interpreter): Value {
  const { options } = readOptions(words, 1, globalOptions("git") ?? new Set(), true);
  return options.reduce<Value>((here, option) => (option.name === "-C" && option.value !== undefined ? folderBelow(here, option.value, machine.world.platform) : here), machine.variables.get(folder) ?? [hole]);
}

/** Last segment of a name without `.exe`; run-time stretches may be empty, so what stands around them is the name. */
export function commandName(text: Text): { readonly name: string; readonly dynamic: boolean } {
  // `=rm` is the path of `rm` for zsh.
  const last = text.slice(text.lastIndexOf("/") + 1).replace(/^=(?=\w)/, "");
  const dynamic = !isSettled(last) || /\0[*?[]/.test(last);
  return { name: show(last.replaceAll(hole, "").replaceAll(loose, ""), "").replace(/\.exe$/i, ""), dynamic };
}

/** One command: recorded, then followed into whatever it runs. */
export function runCommand(words: readonly Value[], machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value {
  spendStep(machine);
  const [first, ...rest] = words;
  if (first === undefined) {
    if (files.length > 0) record(machine, context, [[":"]], 1, files);
    return [""];
  }
  if (first.length > 1) {
    // Each name means another program, so each is a command of its own.
    let output: Value | undefined;
    for (const name of first) {
      const result = isolated(machine, () => runCommand([[name], ...rest], machine, context, files));
      output = output === undefined ? result : unite(output, result);
    }
    return output ?? [""];
  }
  const [text = ""] = first;
  const { name } = commandName(text);
  // A name that may turn out to be no word at all leaves the next word to be the name (`$SUDO rm x`).
  // More than a few in a row are no wrappers.
  if (text === loose && rest.length > 0 && words.slice(0, mostOpenNames).some((word) => word[0] !== loose)) isolated(machine, () => runCommand(rest, machine, { ...context, certain: false }, []));
  const called = callFunction(text, rest, machine, context, files);
  if (called !== undefined) return called;
  const carried = followCarrier(name, words, machine, context, files);
  if (carried === undefined) record(machine, context, words, words.length, files);
  followProgram(name, words, machine, context);
  if (carried !== undefined) return carried;
  if (text.includes("/") && name !== "") {
    isolated(machine, () => runFile(first, rest, machine, context, true));
    // `cp /bin/rm tidy; ./tidy x` runs what was copied.
    for (const path of absolutePaths(text, machine)) for (const program of machine.copies.get(path) ?? []) if (program !== text) isolated(machine, () => runCommand([[program], ...rest], machine, { ...insideString(context), certain: false }, []));
  }
  return followBuiltin(name, words, machine, context) ?? printed(name, words, machine, context);
}

/** Sets the variable; a list's words stay apart. */
export function assign(node: Assignment, machine: Interpreter, context: Context): void {
  const { result, sources } = withSources(machine, () => assigned(node, machine, context));
  const { name, index, append } = node;
  const list = index !== undefined || node.value.type === "ArrayValue";
  const before = machine.variables.get(name);
  const value = index !== undefined || append === true ? concatenate([before ?? (append === true ? [hole] : [""]), [list && before !== undefined ? border : ""], result]) : result;
  setVariable(name, value, machine, context);
  machine.origins.set(name, [...sources.texts, ...(append === true ? (machine.origins.get(name) ?? []) : [])]);
}

/** Sets a variable and follows those whose value is run by something. */
export function setVariable(name: string, value: Value, machine: Interpreter, context: Context): void {
  machine.notes.assigns = true;
  machine.variables.set(name, value);
  const kind = commandVariables(name);
  if (kind === undefined) return;
  const loosely: Context = { ...context, certain: false };
  for (const text of value) {
    if (text === "" || !isSettled(text)) continue;
    if (kind === "prompt") machine.quoted(text, loosely);
    else if (kind === "function") machine.text(`exported_function ${text}`, loosely);
    else if (kind === "file") isolated(machine, () => runFile([text], undefined, machine, loosely));
    else isolated(machine, () => machine.text(text, loosely));
  }
}

function assigned(node: Assignment, machine: Interpreter, context: Context): Value {
  if (node.index !== undefined) expandOne(node.index, machine, context);
  if (node.value.type === "Word") return expandOne(node.value, machine, context);
  const values: Value[] = [];
  for (const element of node.value.elements) {
    if (values.length > 0) values.push([border]);
    // `([0]=rm)`: the subscript is no part of the value.
    const subscript = /^\[[^\]]*\]\+?=/.exec(element.text)?.[0];
    const word = subscript === undefined ? element : parseWord(element.text.slice(subscript.length));
    const value: Value = word === undefined ? [""] : expandWord(word, machine, context);
    values.push(mapValue(value, (text) => (text === "" ? nothing : text.replaceAll(loose, hole))));
  }
  return concatenate(values);
}

type Input = Pick<Context, "stdin" | "stdinFile">;

interface Redirects {
  readonly files: readonly FoundRedirect[];
  readonly input: Partial<Input>;
}

function redirects(list: readonly Redirection[], machine: Interpreter, context: Context): Redirects {
  const files: FoundRedirect[] = [];
  let input: Redirects["input"] = {};
  for (const redirect of list) {
    if (redirect.type === "HereDoc") input = { stdin: hereText(redirect, machine, context), stdinFile: undefined };
    else if (redirect.type === "HereString") input = { stdin: redirect.target === undefined ? [""] : mapValue(expandOne(redirect.target, machine, context), (text) => `${text}\n`), stdinFile: undefined };
    else if (redirect.target !== undefined) {
      const target = expandOne(redirect.target, machine, context);
      const { operator } = redirect;
      const duplicates = (operator === ">&" || operator === "<&") && target.every((text) => /^(?:\d+-?|-)$/.test(text));
      if (duplicates) continue;
      const reads = operator === "<" || operator === "<&" || operator === "<>";
      if (reads) files.push({ access: "reads", target });
      if (operator !== "<" && operator !== "<&") files.push({ access: "writes", target, ...(operator.includes(">>") ? { appends: true } : {}) });
      if (reads) input = inputOf(target, machine);
    }
  }
  return { files, input };
}

/** What is read from a file: known for the pipes that stand for `<(…)`. */
export function inputOf(target: Value, machine: Interpreter): Input {
  const outputs = target.map((text) => machine.outputs.get(text));
  const [first] = outputs;
  return first !== undefined ? { stdin: first, stdinFile: undefined } : { stdin: [hole], stdinFile: target };
}

function hereText(redirect: HereDoc, machine: Interpreter, context: Context): Value {
  const { body, operator, delimiter } = redirect;
  if (body.text.startsWith("\0c")) machine.budget.bodies += 1;
  const strip = (text: Text): Text => (operator === "<<-" ? text.replace(/^\t+/gm, "") : text);
  const value: Value = delimiter?.quoted === true || body.parts === undefined ? [body.text] : expandQuoted(body.parts, machine, context);
  return mapValue(value, (text) => strip(text.replaceAll(nothing, "")));
}
