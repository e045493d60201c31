/** What is committed beside the examples is what a build makes of them. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { builtExecutable } from "./executable.ts";

const projects = ["quickstart", "secrets", "monorepo/web", "monorepo/api"].map((name) => `examples/${name}`);

test("the generated files of every example are up to date", () => {
  expect(execFileSync("node", [builtExecutable(), "build", "--check", ...projects], { encoding: "utf8" })).toContain("up to date");
});

test("every example passes its own examples through real guards", () => {
  expect(execFileSync("node", [builtExecutable(), "test", ...projects], { encoding: "utf8" })).toMatch(/\d+ passed, 0 failed\n$/);
});
