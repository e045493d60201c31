import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleGuard, bundleRuntime } from "../src/bundle.ts";
import { calledFirst } from "../src/bundle-parts.ts";
import { composeGuard, needsShell } from "../src/compose.ts";
import type { Runtime } from "../src/compose.ts";
import { composeCode, composePart, partLoader, partText } from "../src/guard/part.ts";
import type { PartHolder } from "../src/guard/part.ts";
import type { ConditionPlan, GuardPlan, RulePlan } from "../src/guard/plan.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { sectionNames, shellParts } from "../src/parts.ts";

/** Characters. A guard is read by people, and what runs at its start is parsed at every call. */
const mostStart = 15_000;
const mostGuard = 250_000;
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
    deadline: 60_000,
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
  return { effect: host.contract.judgeAnswer(eventOf(host), { exitCode: run.status, stdout: run.stdout, stderr: run.stderr }).effect, exitCode: run.status, stderr: run.stderr };
}

test("a guard holds the guard's own files and its host's codec, each once, and the shell parser where commands are judged", async () => {
  for (const host of hosts) {
    const bundles = await bundleGuard(host);
    const inputs = [...bundles.values()].flatMap((bundle) => bundle.inputs);
    expect(new Set(inputs).size).toBe(inputs.length);
    expect(bundles.get("wire")?.inputs).toContain(`src/${host.wireModule}`);
    for (const [name, bundle] of bundles) {
      const ours = shellParts.has(name) ? ["src/guard/", "node_modules/unbash/"] : ["src/guard/", `src/${dirname(host.wireModule)}/`];
      expect(bundle.inputs.filter((input) => !ours.some((start) => input.startsWith(start)) || /contract|schema|player|register/.test(input))).toEqual([]);
    }
    const licensed = [...bundles.values()].filter((bundle) => bundle.inputs.some((input) => input.startsWith("node_modules/unbash/")));
    expect(licensed).toHaveLength(1);
    expect(licensed[0]?.text).toContain("// unbash 6.");
    expect(licensed[0]?.text).toContain("// Permission to use, copy, modify, and");
  }
});

test("a codec that draws in other hosts, packages or the compiler is refused", async () => {
  const [host] = hosts;
  // Exports a codec's name from a module that imports everything.
  const entry = "../test/bundle/greedy-wire.ts";
  await expect(bundleGuard({ ...host!, wireModule: entry })).rejects.toThrow(/a guard must not hold .*zod/);
});

test("the same input gives the same bytes, whatever is bundled beside it", async () => {
  for (const host of hosts) {
    const again = await bundleRuntime(host);
    expect(sectionNames.map(again)).toEqual(sectionNames.map(runtimeOf(host)));
    const plan = planFor(host, recursiveCommand);
    expect(composeGuard(runtimeOf(host), plan)).toBe(composeGuard(runtimeOf(host), JSON.parse(JSON.stringify(plan)) as GuardPlan));
  }
});

test("a guard is ASCII, names no place of the machine that made it, and keeps to its size", async () => {
  for (const host of hosts) {
    const plain = composeGuard(runtimeOf(host), planFor(host, recursiveText));
    const whole = composeGuard(runtimeOf(host), { ...planFor(host, recursiveCommand), name: "Zo\u00eb \u{1F600}" });
    for (const guard of [plain, whole]) {
      expect(guard).toMatch(/^[\x20-\x7e\n\t]*$/);
      expect(guard).not.toContain(process.cwd());
      expect(guard).not.toMatch(/\/home\/|\/Users\/|\/root\//);
    }
    expect((await bundleGuard(host)).get("start")?.text.length).toBeLessThan(mostStart);
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

test("a guard holds the code for commands, requests, state and logs only where a rule calls for it", () => {
  const [host] = hosts;
  const { when: _when, ...always } = planFor(host!, recursiveText).rules[0]!;
  const partsOf = (rule: Partial<RulePlan>, plan: Partial<GuardPlan> = {}): readonly string[] => {
    const guard = composeGuard(runtimeOf(host!), { ...planFor(host!, recursiveText), ...plan, rules: [{ ...always, ...rule }] });
    return ["effects", "processes", "state"].filter((name) => !guard.includes(`\nfunction ${name}Part() {}\n`));
  };
  expect(partsOf({})).toEqual([]);
  expect(partsOf({ effect: { kind: "log", fields: [], to: "x.jsonl" } })).toEqual(["effects"]);
  expect(partsOf({ effect: { kind: "mark", name: "tested" } })).toEqual(["effects", "state"]);
  expect(partsOf({ effect: { kind: "retry", limit: 1 } })).toEqual(["effects", "state"]);
  expect(partsOf({ unless: [{ kind: "not", of: { kind: "marked", name: "tested" } }] })).toEqual(["effects", "state"]);
  expect(partsOf({ observed: {} })).toEqual(["effects", "state"]);
  expect(partsOf({}, { mode: "observe" })).toEqual(["effects", "state"]);
  expect(partsOf({ when: { kind: "succeeds", command: "true" } })).toEqual(["effects", "processes"]);
  expect(partsOf({ effect: { kind: "run", command: "true" } })).toEqual(["effects", "processes"]);
  expect(partsOf({ effect: { kind: "forward", fields: [], to: "https://example.com/" } })).toEqual(["effects", "processes"]);
  expect(partsOf({ effect: { kind: "tell", audience: "model", source: { kind: "output-of", command: "true" } } })).toEqual(["effects", "processes"]);
});

test("the shell model is appended only where a condition looks into commands", () => {
  const [host] = hosts;
  const within: readonly ConditionPlan[] = [recursiveCommand, { kind: "not", of: recursiveCommand }, { kind: "and", of: [recursiveText, { kind: "or", of: [{ kind: "dynamic" }] }] }, { kind: "is", field: ["dynamic"] }];
  for (const when of within) expect(needsShell(planFor(host!, when))).toBe(true);
  const { when: _when, ...always } = planFor(host!, recursiveText).rules[0]!;
  expect(needsShell({ ...planFor(host!, recursiveText), rules: [always] })).toBe(false);
  expect(needsShell({ ...planFor(host!, recursiveText), rules: [{ ...always, unless: [recursiveCommand] }] })).toBe(true);
  expect(composeGuard(runtimeOf(host!), planFor(host!, recursiveText))).toContain("\nfunction shellPart() {}\n");
});

/** A holder as a guard declares it. */
function holderOf(source: string): PartHolder {
  return (0, eval)(`(${source})`) as PartHolder;
}

test("a part is given back as it was put in, whatever line ends the guard's file has got since", async () => {
  const code = fc.string({ unit: fc.constantFrom("*", "/", "\n", "a", "`", "'") });
  fc.assert(
    fc.property(code, (text) => {
      const source = composePart("holder", `x${text}x`);
      expect(source.split("*/")).toHaveLength(2);
      expect(partText(holderOf(source))).toBe(`\nx${text}x\n`);
      expect(partText(holderOf(source.replaceAll("\n", "\r\n")))).toBe(`\nx${text}x\n`);
    }),
  );
  for (const host of hosts) for (const [name, { text }] of await bundleGuard(host)) if (name !== "start") expect(partText(holderOf(composePart(name, text)))).toBe(`\n${text.trimEnd()}\n`);
});

test("text that cannot be put into a part as it is, is refused", () => {
  expect(() => composePart("holder", "a *~/ b")).toThrow(/mark/);
});

test("a part is compiled once, when it is first needed, and knows the guard, Node and other parts", () => {
  const source = `let count = 0; provide({ next: () => (count += require("guard").step), other: () => part("second").name, path: () => require("node:path").sep });`;
  const holders = { first: holderOf(composeCode("first", source)), second: holderOf(composeCode("second", `provide({ name: "second" });`)), broken: holderOf(composeCode("broken", "not code (")), empty: () => {} };
  const load = partLoader(holders, () => ({ step: 2 }), () => ({ sep: "/" })) as (name: string) => Record<string, () => unknown>;
  expect([load("first")["next"]?.(), load("first")["next"]?.()]).toEqual([2, 4]);
  expect([load("first")["other"]?.(), load("first")["path"]?.()]).toEqual(["second", "/"]);
  for (const name of ["broken", "empty", "absent"]) expect(() => load(name)).toThrow();
});

test("a guard of the founding rule refuses and passes on every host", () => {
  for (const host of hosts) {
    const guard = composeGuard(runtimeOf(host), planFor(host, recursiveText));
    expect(answer(host, guard, "rm -r build")).toMatchObject({ effect: "deny" });
    expect(answer(host, guard, "ls")).toEqual({ effect: "pass", exitCode: 0, stderr: "" });
  }
});

test("a guard answers the same on a Node that lacks what later ones have at hand", () => {
  const without = (name: string): string => `"use strict";\nprocess.${name} = undefined;\n`;
  for (const host of hosts) {
    const whole = composeGuard(runtimeOf(host), planFor(host, recursiveText));
    const guard = whole.replace('"use strict";\n', without("getBuiltinModule") + without("reallyExit"));
    expect(answer(host, guard, "rm -r build")).toEqual(answer(host, whole, "rm -r build"));
    expect(answer(host, guard, "ls")).toEqual({ effect: "pass", exitCode: 0, stderr: "" });
  }
});

test("a guard finds its shell model in itself", () => {
  for (const host of hosts) {
    const guard = composeGuard(runtimeOf(host), planFor(host, recursiveCommand));
    expect(answer(host, guard, "cd x && sudo rm -fr build")).toMatchObject({ effect: "deny" });
    expect(answer(host, guard, "echo rm -r build")).toEqual({ effect: "pass", exitCode: 0, stderr: "" });
  }
});

/** The guard with other code in a part. */
function damaged(guard: string, part: string, code: string): string {
  const start = guard.indexOf(`\nfunction ${part}Part() {\n`);
  expect(start).toBeGreaterThan(0);
  return `${guard.slice(0, start)}\nfunction ${part}Part() {${code}}${guard.slice(guard.indexOf("\n*/\n}\n", start) + 5)}`;
}

test.each(["", "\n/*\nthis is no code (\n*/\n", "\n/*\nprovide({});\n*/\n"])("a damaged part refuses what it would have judged and touches nothing else: %j", (code) => {
  const looksAtBoth: ConditionPlan = { kind: "and", of: [recursiveText, recursiveCommand] };
  for (const host of hosts) {
    const guard = composeGuard(runtimeOf(host), planFor(host, looksAtBoth));
    const shell = damaged(guard, "shell", code);
    expect(answer(host, shell, "ls", "damaged")).toEqual({ effect: "pass", exitCode: 0, stderr: "" });
    expect(answer(host, shell, "rm -r build", "damaged")).toMatchObject({ effect: "deny" });
    for (const part of [...guard.matchAll(/^function (\w+)Part\(\) \{\n/gm)].map(([, name = ""]) => name)) {
      const { effect, exitCode } = answer(host, damaged(guard, part, code), "rm -r build", "damaged");
      // Without its host's words a guard still fails, which the host's entry turns into a refusal.
      expect([part, effect === "deny" || exitCode === 2]).toEqual([part, true]);
    }
  }
});

test("functions that are compiled at once do what they did, and those that know their place stay as they are", () => {
  const functions = [
    "function twice(x) {\n  return x * 2;\n}",
    "function idle() {\n  return [1].map((x) => x);\n}",
    "(a, b = 1) => a + b",
    "(list) => list.map((x) => (y) => ({ sum: twice(x) + y }))",
    "(x) => (y) => ({ sum: twice(x) + y })",
    "(y) => ({ sum: twice(x) + y })",
    "(x) => // a comment\n  x + 1",
    "({ x }, [y]) => {\n  if (x) return y;\n  return idle();\n}",
    "(x) => x + this.base",
  ];
  const [, , add, nested, , , late, chosen, placed] = functions;
  const code = [
    functions[0], functions[1], `var add = ${add};`, `var nested = ${nested};`, `var late = ${late};`, `var chosen = ${chosen};`,
    `var holder = { base: 5, read() {\n  return [1].map(${placed});\n} };`,
    "found.push(add(1), add(1, 2), nested([1, 2]).map((make) => make(3)), late(1), chosen({ x: 1 }, [2]), chosen({}, []), holder.read(), add.name);",
  ].join("\n");
  const called = functions.filter((text) => !text.startsWith("function idle")).map((text) => [code.indexOf(text), code.indexOf(text) + text.length] as const);
  const made = calledFirst(code, [...called, ...called]);
  const foundBy = (text: string): readonly unknown[] => {
    const found: unknown[] = [];
    new Function("found", text)(found);
    return found;
  };
  expect(foundBy(made)).toEqual(foundBy(code));
  expect(made.match(/\(function /g)).toHaveLength(called.length - 1);
  expect(made.startsWith("var twice = (function twice(x) {")).toBe(true);
  expect(made).toContain(functions[1]);
  expect(made).toContain(placed);
});
