/**
 * The guard's own hook entries: the settings that should start it go in, what has changed since it was built comes out in
 * words. Only for people to hear: whoever can change the settings can take the guard away as well.
 */
import { loadBuiltin } from "./builtin.ts";
import type { Json, JsonObject } from "./call.ts";
import { isObject, own } from "./payload.ts";
import type { InstalledPlan, SettingsShape } from "./plan.ts";
import type { World } from "./world.ts";

/** Bytes of a settings file. */
const mostSettings = 4 * 1024 * 1024;

/** What is not as it was built, in words; `""` where everything is. */
export function tamperingOf(plan: InstalledPlan, guardFile: string, world: Pick<World, "root" | "home" | "read">): string {
  return [...changedEntries(plan, guardFile, world), ...switchesOn(plan, world)].join("; ");
}

/** A print of every entry in a settings text, by event: equal prints are equal entries, whatever the layout of the text. */
export function entryPrints(shape: SettingsShape, settings: string): ReadonlyMap<string, readonly string[]> {
  const prints = new Map<string, string[]>();
  for (const [event, entry] of shape === "groups" ? groupEntries(settings) : tableEntries(settings)) {
    prints.set(event, [...(prints.get(event) ?? []), print(entry)]);
  }
  return prints;
}

function changedEntries({ guard, settings, shape, entries }: InstalledPlan, guardFile: string, world: Pick<World, "root" | "read">): readonly string[] {
  // A guard that was started from elsewhere stands in no folder of these settings.
  if (!guardFile.endsWith(`/${guard}`)) return [`the guard does not lie where it was built for (${guard})`];
  const path = guardFile.slice(0, -guard.length) + settings;
  const shown = path.startsWith(`${world.root}/`) ? path.slice(world.root.length + 1) : path;
  const found = printsIn(shape, world.read(path, mostSettings));
  if (found === undefined) return [`${shown} cannot be read`];
  const changed = Object.keys(entries).filter((event) => !(entries[event] ?? []).every((one) => found.get(event)?.includes(one)));
  return changed.length === 0 ? [] : [`${shown} does not hold ${changed.length === 1 ? "the entry" : "the entries"} for ${changed.join(", ")} as built`];
}

function printsIn(shape: SettingsShape, settings: string | undefined): ReturnType<typeof entryPrints> | undefined {
  try {
    return settings === undefined ? undefined : entryPrints(shape, settings);
  } catch {
    // No JSON: the host reads nothing in it either.
    return undefined;
  }
}

/** The first of a switch's files that names it decides. */
function switchesOn({ switches }: InstalledPlan, { root, home, read }: Pick<World, "root" | "home" | "read">): readonly string[] {
  return switches.flatMap(({ key, files }) => {
    for (const file of files) {
      if (file.startsWith("~/") && home === "") continue;
      const text = read(file.startsWith("~/") ? `${home}/${file.slice(2)}` : `${root}/${file}`, mostSettings);
      const value = text === undefined ? undefined : settingOf(text, key);
      if (value !== undefined) return value === true ? [`\`${key}\` in ${file} switches hooks off`] : [];
    }
    return [];
  });
}

function settingOf(text: string, key: string): Json | undefined {
  try {
    const settings = JSON.parse(text) as Json;
    return isObject(settings) ? own(settings, key) : undefined;
  } catch {
    return undefined;
  }
}

/** `hooks` → event → groups → handlers. What stands beside an entry in its group is not part of it, but for the matcher. */
function groupEntries(settings: string): readonly (readonly [string, string])[] {
  const parsed = JSON.parse(settings) as Json;
  // A file that an administrator distributes holds the events themselves.
  const hooks = isObject(parsed) ? (own(parsed, "hooks") ?? parsed) : undefined;
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).filter(isObject).flatMap((group) => listOf(own(group, "hooks")).map((handler) => [event, canonical([own(group, "matcher") ?? null, handler])] as const)),
  );
}

/** `[[hooks]]` tables, each up to the next header or comment line; a parser of TOML would be most of a guard. */
function tableEntries(settings: string): readonly (readonly [string, string])[] {
  const tables = settings.replaceAll("\r\n", "\n").split(/^[ \t]*\[\[hooks\]\][ \t]*$/m).slice(1);
  return tables.map((table) => {
    const lines = table.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    const end = lines.findIndex((line) => line.startsWith("[") || line.startsWith("#"));
    const own = end < 0 ? lines : lines.slice(0, end);
    const type = own.flatMap((line) => /^type *= *"([^"]*)"$/.exec(line)?.[1] ?? [])[0] ?? "";
    return [type, own.sort().join("\n")] as const;
  });
}

/** JSON with its keys in order. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => canonical(one)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical((value as JsonObject)[key] ?? null)}`).join(",")}}`;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function print(entry: string): string {
  return loadBuiltin("node:crypto").createHash("sha256").update(entry).digest("hex").slice(0, 16);
}
