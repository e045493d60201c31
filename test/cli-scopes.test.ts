/** Building for the user and as a plugin with the real executable, and taking it away again. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { builtExecutable, runPolicyc } from "./executable.ts";

let root = "";
let home = "";

beforeAll(() => void builtExecutable());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "policyc-scopes-"));
  home = join(root, "home");
  mkdirSync(join(home, ".claude"), { recursive: true });
  mkdirSync(join(root, "project"));
  writeFileSync(join(root, "project/main.policy"), "deny bash when command ~ /rm\\s+-r/\n");
});
afterEach(() => rmSync(root, { recursive: true }));

function policyc(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return runPolicyc(words, { cwd: join(root, "project"), environment: { HOME: home, ...environment } });
}

test("a build for the user writes below home, keeps what is there, and comes off to the byte", () => {
  const before = '{\n\t"model": "opus"\n}\n';
  writeFileSync(join(home, ".claude/settings.json"), before);
  expect(policyc(["build", "--scope", "user"]).code).toBe(0);
  expect(existsSync(join(root, "project/.claude"))).toBe(false);
  const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8")) as { model: string; hooks: object };
  expect(settings.model).toBe("opus");
  expect(JSON.stringify(settings.hooks)).toContain(join(home, ".claude/policyc/user/guard.cjs"));
  expect(policyc(["build", "--scope", "user", "--check"]).code).toBe(0);
  expect(policyc(["verify", "--scope", "user", "--target", "claude"]).code).toBe(0);
  expect(policyc(["uninstall", "--scope", "user"]).code).toBe(0);
  expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe(before);
  expect([".claude/policyc", ".vibe/hooks.toml", ".bob/settings"].filter((path) => existsSync(join(home, path)))).toEqual([]);
});

test("the folder that CLAUDE_CONFIG_DIR names is used, and may itself be a link of dotfiles", () => {
  mkdirSync(join(root, "dotfiles/claude"), { recursive: true });
  symlinkSync(join(root, "dotfiles/claude"), join(home, "claude"));
  expect(policyc(["build", "--scope", "user", "--target", "claude"], { CLAUDE_CONFIG_DIR: join(home, "claude") }).code).toBe(0);
  expect(existsSync(join(root, "dotfiles/claude/policyc/user/guard.cjs"))).toBe(true);
  symlinkSync(join(root, "dotfiles"), join(home, ".claude/policyc"));
  expect(policyc(["build", "--scope", "user", "--target", "claude"])).toMatchObject({ code: 1, stderr: expect.stringContaining("write/symlink") as string });
});

test("guards of project and user stand side by side, each with entries of its own", () => {
  writeFileSync(join(home, "main.policy"), "deny bash when command ~ /rm\\s+-r/\n");
  expect(policyc(["build", "--scope", "user", "--target", "claude", home]).code).toBe(0);
  expect(policyc(["build", "--target", "claude", home]).code).toBe(0);
  const settings = readFileSync(join(home, ".claude/settings.json"), "utf8");
  expect(settings).toContain("${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs");
  expect(settings).toContain(".claude/policyc/user/guard.cjs");
  expect(policyc(["uninstall", "--target", "claude", home]).code).toBe(0);
  expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain(".claude/policyc/user/guard.cjs");
});

test("a plugin folder holds what Claude Code and Vibe look for in one", () => {
  expect(policyc(["build", "--scope", "plugin", "--out", join(root, "plugin")]).code).toBe(0);
  expect(JSON.parse(readFileSync(join(root, "plugin/.claude-plugin/plugin.json"), "utf8"))).toHaveProperty("name");
  expect(readFileSync(join(root, "plugin/hooks/hooks.json"), "utf8")).toContain("${CLAUDE_PLUGIN_ROOT}/policyc/claude/guard.cjs");
  expect(readFileSync(join(root, "plugin/ai.mistral.vibe/hooks.toml"), "utf8")).toContain("policyc/vibe/guard.cjs");
});

test("a scope, a version and a home folder that make no sense are wrong usage", () => {
  expect(policyc(["build", "--scope", "machine"]).code).toBe(2);
  expect(policyc(["build", "--min-version", "2.1"])).toMatchObject({ code: 2, stderr: expect.stringContaining("HOST=VERSION") as string });
  expect(policyc(["build", "--min-version", "cluade=2.1"])).toMatchObject({ code: 2, stderr: expect.stringContaining("claude") as string });
  expect(policyc(["build", "--scope", "user"], { HOME: "" }).code).toBe(2);
});

test("a vouched-for version registers the event that older clients do not know", () => {
  expect(policyc(["build", "--target", "claude", "--min-version", "claude=2.1.332"]).code).toBe(0);
  expect(readFileSync(join(root, "project/.claude/settings.json"), "utf8")).toContain("PreSkillShellCommand");
  expect(policyc(["build", "--target", "claude"]).code).toBe(0);
  expect(readFileSync(join(root, "project/.claude/settings.json"), "utf8")).not.toContain("PreSkillShellCommand");
});
