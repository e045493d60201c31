/**
 * Builtins that change what later words mean (`cd`, `export`, `set`, `read`) or run text (`eval`, `trap`, `source`).
 * `undefined` for any other name.
 */
import { arithmetic } from "./arithmetic.ts";
import { setVariable } from "./commands.ts";
import { absolutePaths, descriptorsOf, feedersOf, keepCopy, keepWritten, readKept } from "./data-flow.ts";
import { aliasEntry, listOf } from "./functions.ts";
import { insideString } from "./machine.ts";
import type { Context, Interpreter } from "./machine.ts";
import { only, readOptions } from "./options.ts";
import { positional, setAttribute } from "./parameters.ts";
import { format, printed } from "./printed.ts";
import { runFile } from "./script-files.ts";
import { border, concatenate, hole, isSettled, loose, nothing, show, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

type Builtin = (words: readonly Value[], machine: Interpreter, context: Context) => Value | undefined;

const none: ReadonlySet<string> = new Set();

export function followBuiltin(name: string, words: readonly Value[], machine: Interpreter, context: Context): Value | undefined {
  const builtin = builtins.get(name);
  return builtin === undefined ? undefined : (builtin(words, machine, context) ?? [""]);
}

function changeFolder(words: readonly Value[], machine: Interpreter): undefined {
  const { operands } = readOptions(words, 1, none, true);
  machine.enter(operands[0] === undefined ? ["\0~"] : (words[operands[0]] ?? [hole]));
}

function declare(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const name = show(words[0]?.[0] ?? "");
  const flags = words.slice(1).filter((word) => /^[-+]/.test(word[0] ?? "")).map((word) => show(word[0] ?? "")).join("");
  if (flags.includes("f") && name !== "local") return;
  for (const word of words.slice(1)) {
    const text = word[0] ?? "";
    if (/^[-+]/.test(text)) continue;
    const match = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?=)?/.exec(text);
    const variable = match?.[1];
    // A subscript is arithmetic.
    if (/^\w+\[/.test(text)) arithmetic(text, machine, context, new Set([""]));
    if (variable !== undefined && flags.includes("i")) setAttribute("integer", variable, ["1"], machine);
    if (variable === undefined) {
      if (!isSettled(text)) machine.notes.assigns = true;
      continue;
    }
    const locals = machine.locals.at(-1);
    if ((name === "local" || name === "declare" || name === "typeset") && !flags.includes("g") && locals !== undefined && !locals.has(variable)) locals.set(variable, machine.variables.get(variable));
    if (match?.[2] === undefined) {
      if (name === "local") machine.variables.set(variable, [""]);
      continue;
    }
    let value = mapValue(word, (one) => one.slice(match[0].length));
    if (flags.includes("i") || flags.includes("n")) for (const one of value) arithmetic(one, machine, context, new Set([""]));
    if (flags.includes("n")) {
      setAttribute("refers", variable, value, machine);
      continue;
    }
    // `declare -a a='(rm -rf dist)'` sets a list.
    if (/[aA]/.test(flags) && value.every((one) => /^\([^]*\)$/.test(one) && isSettled(one))) {
      for (const one of value) machine.text(`${variable}=${one}`, insideString(context));
      continue;
    }
    if (match[2] === "+=") value = concatenate([machine.variables.get(variable) ?? [hole], value]);
    setVariable(variable, value, machine, context);
    machine.origins.set(variable, context.texts);
  }
}

function setOptions(words: readonly Value[], machine: Interpreter): undefined {
  const rest = words.slice(1);
  let at = 0;
  for (; at < rest.length; at += 1) {
    const text = show(rest[at]?.[0] ?? "");
    if (text === "--" || text === "-" || !/^[-+]/.test(text)) break;
    if (/^-[A-Za-z]*e/.test(text) || (/^-[A-Za-z]*o$/.test(text) && show(rest[at + 1]?.[0] ?? "") === "errexit")) machine.notes.stopsOnError = true;
    if (/^[-+][A-Za-z]*o$/.test(text)) at += 1;
  }
  const marked = show(rest[at]?.[0] ?? "") === "--";
  const args = rest.slice(marked ? at + 1 : at);
  if (marked || args.length > 0) machine.variables.set(positional, listOf(args));
}

function shift(words: readonly Value[], machine: Interpreter): undefined {
  const count = Number(show(only(words[1]) ?? "1"));
  const drop = (text: Text): Text => (text === hole || text === loose ? hole : text.split(border).slice(Number.isInteger(count) ? count : 1).join(border));
  machine.variables.set(positional, mapValue(machine.variables.get(positional) ?? [hole], drop));
}

/** Names take the words of one line of the input, each time another where the input has several. */
function read(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { options, operands } = readOptions(words, 1, new Set("-a -d -i -n -N -p -t -u".split(" ")), true);
  const valueOf = (...names: readonly string[]): Value | undefined => options.find((option) => names.includes(option.name))?.value;
  const list = valueOf("-a");
  const count = Number(show(valueOf("-n", "-N")?.[0] ?? "0"));
  const ends = valueOf("-d") === undefined ? "\n" : show(valueOf("-d")?.[0] ?? "").charAt(0);
  const input = (valueOf("-u") ?? []).flatMap((number) => descriptorsOf(number, machine).flatMap(({ text }) => text));
  const texts = input.length > 0 ? input : (context.stdin ?? [hole]);
  const lines = [...new Set(texts.flatMap((text) => (ends === "" ? [text] : text.replace(/\n$/, "").split(ends))))].slice(0, 256).map((line) => (count > 0 && isSettled(line) ? line.slice(0, count) : line));
  const separators = only(machine.variables.get("IFS")) ?? " \t\n";
  const fieldsOf = (line: string): readonly string[] => fields(line, separators.includes("\0") ? " \t\n" : separators);
  const names = operands.map((at) => show(only(words[at]) ?? ""));
  for (const at of operands) for (const text of words[at] ?? []) arithmetic(text, machine, context, new Set([""]));
  const set = (name: string, value: Value): void => {
    setVariable(name, value, machine, context);
    machine.origins.set(name, feedersOf(context));
  };
  if (list !== undefined) set(show(list[0] ?? ""), lines.map((line) => fieldsOf(line).join(border)));
  (names.length === 0 ? ["REPLY"] : names).forEach((name, index, all) => {
    const wordOf = (line: string): string => {
      if (all.length === 1) return separators === "" || names.length === 0 ? line : line.trim();
      return (index < all.length - 1 ? fieldsOf(line)[index] : fieldsOf(line).slice(index).join(separators.charAt(0) || " ")) ?? "";
    };
    if (/^[A-Za-z_]\w*$/.test(name)) set(name, [...new Set(lines.map((line) => (isSettled(line) ? wordOf(line) : hole)))]);
  });
}

function fields(line: string, separators: string): readonly string[] {
  if (separators === "") return [line];
  const blank = /[ \t\n]/.test(separators);
  const marks = [...separators].map((char) => `\\u{${char.codePointAt(0)?.toString(16) ?? "20"}}`).join("");
  const parts = line.split(new RegExp(`[${marks}]`, "u"));
  return blank ? parts.filter((part) => part !== "") : parts;
}

function mapFile(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { operands } = readOptions(words, 1, new Set("-d -n -O -s -u -C -c".split(" ")), true);
  const name = show(words[operands[0] ?? -1]?.[0] ?? "MAPFILE");
  const lists = (context.stdin ?? [hole]).map((text) => (isSettled(text) ? text.replace(/\n$/, "").split("\n").map((line) => line || nothing).join(border) : hole));
  if (/^[A-Za-z_]\w*$/.test(name)) setVariable(name, lists, machine, context);
  machine.origins.set(name, feedersOf(context));
}

/** A text that runs later, or perhaps: its commands count where the line stands. */
function runLater(words: Value | undefined, machine: Interpreter, context: Context): void {
  if (words === undefined) return;
  machine.variables.begin();
  machine.functions.begin();
  for (const text of words) machine.text(text, insideString({ ...context, stdin: undefined }));
  machine.variables.join([new Map(), machine.variables.end()]);
  machine.functions.join([new Map(), machine.functions.end()]);
}

function trap(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { operands } = readOptions(words, 1, none, true);
  const [first] = operands;
  if (first === undefined || operands.length < 2 || ["-", ""].includes(show(only(words[first]) ?? " "))) return;
  runLater(words[first], machine, context);
}

function evaluate(words: readonly Value[], machine: Interpreter, context: Context): Value {
  const args = show(only(words[1]) ?? "") === "--" ? words.slice(2) : words.slice(1);
  const texts = concatenate(args.flatMap((word, index) => [[index === 0 ? "" : " "], word]));
  const inner = insideString(context);
  const [text, ...others] = texts;
  if (text === undefined) return [""];
  if (others.length === 0) return machine.text(text, inner);
  runLater(texts, machine, context);
  return [hole];
}

function alias(words: readonly Value[], machine: Interpreter): undefined {
  for (const word of words.slice(1)) {
    for (const text of word) {
      const match = /^([^=\0]+)=([^]*)$/.exec(text);
      if (match === null) continue;
      machine.notes.defines = true;
      machine.variables.set(aliasEntry(match[1] ?? ""), [match[2] ?? ""]);
    }
  }
}

function hash(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { options, operands } = readOptions(words, 1, new Set(["-p"]), true);
  const path = options.find((option) => option.name === "-p")?.value;
  if (path === undefined || operands.length === 0) return;
  machine.notes.defines = true;
  for (const at of operands) {
    const name = show(words[at]?.[0] ?? "");
    machine.variables.set(aliasEntry(name), mapValue(path, (text) => text));
  }
  machine.command([path], { ...context, certain: false });
}

function unset(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { options, operands } = readOptions(words, 1, none, true);
  for (const at of operands) {
    const name = show(words[at]?.[0] ?? "");
    if (name.includes("[")) arithmetic(name, machine, context, new Set([""]));
    if (options.some((option) => option.name === "-f")) machine.functions.set(name, []);
    else if (/^[A-Za-z_]\w*$/.test(name)) machine.variables.set(name, [""]);
  }
}

function print(words: readonly Value[], machine: Interpreter, context: Context): Value | undefined {
  const { options, operands } = readOptions(words, 1, new Set(["-v"]), true);
  const target = options.find((option) => option.name === "-v")?.value;
  if (target === undefined) return printed("printf", words, machine, context);
  const text = format(operands.map((at) => words[at] ?? [""]));
  for (const name of target) {
    const plain = show(name);
    if (/^[A-Za-z_]\w*$/.test(plain)) setVariable(plain, text, machine, context);
    else if (/[[]/.test(plain)) {
      arithmetic(name, machine, context, new Set([""]));
      const list = plain.slice(0, plain.indexOf("["));
      setAttribute("sparse", list, ["1"], machine);
      const before = machine.variables.get(list);
      setVariable(list, before === undefined ? text : concatenate([before, [border], text]), machine, context);
    }
  }
  return [""];
}

function test(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  words.forEach((word, index) => {
    const text = show(only(word) ?? "");
    if (text === "-v") for (const one of words[index + 1] ?? []) arithmetic(one, machine, context, new Set([""]));
    if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(text)) for (const one of [...(words[index - 1] ?? []), ...(words[index + 1] ?? [])]) arithmetic(one, machine, context, new Set([""]));
  });
}

/** `compgen -W LIST` expands the list; `wait -p NAME` sets an element. */
function expandWords(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  for (const option of readOptions(words, 1, new Set("-W -p".split(" ")), true).options) {
    if (option.name === "-W") for (const text of option.value ?? []) machine.quoted(text, context);
    else if (option.name === "-p") for (const text of option.value ?? []) arithmetic(text, machine, context, new Set([""]));
  }
}

function bind(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { options } = readOptions(words, 1, new Set("-x -m -f -q -u -r".split(" ")), true);
  for (const option of options) {
    if (option.name !== "-x") continue;
    for (const text of option.value ?? []) {
      const command = text.slice(text.indexOf(":") + 1).trim();
      runLater([command.replace(/^"([^]*)"$/, "$1").replace(/^'([^]*)'$/, "$1")], machine, context);
    }
  }
}

function source(words: readonly Value[], machine: Interpreter, context: Context): Value {
  const [file, ...args] = words.slice(show(only(words[1]) ?? "") === "--" ? 2 : 1);
  if (file === undefined) return [hole];
  const known = /^\/(?:dev|proc)\//.test(file[0] ?? "") && !machine.outputs.has(file[0] ?? "") ? readKept(file, machine, context) : undefined;
  if (known !== undefined) {
    runLater(known, machine, context);
    return [hole];
  }
  return runFile(file, args.length === 0 ? undefined : args, machine, context);
}

/** A copy, a link, a renamed file: under its new name it is still what it was. */
function copy(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  const { operands } = readOptions(words, 1, new Set("-S -m -o -g -t".split(" ")), false);
  const [source = [""], target = [""]] = operands.map((at) => words[at] ?? [""]);
  if (operands.length !== 2) return;
  for (const text of target) {
    for (const path of absolutePaths(text, machine)) machine.copies.set(path, unite(source, machine.copies.get(path) ?? source));
    keepCopy(source, text, machine, context);
  }
}

/** `dd if=A of=B`: a copy, or what it reads. */
function dump(words: readonly Value[], machine: Interpreter, context: Context): Value {
  const valueOf = (key: string): Value => words.flatMap((word) => word.filter((text) => text.startsWith(key)).map((text) => text.slice(key.length)));
  const [from, to] = [valueOf("if="), valueOf("of=")];
  if (to.length === 0) return from.length === 0 ? (context.stdin ?? [hole]) : (readKept(from, machine, context) ?? [hole]);
  if (from.length === 0) keepWritten([{ access: "writes", target: to }], context.stdin ?? [hole], feedersOf(context), machine);
  else for (const text of to) keepCopy(from, text, machine, context);
  return [""];
}

/** What `tee FILE` writes may be run later in the line. */
function tee(words: readonly Value[], machine: Interpreter, context: Context): Value {
  const { options, operands } = readOptions(words, 1, none, false);
  const appends = options.some((option) => option.name === "-a" || option.name === "--append");
  const text = context.stdin ?? [hole];
  keepWritten(operands.map((at) => ({ access: "writes", target: words[at] ?? [""], ...(appends ? { appends: true as const } : {}) })), text, feedersOf(context), machine);
  return text;
}

function letArithmetic(words: readonly Value[], machine: Interpreter, context: Context): undefined {
  for (const word of words.slice(1)) {
    for (const text of word) {
      arithmetic(text, machine, context);
      arithmetic(text, machine, context, new Set([""]));
    }
  }
}

const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["cd", changeFolder],
  ["pushd", changeFolder],
  ["popd", (_, machine) => void machine.enter(["-"])],
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["set", setOptions],
  ["shift", shift],
  ["read", read],
  ["mapfile", mapFile],
  ["readarray", mapFile],
  ["eval", evaluate],
  ["trap", trap],
  ["alias", alias],
  ["hash", hash],
  ["unset", unset],
  ["printf", print],
  ["test", test],
  ["[", test],
  ["bind", bind],
  ["compgen", expandWords],
  ["wait", expandWords],
  ["source", source],
  [".", source],
  ["let", letArithmetic],
  ["tee", tee],
  ["sponge", tee],
  ["dd", dump],
  ["cp", copy],
  ["ln", copy],
  ["mv", copy],
  ["install", copy],
  ["getopts", (words, machine, context) => void setVariable(show(words[2]?.[0] ?? "OPT"), [hole], machine, context)],
]);
