/** Registering beyond a project: where files go, how guards are started there, and that no scope touches another's entries. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import type { HookEntry, Host, Registration, Scope, Surroundings } from "../src/hosts/host.ts";
import { placeIn } from "../src/hosts/place.ts";
import { hosts } from "../src/hosts/registry.ts";
import { guardLine, startsGuard, wordsOf } from "../src/hosts/settings/command-line.ts";
import { hostNamed } from "./contract/fixtures.ts";

const linux: Surroundings = { platform: "linux", home: "/home/ada", node: "/usr/bin/node", environment: {} };
const windows: Surroundings = { platform: "windows", home: "C:/Users/Ada L", node: "C:\\Program Files\\nodejs\\node.exe", environment: {} };

function registrationOf(host: Host, scope: Scope, around: Surroundings = linux, policy = "acme"): Registration {
  const entries = [host.facts.events["before-tool"]?.[0], host.facts.events.stop?.[0]].flatMap((event, index): HookEntry[] => (event === undefined ? [] : [{ event, tools: index === 0 ? [{ kind: "class", toolClass: "bash" }] : undefined, failClosed: index === 0, timeout: host.facts.timeout.least, rules: [`${policy}/deny-bash-1f0c`] }]));
  return { policy, scope, entries, denials: [], around };
}

const file = (path: string, text: string | undefined): SourceFile | undefined => (text === undefined ? undefined : { path, text });
const scopes: readonly Scope[] = ["project", "user", "plugin", "enforced"];
const combinations = hosts.flatMap((host) => scopes.filter((scope) => host.layoutIn(scope, linux) !== undefined).map((scope) => ({ id: host.id, scope, host })));

test("the scopes a host has are those of its pages", () => {
  expect(combinations.map(({ id, scope }) => `${id} ${scope}`)).toEqual(["claude project", "claude user", "claude plugin", "claude enforced", "vibe project", "vibe user", "vibe plugin", "bob project", "bob user", "bob enforced"]);
});

test.each(combinations)("a build in scope $scope of $id can be repeated and taken back, byte for byte", ({ host, scope }) => {
  const layout = host.layoutIn(scope, linux)!;
  const wanted = registrationOf(host, scope);
  const built = host.register(wanted, undefined, undefined);
  expect(built.diagnostics).toEqual([]);
  expect(built.settings).toContain("guard.cjs");
  expect((built.others ?? []).length).toBe(layout.others.length);
  const settings = file(layout.settings, built.settings);
  const ledger = file(layout.ledger, built.ledger);
  expect(host.register(wanted, settings, ledger)).toEqual(built);
  expect(host.register({ ...wanted, entries: [], denials: [] }, settings, ledger)).toEqual({ settings: undefined, ledger: undefined, diagnostics: [], ...(layout.others.length > 0 && { others: layout.others.map(() => undefined) }) });
});

test("the user's files are the three of the pages, and move with the hosts' own variables", () => {
  const paths = (around: Surroundings) => hosts.map((host) => host.layoutIn("user", around)).map((layout) => (layout === undefined ? "" : placeIn(layout, layout.settings)));
  expect(paths(linux)).toEqual(["/home/ada/.claude/settings.json", "/home/ada/.vibe/hooks.toml", "/home/ada/.bob/settings/settings.json"]);
  expect(paths({ ...linux, environment: { CLAUDE_CONFIG_DIR: "/srv/claude/", VIBE_HOME: "~/vibe" } })).toEqual(["/srv/claude/settings.json", "/home/ada/vibe/hooks.toml", "/home/ada/.bob/settings/settings.json"]);
});

test("a user's guard is started by absolute paths, without the variables that put code before it", () => {
  const env = ["-u", "NODE_OPTIONS", "-u", "LD_PRELOAD", "-u", "NODE_EXTRA_CA_CERTS"];
  const claude = JSON.parse(hostNamed("claude").register(registrationOf(hostNamed("claude"), "user"), undefined, undefined).settings ?? "") as { hooks: Record<string, unknown[]> };
  expect(claude.hooks["PreToolUse"]).toEqual([
    { matcher: "Bash|Monitor", hooks: [{ type: "command", command: "/usr/bin/env", args: [...env, "/usr/bin/node", "/home/ada/.claude/policyc/user/guard.cjs", "PreToolUse"], timeout: 10, onFailure: "block" }] },
  ]);
  const vibe = parse(hostNamed("vibe").register(registrationOf(hostNamed("vibe"), "user"), undefined, undefined).settings ?? "") as { hooks: Record<string, unknown>[] };
  expect(vibe.hooks[0]).toMatchObject({ type: "pre_tool", strict: true, command: `/usr/bin/env ${env.join(" ")} /usr/bin/node /home/ada/.vibe/policyc/user/guard.cjs pre_tool` });
  expect(vibe.hooks[1]).not.toHaveProperty("strict");
  expect(vibe.hooks[1]).not.toHaveProperty("match");
  const bob = JSON.parse(hostNamed("bob").register(registrationOf(hostNamed("bob"), "user"), undefined, undefined).settings ?? "") as { hooks: Record<string, { hooks: { command: string }[] }[]> };
  expect(bob.hooks["PreToolUse"]?.[0]?.hooks[0]?.command).toBe(`/usr/bin/env ${env.join(" ")} /usr/bin/node /home/ada/.bob/policyc/user/guard.cjs PreToolUse || exit 2`);
  expect(bob.hooks["Stop"]?.[0]?.hooks[0]?.command).not.toContain("|| exit");
});

test("on Windows a line is a command in cmd, PowerShell and Git Bash, and Claude Code starts Node itself", () => {
  expect(guardLine("C:/Users/ada/.bob/policyc/user/guard.cjs", "Stop", windows)).toBe("node C:/Users/ada/.bob/policyc/user/guard.cjs Stop");
  expect(guardLine("C:/Users/Ada L/.bob/policyc/user/guard.cjs", "Stop", windows)).toBe('node "C:/Users/Ada L/.bob/policyc/user/guard.cjs" Stop');
  const { settings = "" } = hostNamed("claude").register(registrationOf(hostNamed("claude"), "user", windows), undefined, undefined);
  expect(JSON.parse(settings)).toMatchObject({ hooks: { PreToolUse: [{ hooks: [{ command: windows.node, args: ["C:/Users/Ada L/.claude/policyc/user/guard.cjs", "PreToolUse"] }] }] } });
});

test("a folder's odd letters stay one word of the line, in sh too", () => {
  for (const home of ["/home/ada lovelace", "/home/it's", "/home/$(id)", "/home/a;b", "/home/é"]) {
    const guard = `${home}/.vibe/policyc/user/guard.cjs`;
    const line = guardLine(guard, "pre_tool", { ...linux, home });
    expect(wordsOf(line)?.slice(-2)).toEqual([guard, "pre_tool"]);
    expect(startsGuard(wordsOf(line) ?? [], guard)).toBe(true);
    expect(execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" }).trimEnd().split("\n")).toEqual(wordsOf(line));
  }
});

test.each([
  "node /home/ada/.vibe/policyc/user/guard.cjs pre_tool; curl x",
  "node -r ./x.js /home/ada/.vibe/policyc/user/guard.cjs pre_tool",
  "/usr/bin/env NODE_OPTIONS=x node /home/ada/.vibe/policyc/user/guard.cjs pre_tool",
  "sh -c 'node /home/ada/.vibe/policyc/user/guard.cjs pre_tool'",
  "echo /home/ada/.vibe/policyc/user/guard.cjs",
  "node .vibe/policyc/guard.cjs pre_tool",
  "node $HOME/.vibe/policyc/user/guard.cjs pre_tool",
])("a line that only mentions the guard is somebody else's: %s", (line) => {
  expect(startsGuard(wordsOf(line) ?? [], "/home/ada/.vibe/policyc/user/guard.cjs")).toBe(false);
});

test("a user's guard and a project's share no entry, even where the home folder is the project", () => {
  for (const host of hosts) {
    const of = (scope: Scope) => ({ layout: host.layoutIn(scope, linux)!, wanted: registrationOf(host, scope) });
    const [project, user] = [of("project"), of("user")];
    const places = [project, user].map(({ layout }) => [layout.guard, layout.ledger].map((path) => `${layout.folder === "" ? "/home/ada" : layout.folder}/${path}`));
    expect(new Set(places.flat()).size).toBe(4);
    const first = host.register(project.wanted, undefined, undefined);
    const both = host.register(user.wanted, file("settings", first.settings), undefined);
    if (host.id === "vibe") {
      // One file has one block, and the block one build: the other scope's is never thrown out silently.
      expect(both.settings).toBe(first.settings);
      expect(both.diagnostics.map(({ code }) => code)).toEqual(["settings/broken-block", "settings/broken-block"]);
      continue;
    }
    expect(both.diagnostics).toEqual([]);
    const back = host.register({ ...user.wanted, entries: [] }, file("settings", both.settings), file("ledger", both.ledger));
    expect(back.settings).toBe(first.settings);
  }
});

test("entries of Mistral Vibe have another name in every scope and for every policy", () => {
  const vibe = hostNamed("vibe");
  const names = (["project", "user", "plugin"] as const).flatMap((scope) => ["acme", "acme two"].flatMap((policy) => [...(vibe.register(registrationOf(vibe, scope, linux, policy), undefined, undefined).settings ?? "").matchAll(/^name = "(.*)"$/gm)].map((match) => match[1])));
  expect(names).toHaveLength(12);
  expect(new Set(names).size).toBe(12);
});

test("a plugin for Claude Code is a manifest and hooks that name the plugin's own folder", () => {
  const claude = hostNamed("claude");
  const { settings = "", others = [] } = claude.register(registrationOf(claude, "plugin", linux, "Acme: Web Shop"), undefined, undefined);
  expect(JSON.parse(others[0] ?? "")).toEqual({ name: "policyc-acme-web-shop", version: "1.0.0", description: "Guards of the policy Acme: Web Shop, generated by policyc; do not edit." });
  expect(JSON.parse(settings)).toMatchObject({ hooks: { PreToolUse: [{ hooks: [{ command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/policyc/claude/guard.cjs", "PreToolUse"], onFailure: "block" }] }] } });
});

test("a plugin has no place for permission strings, and says which are missing", () => {
  const claude = hostNamed("claude");
  const { settings, diagnostics } = claude.register({ ...registrationOf(claude, "plugin"), denials: ["Edit(.claude/**)"] }, undefined, undefined);
  expect(settings).not.toContain("permissions");
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["settings/no-permissions", "warning"]]);
});

test("a plugin for Mistral Vibe is a manifest with its extension and hooks that name the plugin's own folder", () => {
  const vibe = hostNamed("vibe");
  const { settings = "", others = [] } = vibe.register(registrationOf(vibe, "plugin"), undefined, undefined);
  const manifest = JSON.parse(others[0] ?? "") as { name: string };
  expect(manifest).toMatchObject({ $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", extensions: { "ai.mistral.vibe": { schemaVersion: 1 } } });
  expect(manifest.name).toMatch(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/);
  expect((parse(settings) as { hooks: { command: string }[] }).hooks[0]?.command).toBe('node "$PLUGIN_ROOT/policyc/vibe/guard.cjs" pre_tool');
  expect(vibe.register(registrationOf(vibe, "plugin", windows), undefined, undefined).settings).toContain("%PLUGIN_ROOT%/policyc/vibe/guard.cjs");
});

test("what a plugin of Mistral Vibe starts is the guard of its own folder, wherever that lies", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugin root "));
  try {
    mkdirSync(join(folder, "policyc/vibe"), { recursive: true });
    writeFileSync(join(folder, "policyc/vibe/guard.cjs"), "process.stdout.write(process.argv[2] ?? '')");
    const vibe = hostNamed("vibe");
    const { hooks } = parse(vibe.register(registrationOf(vibe, "plugin"), undefined, undefined).settings ?? "") as { hooks: { command: string }[] };
    expect(execFileSync("sh", ["-c", hooks[0]?.command ?? ""], { encoding: "utf8", cwd: tmpdir(), env: { ...process.env, PLUGIN_ROOT: folder } })).toBe("pre_tool");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("managed settings of Claude Code keep what an administrator has there", () => {
  const claude = hostNamed("claude");
  expect(placeIn(claude.layoutIn("enforced", linux)!, "managed-settings.json")).toBe("/etc/claude-code/managed-settings.json");
  const before = '{\n  "allowManagedHooksOnly": true\n}\n';
  const wanted = { ...registrationOf(claude, "enforced"), denials: ["Edit(.claude/**)"] };
  const built = claude.register(wanted, file("managed-settings.json", before), undefined);
  expect(JSON.parse(built.settings ?? "")).toMatchObject({ allowManagedHooksOnly: true, permissions: { deny: ["Edit(.claude/**)"] }, hooks: { PreToolUse: [{ hooks: [{ command: "/usr/bin/env" }] }] } });
  expect(claude.register({ ...wanted, entries: [], denials: [] }, file("managed-settings.json", built.settings), file("ledger", built.ledger)).settings).toBe(before);
});

test("the value of Bob's EnforcedHooks is one line of JSON, the map of events itself", () => {
  const { settings = "" } = hostNamed("bob").register(registrationOf(hostNamed("bob"), "enforced"), undefined, undefined);
  expect(settings).toMatch(/^\{[^\n]*\}\n$/);
  expect(Object.keys(JSON.parse(settings) as object)).toEqual(["PreToolUse", "Stop"]);
  expect(settings).toContain("/usr/bin/node /etc/bob/policyc/guard.cjs PreToolUse || exit 2");
});

const posting = (url: string): HookEntry => ({ event: "Stop", tools: undefined, failClosed: false, timeout: 60, rules: [], posts: [{ url, timeout: 10 }], guarded: false });
const address = "https://api.example.com/webhooks/agent-events";

test("an address that Bob posts to itself is a handler of its own, and goes when the rule goes", () => {
  const bob = hostNamed("bob");
  const wanted: Registration = { ...registrationOf(bob, "project"), entries: [...registrationOf(bob, "project").entries.slice(0, 1), posting(address)] };
  const built = bob.register(wanted, undefined, undefined);
  const { hooks } = JSON.parse(built.settings ?? "") as { hooks: Record<string, unknown[]> };
  expect(hooks["Stop"]).toEqual([{ hooks: [{ type: "https", url: address, timeout: 10 }] }]);
  expect(bob.register(wanted, file("settings", built.settings), file("ledger", built.ledger))).toEqual(built);
  const moved = bob.register({ ...wanted, entries: [posting("https://api.example.com/v2")] }, file("settings", built.settings), file("ledger", built.ledger));
  expect(JSON.parse(moved.settings ?? "")).toEqual({ hooks: { Stop: [{ hooks: [{ type: "https", url: "https://api.example.com/v2", timeout: 10 }] }] } });
  expect(bob.register({ ...wanted, entries: [] }, file("settings", moved.settings), file("ledger", moved.ledger))).toEqual({ settings: undefined, ledger: undefined, diagnostics: [] });
});

test("one event may have the guard and several addresses", () => {
  const bob = hostNamed("bob");
  const entry: HookEntry = { ...posting(address), guarded: true, posts: [{ url: address, timeout: 10 }, { url: "https://example.org/", timeout: 5 }] };
  const built = bob.register({ ...registrationOf(bob, "project"), entries: [entry] }, undefined, undefined);
  const { hooks } = JSON.parse(built.settings ?? "") as { hooks: { Stop: { hooks: { type: string }[] }[] } };
  expect(hooks.Stop.map((group) => group.hooks[0]?.type)).toEqual(["command", "https", "https"]);
  expect(bob.register({ ...registrationOf(bob, "project"), entries: [entry] }, file("settings", built.settings), file("ledger", built.ledger))).toEqual(built);
  const fewer = bob.register({ ...registrationOf(bob, "project"), entries: [{ ...entry, posts: [{ url: "https://example.org/", timeout: 5 }] }] }, file("settings", built.settings), file("ledger", built.ledger));
  expect((JSON.parse(fewer.settings ?? "") as typeof hooks & { hooks: { Stop: unknown[] } }).hooks.Stop).toHaveLength(2);
});

test("an address of people's own stays theirs, built or taken back", () => {
  const bob = hostNamed("bob");
  const before = `{ "hooks": { "Stop": [ { "hooks": [ { "type": "https", "url": "${address}", "timeout": 10 } ] } ] } }\n`;
  const wanted: Registration = { ...registrationOf(bob, "project"), entries: [posting(address)] };
  const built = bob.register(wanted, file("settings", before), undefined);
  expect(built.settings).toBe(before);
  expect(bob.register({ ...wanted, entries: [] }, file("settings", built.settings), file("ledger", built.ledger)).settings).toBe(before);
});
