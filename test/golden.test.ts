/** Whole builds of `golden/<case>/input.policy` on top of `before/`, held against `expected/<host>/`. `UPDATE_GOLDEN=1` writes them. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../src/compile.ts";
import type { Artefact } from "../src/compile.ts";
import { sectionOf } from "../src/compose.ts";
import type { Runtime } from "../src/compose.ts";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import type { Host } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";

const root = "test/golden";
const cases = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

/** In place of the runtimes, so that an expected guard shows its header and its plan and nothing that other tests are for. */
const runtimes = new Map<string, Runtime>(hosts.map((host) => [host.id, (name) => sectionOf(name, name === "guard" ? `// the guard of ${host.title}\n` : "")]));

function filesIn(folder: string): readonly SourceFile[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => posix.join(entry.parentPath.replaceAll("\\", "/").slice(folder.length + 1), entry.name)).sort().map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
}

function filesBefore(name: string): readonly SourceFile[] {
  return readdirSync(join(root, name)).includes("before") ? filesIn(`${root}/${name}/before`) : [];
}

function build(name: string, existing: readonly SourceFile[]): readonly Artefact[] {
  const policy = { path: "main.policy", text: readFileSync(join(root, name, "input.policy"), "utf8") };
  const { artefacts, diagnostics } = compile({ roots: [policy], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts }, existing, runtimes);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return artefacts;
}

/** What stands on disk after a build: written over, taken away, or as it was. */
function apply(existing: readonly SourceFile[], artefacts: readonly Artefact[]): readonly SourceFile[] {
  const untouched = existing.filter((file) => artefacts.every((artefact) => artefact.path !== file.path));
  return [...untouched, ...artefacts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]))].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function ofHost(files: readonly SourceFile[], host: Host): readonly SourceFile[] {
  return files.filter((file) => [host.layout.guard, host.layout.settings, host.layout.ledger].includes(file.path));
}

if (process.env["UPDATE_GOLDEN"] === "1") {
  for (const name of cases) {
    rmSync(join(root, name, "expected"), { recursive: true, force: true });
    for (const host of hosts)
      for (const { path, text } of ofHost(apply(filesBefore(name), build(name, filesBefore(name))), host)) {
        mkdirSync(dirname(join(root, name, "expected", host.id, path)), { recursive: true });
        writeFileSync(join(root, name, "expected", host.id, path), text);
      }
  }
}

test("there are cases, and each says what it expects of every host", () => {
  expect(cases.length).toBeGreaterThan(3);
  for (const name of cases) expect(readdirSync(join(root, name, "expected")).sort()).toEqual(hosts.map((host) => host.id).sort());
});

test.each(cases)("a build of `%s` writes these files and nothing else", (name) => {
  const before = filesBefore(name);
  const after = apply(before, build(name, before));
  for (const host of hosts) {
    const expected = filesIn(`${root}/${name}/expected/${host.id}`);
    expect(ofHost(after, host).map(({ path }) => path)).toEqual(expected.map(({ path }) => path));
    for (const file of expected) expect(after.find(({ path }) => path === file.path)?.text).toBe(file.text);
  }
});

test.each(cases)("a second build of `%s` changes nothing", (name) => {
  const once = apply(filesBefore(name), build(name, filesBefore(name)));
  expect(apply(once, build(name, once))).toEqual(once);
});

test.each(cases.filter((name) => name !== "older-build"))("removing what a build of `%s` put in gives back every byte", (name) => {
  const before = filesBefore(name);
  const after = apply(before, build(name, before));
  for (const host of hosts) {
    const at = (path: string) => after.find((file) => file.path === path);
    const removed = host.register({ policy: "acme", scope: "project", entries: [], denials: [] }, at(host.layout.settings), at(host.layout.ledger));
    expect(removed.settings).toBe(before.find(({ path }) => path === host.layout.settings)?.text);
    expect(removed.ledger).toBeUndefined();
  }
});
