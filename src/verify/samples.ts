/**
 * The payloads a guard is tried with: for every event of a host well-formed ones (composed for each tool and kind of
 * moment, recorded from the host, made from the policy's own examples) and malformed ones.
 */
import type { ExampleCall } from "../examples/calls.ts";
import type { Json, JsonObject } from "../guard/call.ts";
import type { EventKind, ToolClass } from "../guard/vocabulary.ts";
import { toolClasses } from "../guard/vocabulary.ts";
import type { Host } from "../hosts/host.ts";

/** One payload with the words that name it in a finding. */
export interface Sample {
  readonly name: string;
  readonly stdin: string;
  readonly payload: JsonObject;
}

/** A payload that the host once sent, with ids and paths made neutral. */
export interface Recorded {
  readonly host: string;
  readonly event: string;
  readonly name: string;
  readonly payload: JsonObject;
}

type Fields = Readonly<Record<string, string | number>>;

export function kindOf({ facts }: Host, event: string): EventKind {
  const kinds = Object.keys(facts.events) as EventKind[];
  return kinds.find((kind) => facts.events[kind]?.includes(event)) ?? facts.laterEvents.find((later) => later.event === event)?.kind ?? "host-event";
}

/** What the host would send at the event, several for each class of tools. */
export function composedSamples(host: Host, event: string, cwd: string): readonly Sample[] {
  const kind = kindOf(host, event);
  const later = host.facts.laterEvents.find((one) => one.event === event);
  const classes = later?.classes ?? toolClasses;
  const calls =
    kind === "before-tool"
      ? classes.flatMap((toolClass) => toolsOf(host, toolClass).flatMap((tool) => toolFields[toolClass].map((fields) => ({ tool, fields }))))
      : kind === "after-tool"
        ? [...classes.flatMap((toolClass) => toolsOf(host, toolClass).map((tool) => ({ tool, fields: { ...toolFields[toolClass][0], output: "ok\n" } }))), ...outcomes.map((fields) => ({ tool: host.facts.tools.bash[0], fields: { command: "npm test", ...fields } }))]
        : momentFields[kind].map((fields) => ({ tool: undefined, fields }));
  return distinct(calls.map(({ tool, fields }) => composedSample(host, event, tool, fields, cwd)));
}

/** Recorded ones, moved into the project. */
export function recordedSamples(host: Host, event: string, cwd: string, recorded: readonly Recorded[]): readonly Sample[] {
  return recorded
    .filter((one) => one.host === host.id && one.event === event)
    .map(({ name, payload }) => {
      const { cwd: folder } = payload;
      const moved = typeof folder === "string" && folder !== "" ? (moveTexts(payload, folder, cwd) as JsonObject) : payload;
      return sampleOf(host, event, `recorded ${name}`, moved);
    });
}

/** Calls of examples, where this machine is one they can be made on. */
export function exampleSamples(host: Host, event: string, cwd: string, calls: readonly ExampleCall[]): readonly Sample[] {
  const here = { win32: "windows", darwin: "macos" }[process.platform as string] ?? "linux";
  const own = calls.filter((call) => call.event === event && (call.platform === undefined || call.platform === here));
  return distinct(own.map(({ tool, fields }) => composedSample(host, event, tool, fields, cwd)));
}

export function malformedSamples(host: Host, event: string): readonly Pick<Sample, "name" | "stdin">[] {
  return host.player.malformed(event);
}

export function composedSample(host: Host, event: string, tool: string | undefined, fields: Fields, cwd: string): Sample {
  const words = Object.entries(fields).map(([name, value]) => `${name} ${JSON.stringify(value).slice(0, 40)}`);
  return sampleOf(host, event, [tool ?? event, ...words].join(" "), host.player.compose(event, tool, fields, { cwd }));
}

function sampleOf(host: Host, event: string, name: string, payload: JsonObject): Sample {
  const odd = host.contract.judgePayload(event, payload);
  if (odd.length > 0) throw new Error(`the sample payload of ${host.id} ${event} (${name}) breaks the host's own contract: ${odd.join("; ")}`);
  return { name, stdin: JSON.stringify(payload), payload };
}

function distinct(samples: readonly Sample[]): readonly Sample[] {
  return [...new Map(samples.map((sample) => [sample.stdin, sample])).values()];
}

function moveTexts(value: Json, from: string, to: string): Json {
  if (typeof value === "string") return value === from || value.startsWith(`${from}/`) ? `${to}${value.slice(from.length)}` : value;
  if (Array.isArray(value)) return value.map((one: Json) => moveTexts(one, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moveTexts(inner as Json, from, to)]));
}

/** Every tool of a class that the host has; an MCP server's tool by the host's own spelling. */
function toolsOf(host: Host, toolClass: ToolClass): readonly string[] {
  return toolClass === "mcp" ? [host.facts.mcpTool("github", "create_issue")] : host.facts.tools[toolClass];
}

/** What each class is tried with: plain, dangerous, and in a form that strains reading or quoting. */
const toolFields: Readonly<Record<ToolClass, readonly Fields[]>> = {
  bash: [{ command: "ls -la" }, { command: "rm -r build" }, { command: "npm install left-pad" }, { command: "git commit -m \"a 'quoted'\nmessage with \u00e9\u4e2d\u{1F600}\"" }, { command: "cat <<'END' | sh\nrm -rf /\nEND" }, { command: `echo ${"x".repeat(100_000)}` }],
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

/** How a command can come out: quiet, failed, with a secret, and longer than any host reads from a hook. */
const outcomes: readonly Fields[] = [
  { output: "" },
  { output: "1 test failed: FAIL src/index.test.ts\n", status: "failure", error: "Exit code 1" },
  { output: "key AKIAIOSFODNN7EXAMPLE \u00e9\u4e2d\u{1F600}\u0000\u001b[31m\n" },
  { output: `${"0123456789abcdef".repeat(75_000)}\nkey AKIAIOSFODNN7EXAMPLE\n` },
];

/** Events without a tool. */
const momentFields: Readonly<Record<Exclude<EventKind, "before-tool" | "after-tool">, readonly Fields[]>> = {
  prompt: [{ prompt: "Fix the failing test." }, { prompt: "delete the caf\u00e9 table\n\u4e2d\u{1F600}\u0000" }, { prompt: "x".repeat(100_000) }],
  "session-start": [{ source: "startup" }, { source: "resume" }, { source: "compact" }],
  stop: [{}, { message: "Done." }, { agent: "reviewer", message: "Done." }],
  "before-compact": [{ trigger: "manual" }, { trigger: "auto", instructions: "Keep the plan." }],
  "after-compact": [{ trigger: "manual", summary: "The plan." }, { trigger: "auto", summary: "" }],
  "host-event": [{}],
};
