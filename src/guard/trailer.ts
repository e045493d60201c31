/**
 * The shell model of a guard lies in a comment at the end of the guard's own file: there it costs next to nothing at the
 * start, and it is read back and compiled only when a line of commands has to be understood.
 */
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import type { ShellModule } from "./shell/shell.ts";

/** The line before the trailer. As code it would stand inside quotes, so it opens a line only once. */
export const trailerMark = "/*: shell model";
const trailerEnd = "\n*/\n";

/** The name the trailer's code gives to what it exports. */
export const trailerExports = "shellExports";

/**
 * The comment that holds `code`; it ends the guard's text. One block comment, because the reader of JavaScript skips its
 * inside three times as fast as as many lines that each begin with `//`.
 */
export function composeTrailer(code: string): string {
  // What would end the comment gets a tilde between its two characters, and one more where it has some already.
  return `${trailerMark}\n${code.trimEnd().replace(/\*(~*)\//g, "*~$1/")}${trailerEnd}`;
}

/** The code in a guard's text; `undefined` where it has no trailer. */
export function trailerCode(guard: string): string | undefined {
  const start = guard.lastIndexOf(`\n${trailerMark}\n`);
  if (start < 0 || !guard.endsWith(trailerEnd)) return undefined;
  return guard.slice(start + trailerMark.length + 2, -trailerEnd.length).replace(/\*~(~*)\//g, "*$1/");
}

/**
 * A loader for the guard file `file`, which compiles at its first call.
 * @throws where the file cannot be read or has no trailer: the guard then answers as `default on-error` says
 */
export function shellLoader(file: string): () => ShellModule {
  let loaded: ShellModule | undefined;
  return () => {
    if (loaded === undefined) {
      // A guard is pure ASCII, and one-byte text is the cheapest to read and to compile.
      const code = trailerCode(readFileSync(file, "latin1"));
      if (code === undefined) throw new Error("the guard has no shell model");
      const exports = runInThisContext(`(function () {\n${code}\nreturn ${trailerExports};\n})()`, { filename: "shell-model.js" }) as { readonly shellModule: ShellModule };
      loaded = exports.shellModule;
    }
    return loaded;
  };
}
