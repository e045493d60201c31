/**
 * The short way past ordinary shell calls: whatever it lets pass without a rule, the codec takes and the decision passes
 * too. What it says of a line's words is held against the shell model.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import { decide } from "../src/guard/decide.ts";
import { readLine } from "../src/guard/line-reader.ts";
import type { GuardPlan } from "../src/guard/plan.ts";
import type { Disk } from "../src/guard/plain-paths.ts";
import { soleLine } from "../src/guard/rule-store.ts";
import { numbersFor } from "../src/guard/rule-index.ts";
import { scratchWorld } from "../src/guard/scratch.ts";
import type { Json } from "../src/guard/call.ts";
import { concernsNoRule, readShellCall } from "../src/guard/shell-call.ts";
import type { ShellCalls } from "../src/guard/shell-call.ts";
import { shellModule } from "../src/guard/shell/index.ts";
import { analyse } from "../src/guard/shell/interpret.ts";
import { operandsOf } from "../src/guard/shell/operands.ts";
import { carrierRow } from "../src/guard/shell/tables/carriers.ts";
import { escapeRow } from "../src/guard/shell/tables/escapes.ts";
import { show } from "../src/guard/shell/text.ts";
import { fileWords, mayNameFile } from "../src/guard/file-words.ts";
import { hasOperands, isSimple, simpleKeys } from "../src/guard/simple-line.ts";
import { hosts } from "../src/hosts/registry.ts";
import { shellCalls as bob } from "../src/hosts/bob/shell-calls.ts";
import { shellCalls as claude } from "../src/hosts/claude/shell-calls.ts";
import { shellCalls as vibe } from "../src/hosts/vibe/shell-calls.ts";
import { ruleIndex, shellSigns } from "../src/rule-index.ts";

const callsOf: Readonly<Record<string, ShellCalls>> = { bob, claude, vibe };
const world = scratchWorld({ platform: "linux", branch: "", today: "2026-11-30", shell: () => shellModule });

const names = ["npm", "git", "ls", "cat", "cd", "rm", "node", "cargo", "go", "gh", "grep", "rg", "echo", "mkdir", "touch", "cp", "mv", "tail", "tsc", "pytest", "eslint", "prettier", "wc", "pwd"];
const words = [
  "test", "run", "build", "install", "status", "diff", "log", "show", "add", "commit", "branch", "checkout", "push", "stash", "tag", "reset", "restore", "rm", "pr", "issue", "mod", "list",
  "-m", "-am", "-a", "-x", "-c", "-e", "-n", "-r", "-rf", "-D", "-f", "--", "-", "--exec", "--force", "--hard", "--pre", "--script-shell", "--script-shell=ls", "--output=a.txt", "--upload-pack", "--exec=ls", "--no-verify", "--stat", "--oneline", "--cached", "--run", "--watch", "--all", "--json", "--color", "--output", "-f.env", "-fenv", "-oout", "-tdir", "-Fmsg", "-20", "-la", "--file", "--file=.env", "-C", "+x",
  "src/a.ts", ".env", ".", "..", "HEAD~1", "HEAD^", "a=b", "x.sh", "./x.sh", "/etc/passwd", "origin", "main", "@scope/pkg", "1", "''", '""', "'a b'", '"a; rm -rf b"', "'$(rm x)'", "'rm -rf .'",
  "\"$(cat <<'EOF'\nProse; rm -rf build\n\nMore.\nEOF\n)\"", '"$(cat <<EOF\nplain\nEOF\n)"', "\"$(cat <<'EOF'\na\nEOF\nrm -rf b\nEOF\n)\"", '"$(cat <<EOF\n$(rm x)\nEOF\n)"', "\"$(cat <<'EOF'\nEOF\n)\"",
];
const command = fc.tuple(fc.constantFrom(...names), fc.array(fc.constantFrom(...words), { maxLength: 5 })).map(([name, rest]) => [name, ...rest].join(" "));
const line = fc.tuple(command, fc.array(fc.tuple(fc.constantFrom(" && ", " || ", "; ", " | ", "\n", " 2>&1 | ", " 2>/dev/null; "), command), { maxLength: 2 })).map(([first, others]) => first + others.flat().join(""));

test("a simple line runs what its words say and nothing else", () => {
  let simple = 0;
  fc.assert(
    fc.property(line, (text) => {
      const commands = readLine(text);
      if (commands === undefined || !isSimple(commands)) return;
      simple += 1;
      const { found, notes, doubt } = analyse(text, "bash", "/project", world);
      expect([doubt, notes.dynamic]).toEqual([undefined, false]);
      const sorted = (all: readonly string[]): readonly string[] => [...all].sort();
      expect(sorted(found.map(({ name }) => name))).toEqual(sorted(commands.map(([name = ""]) => name)));
      expect(sorted(found.flatMap((one) => one.words.slice(1).map((word) => show(word[0] ?? ""))))).toEqual(sorted(commands.flatMap((one) => one.slice(1))));
      // Beside what a here-document says, the model keeps open what its substitution prints.
      expect(found.every((one) => one.certain && !one.inFile && one.words.every((word) => word.slice(1).every((text) => show(text, "") === "")))).toBe(true);
      if (!hasOperands(commands)) expect(fileWords(commands)).toEqual([]);
      if (mayNameFile(commands)) return;
      const operands = found.flatMap((one) => operandsOf(one)).flatMap(({ value }) => value.map((one) => show(one)));
      expect(operands.filter((operand) => operand !== "/dev/null" && operand !== "" && operand !== "-")).toEqual([]);
    }),
    { numRuns: 6000 },
  );
  expect(simple).toBeGreaterThan(300);
});

test("no program of simple lines carries commands by the model's tables", () => {
  const keys = simpleKeys().flatMap((key) => [key, key.split(" ")[0] ?? ""]);
  // Only by an option with which no npm line is simple.
  expect(keys.filter((key) => carrierRow(key) !== undefined || escapeRow(key) !== undefined)).toEqual(["go build", "go test", "go vet", "npm run"]);
  expect(isSimple([["npm", "run", "build", "--script-shell", "x"]])).toBe(false);
  expect([isSimple([["go", "test", "-exec", "x", "./..."]]), isSimple([["go", "build", "-toolexec=x"]]), isSimple([["go", "test", "./..."]])]).toEqual([false, false, true]);
  expect([isSimple([["gh", "pr", "create", "-F", ".env"]]), isSimple([["gh", "issue", "create", "--body-file=.env"]]), isSimple([["gh", "pr", "create", "--body", "x"]])]).toEqual([false, false, true]);
});

test("a here-document ends where Bash ends it, and text that expands is left to the model", () => {
  const hidden = ["git commit -m \"$(cat <<'EOF'\na\nEOF\nrm -rf b\nEOF\n)\"", 'git commit -m "$(cat <<EOF\n$(rm x)\nEOF\n)"', 'git commit -m "$(cat <<EOF\n`rm x`\nEOF\n)"', 'git log "$(rm x)"', "git log ext::sh", "npm test > out.txt", "npm test &",
    // The name with the parenthesis behind it is an end as well, for Bash also where it only begins the line.
    "git commit -m \"$(cat <<'EOF'\na\nEOF)\"; rm -rf b; echo \"\nEOF\n)\"", "git commit -m \"$(cat <<'E'\na\nEOF)\"; rm -rf b; echo \"\nE\n)\"", 'git commit -m "$(cat <<EOF\n EOF)"; rm -rf b; echo "\nEOF\n)"'];
  for (const text of hidden) expect([text, readLine(text)]).toEqual([text, undefined]);
  expect(readLine("git commit -m \"$(cat <<'EOF'\nFix it; rm -rf x\nEOF\n)\"")?.at(-1)).toEqual(["git", "commit", "-m", "Fix it; rm -rf x"]);
});

test("a message of a commit is no file, and what may stand in its place is one", () => {
  const files = (text: string): readonly string[] => fileWords(readLine(text) ?? []);
  for (const text of ["git commit -m fix", "git commit -a -m 'fix it'", "git commit -am fix -m more", "git commit --amend -m fix"]) expect([text, files(text)]).toEqual([text, []]);
  for (const text of ["git commit -m -m .env", "git commit -am -m .env", "git commit -m -am .env", "git commit -nm -m .env", "git commit -F -m .env", "git commit --author -m .env", "git commit -- -m .env", "git commit -m fix .env"]) expect([text, files(text).includes(".env")]).toEqual([text, true]);
});

test("programs whose words may be files that are sent away are no simple ones", () => {
  for (const text of ["gh release upload v1 .env", "gh release create v1 .env", "npm publish ./keys", "npm pack .env"]) expect([text, isSimple(readLine(text) ?? [])]).toEqual([text, false]);
});

test("a message that a substitution prints may be anything to the model, and so to what is passed in short", () => {
  const message = "git commit -m \"$(cat <<'EOF'\nfeat: x\nEOF\n)\"";
  for (const wanted of ["/^$/", '""', "/[^ -~]/", "/^\\W*$/"]) {
    const plan = planOf("claude", `deny bash when runs git commit with ${wanted}\n`);
    const concerns = (command: string): boolean => !concernsNoRule(claude, shellSigns(plan.rules), { tool: "Bash", command, cwd: "/project" }, () => `\n${ruleIndex(plan.rules)}`, paper);
    expect([wanted, concerns(message), concerns("git commit -a")]).toEqual([wanted, true, false]);
  }
});

test("a line that only what is dynamic concerns is looked at beside rules of texts", () => {
  const plan = planOf("claude", 'deny bash when dynamic or command contains "drop"\n');
  const [signs, index] = [shellSigns(plan.rules), `\n${ruleIndex(plan.rules)}`];
  const concerns = (command: string): boolean => !concernsNoRule(claude, signs, { tool: "Bash", command, cwd: "/project" }, () => index, paper);
  expect(["$X", 'eval "$Y"', "npm test; $X", "echo drop"].map(concerns)).toEqual([true, true, true, true]);
  expect(["npm test", "git status", "ls -la src"].map(concerns)).toEqual([false, false, false]);
  expect(numbersFor(index, ["*", "bash"], "$X")).toEqual([0]);
});

const packs = ["git", "files", "secrets", "packages", "network", "system", "database", "persistence", "strict", "self-protect"];

function planFor(host: string): GuardPlan {
  return planOf(host, `${packs.map((pack) => `use std/${pack}`).join("\n")}\ndeny bash when command ~ /rm\\s+-r|drop\\s+table/i\n  id text\n`);
}

function planOf(host: string, rules: string): GuardPlan {
  const load = (module: string) => ({ path: `${module}.policy`, text: readFileSync(`stdlib/${module.slice("std/".length)}.policy`, "utf8") });
  const text = `policy all\ntarget ${host}\n${rules}`;
  const { lowered } = examine({ roots: [{ path: "main.policy", text }], load, today: "2026-11-30", policyc: "0.1.0", hosts, only: [host] });
  const plan = lowered.find((one) => one.host.id === host)?.plan;
  if (plan === undefined) throw new Error(`nothing was lowered for ${host}`);
  return plan;
}

const plans = new Map(hosts.map((host) => [host.id, planFor(host.id)]));

/** Every name is a file. */
const paper: Disk = { home: "/home/user", real: (path) => path, isFolder: () => false, isMissing: () => false };

test("what is passed in short the codec takes and the whole policy passes", () => {
  let passed = 0;
  for (const host of hosts) {
    const plan = plans.get(host.id)!;
    const calls = callsOf[host.id]!;
    const [signs, index] = [shellSigns(plan.rules), `\n${ruleIndex(plan.rules)}`];
    const event = calls.events[0]!;
    fc.assert(
      fc.property(line, fc.constantFrom(...calls.tools), (text, tool) => {
        const payload = { session_id: "s", transcript_path: "/t", cwd: "/project", hook_event_name: event, tool_name: tool, tool_input: { command: text } };
        const short = readShellCall(calls, event, payload);
        if (short === undefined || !concernsNoRule(calls, signs, short, () => index, paper)) return;
        passed += 1;
        const call = host.wire.decode(event, payload, "linux");
        expect([text, decide(plan, call, world).effect]).toEqual([text, "pass"]);
        expect(soleLine(call)).toBe(text);
        const commands = readLine(text);
        if (commands !== undefined && !mayNameFile(commands)) expect(numbersFor(index, ["*", "bash"], text)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  }
  // Some three hundred do.
  expect(passed).toBeGreaterThan(30);
});

test("a payload that is taken for a shell call is one by the codec, and odd ones are left to it", () => {
  const odd = fc.constantFrom<unknown>("x", "", 1, true, null, {}, [], ["a"], "/p", "Bash", "PreToolUse");
  const keys = fc.constantFrom("session_id", "cwd", "tool_name", "hook_event_name", "tool_input", "event", "tool", "input", "mcp_server", "agent_id", "permission_mode", "constructor", "prototype", "x");
  for (const host of hosts) {
    const calls = callsOf[host.id]!;
    const event = calls.events[0]!;
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, odd), { maxLength: 3 }), fc.array(fc.tuple(fc.constantFrom("command", "cwd", "env", "text", "timeout", "constructor", "input"), odd), { maxLength: 2 }), (outer, inner) => {
        const base = { session_id: "s", cwd: "/project", hook_event_name: event, tool_name: calls.tools[0], tool_input: { command: "ls", ...Object.fromEntries(inner) } };
        const payload = JSON.parse(JSON.stringify({ ...base, ...Object.fromEntries(outer) })) as Json;
        const call = readShellCall(calls, event, payload);
        if (call === undefined) return;
        const decoded = host.wire.decode(event, payload, "linux");
        expect([decoded.toolClass, decoded.tool, soleLine(decoded)]).toEqual(["bash", call.tool, call.command]);
      }),
      { numRuns: 1500 },
    );
  }
});
