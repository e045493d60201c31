/** Functions and aliases the line defines: a call runs the body with its arguments, a function never called once without. */
import { record } from "./commands.ts";
import { isolated } from "./machine.ts";
import type { Context, FoundRedirect, Interpreter } from "./machine.ts";
import { positional } from "./parameters.ts";
import { asScript, border, concatenate, hole, isExact, nothing, Undecidable, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

/** A function that calls itself is followed this far; deeper calls are repetitions. */
const deepestCall = 4;

/** The store entry of an alias; no variable has a blank in its name. */
export function aliasEntry(name: string): string {
  return `alias ${name}`;
}

/** Runs the function `text` names, if the line defines one; `undefined` where it does not. */
export function callFunction(text: Text, words: readonly Value[], machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value | undefined {
  const alias = isExact(text) ? machine.variables.get(aliasEntry(text)) : undefined;
  // Bash expands aliases only when told to, other shells always: both readings count.
  for (const body of alias ?? []) {
    const line = concatenate([[body], ...words.map((word) => mapValue(word, (one) => ` ${quoteForShell(one)}`))]);
    machine.variables.set(aliasEntry(text), []);
    for (const one of line) isolated(machine, () => machine.text(one, { ...context, certain: false }));
    machine.variables.set(aliasEntry(text), alias ?? []);
  }
  const bodies = machine.functions.get(text);
  if (bodies === undefined || bodies.length === 0) return undefined;
  record(machine, { ...context, certain: false }, [[text], ...words], words.length + 1, files);
  if (context.calls >= deepestCall) return [hole];
  let output: Value | undefined;
  for (const body of bodies) {
    machine.called.add(body);
    const before = machine.variables.get(positional);
    machine.variables.set(positional, listOf(words));
    machine.locals.push(new Map());
    const printed = machine.body(body, { ...context, calls: context.calls + 1 });
    for (const [name, old] of machine.locals.pop() ?? []) machine.variables.set(name, old ?? [hole]);
    machine.variables.set(positional, before ?? [hole]);
    output = output === undefined ? printed : unite(output, printed);
  }
  return output;
}

/** Functions that the line defines and never calls may be called by what it starts. */
export function runUncalled(machine: Interpreter, context: Context): void {
  for (const body of machine.defined) {
    if (machine.called.has(body)) continue;
    machine.called.add(body);
    isolated(machine, () => {
      machine.variables.set(positional, [hole]);
      machine.body(body, context);
    });
  }
}

/** Words as the positional parameters. */
export function listOf(words: readonly Value[]): Value {
  if (words.reduce((count, word) => count * word.length, 1) > 256) throw new Undecidable("the arguments of a function have too many possible values");
  return concatenate(words.flatMap((word, index) => [[index === 0 ? "" : border], mapValue(word, (text) => (text === "" ? nothing : text))]));
}

function quoteForShell(text: Text): string {
  const plain = asScript(text);
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `'${plain.replace(/'/g, `'\\''`)}'`;
}
