/**
 * `find ROOTS … -exec CMD {} ;` and `fd … -x CMD`: the command runs on paths below the roots, narrowed by `-name` where
 * every branch of the expression has one.
 */
import type { Context, Interpreter } from "./machine.ts";
import { below, concatenate, hole, show, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

export interface FindPlan {
  readonly roots: readonly Value[];
  /** File names the actions are limited to, as wildcard patterns. */
  readonly names: readonly string[];
  readonly deletes: boolean;
  readonly commands: readonly (readonly Value[])[];
  /** Files that `-fprint FILE` and its like write. */
  readonly writes: readonly Value[];
  /** Files that `-newer FILE` and its like look at. */
  readonly looks: readonly Value[];
}

export function followFind(words: readonly Value[], machine: Interpreter, context: Context): void {
  const name = show(words[0]?.[0] ?? "");
  if (/fd(?:find)?$/.test(name)) return followFd(words, machine, context);
  const plan = readFind(words);
  const paths = foundPaths(plan);
  for (const command of plan.commands) machine.command(command.map((word) => fill(word, paths)), { ...context, stdin: undefined });
}

function followFd(words: readonly Value[], machine: Interpreter, context: Context): void {
  const start = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word[0] ?? ""));
  if (start === -1) return;
  const command = words.slice(start + 1);
  const paths = foundPaths(readFd(words.slice(0, start)));
  const mark = /\{(?:|\.|\/|\/\/|\/\.)\}/g;
  const hasMark = command.some((word) => word.some((text) => /\{[./]*\}/.test(text)));
  const filled = command.map((word) => word.flatMap((text) => (text.search(mark) === -1 ? [text] : paths.map((path) => text.replace(mark, path)))));
  machine.command(hasMark ? filled : [...filled, paths], context);
}

/** `fd [OPTIONS] [PATTERN] [ROOT…]`: names come from `-e` and from a pattern that says no more than an extension. */
function readFd(words: readonly Value[]): Pick<FindPlan, "roots" | "names"> {
  const names: string[] = [];
  const operands: Value[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const text = show(words[at]?.[0] ?? "");
    const joined = /^(?:-e|--extension=)(.+)$/.exec(text)?.[1];
    if (joined !== undefined) names.push(`*.${joined}`);
    else if (/^(?:-e|--extension)$/.test(text)) names.push(...(words[(at += 1)] ?? [hole]).map((one) => `*.${show(one)}`));
    else if (/^--(?:search-path|base-directory|and)\b|^-C/.test(text)) return { roots: [["."]], names: [] };
    else if (/^(?:-[tEdSjoc]|--(?:type|exclude|max-depth|min-depth|exact-depth|size|threads|owner|color|changed-within|changed-before|ignore-file|max-results|batch-size))$/.test(text)) at += 1;
    else if (!/^-./.test(text)) operands.push(words[at] ?? [hole]);
  }
  const [pattern, ...roots] = operands;
  const extension = /^\\\.(\w+)\$$/.exec(pattern === undefined ? "" : show(pattern[0] ?? ""))?.[1];
  return { roots: roots.length === 0 ? [["."]] : roots, names: names.length > 0 || extension === undefined ? names : [`*.${extension}`] };
}

/** Every path the actions may be handed. */
export function foundPaths(plan: Pick<FindPlan, "roots" | "names">): Value {
  const ends = plan.names.length === 0 ? [""] : plan.names.flatMap((name) => [`/${wild(name)}`, ...(/^[*?]/.test(name) ? [`/.${wild(name)}`] : [])]);
  return plan.roots.map((root) => concatenate([mapValue(root, (text) => text.replace(/(?!^)\/+$/, "")), [`/${below}`], ends])).reduce((all, value) => unite(all, value), [] as unknown as Value);
}

function wild(name: string): Text {
  return name.replace(/[*?[\]]/g, "\0$&");
}

function fill(word: Value, paths: Value): Value {
  return word.some((text) => text.includes("{}")) ? word.flatMap((text) => (text.includes("{}") ? paths.map((path) => text.replaceAll("{}", path)) : [text])) : word;
}

export function readFind(words: readonly Value[]): FindPlan {
  let at = 1;
  while (/^-(?:[HLP]+|O\d)$/.test(words[at]?.[0] ?? "")) at += 1;
  const roots: Value[] = [];
  for (; at < words.length && !/^[-(!]/.test(words[at]?.[0] ?? "-"); at += 1) roots.push(words[at] ?? [hole]);
  const commands: (readonly Value[])[] = [];
  const writes: Value[] = [];
  const looks: Value[] = [];
  const branches: { names: string[]; prunes: boolean }[] = [{ names: [], prunes: false }];
  let deletes = false;
  for (; at < words.length; at += 1) {
    const text = show(words[at]?.[0] ?? "");
    const branch = branches.at(-1);
    const value = words[at + 1];
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = words.findIndex((word, index) => index > at && (word[0] === ";" || (word[0] === "+" && (words[index - 1]?.[0] ?? "").includes("{}"))));
      const stop = end === -1 ? words.length : end;
      commands.push(words.slice(at + 1, stop));
      at = stop;
    } else if (text === "-delete") deletes = true;
    else if (/^-(?:fprint|fprint0|fls|fprintf)$/.test(text)) {
      if (value !== undefined) writes.push(value);
      at += text === "-fprintf" ? 2 : 1;
    } else if (/^-(?:name|iname)$/.test(text)) {
      const negated = /^(?:!|-not)$/.test(show(words[at - 1]?.[0] ?? ""));
      if (!negated && value !== undefined) branch?.names.push(...value.map((one) => show(one)));
      at += 1;
    } else if (/^-(?:newer\w*|anewer|cnewer|samefile)$/.test(text)) {
      if (value !== undefined) looks.push(value);
      at += 1;
    } else if (/^-(?:o|or)$/.test(text) || text === ",") branches.push({ names: [], prunes: false });
    else if (text === "-prune" && branch !== undefined) branch.prunes = true;
    else if (/^-(?:path|ipath|wholename|iwholename|regex|iregex|lname|ilname|type|xtype|size|mtime|atime|ctime|mmin|amin|cmin|perm|user|group|uid|gid|maxdepth|mindepth|fstype|inum|links|used|printf|regextype|context)$/.test(text)) at += 1;
  }
  const acting = branches.filter((branch) => !branch.prunes);
  const names = acting.every((branch) => branch.names.length > 0) ? acting.flatMap((branch) => branch.names) : [];
  return { roots: roots.length === 0 ? [["."]] : roots, names, deletes, commands, writes, looks };
}
