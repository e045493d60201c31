/**
 * Files that simple lines read: what passes without the shell model passes by the whole policy too, on a disk with links,
 * protected names and folders that hold them.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { examine } from "../src/compile.ts";
import { decide } from "../src/guard/decide.ts";
import { readLine } from "../src/guard/line-reader.ts";
import { machineWorld } from "../src/guard/machine.ts";
import { mayConcernFiles, readers } from "../src/guard/plain-paths.ts";
import type { Disk } from "../src/guard/plain-paths.ts";
import type { GuardPlan } from "../src/guard/plan.ts";
import { scratchWorld } from "../src/guard/scratch.ts";
import { concernsNoRule, readShellCall } from "../src/guard/shell-call.ts";
import { shellModule } from "../src/guard/shell/index.ts";
import { analyse } from "../src/guard/shell/interpret.ts";
import { operandsOf } from "../src/guard/shell/operands.ts";
import { impliedOperands } from "../src/guard/shell/special-operands.ts";
import { fileWords } from "../src/guard/file-words.ts";
import { isSimple } from "../src/guard/simple-line.ts";
import { shellCalls } from "../src/hosts/claude/shell-calls.ts";
import { hosts } from "../src/hosts/registry.ts";
import { ruleIndex, shellSigns } from "../src/rule-index.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "policyc-files-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const project = join(scratch, "shop");
const home = join(scratch, "home");
vi.stubEnv("HOME", home);

for (const folder of ["src/deep", "config", "docs", ".aws", "ssh", "keys"]) mkdirSync(join(project, folder), { recursive: true });
mkdirSync(join(project, "\u017fecrets"));
for (const folder of [".ssh", ".aws"]) mkdirSync(join(home, folder), { recursive: true });
for (const file of ["src/a.ts", "src/deep/b.ts", ".env", ".env.local", "config/.env", "notes.md", "server.pem", "Server.PEM2", "docs/id_rsa", "README", ".aws/credentials", "keys/plain"]) writeFileSync(join(project, file), "x\n");
for (const file of [".ssh/id_ed25519", ".aws/credentials", ".netrc"]) writeFileSync(join(home, file), "x\n");
const links: readonly (readonly [string, string])[] = [
  ["link.txt", ".env"], ["up.txt", "../home/.netrc"], ["ssh/config", join(home, ".ssh/id_ed25519")], ["aws", join(home, ".aws")], ["self", "/proc/self"], ["again", "src"], ["gone", "nowhere/.env"], ["loop", "loop"], ["here", "."], ["long", "\u017fecrets"],
];
symlinkSync(".netrc", join(home, "notes.md"));
for (const [name, target] of links) symlinkSync(target, join(project, name));
mkdirSync(join(project, "locked"), { mode: 0o000 });
if (process.platform !== "win32") execFileSync("mkfifo", [join(project, "pipe")]);

const packs = ["secrets", "files", "git", "network", "self-protect", "persistence"];

function planOf(extra: string): GuardPlan {
  const load = (module: string) => ({ path: `${module}.policy`, text: readFileSync(`stdlib/${module.slice("std/".length)}.policy`, "utf8") });
  const text = `policy shop\ntarget claude\n${extra}`;
  const { lowered, diagnostics } = examine({ roots: [{ path: "main.policy", text }], load, today: "2026-11-30", policyc: "0.1.0", hosts });
  const plan = lowered[0]?.plan;
  if (plan === undefined || diagnostics.some(({ severity }) => severity === "error")) throw new Error(`not lowered whole: ${extra}`);
  return plan;
}

const plans = [
  planOf(packs.map((pack) => `use std/${pack}\n`).join("")),
  planOf('deny bash when reads ["**/*.pem", "src/deep/**", "~/.netrc", "!**/public.pem"]\ndeny bash when touches ["/proc/self/environ", "config"]\n'),
  planOf('deny bash when reads "docs/{id_rsa,plan}" and runs [cat, grep]\nask bash when writes "src/**"\n'),
  planOf('deny bash when touches ["secrets/**", "~/.netrc"]\n'),
];

const names = [...readers(), "npm test", "rm", "mkdir", "touch", "git rm", "git checkout"];
const words = [
  "src", "src/", "src/a.ts", "src/deep/b.ts", ".env", ".ENV", ".env.local", "config", "config/.env", "config/none", "notes.md", "server.pem", "Server.PEM2", "docs/id_rsa", "docs", "link.txt", "up.txt", "ssh/config", "ssh", "aws", "aws/credentials", ".aws", ".aws/credentials",
  "self", "self/environ", "again", "again/a.ts", "gone", "loop", "here", "here/.env", "pipe", "pipe/x", "dev/null", "dev/tcp/h/1", "dev/fd", "locked", "locked/x", "README", "readme", ".", "..", "../home/.netrc", "/etc/passwd", "~/.netrc", "new/file", "new.txt", "HEAD", "main", "x", "keys/plain", "-la", "-n", "-r", "-R", "--all", "--recursive", "-f.env", "-20", "'.env'", '"src/a.ts"', "'*.pem'",
];
const command = fc.tuple(fc.constantFrom(...names, "cd", "cd"), fc.array(fc.constantFrom(...words), { maxLength: 3 })).map(([name, rest]) => [name, ...rest].join(" "));
const line = fc.tuple(command, fc.array(fc.tuple(fc.constantFrom(" && ", " | ", "; "), command), { maxLength: 1 })).map(([first, others]) => first + others.flat().join(""));
const folders = [project, join(project, "src"), join(project, "config"), join(project, ".aws"), join(project, "again"), join(project, "here"), join(project, "long"), home, "/"];

test("files that a line reads pass without the model only where the whole policy passes them", () => {
  let passed = 0;
  for (const plan of plans) {
    const [signs, index] = [shellSigns(plan.rules), `\n${ruleIndex(plan.rules)}`];
    fc.assert(
      fc.property(line, fc.constantFrom(...folders), (text, cwd) => {
        const payload = { session_id: "s", transcript_path: "/t", cwd, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: text } };
        const short = readShellCall(shellCalls, "PreToolUse", payload);
        if (short === undefined || !concernsNoRule(shellCalls, signs, short, () => index)) return;
        const call = hosts.find(({ id }) => id === "claude")!.wire.decode("PreToolUse", payload, "linux");
        const world = machineWorld(plan, call, { guardFile: join(project, ".claude/policyc/guard.cjs"), environment: { HOME: home }, shell: () => shellModule });
        expect([cwd, text, decide(plan, call, world).effect]).toEqual([cwd, text, "pass"]);
        const commands = readLine(text);
        if (commands !== undefined && fileWords(commands).length > 0) passed += 1;
      }),
      { numRuns: 40000 },
    );
  }
  expect(passed).toBeGreaterThan(200);
});

test("the model finds that programs which only look read the words they name, and no more", () => {
  const world = scratchWorld({ platform: "linux", branch: "", today: "2026-11-30", shell: () => shellModule });
  const looking = fc.tuple(fc.constantFrom(...readers()), fc.array(fc.constantFrom(...words.filter((word) => !/['"*~]/.test(word))), { maxLength: 4 })).map(([name, rest]) => [name, ...rest].join(" "));
  fc.assert(
    fc.property(looking, (text) => {
      const commands = readLine(text);
      if (commands === undefined || !isSimple(commands)) return;
      const { found } = analyse(text, "bash", "/project", world);
      const operands = found.flatMap((one) => [...operandsOf(one), ...impliedOperands(one)]).filter(({ value }) => value.some((one) => one !== "-" && one !== ""));
      expect([text, operands.filter(({ access }) => /[wd]/.test(access))]).toEqual([text, []]);
      const plain = fileWords(commands).every((word) => !word.startsWith("-"));
      if (plain) expect([text, operands.flatMap(({ value }) => [...value]).filter((one) => !fileWords(commands).includes(one))]).toEqual([text, []]);
    }),
    { numRuns: 4000 },
  );
});

test("ordinary reading needs no model, and what may be protected does", () => {
  const index = `\n${ruleIndex(plans[0]!.rules)}`;
  const concerns = (text: string): boolean => mayConcernFiles(readLine(text) ?? [], project, index);
  for (const text of ["cat src/a.ts", "ls -la src", "git add src/a.ts README", "grep -n x src/a.ts | head -20", "cd src && npm test", "git diff main", "cat new.txt", "cat pipe"]) expect([text, concerns(text)]).toEqual([text, false]);
  for (const text of ["cat .env", "cat link.txt", "cat ssh/config", "cat again/a.ts", "cd src && cat a.ts", "cat ../home/.netrc", "cat src", "cat pipe/x", "cat locked", "cat gone", "rm src/a.ts", "ls src --recursive", "cd && cat new.txt", "cd -e; cat src/a.ts", "cd && cd new"]) expect([text, concerns(text)]).toEqual([text, true]);
});

test("files are for the model where the folder's name has other letters, or where there is no home folder", () => {
  const index = `\n${ruleIndex(plans.at(-1)!.rules)}`;
  const concerns = (cwd: string, disk?: Disk): boolean => mayConcernFiles([["cat", "a.ts"]], cwd, index, disk);
  const paper: Disk = { home, real: (path) => path, isFolder: () => false, isMissing: () => false };
  expect([concerns(join(project, "src")), concerns(join(project, "long")), concerns(project, paper), concerns(project, { ...paper, home: "" })]).toEqual([false, true, false, true]);
});
