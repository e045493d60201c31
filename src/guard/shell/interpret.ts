/**
 * From the text of a command to the commands it runs. Doubt instead of a list where the text does not parse or is too
 * much to follow; never throws.
 */
import { foldHereDocuments } from "./here-documents.ts";
import { runCommand, setVariable } from "./commands.ts";
import { runUncalled } from "./functions.ts";
import { spendCharacters } from "./machine.ts";
import type { Context, Found, Interpreter, Notes } from "./machine.ts";
import { folder, folderBelow, inherited, positional } from "./parameters.ts";
import { parseQuoted, parseScript } from "./parse.ts";
import { runPowerShell } from "./powershell/run.ts";
import { isUnknown } from "./shells.ts";
import type { Operand } from "./operands.ts";
import { createStore } from "./store.ts";
import { asScript, hole, Undecidable, unite } from "./text.ts";
import type { Value } from "./text.ts";
import { runNode, runScript } from "./walk.ts";
import { sweep } from "./words.ts";
import type { World } from "../world.ts";

export interface Analysis {
  readonly found: readonly Found[];
  readonly notes: Readonly<Notes>;
  /** What each command does to which words, filled in when first asked for. */
  readonly operands: Map<Found, readonly Operand[]>;
  /** Why the list cannot be relied on. */
  readonly doubt?: string;
}

const longestText = 64 * 1024;
const longestNested = 256 * 1024;
const mostSteps = 60_000;

/** `cwd`: the folder the command starts in; `settings`: variables that the tool itself sets for it. */
export function analyse(text: string, dialect: Context["dialect"], cwd: string, world: World, settings: readonly (readonly [name: string, value: string])[] = []): Analysis {
  const machine = createMachine(cwd, world);
  const context: Context = { dialect, stages: [], stdin: undefined, stdinFile: undefined, texts: [], captured: false, certain: true, inFile: false, substitutions: 0, strings: 0, calls: 0 };
  try {
    if (text.includes("\0")) throw new Undecidable("the command holds a NUL character");
    for (const [name, value] of settings) setVariable(name, [value.includes("\0") ? hole : value], machine, context);
    if (dialect === "powershell") {
      if (text.length > longestText) throw new Undecidable("the command is longer than 64 KB");
      runPowerShell(text, machine, context);
      return { found: machine.found, notes: machine.notes, operands: new Map() };
    }
    const folded = foldHereDocuments(text.replaceAll("\r\n", "\n").replace(/\r$/, ""), longestText);
    machine.bodies.push(...folded.bodies);
    if (folded.text.length > longestText) throw new Undecidable("the command is longer than 64 KB");
    machine.script(parseScript(folded.text), context);
    runUncalled(machine, context);
    // Fail closed: a cut that did not come up as a here-document may have hidden commands.
    if (machine.metBodies.size < machine.bodies.length) throw new Undecidable("the command is longer than 64 KB");
    return { found: machine.found, notes: machine.notes, operands: new Map() };
  } catch (error) {
    // Fail closed: text this model cannot follow is doubt, never an empty list.
    if (error instanceof Undecidable) return { found: machine.found, notes: machine.notes, operands: new Map(), doubt: error.message };
    if (error instanceof RangeError) return { found: machine.found, notes: machine.notes, operands: new Map(), doubt: "the command is nested too deeply" };
    return { found: machine.found, notes: machine.notes, operands: new Map(), doubt: "the command could not be followed" };
  }
}

/** Puts bodies that were cut out back into a text that a shell is about to run. */
function unfold(script: string, machine: Interpreter): string {
  if (!script.includes("\0c")) return script;
  const whole = script.replace(/\0c(\d+);\n?/g, (_, index: string) => machine.bodies[Number(index)] ?? "");
  if (whole.length > longestText) throw new Undecidable("the command is longer than 64 KB");
  return whole;
}

function createMachine(cwd: string, world: World): Interpreter {
  const machine: Interpreter = {
    world,
    variables: createStore<Value>(unite, inherited),
    functions: createStore((left, right) => (right.every((body) => left.includes(body)) ? left : [...new Set([...left, ...right])]), () => []),
    found: [],
    outputs: new Map(),
    written: new Map(),
    descriptors: new Map(),
    sinks: new Map(),
    copies: new Map(),
    gitAliases: new Map(),
    called: new Set(),
    defined: new Set(),
    locals: [],
    origins: new Map(),
    sources: { texts: [], processes: [] },
    notes: { dynamic: false, assigns: false, defines: false, stopsOnError: false },
    budget: { steps: mostSteps, characters: longestNested, pipelines: 0 },
    bodies: [],
    metBodies: new Set(),
    script: (script, context) => runScript(script, machine, context),
    text: (text, context) => {
      if (isUnknown(text)) {
        if (!context.inFile) machine.notes.dynamic = true;
        return [hole];
      }
      const script = unfold(asScript(text), machine);
      spendCharacters(machine, script.length);
      return runScript(parseScript(script), machine, context);
    },
    quoted: (text, context) => {
      spendCharacters(machine, text.length);
      const word = parseQuoted(asScript(text));
      if (word !== undefined) sweep(word, machine, context);
    },
    body: (body, context) => runNode(body, machine, context),
    command: (words, context, files = []) => runCommand(words, machine, context, files),
    enter: (target) => {
      const before = machine.variables.get(folder) ?? [hole];
      const old = machine.variables.get("OLDPWD") ?? [hole];
      machine.variables.set("OLDPWD", before);
      const places = target.map((text): Value => (text === "-" ? old : folderBelow(before, [text], world.platform)));
      machine.variables.set(folder, places.reduce((all, place) => unite(all, place), places[0] ?? before));
    },
  };
  machine.variables.set(folder, [cwd]);
  machine.variables.set(positional, [hole]);
  return machine;
}

