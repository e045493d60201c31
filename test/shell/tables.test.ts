/** Every row of the shell model's tables has a case that shows what it is for; a row without one fails. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { describeFound } from "../../src/guard/shell/describe.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { analyse } from "../../src/guard/shell/interpret.ts";
import type { Analysis } from "../../src/guard/shell/interpret.ts";
import { operandsOf } from "../../src/guard/shell/operands.ts";
import { impliedOperands } from "../../src/guard/shell/special-operands.ts";
import { carrierRows } from "../../src/guard/shell/tables/carriers.ts";
import { operandRows } from "../../src/guard/shell/tables/operands.ts";
import { show } from "../../src/guard/shell/text.ts";

const world = scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: () => shellModule });

function cases<Case>(name: string): readonly Case[] {
  const text = readFileSync(new URL(`cases/${name}.jsonl`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Case);
}

function analyseBash(line: string): Analysis {
  return analyse(line, "bash", "/scratch/project", world);
}

interface CarrierCase {
  readonly row: string;
  readonly line: string;
  /** Commands found beside the line's own. */
  readonly runs: readonly string[];
}

const carrierCases = cases<CarrierCase>("carriers");

test.each(carrierCases)("$row: $line", ({ line, runs }) => {
  const found = analyseBash(line).found.flatMap(describeFound);
  expect(found).toEqual(expect.arrayContaining([...runs]));
  if (runs.length === 0) expect(found.filter((one) => one.startsWith("rm"))).toEqual([]);
});

test("every program that runs commands has a case", () => {
  expect([...new Set(carrierCases.map((one) => one.row))].sort()).toEqual([...carrierRows()].sort());
});

interface OperandCase {
  readonly line: string;
  /** `rw* src`: letters of what happens to it, `*` for everything below. */
  readonly operands: readonly string[];
}

const operandCases = cases<OperandCase>("operands");

test.each(operandCases)("operands of $line", ({ line, operands }) => {
  const [first] = analyseBash(line).found;
  const found = first === undefined ? [] : [...operandsOf(first), ...impliedOperands(first)].filter((operand) => operand.guess !== true);
  expect(found.map((operand) => `${operand.access}${operand.tree ? "*" : ""} ${operand.value.map((text) => show(text)).join("|")}`)).toEqual(operands);
});

test("every row about operands has a case", () => {
  const named = (program: string): boolean => operandCases.some(({ line }) => line === program || line.replace(/^\/usr\/bin\//, "").startsWith(`${program} `));
  expect(operandRows.filter((row) => !row.programs.split(", ").some(named)).map((row) => row.programs)).toEqual([]);
});

test("no program is in two rows about operands", () => {
  const programs = operandRows.flatMap((row) => row.programs.split(", "));
  expect(programs.filter((program, index) => programs.indexOf(program) !== index)).toEqual([]);
});
