/**
 * Bob Shell's part of registering: one group per event in its settings, without a matcher, because the host's tool names
 * are not confirmed and a matcher that misses one is a hole. Source: the vendor's hooks page, 2026-10.
 */
import type { SourceFile } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../guard/call.ts";
import type { HookEntry, Launch, Layout, Registered, Registration } from "../host.ts";
import { expectSurroundings, placeIn } from "../place.ts";
import { guardLine, startsGuard, wordsOf } from "../settings/command-line.ts";
import { registerHookGroups, type HookFile } from "../settings/hook-groups.ts";
import { emptyLedger, writeLedger } from "../settings/ledger.ts";
import { layout, layoutIn } from "./layout.ts";
import { findSettingsFaults } from "./loading.ts";

/** See `Host.register`. */
export function register(registration: Registration, existing: SourceFile | undefined, ledger: SourceFile | undefined): Registered {
  const hookFile = hookFileOf(registration);
  return registration.scope === "enforced" ? composePolicy(hookFile, registration) : registerHookGroups(hookFile, registration, existing, ledger);
}

/** See `Host.launch`. The line is read by `sh` or `cmd`, in the task's folder. */
export function launch(entry: HookEntry): Launch {
  return { kind: "line", line: guardedLine(entry, projectLine(entry.event)) };
}

/**
 * The value of the policy `EnforcedHooks`: the map of events, a JSON text on one line. An administrator's tools put it
 * where Bob looks, so nothing else stands in this file.
 */
function composePolicy(hookFile: HookFile, { entries }: Registration): Registered {
  if (entries.length === 0) return { settings: undefined, ledger: undefined, diagnostics: [] };
  const hooks = Object.fromEntries(entries.map((entry) => [entry.event, groupsOf(hookFile, entry)]));
  const [fault] = findSettingsFaults({ hooks });
  if (fault) throw new Error(`Bob Shell would not load what was composed: ${fault.why}`);
  return { settings: `${JSON.stringify(hooks)}\n`, ledger: writeLedger({ ...emptyLedger, before: null }), diagnostics: [] };
}

function groupsOf(hookFile: HookFile, entry: HookEntry): readonly JsonObject[] {
  const posts = (entry.posts ?? []).map((post) => ({ hooks: [composePost(post)] }));
  return [...(entry.guarded === false ? [] : [hookFile.composeGroup(entry)]), ...posts];
}

/** How the guard of a scope is started, and how a line that starts it is told from people's own. */
interface Starting {
  readonly layout: Layout;
  line(event: string): string;
  owns(line: string): boolean;
}

function startingOf({ scope, around }: Registration): Starting {
  if (scope === "project") return { layout, line: projectLine, owns: (line) => ownGuard.test(line) };
  const surroundings = expectSurroundings(scope, around);
  const own = layoutIn(scope, surroundings);
  if (own === undefined) throw new Error(`Bob Shell has no scope ${scope}`);
  const guard = placeIn(own, own.guard);
  return { layout: own, line: (event) => guardLine(guard, event, surroundings), owns: (line) => startsGuard(wordsOf(line) ?? [], guard) };
}

/** A line that starts node on our guard and does nothing else: one that only mentions the guard is somebody else's. */
const ownGuard = /^node (?:\.\/)?\.bob\/policyc\/guard\.cjs(?: \w+)*$/;

function hookFileOf(registration: Registration): HookFile {
  const starting = startingOf(registration);
  return {
    host: "IBM Bob Shell",
    layout: starting.layout,
    owns: ({ command }) => typeof command === "string" && starting.owns(command.trim().replace(/ \|\| exit \d+$/, "")),
    composeGroup: (entry) => composeGroup(entry, starting.line(entry.event)),
    composePost,
    findFaults: findSettingsFaults,
    nameLoss: () => "every hook of the file",
    // Fail closed: nobody has seen it load one, and Node, which it runs on, parses none.
    readsMark: false,
    refusesEmpty: true,
  };
}

function projectLine(event: string): string {
  return `node ${layout.guard} ${event}`;
}

function composeGroup(entry: HookEntry, line: string): JsonObject {
  return { hooks: [{ type: "command", command: guardedLine(entry, line), timeout: entry.timeout }] };
}

/** Valid in `sh` and in `cmd`. `|| exit 2` refuses where node or the guard is missing. */
function guardedLine({ failClosed }: HookEntry, line: string): string {
  return `${line}${failClosed ? " || exit 2" : ""}`;
}

/** Since 2.0.3 (2026-09); the hooks page calls the type `https`. */
function composePost({ url, timeout }: NonNullable<HookEntry["posts"]>[number]): JsonObject {
  return { type: "https", url, timeout };
}
