/** Events on which a policy only logs, marks, runs or forwards: their hook entries, with the guard there and without it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleRuntime } from "../src/bundle.ts";
import { compile } from "../src/compile.ts";
import type { Runtime } from "../src/compose.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-log-only-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runtimes = new Map<string, Runtime>();
beforeAll(async () => {
  for (const host of hosts) runtimes.set(host.id, await bundleRuntime(host));
});

const policy = `
policy acme
log to ".policyc/audit.jsonl" on any
mark stopped on stop
run "true" after bash
forward to "https://127.0.0.1:9/" on stop
  timeout 500ms
`;

interface Entry {
  readonly event: string;
  readonly line: string;
  /** What the entry says about a guard that fails. */
  readonly binding: unknown;
}

/** The entries of a settings text, as a host starts them in `sh`. */
function entriesOf(settings: string, root: string): readonly Entry[] {
  if (!settings.trimStart().startsWith("{")) {
    const { hooks } = parseToml(settings) as unknown as { readonly hooks: readonly { readonly type: string; readonly command: string; readonly strict?: boolean }[] };
    return hooks.map(({ type, command, strict }) => ({ event: type, line: command, binding: strict }));
  }
  interface Handler {
    readonly command: string;
    readonly args?: readonly string[];
    readonly onFailure?: string;
  }
  const { hooks } = JSON.parse(settings) as { readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly Handler[] }[]>> };
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) =>
      group.hooks.map(({ command, args = [], onFailure }) => ({ event, line: [command, ...args.map((word) => `'${word.replaceAll("${CLAUDE_PROJECT_DIR}", root)}'`)].join(" "), binding: onFailure })),
    ),
  );
}

function install(host: Host, text: string): { readonly root: string; readonly guard: string; readonly entries: readonly Entry[] } {
  const root = mkdtempSync(join(folder, `${host.id}-`));
  const sources = { roots: [{ path: "main.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts: [host] };
  const { artefacts, diagnostics } = compile(sources, [], runtimes);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  for (const artefact of artefacts) {
    mkdirSync(dirname(join(root, artefact.path)), { recursive: true });
    writeFileSync(join(root, artefact.path), artefact.text ?? "");
  }
  return { root, guard: join(root, host.layout.guard), entries: entriesOf(readFileSync(join(root, host.layout.settings), "utf8"), root) };
}

function start(entry: Entry, root: string, input: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", entry.line], { cwd: root, input, encoding: "utf8", env: { ...process.env, HOME: root, XDG_STATE_HOME: "" } });
  return { status, stdout, stderr };
}

test("an entry that only logs never stops anything, though its guard is missing, broken or fed with nonsense", () => {
  for (const host of hosts) {
    const { root, guard, entries } = install(host, policy);
    expect(entries.map(({ event }) => event)).toEqual(expect.arrayContaining([...host.facts.anyEvents]));
    expect(entries.filter(({ binding }) => binding !== undefined)).toEqual([]);
    for (const entry of entries) {
      const ended = start(entry, root, "nonsense");
      expect({ host: host.id, event: entry.event, ...ended, stderr: "" }).toEqual({ host: host.id, event: entry.event, status: 0, stdout: "", stderr: "" });
      expect(ended.stderr).toMatch(/^policyc: acme: [^\n]*\n$/);
    }
    const text = readFileSync(guard, "utf8");
    writeFileSync(guard, `throw new Error("broken");\n${text}`);
    // On every host 2 stops, and where nothing is said about failures no other code does.
    for (const entry of entries) expect(start(entry, root, "{}").status).toBe(1);
    rmSync(guard);
    for (const entry of entries) expect(start(entry, root, "{}").status).toBe(1);
  }
});

test("beside a rule that refuses the same entry holds when its guard is missing", () => {
  for (const host of hosts) {
    const { root, guard, entries } = install(host, `${policy}\ndeny bash when runs rm with -r\n`);
    rmSync(guard);
    const [before] = host.facts.events["before-tool"] ?? [];
    const entry = entries.find(({ event }) => event === before);
    expect(entry).toBeDefined();
    expect(entry!.binding !== undefined || start(entry!, root, "{}").status === 2).toBe(true);
  }
});

test("a call of each host is logged by its guard as the host starts it", () => {
  for (const host of hosts) {
    const { root, entries } = install(host, policy);
    const kinds = Object.entries(host.facts.events).flatMap(([kind, names]) => (names ?? []).map((name) => ({ kind, name })));
    const played = entries.filter(({ event }) => kinds.some(({ name }) => name === event));
    for (const entry of played) {
      const isTool = kinds.some(({ kind, name }) => name === entry.event && kind.endsWith("-tool"));
      const payload = host.player.compose(entry.event, isTool ? host.facts.tools.bash[0] : undefined, isTool ? { command: "echo hello" } : {}, { cwd: root });
      const ended = start(entry, root, JSON.stringify(payload));
      expect({ host: host.id, event: entry.event, status: ended.status, stdout: ended.stdout }).toEqual({ host: host.id, event: entry.event, status: 0, stdout: "" });
      // The dead endpoint is told, and nothing else.
      expect(ended.stderr.split("\n").filter((line) => line !== "" && !line.includes("nothing was sent to https://127.0.0.1:9/"))).toEqual([]);
    }
    const lines = readFileSync(join(root, ".policyc/audit.jsonl"), "utf8").trimEnd().split("\n");
    const events = lines.map((line) => (JSON.parse(line) as { attributes: Record<string, unknown> }).attributes["policyc.event"]);
    expect(events).toEqual(played.map(({ event }) => event));
  }
});
