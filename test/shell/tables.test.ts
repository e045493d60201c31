/** Every row of the shell model's tables has a case that shows what it is for; a row without one fails. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { describeFound } from "../../src/guard/shell/describe.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { analyse } from "../../src/guard/shell/interpret.ts";
import type { Analysis } from "../../src/guard/shell/interpret.ts";
import { carrierRows } from "../../src/guard/shell/tables/carriers.ts";

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
