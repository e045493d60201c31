/**
 * The script detour: a shell file that the line runs counts with its commands, in wide positions only and no further
 * than one file deep, so that writing a refused command into a file first gains nothing.
 */
import { insideString } from "./machine.ts";
import type { Context, Interpreter } from "./machine.ts";
import { folder, positional } from "./parameters.ts";
import { isDoubt, removeDots, resolvePath } from "../paths.ts";
import { listOf } from "./functions.ts";
import { hole, isExact, show, Undecidable } from "./text.ts";
import type { Text, Value } from "./text.ts";

const longestFile = 64 * 1024;
const shellLine = /^#!\s*\S*\/(?:env\s+(?:-S\s*)?)?(?:sh|bash|dash|ksh|ash|zsh)\b/;

/**
 * Runs the file(s) `target` may name as shell text in the shell of `context`. `args` of undefined leaves the positional
 * parameters alone; `program`: the file is started by its name, so its first line says what it is.
 */
export function runFile(target: Value, args: readonly Value[] | undefined, machine: Interpreter, context: Context, program = false): Value {
  for (const text of target) {
    const output = machine.outputs.get(text);
    if (output !== undefined) {
      // `bash <(…)`: the file is what the substitution prints.
      for (const one of output) machine.text(one, insideString(context));
      continue;
    }
    for (const path of absolutePaths(text, machine)) for (const one of machine.written.get(path) ?? []) machine.text(one, insideString({ ...context, stdin: undefined, stdinFile: undefined }));
    if (context.inFile || !isExact(text)) continue;
    const script = readScript(show(text), machine, program);
    if (script === undefined) continue;
    if (args !== undefined) machine.variables.set(positional, listOf(args));
    try {
      machine.text(script, insideString({ ...context, certain: false, inFile: true, stdin: undefined, stdinFile: undefined }));
    } catch (error) {
      // A file for another shell need not be Bash; what has been found in it still counts.
      if (!(error instanceof Undecidable && /^#!.*\b(?:zsh|ksh)\b/.test(script))) throw error;
    }
  }
  return [hole];
}

/** The absolute paths a plain text may name in the folders the line may be in. */
export function absolutePaths(text: Text, machine: Interpreter): readonly string[] {
  if (!isExact(text) || text === "" || text.startsWith("/dev/")) return [];
  const shown = show(text);
  return /^[/~]/.test(shown) ? [removeDots(shown)] : (machine.variables.get(folder) ?? []).map((base) => removeDots(`/${show(base)}/${shown}`));
}

function readScript(path: string, machine: Interpreter, program: boolean): string | undefined {
  for (const base of machine.variables.get(folder) ?? []) {
    if (!isExact(base) && !path.startsWith("/")) continue;
    const resolved = resolvePath(path, show(base), machine.world);
    if (isDoubt(resolved)) continue;
    const text = machine.world.read(resolved.lexical, longestFile);
    if (text === undefined || text.includes("\0")) continue;
    if (text.startsWith("#!") ? !shellLine.test(text) : program && !/\.(?:sh|bash|zsh|ksh)$/.test(path)) continue;
    return text.replaceAll("\r\n", "\n");
  }
  return undefined;
}
