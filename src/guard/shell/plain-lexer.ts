/**
 * Plain lines without the parser: words, quotes, operators, redirects. The tree is the parser's own (without positions),
 * proven so by a test; `undefined` for every line that might be more than that.
 */
import type { CommandNode, ParsedScript, PipelineNode, Redirection, Statement, Word, WordPart } from "./parse.ts";

/** What expands, nests, escapes or comments, and blanks that are none for Bash. */
const notPlain = /[$`\\(){}[\]#!\0]|<<|[^\S \t\n]/;
const reserved = new Set("if then elif else fi do done case esac while until for select function time coproc in".split(" "));

interface Reader {
  readonly text: string;
  at: number;
}

export function parsePlain(text: string): ParsedScript | undefined {
  if (notPlain.test(text)) return undefined;
  const reader: Reader = { text, at: 0 };
  const commands: Statement[] = [];
  skip(reader, true);
  while (reader.at < text.length) {
    const command = readAndOr(reader);
    if (command === undefined) return undefined;
    const end = text.charAt(reader.at);
    commands.push(node({ type: "Statement", command, ...(end === "&" ? { background: true } : {}) }));
    if (end !== "" && end !== ";" && end !== "&" && end !== "\n") return undefined;
    reader.at += 1;
    skip(reader, true);
  }
  return commands.length === 0 ? undefined : node({ type: "Script", shebang: undefined, commands });
}

/** Positions are nobody's business behind the parser. */
function node<Node>(fields: object): Node {
  return fields as Node;
}

function skip(reader: Reader, lines: boolean): void {
  while (reader.at < reader.text.length && (lines ? " \t\n" : " \t").includes(reader.text.charAt(reader.at))) reader.at += 1;
}

/** The operator of `operators` that stands next; longer ones are listed first. */
function take<Operator extends string>(reader: Reader, operators: readonly Operator[]): Operator | undefined {
  const found = operators.find((operator) => reader.text.startsWith(operator, reader.at));
  if (found !== undefined) reader.at += found.length;
  return found;
}

function readAndOr(reader: Reader): Statement["command"] | undefined {
  const commands: PipelineNode[] = [];
  const operators: ("&&" | "||")[] = [];
  for (;;) {
    const pipeline = readPipeline(reader);
    if (pipeline === undefined) return undefined;
    commands.push(pipeline);
    const operator = take(reader, ["&&", "||"] as const);
    if (operator === undefined) break;
    operators.push(operator);
    skip(reader, true);
  }
  return operators.length === 0 ? commands[0] : node({ type: "AndOr", commands, operators });
}

function readPipeline(reader: Reader): PipelineNode | undefined {
  const commands: CommandNode[] = [];
  const operators: ("|" | "|&")[] = [];
  for (;;) {
    const command = readCommand(reader);
    if (command === undefined) return undefined;
    commands.push(command);
    if (reader.text.startsWith("||", reader.at)) break;
    const operator = take(reader, ["|&", "|"] as const);
    if (operator === undefined) break;
    operators.push(operator);
    skip(reader, true);
  }
  return operators.length === 0 ? commands[0] : node({ type: "Pipeline", prefixes: [], commands, operators });
}

function readCommand(reader: Reader): CommandNode | undefined {
  let name: Word | undefined;
  const prefix: Redirection[] = [];
  const suffix: (Word | Redirection)[] = [];
  for (;;) {
    skip(reader, false);
    const redirect = readRedirect(reader);
    if (redirect === null) return undefined;
    if (redirect !== undefined) (name === undefined ? prefix : suffix).push(redirect);
    else {
      const word = readWord(reader);
      if (word === null) return undefined;
      if (word === undefined) break;
      // Settings and reserved words have trees of their own.
      if (reserved.has(word.text) || /^[A-Za-z_]\w*\+?=/.test(word.text)) return undefined;
      if (name === undefined) name = word;
      else suffix.push(word);
    }
  }
  const all = [...prefix, ...suffix];
  if (name === undefined && prefix.length === 0) return undefined;
  return node({ type: "Command", name, prefix, suffix, args: suffix.filter((one) => one.type === "Word"), redirects: all.filter((one) => one.type === "Redirect") });
}

const redirectOperators = ["&>>", "&>", ">>", ">|", ">&", "<>", "<&", ">", "<"] as const;

/** `undefined` where none stands here, `null` where it is not plain. */
function readRedirect(reader: Reader): Redirection | undefined | null {
  const digits = /^\d+(?=[<>])/.exec(reader.text.slice(reader.at, reader.at + 12))?.[0];
  const start = reader.at;
  if (digits !== undefined) reader.at += digits.length;
  const operator = take(reader, redirectOperators);
  if (operator === undefined) {
    reader.at = start;
    return undefined;
  }
  skip(reader, false);
  const target = readWord(reader);
  if (target === undefined || target === null) return null;
  const descriptor = digits === undefined ? undefined : node({ type: "FileDescriptor", value: Number(digits) });
  return node({ type: "Redirect", operator, descriptor, target });
}

/** `undefined` where no word stands here, `null` for a quote that is not closed. */
function readWord(reader: Reader): Word | undefined | null {
  const { text } = reader;
  const start = reader.at;
  const parts: WordPart[] = [];
  let simple = true;
  let bare = reader.at;
  const flush = (): void => {
    const literal = text.slice(bare, reader.at);
    if (literal !== "") parts.push(node({ type: "Literal", value: literal, text: literal }));
  };
  for (; reader.at < text.length; reader.at += 1) {
    const char = text.charAt(reader.at);
    if (" \t\n|&;<>".includes(char)) break;
    if (char !== "'" && char !== '"' && char !== "*" && char !== "?") continue;
    simple = false;
    flush();
    if (char === "?") parts.push(node({ type: "Glob", kind: "question", text: char, value: char }));
    else if (char === "*") {
      const stars = /^\*+/.exec(text.slice(reader.at))?.[0] ?? char;
      parts.push(node({ type: "Glob", kind: "star", text: stars, value: stars }));
      reader.at += stars.length - 1;
    } else {
      const end = text.indexOf(char, reader.at + 1);
      if (end === -1) return null;
      const value = text.slice(reader.at + 1, end);
      const whole = text.slice(reader.at, end + 1);
      parts.push(char === "'" ? node({ type: "SingleQuoted", value, text: whole }) : node({ type: "DoubleQuoted", text: whole, parts: [node({ type: "Literal", value, text: value })] }));
      reader.at = end;
    }
    bare = reader.at + 1;
  }
  if (reader.at === start) return undefined;
  flush();
  const whole = text.slice(start, reader.at);
  return node({ type: "Word", text: whole, value: simple ? whole : parts.map(valueOf).join(""), parts: simple ? undefined : parts });
}

function valueOf(part: WordPart): string {
  if (part.type === "DoubleQuoted") return part.parts.map((inner) => (inner.type === "Literal" ? inner.value : "")).join("");
  return "value" in part ? part.value : "";
}
