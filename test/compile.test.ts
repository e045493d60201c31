import { beforeAll, expect, test } from "vitest";
import { bundleRuntime } from "../src/bundle.ts";
import { composeGuard } from "../src/compose.ts";
import type { Runtime } from "../src/compose.ts";
import { compile, examine } from "../src/compile.ts";
import type { Sources } from "../src/compile.ts";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import { hosts } from "../src/hosts/registry.ts";

const runtimes = new Map<string, Runtime>();
beforeAll(async () => {
  for (const host of hosts) runtimes.set(host.id, await bundleRuntime(host));
});

const founding = `deny bash when command ~ /rm\\s+-r/`;

function sources(texts: Readonly<Record<string, string>>, more: Partial<Sources> = {}): Sources {
  const roots = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return { roots, load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts, ...more };
}

function built(text: string, existing: readonly SourceFile[] = [], more: Partial<Sources> = {}) {
  return compile(sources({ "main.policy": text }, more), existing, runtimes);
}

test("the founding rule gives guard, settings and, where one is needed, ledger for every host", () => {
  const { artefacts, diagnostics } = built(founding);
  expect(diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
  for (const host of hosts) {
    const textAt = (path: string) => artefacts.find((artefact) => artefact.path === path)?.text;
    expect(textAt(host.layout.guard)).toContain('"rm\\\\s+-r"');
    expect(textAt(host.layout.settings)).toContain(host.layout.guard);
  }
});

test("the guard is the plan put before the host's runtime", () => {
  const { artefacts, lowered } = built(founding);
  for (const { host, plan } of lowered) {
    const runtime = runtimes.get(host.id)!;
    expect(artefacts.find((artefact) => artefact.path === host.layout.guard)?.text).toBe(composeGuard(runtime, plan));
  }
});

test("compiling onto its own output changes nothing", () => {
  const first = built(founding);
  const existing = first.artefacts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  expect(built(founding, existing).artefacts).toEqual(first.artefacts);
});

test("an error anywhere leaves no artefact, and everything found is told", () => {
  const { artefacts, diagnostics } = built(`deny bsh\nask bash when command ~ /npm/\ndeny bash when command ~ /rm/\n  example pass "rm x"`);
  expect(artefacts).toEqual([]);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(expect.arrayContaining(["check/unknown-name", "host/unsupported-effect", "test/example-failed"]));
});

test("settings that cannot be edited are an error and leave no artefact", () => {
  const [host] = hosts;
  const { artefacts, diagnostics } = built(founding, [{ path: host!.layout.settings, text: "{ not json" }]);
  expect(artefacts).toEqual([]);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain("settings/unreadable");
});

test("a host without a rule keeps no guard and no entry", () => {
  const before = built(founding);
  const existing = before.artefacts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  const { artefacts } = built(`${founding}\n  for claude`, existing);
  const vibe = hosts.find((host) => host.id === "vibe")!;
  expect(artefacts.find((artefact) => artefact.path === vibe.layout.guard)).toEqual({ host: vibe, path: vibe.layout.guard, text: undefined });
  expect(artefacts.find((artefact) => artefact.path === vibe.layout.settings)?.text ?? "").not.toContain(vibe.layout.guard);
});

test("only the chosen hosts are built for, and the others may still be named", () => {
  const { lowered, artefacts, diagnostics } = built(`target claude, vibe\n${founding}`, [], { only: ["vibe"] });
  expect(diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
  expect(lowered.map((one) => one.host.id)).toEqual(["vibe"]);
  expect(new Set(artefacts.map((artefact) => artefact.path.split("/")[0]))).toEqual(new Set([".vibe"]));
});

test("a warning is silenced by a reason above its line, an error is not", () => {
  const grave = `deny bash when command ~ /mkfs/\n  severity critical`;
  expect(examine(sources({ "main.policy": grave })).diagnostics.map((diagnostic) => diagnostic.code)).toContain("host/no-backstop");
  const silenced = `# policyc: allow host/no-backstop: the guard is fast\n${grave}`;
  expect(examine(sources({ "main.policy": silenced })).diagnostics.map((diagnostic) => diagnostic.code)).not.toContain("host/no-backstop");
  const refused = `# policyc: allow host/unsupported-effect: no\nask bash when command ~ /npm/`;
  expect(examine(sources({ "main.policy": refused })).diagnostics.map((diagnostic) => diagnostic.code)).toContain("host/unsupported-effect");
});

test("several files make one guard, and moving a rule between them changes no decision", () => {
  const { lowered } = compile(sources({ "a.policy": `policy one\n${founding}`, "b.policy": `policy two\ndeny read` }), [], runtimes);
  expect(lowered[0]?.plan.sources).toEqual(["a.policy", "b.policy"]);
  expect(lowered[0]?.plan.name).toBe("one");
  expect(lowered[0]?.plan.rules.map((rule) => rule.source)).toEqual(["a.policy:2", "b.policy:2"]);
});

const around = { platform: "linux", home: "/home/ada", node: "/usr/bin/node", environment: {} } as const;

test("a build for one person lies in the person's own folders, with guards that find the project by the call", () => {
  const { artefacts, lowered, diagnostics } = built(founding, [], { options: { scope: "user" }, around });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(artefacts.map(({ path }) => path)).toEqual([
    "/home/ada/.claude/policyc/user/guard.cjs", "/home/ada/.claude/settings.json", "/home/ada/.claude/policyc/user/installed.json",
    "/home/ada/.vibe/policyc/user/guard.cjs", "/home/ada/.vibe/hooks.toml", "/home/ada/.vibe/policyc/user/installed.json",
    "/home/ada/.bob/policyc/user/guard.cjs", "/home/ada/.bob/settings/settings.json", "/home/ada/.bob/policyc/user/installed.json",
  ]);
  expect(lowered.map(({ plan }) => [plan.scope, plan.rootVariable])).toEqual([["user", "CLAUDE_PROJECT_DIR"], ["user", undefined], ["user", undefined]]);
  const existing = artefacts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  expect(built(founding, existing, { options: { scope: "user" }, around }).artefacts).toEqual(artefacts);
});

test("a plugin's build has its manifest, and a host without plugins is left out and named", () => {
  const { artefacts, diagnostics } = built(founding, [], { options: { scope: "plugin" } });
  expect(artefacts.map(({ path }) => path)).toEqual([
    "policyc/claude/guard.cjs", "hooks/hooks.json", "policyc/claude/installed.json", ".claude-plugin/plugin.json",
    "policyc/vibe/guard.cjs", "ai.mistral.vibe/hooks.toml", "policyc/vibe/installed.json", "plugin.json",
  ]);
  expect(diagnostics.filter(({ code }) => code === "host/no-such-scope").map(({ message }) => message)).toEqual(["IBM Bob Shell has no scope `plugin`, so nothing is built for it"]);
});
