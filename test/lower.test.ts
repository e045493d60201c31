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

test("a field that a host never sends is an error at its own words", () => {
  const text = `deny bash when mode == "plan"`;
  expect(findings(text)).toEqual([["check/unknown-field", "mode"]]);
  expect(findings(`deny bash when lower( mode ) == "plan"`)).toEqual([["check/unknown-field", "mode"]]);
  expect(findings(`deny bash when command == mode`)).toEqual([["check/unknown-field", "command == mode"]]);
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
  expect(diagnostics.map(({ code, span, notes }) => [code, span && text.slice(span.start, span.end), notes])).toEqual([["host/constant-field", "mode", ["claude: always `default`"]]]);
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
      when: { kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", pattern: { source: "rm\\s+-r", flags: "iu", literal: "rm", degree: 2 } }] },
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

const lines = (count: number) => Array.from({ length: count }, (_, index) => `deny bash when command ~ /mkfs${index}/\n  id no-format-${index}\n  severity high\n`).join("");

test("grave denials without a backstop are one warning, at the first of the project's own files", () => {
  const { diagnostics } = lowered(lines(3));
  expect(diagnostics.map(({ code, span }) => [code, span?.start])).toEqual([["host/no-backstop", 0]]);
  expect(diagnostics[0]?.message).toContain("3 grave rules");
  const checked = (text: string) => {
    const load = (): SourceFile => ({ path: "team.policy", text: lines(2) });
    const { project: built, diagnostics: found } = checkProject({ roots: [{ path: "acme.policy", text }], hosts: hostIds, today: "2026-11-30", load });
    expect(found).toEqual([]);
    return lowerForHosts(built, hosts, "0.1.0").diagnostics;
  };
  expect(checked('use "./team.policy"\ndeny read\n')).toEqual([]);
  const own = checked('use "./team.policy"\ndeny read\n  id no-reading\n  severity critical\n');
  expect(own.map(({ code, file, message }) => [code, file?.path, message.includes("3 grave rules")])).toEqual([["host/no-backstop", "acme.policy", true]]);
  expect(checked('use "./team.policy"\ndeny read\n  id no-reading\n  severity critical\nobserve no-reading\nobserve team\n')).toEqual([]);
});

/** What the table of host gaps says of each effect at each moment, by host: `yes` where the rule is in the plan. */
const matrix: readonly (readonly [string, string])[] = [
  ["deny bash", "claude vibe bob"],
  ["deny after read", "claude vibe"],
  ["deny on prompt", "claude bob"],
  ["deny before compact", "claude bob"],
  ['deny on "ConfigChange"', "claude"],
  ['deny on "SubagentStart"', ""],
  ["ask bash", "claude"],
  ["allow read", "claude"],
  ['retry on stop unless succeeds "npm test"', "claude vibe"],
  ['retry on stop of reviewer unless succeeds "npm test"', "claude vibe"],
  ['set input.timeout to 5 before bash', "claude vibe"],
  ['replace /a/ with "b" in command before bash', "claude vibe"],
  ["redact /a/ in command before bash", "claude vibe"],
  ['set output to "x" after read', "claude vibe"],
  ["redact /a/ in output after any", "claude vibe"],
  ["redact /a/ in prompt on prompt", "claude bob"],
  ['tell model "x" before bash', "claude"],
  ['tell model "x" after bash', "claude vibe"],
  ['tell model "x" on prompt', "claude bob"],
  ['tell model "x" on session-start', "claude bob"],
  ['tell model "x" on "SubagentStart"', "claude"],
  ['tell user "x" before bash', "claude vibe"],
  ['tell user "x" after bash', "claude vibe"],
  ['tell user "x" on stop', "claude vibe"],
  ['log to "a.jsonl" before any', "claude vibe bob"],
  ['log to "a.jsonl" on any', "claude vibe bob"],
  ['log to "a.jsonl" on prompt', "claude bob"],
  ['log to "a.jsonl" after compact', "claude bob"],
  ['log to "a.jsonl" on "SessionEnd"', "claude"],
  ['run "npm test" on stop', "claude vibe bob"],
  ['run "npm test" on stop of main', "claude vibe bob"],
  ['run "npm test" on stop of reviewer', "claude vibe"],
  ['forward to "https://example.com/a" on session-start', "claude bob"],
  ["mark seen after bash", "claude vibe bob"],
];

test.each(matrix)("%s is carried out where the host can, and an error elsewhere", (text, able) => {
  const carried = hosts.filter((one) => on(one.id, `${text}\n  else skip`).plan.rules.some((rule) => rule.effect.kind !== "redact" || rule.effect.fields.length > 0));
  const outgoing = text.includes("on prompt") && text.startsWith("redact");
  expect(carried.map((one) => one.id).join(" ")).toBe(outgoing ? "" : able);
  const { diagnostics } = lowered(text);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(able === "claude vibe bob" ? [] : ["host/unsupported-effect"]);
  for (const one of hosts) if (errors[0] !== undefined) expect(errors[0].message.includes(one.title), one.id).toBe(!able.split(" ").includes(one.id));
  if (able !== "") expect(lowered(`${text}\n  for ${able.split(" ").join(", ")}`).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("`on any` is the list of each host, with an entry for each event that fails open", () => {
  const text = 'log to ".policyc/audit.jsonl" on any';
  for (const one of hosts) {
    const { plan, entries } = on(one.id, text);
    expect(plan.rules.map(({ event, hostEvents, tools }) => [event, hostEvents, tools])).toEqual([["any-event", one.facts.anyEvents, []]]);
    expect(entries.map(({ event }) => event).toSorted()).toEqual([...one.facts.anyEvents].toSorted());
    for (const entry of entries) expect([entry.failClosed, entry.tools]).toEqual([false, undefined]);
  }
});

test("an event fails closed for what must hold, and for nothing else", () => {
  const closed = (text: string, id = "claude") => on(id, text).entries.map(({ event, failClosed }) => [event, failClosed]);
  expect(closed('log to "a.jsonl" before any\ntell user "x" after bash\n  else skip')).toEqual([["PreToolUse", false], ["PostToolUse", false], ["PostToolUseFailure", false]]);
  expect(closed('log to "a.jsonl" on any\nredact /a/ in command before bash\n  else skip').filter(([, holds]) => holds)).toEqual([["PreToolUse", true]]);
  expect(closed('set input.timeout to 5 before bash\n  for vibe', "vibe")).toEqual([["pre_tool", true]]);
  expect(closed('deny on prompt\n  for claude\ndefault on-error allow')).toEqual([["UserPromptSubmit", false]]);
  expect(closed('retry on stop unless succeeds "npm test"\n  else skip')).toEqual([["Stop", true], ["SubagentStop", true]]);
  // A redaction that only cleans what the guard writes is no reason to stop a prompt, nor to start a guard.
  expect(closed('redact /a/ in prompt on prompt\n  for claude\nlog prompt to "a.jsonl" on prompt\n  for claude')).toEqual([["UserPromptSubmit", false]]);
  expect(closed("redact /a/ in prompt on prompt\n  for claude")).toEqual([]);
  expect(closed("deny bash\nobserve rm\ndeny read\n  id rm\ndefault mode observe")).toEqual([["PreToolUse", false]]);
  expect(closed("deny read\n  id rm\nobserve rm")).toEqual([["PreToolUse", false]]);
  expect(closed('deny read\n  id rm\nobserve rm until "2099-01-01"')).toEqual([["PreToolUse", true]]);
});

test("a rule about every tool opens an entry that other rules narrow", () => {
  expect(on("claude", 'deny write\nlog to "a.jsonl" on any').entries.find(({ event }) => event === "PreToolUse")?.tools).toBeUndefined();
  expect(on("claude", 'log to "a.jsonl" after write\nlog to "b.jsonl" after bash').entries.map(({ event, tools }) => [event, tools?.length])).toEqual([["PostToolUse", 2], ["PostToolUseFailure", 2]]);
});

test("the stop of one agent is the host's event for it", () => {
  const events = (of: string, id: string) => on(id, `run "npm test" on stop${of}\n  else skip`).entries.map(({ event }) => event);
  expect(["", " of main", " of reviewer", " of main, reviewer"].map((of) => events(of, "claude"))).toEqual([["Stop", "SubagentStop"], ["Stop"], ["SubagentStop"], ["Stop", "SubagentStop"]]);
  expect(["", " of main", " of reviewer"].map((of) => events(of, "vibe"))).toEqual([["post_agent"], ["post_agent"], ["post_agent"]]);
  expect(["", " of main", " of reviewer"].map((of) => events(of, "bob"))).toEqual([["Stop"], ["Stop"], []]);
  expect(on("vibe", 'run "npm test" on stop of reviewer\n  for vibe').plan.rules[0]?.agents).toEqual(["reviewer"]);
});

test("what a rule does also becomes rules of the same name, trigger and conditions", () => {
  const text = 'deny bash when runs git push unless branch == "topic"\n  id no-push\n  because "No."\n  also log command to "a.jsonl"\n  also run "notify-send denied"\n  also permission deny "Bash(git push *)"\n  timeout 3s';
  const { plan, denials, origins } = on("claude", text);
  const [own, log, run] = plan.rules;
  expect(plan.rules.map(({ id, effect, timeout }) => [id, effect.kind, timeout])).toEqual([["acme/no-push", "deny", undefined], ["acme/no-push", "log", undefined], ["acme/no-push", "run", 3000]]);
  for (const one of [log, run]) expect([one?.event, one?.tools, one?.when, one?.unless, one?.because]).toEqual([own?.event, own?.tools, own?.when, own?.unless, undefined]);
  expect(own?.because).toEqual(["No."]);
  expect(denials).toEqual(["Bash(git push *)"]);
  expect([own!, log!, run!].map((one) => text.slice(origins.get(one)?.span.start, origins.get(one)?.span.end).split("\n")[0])).toEqual(["deny bash when runs git push unless branch == \"topic\"", 'log command to "a.jsonl"', 'run "notify-send denied"']);
  expect(on("claude", 'permission deny "Bash(x *)"\n  also permission deny "Bash(y *)"').denials).toEqual(["Bash(x *)", "Bash(y *)"]);
});

test("transforms carry patterns, texts and fields as plain data", () => {
  const effects = (text: string) => on("vibe", text).plan.rules.map((rule) => rule.effect);
  expect(effects('replace /\\bnpm (install|ci)\\b/i with "pnpm {1} # {tool}" in command before bash\n  for vibe')).toEqual([
    { kind: "replace", patterns: [{ source: "\\bnpm (install|ci)\\b", flags: "iu", literal: "npm ", degree: 1 }], with: ["pnpm ", { capture: 1 }, " # ", { field: ["tool"] }], fields: [["command"]] },
  ]);
  expect(effects('redact ["a.b", /c/] in output after any\n  for vibe')).toEqual([
    { kind: "redact", patterns: [{ source: "a\\.b", flags: "u", literal: "a.b", degree: 1 }, { source: "c", flags: "u", literal: "c", degree: 1 }], as: ["[redacted]"], fields: [["output"]] },
  ]);
  expect(effects('redact /c/ in command, content as "({tool})" before bash, write\n  for vibe')).toMatchObject([{ as: ["(", { field: ["tool"] }, ")"], fields: [["command"], ["content"]] }]);
  expect(effects('set input.timeout to 120 before bash\n  for vibe\nset output to "[{path}]" after read\n  for vibe')).toEqual([
    { kind: "set", field: ["input", "timeout"], value: 120 },
    { kind: "set", field: ["output"], value: ["[", { field: ["path"] }, "]"] },
  ]);
});

test("texts, files, outputs, logs, requests and marks are plain data too", () => {
  const effects = (text: string) => on("claude", text).plan.rules.map(({ effect, timeout }) => [effect, timeout]);
  expect(effects('tell user "See {path}." after write\n  for claude')).toEqual([[{ kind: "tell", audience: "user", source: { kind: "text", text: ["See ", { field: ["path"] }, "."] } }, undefined]]);
  expect(effects('tell model file "docs/N.md" on session-start\n  for claude')).toEqual([[{ kind: "tell", audience: "model", source: { kind: "file", path: "docs/N.md" } }, undefined]]);
  expect(effects('tell model output of "git status" on session-start\n  for claude')).toEqual([[{ kind: "tell", audience: "model", source: { kind: "output-of", command: "git status" } }, 5000]]);
  expect(effects('log tool, input.a to "a.jsonl" on any')).toEqual([[{ kind: "log", fields: [["tool"], ["input", "a"]], to: "a.jsonl" }, undefined]]);
  expect(effects('forward to "https://example.com/a" on stop\n  timeout 10s')).toEqual([[{ kind: "forward", fields: [], to: "https://example.com/a" }, 10_000]]);
  expect(effects("mark seen after bash\nunmark seen after write")).toEqual([[{ kind: "mark", name: "seen" }, undefined], [{ kind: "unmark", name: "seen" }, undefined]]);
  expect(effects('retry on stop unless succeeds "npm test" or marked seen\n  limit 2\n  else skip\nmark seen after bash')[0]).toEqual([{ kind: "retry", limit: 2 }, 5000]);
  expect(on("claude", 'retry on stop unless succeeds "npm test"\n  else skip').plan.rules[0]?.unless).toEqual([{ kind: "succeeds", command: "npm test" }]);
});

test("what stands in for a transform knows what it would have changed", () => {
  const text = 'replace /npm/ with "pnpm" in command before bash when runs npm\n  id pnpm-only\n  else deny\n  because "pnpm, please."';
  expect(findings(text)).toEqual([]);
  expect(on("claude", text).plan.rules.map(({ effect, wouldChange }) => [effect.kind, wouldChange])).toEqual([["replace", undefined]]);
  const [rule] = on("bob", text).plan.rules;
  expect([rule?.effect, rule?.wouldChange]).toEqual([{ kind: "deny" }, { kind: "replace", patterns: [{ source: "npm", flags: "u", literal: "npm", degree: 1 }], with: ["pnpm"], fields: [["command"]] }]);
  expect(on("bob", text).gaps).toEqual([{ rule: "acme/pnpm-only", lacks: "replace", instead: "deny" }]);
  const logged = 'redact /AKIA/ in output after any\n  else log path to "leaks.jsonl"';
  expect(findings(logged).filter(([code]) => code !== "host/partial-redaction")).toEqual([]);
  expect(on("bob", logged).plan.rules.map(({ effect, wouldChange }) => [effect.kind, wouldChange?.kind])).toEqual([["log", "redact"]]);
});

test("a redaction that a host cannot carry out still cleans what the guard sends out there", () => {
  const text = 'redact /AKIA/ in output after any\n  id no-keys\n  else skip\nlog output to "a.jsonl" after any';
  expect(findings(text)).toEqual([]);
  const bob = on("bob", text);
  expect(bob.plan.rules.map((rule) => rule.effect)).toEqual([{ kind: "redact", patterns: [{ source: "AKIA", flags: "u", literal: "AKIA", degree: 1 }], as: ["[redacted]"], fields: [] }, { kind: "log", fields: [["output"]], to: "a.jsonl" }]);
  expect(bob.gaps).toEqual([{ rule: "acme/no-keys", lacks: "redact", instead: undefined }]);
  // It is not what the rule's examples are about.
  expect(bob.origins.get(bob.plan.rules[0]!)).toBeUndefined();
  expect(on("bob", 'redact /AKIA/ in output after any\n  else skip').entries).toEqual([]);
});

test("an entry lasts as long as its event's deadline, processes and requests", () => {
  const seconds = (text: string) => on("claude", text).entries.map(({ event, timeout }) => [event, timeout]);
  expect(seconds('run "npm test" on stop of main\n  timeout 20s')).toEqual([["Stop", 28]]);
  expect(seconds('run "a" on stop of main\n  timeout 20s\nforward to "https://example.com/a" on stop of main\n  timeout 10s\nretry on stop of main unless succeeds "b" or succeeds "c"\n  timeout 30s\n  else skip')).toEqual([["Stop", 98]]);
  // One command runs once, however many rules ask for it.
  expect(seconds('retry on stop of main unless succeeds "b"\n  timeout 30s\n  else skip\nrun "x" on stop of main unless succeeds "b"\n  timeout 20s')).toEqual([["Stop", 58]]);
  expect(seconds('run "a" on stop of main\n  timeout 20s\ndeny bash')).toEqual([["PreToolUse", 10], ["Stop", 28]]);
  expect(on("bob", 'run "a" on stop\n  timeout 90s').entries[0]?.timeout).toBe(98);
});

test("a message beside a refusal is no message where the host drops it", () => {
  const text = 'deny bash\n  also tell user "Refused."\n';
  expect(findings(`${text}  for claude`)).toEqual([]);
  expect(findings(`${text}  for vibe`)).toEqual([["host/unsupported-effect", "tell"]]);
  expect(on("vibe", `${text}  else skip`).plan.rules.map((rule) => rule.effect.kind)).toEqual(["deny"]);
  expect(findings('deny after read\n  also tell user "Withheld."\n  for vibe')).toEqual([]);
  expect(findings('ask bash\n  also tell user "Refused."\n  else deny\n  for claude, vibe')).toEqual([["host/unsupported-effect", "tell"]]);
});

test("doubt becomes a question only where a person can be asked", () => {
  const unsure = (text: string) => on("claude", `default unsure ask\n${text}`).plan.rules.map((rule) => rule.unsure);
  expect(unsure("deny bash")).toEqual(["ask"]);
  expect(unsure('deny on prompt when prompt ~ /x/\n  for claude')).toEqual(["deny"]);
});

test("a guard observes where all its files do, and keeps its state where they say", () => {
  expect(on("claude", "default mode observe\ndeny bash").plan.mode).toBe("observe");
  expect("mode" in on("claude", "deny bash").plan).toBe(false);
  expect(on("claude", 'default state "~/.policyc"\ndeny bash').plan.state).toBe("~/.policyc");
  expect(on("claude", 'deny bash\n  id no-bash\nobserve no-bash until "2099-01-01"').plan.rules[0]?.observed).toEqual({ until: "2099-01-01" });
});

test("a later event of the host is registered where the build may count on the version", () => {
  const text = "deny bash when runs rm\ndeny write";
  const events = (minVersions: Readonly<Record<string, string>>) => lowerForHosts(project(text), hosts, "0.1.0", { minVersions }).lowered.find((one) => one.host.id === "claude")?.entries.map(({ event, rules }) => [event, rules.length]);
  expect(events({})).toEqual([["PreToolUse", 2]]);
  expect(events({ claude: "2.1.331" })).toEqual([["PreToolUse", 2]]);
  expect(events({ claude: "2.1.332" })).toEqual([["PreToolUse", 2], ["PreSkillShellCommand", 1]]);
  expect(events({ claude: "2.2" })).toEqual([["PreToolUse", 2], ["PreSkillShellCommand", 1]]);
});

test("the host posts what asks nothing, where it is told to", () => {
  const text = 'forward to "https://example.com/a" on stop\n  timeout 10s\nforward message to "https://example.com/b" on stop when message contains "x"\n  for claude, bob';
  const bob = (nativeHttps: boolean) => lowerForHosts(project(text), hosts, "0.1.0", { nativeHttps }).lowered.find((one) => one.host.id === "bob")!;
  expect(bob(false).plan.rules).toHaveLength(2);
  expect(bob(true).plan.rules.map((rule) => rule.effect)).toEqual([{ kind: "forward", fields: [["message"]], to: "https://example.com/b" }]);
  expect(bob(true).entries.map(({ event, posts, guarded }) => [event, posts, guarded])).toEqual([["Stop", [{ url: "https://example.com/a", timeout: 10 }], undefined]]);
  const alone = lowerForHosts(project('target bob\nforward to "https://example.com/a" on stop'), hosts, "0.1.0", { nativeHttps: true });
  expect(alone.lowered[0]?.entries.map(({ guarded }) => guarded)).toEqual([false]);
  expect(alone.lowered[0]?.plan.events).toEqual([]);
  expect(alone.diagnostics.map(({ code }) => code)).toEqual(["host/min-version"]);
  const codes = (minVersion: string) => lowerForHosts(project('target bob\nforward to "https://example.com/a" on stop'), hosts, "0.1.0", { nativeHttps: true, minVersions: { bob: minVersion } }).diagnostics.map(({ code }) => code);
  expect([codes("1.0.0"), codes("99.0")]).toEqual([["host/min-version"], []]);
});

test("other scopes are named in the plan, with what the host calls the project", () => {
  const plan = (scope: "project" | "user") => lowerForHosts(project("deny bash"), hosts, "0.1.0", { scope }).lowered.map((one) => [one.host.id, one.plan.scope, one.plan.rootVariable]);
  expect(plan("project")).toEqual([["claude", "project", undefined], ["vibe", "project", undefined], ["bob", "project", undefined]]);
  expect(plan("user")).toEqual([["claude", "user", "CLAUDE_PROJECT_DIR"], ["vibe", "user", undefined], ["bob", "user", undefined]]);
});

test("a fixed text for the model that a host would cut is a warning", () => {
  const long = (length: number) => `tell model "${"x".repeat(length)}" on session-start\n  for claude, bob`;
  expect(findings(long(10_000))).toEqual([]);
  expect(findings(long(10_001)).map(([code]) => code)).toEqual(["host/context-cap"]);
  expect(lowered(long(10_001)).diagnostics.map(({ code }) => code)).toEqual(["host/context-cap"]);
});

test("fields that a host sends at other moments only are errors there", () => {
  expect(findings('tell model "x" on session-start when mode == "plan"\n  for claude')).toEqual([["check/unknown-field", "mode"]]);
  expect(findings('deny on prompt when mode == "plan"\n  for claude')).toEqual([]);
  expect(findings('log mode to "a.jsonl" on any')).toEqual([]);
  expect(findings('run "x" on stop when message contains "done"')).toEqual([["check/unknown-field", "message"]]);
  expect(findings('deny on "PreToolUse" when input.command contains "x"\n  for claude')).toEqual([]);
});
