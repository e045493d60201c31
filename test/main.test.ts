/**
 * A guard as a process: what comes in on stdin, what goes out on stdout and stderr, and that it never ends with 1. The
 * wire is a plain one of this test, so that only the runtime is judged.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, readSync, realpathSync, rmSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { composePart } from "../src/guard/part.ts";
import type { GuardPlan } from "../src/guard/plan.ts";
import { ruleIndex, ruleTexts } from "../src/rule-index.ts";
import { matches, patternOf, planOf, ruleOf, search } from "./guard-values.ts";

/** Says what was decided as JSON on stdout; refuses with exit 2. The payload's `event` must be the guard's argument. */
const plainWire = `
import { MalformedPayload } from "./src/guard/call.ts";
export const wire = {
  host: "claude",
  decode(event, payload) {
    if (payload.event !== event) throw new MalformedPayload("the payload is of another event");
    if (typeof payload.command !== "string") throw new MalformedPayload("\`command\` is not text");
    const fields = Object.assign(Object.create(null), { command: payload.command });
    if (payload.path !== undefined) fields.path = payload.path;
    return { event: "before-tool", hostEvent: event, cwd: payload.cwd ?? "/", tool: "Bash", toolClass: "bash", fields, input: payload, subject: { commands: [], paths: [] } };
  },
  encode(event, decision) {
    if (event === "Broken") throw new Error("a wire never throws");
    if (decision.effect === "pass") return { exitCode: 0, stdout: "", stderr: "" };
    const padding = event === "Long" ? "x".repeat(3_000_000) : "";
    return { exitCode: decision.effect === "deny" ? 2 : 0, stdout: JSON.stringify({ ...decision, padding }) + "\\n", stderr: decision.message + "\\n" };
  },
};`;

let folder = "";
let runtime = "";

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-main-")));
  const made = await build({
    stdin: { contents: `import { runGuard } from "./src/guard/main.ts";\n${plainWire}\nrunGuard({ plan, rules: { index: ruleIndex, rules }, shellCalls: { events: [], tools: [] }, shellSigns: { always: true, tools: [], texts: [], folded: [], words: true, paths: true }, wire: () => wire });`, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "cjs",
  });
  runtime = made.outputFiles[0]?.text ?? "";
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const events = ["PreToolUse", "Long", "Broken"].map((name) => ({ name, failClosed: true }));
const noRecursion: GuardPlan = { ...planOf(ruleOf("deny", { id: "acme/no-rm", when: search("command", /rm\s+-r/, "rm") })), events };
const call = { event: "PreToolUse", command: "rm -r build" };

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Writes a guard of the plan into a project folder and says where it is. */
function install(plan: GuardPlan, root = "shop"): string {
  const home = join(folder, root, ".claude/policyc");
  mkdirSync(home, { recursive: true });
  const file = join(home, "guard.cjs");
  const { rules, ...head } = plan;
  writeFileSync(file, [`const plan = ${JSON.stringify(head)};`, runtime, composePart("rules", ruleTexts(rules)), composePart("ruleIndex", ruleIndex(rules))].join("\n"));
  return file;
}

function run(plan: GuardPlan, stdin: string | Buffer, ...parameters: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [install(plan), ...(parameters.length > 0 ? parameters : ["PreToolUse"])], { input: stdin, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return { exitCode: status, stdout, stderr };
}

function runOn(payload: object, plan: GuardPlan = noRecursion): Ended {
  return run(plan, JSON.stringify(payload));
}

test("a call that a rule denies is refused, any other passes in silence", () => {
  const denied = runOn(call);
  expect(denied.exitCode).toBe(2);
  expect(JSON.parse(denied.stdout)).toMatchObject({ effect: "deny", reasons: [{ rule: "acme/no-rm" }] });
  expect(denied.stderr).toContain("[acme/no-rm]");
  expect(runOn({ ...call, command: "ls" })).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test("the second argument changes no decision", () => {
  expect(run(noRecursion, JSON.stringify(call), "PreToolUse", "dry").exitCode).toBe(2);
  expect(run(noRecursion, JSON.stringify({ ...call, command: "ls" }), "PreToolUse", "dry")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

const safe = JSON.stringify({ ...call, command: "ls" });

test("a byte order mark, white space and a final newline are part of no payload", () => {
  expect(run(noRecursion, `\ufeff${safe}`).exitCode).toBe(0);
  expect(run(noRecursion, `\n\t ${safe} \r\n`).exitCode).toBe(0);
});

test.each<[string, string | Buffer]>([
  ["nothing", ""],
  ["blanks", " \n"],
  ["a byte order mark alone", "\ufeff"],
  ["two byte order marks", `\ufeff\ufeff${safe}`],
  ["text", "hello"],
  ["half an object", safe.slice(0, -3)],
  ["two objects", `${safe}\n${safe}`],
  ["an object and a comment", `${safe} // ls`],
  ["null", "null"],
  ["a list", `[${safe}]`],
  ["a number", "1"],
  ["a string", JSON.stringify(safe)],
  ["a raw control character", safe.replace("ls", "l\u0001s")],
  ["a raw NUL", safe.replace("ls", "l\0s")],
  ["bytes that are no UTF-8", Buffer.concat([Buffer.from(safe.slice(0, -4)), Buffer.from([0xff, 0xfe]), Buffer.from(safe.slice(-4))])],
  ["UTF-16", Buffer.from(safe, "utf16le")],
  ["a key twice", '{"event":"PreToolUse","command":"rm -r x","command":"ls"}'],
  ["a key twice in two spellings", '{"event":"PreToolUse","command":"rm -r x","comm\\u0061nd":"ls"}'],
  ["a key twice deep inside", '{"event":"PreToolUse","command":"ls","a":[{"b":{"c":1,"d":[],"c":2}}]}'],
  ["`__proto__` twice", '{"event":"PreToolUse","command":"ls","__proto__":1,"__proto__":2}'],
  ["nesting without end", `${"[".repeat(100_000)}`],
  ["300 levels", `{"event":"PreToolUse","command":"ls","a":${"[".repeat(300)}${"]".repeat(300)}}`],
  ["a payload of another event", JSON.stringify({ ...call, event: "PostToolUse", command: "ls" })],
  ["a command that is no text", JSON.stringify({ ...call, command: ["ls"] })],
])("%s instead of a payload is refused", (_, stdin) => {
  const ended = run(noRecursion, stdin);
  expect(ended.exitCode).toBe(2);
  expect(JSON.parse(ended.stdout)).toMatchObject({ effect: "deny", reasons: [{ rule: "acme/on-error" }] });
});

test("what looks like a fault and is none passes", () => {
  for (const payload of [
    { ...call, command: "ls", a: { x: 1 }, b: { x: 1 }, list: [{ x: 1 }, { x: 2 }] },
    { ...call, command: '{"a":1,"a":2} \\" \\\\', quote: '"a":' },
    { ...call, command: "\ufffd\ud800", constructor: { prototype: {} } },
    { ...call, command: "ls", deep: JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`) as unknown },
  ]) {
    expect(runOn(payload)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  }
  expect(run(noRecursion, '{"event":"PreToolUse","command":"ls","__proto__":{"command":"rm -r x"}}').exitCode).toBe(0);
});

test("an unknown event or none at all is refused", () => {
  expect(run(noRecursion, safe, "SessionStart").exitCode).toBe(2);
  expect(spawnSync(process.execPath, [install(noRecursion)], { input: safe }).status).toBe(2);
});

test("a failure is answered as the policy says", () => {
  const onError = (answer: GuardPlan["onError"], failClosed: boolean): Ended => run({ ...noRecursion, onError: answer, events: [{ name: "PreToolUse", failClosed }] }, "null");
  expect(JSON.parse(onError("ask", true).stdout)).toMatchObject({ effect: "ask" });
  const open = onError("allow", false);
  expect(open).toMatchObject({ exitCode: 0, stdout: "" });
  expect(open.stderr).toMatch(/^policyc: acme: .*not an object\n$/);
  expect(onError("deny", false)).toMatchObject({ exitCode: 0, stdout: "" });
  expect(run({ ...noRecursion, onError: "allow", events: [] }, safe, "Unknown")).toMatchObject({ exitCode: 0, stdout: "" });
});

test("a megabyte of command is searched at both ends", () => {
  const filler = "echo filler; ".repeat(80_000);
  expect(runOn({ ...call, command: `${filler}rm -r build` }).exitCode).toBe(2);
  expect(runOn({ ...call, command: filler }).exitCode).toBe(0);
  const hidden = runOn({ ...call, command: `${filler}rm -r build;${filler}` }, { ...noRecursion, rules: noRecursion.rules.map((rule) => ({ ...rule, unsure: "deny" })) });
  expect(JSON.parse(hidden.stdout)).toMatchObject({ effect: "deny" });
  expect(hidden.stderr).toContain("could not be ruled out");
});

test("a pattern that runs away is stopped at the deadline and the call refused", () => {
  const plan: GuardPlan = { ...planOf(ruleOf("deny", { when: search("command", /^(a+)+$/) })), deadline: 500 };
  const started = Date.now();
  const ended = runOn({ ...call, command: `${"a".repeat(60)}!` }, plan);
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain("longer than 500 ms");
  expect(Date.now() - started).toBeLessThan(60_000);
});

test("an error inside the guard refuses the call and quotes nothing of it", () => {
  const broken = { ...search("command", /x/), values: [{ kind: "pattern" as const, pattern: { ...patternOf(/x/), source: "(" } }] };
  const ended = runOn({ ...call, command: "secret" }, planOf(ruleOf("deny", { when: broken })));
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toContain("SyntaxError");
  expect(ended.stderr).not.toContain("secret");
});

test("a guard whose words cannot be made still refuses", () => {
  expect(run(noRecursion, JSON.stringify({ ...call, event: "Broken" }), "Broken").exitCode).toBe(2);
});

test("no input makes it end with 1", () => {
  const inputs = fc.oneof(fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)), fc.json().map((text) => Buffer.from(text)));
  fc.assert(
    fc.property(inputs, fc.constantFrom("PreToolUse", "", "__proto__", "dry"), (stdin, event) => {
      expect([0, 2]).toContain(run(noRecursion, stdin, event).exitCode);
    }),
    { numRuns: 25 },
  );
});

function fifo(name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Starts a guard whose stdin or stdout is a FIFO that does not block. Node makes inherited standard streams block, so the
 * new process opens the FIFO itself, in the place of the stream, says so on stderr, and then becomes the guard.
 */
function spawnNonBlocking(stream: 0 | 1, path: string, event: string): { guard: ReturnType<typeof spawn>; opened: Promise<void>; ended: Promise<unknown> } {
  const starter = `
    const fs = require("node:fs");
    const [path, guard] = process.argv.splice(1, 2);
    fs.closeSync(${stream});
    if (fs.openSync(path, fs.constants.${stream === 0 ? "O_RDONLY" : "O_WRONLY"} | fs.constants.O_NONBLOCK) !== ${stream}) throw new Error("not the stream");
    process.argv.splice(1, 0, guard);
    fs.writeSync(2, "open\\n");
    require(guard);`;
  const guard = spawn(process.execPath, ["-e", starter, path, install(noRecursion), event], { stdio: ["pipe", "pipe", "pipe"] });
  const opened = new Promise<void>((resolve) => guard.stderr.on("data", () => resolve()));
  return { guard, opened, ended: new Promise((resolve) => guard.on("close", resolve)) };
}

test("a payload that comes late and in pieces on a non-blocking stdin is read whole", async () => {
  const path = fifo("late-stdin");
  const writer = openSync(path, constants.O_RDWR);
  const { opened, ended } = spawnNonBlocking(0, path, "PreToolUse");
  // What is in a FIFO that nobody has open is gone.
  await opened;
  await sleep(500);
  writeSync(writer, safe.slice(0, 20));
  await sleep(200);
  writeSync(writer, safe.slice(20));
  closeSync(writer);
  expect(await ended).toBe(0);
});

test("a non-blocking stdin that never ends is refused in time", async () => {
  const path = fifo("endless-stdin");
  const writer = openSync(path, constants.O_RDWR);
  const { guard, ended } = spawnNonBlocking(0, path, "PreToolUse");
  const words: string[] = [];
  guard.stderr?.on("data", (data: Buffer) => words.push(data.toString()));
  writeSync(writer, safe);
  expect(await ended).toBe(2);
  expect(words.join("")).toContain("did not end");
  closeSync(writer);
});

test("an answer larger than a pipe arrives whole, however slowly it is read", async () => {
  const path = fifo("slow-stdout");
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { guard, ended } = spawnNonBlocking(1, path, "Long");
  guard.stdin?.end(JSON.stringify({ ...call, event: "Long" }));
  const chunks: Buffer[] = [];
  const buffer = Buffer.alloc(65536);
  const until = Date.now() + 120_000;
  for (let isEnd = false; !isEnd && Date.now() < until; await sleep(2)) {
    try {
      const read = readSync(reader, buffer, 0, buffer.length, null);
      chunks.push(Buffer.from(buffer.subarray(0, read)));
      // Before the guard has opened the FIFO it reads as ended, too.
      isEnd = read === 0 && Buffer.concat(chunks).length > 0;
    } catch {
      // Nothing there at the moment.
    }
  }
  expect(await ended).toBe(2);
  const { padding } = JSON.parse(Buffer.concat(chunks).toString()) as { padding: string };
  expect(padding.length).toBe(3_000_000);
});

test("a host that does not listen is told by the exit code", async () => {
  const path = fifo("closed-stdout");
  for (const [payload, exitCode] of [[call, 2], [{ ...call, command: "ls" }, 0]] as const) {
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    closeSync(reader);
    const guard = spawn(process.execPath, [install(noRecursion), "PreToolUse"], { stdio: ["pipe", writer, writer] });
    const ended = new Promise((resolve) => guard.on("close", resolve));
    closeSync(writer);
    guard.stdin?.end(JSON.stringify(payload));
    expect(await ended).toBe(exitCode);
  }
});

test("closed streams end in a refusal, not in 1", () => {
  const shell = (line: string): number | null => spawnSync("sh", ["-c", line, "sh", process.execPath, install(noRecursion)], { input: JSON.stringify(call) }).status;
  expect(shell('"$1" "$2" PreToolUse <&-')).toBe(2);
  expect(shell('"$1" "$2" PreToolUse >&- 2>&-')).toBe(2);
  expect(shell('"$1" "$2" PreToolUse >/dev/full 2>/dev/full')).toBe(2);
  expect(shell('"$1" "$2" PreToolUse </')).toBe(2);
});

const onlySrc = planOf(ruleOf("deny", { unless: [matches("path", "src/**")] }));

test("the project is where the guard's host folder stands, wherever the call is and even if that folder is a link", () => {
  const dotfiles = join(folder, "dotfiles/.claude");
  mkdirSync(dotfiles, { recursive: true });
  mkdirSync(join(folder, "linked"), { recursive: true });
  symlinkSync(dotfiles, join(folder, "linked/.claude"));
  for (const root of ["shop", "linked"]) {
    const guard = install(onlySrc, root);
    const end = (path: string, cwd: string): number | null => spawnSync(process.execPath, [guard, "PreToolUse"], { input: JSON.stringify({ ...call, path, cwd }) }).status;
    expect(end("src/a.ts", join(folder, root))).toBe(0);
    expect(end("a.ts", join(folder, root, "src"))).toBe(0);
    expect(end("src/a.ts", "/tmp")).toBe(2);
  }
  const relative = spawnSync(process.execPath, [".claude/policyc/guard.cjs", "PreToolUse"], { cwd: join(folder, "linked"), input: JSON.stringify({ ...call, path: "src/a.ts", cwd: join(folder, "linked") }) });
  expect(relative.status).toBe(0);
});

test("a host that names no folder means the one the guard was started in", () => {
  const guard = install(onlySrc);
  const end = (cwd: string): number | null => spawnSync(process.execPath, [guard, "PreToolUse"], { cwd, input: JSON.stringify({ ...call, path: "src/a.ts", cwd: "" }) }).status;
  expect(end(join(folder, "shop"))).toBe(0);
  expect(end(folder)).toBe(2);
});

test("a FIFO in the place of `.git/HEAD` holds nobody and is a doubt", () => {
  const plan = planOf(ruleOf("deny", { when: { kind: "compare", field: ["branch"], operator: "==", values: [{ kind: "text", text: "main" }] }, unsure: "deny" }));
  const guard = install(plan, "held");
  mkdirSync(join(folder, "held/.git"));
  fifo("held/.git/HEAD");
  const ended = spawnSync(process.execPath, [guard, "PreToolUse"], { input: JSON.stringify({ ...call, cwd: join(folder, "held") }), encoding: "utf8", timeout: 120_000 });
  expect(ended.status).toBe(2);
  expect(ended.stderr).toContain("branch");
});
