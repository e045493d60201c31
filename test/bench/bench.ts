/**
 * `npm run bench`: whole-process ratios against `node empty.cjs`. Each round runs every case and the control once, so that
 * a noisy machine troubles all alike; `BENCH_ROUNDS` says how many. Asserts nothing. `--python FILE` names another Python
 * guard, `--only TEXT` takes the cases with the text in their names.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

interface Case {
  readonly name: string;
  /** What to aim for, as a ratio; absent where it is only a comparison. */
  readonly aim?: number;
  readonly run: () => void;
}

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 40);
const scratch = mkdtempSync(join(tmpdir(), "policyc-bench-"));
const environment = { ...process.env };
// Node 20 parses the whole bundle at every start when this is set, which hides what is measured.
delete environment["NODE_EXTRA_CA_CERTS"];

function file(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

/** One whole process with `stdin` read from a file; its exit code is checked, so that a broken guard is no fast guard. */
function start(command: string, args: readonly string[], stdin: string, expected: number): () => void {
  return () => {
    const input = openSync(stdin, "r");
    const result = spawnSync(command, args, { stdio: [input, "ignore", "ignore"], env: environment, cwd: scratch });
    closeSync(input);
    if (result.status !== expected) throw new Error(`${command} ${args.join(" ")} ended with ${result.status}, expected ${expected}`);
  };
}

function milliseconds(run: () => void): number {
  const begin = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

function payload(name: string, command: string): string {
  const call = { session_id: "s", transcript_path: "/t", cwd: scratch, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" };
  return file(name, JSON.stringify(call));
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : undefined;
}

const root = resolve(".");
const python = resolve(option("--python") ?? join(root, "test/bench/guard.py"));
const only = option("--only") ?? "";
const empty = file("empty.cjs", "");
const pass = payload("pass.json", "ls -la src");
const deny = payload("deny.json", "rm -r build");
const guard = join(root, "examples/quickstart/.claude/policyc/guard.cjs");
const single = file(
  "single.cjs",
  `let c = "";\ntry { c = JSON.parse(require("node:fs").readFileSync(0, "utf8")).tool_input.command; } catch { process.exit(2); }\nif (/rm\\s+-r/.test(c)) { process.exitCode = 2; }\n`,
);
const node = process.execPath;
const control = start(node, [empty], pass, 0);
file("package.json", "{}\n");
const compiler = join(root, "dist/policyc.cjs");

/** A project of its own with one policy, built; the path of its guard for Claude Code. */
function guardOf(name: string, policy: string): string {
  const project = join(scratch, name);
  mkdirSync(project);
  writeFileSync(join(project, "main.policy"), `policy ${name}\ntarget claude\n${policy}`);
  const built = spawnSync(node, [compiler, "build", project], { env: environment, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the policy ${name} was not built: ${built.stderr}`);
  return join(project, ".claude/policyc/guard.cjs");
}

const structural = {
  "`runs` rules": guardOf("commands", "deny bash when runs rm with [-r, -R, --recursive]\ndeny bash when runs git push with [-f, --force]\nask bash when runs [npm install, npm i]\n"),
  "five packs": guardOf("packs", ["git", "files", "network", "packages", "system"].map((pack) => `use std/${pack}\n`).join("")),
};
const everyday: readonly (readonly [name: string, payload: string, aim?: number])[] = [
  ["npm test", payload("npm.json", "npm test"), 1.1],
  ["git status", payload("status.json", "git status"), 1.1],
  ["git add a file", payload("add.json", "git add package.json"), 1.1],
  ["a loop, for the whole model", payload("loop.json", "for name in a b; do echo \"$name\" | wc -c; done")],
  ["commit message", payload("commit.json", "git commit -m \"$(cat <<'EOF'\nMend the thing\n\nIt was broken.\nEOF\n)\""), 1.45],
];

const cases: readonly Case[] = [
  { name: "node empty.cjs (control)", run: control },
  { name: "quickstart guard, passing payload", aim: 1.15, run: start(node, [guard, "PreToolUse"], pass, 0) },
  { name: "quickstart guard, denied payload", aim: 1.15, run: start(node, [guard, "PreToolUse"], deny, 2) },
  ...Object.entries(structural).flatMap(([policy, path]) => everyday.map(([name, stdin, aim]): Case => ({ name: `${policy}: ${name}`, ...(aim !== undefined && { aim }), run: start(node, [path, "PreToolUse"], stdin, 0) }))),
  { name: "Python guard, passing payload", run: start("python3", [python], pass, 0) },
  ...[5, 20].map((count): Case => {
    const one = start(node, [single], pass, 0);
    return { name: `${count} one-rule Node scripts in sequence`, run: () => Array.from({ length: count }).forEach(one) };
  }),
  { name: "policyc build examples/quickstart", aim: 5, run: start(node, [compiler, "build", join(root, "examples/quickstart")], pass, 0) },
];

/** Mean of the middle half: steadier than the median, and as deaf to a machine that stops for a moment. */
function middle(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const kept = sorted.slice(Math.floor(sorted.length / 4), Math.ceil((sorted.length * 3) / 4));
  return kept.reduce((sum, time) => sum + time, 0) / kept.length;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ item, key: Math.random() })).sort((a, b) => a.key - b.key).map(({ item }) => item);
}

const measured = cases.filter((one) => one.run === control || one.name.includes(only));
const base: number[] = [];
const times = new Map(measured.map((one): [Case, number[]] => [one, []]));
for (const { run } of measured) run();
for (let round = 0; round < rounds; round++) {
  // What runs behind a long process is a little slower or faster, so that the order is another one each time.
  for (const one of shuffled([...measured, undefined])) {
    if (one === undefined) base.push(milliseconds(control));
    else if (!one.name.startsWith("20 ") || round % 4 === 0) times.get(one)?.push(milliseconds(one.run));
  }
}
console.log(`${rounds} rounds in random order, means of the middle halves of whole processes, Node ${process.version}\n`);
// The control is run twice in a round: against itself it shows the noise, and together they are what the rest is held to.
const controls = [...times].flatMap(([one, mine]) => (one.run === control ? mine : []));
for (const [{ name, aim, run }, mine] of times) {
  const ratio = middle(mine) / middle(run === control ? base : [...base, ...controls]);
  console.log(`${name.padEnd(42)} x${ratio.toFixed(2)}${aim ? `   aim <= ${aim}` : ""}`);
}
rmSync(scratch, { recursive: true });
