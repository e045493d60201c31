/**
 * What a command sees of the outside: where it was started, its environment, and two streams. Commands get this value
 * and never touch `process`, so that one place decides about colours.
 */
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
  const { stdout, stderr, env } = process;
  const colour = Boolean(stdout.isTTY) && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  for (const stream of [stdout, stderr]) {
    // `policyc check | head` closes the pipe early; that is no fault of ours and nothing is left to say.
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return {
    folder: process.cwd(),
    environment: env,
    colour,
    live: Boolean(stderr.isTTY) && env["TERM"] !== "dumb",
    print: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
  };
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
