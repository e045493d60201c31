/**
 * What an analysis carries along: the names set so far, the commands found, the budget. `Context` is what differs from
 * place to place in a line and is handed down; `Machine` is what all places share.
 */
import type { World } from "../world.ts";
import type { CommandNode, CompoundList, ParsedScript } from "./parse.ts";
import type { Store } from "./store.ts";
import { Undecidable } from "./text.ts";
import type { Text, Value } from "./text.ts";

export type FunctionBody = CommandNode | CompoundList;

/** A place in a pipeline: a command in stage `index` of it feeds those in later stages. */
export interface Stage {
  readonly pipeline: number;
  readonly index: number;
  /** Through a file the line writes and then runs: only wide positions look at it. */
  readonly guess?: true;
}

/** The stage of what uses a text that has left its pipeline: behind every stage of it. */
export const lastStage = 1 << 20;

/** A text that the line puts somewhere, and the pipelines it has come through. */
export interface Kept {
  readonly text: Value;
  readonly origins: readonly number[];
}

export interface Context {
  readonly dialect: Found["dialect"];
  readonly stages: readonly Stage[];
  /** What a command here reads from its input, as far as it stands in the line; `undefined` for a terminal. */
  readonly stdin: Value | undefined;
  /** The file its input comes from. */
  readonly stdinFile: Value | undefined;
  /** Pipelines of the substitutions among the words of the command. */
  readonly texts: readonly number[];
  /** Those of them that its name comes from. */
  readonly named?: readonly number[];
  /** True where what a command prints is used. */
  readonly captured: boolean;
  /** False: the command may be there, but only wide positions count it. */
  readonly certain: boolean;
  /** True inside a script file: wide positions only, and no further files. */
  readonly inFile: boolean;
  readonly substitutions: number;
  readonly strings: number;
  readonly calls: number;
}

export interface FoundRedirect {
  readonly appends?: true;
  readonly access: "reads" | "writes";
  readonly target: Value;
}

/** One simple command of the line. */
export interface Found {
  readonly dialect: "bash" | "powershell";
  /** Last segment of the name, `.exe` gone; `""` where it is only known at run time or the line only redirects. */
  readonly name: string;
  /** The name is (or may be) only known at run time. */
  readonly dynamic: boolean;
  /** The name first, then the arguments. */
  readonly words: readonly Value[];
  /** Words from here on are another command's (`sudo rm x`: 1). */
  readonly end: number;
  readonly redirects: readonly FoundRedirect[];
  /** Folders it may run in. */
  readonly cwd: Value;
  readonly stages: readonly Stage[];
  readonly stdin: Value | undefined;
  readonly certain: boolean;
  readonly inFile: boolean;
  /** What it runs has been written or printed by the line: whatever it is, a shell may be what reads it. */
  readonly asShell?: true;
}

export interface Machine {
  readonly world: World;
  readonly variables: Store<Value>;
  readonly functions: Store<readonly FunctionBody[]>;
  readonly found: Found[];
  /** Output of process substitutions by the path that stands for them. */
  readonly outputs: Map<string, Value>;
  /** What the line has written into files, by path: a later `sh FILE` runs it. */
  readonly written: Map<string, Kept>;
  /** What may be read from descriptors the line has opened (`3<<<'…'`), by their numbers. */
  readonly descriptors: Map<string, Kept>;
  /** What runs with the text that is written to a path (`> >(sh)`) or, by `&` and number, to a descriptor. */
  readonly sinks: Map<string, (input: Value) => void>;
  /** What the line has copied or linked where: the first names by absolute path of the second. */
  readonly copies: Map<string, Value>;
  /** Aliases that the line sets in git's configuration. */
  readonly gitAliases: Map<string, Value>;
  readonly called: Set<FunctionBody>;
  /** What `local` has hidden in the functions being called, innermost last. */
  readonly locals: Map<string, Value | undefined>[];
  readonly defined: Set<FunctionBody>;
  /** Which variables hold what a substitution printed, by its pipeline. */
  readonly origins: Map<string, readonly number[]>;
  /** Collects where the words being expanded come from. */
  sources: Sources;
  readonly notes: Notes;
  readonly budget: Budget;
  /** Bodies of here-documents that were cut out of an overlong text. */
  readonly bodies: string[];
  /** The marks of those that have come up as here-documents. */
  readonly metBodies: Set<string>;
}

/** Pipelines of the substitutions in some words: of `$(…)` by text, of `<(…)` by file. */
export interface Sources {
  readonly texts: number[];
  readonly processes: number[];
}

/** Facts about the whole line. */
export interface Notes {
  /** Something in the line runs under a name or a text known only at run time. */
  dynamic: boolean;
  /** A variable is set anywhere. */
  assigns: boolean;
  /** A function, an alias or a remembered path gives a name another meaning. */
  defines: boolean;
  /** `set -e`: a command that fails ends the line. */
  stopsOnError: boolean;
}

export interface Budget {
  /** Commands and words still to be looked at. */
  steps: number;
  /** Characters of nested texts still to be parsed. */
  characters: number;
  pipelines: number;
}

const mostSubstitutions = 32;
const mostStrings = 8;

export function spendStep(machine: Machine): void {
  machine.budget.steps -= 1;
  if (machine.budget.steps < 0) throw new Undecidable("the command has too many steps to follow");
}

export function spendCharacters(machine: Machine, count: number): void {
  machine.budget.characters -= count;
  if (machine.budget.characters < 0) throw new Undecidable("the command holds more than 256 KB of nested text");
}

export function newPipeline(machine: Machine): number {
  machine.budget.pipelines += 1;
  return machine.budget.pipelines;
}

/** Runs something as in a subshell: what it sets is forgotten. */
export function isolated<T>(machine: Machine, run: () => T): T {
  machine.variables.begin();
  machine.functions.begin();
  const result = run();
  machine.variables.end();
  machine.functions.end();
  return result;
}

/** Runs something and says which substitutions its words came from. */
export function withSources<T>(machine: Machine, run: () => T): { readonly result: T; readonly sources: Sources } {
  const outer = machine.sources;
  const sources: Sources = { texts: [], processes: [] };
  machine.sources = sources;
  const result = run();
  machine.sources = outer;
  return { result, sources };
}

export function insideSubstitution(context: Context): Context {
  if (context.substitutions >= mostSubstitutions) throw new Undecidable(`the command has more than ${mostSubstitutions} levels of substitution`);
  return { ...context, substitutions: context.substitutions + 1 };
}

export function insideString(context: Context): Context {
  if (context.strings >= mostStrings) throw new Undecidable(`the command has more than ${mostStrings} levels of texts given to shells`);
  return { ...context, strings: context.strings + 1 };
}

/** The parts of the interpreter that call one another; tied together in `interpret.ts`. */
export interface Interpreter extends Machine {
  /** Runs a parsed script; returns what it prints as far as the line tells. */
  script(script: ParsedScript, context: Context): Value;
  /** Parses text that a shell is given and runs it. */
  text(text: Text, context: Context): Value;
  /** Runs the substitutions in text that is read as inside double quotes. */
  quoted(text: Text, context: Context): void;
  body(body: FunctionBody, context: Context): Value;
  /** Goes to another folder, as `cd` does. */
  enter(target: Value): void;
  /** Runs one command given as words. */
  command(words: readonly Value[], context: Context, redirects?: readonly FoundRedirect[]): Value;
}
