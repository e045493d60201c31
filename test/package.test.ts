/** The package as users get it: packed, installed into an empty project, and run there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtExecutable } from "./executable.ts";

const project = mkdtempSync(join(tmpdir(), "policyc-package-"));

function run(command: string, args: readonly string[], cwd: string): string {
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== "CLAUDECODE" && name !== "AI_AGENT"));
  // A cache of its own: whatever the machine's holds, and whoever may write it.
  const env = { ...rest, npm_config_cache: join(project, ".cache"), npm_config_update_notifier: "false" };
  return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

beforeAll(() => {
  builtExecutable();
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], process.cwd())) as readonly { readonly filename: string }[];
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "acme", version: "1.0.0", private: true }));
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${packed?.filename}`], project);
  mkdirSync(join(project, "policy"));
  writeFileSync(
    join(project, "policy/main.policy"),
    `policy acme\nuse std/git\n\ndeny bash when command ~ /rm\\s+-r/\n  id no-recursive-rm\n  example deny "rm -r build"\n  example pass "ls"\n`,
  );
});
afterAll(() => rmSync(project, { recursive: true }));

test("the installed package brings nothing else along", () => {
  expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["policyc"]);
});

test("the installed package builds guards that refuse what the policy refuses", () => {
  run("npx", ["--no-install", "policyc", "build"], project);
  const payload = { session_id: "s", transcript_path: "/t", cwd: project, hook_event_name: "pre_tool", tool_name: "file_system.bash", tool_call_id: "c", parent_session_id: null };
  const answer = (command: string) =>
    execFileSync("node", [".vibe/policyc/guard.cjs", "pre_tool"], { cwd: project, encoding: "utf8", input: JSON.stringify({ ...payload, tool_input: { command } }) });
  expect(JSON.parse(answer("rm -r build"))).toMatchObject({ decision: "deny" });
  expect(JSON.parse(answer("git -C web push --force"))).toMatchObject({ decision: "deny" });
  expect(answer("git push origin topic")).toBe("");
});

test("the installed package runs the examples through its own guards", () => {
  expect(run("npx", ["--no-install", "policyc", "test", "--sample", "1"], project)).toMatch(/\d+ passed, 0 failed\n$/);
});
