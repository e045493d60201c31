/** Guards as processes beside settings that somebody has changed since the build: the person hears of what counts, and of nothing else. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleRuntime } from "../src/bundle.ts";
import { compile } from "../src/compile.ts";
import type { Runtime } from "../src/compose.ts";
import type { Json } from "../src/guard/call.ts";
import { entryPrints } from "../src/guard/installed.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";

const library = { path: "std/self-protect.policy", text: readFileSync("stdlib/self-protect.policy", "utf8") };
const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-installed-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runtimes = new Map<string, Runtime>();
beforeAll(async () => {
  for (const host of hosts) runtimes.set(host.id, await bundleRuntime(host));
});

let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(folder, "project-"));
  home = mkdtempSync(join(folder, "home-"));
  const sources = { roots: [{ path: "main.policy", text: "use std/self-protect\n" }], load: () => library, today: "2026-11-30", policyc: "0.1.0", hosts };
  const { artefacts, diagnostics } = compile(sources, [], runtimes);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  for (const { path, text } of artefacts) if (text !== undefined) put(join(root, path), text);
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function hostOf(id: string): Host {
  const host = hosts.find((one) => one.id === id);
  if (host === undefined) throw new Error(`there is no host ${id}`);
  return host;
}

/** Rewrites the host's settings; JSON as a value, everything else as text. */
function change(id: string, edit: (settings: string) => string): void {
  const path = join(root, hostOf(id).layout.settings);
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

function changeJson(id: string, edit: (settings: { hooks: Record<string, { hooks: Record<string, Json>[] }[]> }) => void): void {
  change(id, (text) => {
    const settings = JSON.parse(text) as Parameters<typeof edit>[0];
    edit(settings);
    return JSON.stringify(settings);
  });
}

/** What the guard says at the event, as the host hears it; the guard is started as if its entry still were what was loaded. */
function heard(id: string, event: string): string | undefined {
  const host = hostOf(id);
  const payload = host.player.compose(event, undefined, {}, { cwd: root });
  const run = spawnSync(process.execPath, [join(root, host.layout.guard), event], { input: JSON.stringify(payload), encoding: "utf8", cwd: root, env: { PATH: process.env["PATH"], HOME: home } });
  const judgement = host.contract.judgeAnswer(event, { exitCode: run.status, stdout: run.stdout, stderr: run.stderr }, payload);
  expect({ breaches: judgement.breaches, effect: judgement.effect, stderr: run.stderr }).toEqual({ breaches: [], effect: "pass", stderr: "" });
  return judgement.notice ?? judgement.context;
}

const moments = [["claude", "SessionStart"], ["claude", "Stop"], ["claude", "SubagentStop"], ["vibe", "post_agent"], ["bob", "SessionStart"]] as const;

test.each(moments)("settings of %s as they were built are nothing to tell at %s, whatever stands beside our entries", (id, event) => {
  expect(heard(id, event)).toBeUndefined();
  if (id === "vibe") {
    change(id, (text) => `[other]\nkey = 1\n\n${text}\n[[hooks]]\nname = "lint"\ntype = "post_tool"\ncommand = "true"\n`.replaceAll("\n", "\r\n"));
  } else {
    changeJson(id, ({ hooks }) => {
      hooks["PreToolUse"]?.[0]?.hooks.push({ type: "command", command: "true" });
      hooks["PreToolUse"]?.unshift({ hooks: [{ type: "command", command: "true" }] });
    });
  }
  expect(heard(id, event)).toBeUndefined();
});

test.each(moments)("an entry of %s that is gone, weaker or unreadable is told at %s", (id, event) => {
  const { settings } = hostOf(id).layout;
  const before = id === "vibe" ? "pre_tool" : "PreToolUse";
  if (id === "vibe") change(id, (text) => text.replace("strict = true\n", ""));
  else changeJson(id, ({ hooks }) => (hooks["PreToolUse"]![0]!.hooks[0]!["timeout"] = 1));
  expect(heard(id, event)).toContain(`"${settings} does not hold the entry for ${before} as built"`);
  change(id, () => "{ broken");
  expect(heard(id, event)).toContain(`${settings} `);
  rmSync(join(root, settings));
  expect(heard(id, event)).toContain(`"${settings} cannot be read"`);
});

test("a switch counts in the first file that has it", () => {
  put(join(home, ".claude/settings.json"), `{ "disableAllHooks": true }`);
  expect(heard("claude", "Stop")).toContain("`disableAllHooks` in ~/.claude/settings.json switches hooks off");
  put(join(root, ".claude/settings.local.json"), `{ "disableAllHooks": false }`);
  expect(heard("claude", "Stop")).toBeUndefined();
  put(join(root, ".claude/settings.local.json"), `{ "disableAllHooks": true }`);
  expect(heard("claude", "SessionStart")).toContain("`disableAllHooks` in .claude/settings.local.json switches hooks off");
  put(join(root, ".claude/settings.local.json"), `{ "disableAllHooks": "no" }`);
  expect(heard("claude", "SessionStart")).toBeUndefined();
});

test("equal entries have equal prints whatever the layout of the text", () => {
  const group = { matcher: "Bash", hooks: [{ type: "command", command: "node", args: ["guard.cjs", "PreToolUse"] }] };
  const turned = { hooks: { PreToolUse: [{ hooks: [{ args: ["guard.cjs", "PreToolUse"], command: "node", type: "command" }], matcher: "Bash" }] } };
  const prints = (settings: Json) => entryPrints("groups", JSON.stringify(settings));
  expect(prints(turned)).toEqual(prints({ hooks: { PreToolUse: [group] } }));
  expect(prints({ PreToolUse: [group] })).toEqual(prints({ hooks: { PreToolUse: [group] } }));
  expect(prints({ hooks: { PreToolUse: [{ ...group, matcher: "Write" }] } })).not.toEqual(prints(turned));
  for (const odd of [[], "x", null, { hooks: [] }, { hooks: { PreToolUse: "x" } }, { hooks: { PreToolUse: [{ hooks: "x" }, "y"] } }]) expect(prints(odd).size).toBe(0);
});

test("a guard knows of its entries only where a rule asks", () => {
  const text = (policy: string): string => {
    const sources = { roots: [{ path: "main.policy", text: policy }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts: [hostOf("claude")] };
    return compile(sources, [], runtimes).artefacts.find(({ path }) => path.endsWith("guard.cjs"))?.text ?? "";
  };
  expect(text("tell user \"hello\" on stop\n")).not.toMatch(/^ *"?installed"?: /m);
  expect(text("tell user \"{tampering}\" on stop\n")).toMatch(/^ *"?installed"?: /m);
});
