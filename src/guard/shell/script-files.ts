/**
 * The script detour: a shell file that the line runs counts with its commands, in wide positions only and no further
 * than one file deep, so that writing a refused command into a file first gains nothing.
 */
import { insideString } from "./machine.ts";
import type { Context, Interpreter } from "./machine.ts";
import { folder, positional } from "./parameters.ts";
import { isDoubt, resolvePath } from "../paths.ts";
import { listOf } from "./functions.ts";
import { keptIn } from "./data-flow.ts";
import { hole, isExact, show, Undecidable } from "./text.ts";
import type { Value } from "./text.ts";

const longestFile = 64 * 1024;
const shellLine = /^#!\s*\S*\/(?:env\s+(?:-S\s*)?)?(?:sh|bash|dash|ksh|ash|zsh)\b/;

/**
 * Runs the file(s) `target` may name as shell text in the shell of `context`. `args` of undefined leaves the positional
 * parameters alone; `program`: the file is started by its name, so its first line says what it is.
 */
export function runFile(target: Value, args: readonly Value[] | undefined, machine: Interpreter, context: Context, program = false): Value {
  for (const text of target) {
    // `bash <(…)`: the file is what the substitution prints; others may have been written by the line.
    const kept = keptIn([text], machine, context);
    const inner = machine.outputs.has(text) ? context : { ...context, stdin: undefined, stdinFile: undefined };
    for (const one of kept?.text ?? []) machine.text(one, insideString(inner));
    if (machine.outputs.has(text) || context.inFile || !isExact(text)) continue;
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
