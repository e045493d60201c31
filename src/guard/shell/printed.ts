/** What simple commands print, as far as the line tells: the text that a later shell in the line reads. */
import { foundPaths, readFind } from "./find.ts";
import type { Context, Interpreter } from "./machine.ts";
import { readKept } from "./data-flow.ts";
import { folder } from "./parameters.ts";
import { parseWord } from "./parse.ts";
import { asScalar, concatenate, hole, isSettled, show, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

export function printed(name: string, words: readonly Value[], machine: Interpreter, context: Context): Value {
  if (!context.captured) return [""];
  const args = words.slice(1);
  switch (name) {
    case "echo": {
      const flags = args.findIndex((word) => !/^-[neE]+$/.test(word[0] ?? ""));
      const texts = flags === -1 ? [] : args.slice(flags);
      const options = args.slice(0, flags === -1 ? args.length : flags).map((word) => word[0] ?? "").join("");
      const text = join(texts);
      return concatenate([options.includes("e") ? mapValue(text, unescape) : text, [options.includes("n") ? "" : "\n"]]);
    }
    case "printf":
      return format(args[0]?.[0] === "--" ? args.slice(1) : args);
    case "print":
    case "yes":
      return concatenate([join(args.filter((word) => !/^-[A-Za-z]+$/.test(word[0] ?? ""))), ["\n"]]);
    case "basename":
    case "dirname": {
      const [path] = args.filter((word) => !/^-./.test(word[0] ?? ""));
      const cut = (text: Text): Text => (name === "basename" ? text.replace(/\/+$/, "").replace(/^[^]*\//, "") : text.includes("/") ? text.replace(/\/+[^/]*\/*$/, "") || "/" : ".");
      return path === undefined || args.length > 1 ? [hole] : mapValue(path, (text) => (isSettled(text) ? cut(text) : hole));
    }
    case "head":
    case "tail":
    case "grep":
    case "egrep":
    case "fgrep":
    case "sort":
    case "uniq":
    case "tac":
    case "sed":
    case "tr":
    case "cut":
    case "awk":
      return filtered(name, args, machine, context);
    case "cat": {
      const files = args.filter((word) => !/^-./.test(word[0] ?? ""));
      if (files.length === 0) return context.stdin ?? [hole];
      return concatenate(files.map((file) => fileText(file, machine, context)));
    }
    case "tee":
    case "sponge":
    case "pv":
      return context.stdin ?? [hole];
    case "pwd":
      return machine.variables.get(folder) ?? [hole];
    case "type":
    case "whereis":
    case "which": {
      // Wherever the program lies, that is its name.
      const [program] = args.filter((word) => !/^-/.test(word[0] ?? ""));
      return program === undefined ? [hole] : mapValue(program, (text) => (text.includes("/") ? text : `${hole}/${text}`));
    }
    case "mktemp": {
      const template = args.map((word) => word[0] ?? "").find((text) => text.startsWith("/"));
      return [template === undefined ? `/tmp/tmp.${hole}` : template.replace(/X+/, hole)];
    }
    case "find":
    case "gfind": {
      // Everything below the project is a list that says nothing.
      const plan = readFind(words);
      const isEverywhere = plan.roots.some((root) => root.some((text) => /^(?:\.\/*|\/)$/.test(text) || !isSettled(text)));
      return (plan.names.length === 0 && isEverywhere) || plan.names.includes("*") ? [hole] : [foundPaths(plan).map((path) => `${path}\n`).join("")];
    }
    case "true":
    case "false":
    case ":":
    case "cd":
    case "mkdir":
    case "rm":
      return [""];
    default:
      return [hole];
  }
}

/** Most of what a filter lets through is what it has read, so that stays one reading of its output. */
function filtered(name: string, args: readonly Value[], machine: Interpreter, context: Context): Value {
  const words = args.filter((word) => !/^-/.test(word[0] ?? ""));
  const files = /^(?:head|tail|sort|uniq|tac)$/.test(name) ? words.filter((word) => !/^\d+$/.test(word[0] ?? "")) : name === "tr" || name === "cut" ? [] : words.slice(1);
  const texts = files.length === 0 ? [context.stdin ?? [hole]] : files.map((file) => fileText(file, machine, context));
  const text = texts.length > 4 ? [hole] : concatenate(texts);
  return text.length > 64 ? [hole] : unite(text, [hole]);
}

function fileText(file: Value, machine: Interpreter, context: Context): Value {
  if (file[0] === "-") return context.stdin ?? [hole];
  return readKept(file, machine, context) ?? [hole];
}

function join(words: readonly Value[]): Value {
  if (words.reduce((count, word) => count * word.length, 1) > 64) return [hole];
  return concatenate(words.flatMap((word, index) => [[index === 0 ? "" : " "], mapValue(word, asScalar)]));
}

/** `printf FORMAT ARGS`: `%s`, `%b`, `%d` and the like filled in, over and over while arguments are left. */
export function format(words: readonly Value[]): Value {
  const [first, ...args] = words;
  if (first === undefined) return [""];
  const [pattern = ""] = first;
  if (first.length > 1 || !isSettled(pattern)) return [hole];
  const pieces = show(pattern).split(/(%%|%[-+ #0]*[\d*]*(?:\.[\d*]*)?[A-Za-z])/);
  const takes = pieces.filter((piece) => /^%[^%]/.test(piece)).length;
  const values: Value[] = [];
  const rounds = takes === 0 ? 1 : Math.min(256, Math.max(1, Math.ceil(args.length / takes)));
  for (let round = 0, at = 0; round < rounds; round += 1) {
    for (const piece of pieces) {
      if (piece === "%%") values.push(["%"]);
      else if (/^%[^%]/.test(piece)) {
        const value = args[at] ?? [""];
        at += 1;
        values.push(mapValue(value, piece.endsWith("b") ? unescape : piece.endsWith("c") ? (text) => asScalar(text).slice(0, 1) : asScalar));
      } else values.push([unescape(piece)]);
    }
  }
  return values.reduce((count, value) => count * value.length, 1) > 64 ? [hole] : concatenate(values);
}

/** Backslash escapes of `echo -e` and `printf`. */
function unescape(text: Text): Text {
  if (!text.includes("\\")) return text;
  const octal = text.replace(/\\0([0-7]{1,3})/g, "\\$1");
  const quoted = octal.replace(/\\c[^]*$/, "").replace(/'/g, "\\'").replace(/\\\\'/g, "\\\\\\'");
  return (parseWord(`$'${quoted}'`)?.value ?? text).replace(/\0(?![hu*?[\]e ~])/g, "");
}
