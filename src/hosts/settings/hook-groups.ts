/**
 * Registering in a settings file of the shape `hooks` → event → groups → handlers, strict JSON: existing text and ledger
 * go in, the new ones come out. A group of ours that stands as it should is not touched wherever it stands, so that a
 * second build changes nothing even after people have edited around it.
 */
import { isDeepStrictEqual } from "node:util";
import type { Diagnostic, SourceFile } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Json, JsonObject } from "../../guard/call.ts";
import type { HookEntry, Layout, Registered, Registration } from "../host.ts";
import { placeIn } from "../place.ts";
import { diagnoseIgnored, showPath, type Fault } from "./fault.ts";
import { appendChild, findDuplicateKey, insideOf, isBlank, lineBreakOf, parseStrict, readTree, removeChild, replaceChild, setInside, spanOf, type JsonPath } from "./json.ts";
import { emptyLedger, readLedger, writeLedger, type Ledger } from "./ledger.ts";

/** What a host says about its hooks in JSON, in one scope. */
export interface HookFile {
  readonly host: string;
  readonly layout: Layout;
  /** True for a handler that starts our guard, however old the build. */
  owns(handler: JsonObject): boolean;
  /** The group that starts the guard for an entry, exactly as it should stand. */
  composeGroup(entry: HookEntry): JsonObject;
  /** The handler with which the host itself posts an event; carries no mark of ours. */
  composePost?(post: Post): JsonObject;
  /** The host's own loading rules over the whole file. */
  findFaults(settings: JsonObject): readonly Fault[];
  /** What the host drops because of a fault: `the whole file`, an entry. */
  nameLoss(fault: Fault): string;
  /** True where the host is known to load a file that begins with a byte order mark, which strict JSON has no place for. */
  readonly readsMark: boolean;
  /** True where an empty list of groups is a fault, so that one of ours never stays behind. */
  readonly refusesEmpty: boolean;
}

type Post = NonNullable<HookEntry["posts"]>[number];

/** One group as it should stand. */
interface Wanted {
  readonly event: string;
  readonly group: JsonObject;
  /** Absent: the group carries our mark. Else what the ledger calls it. */
  readonly post?: string;
}

/** A settings text and its ledger on the way from one edit to the next. */
interface Draft {
  readonly text: string;
  readonly ledger: Ledger;
}

/** Where a handler of ours stands; `alone`: the group holds nothing else, and is ours as a whole. */
interface OwnHandler {
  readonly event: string;
  readonly group: number;
  readonly handler: number;
  readonly alone: boolean;
  /** What the ledger calls it, where it carries no mark. */
  readonly post?: string;
}

/** See `Host.register`. */
export function registerHookGroups(host: HookFile, registration: Registration, existing: SourceFile | undefined, ledgerFile: SourceFile | undefined): Registered {
  const removing = registration.entries.length === 0 && registration.denials.length === 0;
  if (!existing && removing) return { settings: undefined, ledger: undefined, diagnostics: [] };
  const refusals = existing && !isBlank(existing.text) ? judge(host, existing, removing) : [];
  if (refusals.length > 0) return { settings: existing?.text, ledger: ledgerFile?.text, diagnostics: refusals };
  if (existing && removing && isBlank(existing.text)) return { settings: existing.text, ledger: undefined, diagnostics: [] };

  const known = readLedger(ledgerFile);
  const wanted = registration.entries.flatMap((entry) => wantedOf(host, entry));
  let draft = openDraft(host, existing, known ?? emptyLedger, removing);
  for (const one of wanted) draft = settle(host, draft, one, wanted);
  for (const denial of registration.denials) draft = addDenial(draft, denial);
  draft = dropStaleHandlers(host, draft, wanted);
  draft = dropStaleDenials(draft, registration.denials);
  draft = sweep(draft);
  if (!removing) presumeLoadable(host, draft);
  const diagnostics = existing && !known ? noteMissingLedger(host, existing, ledgerFile !== undefined, draft) : [];
  return { ...closeDraft(draft, removing), diagnostics };
}

function presumeLoadable(host: HookFile, draft: Draft): void {
  const [fault] = host.findFaults(parseStrict(draft.text) as JsonObject);
  if (fault) throw new Error(`${host.host} would not load what was registered: ${showPath(fault.path)} ${fault.why}`);
}

/** Everything that would keep the host from loading the file; when removing, only what keeps us from editing it. */
function judge(host: HookFile, existing: SourceFile, removing: boolean): readonly Diagnostic[] {
  const { text } = existing;
  let settings: Json;
  try {
    settings = parseStrict(text);
    if (readTree(text, false).fault) throw new SyntaxError("the parser of positions disagrees");
  } catch (error) {
    return [diagnoseUnparsable(host, existing, error)];
  }
  if (text.startsWith("\uFEFF") && !host.readsMark && !removing) return [diagnoseIgnored(host.host, existing, { start: 0, end: 1 }, "the whole file", "", `\`${existing.path}\` begins with a byte order mark, which JSON has no place for`)];
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    return [diagnose("settings/unreadable", { host: host.host, path: existing.path, format: "a settings file", why: "it holds no object" }, { file: existing, span: spanOf(text, []) })];
  for (const [path, deep] of [[[], false], [["hooks"], true], [["permissions"], true]] as const) {
    const twice = findDuplicateKey(text, path, deep);
    const matters = !removing || twice?.path[0] === "hooks" || twice?.path[0] === "permissions";
    if (twice && matters) return [diagnoseIgnored(host.host, existing, twice.span, `the first \`${showPath(twice.path)}\``, `\`${showPath(twice.path)}\``, "stands twice, and the last one counts")];
  }
  const own = findOwnHandlers(host, settings as JsonObject, []);
  const foreign = host.findFaults(settings as JsonObject).filter((fault) => !own.some((handler) => isWithin(fault.path, handler)));
  const blocking = removing ? [] : foreign;
  return blocking.map((fault) => diagnoseIgnored(host.host, existing, spanOf(text, fault.path), host.nameLoss(fault), `\`${showPath(fault.path)}\``, fault.why));
}

function diagnoseUnparsable(host: HookFile, existing: SourceFile, error: unknown): Diagnostic {
  const { text, path } = existing;
  try {
    const { fault } = readTree(text, false);
    if (fault && !readTree(text, true).fault) return diagnoseIgnored(host.host, existing, fault, "the whole file", "", `\`${path}\` is strict JSON, without comments and trailing commas`);
    const why = fault?.why ?? (error as Error).message;
    return diagnose("settings/unreadable", { host: host.host, path, format: "JSON", why }, fault ? { file: existing, span: fault } : { file: existing });
  } catch {
    return diagnose("settings/unreadable", { host: host.host, path, format: "JSON", why: "it is nested too deeply" }, { file: existing });
  }
}

/** True for a fault in what a build replaces anyway. */
function isWithin(path: JsonPath, own: OwnHandler): boolean {
  const prefix = ["hooks", own.event, own.group, ...(own.alone ? [] : ["hooks", own.handler])];
  return prefix.every((step, index) => path[index] === step);
}

/** Says what nobody can tell from people's own any more; nothing where no build of ours has been at the file. */
function noteMissingLedger(host: HookFile, existing: SourceFile, damaged: boolean, draft: Draft): readonly Diagnostic[] {
  if (isBlank(existing.text)) return [];
  if (!damaged && findOwnHandlers(host, parseStrict(existing.text) as JsonObject, []).length === 0) return [];
  const settings = parseStrict(draft.text) as JsonObject;
  const strings = listAt(settings, ["permissions", "deny"]).length;
  const containers = ["hooks", ...Object.keys(asObject(settings["hooks"])).map((event) => `hooks/${event}`), "permissions", "permissions/deny"];
  const empty = containers.filter((place) => {
    const value = valueAt(settings, pathOf(place));
    return typeof value === "object" && value !== null && Object.keys(value).length === 0;
  });
  const notes = [...empty.map((place) => `\`${showPath(pathOf(place))}\` stays, empty as it is`), ...(strings > 0 ? [`the strings in \`permissions.deny\` stay, ${strings} in all`] : [])];
  return [diagnose("settings/ledger-missing", { ledger: placeIn(host.layout, host.layout.ledger), settings: existing.path }, { file: existing, notes })];
}

function openDraft(host: HookFile, existing: SourceFile | undefined, ledger: Ledger, removing: boolean): Draft {
  if (!existing || isBlank(existing.text)) {
    const text = "{}" + lineBreakOf(existing?.text ?? "");
    return { text, ledger: { ...emptyLedger, before: existing?.text ?? null } };
  }
  const settings = parseStrict(existing.text) as JsonObject;
  const denials = listAt(settings, ["permissions", "deny"]);
  const stands = (place: string) => valueAt(settings, pathOf(place)) !== undefined;
  const { before, ...rest } = ledger;
  // A file with nothing of ours in it was made anew by somebody else since.
  const isOurs = removing || findOwnHandlers(host, settings, ledger.posts).length > 0 || ledger.denials.some((denial) => denials.includes(denial));
  return {
    text: existing.text,
    ledger: {
      ...rest,
      ...(isOurs && before !== undefined && { before }),
      created: ledger.created.filter(stands),
      inside: Object.fromEntries(Object.entries(ledger.inside).filter(([place]) => stands(place))),
      denials: ledger.denials.filter((denial) => denials.includes(denial)),
      posts: ledger.posts.filter((post) => postsIn(settings).includes(post)),
    },
  };
}

function closeDraft(draft: Draft, removing: boolean): { readonly settings: string | undefined; readonly ledger: string | undefined } {
  if (!removing) return { settings: draft.text, ledger: writeLedger(draft.ledger) };
  const { before } = draft.ledger;
  const isEmpty = Object.keys(parseStrict(draft.text) as JsonObject).length === 0;
  return { settings: before !== undefined && isEmpty ? (before ?? undefined) : draft.text, ledger: undefined };
}

function wantedOf(host: HookFile, entry: HookEntry): readonly Wanted[] {
  const { event, posts = [], guarded = true } = entry;
  return [
    ...(guarded ? [{ event, group: host.composeGroup(entry) }] : []),
    ...posts.flatMap((post) => (host.composePost ? [{ event, group: { hooks: [host.composePost(post)] }, post: `${event} ${post.url}` }] : [])),
  ];
}

/** Leaves a correct group alone, replaces one of ours that is wanted no more, else adds one behind all others. */
function settle(host: HookFile, draft: Draft, one: Wanted, all: readonly Wanted[]): Draft {
  const { event, group, post } = one;
  const settings = parseStrict(draft.text) as JsonObject;
  const own = findOwnHandlers(host, settings, draft.ledger.posts).filter((handler) => handler.event === event);
  if (own.some((handler) => serves(settings, handler, group))) return draft;
  // One of people's own with the same address stays theirs, and stays when ours goes.
  if (post !== undefined && postsIn(settings).includes(post) && !draft.ledger.posts.includes(post)) return draft;
  const replaceable = own.find((handler) => handler.alone && (handler.post === undefined) === (post === undefined) && !all.some((other) => other.event === event && serves(settings, handler, other.group)));
  const noted = post === undefined || draft.ledger.posts.includes(post) ? draft : { ...draft, ledger: { ...draft.ledger, posts: [...draft.ledger.posts, post] } };
  if (replaceable) {
    const { posts } = noted.ledger;
    const kept = replaceable.post === undefined || replaceable.post === post ? posts : posts.filter((known) => known !== replaceable.post);
    return { text: replaceChild(noted.text, ["hooks", event, replaceable.group], group), ledger: { ...noted.ledger, posts: kept } };
  }
  const opened = openContainer(openContainer(noted, ["hooks"], {}), ["hooks", event], []);
  return append(opened, ["hooks", event], undefined, group);
}

/** True where the handler does what the wanted group would, people's own handlers beside it or not. */
function serves(settings: JsonObject, own: OwnHandler, wanted: JsonObject): boolean {
  const group = valueAt(settings, ["hooks", own.event, own.group]) as JsonObject;
  if (own.alone) return isDeepStrictEqual(group, wanted);
  const { hooks, ...rest } = group;
  const { hooks: wantedHooks, ...wantedRest } = wanted;
  return isDeepStrictEqual(rest, wantedRest) && isDeepStrictEqual((hooks as readonly Json[])[own.handler], (wantedHooks as readonly Json[])[0]);
}

function addDenial(draft: Draft, denial: string): Draft {
  if (listAt(parseStrict(draft.text) as JsonObject, ["permissions", "deny"]).includes(denial)) return draft;
  const opened = openContainer(openContainer(draft, ["permissions"], {}), ["permissions", "deny"], []);
  const added = append(opened, ["permissions", "deny"], undefined, denial);
  return { ...added, ledger: { ...added.ledger, denials: [...added.ledger.denials, denial] } };
}

/** Takes away every handler of ours but the first that serves a wanted group. */
function dropStaleHandlers(host: HookFile, draft: Draft, wanted: readonly Wanted[]): Draft {
  const settings = parseStrict(draft.text) as JsonObject;
  const served = new Set<Wanted>();
  const stale = findOwnHandlers(host, settings, draft.ledger.posts).filter((handler) => {
    const one = wanted.find((candidate) => candidate.event === handler.event && !served.has(candidate) && serves(settings, handler, candidate.group));
    if (one) served.add(one);
    return one === undefined;
  });
  // From the back, so that the indices before stay true.
  const swept = stale.reverse().reduce<Draft>((current, handler) => {
    const group: JsonPath = ["hooks", handler.event, handler.group];
    const text = removeChild(current.text, handler.alone ? group : [...group, "hooks", handler.handler]);
    const emptied = listAt(parseStrict(text) as JsonObject, ["hooks", handler.event]).length === 0;
    return { ...current, text: host.refusesEmpty && emptied ? removeChild(text, ["hooks", handler.event]) : text };
  }, draft);
  const posts = swept.ledger.posts.filter((post) => wanted.some((one) => one.post === post));
  return { ...swept, ledger: { ...swept.ledger, posts } };
}

function dropStaleDenials(draft: Draft, denials: readonly string[]): Draft {
  return draft.ledger.denials
    .filter((denial) => !denials.includes(denial))
    .reduce<Draft>((current, denial) => {
      const index = listAt(parseStrict(current.text) as JsonObject, ["permissions", "deny"]).indexOf(denial);
      const text = removeChild(current.text, ["permissions", "deny", index]);
      return { text, ledger: { ...current.ledger, denials: current.ledger.denials.filter((own) => own !== denial) } };
    }, draft);
}

/** Gives every container that is empty now its state before the first build: gone, or its old white space. */
function sweep(draft: Draft): Draft {
  const places = [...draft.ledger.created, ...Object.keys(draft.ledger.inside)].sort((a, b) => pathOf(b).length - pathOf(a).length);
  return places.reduce<Draft>((current, place) => {
    const path = pathOf(place);
    const value = valueAt(parseStrict(current.text) as JsonObject, path);
    const created = current.ledger.created.filter((own) => own !== place);
    if (value === undefined) return { ...current, ledger: { ...current.ledger, created } };
    if (typeof value !== "object" || value === null || Object.keys(value).length > 0) return current;
    if (current.ledger.created.includes(place)) return { text: removeChild(current.text, path), ledger: { ...current.ledger, created } };
    const { [place]: old = "", ...inside } = current.ledger.inside;
    return { text: setInside(current.text, path, old), ledger: { ...current.ledger, inside } };
  }, draft);
}

function openContainer(draft: Draft, path: JsonPath, empty: Json): Draft {
  if (valueAt(parseStrict(draft.text) as JsonObject, path) !== undefined) return draft;
  const opened = append(draft, path.slice(0, -1), path.at(-1) as string, empty);
  return { ...opened, ledger: { ...opened.ledger, created: [...opened.ledger.created, placeOf(path)] } };
}

/** Adds a child; where it is the first one, notes what the container looked like. */
function append(draft: Draft, container: JsonPath, key: string | undefined, value: Json): Draft {
  const place = placeOf(container);
  const { created, inside, before } = draft.ledger;
  const isKnown = created.includes(place) || Object.hasOwn(inside, place) || (place === "" && before !== undefined);
  const text = appendChild(draft.text, container, key, value);
  const old = insideOf(draft.text, container);
  if (isKnown || !isBlank(old)) return { ...draft, text };
  return { text, ledger: { ...draft.ledger, inside: { ...inside, [place]: old } } };
}

/** `posts`: what the ledger says of handlers without a mark. */
function findOwnHandlers(host: HookFile, settings: JsonObject, posts: readonly string[]): readonly OwnHandler[] {
  const hooks = asObject(settings["hooks"]);
  return Object.entries(hooks).flatMap(([event, groups]) =>
    asList(groups).flatMap((value, group): readonly OwnHandler[] => {
      const handlers = asList(asObject(value)["hooks"]).map(asObject);
      const owned = handlers.map((handler) => {
        const post = postOf(event, handler);
        return host.owns(handler) ? {} : post !== undefined && posts.includes(post) ? { post } : undefined;
      });
      const [first] = owned;
      if (owned.length > 0 && owned.every((one) => one !== undefined)) return [{ event, group, handler: 0, alone: true, ...first }];
      return owned.flatMap((one, handler) => (one ? [{ event, group, handler, alone: false, ...one }] : []));
    }),
  );
}

/** What the ledger calls a handler that posts to an address. */
function postOf(event: string, { type, url }: JsonObject): string | undefined {
  return (type === "https" || type === "http") && typeof url === "string" ? `${event} ${url}` : undefined;
}

function postsIn(settings: JsonObject): readonly string[] {
  return Object.entries(asObject(settings["hooks"])).flatMap(([event, groups]) => asList(groups).flatMap((group) => asList(asObject(group)["hooks"]).flatMap((handler) => postOf(event, asObject(handler)) ?? [])));
}

function placeOf(path: JsonPath): string {
  return path.join("/");
}

function pathOf(place: string): JsonPath {
  return place === "" ? [] : place.split("/");
}

function valueAt(settings: JsonObject, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => (typeof value === "object" && value !== null && Object.hasOwn(value, step) ? (value as Record<string, Json>)[step] : undefined), settings);
}

function listAt(settings: JsonObject, path: JsonPath): readonly Json[] {
  return asList(valueAt(settings, path));
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
