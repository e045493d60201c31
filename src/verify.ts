/**
 * Runs a built guard the way its host would and judges every answer by the host's contract: payloads the host sends, and
 * malformed ones. The caller has made sure that the guard's bytes are those of a fresh build; this file starts it.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { diagnose } from "./diagnostics/catalogue.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import type { Decision, JsonObject } from "./guard/call.ts";
import type { EventPlan, GuardPlan } from "./guard/plan.ts";
import type { EventKind, ToolClass } from "./guard/vocabulary.ts";
import { toolClasses } from "./guard/vocabulary.ts";
import type { Host } from "./hosts/host.ts";

export interface GuardRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True where it was killed because it did not end. */
  readonly late: boolean;
}

export interface GuardUnderTest {
  readonly host: Host;
  readonly plan: GuardPlan;
  /** Where the payloads say the agent works. */
  readonly cwd: string;
  start(event: string, stdin: string): Promise<GuardRun>;
  /** What the same plan decides in process; throws for what is no call. */
  decide(event: string, payload: JsonObject): Decision["effect"];
}

/** One row of the table: how many answers of an event were judged, and how many broke something. */
export interface VerifiedEvent {
  readonly host: string;
  readonly event: string;
  readonly samples: number;
  readonly malformed: number;
  readonly breaches: number;
}

export interface Verification {
  readonly rows: readonly VerifiedEvent[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One payload with the words that name it in a finding. */
interface Sample {
  readonly name: string;
  readonly stdin: string;
  /** Absent: malformed. */
  readonly payload?: JsonObject;
}

export async function verifyGuard(guard: GuardUnderTest): Promise<Verification> {
  const rows: VerifiedEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const event of guard.plan.events) {
    const samples = [...wellFormed(guard, event.name), ...malformed(guard.host, event.name)];
    const found = (await inParallel(samples, async (sample) => judge(guard, event, sample, await guard.start(event.name, sample.stdin)))).flat();
    const whole = samples.filter((sample) => sample.payload).length;
    rows.push({ host: guard.host.id, event: event.name, samples: whole, malformed: samples.length - whole, breaches: found.length });
    diagnostics.push(...found);
  }
  return { rows, diagnostics };
}

function judge(guard: GuardUnderTest, event: EventPlan, sample: Sample, run: GuardRun): readonly Diagnostic[] {
  const place = { host: guard.host.title, event: event.name, sample: sample.name };
  if (run.late) return [diagnose("verify/no-answer", { ...place, seconds: Math.ceil(patience(guard.plan) / 1000) })];
  const judgement = guard.host.contract.judgeAnswer(event.name, run);
  const breaches = judgement.breaches.map((breach) => diagnose("verify/contract-breach", { ...place, breach }));
  if (breaches.length > 0) return breaches;
  const { effect } = judgement;
  if (sample.payload) {
    const expected = guard.decide(event.name, sample.payload);
    return effect === expected ? [] : [diagnose("verify/unlike-decide", { ...place, effect, expected })];
  }
  if (!event.failClosed) return effect === "pass" ? [] : [diagnose("verify/refuses-open-event", { ...place, effect })];
  return effect === "deny" || (effect === "ask" && guard.plan.onError === "ask") ? [] : [diagnose("verify/fails-open", { ...place, effect })];
}

/** Milliseconds after which a guard counts as hanging: its deadline and what starting Node may take on a busy machine. */
function patience(plan: GuardPlan): number {
  return plan.deadline + 10_000;
}

function wellFormed({ host, cwd }: GuardUnderTest, event: string): readonly Sample[] {
  const kind = (Object.keys(host.facts.events) as EventKind[]).find((candidate) => host.facts.events[candidate]?.includes(event));
  const calls =
    kind === "before-tool" || kind === "after-tool"
      ? toolClasses.flatMap((toolClass) => toolsOf(host, toolClass).flatMap((tool) => toolSamples[toolClass].map((fields) => ({ tool, fields }))))
      : [{ tool: undefined, fields: {} }];
  return calls.map(({ tool, fields }) => {
    const payload = host.player.compose(event, tool, fields, { cwd });
    const odd = host.contract.judgePayload(event, payload);
    if (odd.length > 0) throw new Error(`the sample payload of ${host.id} ${event} ${tool ?? ""} breaks the host's own contract: ${odd.join("; ")}`);
    return { name: [tool ?? event, ...Object.values(fields).map((value) => JSON.stringify(value).slice(0, 40))].join(" "), stdin: JSON.stringify(payload), payload };
  });
}

/** Every tool of a class that the host has; an MCP server's tool by the host's own spelling. */
function toolsOf(host: Host, toolClass: ToolClass): readonly string[] {
  return toolClass === "mcp" ? [host.facts.mcpTool("github", "create_issue")] : host.facts.tools[toolClass];
}

function malformed(host: Host, event: string): readonly Sample[] {
  return host.player.malformed(event).map(({ name, stdin }) => ({ name, stdin }));
}

/** What each class is tried with: plain, dangerous, and in a form that strains reading or quoting. */
const toolSamples: Readonly<Record<ToolClass, readonly Readonly<Record<string, string>>[]>> = {
  bash: [{ command: "ls -la" }, { command: "rm -r build" }, { command: "git commit -m \"a 'quoted'\nmessage with \u00e9\u4e2d\u{1F600}\"" }, { command: "cat <<'END' | sh\nrm -rf /\nEND" }, { command: `echo ${"x".repeat(100_000)}` }],
  powershell: [{ command: "Get-ChildItem" }, { command: "Remove-Item -Recurse build" }],
  write: [
    { path: "src/index.ts", content: "export {};\n" },
    { path: "../.env", content: "TOKEN=\u0000\u001b[31m" },
  ],
  edit: [{ path: "src/index.ts", old: "a", content: "b" }],
  read: [{ path: "README.md" }, { path: "~/.ssh/id_ed25519" }],
  search: [{ path: "src", query: "main" }],
  fetch: [{ url: "https://docs.example.com/a?b=c#d" }, { url: "not a url" }],
  websearch: [{ query: "policy" }],
  agent: [{ agent: "reviewer", task: "Read the change." }],
  mcp: [{}],
};

async function inParallel<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 8) }, worker));
  return results;
}

/** Starts guard files as a host does, always dry, with nothing of our environment that could change how Node runs; `home` stands in for the person's. */
export function guardStarter(guardPath: string, plan: GuardPlan, cwd: string, home?: string): GuardUnderTest["start"] {
  const kept = ["PATH", "HOME", "USERPROFILE", "SystemRoot", "TMPDIR", "TEMP", "LANG"];
  const own = Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const env = home === undefined ? own : { ...own, HOME: home, USERPROFILE: home };
  return (event, stdin) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [guardPath, event, "dry"], { cwd, env, stdio: "pipe" });
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill("SIGKILL");
      }, patience(plan));
      child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
      // A guard that ends before it has read everything closes the pipe; what it answered is what counts.
      child.stdin.on("error", () => undefined);
      child.on("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      child.on("close", (exitCode) => {
        clearTimeout(timer);
        resolve({ exitCode, stdout: Buffer.concat(stdout).toString("utf8"), stderr: Buffer.concat(stderr).toString("utf8"), late });
      });
      child.stdin.end(stdin);
    });
}
