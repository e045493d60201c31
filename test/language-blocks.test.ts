/** The policies of the language page build for the hosts they name, each after the blocks whose names it uses, and their examples hold. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import type { Diagnostic, SourceFile } from "../src/diagnostics/diagnostic.ts";
import type { Effect } from "../src/syntax/ast.ts";
import { hosts } from "../src/hosts/registry.ts";
import { parsePolicy } from "../src/syntax/parse.ts";

const folder = "test/grammar/accepted";
const names = readdirSync(folder).sort();

function block(number: string): string {
  const name = names.find((one) => one.startsWith(`${number}-`));
  if (name === undefined) throw new Error(`there is no block ${number}`);
  return readFileSync(`${folder}/${name}`, "utf8");
}

/** What `use "./team.policy" with allow, run` brings: a grant, a command, and a rule that needs neither. */
const team = [block("09"), block("06"), `run "git diff --cached --quiet" on stop\n  timeout 20s\n`].join("\n");

/** Names that a block takes from an earlier one. */
const before: Readonly<Record<string, string>> = { "18": "07", "19": "07" };

function load(module: string): SourceFile | undefined {
  if (module === "./team.policy") return { path: "team.policy", text: team };
  const path = `stdlib/${module.replace(/^std\//, "")}.policy`;
  return existsSync(path) ? { path: `${module}.policy`, text: readFileSync(path, "utf8") } : undefined;
}

function lowered(text: string, tests: readonly SourceFile[] = []) {
  const root: SourceFile = { path: "acme.policy", text };
  const { project, lowered: plans, examples, diagnostics } = examine({ roots: [root], tests, hosts, today: "2026-11-30", policyc: "0.1.0", load });
  return { project, plans, examples: examples.filter(({ rule }) => rule.file === root), errors: diagnostics.filter(({ severity }) => severity === "error").map(told) };
}

function told({ code, message, file, span }: Diagnostic): string {
  return `${code}: ${message} (${file?.path ?? ""}: ${file && span ? file.text.slice(span.start, span.end) : ""})`;
}

const policies = names.filter((name) => !name.startsWith("30-"));

const built = new Map<string, ReturnType<typeof lowered>>();

/** The block, and what it needs in front, each built once. */
function buildOf(name: string): ReturnType<typeof lowered> {
  const number = name.slice(0, name.indexOf("-"));
  const earlier = before[number];
  const known = built.get(number) ?? lowered(earlier === undefined ? block(number) : `${block(earlier)}\n${block(number)}`);
  built.set(number, known);
  return known;
}

test.each(policies)("%s builds without an error, no rule of it is lost, and its examples hold", (name) => {
  const text = readFileSync(`${folder}/${name}`, "utf8");
  const { project, plans, examples, errors } = buildOf(name);
  expect(errors).toEqual([]);
  expect(examples.filter(({ result }) => result === "failed")).toEqual([]);
  // Every example is judged somewhere, unless all its hosts accept that the rule does nothing there.
  for (const example of new Set(examples.map((one) => one.example))) expect(examples.some((one) => one.example === example && one.result === "passed")).toBe(true);

  const rules = parsePolicy({ path: "acme.policy", text }).policy.statements.filter((statement) => statement.kind === "rule");
  const own = project.rules.filter((rule) => rule.file.path === "acme.policy").slice(-rules.length || undefined);
  expect(own.map((rule) => rule.rule.effect.kind)).toEqual(rules.map((rule) => rule.effect.kind));
  for (const rule of own) {
    const carried = plans.filter(({ host, plan, denials, gaps }) => {
      if (!rule.hosts.includes(host.id)) return false;
      const planned = plan.rules.filter((one) => one.id === rule.id);
      if (planned.length > 0) expect(planned[0]?.effect.kind).toBe(gaps.find((gap) => gap.rule === rule.id)?.instead ?? rule.effect.kind);
      return planned.length > 0 || (rule.effect.kind === "permission" && denials.length > 0);
    });
    expect(carried.length, rule.id).toBeGreaterThan(0);
    const skipping = plans.filter(({ host }) => rule.hosts.includes(host.id) && !carried.some((one) => one.host === host));
    // What a host does not carry out is listed as an accepted gap, permission strings of another host aside.
    if (rule.effect.kind !== "permission") for (const { gaps } of skipping) expect(gaps.map((gap) => gap.rule), rule.id).toContain(rule.id);
  }
});

test("every event that a plan's rules are about has an entry on its host", () => {
  for (const name of policies) {
    for (const { plan, entries } of buildOf(name).plans) {
      expect(entries.map((entry) => entry.event)).toEqual(plan.events.map((event) => event.name));
      for (const rule of plan.rules) expect(entries.some((entry) => entry.rules.includes(rule.id)) || (rule.effect.kind === "redact" && rule.effect.fields.length === 0), rule.id).toBe(true);
    }
  }
});

test("the block of tests is about rules of the blocks before it", () => {
  const policy = ["03", "07", "17", "19", "25"].map(block).join("\n");
  const { project, errors } = lowered(policy, [{ path: "acme.test.policy", text: block("30") }]);
  expect(errors).toEqual([]);
  expect(project.tests.map(({ title, hosts: on, steps }) => [title, on, steps.length])).toEqual([
    ["force push is refused everywhere", ["claude", "vibe", "bob"], 1],
    ["npm is rewritten, then judged again", ["claude", "vibe"], 1],
    ["output is redacted", ["vibe"], 1],
    ["marks survive between events", ["vibe"], 2],
  ]);
  expect(project.tests[0]?.steps[0]?.expectations).toMatchObject([{ kind: "verdict", verdict: "deny", by: "acme/no-force-push" }]);
});

test("the blocks hold every effect of the language and every moment", () => {
  const rules = policies.flatMap((name) => parsePolicy({ path: name, text: readFileSync(`${folder}/${name}`, "utf8") }).policy.statements.flatMap((statement) => (statement.kind === "rule" ? [statement] : [])));
  const effects: Readonly<Record<Effect["kind"], true>> = { deny: true, ask: true, allow: true, retry: true, set: true, replace: true, redact: true, tell: true, log: true, run: true, forward: true, mark: true, unmark: true, permission: true };
  expect(new Set(rules.map((rule) => rule.effect.kind))).toEqual(new Set(Object.keys(effects)));
  const moments = new Set(rules.map(({ trigger }) => (trigger?.kind === "on" ? (trigger.event.kind === "text" ? "quoted" : trigger.event.text) : `${trigger?.moment} ${trigger?.tools.some((tool) => tool.kind === "class" && tool.name === "compact") ? "compact" : "tool"}`)));
  for (const moment of ["before tool", "after tool", "before compact", "after compact", "prompt", "session-start", "stop", "any", "quoted"]) expect(moments).toContain(moment);
});
