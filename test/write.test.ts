import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOutput, removeEmptyFolders, writeChanges } from "../src/cli/write.ts";
import type { Change } from "../src/cli/write.ts";

let root: string;
const plain = { followLinks: false };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "policyc-write-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function guard(after: string | undefined, before?: string): Change {
  return { path: ".claude/policyc/guard.cjs", folder: "", before, after, shared: false };
}

function settings(after: string | undefined, before?: string): Change {
  return { path: ".claude/settings.json", folder: "", before, after, shared: true };
}

function put(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

function text(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function codes(changes: readonly Change[], links = plain): readonly string[] {
  return writeChanges(root, changes, links).map((diagnostic) => diagnostic.code);
}

test("new files are written with the folders they need and nothing else beside them", () => {
  expect(codes([guard("// guard\n"), settings("{}\n")])).toEqual([]);
  expect(text(".claude/policyc/guard.cjs")).toBe("// guard\n");
  expect(text(".claude/settings.json")).toBe("{}\n");
  expect(readdirSync(join(root, ".claude")).sort()).toEqual(["policyc", "settings.json"]);
  expect(readdirSync(join(root, ".claude/policyc"))).toEqual(["guard.cjs"]);
});

test("a replaced file keeps its mode", () => {
  put(".claude/settings.json", "{}");
  chmodSync(join(root, ".claude/settings.json"), 0o640);
  expect(codes([settings('{ "hooks": {} }', "{}")])).toEqual([]);
  expect(statSync(join(root, ".claude/settings.json")).mode & 0o777).toBe(0o640);
});

test("a file edited after it was read is left alone, and so are all others of the set", () => {
  put(".claude/settings.json", '{ "model": "opus" }');
  expect(codes([guard("// guard\n"), settings("{}", "{ }")])).toEqual(["write/changed-meanwhile"]);
  expect(text(".claude/settings.json")).toBe('{ "model": "opus" }');
  expect(existsSync(join(root, ".claude/policyc"))).toBe(false);
});

test("a file removed after it was read is not brought back", () => {
  expect(codes([settings("{}", "{ }")])).toEqual(["write/changed-meanwhile"]);
  expect(existsSync(join(root, ".claude"))).toBe(false);
});

test("what was already renamed gets its old text back when a later step fails", () => {
  put(".claude/settings.json", "old");
  chmodSync(join(root, ".claude/settings.json"), 0o600);
  // The second change expects the text that the first one has just replaced.
  expect(codes([guard("// guard\n"), settings("new", "old"), settings("newer", "old")])).toEqual(["write/changed-meanwhile"]);
  expect(text(".claude/settings.json")).toBe("old");
  expect(statSync(join(root, ".claude/settings.json")).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(root, ".claude"))).toEqual(["settings.json"]);
});

test("a folder in the place of a guard is refused and stays", () => {
  mkdirSync(join(root, ".claude/policyc/guard.cjs"), { recursive: true });
  expect(codes([settings("{}"), guard("// guard\n")])).toEqual(["write/refused"]);
  expect(existsSync(join(root, ".claude/settings.json"))).toBe(false);
  expect(statSync(join(root, ".claude/policyc/guard.cjs")).isDirectory()).toBe(true);
});

test("a FIFO in the place of a settings file is refused without waiting for a writer", () => {
  mkdirSync(join(root, ".claude"));
  execFileSync("mkfifo", [join(root, ".claude/settings.json")]);
  expect(codes([settings("{}")])).toEqual(["write/refused"]);
  expect(lstatSync(join(root, ".claude/settings.json")).isFIFO()).toBe(true);
});

test("a settings file that is no UTF-8 is refused and keeps its bytes", () => {
  const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
  mkdirSync(join(root, ".claude"));
  writeFileSync(join(root, ".claude/settings.json"), bytes);
  const existing = readOutput(root, settings(undefined), plain);
  expect(existing.kind === "refused" && existing.diagnostic.code).toBe("write/refused");
  expect(codes([settings("{}")])).toEqual(["write/refused"]);
  expect(readFileSync(join(root, ".claude/settings.json"))).toEqual(bytes);
});

test("a file in the place of a folder fails and everything else is undone", () => {
  put(".claude/policyc", "not a folder");
  put(".vibe/hooks.toml", "# mine\n");
  const hooks: Change = { path: ".vibe/hooks.toml", folder: "", before: "# mine\n", after: "# ours\n", shared: true };
  expect(codes([hooks, guard("// guard\n")])).toEqual(["write/failed"]);
  expect(text(".vibe/hooks.toml")).toBe("# mine\n");
  expect(readdirSync(join(root, ".vibe"))).toEqual(["hooks.toml"]);
});

test("a name the disk refuses leaves no temporary file and no new folder", () => {
  const long: Change = { path: `.vibe/${"x".repeat(250)}`, folder: "", before: undefined, after: "text", shared: false };
  expect(codes([guard("// guard\n"), long])).toEqual(["write/failed"]);
  expect(readdirSync(root)).toEqual([]);
});

test("no component below the root may be a link", () => {
  const outside = mkdtempSync(join(tmpdir(), "policyc-outside-"));
  symlinkSync(outside, join(root, ".claude"));
  for (const links of [plain, { followLinks: true }]) {
    expect(codes([guard("// guard\n")], links)).toEqual(["write/symlink"]);
    expect(codes([settings("{}")], links)).toEqual(["write/symlink"]);
  }
  expect(readdirSync(outside)).toEqual([]);
  rmSync(outside, { recursive: true });
});

test("a linked settings file is refused, and edited in its own place with --follow-symlinks", () => {
  const dotfiles = mkdtempSync(join(tmpdir(), "policyc-dotfiles-"));
  writeFileSync(join(dotfiles, "claude.json"), "{}");
  mkdirSync(join(root, ".claude"));
  symlinkSync(join(dotfiles, "claude.json"), join(root, ".claude/settings.json"));
  expect(codes([settings('{ "a": 1 }', "{}")])).toEqual(["settings/symlink"]);
  expect(readFileSync(join(dotfiles, "claude.json"), "utf8")).toBe("{}");
  expect(codes([settings('{ "a": 1 }', "{}")], { followLinks: true })).toEqual([]);
  expect(readFileSync(join(dotfiles, "claude.json"), "utf8")).toBe('{ "a": 1 }');
  expect(lstatSync(join(root, ".claude/settings.json")).isSymbolicLink()).toBe(true);
  rmSync(dotfiles, { recursive: true });
});

test("a linked guard is refused with --follow-symlinks as well", () => {
  put("elsewhere.cjs", "// mine\n");
  mkdirSync(join(root, ".claude/policyc"), { recursive: true });
  symlinkSync(join(root, "elsewhere.cjs"), join(root, ".claude/policyc/guard.cjs"));
  expect(codes([guard("// guard\n", "// mine\n")], { followLinks: true })).toEqual(["write/symlink"]);
  expect(text("elsewhere.cjs")).toBe("// mine\n");
});

test("a settings link that points at nothing is refused", () => {
  mkdirSync(join(root, ".claude"));
  symlinkSync(join(root, "nowhere.json"), join(root, ".claude/settings.json"));
  expect(codes([settings("{}")], { followLinks: true })).toEqual(["write/refused"]);
  expect(existsSync(join(root, "nowhere.json"))).toBe(false);
});

test("removing takes the file away and the folders that became empty, up to the first that is not", () => {
  put(".claude/policyc/guard.cjs", "// guard\n");
  put(".claude/commands/review.md", "mine");
  expect(codes([guard(undefined, "// guard\n")])).toEqual([]);
  expect(removeEmptyFolders(root, guard(undefined))).toEqual([".claude/policyc"]);
  expect(readdirSync(join(root, ".claude"))).toEqual(["commands"]);
});
