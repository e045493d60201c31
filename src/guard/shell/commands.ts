/**
 * Simple commands: words, assignments and redirects of the syntax tree become `Found` commands, and what a command does
 * with other commands (builtins, wrappers, texts given to shells) is followed from here.
 */
import { arithmetic } from "./arithmetic.ts";
import { followBuiltin } from "./builtins.ts";
import { followCarrier } from "./carriers.ts";
import { callFunction } from "./functions.ts";
import { followGitVariable } from "./git-config.ts";
import { anyDescriptor, asSource, consumers, descriptorsOf, feedersOf, keepWritten, programOrigins, readKept, savedFiles } from "./data-flow.ts";
import { insideString, isolated, lastStage, spendStep, withSources } from "./machine.ts";
import type { Context, Found, FoundRedirect, Interpreter } from "./machine.ts";
import { readOptions } from "./options.ts";
import { attributeOf, folder, folderBelow, setAttribute, targetOf } from "./parameters.ts";
import { parseWord } from "./parse.ts";
import type { Assignment, Command, HereDoc, Redirection, Word } from "./parse.ts";
import { absolutePaths } from "./data-flow.ts";
import { runFile } from "./script-files.ts";
import { followProgram } from "./programs.ts";
import { globalOptions } from "./tables/global-options.ts";
import { runsProgramText } from "./tables/shells.ts";
import { printed } from "./printed.ts";
import { isPseudoFile } from "./tables/names.ts";
import { commandVariables } from "./tables/variables.ts";
import { border, hasWildcard, hole, isSettled, loose, nothing, show, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { argumentsOf, expandOne, expandQuoted, expandTarget, expandWord, mapValue, sweep } from "./words.ts";
import { concatenate } from "./text.ts";

export function simpleCommand(node: Command, machine: Interpreter, context: Context): Value {
  let named: readonly number[] = [];
  const { result: words, sources } = withSources(machine, () => {
    const values: Value[] = node.name === undefined ? [] : [expandWord(node.name, machine, context)];
    named = [...machine.sources.texts];
    for (const part of node.suffix) {
      if (part.type === "Word") values.push(expandWord(part, machine, context));
      // `export A=1`: one word, whatever its value holds.
      else if (part.type === "Assignment") values.push(mapValue(concatenate([[`${part.name}${part.append === true ? "+" : ""}=`], assigned(part, machine, context)]), (text) => text.replaceAll(border, " ")));
    }
    return values;
  });
  const redirection = withSources(machine, () => redirects(node.redirects, machine, context));
  const { files, sinks } = redirection.result;
  const keeps = sinks.length > 0 || files.some((file) => file.access === "writes");
  const source = keeps ? asSource(context, machine) : { context, origin: undefined };
  const here: Context = {
    ...source.context,
    ...redirection.result.input,
    captured: context.captured || keeps,
    texts: [...sources.texts, ...redirection.sources.texts],
    named,
    stages: [...source.context.stages, ...[...sources.processes, ...redirection.sources.processes].map((pipeline) => ({ pipeline, index: 1 }))],
  };
  const origins = source.origin === undefined ? [] : [source.origin, ...feedersOf(here)];
  machine.sources.texts.push(...here.texts);
  const assignments = node.prefix.filter((part) => part.type === "Assignment");
  if (words.length === 0) {
    for (const assignment of assignments) assign(assignment, machine, here);
    const { files } = redirection.result;
    // `> f` alone is the command that does nothing, and empties `f`.
    if (files.length > 0) record(machine, here, [[":"]], 1, files);
    else if (assignments.length > 0) record(machine, here, [], 0);
    // `$(<f)` is what the file holds.
    return context.captured && files.length === 1 && files[0]?.access === "reads" ? (here.stdin ?? [hole]) : [""];
  }
  // `true > f` is `: > f`.
  if (files.some(empties) && printsNothing(words)) record(machine, { ...here, certain: false }, [[":"]], 1);
  const run = (): Value => {
    let output: Value | undefined;
    for (const list of argumentsOf(words)) {
      const result = machine.command(list, here, files);
      output = output === undefined ? result : unite(output, result);
    }
    if (keeps) keepWritten(files, output ?? [""], origins, machine);
    for (const sink of sinks) sink(output ?? [""]);
    for (const part of node.suffix) if (part.type === "Assignment" && part.value.type === "ArrayValue") assign(part, machine, here);
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

function empties({ access, appends, target }: FoundRedirect): boolean {
  return access === "writes" && appends !== true && !target.every((text) => isPseudoFile(show(text)));
}

/** `true`, `printf ''`, `echo -n`. */
function printsNothing(words: readonly Value[]): boolean {
  const [name, first, ...rest] = words.map((word) => (word.length === 1 && isSettled(word[0] ?? "") ? show(word[0] ?? "") : undefined));
  if (name === "true" || name === "false") return words.length === 1;
  return (name === "printf" ? first === "" : name === "echo" && first === "-n") && rest.every((text) => text === "");
}

/** A compound command with redirects: they are recorded, and its input is the input of the commands inside. */
export function redirected(list: readonly Redirection[], machine: Interpreter, context: Context, run: (inner: Context) => Value): Value {
  const { result, sources } = withSources(machine, () => redirects(list, machine, context));
  const keeps = result.sinks.length > 0 || result.files.some((file) => file.access === "writes");
  if (result.files.length > 0) record(machine, context, [], 0, result.files);
  const source = keeps ? asSource(context, machine) : { context, origin: undefined };
  const inner: Context = {
    ...source.context,
    ...result.input,
    captured: context.captured || keeps,
    stages: [...source.context.stages, ...sources.processes.map((pipeline) => ({ pipeline, index: 1 })), ...sources.texts.map((pipeline) => ({ pipeline, index: lastStage }))],
  };
  const output = run(inner);
  if (source.origin !== undefined) keepWritten(result.files, output, [source.origin, ...feedersOf(inner)], machine);
  for (const sink of result.sinks) sink(output);
  return output;
}

/** Adds a command to those found; `end` is where another command's words begin, `as` a name other than the written one. */
export function record(machine: Interpreter, context: Context, words: readonly Value[], end: number, files: readonly FoundRedirect[] = [], as?: string): Found {
  const [first] = words;
  const name = first === undefined ? undefined : commandName(first[0] ?? "");
  const dynamic = name?.dynamic === true;
  if (dynamic && !context.inFile) machine.notes.dynamic = true;
  const feeds = name !== undefined && runsProgramText(name.name, words) ? context.texts : [];
  const origins = name === undefined ? [] : [...programOrigins(name.name, words, machine, context), ...(dynamic ? (context.named ?? []) : [])];
  const found: Found = {
    dialect: context.dialect,
    name: as ?? name?.name ?? "",
    dynamic,
    words,
    end,
    redirects: files,
    cwd: name?.name === "git" ? gitFolder(words, machine) : (machine.variables.get(folder) ?? [hole]),
    stages: [...context.stages, ...feeds.map((pipeline) => ({ pipeline, index: lastStage })), ...consumers(origins)],
    stdin: context.stdin,
    certain: context.certain,
    inFile: context.inFile,
    ...(origins.length > 0 && (dynamic || show(first?.[0] ?? "").includes("/")) ? { asShell: true as const } : {}),
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
  const dynamic = !isSettled(last) || hasWildcard(last);
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
  const saved = savedFiles(name, words);
  const source = saved.length > 0 ? asSource(context, machine) : { context, origin: undefined };
  const carried = followCarrier(name, words, machine, source.context, files);
  if (carried === undefined) record(machine, source.context, words, words.length, files);
  if (source.origin !== undefined) keepWritten(saved.map((target) => ({ access: "writes", target })), [hole], [source.origin], machine);
  followProgram(name, words, machine, context);
  if (carried !== undefined) return followBuiltin(name, words, machine, context) ?? carried;
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
  const { index, append } = node;
  const name = targetOf(node.name, machine);
  const list = index !== undefined || node.value.type === "ArrayValue";
  const before = machine.variables.get(name);
  const value = index !== undefined || append === true ? concatenate([before ?? (append === true ? [hole] : [""]), [list && before !== undefined ? border : ""], result]) : result;
  if (attributeOf("integer", name, machine) !== "" || name === "RANDOM" || name === "OPTIND") for (const text of result) arithmetic(text, machine, context, new Set([""]));
  if (index !== undefined || (node.value.type === "ArrayValue" && node.value.elements.some(isSubscripted))) setAttribute("sparse", name, ["1"], machine);
  else if (list && append !== true) setAttribute("sparse", name, [""], machine);
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
  // A list of commands (`PROMPT_COMMAND=(a b)`) has several texts.
  for (const text of value.flatMap((one) => one.split(border))) {
    if (text === "" || !isSettled(text)) continue;
    if (kind === "prompt") machine.quoted(text, loosely);
    else if (kind === "function") machine.text(`exported_function ${text}`, loosely);
    else if (kind === "file") isolated(machine, () => machine.command([["source"], [text]], loosely));
    else if (name.startsWith("GIT_CONFIG_")) followGitVariable(name, text, machine, loosely);
    else isolated(machine, () => machine.text(text, loosely));
  }
}

const subscript = /^\[[^\]]*\]\+?=/;

/** `([0]=rm)`: the subscript is no part of the value. */
function isSubscripted(element: Word): boolean {
  return subscript.test(element.text);
}

function assigned(node: Assignment, machine: Interpreter, context: Context): Value {
  if (node.index !== undefined) for (const text of expandOne(node.index, machine, context)) arithmetic(text, machine, context);
  if (node.value.type === "Word") return expandOne(node.value, machine, context);
  const values: Value[] = [];
  for (const element of node.value.elements) {
    if (values.length > 0) values.push([border]);
    const start = subscript.exec(element.text)?.[0];
    if (start !== undefined) sweep(element, machine, context);
    const word = start === undefined ? element : parseWord(element.text.slice(start.length));
    const value: Value = word === undefined ? [""] : expandWord(word, machine, context);
    values.push(mapValue(value, (text) => (text === "" ? nothing : text.replaceAll(loose, hole))));
  }
  return concatenate(values);
}

type Input = Pick<Context, "stdin" | "stdinFile">;

interface Redirects {
  readonly files: readonly FoundRedirect[];
  readonly input: Partial<Input>;
  /** What reads a descriptor that the output goes to. */
  readonly sinks: readonly ((input: Value) => void)[];
}

function redirects(list: readonly Redirection[], machine: Interpreter, context: Context): Redirects {
  const files: FoundRedirect[] = [];
  const sinks: ((input: Value) => void)[] = [];
  let input: Redirects["input"] = {};
  /** Text that is read from here on, by the command or by whoever reads the descriptor. */
  const feed = (descriptor: Redirection["descriptor"], text: Value, origins: readonly number[], file?: Value): void => {
    if (descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0)) input = { stdin: text, stdinFile: file };
    else machine.descriptors.set(descriptor.type === "FileDescriptor" ? String(descriptor.value) : anyDescriptor, { text, origins });
  };
  for (const redirect of list) {
    const { descriptor } = redirect;
    if (descriptor?.type === "FileDescriptorVariable") machine.variables.set(descriptor.name, [hole]);
    if (redirect.type === "HereDoc") feed(descriptor, hereText(redirect, machine, context), []);
    else if (redirect.type === "HereString") feed(descriptor, redirect.target === undefined ? [""] : mapValue(expandOne(redirect.target, machine, context), (text) => `${text}\n`), []);
    else if (redirect.target !== undefined) {
      const target = expandTarget(redirect.target, machine, context);
      const { operator } = redirect;
      const copies = operator === ">&" || operator === "<&";
      if (copies && operator === ">&") sinks.push(...[...new Set([...target.map((text) => `&${show(text)}`), `&${anyDescriptor}`])].flatMap((key) => machine.sinks.get(key) ?? []));
      if (copies && operator === "<&") {
        const kept = target.flatMap((text) => descriptorsOf(text, machine));
        for (const { text, origins } of kept) {
          machine.sources.texts.push(...origins);
          feed(descriptor, text, origins);
        }
        if (kept.length > 0) continue;
      }
      if (copies && target.every((text) => /^(?:\d+-?|-)$/.test(text))) continue;
      const reads = operator === "<" || operator === "<&" || operator === "<>";
      if (reads) files.push({ access: "reads", target });
      if (operator !== "<" && operator !== "<&") files.push({ access: "writes", target, ...(operator.includes(">>") ? { appends: true } : {}) });
      if (reads) {
        const { stdin, stdinFile } = inputOf(target, machine, context);
        feed(descriptor, stdin ?? [hole], [], stdinFile);
      }
      // `exec 3> >(sh)`: what is written to the descriptor goes there.
      const key = descriptor?.type === "FileDescriptor" ? String(descriptor.value) : descriptor === undefined ? undefined : anyDescriptor;
      for (const sink of key === undefined ? [] : target.flatMap((text) => machine.sinks.get(text) ?? [])) machine.sinks.set(`&${key}`, sink);
    }
  }
  return { files, input, sinks };
}

/** What is read from a file: known for the pipes that stand for `<(…)` and for what the line has written. */
export function inputOf(target: Value, machine: Interpreter, context: Context): Input {
  const text = readKept(target, machine, context);
  return { stdin: text ?? [hole], stdinFile: target.some((one) => machine.outputs.has(one)) ? undefined : target };
}

function hereText(redirect: HereDoc, machine: Interpreter, context: Context): Value {
  const { body, operator, delimiter } = redirect;
  if (body.text.startsWith("\0c")) machine.metBodies.add(body.text);
  const strip = (text: Text): Text => (operator === "<<-" ? text.replace(/^\t+/gm, "") : text);
  const value: Value = delimiter?.quoted === true || body.parts === undefined ? [body.text] : expandQuoted(body.parts, machine, context);
  return mapValue(value, (text) => strip(text.replaceAll(nothing, "")));
}
