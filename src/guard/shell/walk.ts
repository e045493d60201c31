/**
 * Follows the statements of a script in the order Bash runs them: branches are joined, loops run until nothing new is
 * known, subshells forget what they set. Each statement's value is what it prints, as far as the line tells.
 */
import { arithmetic, expressionText } from "./arithmetic.ts";
import { record, redirected, simpleCommand } from "./commands.ts";
import { expectComplete } from "./parse.ts";
import type { ArithmeticExpression, Case, CommandNode, For, Pipeline, Script, Select, Statement, SyntaxNode } from "./parse.ts";
import { anyDescriptor } from "./data-flow.ts";
import { isolated, lastStage, newPipeline, spendStep, withSources } from "./machine.ts";
import type { Context, FunctionBody, Interpreter } from "./machine.ts";
import { operandsOf } from "./operands.ts";
import { folder, positional } from "./parameters.ts";
import { impliedOperands } from "./special-operands.ts";
import { concatenate, fieldValue, hole, homeMark, isExact, isSettled, named, Undecidable, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { expandOne, expandWord, sinkOf, sweep } from "./words.ts";
import { removeDots } from "../paths.ts";

/** A loop whose variables still change after this many rounds has values known only at run time. */
const mostRounds = 4;
/** Loops over longer lists are not run round by round. */
const mostTurns = 32;
/** Only so many of the commands before are asked whether they make a folder, so that long lines stay linear. */
const mostMakers = 64;
/** More alternatives of printed text are not kept apart. */
const mostOutputs = 16;

type Written = ReadonlyMap<string, Value | undefined>;

export function runScript(script: Script, machine: Interpreter, context: Context): Value {
  expectComplete(script);
  return runStatements(script.commands, machine, context);
}

function runStatements(statements: readonly Statement[], machine: Interpreter, context: Context): Value {
  let output: Value = [""];
  for (const statement of statements) {
    const run = (): Value => runNode(statement.command, machine, context);
    const before = machine.variables.get(folder);
    const printed = statement.background === true ? isolated(machine, run) : run();
    stayPossible(statement, before, machine);
    if (context.captured) output = append(output, printed);
  }
  return output;
}

/** A `cd` that fails leaves the line where it was, and the next statement runs all the same. */
function stayPossible(statement: Statement, before: Value | undefined, machine: Interpreter): void {
  const after = machine.variables.get(folder);
  if (after === undefined || before === undefined || after === before || machine.notes.stopsOnError) return;
  const { command } = statement;
  if (command.type === "AndOr" && command.operators.at(-1) === "||" && command.commands.at(-1) !== undefined && leaves(command.commands.at(-1)!)) return;
  if (after.every((path) => canEnter(path, machine))) return;
  // A few `cd` in a row already have more outcomes than matter.
  machine.variables.set(folder, unite(after, before).slice(0, Math.max(after.length, mostFolders)));
}

const mostFolders = 8;

function canEnter(path: Text, machine: Interpreter): boolean {
  if (path === "/" || path === homeMark || path === "/tmp") return true;
  if (!isExact(path) || path.startsWith(homeMark)) return false;
  const place = removeDots(path);
  if (machine.world.root === place || machine.world.root.startsWith(`${place}/`) || isMade(place, machine)) return true;
  const below = machine.world.list(place, 1);
  return below === undefined || below.length > 0;
}

/** True where one of the commands before makes the folder (`mkdir build`, `git clone URL`). */
function isMade(place: string, machine: Interpreter): boolean {
  return machine.found.slice(-mostMakers).some((one) =>
    [...operandsOf(one), ...impliedOperands(one)].some(({ access, value }) =>
      access.includes("w") && value.some((text) => isExact(text) && one.cwd.some((base) => isWithin(place, text.startsWith("/") ? text : `${base}/${text}`))),
    ),
  );
}

function isWithin(folder: string, path: string): boolean {
  const place = removeDots(path);
  return place === folder || place.startsWith(`${folder}/`);
}

function append(output: Value, printed: Value): Value {
  return output.length * printed.length > mostOutputs ? [hole] : concatenate([output, printed]);
}

export function runNode(node: Statement["command"] | FunctionBody, machine: Interpreter, context: Context): Value {
  spendStep(machine);
  switch (node.type) {
    case "AndOr":
      return runAndOr(node.commands, node.operators, machine, context);
    case "Pipeline":
      return runPipeline(node, machine, context);
    case "Command":
      return simpleCommand(node, machine, context);
    case "Redirected":
      return redirected(node.redirects, machine, context, (inner) => runNode(node.command, machine, inner));
    case "CompoundList":
      return runStatements(node.commands, machine, context);
    case "BraceGroup":
      return runStatements(node.body.commands, machine, context);
    case "Subshell":
      return isolated(machine, () => runStatements(node.body.commands, machine, context));
    case "If": {
      const first = runNode(node.clause, machine, context);
      const clauses = node.elif.map((branch) => (): Value => append(runNode(branch.clause, machine, context), runNode(branch.then, machine, context)));
      const last = node.else;
      const branches = [(): Value => runNode(node.then, machine, context), ...clauses, (): Value => (last === undefined ? [""] : runNode(last, machine, context))];
      return append(first, runBranches(branches, machine));
    }
    case "Case":
      return runCase(node, machine, context);
    case "For":
    case "Select":
      return runFor(node, machine, context);
    case "While":
      return runLoop(() => append(runNode(node.clause, machine, context), runNode(node.body, machine, context)), machine);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) if (part !== undefined) computed(part, machine, context);
      return runLoop(() => runNode(node.body, machine, context), machine);
    case "ArithmeticCommand":
      arithmetic(node.body, machine, context);
      sweep(node, machine, context);
      return [""];
    case "TestCommand":
      runTest(node, machine, context);
      return [""];
    case "Function":
      machine.notes.defines = true;
      machine.defined.add(node.body);
      machine.functions.set(node.name.value, [node.body]);
      return [""];
    case "Coproc": {
      const body = (input: Value): void => void isolated(machine, () => runNode(node.body, machine, { ...context, captured: false, stdin: input, stdinFile: undefined }));
      body([hole]);
      // What the line writes to the descriptor in `${COPROC[1]}` is read by it.
      machine.sinks.set(`&${anyDescriptor}`, sinkOf(body));
      return [""];
    }
    default:
      throw node satisfies never;
  }
}

/**
 * After `a && b` the line goes on with or without what `b` has set; `b` itself can count on `a`. In `a && b || c` the last
 * one runs with or without `b`.
 */
function runAndOr(nodes: readonly Statement["command"][], operators: readonly string[], machine: Interpreter, context: Context): Value {
  const [first, ...rest] = nodes;
  if (first === undefined) return [""];
  const before = machine.variables.get(folder);
  let output = runNode(first, machine, context);
  const begin = (): void => {
    machine.variables.begin();
    machine.functions.begin();
  };
  const end = (): void => {
    machine.variables.join([new Map(), machine.variables.end()]);
    machine.functions.join([new Map(), machine.functions.end()]);
  };
  begin();
  rest.forEach((node, index) => {
    const or = operators[index] === "||";
    if (index > 0 && operators[index] !== operators[index - 1]) {
      end();
      begin();
    }
    const here = machine.variables.get(folder);
    // In `cd x || …` the right side runs where `cd` has not led.
    if (or && here !== undefined && before !== undefined && here !== before) machine.variables.set(folder, unite(before, here));
    output = append(output, runNode(node, machine, context));
    if (or && here !== undefined && machine.variables.get(folder) !== here && leaves(node)) machine.variables.set(folder, here);
  });
  // A first `cd` that fails takes the rest of an `&&` chain with it, so what follows may still be at the old place.
  end();
  return output;
}

/** `exit`, `return`: what stands behind it runs only where it has not. */
function leaves(node: Statement["command"]): boolean {
  if (node.type === "BraceGroup") return node.body.commands.some((statement) => leaves(statement.command));
  return node.type === "Command" && /^(?:exit|return|break|continue)$/.test(node.name?.value ?? "");
}

function runPipeline(node: Pipeline, machine: Interpreter, context: Context): Value {
  const times = node.prefixes.some((prefix) => prefix.type === "Time");
  const [only] = node.commands;
  if (times) record(machine, context, [["time"]], 1);
  if (node.commands.length === 1 && only !== undefined) return runNode(only, machine, context);
  const pipeline = newPipeline(machine);
  let printed: Value | undefined;
  let origins: readonly number[] = [];
  node.commands.forEach((command, index) => {
    const here: Context = {
      ...context,
      stages: [...context.stages, { pipeline, index }, ...origins.map((origin) => ({ pipeline: origin, index: lastStage }))],
      captured: index < node.commands.length - 1 || context.captured,
      ...(printed === undefined ? {} : { stdin: printed, stdinFile: undefined }),
    };
    const { result, sources } = withSources(machine, () => isolated(machine, () => runNode(command, machine, here)));
    printed = result;
    // What a substitution of an earlier stage printed flows on with that stage's output.
    origins = [...origins, ...sources.texts, ...sources.processes];
  });
  return printed ?? [""];
}

function runBranches(branches: readonly (() => Value)[], machine: Interpreter): Value {
  const ends: Written[] = [];
  const functions: ReadonlyMap<string, readonly FunctionBody[] | undefined>[] = [];
  let output: Value | undefined;
  for (const branch of branches) {
    machine.variables.begin();
    machine.functions.begin();
    const printed = branch();
    output = output === undefined ? printed : unite(output, printed);
    ends.push(machine.variables.end());
    functions.push(machine.functions.end());
  }
  machine.variables.join(ends);
  machine.functions.join(functions);
  return output === undefined || output.length > mostOutputs ? [hole] : output;
}

/** Runs the body until another round would set nothing new; `unsettled` is called where that takes too many. */
function runLoop(body: () => Value, machine: Interpreter, unsettled: () => void = () => {}): Value {
  let output: Value = [hole];
  for (let round = 0; ; round += 1) {
    const found = machine.found.length;
    machine.variables.begin();
    machine.functions.begin();
    output = body();
    const written = machine.variables.end();
    const functions = machine.functions.end();
    const changed = [machine.variables.join([new Map(), written]), machine.functions.join([new Map(), functions])].includes(true);
    if (!changed || round > mostRounds) break;
    // The next round sees at least as much, so this one's commands are found again.
    machine.found.length = found;
    if (round === mostRounds) {
      unsettled();
      for (const name of written.keys()) machine.variables.set(name, [hole]);
    }
  }
  // Each round prints again: once is as far as the text is followed.
  return unite(output, [hole]);
}

function runFor(node: For | Select, machine: Interpreter, context: Context): Value {
  const name = node.name.value;
  const { result: values, sources } = withSources(machine, () => node.wordlist?.map((word) => expandWord(word, machine, context)) ?? [machine.variables.get(positional) ?? [hole]]);
  const items = node.type === "Select" ? [hole] : values.flatMap((value) => value.flatMap((text) => fieldValue(text.replace(/\0\[[^]*?\0\]|\0[*?]/g, named))));
  const value = [...new Set(items)];
  if (value.length > 1024) throw new Undecidable("a loop of the line has too many rounds");
  machine.origins.set(name, sources.texts);
  let inTurn = false;
  machine.variables.begin();
  const body = (): Value => {
    machine.notes.assigns ||= value.length === 0;
    machine.variables.set(name, value.length === 0 ? [hole] : value);
    return runNode(node.body, machine, context);
  };
  const output = runLoop(body, machine, () => (inTurn = items.length <= mostTurns && items.every(isSettled)));
  const ended = machine.variables.end();
  if (!inTurn) {
    machine.variables.join([ended]);
    return output;
  }
  // `for w in rm -rf dist; do c="$c $w"; done`: what a variable gathers shows when the rounds run one after the other.
  machine.variables.begin();
  for (const item of items) {
    machine.variables.set(name, [item]);
    runNode(node.body, machine, context);
  }
  machine.variables.join([ended, machine.variables.end()]);
  return output;
}

function runCase(node: Case, machine: Interpreter, context: Context): Value {
  expandOne(node.word, machine, context);
  const branches = node.items.map((item) => (): Value => {
    for (const pattern of item.pattern) sweep(pattern, machine, context);
    return runNode(item.body, machine, context);
  });
  return runBranches([...branches, (): Value => [""]], machine);
}

function runTest(node: CommandNode, machine: Interpreter, context: Context): void {
  const numeric = /^-(?:eq|ne|lt|le|gt|ge)$/;
  const look = (one: SyntaxNode): void => {
    if (one.type === "TestBinary") {
      for (const word of [one.left, one.right]) {
        const value = expandOne(word, machine, context);
        if (numeric.test(one.operator)) for (const text of value) arithmetic(text, machine, context, new Set([""]));
      }
    } else if (one.type === "TestUnary") {
      const value = expandOne(one.operand, machine, context);
      if (one.operator === "-v") for (const text of value) arithmetic(text, machine, context, new Set([""]));
    } else if (one.type === "TestLogical") one.operands.forEach(look);
    else if (one.type === "TestNot") look(one.operand);
    else if (one.type === "TestGroup" || one.type === "TestCommand") look(one.expression);
  };
  look(node);
}

function computed(node: ArithmeticExpression, machine: Interpreter, context: Context): void {
  sweep(node, machine, context);
  arithmetic(expressionText(node), machine, context);
}
