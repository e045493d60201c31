/** The standard library through real guards: one firing and one passing example of each rule on each host. `npm run test:full` takes them all. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { builtExecutable, runPolicyc } from "./executable.ts";

const packs = readdirSync("stdlib").filter((name) => name.endsWith(".policy"));

beforeAll(() => void builtExecutable());

test.each(packs)("the guards of `%s` do what its examples say", (pack) => {
  const { code, stdout } = runPolicyc(["test", "--sample", "2", "--format", "json", join("stdlib", pack)], { cwd: process.cwd() });
  const { cases, failed } = JSON.parse(stdout) as { readonly cases: readonly { readonly through: string; readonly result: string; readonly rule: string; readonly host: string; readonly message?: string }[]; readonly failed: number };
  expect(cases.filter(({ result }) => result === "failed")).toEqual([]);
  expect([code, failed]).toEqual([0, 0]);
  if (pack === "shell.policy") return;
  // A rule without a run as a process would be untested here, whatever its examples.
  const started = new Set(cases.filter(({ through, result }) => through === "guard" && result === "passed").map(({ rule }) => rule));
  expect([...new Set(cases.map(({ rule }) => rule))].filter((rule) => !started.has(rule))).toEqual([]);
});
