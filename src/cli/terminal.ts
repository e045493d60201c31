/**
 * What commands see of the outside. They never touch `process`, so that one place decides about colours and streams.
 */
import { fstatSync, statSync, writeSync } from "node:fs";
import { errorCode } from "../guard/error-code.ts";
import { transferLate } from "../guard/late.ts";

/** Where a command was started, its environment, and two streams. */
export interface Terminal {
  /** The folder policyc was started in, absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True where stdout is a terminal that wants colours. */
  readonly colour: boolean;
  /** True where stderr is a terminal: progress may be drawn there. */
  readonly live: boolean;
  /** The product of the command, to stdout. */
  print(text: string): void;
  /** Everything else, to stderr. */
  complain(text: string): void;
}

export type ExitCode = 0 | 1 | 2 | 70;

/** The command was used wrongly: message without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function processTerminal(): Terminal {
  const { env } = process;
  const isTerminal = { 1: mayBeTerminal(1) && Boolean(process.stdout.isTTY), 2: mayBeTerminal(2) && Boolean(process.stderr.isTTY) };
  const write = (file: 1 | 2, text: string): void => (isTerminal[file] ? writeToTerminal(file, text) : writeWhole(file, text));
  return {
    folder: process.cwd(),
    environment: env,
    colour: isTerminal[1] && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    live: isTerminal[2] && env["TERM"] !== "dumb",
    print: (text) => write(1, text),
    complain: (text) => write(2, text),
  };
}

/**
 * Node's own streams say whether they are terminals, and cost a fifth of a start: of files, pipes and the null device they
 * are not asked.
 */
function mayBeTerminal(file: 1 | 2): boolean {
  try {
    const facts = fstatSync(file);
    return facts.isCharacterDevice() && facts.rdev !== nullDevice();
  } catch {
    return false;
  }
}

/** `undefined` where it has no number. */
function nullDevice(): number | undefined {
  return statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}

/** By Node's stream, which finds the words for a console whose encoding is not UTF-8. */
function writeToTerminal(file: 1 | 2, text: string): void {
  const stream = file === 1 ? process.stdout : process.stderr;
  stream.write(text);
}

function writeWhole(file: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  try {
    for (let done = 0; done < bytes.length; ) done += writeSome(file, bytes, done);
  } catch (error) {
    // `policyc check | head` closes the pipe early; that is no fault of ours and nothing is left to say.
    if (errorCode(error) !== "EPIPE") throw error;
  }
}

/** The other end of a pipe may take its time. */
function writeSome(file: 1 | 2, bytes: Buffer, from: number): number {
  const transfer = (): number => writeSync(file, bytes, from);
  try {
    return transfer();
  } catch (error) {
    return transferLate(error, Infinity, transfer) ?? 0;
  }
}

/** SGR styles by purpose; plain text where colours are off. */
export interface Style {
  strong(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
}

export function styleOf(colour: boolean): Style {
  const wrap = (code: string) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { strong: wrap("1"), good: wrap("32"), bad: wrap("31"), dim: wrap("2") };
}

/** Rows as aligned columns, two blanks between them, no trailing blanks. */
export function renderTable(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows.map((row) => `${indent}${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd() + "\n").join("");
}
