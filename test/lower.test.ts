import { expect, test } from "vitest";
import { checkProject } from "../src/check/check.ts";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { lowerForHosts, lowerProject } from "../src/lower/lower.ts";

const hostIds = ["claude", "vibe", "bob"];

function project(text: string) {
  const root: SourceFile = { path: "policy/acme.policy", text };
  const checked = checkProject({ roots: [root], hosts: hostIds, today: "2026-11-30", load: () => undefined });
  expect(checked.diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
  return checked.project;
}

function lowered(text: string) {
  return lowerForHosts(project(text), hosts, "0.1.0");
}

function on(id: string, text: string) {
  const found = lowered(text).lowered.find((one) => one.host.id === id);
  if (found === undefined) throw new Error(`${id} is not targeted`);
  return found;
}

/** Codes with the text they point at. */
function findings(text: string): readonly (readonly [string, string])[] {
  return lowered(text).diagnostics.map(({ code, span }) => [code, span === undefined ? "" : text.slice(span.start, span.end)] as const);
}

function host(id: string): Host {
  const found = hosts.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no host ${id}`);
  return found;
}

const asking = `ask bash when command ~ /npm install/`;

test("an effect that two hosts lack is one error at its word, and the hosts' answers stand in it", () => {
  expect(findings(asking)).toEqual([["host/unsupported-effect", "ask"]]);
  const [diagnostic] = lowered(asking).diagnostics;
  expect(diagnostic?.message).toBe(`${host("vibe").title} and ${host("bob").title} cannot ask`);
  expect(diagnostic?.notes.join("\n")).toContain("claude: yes");
  expect(diagnostic?.notes.join("\n")).toContain(`vibe: no (${host("vibe").facts.lacks.ask})`);
  expect(diagnostic?.help?.lines?.map((line) => line.trim().split("  ")[0])).toEqual(["else deny", "else skip", "for claude"]);
});

test("no host is left without the rule when it is missing on one", () => {
  expect(on("claude", asking).plan.rules.map((rule) => rule.effect.kind)).toEqual(["ask"]);
  expect(on("vibe", asking).plan.rules).toEqual([]);
});

test("else deny stands in exactly on the hosts that lack the effect, and is listed as a gap", () => {
  const text = `${asking}\n  id installs\n  else deny`;
  expect(findings(text)).toEqual([]);
  expect(on("claude", text).plan.rules.map((rule) => rule.effect.kind)).toEqual(["ask"]);
  expect(on("claude", text).gaps).toEqual([]);
  expect(on("bob", text).plan.rules.map((rule) => rule.effect.kind)).toEqual(["deny"]);
  expect(on("bob", text).gaps).toEqual([{ rule: "acme/installs", lacks: "ask", instead: "deny" }]);
});

test("else skip leaves the rule out and lists it", () => {
  const text = `allow read when path matches "docs/**"\n  id free-docs\n  else skip`;
  expect(findings(text)).toEqual([]);
  expect(on("claude", text).plan.rules).toHaveLength(1);
  expect(on("vibe", text).plan.rules).toEqual([]);
  expect(on("vibe", text).gaps).toEqual([{ rule: "acme/free-docs", lacks: "allow", instead: undefined }]);
  expect(on("vibe", text).entries).toEqual([]);
});

test("an else that the host lacks as well is an error at the else", () => {
  expect(findings(`allow read\n  else ask`)).toEqual([["host/unsupported-effect", "ask"]]);
});

test("for limits a rule to the hosts that can", () => {
  expect(findings(`${asking}\n  for claude`)).toEqual([]);
  expect(on("vibe", `${asking}\n  for claude\ndeny read`).plan.rules.map((rule) => rule.effect.kind)).toEqual(["deny"]);
});

test("only targeted hosts are lowered for", () => {
  expect(lowered(`target vibe\ndeny read`).lowered.map((one) => one.host.id)).toEqual(["vibe"]);
});

test("a class without a tool on a host is an error at the class, unless the gap is accepted", () => {
  expect(findings(`deny fetch, websearch`)).toEqual([["host/no-such-tool", "websearch"]]);
  const accepted = `deny fetch, websearch\n  id offline\n  else skip`;
  expect(findings(accepted)).toEqual([]);
  expect(on("bob", accepted).plan.rules.map((rule) => rule.tools)).toEqual([[{ kind: "class", name: "fetch" }]]);
  expect(on("bob", accepted).gaps).toEqual([{ rule: "acme/offline", lacks: "websearch", instead: undefined }]);
});

test("a rule that has lost every tool is not in the plan", () => {
  const text = `deny websearch\n  else skip`;
  expect(on("bob", text).plan.rules).toEqual([]);
  expect(on("bob", text).entries).toEqual([]);
  expect(on("claude", text).plan.rules).toHaveLength(1);
});

test("shell needs one of its classes on the host, not both", () => {
  expect(findings(`deny shell when command ~ /mkfs/`)).toEqual([]);
});

test("a field that a host never sends is an error at the comparison", () => {
  const text = `deny bash when mode == "plan"`;
  expect(findings(text)).toEqual([["check/unknown-field", `mode == "plan"`]]);
  expect(lowered(text).diagnostics[0]?.message).toContain(host("vibe").title);
});

test("a grave denial without a backstop is a warning that names the hosts", () => {
  expect(findings(`deny bash when command ~ /mkfs/\n  severity high`)).toEqual([["host/no-backstop", "deny"]]);
  expect(findings(`deny bash when command ~ /mkfs/\n  severity medium`)).toEqual([]);
  expect(findings(`deny bash when command ~ /mkfs/\n  severity critical\n  for claude, vibe`)).toEqual([]);
});

test("permission strings go to the hosts that read them, each once and in order", () => {
  const text = `permission deny "Bash(rm *)", "Read(.env)"\ndeny bash when command ~ /rm/\n  also permission deny "Bash(rm *)", "Edit(.env)"`;
  expect(findings(text)).toEqual([]);
  expect(on("claude", text).denials).toEqual(["Bash(rm *)", "Read(.env)", "Edit(.env)"]);
  expect(on("vibe", text).denials).toEqual([]);
  expect(on("claude", text).plan.rules).toHaveLength(1);
});

test("permission strings that no host of the rule reads are an error", () => {
  expect(findings(`permission deny "Bash(rm *)"\n  for vibe`)).toEqual([["host/unsupported-effect", "permission"]]);
  expect(findings(`target vibe, bob\npermission deny "Bash(rm *)"`)).toEqual([["host/unsupported-effect", "permission"]]);
});

test("asking in doubt and on failure becomes a denial where nobody can be asked", () => {
  const text = `default on-error ask\ndefault unsure ask\ndeny bash when command ~ /rm/`;
  expect([on("claude", text).plan.onError, on("claude", text).plan.rules[0]?.unsure]).toEqual(["ask", "ask"]);
  expect([on("vibe", text).plan.onError, on("vibe", text).plan.rules[0]?.unsure]).toEqual(["deny", "deny"]);
});

test("an entry names the union of its rules' tools, closes on failure, and lasts at least what the host needs", () => {
  const text = `deny bash when command ~ /rm/\n  id one\ndeny write, bash\n  id two\ndeny mcp(github.delete_*)\n  id three`;
  expect(on("claude", text).entries).toEqual([
    {
      event: "PreToolUse",
      tools: [
        { kind: "class", toolClass: "bash" },
        { kind: "class", toolClass: "write" },
        { kind: "mcp", server: { text: "github", star: false } },
      ],
      failClosed: true,
      timeout: 10,
      rules: ["acme/one", "acme/two", "acme/three"],
    },
  ]);
  expect(on("claude", text).plan.events).toEqual([{ name: "PreToolUse", failClosed: true }]);
  expect(on("vibe", text).entries.map(({ event, timeout }) => [event, timeout])).toEqual([["pre_tool", 10]]);
  expect(on("bob", text).entries.map(({ event, timeout }) => [event, timeout])).toEqual([["PreToolUse", 60]]);
});

test("one rule about every tool opens the entry to all of them", () => {
  expect(on("claude", `deny bash\ndeny any when tool == "X"`).entries[0]?.tools).toBeUndefined();
});

test("the entry's time grows with the deadline", () => {
  expect(on("claude", `default timeout 8s\ndeny bash`).entries[0]?.timeout).toBe(13);
  expect(on("claude", `default timeout 8s\ndeny bash`).plan.deadline).toBe(8000);
});

test("more time than the host allows is an error", () => {
  const claude = host("claude");
  const hurried: Host = { ...claude, facts: { ...claude.facts, timeout: { most: 9, least: 5 } } };
  const { diagnostics } = lowerForHosts(project(`default timeout 6s\ndeny bash`), [hurried], "0.1.0");
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["host/timeout-budget"]);
});

test("a comparison with a field that never varies on a host is a warning there", () => {
  const claude = host("claude");
  const still: Host = { ...claude, facts: { ...claude.facts, constantFields: { mode: "always `default`" } } };
  const text = `deny bash when mode == "plan"\n  because "Not in {mode}."\n  for claude`;
  const { diagnostics } = lowerForHosts(project(text), [still], "0.1.0");
  expect(diagnostics.map(({ code, span, notes }) => [code, span && text.slice(span.start, span.end), notes])).toEqual([["host/constant-field", `mode == "plan"`, ["claude: always `default`"]]]);
});

test("on-error allow leaves the entry open on failure", () => {
  expect(on("claude", `default on-error allow\ndeny bash`).entries[0]?.failClosed).toBe(false);
});

test("the plan is plain JSON with sources, lines, messages and patterns' required text", () => {
  const text = `policy acme\n\ndeny bash when command ~ /rm\\s+-r/i\n  id no-rm\n  because "No: {command}"\n  suggest "ls"`;
  const { plan } = on("claude", text);
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  expect(plan.sources).toEqual(["policy/acme.policy"]);
  expect(plan.rules).toEqual([
    {
      id: "acme/no-rm",
      source: "policy/acme.policy:3",
      event: "before-tool",
      tools: [{ kind: "class", name: "bash" }],
      effect: { kind: "deny" },
      when: { kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", pattern: { source: "rm\\s+-r", flags: "iu", literal: "rm" } }] },
      unless: [],
      because: ["No: ", { field: ["command"] }],
      suggest: ["ls"],
      severity: "medium",
      unsure: "ask",
    },
  ]);
});

test("origins lead every part of a condition back to its words", () => {
  const text = `deny bash when command ~ /rm/ and not (branch == "main" or subagent)`;
  const { plan, origins } = on("claude", text);
  const words = [...origins].map(([part, origin]) => ["effect" in part ? "rule" : part.kind, text.slice(origin.span.start, origin.span.end)]);
  expect(words).toContainEqual(["compare", "command ~ /rm/"]);
  expect(words).toContainEqual(["compare", `branch == "main"`]);
  expect(words).toContainEqual(["is", "subagent"]);
  expect(origins.get(plan.rules[0]!)?.rule.id).toBe(plan.rules[0]!.id);
});

test("lowering twice gives the same plan", () => {
  const checked = project(`deny write unless path matches ["src/**", "!src/{gen,vendor}/**"]\ndeny bash when command ~ [/a+b/, "x"]`.replace(`, "x"`, ""));
  for (const one of hosts) expect(lowerProject(checked, one, "0.1.0").plan).toEqual(lowerProject(checked, one, "0.1.0").plan);
});
