/**
 * Registering in a settings file of the shape `hooks` → event → groups → handlers, strict JSON: existing text and ledger
 * go in, the new ones come out. A group of ours that stands as it should is not touched wherever it stands, so that a
 * second build changes nothing even after people have edited around it.
 */
import { isDeepStrictEqual } from "node:util";
import type { Diagnostic, SourceFile } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/catalogue.ts";
import type { Json, JsonObject } from "../../guard/call.ts";
import type { HookEntry, Registered, Registration } from "../host.ts";
import { diagnoseIgnored, showPath, type Fault } from "./fault.ts";
import { appendChild, findDuplicateKey, insideOf, isBlank, lineBreakOf, parseStrict, readTree, removeChild, replaceChild, setInside, spanOf, type JsonPath } from "./json.ts";
import { emptyLedger, readLedger, writeLedger, type Ledger } from "./ledger.ts";

/** What a host says about its hooks in JSON. */
export interface HookFile {
  readonly host: string;
  readonly settingsPath: string;
  readonly ledgerPath: string;
  /** True for a handler that starts our guard, however old the build. */
  owns(handler: JsonObject): boolean;
  /** The group of an entry exactly as it should stand. */
  composeGroup(entry: HookEntry): JsonObject;
  /** The host's own loading rules over the whole file. */
  findFaults(settings: JsonObject): readonly Fault[];
  /** What the host drops because of a fault: `the whole file`, an entry. */
  nameLoss(fault: Fault): string;
  /** True where an empty list of groups is a fault, so that one of ours never stays behind. */
  readonly refusesEmpty: boolean;
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
}

/** See `Host.register`. */
export function registerHookGroups(host: HookFile, registration: Registration, existing: SourceFile | undefined, ledgerFile: SourceFile | undefined): Registered {
  const removing = registration.entries.length === 0 && registration.denials.length === 0;
  if (!existing && removing) return { settings: undefined, ledger: undefined, diagnostics: [] };
  const refusals = existing && !isBlank(existing.text) ? judge(host, existing, removing) : [];
  if (refusals.length > 0) return { settings: existing?.text, ledger: ledgerFile?.text, diagnostics: refusals };
  if (existing && removing && isBlank(existing.text)) return { settings: existing.text, ledger: undefined, diagnostics: [] };

  const known = readLedger(ledgerFile);
  let draft = openDraft(host, existing, known ?? emptyLedger, removing);
  for (const entry of registration.entries) draft = settleEntry(host, draft, entry);
  for (const denial of registration.denials) draft = addDenial(draft, denial);
  draft = dropStaleHandlers(host, draft, registration.entries);
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
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    return [diagnose("settings/unreadable", { host: host.host, path: existing.path, format: "a settings file", why: "it holds no object" }, { file: existing, span: spanOf(text, []) })];
  for (const [path, deep] of [[[], false], [["hooks"], true], [["permissions"], true]] as const) {
    const twice = findDuplicateKey(text, path, deep);
    const matters = !removing || twice?.path[0] === "hooks" || twice?.path[0] === "permissions";
    if (twice && matters) return [diagnoseIgnored(host.host, existing, twice.span, `the first \`${showPath(twice.path)}\``, `\`${showPath(twice.path)}\``, "stands twice, and the last one counts")];
  }
  const own = findOwnHandlers(host, settings as JsonObject);
  const foreign = host.findFaults(settings as JsonObject).filter((fault) => !own.some((handler) => isWithin(fault.path, handler)));
  const blocking = removing ? [] : foreign;
  return blocking.map((fault) => diagnoseIgnored(host.host, existing, spanOf(text, fault.path), host.nameLoss(fault), `\`${showPath(fault.path)}\``, fault.why));
}

function diagnoseUnparsable(host: HookFile, existing: SourceFile, error: unknown): Diagnostic {
  const { text, path } = existing;
  try {
    const { fault } = readTree(text, false);
    if (fault && !readTree(text, true).fault) return diagnoseIgnored(host.host, existing, fault, "the whole file", "", `\`${path}\` is strict JSON, without comments and trailing commas`);
    const why = fault ? "something else is expected here" : (error as Error).message;
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
  if (!damaged && findOwnHandlers(host, parseStrict(existing.text) as JsonObject).length === 0) return [];
  const settings = parseStrict(draft.text) as JsonObject;
  const strings = listAt(settings, ["permissions", "deny"]).length;
  const containers = ["hooks", ...Object.keys(asObject(settings["hooks"])).map((event) => `hooks/${event}`), "permissions", "permissions/deny"];
  const empty = containers.filter((place) => {
    const value = valueAt(settings, pathOf(place));
    return typeof value === "object" && value !== null && Object.keys(value).length === 0;
  });
  const notes = [...empty.map((place) => `\`${showPath(pathOf(place))}\` stays, empty as it is`), ...(strings > 0 ? [`the strings in \`permissions.deny\` stay, ${strings} in all`] : [])];
  return [diagnose("settings/ledger-missing", { ledger: host.ledgerPath, settings: existing.path }, { file: existing, notes })];
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
  const isOurs = removing || findOwnHandlers(host, settings).length > 0 || ledger.denials.some((denial) => denials.includes(denial));
  return {
    text: existing.text,
    ledger: {
      ...rest,
      ...(isOurs && before !== undefined && { before }),
      created: ledger.created.filter(stands),
      inside: Object.fromEntries(Object.entries(ledger.inside).filter(([place]) => stands(place))),
      denials: ledger.denials.filter((denial) => denials.includes(denial)),
    },
  };
}

function closeDraft(draft: Draft, removing: boolean): { readonly settings: string | undefined; readonly ledger: string | undefined } {
  if (!removing) return { settings: draft.text, ledger: writeLedger(draft.ledger) };
  const { before } = draft.ledger;
  const isEmpty = Object.keys(parseStrict(draft.text) as JsonObject).length === 0;
  return { settings: before !== undefined && isEmpty ? (before ?? undefined) : draft.text, ledger: undefined };
}

/** Leaves a correct entry alone, replaces the one group of ours for the event, else adds one behind all others. */
function settleEntry(host: HookFile, draft: Draft, entry: HookEntry): Draft {
  const wanted = host.composeGroup(entry);
  const settings = parseStrict(draft.text) as JsonObject;
  const own = findOwnHandlers(host, settings).filter((handler) => handler.event === entry.event);
  if (own.some((handler) => serves(settings, handler, wanted))) return draft;
  const replaceable = own.find((handler) => handler.alone);
  if (replaceable) return { ...draft, text: replaceChild(draft.text, ["hooks", entry.event, replaceable.group], wanted) };
  const opened = openContainer(openContainer(draft, ["hooks"], {}), ["hooks", entry.event], []);
  return append(opened, ["hooks", entry.event], undefined, wanted);
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

/** Takes away every handler of ours but the first that serves its event. */
function dropStaleHandlers(host: HookFile, draft: Draft, entries: readonly HookEntry[]): Draft {
  const settings = parseStrict(draft.text) as JsonObject;
  const served = new Set<string>();
  const stale = findOwnHandlers(host, settings).filter((handler) => {
    const entry = entries.find((candidate) => candidate.event === handler.event);
    if (!entry || served.has(handler.event) || !serves(settings, handler, host.composeGroup(entry))) return true;
    served.add(handler.event);
    return false;
  });
  // From the back, so that the indices before stay true.
  return stale.reverse().reduce<Draft>((current, handler) => {
    const group: JsonPath = ["hooks", handler.event, handler.group];
    const text = removeChild(current.text, handler.alone ? group : [...group, "hooks", handler.handler]);
    const emptied = listAt(parseStrict(text) as JsonObject, ["hooks", handler.event]).length === 0;
    return { ...current, text: host.refusesEmpty && emptied ? removeChild(text, ["hooks", handler.event]) : text };
  }, draft);
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

function findOwnHandlers(host: HookFile, settings: JsonObject): readonly OwnHandler[] {
  const hooks = asObject(settings["hooks"]);
  return Object.entries(hooks).flatMap(([event, groups]) =>
    asList(groups).flatMap((value, group): readonly OwnHandler[] => {
      const owned = asList(asObject(value)["hooks"]).map((handler) => host.owns(asObject(handler)));
      if (owned.length > 0 && owned.every(Boolean)) return [{ event, group, handler: 0, alone: true }];
      return owned.flatMap((isOwn, handler) => (isOwn ? [{ event, group, handler, alone: false }] : []));
    }),
  );
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
