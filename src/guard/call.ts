/**
 * What a wire codec makes of a host's payload, and what a guard answers. A payload of the wrong shape never becomes a
 * call: the codec throws `MalformedPayload`, which is answered as `default on-error` says.
 */
import type { PatternPlan, SidePlan } from "./plan.ts";
import type { EventKind, ToolClass } from "./vocabulary.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** One decoded event of a host. */
export interface ToolCall {
  readonly event: EventKind;
  /** The host's own name of the event. */
  readonly hostEvent: string;
  /** Absolute, as sent; `""` where an old Bob sent none (the process' own folder then is the task's). */
  readonly cwd: string;
  /** The host's name of the tool, case kept; `""` where the event has none. */
  readonly tool: string;
  /** What the tool is; `undefined` for a tool nobody knows. */
  readonly toolClass: ToolClass | undefined;
  /** A second class the same call counts as: Bob's one shell tool runs PowerShell on Windows. */
  readonly alsoClass?: ToolClass;
  /** Of an MCP tool: server and tool name. `ambiguous` where the host's spelling can be split in several ways. */
  readonly mcp?: McpName;
  /** Portable fields by name (null prototype). Absent key: the host did not send it. */
  readonly fields: FieldValues;
  /** Raw arguments of the tool, or the payload's own fields for a host event. */
  readonly input: JsonObject;
  /** What the tool answered, as sent (after a tool); a host that sends text has a string here. */
  readonly response?: Json;
  /**
   * Where the text of a portable field stands in `input` or `response`: what `replace` and `redact` change. Several places
   * where the host keeps it in pieces (hunks of an edit, blocks of an output). Absent field: cannot be changed. `input` is
   * there where arguments can be, with the place of all of them: `input.NAME` lies below it.
   */
  readonly places?: { readonly [field: string]: readonly Place[] };
  /** At a stop: whether a hook has sent the agent back in this turn already. Absent: the host does not say. */
  readonly sentBack?: boolean;
  /** Tells several agents of one name apart, where the host does. */
  readonly agentId?: string;
  /** What shell and path atoms look at, whatever the tool: its own arguments or, for MCP and unknown tools, those of that shape. */
  readonly subject: Subject;
}

/** A text inside the call: the keys and indexes that lead to it; none where the response itself is the text. */
export interface Place {
  readonly in: "input" | "response";
  readonly path: readonly (string | number)[];
}

export interface McpName {
  readonly server: string;
  readonly tool: string;
  readonly ambiguous: boolean;
  /** Every other way to read the host's spelling. Certain aliases where `ambiguous` is false, else each of them is a doubt. */
  readonly others?: readonly { readonly server: string; readonly tool: string }[];
}

/** `path` and `cwd` may hold several paths of one call. */
export type FieldValue = string | number | boolean | readonly string[];
export type FieldValues = { readonly [field: string]: FieldValue };

export interface Subject {
  readonly commands: readonly { readonly text: string; readonly shell: "bash" | "powershell"; /** False: text typed into a running process; unparsable is no match, not doubt. */ readonly whole: boolean }[];
  readonly paths: readonly { readonly path: string; readonly access: "reads" | "writes" | "deletes" | "touches" }[];
  /** A tool's own argument that moves the base of relative paths. */
  readonly cwd?: string;
  /** Variables that a tool's own argument sets for its commands, as assignments before them would. */
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

/** Thrown by a codec. The message says what is wrong, in words safe to show (no payload text). */
export class MalformedPayload extends Error {
  override readonly name = "MalformedPayload";
}

export interface Reason {
  /** `policy/id`. */
  readonly rule: string;
  readonly text: string;
  readonly suggest?: string;
}

/** What the guard decided for one call, before it is put in a host's words. */
export interface Decision {
  readonly effect: "deny" | "ask" | "allow" | "retry" | "pass";
  /** For the model: every reason, worst severity first, cut to five. `""` for pass. */
  readonly message: string;
  /** For the person (Claude's ask dialog); without `suggest`. */
  readonly personMessage: string;
  readonly reasons: readonly Reason[];
  /** The whole new arguments of the tool, where a transform changed some. */
  readonly input?: JsonObject;
  /** What the tool answered, with every text that a transform changed in its place. */
  readonly response?: Json;
  /**
   * The whole text for the model in the place of what the tool answered (`set output`), whatever the tool's own shape is:
   * the codec finds one that holds it. Counts before `response`; a deny after a tool puts its message there by itself.
   */
  readonly output?: string;
  /** Text for the model besides the decision; absent: none. */
  readonly context?: string;
  /** Text for the person besides the decision; absent: none. */
  readonly notice?: string;
  /** What observed rules would have answered. */
  readonly observed?: readonly { readonly rule: string; readonly effect: string; readonly text: string }[];
  /** To be carried out once the answer is out, in file order. */
  readonly effects?: readonly SideEffect[];
  /** Rules that send the agent back: each has one more retry in a row now. Any other answer at a stop ends the counts. */
  readonly retried?: readonly string[];
  /** What every text that leaves the guard has to pass, its logs and requests included (`redactJson` in redaction.ts). */
  readonly redactions?: readonly Redaction[];
  /** What a rule could not tell, a line each, for stderr: a file that is not there, a command that took too long. */
  readonly failures?: readonly string[];
}

/** Every match of any of the patterns leaves the guard as `as`. */
export interface Redaction {
  /** `policy/id` of the rule that asks for it. */
  readonly rule: string;
  readonly patterns: readonly PatternPlan[];
  readonly as: string;
}

/** One side effect that a rule asked for; `timeout` in milliseconds. */
export interface SideEffect {
  readonly rule: string;
  readonly effect: SidePlan;
  readonly timeout?: number;
}

/** Exactly what the process prints and how it ends. Exit 1 is never used. */
export interface Answer {
  readonly exitCode: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** A host's codec: the one part of a guard that knows the host. */
export interface Wire {
  readonly host: string;
  /**
   * `event` is the guard's first argument; `payload` any JSON value from stdin.
   * @throws MalformedPayload for anything the host's contract does not allow, an event name of no or another event included
   */
  decode(event: string, payload: Json, platform: Platform): ToolCall;
  /** The payload with other arguments, as the host would send it then: decoded again, it is the rewritten call. */
  withInput?(payload: Json, input: JsonObject): Json;
  /** Never throws; `event` may be a name the host does not have; `call` is absent where decoding failed. */
  encode(event: string, decision: Decision, call?: ToolCall): Answer;
}

export type Platform = "linux" | "macos" | "windows";
