/**
 * What a host module states about its host, as data and as pure functions. Nobody outside a host's folder asks for its
 * name: ask for a capability.
 */
import type { Answer, Decision, Json, JsonObject, Platform, Wire } from "../guard/call.ts";
import type { HookSwitch, SettingsShape } from "../guard/plan.ts";
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
  /** Where things go in scope project, below the project root. */
  readonly layout: Layout;
  /** The same in any scope; `undefined` where the host has no such scope. Scopes user and enforced need `around`. */
  layoutIn(scope: Scope, around?: Surroundings): Layout | undefined;
  /**
   * Pure: the settings text with exactly these entries of ours, everything foreign untouched. `entries` empty removes.
   * `existing` is undefined where there is no file.
   */
  register(registration: Registration, existing: SourceFile | undefined, ledger: SourceFile | undefined): Registered;
  /** How the host starts the guard for an entry of a project whose root is `root`, as `register` has written it. */
  launch(entry: HookEntry, root: string): Launch;
}

/** What a host starts for a hook: a program with its arguments, or a line for the platform's shell. */
export type Launch = { readonly kind: "words"; readonly words: readonly [string, ...string[]] } | { readonly kind: "line"; readonly line: string };

/** Where one scope's files of a host lie. Paths are relative, with forward slashes. */
export interface Layout {
  /** What the paths are below: absolute, or `""` for the folder a build is about (a project's root, a plugin's own). */
  readonly folder: string;
  readonly guard: string;
  readonly settings: string;
  readonly ledger: string;
  /** Further files a build makes there: a plugin's manifest. */
  readonly others: readonly string[];
}

/** What the paths of the scopes beyond a project depend on. */
export interface Surroundings {
  readonly platform: Platform;
  /** Absolute, forward slashes. */
  readonly home: string;
  /** Absolute: the Node that starts guards outside projects. */
  readonly node: string;
  /** `CLAUDE_CONFIG_DIR`, `VIBE_HOME`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface HostFacts {
  /** Which versions of the host these facts are from, and how they were learned. */
  readonly knownFrom: string;
  /** What a guard on this host cannot see, hold or say, and what differs between its versions: a sentence each. */
  readonly limits: readonly string[];
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
  /**
   * Effects the host can carry out at a moment, and in a sentence why the others are not there. For a host's own event
   * `hostEvent` decides: without it the answer is whether any such event takes the effect.
   */
  supports(effect: EffectKind, event: EventKind, hostEvent?: string): boolean;
  readonly lacks: Partial<Record<EffectKind, string>>;
  /** What `on any` means, by the host's names (LANGUAGE.md 3.10). */
  readonly anyEvents: readonly string[];
  /** Events at which a `deny` in quotes stops the thing itself. Not those at a stop: the word there is `retry`. */
  readonly blockingEvents: readonly string[];
  /** Events at which a text in the answer reaches the model. */
  readonly contextEvents: readonly string[];
  /** Events no rule may be about, each with a sentence why. */
  readonly closedEvents: Readonly<Record<string, string>>;
  /** Versions of the host that brought an event, where older ones are in use: one of them may ignore the whole file for it. */
  readonly eventsSince: Readonly<Record<string, string>>;
  /** Events that belong to a portable moment too, and are registered only where `--min-version` says that the host has them. */
  readonly laterEvents: readonly LaterEvent[];
  /** Which agents' ends `on stop of NAME` can be about. */
  readonly stopAgents: "every" | "main";
  /** Moments at which a message for the person is dropped when the answer is a refusal. */
  readonly silentDenials?: readonly EventKind[];
  /** How often the host lets itself be sent back: in a row on Claude Code, per turn and over all hooks on Vibe. */
  readonly retryCap?: number;
  /** Characters of context for the model before the host puts a preview in its place. */
  readonly contextCap?: number;
  /** Bytes of stdout the host reads. */
  readonly outputCap?: number;
  /** In a sentence: outputs that a transform after a tool cannot change. Absent: it can change them all. */
  readonly partialOutput?: string;
  /** The variable in which the host names the project, for guards that do not lie in it. */
  readonly rootVariable?: string;
  /** True where the host itself can post an event to an `https` address (`--native-https`). */
  readonly nativeForward: boolean;
  /** The version that can, where older ones ignore the whole file for such an entry. */
  readonly nativeForwardSince?: string;
  /** Fields the host never sends (`message` on Vibe). */
  readonly absentFields: readonly string[];
  /** Fields it sends, and not at these moments. */
  readonly absentAt?: Partial<Record<EventKind, readonly string[]>>;
  /** What `input.NAME` can be at an event in quotes: the payload's own fields. An event without a row gives a tool's arguments. */
  readonly payloadFields: Readonly<Record<string, readonly string[]>>;
  /** Fields whose value is always the same there, with a sentence. */
  readonly constantFields: Readonly<Record<string, string>>;
  /** Values that a field never has there, each with a sentence. */
  readonly absentValues: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** In a sentence, why `status` does not say how a command ended; absent where it does. */
  readonly shellStatus?: string;
  /** Shell tools whose name in quotes leaves others open that run commands too. */
  readonly shellGaps?: Readonly<Record<string, readonly string[]>>;
  /**
   * What makes a guard of this host run, wherever it stands: guards and ledgers, settings that hold hook entries and
   * switches, files from which the host takes more hooks and agents. Globs as in a policy, `!` subtracts.
   */
  readonly protectedPaths: readonly string[];
  /** How the settings file holds hook entries. */
  readonly settingsShape: SettingsShape;
  /** Settings that keep the host from starting hooks, and those of which scopes. */
  readonly hookSwitches: readonly (HookSwitch & { readonly scopes: readonly Scope[] })[];
  /** What holds a gate when the guard cannot start: `strict` for every failure, `command-line` for all but a time-out. */
  readonly backstop: "strict" | "command-line";
  /** What the host does where a guard gives no answer; the first row that fits counts. */
  readonly failures: readonly FailureFact[];
  /** Seconds: what the host allows an entry at most, and the least we emit. */
  readonly timeout: { readonly most: number; readonly least: number };
}

/** What a host does where a hook gives no answer. */
export interface FailureFact {
  /** `ended`: it could not start, crashed or was killed. `late`: it was still running at the entry's time-out. Absent: both. */
  readonly failure?: "ended" | "late";
  /** Of entries that say that they have to hold where their guard fails, or of the others. Absent: of all. */
  readonly bound?: boolean;
  /** The host's events; absent: all. */
  readonly events?: readonly string[];
  /** `stops`: as a refusal would, or with nothing in the place of an output. */
  readonly outcome: "stops" | "goes-on";
  /** `entry`: the host would go on, but the entry's own command line makes an answer of the failure. */
  readonly by: "host" | "entry";
  /** In words that begin small and end without a full stop. */
  readonly then: string;
}

export interface LaterEvent {
  readonly event: string;
  readonly kind: EventKind;
  /** The classes whose tools it is about. */
  readonly classes: readonly ToolClass[];
  /** `2.1.332`. */
  readonly since: string;
  /** Effects that come out as a refusal there, because the host has no words for them. */
  readonly refused: readonly EffectKind[];
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
  /** Addresses that the host itself posts the event to (`--native-https`); seconds. */
  readonly posts?: readonly { readonly url: string; readonly timeout: number }[];
  /** False: nothing but `posts` is about the event, so that no guard has to start. */
  readonly guarded?: boolean;
}

export type ToolMatch = { readonly kind: "class"; readonly toolClass: ToolClass } | { readonly kind: "tool"; readonly name: string } | { readonly kind: "mcp"; readonly server: { readonly text: string; readonly star: boolean } };

export interface Registration {
  readonly policy: string;
  readonly scope: Scope;
  readonly entries: readonly HookEntry[];
  /** Native permission strings to add; only where the host has them. */
  readonly denials: readonly string[];
  /** Needed in the scopes whose paths are absolute: user and enforced. */
  readonly around?: Surroundings;
}

export interface Registered {
  /** The new settings text; `undefined`: no file should be there. */
  readonly settings: string | undefined;
  readonly ledger: string | undefined;
  /** Texts of `Layout.others`, in order; absent where there are none. */
  readonly others?: readonly (string | undefined)[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The judge: knows the host's stdin and stdout by schema alone, shares no code with the wire. */
export interface Contract {
  /** Breaches of the stdin contract; empty where the payload is what the host sends. */
  judgePayload(event: string, payload: Json): readonly string[];
  /** How the host would take an answer, and every breach of its stdout contract. With the payload it is an answer to, the shapes of changed arguments and outputs are judged too. */
  judgeAnswer(event: string, answer: { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }, payload?: Json): Judgement;
}

export interface Judgement {
  /** `retry` at a stop. After a tool `deny` where the model reads another text in the place of the output. */
  readonly effect: Decision["effect"];
  /** The reason the model is given, where there is one. */
  readonly reason: string;
  /** The arguments the tool would run with, where the answer changes them. */
  readonly input?: JsonObject;
  /** What stands in the place of the tool's output: in the tool's own shape, or text. */
  readonly output?: Json;
  /** What the model is told besides. */
  readonly context?: string;
  /** What the person is told. */
  readonly notice?: string;
  readonly breaches: readonly string[];
}

export interface Player {
  /** The host's event of a moment at which it would tell these fields: a failed call, a subagent's end may have one of their own. */
  eventOf(event: EventKind, fields: Readonly<Record<string, string | number>>): string | undefined;
  /** A well-formed payload of the event; `tool` a host tool name, `fields` portable ones (`command`, `input.timeout`). */
  compose(event: string, tool: string | undefined, fields: Readonly<Record<string, string | number>>, place: { readonly cwd: string }): JsonObject;
  /** Malformed payload texts that a gate on the event must refuse, each with a name. */
  malformed(event: string): readonly { readonly name: string; readonly stdin: string }[];
}

export type { Answer };
