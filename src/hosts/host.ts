/**
 * What a host module states about its host, as data and as pure functions. Nobody outside a host's folder asks for its
 * name: ask for a capability.
 */
import type { Answer, Decision, Json, JsonObject, Wire } from "../guard/call.ts";
import type { EventKind, ToolClass } from "../guard/vocabulary.ts";
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";

export type Scope = "project" | "user" | "plugin" | "enforced";

/** An effect word of the language as far as hosts differ in it. */
export type EffectKind = "deny" | "ask" | "allow" | "retry" | "set" | "replace" | "redact" | "tell-model" | "tell-user" | "log" | "run" | "forward" | "mark" | "permission";

export interface Host {
  readonly id: string;
  /** As people write it: `Claude Code`. */
  readonly title: string;
  readonly facts: HostFacts;
  /** The bundled codec, for in-process use, and where the bundler finds it (relative to `src/`). */
  readonly wire: Wire;
  readonly wireModule: string;
  readonly contract: Contract;
  /** Plays the host: the payload it would send. Used by examples, tests and verification. */
  readonly player: Player;
  /** Where things go under the project root in scope project (forward slashes). */
  readonly guardPath: string;
  readonly settingsPath: string;
  readonly ledgerPath: string;
  /**
   * Pure: the settings text with exactly these entries of ours, everything foreign untouched. `entries` empty removes.
   * `existing` is undefined where there is no file.
   */
  register(registration: Registration, existing: SourceFile | undefined, ledger: SourceFile | undefined): Registered;
}

export interface HostFacts {
  /** The events of the host, by portable moment; the first name is the main one. */
  readonly events: Partial<Record<EventKind, readonly string[]>>;
  /** Every event name of the host. */
  readonly eventNames: readonly string[];
  /** Names of the tools of each class; empty: no such tool. */
  readonly tools: Readonly<Record<ToolClass, readonly string[]>>;
  /** The host's newest name of an MCP tool: `mcp__github__create_issue`. */
  mcpTool(server: string, tool: string): string;
  /** How the host spells a server's or tool's name inside that, where it changes characters: `my-server` is `my_server`. */
  mcpPart?(name: string): string;
  /** Effects the host can carry out at a moment, and in a sentence why the others are not there. */
  supports(effect: EffectKind, event: EventKind): boolean;
  readonly lacks: Partial<Record<EffectKind, string>>;
  /** Fields the host never sends (`message` on Vibe). */
  readonly absentFields: readonly string[];
  /** Fields whose value is always the same there, with a sentence. */
  readonly constantFields: Readonly<Record<string, string>>;
  /** What holds a gate when the guard cannot start: `strict` for every failure, `command-line` for all but a time-out. */
  readonly backstop: "strict" | "command-line";
  /** Seconds: what the host allows an entry at most, and the least we emit. */
  readonly timeout: { readonly most: number; readonly least: number };
}

/** One event's hook entry, still in portable terms. */
export interface HookEntry {
  /** The host's event name. */
  readonly event: string;
  /** Host tool names the rules look at; `undefined`: every tool. */
  readonly tools: readonly ToolMatch[] | undefined;
  readonly failClosed: boolean;
  /** Seconds, final. */
  readonly timeout: number;
  /** Rule ids, for hosts that show a description. */
  readonly rules: readonly string[];
}

export type ToolMatch = { readonly kind: "class"; readonly toolClass: ToolClass } | { readonly kind: "tool"; readonly name: string } | { readonly kind: "mcp"; readonly server: { readonly text: string; readonly star: boolean } };

export interface Registration {
  readonly policy: string;
  readonly scope: Scope;
  readonly entries: readonly HookEntry[];
  /** Native permission strings to add; only where the host has them. */
  readonly denials: readonly string[];
}

export interface Registered {
  /** The new settings text; `undefined`: no file should be there. */
  readonly settings: string | undefined;
  readonly ledger: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The judge: knows the host's stdin and stdout by schema alone, shares no code with the wire. */
export interface Contract {
  /** Breaches of the stdin contract; empty where the payload is what the host sends. */
  judgePayload(event: string, payload: Json): readonly string[];
  /** How the host would take an answer, and every breach of its stdout contract. */
  judgeAnswer(event: string, answer: { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }): Judgement;
}

export interface Judgement {
  readonly effect: Decision["effect"];
  /** The reason the model is given, where there is one. */
  readonly reason: string;
  readonly breaches: readonly string[];
}

export interface Player {
  /** A well-formed payload of the event; `tool` a host tool name, `fields` portable ones (`command`, `input.timeout`). */
  compose(event: string, tool: string | undefined, fields: Readonly<Record<string, string | number>>, place: { readonly cwd: string }): JsonObject;
  /** Malformed payload texts that a gate on the event must refuse, each with a name. */
  malformed(event: string): readonly { readonly name: string; readonly stdin: string }[];
}

export type { Answer };
