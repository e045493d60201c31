/** What `explain` is told, and what a tool's own arguments add to a command. */
import { expect, test } from "vitest";
import type { JsonObject, ToolCall } from "../../src/guard/call.ts";
import type { RunsPlan } from "../../src/guard/plan.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { shellModule } from "../../src/guard/shell/index.ts";

const world = scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: () => shellModule });

function callOf(texts: readonly string[], input: JsonObject = {}): ToolCall {
  return {
    event: "before-tool", hostEvent: "PreToolUse", cwd: world.root, tool: "Bash", toolClass: "bash", fields: {}, input,
    subject: { commands: texts.map((text) => ({ text, shell: "bash", whole: true })), paths: [] },
  };
}

test("each command found is a line, with options in brackets and what is open in angles", () => {
  expect(shellModule.describe(callOf(["sudo rm -rf build | tee log.txt"]), world)).toEqual(["sudo rm [-rf] build", "rm [-rf] build", "tee log.txt"]);
  expect(shellModule.describe(callOf(['"$X" a; rm "" $Y']), world)).toEqual(["<…> a", "rm '' <…>"]);
  expect(shellModule.describe(callOf(["for f in a b; do cat $f; done"]), world)).toEqual(["cat a|b"]);
  expect(shellModule.describe(callOf(["rm 'a"]), world)).toEqual([]);
  expect(shellModule.describe(callOf([`echo ${"x".repeat(500)}`]), world)[0]?.length).toBeLessThan(210);
});

const allowList: RunsPlan = { kind: "runs", only: true, commands: [[["ls"]]], with: [], without: [] };

test("a tool's own environment counts like assignments in front of the command", () => {
  expect(shellModule.judge(allowList, callOf(["ls"]), "narrow", world)).toBe(true);
  expect(shellModule.judge(allowList, callOf(["ls"], { env: { PATH: "/tmp/x" } }), "narrow", world)).toBe(false);
  const runsRm: RunsPlan = { kind: "runs", only: false, commands: [[["rm"]]], with: [], without: [] };
  expect(shellModule.judge(runsRm, callOf(["git log"], { env: { GIT_PAGER: "rm dist" } }), "wide", world)).toBe(true);
  expect(shellModule.judge(runsRm, callOf(["$X dist"], { env: { X: "rm" } }), "wide", world)).toBe(true);
});

test("where a call has several commands any counts for a restriction and all for a grant", () => {
  expect(shellModule.judge({ ...allowList, only: false }, callOf(["ls", "pwd"]), "wide", world)).toBe(true);
  expect(shellModule.judge(allowList, callOf(["ls", "pwd"]), "narrow", world)).toBe(false);
  expect(shellModule.judge(allowList, callOf(["ls", "ls -la"]), "narrow", world)).toBe(true);
});

test("a script file counts with its commands in wide position, one file deep", () => {
  const files: Readonly<Record<string, string>> = {
    "/scratch/project/tidy.sh": "#!/bin/sh\nrm -rf dist\n",
    "/scratch/project/outer.sh": "sh tidy.sh\n",
    "/scratch/project/tool.py": "#!/usr/bin/env python3\nrm = 1\n",
    "/scratch/project/broken.sh": "if\n",
    "/scratch/project/vars.sh": "T=rm\n",
  };
  const disk = { ...world, read: (path: string) => files[path] };
  const runsRm: RunsPlan = { kind: "runs", only: false, commands: [[["rm"]]], with: [], without: [] };
  for (const text of ["sh tidy.sh", "bash ./tidy.sh", ". ./tidy.sh", "source tidy.sh", "./tidy.sh", "sudo ./tidy.sh", "sh < tidy.sh", "bash -x tidy.sh a", "cd sub; cd ..; ./tidy.sh", ". ./vars.sh; $T -rf dist", "BASH_ENV=tidy.sh bash -c ls"]) {
    expect([text, shellModule.judge(runsRm, callOf([text]), "wide", disk)]).toEqual([text, true]);
  }
  for (const text of ["cat tidy.sh", "sh outer.sh", "python3 tool.py", "./tool.py", "sh missing.sh", "echo ./tidy.sh"]) expect([text, shellModule.judge(runsRm, callOf([text]), "wide", disk)]).toEqual([text, false]);
  expect(shellModule.judge(runsRm, callOf(["sh tidy.sh"]), "narrow", disk)).toBe(false);
  expect(shellModule.judge({ kind: "dynamic" }, callOf(["sh tidy.sh"]), "wide", disk)).toBe(false);
  expect(shellModule.judge({ ...allowList, commands: [[["./tidy.sh"]]] }, callOf(["./tidy.sh"]), "narrow", disk)).toBe(true);
  expect(shellModule.judge(runsRm, callOf(["sh broken.sh"]), "wide", disk)).toEqual({ doubt: expect.stringContaining("does not parse") as string });
});
