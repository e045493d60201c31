/**
 * What a guard remembers between the events of a session: marks, and how often in a row a rule has sent an agent back.
 * Each fact is a file of its own that is made, lengthened or removed in one step of the system, so that any number of
 * guards at once lose nothing and wait for nobody. Names are hashes: a session id is the host's text.
 */
import { closeSync, constants, fstatSync, futimesSync, lstatSync, opendirSync, openSync, rmdirSync, unlinkSync, writeSync } from "node:fs";
import type { Stats } from "node:fs";
import { loadBuiltin } from "./builtin.ts";
import type { Platform, ToolCall } from "./call.ts";
import { declaredPlace, realFolder, refused, settleFolder } from "./declared-place.ts";
import type { DeclaredPlace, Refused, Surroundings } from "./declared-place.ts";
import { errorCode } from "./error-code.ts";
import { isMissing } from "./files.ts";
import type { GuardPlan } from "./plan.ts";

/** The facts of one session. */
export interface Session {
  /** The folder of all sessions. */
  readonly store: DeclaredPlace;
  readonly name: string;
  /** Which agent of the session is counted. */
  readonly agent: string;
  readonly platform: Platform;
}

type Done = { readonly kind: "done" } | Refused;

/** Milliseconds after which a session that nobody has touched is forgotten. */
const longest = 30 * 24 * 60 * 60 * 1000;
const day = 24 * 60 * 60 * 1000;
/** A count beyond this is no longer told apart. */
const mostCount = 1000;
const mostEntries = 2000;

/** Of the call's session; without an id, of the folder it is in. The project counts too: two may share a session. */
export function sessionOf(plan: GuardPlan, call: ToolCall, place: Surroundings, environment: NodeJS.ProcessEnv): Session | Refused {
  const store = storeOf(plan, place, environment);
  if ("kind" in store) return store;
  const id = call.fields["session"];
  const key = typeof id === "string" && id !== "" ? `session ${id}` : `folder ${call.cwd}`;
  const name = call.fields["agent"];
  const agent = `${typeof name === "string" ? name : ""}\0${call.agentId ?? ""}\0${call.fields["subagent"] === true}`;
  return { store, name: hash(`${plan.host}\0${plan.name}\0${place.root}\0${key}`, 32), agent: hash(agent, 16), platform: place.platform };
}

/** Where the policy says, else where the platform keeps such things: never in the project by itself. */
export function storeOf(plan: GuardPlan, place: Surroundings, environment: NodeJS.ProcessEnv): DeclaredPlace | Refused {
  if (plan.state !== undefined) return declaredPlace(plan.state, place);
  const [variable, usual] = usualStores[place.platform];
  const named = environment[variable]?.replaceAll("\\", "/").replace(/\/+$/, "");
  // What is not absolute counts as absent, as the XDG base directories have it.
  const isNamed = named !== undefined && /^(?:\/|[A-Za-z]:\/)/.test(named);
  if (!isNamed && place.home === "") return refused("the home folder is unknown");
  // People do put links in the place of such folders; from there on down nothing may lead elsewhere.
  const base = isNamed ? named : `${place.home}/${usual}`;
  return { path: `${base}/policyc`, base };
}

const usualStores: Readonly<Record<Platform, readonly [variable: string, belowHome: string]>> = {
  linux: ["XDG_STATE_HOME", ".local/state"],
  macos: ["XDG_STATE_HOME", "Library/Application Support"],
  windows: ["LOCALAPPDATA", "AppData/Local"],
};

/** `undefined` where it cannot be known. */
export function isMarked(session: Session, mark: string): boolean | undefined {
  const folder = folderOf(session);
  if (folder === undefined) return undefined;
  const stat = look(`${folder}/${markFile(mark)}`);
  return stat === "unknown" ? undefined : stat?.isFile() === true;
}

export function setMark(session: Session, mark: string): Done {
  return withFolder(session, (folder) => touch(`${folder}/${markFile(mark)}`, ""));
}

export function clearMark(session: Session, mark: string): Done {
  return remove(session, (name) => name === markFile(mark));
}

/** How often in a row the rule has sent this agent back; 0 where that cannot be known: hosts have a limit of their own. */
export function retriesOf(session: Session, rule: string): number {
  const folder = folderOf(session);
  const stat = folder === undefined ? undefined : look(`${folder}/${retryFile(session, rule)}`);
  return stat === undefined || stat === "unknown" || !stat.isFile() ? 0 : stat.size;
}

/** One more. The count is the file's length, and bytes of several writers all stay. */
export function countRetry(session: Session, rule: string): Done {
  return withFolder(session, (folder) => touch(`${folder}/${retryFile(session, rule)}`, "."));
}

/** The agent was let go: all its rules count from the start. */
export function endRetries(session: Session): Done {
  return remove(session, (name) => name.startsWith(`retry-${session.agent}-`));
}

/** Forgets sessions of long ago, once a day. */
export function forgetOldSessions(session: Session, now: number): void {
  const { path, base } = session.store;
  const store = realFolder(path, base, session.platform);
  if (typeof store !== "string") return;
  const last = `${store}/swept`;
  const stat = look(last);
  if (stat === "unknown" || (stat !== undefined && now - stat.mtimeMs < day)) return;
  if (touch(last, "").kind === "refused") return;
  for (const name of namesIn(store)) {
    if (/^[0-9a-f]{32}$/.test(name) && name !== session.name) forgetIfOld(`${store}/${name}`, now);
  }
}

function forgetIfOld(folder: string, now: number): void {
  const isOld = (stat: ReturnType<typeof look>): boolean => typeof stat === "object" && now - stat.mtimeMs > longest;
  const own = look(folder);
  if (typeof own !== "object" || !own.isDirectory() || !isOld(own)) return;
  const files = namesIn(folder).map((name) => `${folder}/${name}`);
  if (!files.every((file) => isOld(look(file)))) return;
  try {
    for (const file of files) unlinkSync(file);
    rmdirSync(folder);
  } catch {
    // Somebody uses it again, or somebody else put something there.
  }
}

function markFile(mark: string): string {
  return `mark-${hash(mark, 16)}`;
}

function retryFile({ agent }: Session, rule: string): string {
  return `retry-${agent}-${hash(rule, 16)}`;
}

function hash(text: string, length: number): string {
  return loadBuiltin("node:crypto").createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** The session's folder for reading, which need not be there. */
function folderOf({ store, name, platform }: Session): string | undefined {
  const folder = realFolder(`${store.path}/${name}`, store.base, platform);
  return typeof folder === "string" ? folder : undefined;
}

/** Another guard may forget the session between two steps. */
const mostTries = 5;

function withFolder({ store, name, platform }: Session, act: (folder: string) => Done | { readonly kind: "gone" }): Done {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const settled = settleFolder(`${store.path}/${name}`, store.base, platform);
    if (settled.kind === "refused") return settled;
    const stat = look(settled.folder);
    if (typeof stat === "object" && process.geteuid !== undefined && stat.uid !== process.geteuid()) return refused("its folder belongs to another user");
    const done = act(settled.folder);
    if (done.kind !== "gone") return done;
  }
  return refused("its folder keeps disappearing");
}

/** Makes the file, adds `text` to it, and lets it be young again. */
function touch(file: string, text: "" | "."): Done | { readonly kind: "gone" } {
  const stat = look(file);
  if (stat === "unknown" || (stat !== undefined && !stat.isFile())) return refused("something else is in its place");
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0), 0o600);
    const opened = fstatSync(descriptor);
    if (!opened.isFile() || opened.nlink > 1) return refused("something else is in its place");
    if (text !== "" && opened.size < mostCount) writeSync(descriptor, text);
    else futimesSync(descriptor, new Date(), new Date());
    // Removed in the meantime: whoever did that came before, and this is made anew.
    return fstatSync(descriptor).nlink === 0 ? { kind: "gone" } : { kind: "done" };
  } catch (error) {
    return isMissing(error) ? { kind: "gone" } : refused(`it cannot be written (${errorCode(error) ?? "unknown"})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function remove(session: Session, isMeant: (name: string) => boolean): Done {
  const folder = folderOf(session);
  if (folder === undefined) return refused("its folder cannot be found out");
  for (const name of namesIn(folder)) {
    if (!isMeant(name)) continue;
    try {
      unlinkSync(`${folder}/${name}`);
    } catch (error) {
      if (!isMissing(error)) return refused(`it cannot be removed (${errorCode(error) ?? "unknown"})`);
    }
  }
  return { kind: "done" };
}

function namesIn(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    const entries = opendirSync(folder);
    try {
      for (let entry = entries.readSync(); entry !== null && names.length < mostEntries; entry = entries.readSync()) names.push(entry.name);
    } finally {
      entries.closeSync();
    }
  } catch {
    // No folder, nothing in it.
  }
  return names;
}

function look(path: string): Stats | undefined | "unknown" {
  try {
    return lstatSync(path);
  } catch (error) {
    return isMissing(error) ? undefined : "unknown";
  }
}
