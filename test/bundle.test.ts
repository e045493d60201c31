import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleGuard, bundleRuntime, bundleShell, composeGuard, needsShell } from "../src/bundle.ts";
import type { Runtime } from "../src/bundle.ts";
import { composeTrailer, trailerCode, trailerMark } from "../src/guard/trailer.ts";
import type { ConditionPlan, GuardPlan } from "../src/guard/plan.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";

/** Characters. A guard is read by people and parsed at every call. */
const mostGuard = 100_000;
const mostShell = 700_000;

const runtimes = new Map<string, Runtime>();
const scratch = mkdtempSync(join(tmpdir(), "policyc-bundle-"));

beforeAll(async () => {
  for (const host of hosts) runtimes.set(host.id, await bundleRuntime(host));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function runtimeOf(host: Host): Runtime {
  const runtime = runtimes.get(host.id);
  if (runtime === undefined) throw new Error(`no runtime for ${host.id}`);
  return runtime;
}

function eventOf(host: Host): string {
  const event = host.facts.events["before-tool"]?.[0];
  if (event === undefined) throw new Error(`${host.id} has no event before a tool`);
  return event;
}

const recursiveText: ConditionPlan = { kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", pattern: { source: "rm\\s+-r", flags: "u", literal: "rm" } }] };
const recursiveCommand: ConditionPlan = { kind: "runs", only: false, commands: [[["rm"]]], with: [[{ kind: "flag", text: "-r" }]], without: [] };

function planFor(host: Host, when: ConditionPlan): GuardPlan {
  return {
    policyc: "0.1.0",
    host: host.id,
    name: "acme",
    sources: ["policy/acme.policy"],
    scope: "project",
    onError: "deny",
    deadline: 2500,
    events: [{ name: eventOf(host), failClosed: true }],
    rules: [{ id: "acme/no-rm", source: "policy/acme.policy:1", event: "before-tool", tools: [{ kind: "class", name: "bash" }], effect: { kind: "deny" }, when, unless: [], severity: "medium", unsure: "deny" }],
  };
}

/** Writes the guard where its host would have it and plays one command to it. */
function answer(host: Host, guard: string, command: string, project = "project") {
  const root = join(scratch, host.id, project);
  const path = join(root, host.layout.guard);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, guard);
  const payload = host.player.compose(eventOf(host), host.facts.tools.bash[0], { command }, { cwd: root });
  const run = spawnSync(process.execPath, [path, eventOf(host), "dry"], { cwd: root, input: JSON.stringify(payload), encoding: "utf8" });
  return { effect: host.contract.judgeAnswer(eventOf(host), { exitCode: run.status, stdout: run.stdout, stderr: run.stderr }).effect, stderr: run.stderr };
}

test("a guard holds the guard's own files and its host's codec, and nothing else", async () => {
  for (const host of hosts) {
    const { inputs } = await bundleGuard(host);
    expect(inputs).toContain(`src/${host.wireModule}`);
    expect(inputs.filter((input) => !input.startsWith("src/guard/") && !input.startsWith(`src/${dirname(host.wireModule)}/`))).toEqual([]);
    expect(inputs.filter((input) => input.startsWith("src/guard/shell/") || /contract|schema|player|register/.test(input))).toEqual([]);
  }
});

test("the shell model holds the guard's files and the shell parser with its licence", async () => {
  const { inputs, text } = await bundleShell();
  expect(inputs.filter((input) => !input.startsWith("src/guard/") && !input.startsWith("node_modules/unbash/"))).toEqual([]);
  expect(inputs.some((input) => input.startsWith("node_modules/unbash/"))).toBe(true);
  expect(text).toContain("// unbash 6.");
  expect(text).toContain("// Permission to use, copy, modify, and");
});

test("a codec that draws in other hosts, packages or the compiler is refused", async () => {
  const [host] = hosts;
  // Exports a codec's name from a module that imports everything.
  const entry = "../test/bundle/greedy-wire.ts";
  await expect(bundleGuard({ ...host!, wireModule: entry })).rejects.toThrow(/a guard must not hold .*zod/);
});

test("the same input gives the same bytes, whatever is bundled beside it", async () => {
  for (const host of hosts) {
    expect(await bundleRuntime(host)).toEqual(runtimeOf(host));
    const plan = planFor(host, recursiveCommand);
    expect(composeGuard(runtimeOf(host), plan)).toBe(composeGuard(runtimeOf(host), JSON.parse(JSON.stringify(plan)) as GuardPlan));
  }
});

test("a guard is ASCII, names no place of the machine that made it, and keeps to its size", () => {
  for (const host of hosts) {
    const plain = composeGuard(runtimeOf(host), planFor(host, recursiveText));
    const whole = composeGuard(runtimeOf(host), { ...planFor(host, recursiveCommand), name: "Zo\u00eb \u{1F600}" });
    for (const guard of [plain, whole]) {
      expect(guard).toMatch(/^[\x20-\x7e\n\t]*$/);
      expect(guard).not.toContain(process.cwd());
      expect(guard).not.toMatch(/\/home\/|\/Users\/|\/root\//);
    }
    expect(plain.length).toBeLessThan(mostGuard);
    expect(whole.length - plain.length).toBeLessThan(mostShell);
  }
});

test("the header names sources and version, and no name can break out of it", () => {
  const [host] = hosts;
  const odd = { ...planFor(host!, recursiveText), name: "a\nprocess.exit(0)", sources: ["policy/a\u2028b.policy", "x\r\ny.policy"] };
  const guard = composeGuard(runtimeOf(host!), odd);
  const header = guard.slice(0, guard.indexOf('"use strict";'));
  expect(header.split("\n").filter((line) => line !== "" && !line.startsWith("//"))).toEqual([]);
  expect(header).toContain("policyc 0.1.0");
  expect(header).toContain('"policy/a\\u2028b.policy", "x\\r\\ny.policy"');
});

test("the shell model is appended only where a condition looks into commands", () => {
  const [host] = hosts;
  const within: readonly ConditionPlan[] = [recursiveCommand, { kind: "not", of: recursiveCommand }, { kind: "and", of: [recursiveText, { kind: "or", of: [{ kind: "dynamic" }] }] }, { kind: "is", field: ["dynamic"] }];
  for (const when of within) expect(needsShell(planFor(host!, when))).toBe(true);
  const { when: _when, ...always } = planFor(host!, recursiveText).rules[0]!;
  expect(needsShell({ ...planFor(host!, recursiveText), rules: [always] })).toBe(false);
  expect(needsShell({ ...planFor(host!, recursiveText), rules: [{ ...always, unless: [recursiveCommand] }] })).toBe(true);
  expect(composeGuard(runtimeOf(host!), planFor(host!, recursiveText))).not.toContain(`\n${trailerMark}\n`);
});

test("the trailer gives back the shell model byte by byte", () => {
  const [host] = hosts;
  const guard = composeGuard(runtimeOf(host!), planFor(host!, recursiveCommand));
  expect(trailerCode(guard)).toBe(runtimeOf(host!).shell.trimEnd());
  expect(trailerCode(composeGuard(runtimeOf(host!), planFor(host!, recursiveText)))).toBeUndefined();
});

test("no code in the trailer ends its comment", () => {
  const code = fc.string({ unit: fc.constantFrom("*", "/", "~", "\n", "a", trailerMark) });
  fc.assert(
    fc.property(code, (text) => {
      const guard = `start\n${composeTrailer(`x${text}x`)}`;
      expect(guard.indexOf("*/")).toBe(guard.length - 3);
      // Two marks in a row cannot be told apart; real code holds the mark in quotes only.
      fc.pre(!text.includes(`\n${trailerMark}\n`));
      expect(trailerCode(guard)).toBe(`x${text}x`);
    }),
  );
});

test("a guard of the founding rule refuses and passes on every host", () => {
  for (const host of hosts) {
    const guard = composeGuard(runtimeOf(host), planFor(host, recursiveText));
    expect(answer(host, guard, "rm -r build")).toMatchObject({ effect: "deny" });
    expect(answer(host, guard, "ls")).toEqual({ effect: "pass", stderr: "" });
  }
});

test("a guard reads its shell model back from its own file", () => {
  for (const host of hosts) {
    const guard = composeGuard(runtimeOf(host), planFor(host, recursiveCommand));
    expect(answer(host, guard, "cd x && sudo rm -fr build")).toMatchObject({ effect: "deny" });
    expect(answer(host, guard, "echo rm -r build")).toEqual({ effect: "pass", stderr: "" });
  }
});

test("a damaged shell model refuses what it would have judged and touches nothing else", () => {
  const [host] = hosts;
  const looksAtBoth: ConditionPlan = { kind: "and", of: [recursiveText, recursiveCommand] };
  const guard = composeGuard(runtimeOf(host!), planFor(host!, looksAtBoth));
  const damaged = `${guard.slice(0, guard.indexOf(`\n${trailerMark}\n`))}\n${trailerMark}\nthis is no code (\n*/\n`;
  expect(answer(host!, damaged, "ls", "damaged")).toEqual({ effect: "pass", stderr: "" });
  expect(answer(host!, damaged, "rm -r build", "damaged")).toMatchObject({ effect: "deny" });
});
