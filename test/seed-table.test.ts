/** Every row of the seed table: its policy builds, and what it makes says to the host what the row says. */
import { existsSync, readFileSync } from "node:fs";
import { parse as parseToml } from "smol-toml";
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import { MalformedPayload } from "../src/guard/call.ts";
import type { Answer, Decision, JsonObject, ToolCall } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import { answerFailure } from "../src/guard/failure.ts";
import { parsePayload } from "../src/guard/payload-text.ts";
import type { GuardPlan } from "../src/guard/plan.ts";
import { scratchRoot, scratchWorld } from "../src/guard/scratch.ts";
import { shellModule } from "../src/guard/shell/index.ts";
import type { World } from "../src/guard/world.ts";
import type { Host, Surroundings } from "../src/hosts/host.ts";
import { placeIn } from "../src/hosts/place.ts";
import { hosts } from "../src/hosts/registry.ts";
import type { BuildOptions } from "../src/lower/lower.ts";
import { hostNamed } from "./contract/fixtures.ts";
import { languageRows, pages, rows } from "./seed-table.ts";
import type { Case, Emits, Refuses, Registers } from "./seed-table.ts";

function load(module: string): SourceFile | undefined {
  const path = `stdlib/${module.replace(/^std\//, "")}.policy`;
  return existsSync(path) ? { path: `${module}.policy`, text: readFileSync(path, "utf8") } : undefined;
}

function examined(policy: string, options: BuildOptions = {}) {
  return examine({ roots: [{ path: "acme.policy", text: `policy acme\n${policy}` }], load, today: "2026-11-30", policyc: "0.1.0", hosts, options });
}

function lowered(policy: string, host: string, options: BuildOptions = {}) {
  const { lowered: all, diagnostics } = examined(policy, options);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  const on = all.find((one) => one.host.id === host);
  if (on === undefined) throw new Error(`the policy is not built for ${host}`);
  return on;
}

/** An answer as the rows write it: JSON for what is JSON, texts without the line end, nothing for nothing. */
function told({ exitCode, stdout, stderr }: Answer): Emits["answer"] {
  const text = stdout.trimEnd();
  return {
    exitCode,
    ...(text !== "" && { stdout: text.startsWith("{") ? (JSON.parse(text) as JsonObject) : text }),
    ...(stderr.trimEnd() !== "" && { stderr: stderr.trimEnd() }),
  };
}

function judge(host: Host, plan: GuardPlan, { event, tool, fields = {}, more = {}, commands = {}, marks = [], retries = 0 }: Emits): { readonly payload: JsonObject; readonly call: ToolCall; readonly decision: Decision } {
  const payload = { ...host.player.compose(event, tool, fields, { cwd: scratchRoot("linux") }), ...more };
  const read = (sent: JsonObject): ToolCall => host.wire.decode(event, sent, "linux");
  const world: World = {
    ...scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: () => shellModule, redecode: (input) => read((host.wire.withInput?.(payload, input) ?? payload) as JsonObject) }),
    succeeds: (asked) => commands[asked] === 0,
    outputOf: (asked) => (typeof commands[asked] === "string" ? commands[asked] : undefined),
    marked: (name) => marks.includes(name),
    retries: () => retries,
  };
  expect(host.contract.judgePayload(event, payload)).toEqual([]);
  const call = read(payload);
  return { payload, call, decision: decide(plan, call, world) };
}

function expectEmitted(policy: string, one: Emits): void {
  const { host, plan, entries } = lowered(policy, one.host);
  expect(entries.map(({ event }) => event)).toContain(one.event);
  const { payload, call, decision } = judge(host, plan, one);
  const answer = host.wire.encode(one.event, decision, call);
  expect(told(answer)).toEqual(one.answer);
  const judgement = host.contract.judgeAnswer(one.event, answer, payload);
  expect(judgement.breaches).toEqual([]);
  expect(judgement).toMatchObject(one.heard);
  expect((decision.effects ?? []).map(({ effect }) => effect)).toMatchObject(one.does ?? []);
}

function expectRefused(policy: string, { host: id, event, stdin, answer, heard }: Refuses): void {
  const { host, plan } = lowered(policy, id);
  const fault = thrownBy(() => host.wire.decode(event, parsePayload(Buffer.from(stdin)), "linux"));
  expect(fault).toBeInstanceOf(MalformedPayload);
  const failsClosed = plan.events.find(({ name }) => name === event)?.failClosed;
  expect(failsClosed).toBe(true);
  const said = answerFailure(plan, host.wire, event, true, fault);
  expect(told(said)).toEqual(answer);
  expect(host.contract.judgeAnswer(event, said)).toMatchObject({ breaches: [], ...heard });
}

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (fault) {
    return fault;
  }
}

const around: Surroundings = { platform: "linux", home: "/home/ada", node: "/usr/bin/node", environment: {} };

function expectRegistered(policy: string, { host: id, scope = "project", nativeHttps, path, entries: wanted = {}, settings: part = {} }: Registers): void {
  const { host, plan, entries, denials } = lowered(policy, id, { scope, ...(nativeHttps && { nativeHttps }) });
  const { settings = "", diagnostics } = host.register({ policy: plan.name, scope, entries, denials, around }, undefined, undefined);
  expect(diagnostics).toEqual([]);
  const layout = host.layoutIn(scope, around)!;
  if (path !== undefined) expect(placeIn(layout, layout.settings)).toBe(path);
  const { whole, byEvent } = readSettings(settings);
  expect(whole).toMatchObject(part);
  for (const [event, handlers] of Object.entries(wanted)) {
    const written = byEvent.get(event) ?? [];
    expect(written).toHaveLength(handlers.length);
    for (const [index, handler] of handlers.entries()) for (const [key, value] of Object.entries(handler)) expect([event, key, written[index]?.[key]]).toEqual([event, key, value === "absent" ? undefined : value]);
  }
}

/** Entries of a settings text by event, whatever its form; a group's matcher is told with each of its handlers. */
function readSettings(text: string): { readonly whole: JsonObject; readonly byEvent: ReadonlyMap<string, readonly JsonObject[]> } {
  const byEvent = new Map<string, JsonObject[]>();
  const add = (event: string, handler: JsonObject): void => void byEvent.set(event, [...(byEvent.get(event) ?? []), handler]);
  if (!text.trimStart().startsWith("{")) {
    const whole = parseToml(text) as unknown as { readonly hooks: readonly (JsonObject & { readonly type: string })[] };
    for (const hook of whole.hooks) add(hook.type, hook);
    return { whole: whole as unknown as JsonObject, byEvent };
  }
  type Groups = Readonly<Record<string, readonly { readonly matcher?: string; readonly hooks: readonly JsonObject[] }[]>>;
  const whole = JSON.parse(text) as { readonly hooks?: Groups };
  // The value of `EnforcedHooks` is the map of events itself.
  for (const [event, groups] of Object.entries(whole.hooks ?? (whole as Groups))) for (const { matcher, hooks } of groups) for (const hook of hooks) add(event, { ...hook, ...(matcher !== undefined && { matcher }) });
  return { whole: whole as JsonObject, byEvent };
}

function expectRejected(policy: string, host: string, code: string): void {
  const bare = policy.replace(/^ {2}(?:else|for) .*\n/gm, "");
  const { diagnostics } = examined(`target ${host}\n${bare}`);
  expect(diagnostics.filter(({ severity }) => severity === "error").map((one) => one.code)).toContain(code);
}

function walk(policy: string, one: Case): void {
  switch (one.kind) {
    case "emits":
      return expectEmitted(policy, one);
    case "refuses":
      return expectRefused(policy, one);
    case "registers":
      return expectRegistered(policy, one);
    case "cannot":
      return expectRejected(policy, one.host, one.code);
    default:
      return one satisfies never;
  }
}

const cases = rows.flatMap(({ capability, policy, cases: all }) => all.map((one, index) => ({ capability, policy, one, title: `${one.kind} on ${one.host}, ${index + 1}` })));

test.each(cases)("$capability: $title", ({ policy, one }) => walk(policy, one));

test("every row of the language page's table has examples, and none is there twice", () => {
  const shown = rows.map(({ capability }) => capability);
  expect(new Set(shown).size).toBe(shown.length);
  expect(languageRows.filter((row) => !shown.includes(row))).toEqual([]);
  expect(rows.filter((row) => row.cases.length === 0)).toEqual([]);
});

test("everything the hosts' pages can do is shown by a row, and every row comes from the table or a page", () => {
  const shown = new Set(rows.map(({ capability }) => capability));
  const said = Object.values(pages).flat();
  expect(said.filter(([, row]) => !shown.has(row))).toEqual([]);
  expect(rows.map(({ capability }) => capability).filter((capability) => !languageRows.includes(capability) && !said.some(([, row]) => row === capability))).toEqual([]);
  // A page's host is among those that its rows are about.
  const hostOf = { "Vibe, older": "vibe", "Vibe, newer": "vibe", Claude: "claude", Bob: "bob" } as const;
  for (const [page, own] of Object.entries(pages)) {
    const id = hostOf[page as keyof typeof hostOf];
    const strange = own.filter(([, row]) => !rows.some(({ capability, cases: all }) => capability === row && all.some((one) => one.host === hostNamed(id).id)));
    expect([page, strange]).toEqual([page, []]);
  }
});
