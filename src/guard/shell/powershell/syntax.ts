/**
 * PowerShell text as pipelines of commands: statements, quoting, backtick escapes, here-strings, script blocks. Just
 * enough to know which words are commands; `Undecidable` only for a quote or here-string that is not closed.
 */
import { Undecidable } from "../text.ts";

/** A stretch of a word: literal text, or a variable by name (lower case). */
export type Piece = { readonly kind: "text"; readonly text: string; readonly quoted: boolean } | { readonly kind: "variable"; readonly name: string } | { readonly kind: "unknown" };

/** One argument; a list (`a, b`) has several items. */
export interface PowerWord {
  readonly items: readonly (readonly Piece[])[];
  /** True where the word is not quoted, so that `-x` is a parameter. */
  readonly bare: boolean;
}

export interface PowerCommand {
  readonly words: readonly PowerWord[];
  /** Targets of `>` and `>>`. */
  readonly redirects: readonly PowerWord[];
  /** Script blocks and subexpressions among the words, in order. */
  readonly inner: readonly (readonly PowerPipeline[])[];
  /** `& name`, `. file`: the first word is a command even when quoted. */
  readonly call: boolean;
  /** `$x = …`: what the command gives is kept under this name. */
  readonly assigned: string | undefined;
  /** `[IO.File]::Delete("x")`. */
  readonly methods: readonly { readonly name: string; readonly args: readonly string[] }[];
}

export type PowerPipeline = readonly PowerCommand[];

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

const keywords = new Set("if elseif else foreach for while do until switch try catch finally function filter workflow param return throw trap begin process end dynamicparam class enum using data in exit break continue clean".split(" "));
const deepest = 64;

export function parsePowerShell(text: string): readonly PowerPipeline[] {
  const reader: Reader = { text, at: 0, depth: 0 };
  const pipelines: PowerPipeline[] = [];
  while (reader.at < text.length) {
    pipelines.push(...parseBlock(reader, ""));
    // A closing bracket too many ends nothing.
    reader.at += 1;
  }
  return pipelines;
}

/** Statements up to `close`, which stays unread. */
function parseBlock(reader: Reader, close: string): readonly PowerPipeline[] {
  reader.depth += 1;
  if (reader.depth > deepest) throw new Undecidable("the command is nested too deeply");
  const pipelines: PowerPipeline[] = [];
  let pipeline: PowerCommand[] = [];
  const finish = (): void => {
    if (pipeline.length > 0) pipelines.push(pipeline);
    pipeline = [];
  };
  while (reader.at < reader.text.length) {
    skipBlanks(reader);
    const char = reader.text.charAt(reader.at);
    if (char === "") break;
    if (char === ")" || char === "}" || (close === "" && char === "\0")) {
      if (char === close || close === "") break;
      reader.at += 1;
      finish();
      continue;
    }
    if (char === "\n" || char === ";") {
      reader.at += 1;
      finish();
    } else if (char === "|") {
      reader.at += 1;
      if (reader.text.charAt(reader.at) === "|") {
        reader.at += 1;
        finish();
      }
    } else if (char === "&" && reader.text.charAt(reader.at + 1) === "&") {
      reader.at += 2;
      finish();
    } else {
      const before = reader.at;
      const command = parseCommand(reader, undefined);
      if (command !== undefined) pipeline.push(command);
      if (reader.at === before) reader.at += 1;
    }
  }
  finish();
  reader.depth -= 1;
  return pipelines;
}

function skipBlanks(reader: Reader): void {
  for (;;) {
    const { text, at } = reader;
    const char = text.charAt(at);
    if (char === " " || char === "\t" || char === "\r") reader.at += 1;
    else if (char === "`" && /^`\r?\n/.test(text.slice(at, at + 3))) reader.at += text.charAt(at + 1) === "\r" ? 3 : 2;
    else if (char === "#") {
      const end = text.indexOf("\n", at);
      reader.at = end === -1 ? text.length : end;
    } else if (char === "<" && text.charAt(at + 1) === "#") {
      const end = text.indexOf("#>", at);
      reader.at = end === -1 ? text.length : end + 2;
    } else return;
  }
}

function parseCommand(reader: Reader, assigned: string | undefined): PowerCommand | undefined {
  const words: PowerWord[] = [];
  const redirects: PowerWord[] = [];
  const inner: (readonly PowerPipeline[])[] = [];
  const methods: { name: string; args: readonly string[] }[] = [];
  let call = false;
  let list = false;
  for (;;) {
    skipBlanks(reader);
    const char = reader.text.charAt(reader.at);
    const next = reader.text.charAt(reader.at + 1);
    if (char === "" || char === "\n" || char === ";" || char === "|" || char === ")" || char === "}" || (char === "&" && next === "&")) break;
    if (char === "&" || (char === "." && /[\s"'$({]/.test(next) && words.length === 0)) {
      reader.at += 1;
      if (words.length > 0) break;
      call = true;
      continue;
    }
    const redirect = /^[*\d]?>>?(?:&\d)?/.exec(reader.text.slice(reader.at, reader.at + 5));
    if (redirect !== null) {
      reader.at += redirect[0].length;
      if (redirect[0].includes("&")) continue;
      skipBlanks(reader);
      redirects.push(parseWord(reader, inner, methods));
      continue;
    }
    if (char === "{" || char === "(" || (char === "@" && (next === "(" || next === "{"))) {
      inner.push(parseGroup(reader));
      // A group stands where a word would.
      if (list) list = false;
      else words.push({ items: [[{ kind: "unknown" }]], bare: false });
      continue;
    }
    if (char === ",") {
      reader.at += 1;
      list = words.length > 0;
      continue;
    }
    const start = reader.at;
    const word = parseWord(reader, inner, methods);
    if (reader.at === start) {
      reader.at += 1;
      continue;
    }
    const text = plainText(word);
    if (words.length === 0 && !call && word.bare) {
      if (text !== undefined && keywords.has(text.toLowerCase())) {
        // `if (…) {…}`: the groups are what matters; after `return` stands a command.
        if (/^(?:function|filter|class|enum|using|workflow)$/i.test(text)) {
          skipBlanks(reader);
          parseWord(reader, inner, methods);
        }
        continue;
      }
      const variable = /^\$(?:\w+:)?(\w+)/.exec(reader.text.slice(start, reader.at));
      skipBlanks(reader);
      // `foreach ($x in …)` sets it as well.
      const equals = /^(?:(?:[-+*/%]|\?\?)?=(?!=)|in\b)/i.exec(reader.text.slice(reader.at, reader.at + 3));
      if (variable !== null && equals !== null) {
        reader.at += equals[0].length;
        skipBlanks(reader);
        return parseCommand(reader, (variable[1] ?? "").toLowerCase());
      }
    }
    if (list) {
      const last = words.pop();
      words.push({ items: [...(last?.items ?? []), ...word.items], bare: false });
      list = false;
    } else words.push(word);
  }
  if (words.length === 0 && redirects.length === 0 && inner.length === 0 && methods.length === 0) return undefined;
  return { words, redirects, inner, call, assigned, methods };
}

/** `{…}`, `(…)`, `@(…)`, `@{…}`. */
function parseGroup(reader: Reader): readonly PowerPipeline[] {
  if (reader.text.charAt(reader.at) === "@") reader.at += 1;
  const close = reader.text.charAt(reader.at) === "{" ? "}" : ")";
  reader.at += 1;
  const pipelines = parseBlock(reader, close);
  if (reader.text.charAt(reader.at) === close) reader.at += 1;
  return pipelines;
}

function plainText(word: PowerWord): string | undefined {
  const [only, ...more] = word.items;
  if (only === undefined || more.length > 0) return undefined;
  return only.every((piece) => piece.kind === "text") ? only.map((piece) => (piece.kind === "text" ? piece.text : "")).join("") : undefined;
}

function parseWord(reader: Reader, inner: (readonly PowerPipeline[])[], methods: { name: string; args: readonly string[] }[]): PowerWord {
  const pieces: Piece[] = [];
  let bare = true;
  const { text } = reader;
  const start = reader.at;
  for (;;) {
    const char = text.charAt(reader.at);
    const next = text.charAt(reader.at + 1);
    if (char === "" || /[\s;|,){}&]/.test(char)) {
      if (char === "`") continue;
      break;
    }
    if (char === "(") {
      const method = /\[(?:[\w.]+)\]::(\w+)$|\.(\w+)$/.exec(text.slice(Math.max(0, reader.at - 80), reader.at));
      const from = reader.at + 1;
      if (reader.at === start && method === null) break;
      inner.push(parseGroup(reader));
      if (method !== null) methods.push({ name: text.slice(Math.max(0, from - 80), from - 1).replace(/^[^]*[\s;|({]/, ""), args: literalsIn(text.slice(from, reader.at)) });
      pieces.push({ kind: "unknown" });
    } else if (char === "@" && (next === "'" || next === '"')) {
      if (reader.at === start) bare = false;
      pieces.push(...readHereString(reader, inner, methods));
    } else if (char === "'" || char === "\u2018" || char === "\u2019") {
      if (reader.at === start) bare = false;
      pieces.push({ kind: "text", text: readSingle(reader), quoted: true });
    } else if (char === '"' || char === "\u201c" || char === "\u201d") {
      if (reader.at === start) bare = false;
      pieces.push(...readDouble(reader, inner, methods));
    } else if (char === "`") {
      pieces.push({ kind: "text", text: escaped(next), quoted: true });
      reader.at += 2;
    } else if (char === "$") {
      pieces.push(readVariable(reader, inner));
      // A file's own name for its path.
      reader.at += /^\.(?:FullName|PSPath|Path)\b/i.exec(text.slice(reader.at, reader.at + 16))?.[0].length ?? 0;
    } else {
      // A name or a parameter may be written with any dash.
      const isDash = /[\u2013-\u2015]/.test(char) && (reader.at === start || /^[A-Za-z]+$/.test(text.slice(start, reader.at)));
      pieces.push({ kind: "text", text: isDash ? "-" : char, quoted: false });
      reader.at += 1;
    }
  }
  return { items: [merge(pieces)], bare };
}

function merge(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece.kind === "text" && last?.kind === "text" && last.quoted === piece.quoted) merged[merged.length - 1] = { ...last, text: last.text + piece.text };
    else merged.push(piece);
  }
  return merged;
}

function escaped(char: string): string {
  return { n: "\n", t: "\t", r: "\r", "0": "" }[char] ?? char;
}

function readSingle(reader: Reader): string {
  let out = "";
  for (let at = reader.at + 1; at < reader.text.length; at += 1) {
    const char = reader.text.charAt(at);
    if (/['\u2018\u2019]/.test(char)) {
      if (!/['\u2018\u2019]/.test(reader.text.charAt(at + 1))) {
        reader.at = at + 1;
        return out;
      }
      at += 1;
    }
    out += char;
  }
  throw new Undecidable("the command has a quote that is not closed");
}

function readDouble(reader: Reader, inner: (readonly PowerPipeline[])[], methods: { name: string; args: readonly string[] }[]): readonly Piece[] {
  const pieces: Piece[] = [{ kind: "text", text: "", quoted: true }];
  void methods;
  reader.at += 1;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    const next = reader.text.charAt(reader.at + 1);
    if (/["\u201c\u201d]/.test(char)) {
      if (!/["\u201c\u201d]/.test(next)) {
        reader.at += 1;
        return merge(pieces);
      }
      pieces.push({ kind: "text", text: '"', quoted: true });
      reader.at += 2;
    } else if (char === "`") {
      pieces.push({ kind: "text", text: escaped(next), quoted: true });
      reader.at += 2;
    } else if (char === "$" && /[\w({?^$:]/.test(next)) pieces.push(readVariable(reader, inner));
    else {
      pieces.push({ kind: "text", text: char, quoted: true });
      reader.at += 1;
    }
  }
  throw new Undecidable("the command has a quote that is not closed");
}

function readHereString(reader: Reader, inner: (readonly PowerPipeline[])[], methods: { name: string; args: readonly string[] }[]): readonly Piece[] {
  const quote = reader.text.charAt(reader.at + 1);
  const open = /^@['"][ \t]*\r?\n/.exec(reader.text.slice(reader.at, reader.at + 64));
  if (open === null) throw new Undecidable("the command has a here-string that is not closed");
  const start = reader.at + open[0].length;
  const end = reader.text.indexOf(`\n${quote}@`, start - 1);
  if (end === -1) throw new Undecidable("the command has a here-string that is not closed");
  const body = reader.text.slice(start, Math.max(start, end));
  reader.at = end + 3;
  if (quote === "'") return [{ kind: "text", text: body, quoted: true }];
  return readDouble({ text: `"${body.replaceAll('"', '""')}"`, at: 0, depth: reader.depth }, inner, methods);
}

function readVariable(reader: Reader, inner: (readonly PowerPipeline[])[]): Piece {
  const rest = reader.text.slice(reader.at, reader.at + 256);
  if (rest.startsWith("$(")) {
    reader.at += 1;
    inner.push(parseGroup(reader));
    return { kind: "unknown" };
  }
  const match = /^\$(?:\{([^}]*)\}|((?:(?:env|global|script|local|private|using|variable):)?\w+)|[$?^])/i.exec(rest);
  if (match === null) {
    reader.at += 1;
    return { kind: "text", text: "$", quoted: true };
  }
  reader.at += match[0].length;
  const name = (match[1] ?? match[2] ?? "").toLowerCase().replace(/^(?:global|script|local|private|using|variable):/, "");
  return { kind: "variable", name };
}

function literalsIn(text: string): readonly string[] {
  return [...text.matchAll(/'((?:[^']|'')*)'|"((?:[^"`]|`[^]|"")*)"/g)].slice(0, 8).map(([, single, double]) => single?.replaceAll("''", "'") ?? double ?? "");
}
