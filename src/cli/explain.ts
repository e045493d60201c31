/**
 * `policyc explain`: with a code its long text; with `--tool` or `--payload` what every rule says about that call, and
 * which part of its condition decided.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isClean } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import { renderText } from "../diagnostics/render.ts";
import { MalformedPayload } from "../guard/call.ts";
import type { JsonObject } from "../guard/call.ts";
import { parsePayload } from "../guard/payload-text.ts";
import { expectObject } from "../guard/payload.ts";
import { mainField, toolClasses } from "../guard/vocabulary.ts";
import type { EventKind, ToolClass } from "../guard/vocabulary.ts";
import type { Host } from "../hosts/host.ts";
import type { Lowered } from "../lower/lower.ts";
import { explainCode } from "./explain-code.ts";
import { explanationJson, explanationText } from "./explanation.ts";
import { chooseHost, chooseHosts } from "./hosts.ts";
import { judgeCall } from "./judged-call.ts";
import type { AskedCall } from "./judged-call.ts";
import { examineProject } from "./outputs.ts";
import { findProjects } from "./project.ts";
import { UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

export interface ExplainOptions {
  readonly tool?: string;
  readonly text?: string;
  readonly payload?: string;
  readonly host?: string;
  readonly event?: string;
  readonly format: "text" | "json";
}

export async function explain(subject: string | undefined, options: ExplainOptions, terminal: Terminal): Promise<ExitCode> {
  const isAboutCall = options.tool !== undefined || options.payload !== undefined || options.event !== undefined;
  if (!isAboutCall) {
    if (subject === undefined || options.text !== undefined) throw new UsageError("explain needs a code, or a call: `--tool bash --text '…'` or `--payload FILE`");
    return explainCode(subject, options.format, terminal);
  }
  if (options.payload !== undefined && (options.tool !== undefined || options.text !== undefined)) throw new UsageError("`--payload` is the whole call; leave out `--tool` and `--text`");
  const [project, ...others] = findProjects(subject === undefined ? [] : [subject], undefined, terminal.folder);
  if (project === undefined || others.length > 0) throw new UsageError("explain looks at one project");

  const examined = examineProject(project, chooseHosts(options.host === undefined ? undefined : [chooseHost(options.host).id]));
  if (!isClean(examined.diagnostics)) {
    terminal.complain(renderText(examined.diagnostics.filter((diagnostic) => diagnostic.severity === "error"), { colour: terminal.colour && terminal.live }));
    terminal.complain("\nA policy with errors makes no guard, so there is nothing to explain yet.\n");
    return 1;
  }
  const { lowered } = examined;
  if (lowered.length === 0) throw new UsageError(options.host === undefined ? "the policy targets no host" : `the policy does not target \`${options.host}\``);
  const asked = options.payload === undefined ? composedCall(lowered[0] as Lowered, options, project.root) : recordedCall(lowered, options, readPayload(options.payload, terminal.folder));
  const judged = judgeCall(asked, project.root, terminal.environment);
  terminal.print(options.format === "json" ? `${JSON.stringify(explanationJson(asked, judged), undefined, 2)}\n` : explanationText(asked, judged, terminal.colour));
  return 0;
}

/** The call that `--tool` and `--text` describe, as the host would send it. */
function composedCall(on: Lowered, options: ExplainOptions, root: string): AskedCall {
  const { host } = on;
  const event = options.event ?? host.facts.events["before-tool"]?.[0] ?? "";
  if (!host.facts.eventNames.includes(event)) throw new UsageError(`${host.title} has no event \`${event}\`; ${suggest(event, host.facts.eventNames)}`);
  const tool = options.tool === undefined ? undefined : namedTool(options.tool, options.text, host);
  const field = tool === undefined ? momentField(host, event) : tool.field;
  if (options.text !== undefined && field === undefined) throw new UsageError(`\`--text\` has no field to fill there; send a whole payload with --payload`);
  const fields = options.text === undefined || field === undefined || field === "tool" ? {} : { [field]: options.text };
  return { on, event, payload: host.player.compose(event, tool?.name, fields, { cwd: root }) };
}

interface NamedTool {
  readonly name: string;
  readonly field: string | undefined;
}

function namedTool(word: string, text: string | undefined, host: Host): NamedTool {
  const asClass = word === "shell" ? "bash" : toolClasses.find((toolClass) => toolClass === word);
  if (asClass === "mcp") return { name: mcpName(text, host), field: mainField.mcp };
  if (asClass !== undefined) {
    const [name] = host.facts.tools[asClass];
    if (name === undefined) throw new UsageError(`${host.title} has no tool of the class \`${word}\``);
    return { name, field: mainField[asClass] };
  }
  const owner = toolClasses.find((toolClass: ToolClass) => host.facts.tools[toolClass].includes(word));
  if (owner !== undefined) return { name: word, field: mainField[owner] };
  const near = nearest(word, [...toolClasses, ...Object.values(host.facts.tools).flat()]);
  if (near.length > 0) throw new UsageError(`${host.title} has no tool \`${word}\`; did you mean ${eitherOf(near)}?`);
  return { name: word, field: undefined };
}

/** `--text` is `server.tool` for the class `mcp`. */
function mcpName(text: string | undefined, host: Host): string {
  const [, server, tool] = /^([^.]+)\.(.+)$/.exec(text ?? "") ?? [];
  if (server === undefined || tool === undefined) throw new UsageError("for `--tool mcp` the text is `SERVER.TOOL`, such as github.create_issue");
  return host.facts.mcpTool(server, tool);
}

const momentFields: Partial<Record<EventKind, string>> = { prompt: "prompt", "session-start": "source", stop: "message", "before-compact": "trigger", "after-compact": "summary" };

function momentField(host: Host, event: string): string | undefined {
  const kind = (Object.keys(host.facts.events) as EventKind[]).find((candidate) => host.facts.events[candidate]?.includes(event));
  if (kind === "before-tool" || kind === "after-tool") throw new UsageError(`\`${event}\` is about a tool; say which with --tool`);
  return kind === undefined ? undefined : momentFields[kind];
}

function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near.length > 0 ? `did you mean ${eitherOf(near)}?` : `it has ${known.join(", ")}`;
}

/**
 * The first targeted host and event that the payload fits. One that fits none is shown to the host whose event it names:
 * then the guard's refusal is the answer.
 */
function recordedCall(lowered: readonly Lowered[], options: ExplainOptions, payload: JsonObject): AskedCall {
  const asked = lowered.flatMap((on) => on.host.facts.eventNames.filter((event) => options.event === undefined || event === options.event).map((event) => ({ on, event, payload })));
  const fits = asked.find(({ on, event }) => on.host.contract.judgePayload(event, payload).length === 0);
  const names = asked.find(({ event }) => event === options.event || Object.values(payload).includes(event));
  const found = fits ?? names;
  if (found === undefined) throw new UsageError("the payload names no event of a targeted host; say which with --host and --event");
  return found;
}

function readPayload(path: string, folder: string): JsonObject {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path === "-" ? 0 : resolve(folder, path));
  } catch {
    throw new UsageError(`the payload \`${path}\` cannot be read`);
  }
  try {
    return expectObject(parsePayload(bytes), "the payload");
  } catch (fault) {
    if (fault instanceof MalformedPayload) throw new UsageError(`${fault.message}; a guard refuses such a payload as \`default on-error\` says`);
    throw fault;
  }
}
