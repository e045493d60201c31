/** Guards with effects as processes, in projects of their own. The wire is a plain one, so that only the runtime is judged. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { composePart } from "../src/guard/part.ts";
import type { EffectPlan, GuardPlan, RulePlan } from "../src/guard/plan.ts";
import { ruleIndex, ruleTexts } from "../src/rule-index.ts";
import { planOf, ruleOf } from "./guard-values.ts";

const plainWire = `
import { MalformedPayload } from "./src/guard/call.ts";
const kinds = { PreToolUse: "before-tool", PostToolUse: "after-tool", Stop: "stop", UserPromptSubmit: "prompt" };
export const wire = {
  host: "claude",
  decode(event, payload) {
    if (payload.event !== event) throw new MalformedPayload("the payload is of another event");
    const { cwd = "/", sentBack, input = {}, ...sent } = payload;
    delete sent.event;
    const fields = Object.assign(Object.create(null), sent);
    const bash = kinds[event].endsWith("-tool");
    return { event: kinds[event], hostEvent: event, cwd, tool: bash ? "Bash" : "", toolClass: bash ? "bash" : undefined, fields, input, ...(sentBack !== undefined && { sentBack }), subject: { commands: [], paths: [] } };
  },
  encode(event, decision) {
    if (decision.effect === "pass" && decision.context === undefined) return { exitCode: 0, stdout: "", stderr: "" };
    return { exitCode: decision.effect === "pass" ? 0 : 2, stdout: JSON.stringify({ effect: decision.effect, context: decision.context }), stderr: decision.message === "" ? "" : decision.message + "\\n" };
  },
};`;

export interface Project {
  readonly root: string;
  readonly home: string;
  readonly guard: string;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly took: number;
}

export interface Guards {
  /** A project with a guard of these rules. */
  project(...rules: readonly RulePlan[]): Project;
  projectOf(plan: Partial<GuardPlan>): Project;
}

/** Makes the runtime before the tests of a file and removes all projects after them. */
export function setUpGuards(): Guards {
  let folder = "";
  let runtime = "";
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-doing-")));
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
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  const projectOf = (plan: Partial<GuardPlan>): Project => {
    count += 1;
    const root = join(folder, `project-${count}`);
    const home = join(folder, `home-${count}`);
    const guard = join(root, ".claude/policyc/guard.cjs");
    mkdirSync(join(root, ".claude/policyc"), { recursive: true });
    mkdirSync(home);
    const events = ["PreToolUse", "PostToolUse", "Stop", "UserPromptSubmit"].map((name) => ({ name, failClosed: name === "PreToolUse" }));
    const { rules, ...head } = { ...planOf(), events, ...plan };
    writeFileSync(guard, [`const plan = ${JSON.stringify(head)};`, runtime, composePart("rules", ruleTexts(rules)), composePart("ruleIndex", ruleIndex(rules))].join("\n"));
    return { root, home, guard };
  };
  return { projectOf, project: (...rules) => projectOf({ rules }) };
}

export function rule(id: string, effect: EffectPlan, part: Partial<RulePlan> = {}): RulePlan {
  return { ...ruleOf("deny", { id: `acme/${id}`, tools: [] }), effect, ...part };
}

export function run(project: Project, payload: object, more: { readonly environment?: NodeJS.ProcessEnv; readonly parameters?: readonly string[] } = {}): Promise<Ended> {
  const { event = "PreToolUse" } = payload as { event?: string };
  const started = Date.now();
  const environment = { ...process.env, HOME: project.home, XDG_STATE_HOME: undefined, ...more.environment };
  const child = spawn(process.execPath, [project.guard, event, ...(more.parameters ?? [])], { env: environment, cwd: project.root });
  const words = { stdout: "", stderr: "" };
  child.stdout.on("data", (data: Buffer) => (words.stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (words.stderr += data.toString()));
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify({ event, ...payload }));
  return new Promise((resolve) => child.on("close", (exitCode) => resolve({ exitCode, ...words, took: Date.now() - started })));
}

/** The records of a log and of the files that were moved aside for it. */
export function recordsIn(project: Project, path: string): readonly LogRecord[] {
  const [folder, name] = [join(project.root, path, ".."), path.slice(path.lastIndexOf("/") + 1)];
  const files = readdirSync(folder).filter((file) => file.startsWith(name));
  return files.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n").slice(0, -1)).map((line) => JSON.parse(line) as LogRecord);
}

export interface LogRecord {
  readonly timestamp: string;
  readonly severity_text: string;
  readonly severity_number: number;
  readonly event_name: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** True as soon as `isTrue` is, false where that takes too long. */
export async function until(isTrue: () => boolean, most = 50_000): Promise<boolean> {
  for (const end = Date.now() + most; Date.now() < end && !isTrue(); ) await new Promise((resolve) => setTimeout(resolve, 20));
  return isTrue();
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A dead process whose parent has not asked for it yet is still listed.
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
