/** The real executable, as people and CI run it. */
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { checksumOf } from "../src/compose.ts";
import { builtExecutable, executableForAll, runPolicyc } from "./executable.ts";
import type { RunOptions } from "./executable.ts";

const founding = "policy acme\n\ndeny bash when command ~ /rm\\s+-r/\n  id no-recursive-rm\n";

let root: string;

beforeAll(() => void builtExecutable());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "policyc-cli-"));
  // Other users of this machine must be able to enter it: one test starts policyc as one.
  chmodSync(root, 0o755);
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function policyc(words: readonly string[], options: Partial<RunOptions> = {}) {
  return runPolicyc(words, { cwd: root, ...options });
}

/** Every file below the root with its text. */
function tree(): Readonly<Record<string, string>> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).sort().map((path) => [path, read(path)]));
}

interface BuildJson {
  readonly projects: readonly { readonly root: string; readonly read: readonly string[]; readonly outputs: readonly { readonly host: string; readonly path: string; readonly state: string; readonly cause?: string }[] }[];
  readonly diagnostics: readonly { readonly code: string; readonly file: string | null }[];
}

function buildJson(words: readonly string[], options: Partial<RunOptions> = {}): BuildJson & { readonly code: number | null } {
  const run = policyc(["build", ...words, "--format", "json"], options);
  return { ...(JSON.parse(run.stdout) as BuildJson), code: run.code };
}

function codes(found: BuildJson): readonly string[] {
  return found.diagnostics.map((diagnostic) => diagnostic.code);
}

function guardAnswer(host: string, event: string, payload: object) {
  const run = runPolicyc([event], { cwd: root, executable: join(root, `.${host}/policyc/guard.cjs`), input: JSON.stringify(payload) });
  return run;
}

test("the founding rule builds verbatim for three hosts and refuses `rm -r build` in each host's own terms", () => {
  put("policy/main.policy", "deny bash when command ~ /rm\\s+-r/\n");
  expect(policyc(["build"]).code).toBe(0);
  const claude = { session_id: "s", transcript_path: "/t", cwd: root, permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "t" };
  expect(guardAnswer("claude", "PreToolUse", { ...claude, tool_input: { command: "ls" } })).toEqual({ code: 0, stdout: "", stderr: "" });
  const refused = guardAnswer("claude", "PreToolUse", { ...claude, tool_input: { command: "rm -r build" } });
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  const vibe = guardAnswer("vibe", "pre_tool", { session_id: "s", cwd: root, hook_event_name: "pre_tool", tool_name: "file_system.bash", tool_call_id: "t", tool_input: { command: "rm -r build" } });
  expect(vibe.code).toBe(0);
  expect(JSON.parse(vibe.stdout)).toMatchObject({ decision: "deny" });
  const bob = guardAnswer("bob", "PreToolUse", { session_id: "s", cwd: root, hook_event_name: "PreToolUse", tool_name: "execute_command", tool_use_id: "t", tool_input: { command: "rm -r build" } });
  expect(bob).toMatchObject({ code: 2, stdout: "" });
  expect(bob.stderr).not.toBe("");
});

test("a second build writes nothing and says so", () => {
  put("policy/main.policy", founding);
  expect(policyc(["build"]).stdout).toMatch(/Wrote 9 files/);
  const before = tree();
  const times = Object.keys(before).map((path) => statSync(join(root, path)).mtimeMs);
  const again = policyc(["build"]);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/Nothing to write/);
  expect(tree()).toEqual(before);
  expect(Object.keys(before).map((path) => statSync(join(root, path)).mtimeMs)).toEqual(times);
});

test("the summary lists every file read, every rule on every host, accepted gaps and disabled rules", () => {
  put("policy/main.policy", `policy acme\nuse "../team.policy" with disable\n\nask bash when command contains "npm install"\n  id installs\n  else deny\n\nallow bash when command == "ls"\n  id list\n  else skip\n`);
  put("team.policy", `policy team\n\ndeny bash when command ~ /rm\\s+-r/\n  id no-rm\n\ndeny bash when command contains "dd"\n  id no-dd\n\ndisable team.no-dd because "The release job writes images"\ndisable no-rm because "The clone is thrown away" until "2099-01-31"\n`);
  const run = policyc(["build"]);
  expect(run.stderr).toBe("");
  const words = run.stdout.replace(/ +/g, " ");
  expect(words).toContain("\n policy/main.policy\n team.policy\n");
  expect(words).toMatch(/installs ask bash ask deny deny\n/);
  expect(words).toMatch(/list allow bash allow skip skip\n/);
  expect(words).toMatch(/no-rm deny bash deny deny deny\n/);
  expect(words).toMatch(/Accepted gaps\n \S+installs no `ask` on vibe, bob deny stands in\n \S+list no `allow` on vibe, bob the rule does nothing there\n/);
  expect(words).toMatch(/Disabled\n \S*no-dd The release job writes images\n \S*no-rm The clone is thrown away enforced again from 2099-01-31\n/);
});

test("--target narrows the hosts, and a mistyped host is wrong usage with the near name", () => {
  put("main.policy", founding);
  expect(policyc(["build", "--target", "vibe, bob"]).code).toBe(0);
  expect(readdirSync(root).sort()).toEqual([".bob", ".vibe", "main.policy"]);
  const wrong = policyc(["build", "--target", "vibes"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("did you mean `vibe`?");
});

test("a folder with a `policy` folder is read from there, another from beside, and files by name into one guard", () => {
  put("api/policy/b.policy", founding);
  put("api/policy/a.policy", "policy first\n\ndeny write when path == \"x\"\n");
  put("api/ignored.policy", "this is no policy\n");
  put("api/policy/a.test.policy", "this is no policy either\n");
  put("web/main.policy", founding);
  const built = buildJson(["api", "web"]);
  expect(built.code).toBe(0);
  expect(built.projects.map((project) => [project.root, project.read])).toEqual([
    ["api", ["policy/a.policy", "policy/b.policy"]],
    ["web", ["main.policy"]],
  ]);
  const files = buildJson(["web/main.policy", "api/policy/a.policy", "--out", "dist", "--target", "bob"]);
  expect(files.projects.map((project) => [project.root, project.read])).toEqual([["dist", ["../api/policy/a.policy", "../web/main.policy"]]]);
  expect(existsSync(join(root, "dist/.bob/policyc/guard.cjs"))).toBe(true);
  expect(policyc(["verify", "web/main.policy", "api/policy/a.policy", "--out", "dist", "--target", "bob"])).toMatchObject({ code: 0, stderr: "" });
});

test("a guard does not depend on where policyc was started", () => {
  put("api/policy/main.policy", founding);
  expect(policyc(["build", "api"]).code).toBe(0);
  const guard = read("api/.claude/policyc/guard.cjs");
  expect(guard).not.toContain(root);
  expect(policyc(["build", "--check"], { cwd: join(root, "api") }).code).toBe(0);
  expect(policyc(["build", "--check", join(root, "api")], { cwd: tmpdir() }).code).toBe(0);
});

test("findings name the file as seen from where policyc was started", () => {
  put("api/policy/main.policy", "deny bsh when command ~ /x/\n");
  const found = buildJson(["api"]);
  expect(found.code).toBe(1);
  expect(found.diagnostics[0]).toMatchObject({ code: "check/unknown-name", file: "api/policy/main.policy" });
});

test("with an error nothing is written, in no project", () => {
  put("api/policy/main.policy", founding);
  put("web/policy/main.policy", "deny bsh\n");
  const before = tree();
  const run = policyc(["build", "api", "web"]);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("check/unknown-name");
  expect(run.stderr).toContain("nothing was written");
  expect(tree()).toEqual(before);
});

test("a file reached by `use` is no root, and an import that is not there is an error", () => {
  put("policy/a.policy", `policy lib\n\ndeny bash when command ~ /mkfs/\n  id no-mkfs\n`);
  put("policy/b.policy", `policy acme\nuse "./a.policy"\n`);
  const built = policyc(["build", "--target", "bob"]);
  expect(built.code).toBe(0);
  expect(built.stdout).toMatch(/^acme: 1 rule /);
  put("policy/b.policy", `use "./gone.policy"\n`);
  expect(codes(buildJson([]))).toContain("check/unknown-name");
});

test("--check names the cause for every file and writes nothing", () => {
  put("policy/main.policy", founding);
  const causes = () => {
    const before = tree();
    const found = buildJson(["--check", "--target", "claude"]);
    expect(tree()).toEqual(before);
    return { code: found.code, causes: Object.fromEntries(found.projects[0]!.outputs.map((output) => [output.path, output.cause])) };
  };
  const guard = ".claude/policyc/guard.cjs";
  const settings = ".claude/settings.json";
  expect(causes()).toMatchObject({ code: 1, causes: { [guard]: "missing", [settings]: "missing" } });

  policyc(["build"]);
  expect(causes()).toEqual({ code: 0, causes: { [guard]: undefined, [settings]: undefined, ".claude/policyc/installed.json": undefined } });

  put("policy/main.policy", founding.replace("rm", "mv"));
  expect(causes()).toMatchObject({ code: 1, causes: { [guard]: "policy changed" } });
  put("policy/main.policy", founding);

  const made = read(guard);
  put(guard, made.replace('"deny"', '"allow"'));
  expect(causes()).toMatchObject({ code: 1, causes: { [guard]: "edited by hand" } });
  const older = made.replace(/made by policyc \S+\.$/m, "made by policyc 0.0.1.").replace(/^(\/\/ Checksum: )\w+$/m, "$1");
  put(guard, older.replace("// Checksum: ", `// Checksum: ${checksumOf(older)}`));
  expect(causes()).toMatchObject({ code: 1, causes: { [guard]: "other policyc version" } });
  put(guard, "// nothing of ours\n");
  expect(causes()).toMatchObject({ code: 1, causes: { [guard]: "edited by hand" } });
  put(guard, made);

  const entries = read(settings);
  put(settings, entries.replace('"block"', '"allow"'));
  expect(causes()).toMatchObject({ code: 1, causes: { [guard]: undefined, [settings]: "edited by hand" } });
  put(settings, "{}\n");
  expect(causes()).toMatchObject({ code: 1, causes: { [settings]: "no entries" } });
});

test("--check shows the difference, cut short unless --diff is given", () => {
  put("policy/main.policy", founding);
  policyc(["build"]);
  put("policy/main.policy", founding.replace("rm", "mv"));
  const changed = policyc(["build", "--check"]);
  expect(changed.code).toBe(1);
  expect(changed.stdout).toMatch(/^--- \.claude\/policyc\/guard\.cjs \(on disk\)$/m);
  expect(changed.stdout).toMatch(/^-.*rm\\\\s\+-r/m);
  expect(changed.stdout).toMatch(/^\+.*mv\\\\s\+-r/m);
  put(".bob/policyc/guard.cjs", "// nothing\n");
  rmSync(join(root, ".vibe/policyc/guard.cjs"));
  const more = policyc(["build", "--check"]).stdout;
  expect(more).toMatch(/… \d+ more lines; --diff shows all/);
  expect(more).toMatch(/^\+\+\+ \.vibe\/policyc\/guard\.cjs \(new, \d+ lines\)$/m);
  expect(policyc(["build", "--check", "--diff"]).stdout).not.toContain("more lines");
});

test("changed line ends are no difference", () => {
  put("policy/main.policy", founding);
  policyc(["build"]);
  for (const path of Object.keys(tree())) if (path.startsWith(".")) put(path, read(path).replaceAll("\n", "\r\n"));
  expect(policyc(["build", "--check"]).code).toBe(0);
  const before = tree();
  expect(policyc(["build"]).stdout).toMatch(/Nothing to write/);
  expect(tree()).toEqual(before);
});

test("foreign hooks, comments and layout stay, and uninstall gives back the original bytes", () => {
  const settings = `{\n   "model": "opus",\n   "hooks": {\n      "PreToolUse": [ { "matcher": "Write", "hooks": [ { "type": "command", "command": "./lint.sh" } ] } ]\n   }\n}`;
  const hooks = `# Our own hooks\r\n[[hooks]]\r\nname = "lint" # keep\r\ntype = "post_tool"\r\ncommand = "./lint.sh"\r\n`;
  put("policy/main.policy", founding);
  put(".claude/settings.json", settings);
  put(".vibe/hooks.toml", hooks);
  put(".bob/policyc/notes.txt", "mine\n");
  const before = tree();
  expect(policyc(["build"]).code).toBe(0);
  expect(read(".vibe/hooks.toml")).toContain(`# Our own hooks\r\n[[hooks]]\r\nname = "lint" # keep\r\n`);
  expect(JSON.parse(read(".claude/settings.json")).hooks.PreToolUse).toHaveLength(2);
  const removed = policyc(["uninstall"]);
  expect(removed.code).toBe(0);
  expect(tree()).toEqual(before);
  expect(removed.stdout).toMatch(/left\s+\.bob\/policyc\//);
  expect(readdirSync(join(root, ".claude"))).toEqual(["settings.json"]);
});

test("uninstall removes every folder it made and works without a policy", () => {
  put("policy/main.policy", founding);
  policyc(["build"]);
  rmSync(join(root, "policy"), { recursive: true });
  expect(policyc(["uninstall"]).code).toBe(0);
  expect(readdirSync(root)).toEqual([]);
  expect(policyc(["uninstall"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to take away") as string });
});

test("uninstall of one host leaves the others", () => {
  put("policy/main.policy", founding);
  policyc(["build"]);
  expect(policyc(["uninstall", "--target", "bob"]).code).toBe(0);
  expect(readdirSync(root).sort()).toEqual([".claude", ".vibe", "policy"]);
});

test("an agent may build first and check, but neither change guards in place nor take them away", () => {
  put("policy/main.policy", founding);
  for (const environment of [{ CLAUDECODE: "1" }, { AI_AGENT: "some-agent" }]) {
    expect(policyc(["build"], { environment }).code).toBe(0);
    expect(policyc(["build", "--check"], { environment }).code).toBe(0);
    put("policy/main.policy", `${founding}\ndeny bash when command ~ /mkfs/\n`);
    const before = tree();
    expect(policyc(["build", "--check"], { environment }).code).toBe(1);
    expect(policyc(["build"], { environment })).toMatchObject({ code: 2, stderr: expect.stringContaining("--allow-agent") as string });
    expect(policyc(["uninstall"], { environment })).toMatchObject({ code: 2, stderr: expect.stringContaining("--allow-agent") as string });
    rmSync(join(root, ".vibe/policyc"), { recursive: true });
    expect(policyc(["build"], { environment }).code).toBe(2);
    expect(existsSync(join(root, ".vibe/policyc"))).toBe(false);
    expect(read(".claude/policyc/guard.cjs")).toBe(before[".claude/policyc/guard.cjs"]);
    expect(policyc(["build", "--allow-agent"], { environment }).code).toBe(0);
    expect(policyc(["uninstall", "--allow-agent"], { environment }).code).toBe(0);
    put("policy/main.policy", founding);
  }
});

test("the guard of a host that no policy targets any more is named and stays", () => {
  put("policy/main.policy", founding);
  policyc(["build"]);
  put("policy/main.policy", founding.replace("policy acme", "policy acme\ntarget claude"));
  const run = policyc(["build"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("policyc uninstall --target vibe");
  expect(existsSync(join(root, ".vibe/policyc/guard.cjs"))).toBe(true);
});

test("missing paths and folders without a policy are wrong usage", () => {
  for (const command of ["build", "check", "test", "verify"]) {
    expect(policyc([command, "nowhere"])).toMatchObject({ code: 2, stderr: expect.stringContaining("`nowhere`") as string });
    expect(policyc([command])).toMatchObject({ code: 2, stderr: expect.stringContaining("no .policy file") as string });
  }
  mkdirSync(join(root, "policy"));
  put("main.policy", founding);
  expect(policyc(["build"])).toMatchObject({ code: 2, stderr: expect.stringContaining("`policy` holds no .policy file") as string });
  expect(policyc(["uninstall", "nowhere"]).code).toBe(2);
  put("notes.txt", "deny bash\n");
  put("main.test.policy", "");
  expect(policyc(["build", "notes.txt"])).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a .policy file") as string });
  expect(policyc(["build", "main.test.policy"]).code).toBe(2);
  expect(policyc(["build", "main.policy", "."]).code).toBe(2);
  expect(policyc(["build", "main.policy", "policy", "--out", "x"]).code).toBe(2);
  expect(policyc(["build", "main.policy", "--out", "notes.txt"])).toMatchObject({ code: 2, stderr: expect.stringContaining("`--out` names a folder") as string });
});

test("a policy that has lost its rules takes its guards away, and the build says so", () => {
  put("main.policy", founding);
  policyc(["build"]);
  put("main.policy", "policy acme\n");
  expect(policyc(["build"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Removed 9 files.") as string });
  expect(readdirSync(root)).toEqual(["main.policy"]);
});

test("a policy that cannot be read as text is an error that names it, and nothing is written", () => {
  const cases: readonly (readonly [string, () => void])[] = [
    ["is a folder", () => mkdirSync(join(root, "policy/bad.policy"))],
    ["is not a regular file", () => void execFileSync("mkfifo", [join(root, "policy/bad.policy")])],
    ["is not UTF-8 text (line 2)", () => put("policy/bad.policy", Buffer.from([0x23, 0x20, 0x0a, 0xff, 0xfe]))],
    ["is larger than 1 MB", () => put("policy/bad.policy", `# ${"x".repeat(1024 * 1024)}\n`)],
    ["is a link that points at nothing", () => symlinkSync(join(root, "gone.policy"), join(root, "policy/bad.policy"))],
    ["is a link to something that is not a .policy file", () => symlinkSync("/etc/passwd", join(root, "policy/bad.policy"))],
  ];
  put("policy/main.policy", founding);
  for (const [why, make] of cases) {
    make();
    const run = policyc(["build"]);
    expect(run.stderr).toContain("source/unreadable");
    expect(run.stderr).toContain(why);
    expect(run.stderr).not.toContain("root:");
    expect(run.code).toBe(1);
    expect(existsSync(join(root, ".claude"))).toBe(false);
    rmSync(join(root, "policy/bad.policy"), { recursive: true });
  }
});

test("settings that a host cannot read stay byte for byte", () => {
  put("policy/main.policy", founding);
  for (const [path, text] of [[".claude/settings.json", '{ "hooks": '], [".claude/settings.json", '{ // mine\n  "hooks": {} }'], [".vibe/hooks.toml", "[[hooks]\n"], [".bob/settings.json", "[1, 2]"]] as const) {
    put(path, text);
    const built = buildJson([]);
    expect(built.code).toBe(1);
    expect(codes(built).every((code) => code.startsWith("settings/"))).toBe(true);
    expect(tree()).toEqual({ "policy/main.policy": founding, [path]: text });
    rmSync(join(root, dirname(path)), { recursive: true });
  }
});

test("settings of a host that is not built are not looked at", () => {
  put("policy/main.policy", founding.replace("policy acme", "policy acme\ntarget vibe"));
  put(".claude/settings.json", "{ broken");
  mkdirSync(join(root, ".bob/policyc/guard.cjs"), { recursive: true });
  expect(policyc(["build"]).code).toBe(0);
  expect(read(".claude/settings.json")).toBe("{ broken");
});

test("an output path that holds a folder is refused and everything else is left alone", () => {
  put("policy/main.policy", founding);
  mkdirSync(join(root, ".vibe/policyc/guard.cjs"), { recursive: true });
  const built = buildJson([]);
  expect(built.code).toBe(1);
  expect(codes(built)).toEqual(["write/refused"]);
  expect(existsSync(join(root, ".claude"))).toBe(false);
});

test("a linked host folder is refused, a linked settings file only without --follow-symlinks", () => {
  const outside = join(root, "dotfiles");
  mkdirSync(outside);
  put("project/policy/main.policy", founding);
  symlinkSync(outside, join(root, "project/.claude"));
  expect(codes(buildJson(["project"]))).toContain("write/symlink");
  expect(codes(buildJson(["project", "--follow-symlinks"]))).toContain("write/symlink");
  expect(readdirSync(outside)).toEqual([]);
  expect(policyc(["uninstall", "project"])).toMatchObject({ code: 1, stderr: expect.stringContaining("write/symlink") as string });

  rmSync(join(root, "project/.claude"));
  mkdirSync(join(root, "project/.claude"));
  put("dotfiles/claude.json", '{ "model": "opus" }\n');
  symlinkSync(join(outside, "claude.json"), join(root, "project/.claude/settings.json"));
  expect(codes(buildJson(["project"]))).toEqual(["settings/symlink"]);
  expect(read("dotfiles/claude.json")).toBe('{ "model": "opus" }\n');
  expect(policyc(["build", "project", "--follow-symlinks"]).code).toBe(0);
  expect(lstatSync(join(root, "project/.claude/settings.json")).isSymbolicLink()).toBe(true);
  expect(read("dotfiles/claude.json")).toContain("guard.cjs");
  expect(policyc(["uninstall", "project", "--follow-symlinks"]).code).toBe(0);
  expect(read("dotfiles/claude.json")).toBe('{ "model": "opus" }\n');
});

test("an output folder reached through a link above the root is an ordinary one", () => {
  put("real/policy/main.policy", founding);
  symlinkSync(join(root, "real"), join(root, "alias"));
  expect(policyc(["build", "alias"]).code).toBe(0);
  expect(existsSync(join(root, "real/.claude/policyc/guard.cjs"))).toBe(true);
});

test("a read-only folder or settings file makes the build fail and loses nothing", () => {
  put("policy/main.policy", founding);
  put(".claude/settings.json", "{}\n");
  const installation = mkdtempSync(join(tmpdir(), "policyc-for-all-"));
  onTestFinished(() => rmSync(installation, { recursive: true }));
  const asRoot = process.getuid?.() === 0;
  const uid = asRoot ? 65534 : undefined;
  if (uid !== undefined) for (const path of ["", "policy", "policy/main.policy", ".claude", ".claude/settings.json"]) chownSync(join(root, path), uid, uid);
  const someone = uid === undefined ? {} : { uid, executable: executableForAll(installation) };
  chmodSync(join(root, ".claude"), 0o555);
  const before = tree();
  expect(codes(buildJson([], someone))).toEqual(["write/failed"]);
  expect(tree()).toEqual(before);
  chmodSync(join(root, ".claude"), 0o755);
  chmodSync(join(root, ".claude/settings.json"), 0o444);
  expect(codes(buildJson([], someone))).toEqual(["write/failed"]);
  expect(tree()).toEqual(before);
  chmodSync(join(root, ".claude"), 0o000);
  expect(codes(buildJson([], someone))).toEqual(["write/refused", "write/refused", "write/refused"]);
  chmodSync(join(root, ".claude"), 0o755);
  chmodSync(join(root, "policy/main.policy"), 0o000);
  expect(policyc(["build"], someone)).toMatchObject({ code: 1, stderr: expect.stringContaining("source/unreadable") as string });
  chmodSync(join(root, "policy"), 0o000);
  const closed = policyc(["build"], someone);
  // Nobody but root could remove it as it is.
  chmodSync(join(root, "policy"), 0o755);
  expect(closed).toMatchObject({ code: 2, stderr: expect.stringContaining("may not be accessed") as string });
});

test("check prints warnings whole and exits by errors, in every format", () => {
  put("policy/main.policy", `deny bash when command ~ /rm\\s+-r/\n  severity high\n`);
  const text = policyc(["check"]);
  expect(text.code).toBe(0);
  expect(text.stdout).toContain("warning host/no-backstop");
  expect(text.stdout).toContain("Checked 1 file");
  const json = JSON.parse(policyc(["check", "--format", "json"]).stdout) as readonly { readonly code: string }[];
  expect(json.map((diagnostic) => diagnostic.code)).toContain("host/no-backstop");
  expect(policyc(["check", "--format", "github"]).stdout).toContain("::warning file=policy/main.policy,line=1");
  expect(policyc(["build"]).stdout.replace(/ +/g, " ")).toMatch(/\nwarning host\/no-backstop 1x\n/);
});

test("an example that fails stops build, check and test", () => {
  put("policy/main.policy", `${founding}  example deny "ls"\n`);
  for (const command of ["build", "check"]) {
    const run = policyc([command]);
    expect(run.code).toBe(1);
    expect(run.stdout + run.stderr).toContain("test/example-failed");
  }
  const run = policyc(["test"]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/\n3 passed, 3 failed\n$|, [1-9]\d* failed\n$/);
});

test("test runs every example in process and through guards, and ends with the counts", () => {
  put("policy/main.policy", `${founding}  example deny "rm -r build"\n  example pass "ls"\n\ndeny write when path == "x"\n  id no-x\n  example deny "x"\n`);
  expect(policyc(["test"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n18 passed, 0 failed\n$/) as string });
  expect(policyc(["test", "--filter", "no-x"]).stdout).toMatch(/\n6 passed, 0 failed\n$/);
  expect(policyc(["test", "--sample", "1", "--filter", "recursive"]).stdout).toMatch(/\n9 passed, 0 failed\n$/);
  const json = JSON.parse(policyc(["test", "--format", "json"]).stdout) as { readonly passed: number; readonly failed: number; readonly cases: readonly { readonly through: string }[] };
  expect([json.passed, json.failed]).toEqual([18, 0]);
  expect(json.cases.filter((one) => one.through === "guard")).toHaveLength(9);
  const junit = policyc(["test", "--format", "junit"]).stdout;
  expect(junit).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="18" failures="0" errors="0">/);
  expect(junit).toContain("deny &quot;rm -r build&quot; (claude, guard)");
  expect(policyc(["test", "--filter", "no-y"])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--filter no-y") as string });
});

test("results name the file as seen from where policyc was started, in every project", () => {
  for (const project of ["web", "api"]) put(`${project}/policy/main.policy`, `${founding}  example deny "rm -r build"\n`);
  put("api/policy/main.test.policy", 'test "rm -r is refused"\n  given bash "rm -r build"\n  expect deny\n');
  const { cases } = JSON.parse(policyc(["test", "web", "api", "--sample", "0", "--format", "json"]).stdout) as { readonly cases: readonly { readonly source: string }[] };
  expect([...new Set(cases.map(({ source }) => source))].sort()).toEqual(["api/policy/main.policy:5", "api/policy/main.test.policy:1", "web/policy/main.policy:5"]);
});

test("what the formats for programs hold is what the README says", () => {
  put("policy/main.policy", `${founding}  example deny "rm -r build"\n`);
  put("broken/main.policy", "deny bsh\n");
  const json = (...words: readonly string[]): unknown => JSON.parse(policyc([...words, "--format", "json"]).stdout);
  const keys = (value: unknown): readonly string[] => Object.keys(value as object);
  const first = (value: unknown, key: string): unknown => (value as Record<string, readonly unknown[]>)[key]?.[0];
  const [build, tested, call, code] = [json("build", "--target", "bob"), json("test", "--sample", "0"), json("explain", "--tool", "bash", "--text", "ls"), json("explain", "settings/symlink")];
  const printed = {
    check: keys((json("check", "broken") as readonly unknown[])[0]),
    build: [...keys(build), ...keys(first(build, "projects"))],
    test: [...keys(tested), "coverage", ...keys(first(tested, "cases")), "message"],
    verify: keys(json("verify", "--target", "bob")),
    explain: [...keys(call), ...keys(code)],
  };
  const row = (command: string): string => readFileSync("README.md", "utf8").split("\n").find((line) => line.startsWith(`| \`json\` | \`${command}\` |`)) ?? "";
  const written = (command: string): readonly string[] => [...(row(command).split("|")[3] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "").filter((word) => word !== "null");
  for (const [command, words] of Object.entries(printed)) expect(new Set(written(command)), command).toEqual(new Set(words));
});

test("a test file is never passed over in silence", () => {
  put("policy/main.policy", founding);
  put("policy/main.test.policy", 'test "rm -r passes"\n  given bash "rm -r build"\n  expect pass\n');
  expect(policyc(["build"]).code).toBe(0);
  expect(policyc(["test"])).toMatchObject({ code: 1, stdout: expect.stringContaining("policy/main.test.policy") as string });
});

test("explain tells a code's long text and the near ones of a mistyped code", () => {
  expect(policyc(["explain", "settings/symlink"])).toMatchObject({ code: 0, stdout: expect.stringContaining("--follow-symlinks") as string });
  expect(policyc(["explain", "symlink"])).toMatchObject({ code: 2, stderr: expect.stringContaining("`settings/symlink`") as string });
  expect(policyc(["explain", "check/unknwon-name"])).toMatchObject({ code: 2, stderr: expect.stringContaining("`check/unknown-name`") as string });
  expect(policyc(["explain"]).code).toBe(2);
});

test("explain tells what every rule says about a call and which test decided", () => {
  put("policy/main.policy", `${founding}\ndeny write unless path matches "src/**" or path == "README.md"\n  id only-src\n`);
  const text = policyc(["explain", "--tool", "bash", "--text", "rm -r build"]);
  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(/^Claude Code, PreToolUse, Bash: deny\n/);
  expect(text.stdout).toContain("when    true  command ~ /rm\\s+-r/");
  expect(text.stdout).toContain("Commands found\n  rm");
  const json = JSON.parse(policyc(["explain", "--tool", "write", "--text", "lib/a.ts", "--host", "vibe", "--format", "json"]).stdout) as {
    readonly decision: string;
    readonly rules: readonly { readonly id: string; readonly outcome: string; readonly conditions: readonly object[] }[];
  };
  expect(json.decision).toBe("deny");
  expect(json.rules.find((rule) => rule.id === "acme/only-src")).toMatchObject({
    outcome: "fires",
    conditions: [
      { clause: "unless", text: 'path matches "src/**"', truth: false },
      { clause: "unless", text: 'path == "README.md"', truth: false },
    ],
  });
  expect(json.rules.find((rule) => rule.id === "acme/no-recursive-rm")).toMatchObject({ outcome: "elsewhere" });
  expect(policyc(["explain", "--tool", "bsah", "--text", "ls"])).toMatchObject({ code: 2, stderr: expect.stringContaining("`bash`") as string });
  expect(policyc(["explain", "--tool", "mcp", "--text", "github.create_issue"]).code).toBe(0);
});

test("explain takes a recorded payload and finds its host and event, a malformed one is answered as on-error says", () => {
  put("policy/main.policy", founding);
  const payload = { session_id: "s", cwd: root, hook_event_name: "pre_tool", tool_name: "file_system.bash", tool_call_id: "t", tool_input: { command: "rm -r build" }, transcript_path: "", parent_session_id: null };
  put("payload.json", JSON.stringify(payload));
  const ask = (words: readonly string[], input = "") => JSON.parse(policyc(["explain", ...words, "--format", "json"], { input }).stdout) as { readonly host: string; readonly event: string; readonly decision: string; readonly malformed?: string };
  expect(ask(["--payload", "payload.json"])).toMatchObject({ host: "vibe", event: "pre_tool", decision: "deny" });
  expect(ask(["--payload", "-"], JSON.stringify({ ...payload, tool_input: { command: "ls" } }))).toMatchObject({ host: "vibe", decision: "pass" });
  const malformed = ask(["--payload", "-"], JSON.stringify({ ...payload, tool_input: { command: ["rm"] } }));
  expect(malformed).toMatchObject({ host: "vibe", decision: "deny" });
  expect(malformed.malformed).toBeTruthy();
  expect(policyc(["explain", "--payload", "-"], { input: "{" }).code).toBe(2);
  expect(policyc(["explain", "--payload", "-"], { input: "{}" }).code).toBe(2);
  expect(policyc(["explain", "--payload", "gone.json"]).code).toBe(2);
});

test("every command has help with examples, and mistyped commands and flags name the near ones", () => {
  for (const command of ["build", "check", "test", "verify", "explain", "uninstall"]) {
    const help = policyc([command, "--help"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain(`$ policyc ${command}`);
  }
  expect(policyc(["--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("Exit codes: 0 clean") as string });
  expect(policyc(["--version"])).toEqual({ code: 0, stdout: `${(JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version}\n`, stderr: "" });
  expect(policyc(["biuld"])).toMatchObject({ code: 2, stderr: expect.stringContaining("build") as string });
  expect(policyc(["build", "--chekc"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--check") as string });
  expect(policyc(["help", "biuld"])).toMatchObject({ code: 2, stderr: expect.stringContaining("build") as string });
  expect(policyc(["help", "build"])).toMatchObject({ code: 0, stdout: expect.stringContaining("$ policyc build") as string });
  expect(policyc(["build", "--help"]).stdout).not.toContain("[]");
  expect(policyc(["build", "--format", "xml"]).code).toBe(2);
  expect(policyc(["test", "--sample", "many"]).code).toBe(2);
  expect(policyc([]).code).toBe(2);
});

test("nothing is coloured where stdout is no terminal", () => {
  put("policy/main.policy", "deny bsh\n");
  for (const command of ["build", "check"]) {
    const run = policyc([command], { environment: { TERM: "xterm-256color" } });
    expect(run.stdout + run.stderr).not.toContain("\u001b");
  }
});

test("colours come on a terminal, and never with NO_COLOR", () => {
  put("policy/main.policy", founding);
  // As Node and the system say it of a terminal; not every machine has a program that makes one.
  put("terminal.cjs", 'const fs = require("fs");\nconst { fstatSync } = fs;\nfs.fstatSync = (file) => (file === 1 ? { isCharacterDevice: () => true } : fstatSync(file));\nprocess.stdout.isTTY = true;\n');
  const inTerminal = (environment: Readonly<Record<string, string>>) => policyc(["build", "--check"], { environment: { ...environment, NODE_OPTIONS: `--require "${join(root, "terminal.cjs")}"` } }).stdout;
  policyc(["build"]);
  expect(inTerminal({ TERM: "xterm" })).toContain("\u001b[1m");
  expect(inTerminal({ TERM: "xterm", NO_COLOR: "1" })).not.toContain("\u001b[");
});

test("a broken installation ends with 70, a stack and where to report it", () => {
  const alone = join(root, "installed/dist/policyc.cjs");
  mkdirSync(dirname(alone), { recursive: true });
  cpSync(resolve("dist/policyc.cjs"), alone);
  put("policy/main.policy", founding);
  const run = policyc(["build"], { executable: alone });
  expect(run.code).toBe(70);
  expect(run.stderr).toContain("a bug in policyc");
  expect(run.stderr).toMatch(/\n\s+at /);
  expect(run.stderr).toContain("maintainers");
  expect(existsSync(join(root, ".claude"))).toBe(false);
});

test("a reader that closes the pipe early is no failure", () => {
  put("policy/main.policy", founding);
  const shown = execFileSync("sh", ["-c", `"${process.execPath}" "${resolve("dist/policyc.cjs")}" build | head -1; echo done`], { cwd: root, encoding: "utf8" });
  expect(shown).toMatch(/^acme: .*\ndone\n$/);
});
