/**
 * The model against the real thing: random scripts run by Bash with nothing on its PATH and a handler that notes every command
 * it is asked for. Each of them, words included, must be among the commands the model has found.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { parseGlob, findPrefixes } from "../../src/guard/shell/glob-match.ts";
import { analyse } from "../../src/guard/shell/interpret.ts";
import type { Analysis } from "../../src/guard/shell/interpret.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { script } from "./random-scripts.ts";

const bash = "/bin/bash";
const runs = Number(process.env["POLICYC_BASH_RUNS"] ?? 400);
const seed = Number(process.env["POLICYC_BASH_SEED"] ?? 20261130);
const world = scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: () => shellModule });

/** Runs every script in a subshell of one Bash; returns the words of each command it looked for. */
function commandsRun(scripts: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const folder = mkdtempSync(join(tmpdir(), "policyc-bash-"));
  try {
    scripts.forEach((text, index) => writeFileSync(join(folder, `${index}.in`), text));
    const driver = `
      cd "$1" || exit 1
      FUNCNEST=6
      ulimit -t 100
      command_not_found_handle() { printf '%s\\0' "$#" "$@" >&9; return 1; }
      for ((n = 0; n < $2; n++)); do
        ( exec 9> "$n.out" < /dev/null > /dev/null 2>&1; text=$(< "$n.in"); set --; eval "unset text; $text" )
      done
      # However the last script ended.
      exit 0`;
    execFileSync(bash, ["--norc", "--noprofile", "-c", driver, "driver", folder, String(scripts.length)], { env: { PATH: "/nowhere", HOME: "/nowhere", LC_ALL: "C" }, timeout: 600_000, stdio: "ignore" });
    return scripts.map((_, index) => {
      const fields = readFileSync(join(folder, `${index}.out`), "utf8").split("\0");
      const commands: string[][] = [];
      for (let at = 0; at + 1 < fields.length; ) {
        const count = Number(fields[at]);
        commands.push(fields.slice(at + 1, at + 1 + count));
        at += 1 + count;
      }
      return commands;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True where a found command can have become these words. */
function isFound(command: readonly string[], analysis: Analysis): boolean {
  return analysis.found.some((found) => {
    const loose = found.words.some((word) => word.some((text) => text.includes("\0u")));
    if (found.words.length !== command.length && !loose) return false;
    return found.words.every((word, index) => loose || word.some((text) => canBe(text, command[index] ?? "")));
  });
}

function canBe(text: string, word: string): boolean {
  const pattern = text.replace(/\0\[[^]*?\0\]|\0[hutg*?]/g, "\u0001").replace(/\0~/g, "/nowhere").replace(/[*?[]/g, "[$&]").replaceAll("\u0001", "*");
  return findPrefixes(parseGlob(pattern), word).includes(word.length);
}

test.runIf(existsSync(bash))("every command that Bash tries to run is one the model has found", { timeout: 900_000 }, () => {
  const scripts = fc.sample(script, { numRuns: runs, seed });
  const ran = commandsRun(scripts);
  const missed: string[] = [];
  let compared = 0;
  scripts.forEach((text, index) => {
    const analysis = analyse(text, "bash", "/scratch/project", world);
    for (const command of ran[index] ?? []) {
      compared += 1;
      if (analysis.doubt === undefined && !isFound(command, analysis)) missed.push(`${JSON.stringify(command)} of ${JSON.stringify(text)}`);
    }
  });
  expect(missed).toEqual([]);
  expect(compared).toBeGreaterThan(runs / 4);
});
