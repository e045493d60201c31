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
import { matchesRuns } from "../../src/guard/shell/match.ts";
import { escapeRows } from "../../src/guard/shell/tables/escapes.ts";
import { globalOptionRows, globalOptions } from "../../src/guard/shell/tables/global-options.ts";
import { operandRows } from "../../src/guard/shell/tables/operands.ts";
import { cmdletRows, powerAliasRows } from "../../src/guard/shell/tables/powershell.ts";
import { shellNames } from "../../src/guard/shell/tables/shells.ts";
import { commandVariableNames } from "../../src/guard/shell/tables/variables.ts";
import { show } from "../../src/guard/shell/text.ts";
import type { RunsPlan } from "../../src/guard/plan.ts";

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

const escapeCases = cases<CarrierCase>("escapes");

test.each(escapeCases)("escape of $row: $line", ({ line, runs }) => {
  expect(analyseBash(line).found.flatMap(describeFound)).toEqual(expect.arrayContaining([...runs]));
});

test("every program with an escape to the shell has a case", () => {
  expect([...new Set(escapeCases.map((one) => one.row))].sort()).toEqual([...escapeRows()].sort());
});

test.each([...shellNames()])("%s runs the text behind -c", (shell) => {
  expect(analyseBash(`${shell} -c 'rm -rf dist'`).found.flatMap(describeFound)).toContain("rm [-rf] dist");
});

test.each([...commandVariableNames()])("the value of %s is run", (name) => {
  const found = analyseBash(`${name}='${/^PS\d/.test(name) ? "$(rm -rf dist)" : "rm -rf dist"}' git log`).found;
  expect(found.flatMap(describeFound)).toContain("rm [-rf] dist");
  expect(found.find((one) => one.name === "rm")?.certain).toBe(false);
});

test.each([...globalOptionRows()].map((key) => [key] as const))("options of %s do not hide its subcommand", (key) => {
  const [program = "", ...words] = key.split(" ");
  const plan: RunsPlan = { kind: "runs", only: false, commands: [[[program], ...words.map((word) => [word]), ["probe"]]], with: [], without: [] };
  for (const option of globalOptions(key) ?? []) {
    if (option === "+") continue;
    const [found] = analyseBash(`${key} ${option} value probe`).found;
    expect([option, found !== undefined && matchesRuns(found, plan, "wide")]).toEqual([option, true]);
    expect([option, found !== undefined && matchesRuns(found, plan, "narrow")]).toEqual([option, false]);
  }
  const [found] = analyseBash(`${key} --unlisted-flag probe`).found;
  expect(found !== undefined && matchesRuns(found, plan, "wide")).toBe(true);
});

test.each([...powerAliasRows()])("PowerShell's %s is %s", (alias, cmdlet) => {
  expect(analyse(`${alias} probe`, "powershell", "/scratch/project", world).found[0]?.name).toBe(cmdlet);
});

interface CmdletCase extends OperandCase {
  readonly row: string;
}

const cmdletCases = cases<CmdletCase>("cmdlets");

test.each(cmdletCases)("operands of $line", ({ row, line, operands }) => {
  const found = analyse(line, "powershell", "/scratch/project", world).found.find((one) => one.name === row);
  expect((found === undefined ? ["nothing found"] : operandsOf(found)).map((operand) => (typeof operand === "string" ? operand : `${operand.access}${operand.tree ? "*" : ""} ${operand.value.map((text) => show(text)).join("|")}`))).toEqual(operands);
});

test("every cmdlet has a case", () => {
  expect([...new Set(cmdletCases.map((one) => one.row.toLowerCase()))].sort()).toEqual([...cmdletRows()].sort());
});
