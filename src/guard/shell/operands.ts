/**
 * From a found command to the words that can be paths and what happens to each: redirects, and operands by the table of
 * known programs. A program nobody knows only touches its words.
 */
import { foundPaths, readFind } from "./find.ts";
import type { Found } from "./machine.ts";
import { cmdletOperands } from "./powershell/operands.ts";
import { belowFolder } from "./program-files.ts";
import { subcommandKeys } from "./subcommands.ts";
import { isShell } from "./tables/shells.ts";
import { carrierRow } from "./tables/carriers.ts";
import { operandRow } from "./tables/operands.ts";
import type { OperandRow } from "./tables/operands.ts";
import { show } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { specialOperands } from "./special-operands.ts";
import { mapValue } from "./words.ts";

export interface Operand {
  /** Letters of `r`, `w`, `d`; `t` alone where no more is known. */
  readonly access: string;
  readonly value: Value;
  /** Stands for everything below it. */
  readonly tree: boolean;
  /** Below it only files of these names (wildcards) are meant. */
  readonly names?: readonly string[];
  /** The folder in which an archive is unpacked for want of a named one. */
  readonly unpacked?: true;
  /** Another reading of a word that is counted already: only wide positions look at it. */
  readonly guess?: true;
}

export function operandsOf(found: Found): readonly Operand[] {
  const redirects = found.redirects.map(({ access, target }): Operand => ({ access: access === "reads" ? "r" : "w", value: target, tree: false }));
  if (found.words.length === 0) return redirects;
  const cmdlet = found.dialect === "powershell" ? cmdletOperands(found) : undefined;
  if (cmdlet !== undefined) return [...redirects, ...cmdlet];
  const special = specialOperands(found);
  if (special !== undefined) return [...redirects, ...special.flatMap(readings)];
  if (found.name === "find" || found.name === "gfind") return [...redirects, ...findOperands(found.words).flatMap(readings)];
  const row = rowOf(found);
  const words = found.words.slice(0, Math.max(found.end, 1));
  const own = row === undefined ? unknownOperands(words) : knownOperands(row.row, words, row.at);
  // git reads wildcards that the shell has left alone; a bare name is one at any depth.
  if (found.name === "git") return [...redirects, ...own.map((operand) => ({ ...operand, value: mapValue(operand.value, (text) => (/^[^:\0/]*[*?][^:\0/]*$/.test(text) ? belowFolder(text) : text)) })).flatMap(readings)];
  return [...redirects, ...(isSymbolicLink(found) ? own.map((operand) => fromLink(operand, own)) : own).flatMap(readings)];
}

function isSymbolicLink(found: Found): boolean {
  return (found.name === "ln" || found.name === "gln") && found.words.some((word) => /^(?:-[A-Za-z]*s[A-Za-z]*|--s(?:ymbolic)?)$/.test(word[0] ?? ""));
}

/** The text of a symbolic link is read from where the link is: beside its name, or in the folder it is put into. */
function fromLink(operand: Operand, all: readonly Operand[]): Operand {
  const places = all.filter((one) => one.access === "w" && one.guess !== true).flatMap((one) => one.value);
  if (operand.access !== "rw" || places.length === 0) return operand;
  const from = (text: Text): Value => (/^(?:\/|\0[~hu])/.test(text) ? [text] : places.flatMap((place) => (place.endsWith("/") ? [`${place}${text}`] : [`${place}/../${text}`, `${place}/${text}`])));
  return { ...operand, value: operand.value.flatMap(from) };
}

const wrapper: OperandRow = { programs: "", operands: "-*" };

function rowOf(found: Found): { readonly row: OperandRow; readonly at: number } | undefined {
  const keys = subcommandKeys(found.name, found.words);
  for (const { key, at } of keys) {
    const row = operandRow(key);
    if (row !== undefined) return { row, at };
  }
  // The words in front of another command are users, times, hosts.
  if (found.end < found.words.length || (carrierRow(found.name) !== undefined && !isShell(found.name))) return { row: wrapper, at: 1 };
  return undefined;
}

function findOperands(words: readonly Value[]): readonly Operand[] {
  const plan = readFind(words);
  const roots = plan.roots.map((value): Operand => ({ access: "t", value, tree: false }));
  const deleted = plan.deletes ? [{ access: "d", value: foundPaths(plan), tree: false }] : [];
  return [...roots, ...deleted, ...plan.writes.map((value) => ({ access: "w", value, tree: false })), ...plan.looks.map((value) => ({ access: "t", value, tree: false }))];
}

function unknownOperands(words: readonly Value[]): readonly Operand[] {
  const operands: Operand[] = [];
  let flags = true;
  for (const word of words.slice(1)) {
    const text = word[0] ?? "";
    if (flags && text === "--") flags = false;
    else if (!flags || !text.startsWith("-")) operands.push({ access: "t", value: word, tree: false });
    else pushValue(operands, word);
  }
  return operands;
}

/** The value of `--opt=F`. */
function pushValue(operands: Operand[], word: Value): void {
  const text = word[0] ?? "";
  const equal = text.indexOf("=");
  if (equal > 0) operands.push({ access: "t", value: mapValue(word, (one) => one.slice(one.indexOf("=") + 1)), tree: false });
}

interface OptionRow {
  readonly kinds: string;
  readonly marked: boolean;
}

function readOptionRows(text: string | undefined): ReadonlyMap<string, OptionRow> {
  const rows = new Map<string, OptionRow>();
  for (const one of text === undefined || text === "" ? [] : text.split(" ")) {
    const split = one.lastIndexOf(":");
    const name = split === -1 ? one : one.slice(0, split);
    rows.set(name.replace(/!$/, ""), { kinds: split === -1 ? "" : one.slice(split + 1), marked: name.endsWith("!") });
  }
  return rows;
}

function knownOperands(row: OperandRow, words: readonly Value[], at: number): readonly Operand[] {
  const options = readOptionRows(row.options);
  const operands: Operand[] = [];
  const rest: Value[] = [];
  const flags = new Set<string>();
  let marked = false;
  let targets = false;
  const take = (option: OptionRow, index: number, joined: Value | undefined): number => {
    marked ||= option.marked;
    // `rw` is one value with two effects, `--` and `-r` are two values.
    const kinds = /^[-]?[-rwdt@>]$/.test(option.kinds) && option.kinds.length === 2 && option.kinds.startsWith("-") ? [...option.kinds] : [option.kinds];
    kinds.forEach((kind, step) => {
      const value = step === 0 && joined !== undefined ? joined : words[index + step + (joined === undefined ? 1 : 0)];
      if (value === undefined || kind === "" || kind === "-") return;
      targets ||= kind === ">";
      operands.push({ access: kind === ">" || kind === "W" ? "w" : kind, value, tree: kind === "W" });
    });
    return option.kinds === "" ? 0 : kinds.length - (joined === undefined ? 0 : 1);
  };
  for (let index = at; index < words.length; index += 1) {
    const word = words[index] ?? [""];
    const text = show(word[0] ?? "");
    if (text === "--") {
      rest.push(...words.slice(index + 1));
      flags.add("--");
      break;
    }
    if (!/^[-+]./.test(text) || (text.startsWith("+") && !options.has(text))) {
      rest.push(word);
      continue;
    }
    const equal = text.indexOf("=");
    const name = equal > 0 ? text.slice(0, equal) : text;
    const whole = options.get(name);
    flags.add(name);
    if (equal > 0) flags.add(text);
    if (whole !== undefined) {
      const value = words[index + 1];
      if (equal < 0 && value !== undefined) flags.add(`${name}=${show(value[0] ?? "")}`);
      index += take(whole, index, equal > 0 && whole.kinds !== "" ? mapValue(word, (one) => one.slice(equal + 1)) : undefined);
    } else if (text.startsWith("--")) {
      // A long option the table does not know may name a file.
      if (equal > 0) pushValue(operands, word);
    } else index += readCluster(text, word, index);
  }
  function readCluster(text: string, word: Value, index: number): number {
    for (let place = 1; place < text.length; place += 1) {
      const name = text.charAt(0) + text.charAt(place);
      flags.add(name);
      const option = options.get(name);
      if (option === undefined) continue;
      if (option.kinds === "") marked ||= option.marked;
      else return take(option, index, place + 1 < text.length ? mapValue(word, (one) => one.slice(place + 1).replace(/^=/, "")) : undefined);
    }
    return 0;
  }
  const [, kinds, values] = row.when?.find(([names]) => names.split(" ").some((name) => flags.has(name))) ?? ["", row.operands];
  // What a mode only looks at is not written, whatever its options do else.
  if (values === "reads") operands.splice(0, operands.length, ...operands.flatMap((one) => (one.access.includes("r") ? [{ ...one, access: "r" }] : [])));
  const tree = row.tree === "always" || (row.tree?.split(" ").some((name) => flags.has(name)) ?? false);
  const placed = placeKinds(kinds, rest.length, marked, targets);
  rest.forEach((value, index) => {
    const kind = placed[index] ?? "t";
    if (kind === "-") return;
    operands.push({ access: kind === ">" ? "w" : kind, value, tree: tree && kind !== "t" && kind !== "@" });
  });
  return [...operands, ...intoFolder(rest, placed, operands, tree, targets)].map((operand) => (tree && targets && operand.access === "w" ? { ...operand, tree } : operand));
}

/** One kind for each operand. */
function placeKinds(spec: string, count: number, marked: boolean, targets: boolean): readonly string[] {
  const tokens = spec.split(" ").filter((token) => !(token.endsWith("?") && marked) && !(token === ">" && targets)).map((token) => token.replace("?", ""));
  const star = tokens.findIndex((token) => token.endsWith("*"));
  if (star === -1) return Array.from({ length: count }, (_, index) => tokens[index] ?? "t");
  const behind = tokens.slice(star + 1);
  const repeated = (tokens[star] ?? "t").slice(0, -1);
  return Array.from({ length: count }, (_, index) => {
    const fromEnd = index - (count - behind.length);
    if (fromEnd >= 0 && index > 0) return behind[fromEnd] ?? repeated;
    return tokens[index] !== undefined && index < star ? (tokens[index] ?? repeated) : repeated;
  });
}

/** `cp a dir`: where the target is a folder, the file in it that has the source's name is written. */
function intoFolder(rest: readonly Value[], placed: readonly string[], operands: readonly Operand[], tree: boolean, targets: boolean): readonly Operand[] {
  const folders: readonly Value[] = targets ? operands.filter((operand) => operand.access === "w").map((operand) => operand.value) : rest.filter((_, index) => placed[index] === ">");
  const sources = rest.filter((_, index) => placed[index] !== ">");
  if (folders.length === 0 || sources.length > 256) return [];
  return folders.flatMap((folder) =>
    sources.map((source): Operand => ({ access: "w", tree, guess: true, value: folder.flatMap((place) => source.map((text) => `${place.replace(/\/$/, "")}/${text.replace(/\/+$/, "").split("/").at(-1) ?? ""}`)) })),
  );
}

/** Other readings of one word: `@F`, `key=F`, `REV:PATH`, `HOST:PATH`, `file://`. */
function readings(operand: Operand): readonly Operand[] {
  const main: Text[] = [];
  const guesses: Text[] = [];
  for (const text of operand.value) {
    const file = /^file:\/\/(?:localhost)?([/\0][^]*)$/i.exec(text);
    if (file !== null) main.push(file[1] ?? "");
    else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) continue;
    else if (operand.access === "@") {
      const named = /^(?:[^@<=]*=)?[@<]([^;]+)/.exec(text);
      if (named !== null) main.push(named[1] ?? "");
      else if (/^[^=]*=[@<]?/.test(text)) guesses.push(text.slice(text.indexOf("=") + 1).replace(/^[@<]/, ""));
    } else {
      main.push(text);
      const key = /^[\w.-]+=([^]+)$/.exec(text);
      if (key !== null) guesses.push(key[1] ?? "");
      if (text.startsWith("@") && text.length > 1) guesses.push(text.slice(1));
      // `git show :F` is the staged file.
      const staged = /^:(?:[0-3]:)?([^:/(!^][^]*)$/.exec(text);
      if (staged !== null) guesses.push(staged[1] ?? "");
      const colon = text.indexOf(":");
      if (colon > 0 && colon < text.length - 1) guesses.push(...text.split(":").filter((part) => part !== ""));
    }
  }
  const access = operand.access === "@" ? "r" : operand.access;
  const all: Operand[] = main.length > 0 ? [{ ...operand, access, value: main }] : [];
  if (guesses.length > 0) all.push({ ...operand, access, value: guesses, guess: true });
  return all;
}
