/**
 * Mistral Vibe's part of registering: a block of `[[hooks]]` tables in a `hooks.toml`, and the manifest of a plugin.
 * Sources: the vendor's hooks and plugin pages and client 3.0.2, measured 2026-11.
 */
import type { Diagnostic, SourceFile, Span } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/catalogue.ts";
import { fingerprint } from "../../fingerprint.ts";
import type { TomlTable } from "smol-toml";
import type { HookEntry, Launch, Layout, Registered, Registration, Scope, ToolMatch } from "../host.ts";
import { expectSurroundings, placeIn } from "../place.ts";
import { guardLine, startsGuard, wordsOf } from "../settings/command-line.ts";
import { diagnoseIgnored, showPath } from "../settings/fault.ts";
import { isBlank, lineBreakOf } from "../settings/json.ts";
import { emptyLedger, readLedger, writeLedger } from "../settings/ledger.ts";
import { entriesOf, quoteToml, readToml, removeBlock, writeBlock, type TomlMap } from "../settings/toml.ts";
import { layout, layoutIn, pluginLayout } from "./layout.ts";
import { findEntryFaults } from "./loading.ts";
import { otherTools, ownGroups } from "./arguments.ts";
import { tools } from "./tools.ts";

const host = "Mistral Vibe";

/** See `Host.register`. */
export function register(registration: Registration, existing: SourceFile | undefined, ledgerFile: SourceFile | undefined): Registered {
  const registered = registerBlock(registration, startingOf(registration), existing, ledgerFile);
  return registration.scope === "plugin" ? { ...registered, others: [registration.entries.length > 0 ? composeManifest(registration.policy) : undefined] } : registered;
}

/** See `Host.launch`. The line is read by `/bin/sh` or `cmd.exe`, in the session's folder. */
export function launch({ event }: HookEntry): Launch {
  return { kind: "line", line: projectLine(event) };
}

function registerBlock(registration: Registration, starting: Starting, existing: SourceFile | undefined, ledgerFile: SourceFile | undefined): Registered {
  const { entries } = registration;
  if (!existing && entries.length === 0) return { settings: undefined, ledger: undefined, diagnostics: [] };
  const text = existing?.text ?? "";
  const shown = existing ?? { path: placeIn(starting.layout, starting.layout.settings), text };
  const refuse = (diagnostics: readonly Diagnostic[]): Registered => ({ settings: existing?.text, ledger: ledgerFile?.text, diagnostics });
  const reading = readToml(text, "hooks");
  if (reading.kind !== "map") return refuse([diagnoseReading(reading, shown)]);
  const { map } = reading;
  const strangers = existing ? findStrangers(map, existing, registration.scope, starting) : [];
  if (strangers.length > 0) return refuse(strangers);

  const known = readLedger(ledgerFile);
  const before = existing ? known?.before : null;
  if (entries.length === 0) {
    const settings = map.block ? removeBlock(text, map.block) : text;
    const isOurs = before === null && isBlank(settings);
    const left = map.block && !known && isBlank(settings) ? [noteMissingLedger(starting.layout, existing)] : [];
    return { settings: isOurs ? undefined : settings, ledger: undefined, diagnostics: left };
  }
  const tables = entries.flatMap((entry, index) => [...(index > 0 ? [""] : []), ...composeTable(registration, entry, starting)]);
  const settings = writeBlock(text, map.block, tables, lineBreakOf(text));
  const faults = judge(settings, map, shown);
  if (faults.length > 0) return refuse(faults);
  return { settings, ledger: writeLedger({ ...emptyLedger, ...(before === null && { before }) }), diagnostics: map.block && !known ? [noteMissingLedger(starting.layout, existing)] : [] };
}

/** How the guard of a scope is started, and how a line that starts it is told from people's own. */
interface Starting {
  readonly layout: Layout;
  line(event: string): string;
  owns(line: string): boolean;
}

function startingOf({ scope, around }: Registration): Starting {
  switch (scope) {
    case "project":
      return { layout, line: projectLine, owns: (line) => ownGuard.test(line) };
    case "plugin": {
      // A plugin's hook runs in a pinned copy of it, which only this variable names. `cmd` spells variables differently.
      const guard = around?.platform === "windows" ? `"%PLUGIN_ROOT%/${pluginLayout.guard}"` : `"$PLUGIN_ROOT/${pluginLayout.guard}"`;
      return { layout: pluginLayout, line: (event) => `node ${guard} ${event}`, owns: (line) => ownPluginGuard.test(line) };
    }
    case "user":
    case "enforced": {
      const surroundings = expectSurroundings(scope, around);
      const own = layoutIn(scope, surroundings);
      if (own === undefined) throw new Error(`Mistral Vibe has no scope ${scope}`);
      const guard = placeIn(own, own.guard);
      return { layout: own, line: (event) => guardLine(guard, event, surroundings), owns: (line) => startsGuard(wordsOf(line) ?? [], guard) };
    }
    default:
      return scope satisfies never;
  }
}

function projectLine(event: string): string {
  return `node ${layout.guard} ${event}`;
}

const ownGuard = /^node \.vibe\/policyc\/guard\.cjs(?: \w+)*$/;
const ownPluginGuard = /^node "(?:\$PLUGIN_ROOT|%PLUGIN_ROOT%)\/policyc\/vibe\/guard\.cjs"(?: \w+)*$/;

/** `plugin.json`: the schema's address is compared as it stands, and without the extension the client reads no hooks (3.0.2). */
function composeManifest(policy: string): string {
  const slug = policy.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "guard";
  const manifest = {
    $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
    name: `policyc-${slug}`.slice(0, 64).replace(/-+$/, ""),
    version: "1.0.0",
    description: `Guards of the policy ${policy}, generated by policyc; do not edit.`,
    extensions: { "ai.mistral.vibe": { schemaVersion: 1 } },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function noteMissingLedger(own: Layout, existing: SourceFile | undefined): Diagnostic {
  const paths = { ledger: placeIn(own, own.ledger), settings: placeIn(own, own.settings) };
  return diagnose("settings/ledger-missing", paths, { ...(existing && { file: existing }), notes: ["the file itself stays, even with nothing left in it"] });
}

function diagnoseReading(reading: { readonly kind: "unreadable" | "too-new" | "broken-block"; readonly span: Span; readonly why: string }, file: SourceFile): Diagnostic {
  const place = { file, span: reading.span };
  switch (reading.kind) {
    case "unreadable":
      return diagnose("settings/unreadable", { host, path: file.path, format: "TOML", why: reading.why }, place);
    case "too-new":
      return diagnoseIgnored(host, file, reading.span, "the whole file", "", `it reads TOML 1.0, and ${reading.why}`);
    case "broken-block":
      return diagnose("settings/broken-block", { path: file.path, why: reading.why }, place);
    default:
      throw reading.kind satisfies never;
  }
}

/** Entries in our block that this build did not make and would delete without a word: people's own, or another scope's. */
function findStrangers(map: TomlMap, file: SourceFile, scope: Scope, starting: Starting): readonly Diagnostic[] {
  return ownIndices(map).flatMap((index) => {
    const { name, command } = (entriesOf(map.value, "hooks")?.[index] ?? {}) as TomlTable;
    const madeIn = typeof name === "string" ? /^policyc-(project|user|plugin)-/.exec(name)?.[1] : undefined;
    const isOwn = madeIn === undefined ? typeof command === "string" && starting.owns(command.trim()) : madeIn === scope;
    const span = map.headers[index] ?? map.block;
    if (isOwn || !span) return [];
    const why = madeIn === undefined ? `the entry \`${String(name)}\` in it is not policyc's` : `the entry \`${String(name)}\` in it was built in scope ${madeIn}`;
    return [diagnose("settings/broken-block", { path: file.path, why }, { file, span, help: { text: madeIn === undefined ? "move the entry out of the block and build again" : `take that build away first: \`policyc uninstall --scope ${madeIn}\`` } })];
  });
}

/** Positions of the block's entries among all. */
function ownIndices(map: TomlMap): readonly number[] {
  const { block } = map;
  return block ? map.headers.flatMap((header, index) => (header.start >= block.start && header.end <= block.end ? [index] : [])) : [];
}

/** Judges the result as a whole; places are those of the file as it is. */
function judge(settings: string, map: TomlMap, file: SourceFile): readonly Diagnostic[] {
  const entries = entriesOf(map.value, "hooks");
  const list = /^[ \t]*(?:hooks|"hooks"|'hooks')[ \t]*=/m.exec(file.text);
  const listSpan = { start: list?.index ?? 0, end: (list?.index ?? 0) + (list?.[0].length ?? 0) };
  if (!entries) return [diagnoseIgnored(host, file, listSpan, "the whole file", "`hooks`", "must be a list of tables")];
  const result = readToml(settings, "hooks");
  if (result.kind !== "map")
    return map.headers.length === 0 && list
      ? [diagnoseIgnored(host, file, listSpan, "the whole file", "`hooks`", "is written as one list, to which no `[[hooks]]` table can be added")]
      : [diagnoseReading(result, file)];
  const own = ownIndices(result.map);
  const [firstOwn = 0] = own;
  const shift = own.length - ownIndices(map).length;
  return findEntryFaults(entriesOf(result.map.value, "hooks") ?? []).map((fault) => {
    const index = fault.path[1] as number;
    const isOwn = own.includes(index);
    const name = entriesOf(result.map.value, "hooks")?.[index] as TomlTable | undefined;
    const old = isOwn ? firstWithName(entries, name?.["name"]) : index < firstOwn ? index : index - shift;
    const where = isOwn ? `\`${showPath(["hooks", old])}\`` : `\`${showPath([...["hooks", old], ...fault.path.slice(2)])}\``;
    const why = isOwn ? "has the name of policyc's own entry, and the first one counts" : fault.why;
    return diagnoseIgnored(host, file, map.headers[old] ?? listSpan, isOwn ? "policyc's own entry" : `\`${showPath(["hooks", old])}\``, where, why);
  });
}

function firstWithName(entries: readonly unknown[], name: unknown): number {
  return entries.findIndex((entry) => (entry as TomlTable)["name"] === name);
}

function composeTable(registration: Registration, entry: HookEntry, starting: Starting): readonly string[] {
  const hasTool = entry.event !== "post_agent";
  const match = hasTool ? composeMatch(entry.tools) : undefined;
  return [
    "[[hooks]]",
    `name = ${quoteToml(composeName(registration, entry.event))}`,
    `type = ${quoteToml(entry.event)}`,
    ...(match !== undefined ? [`match = ${quoteToml(match)}`] : []),
    `command = ${quoteToml(starting.line(entry.event))}`,
    `timeout = ${Number.isInteger(entry.timeout) ? `${entry.timeout}.0` : entry.timeout}`,
    // The host drops an entry for `post_agent` that says `strict`.
    ...(hasTool && entry.failClosed ? ["strict = true"] : []),
    `description = ${quoteToml(describe(registration.policy, entry.rules))}`,
  ];
}

/** Of two entries with one name the host drops the later, so a name must be nobody else's: the hash is of scope and policy. */
function composeName({ scope, policy }: Registration, event: string): string {
  const hash = fingerprint(`${scope}\n${policy}`).slice(0, 8);
  return `policyc-${scope}-${policy.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)}-${event}-${hash}`;
}

function describe(policy: string, rules: readonly string[]): string {
  const shown = rules.slice(0, 8).map((rule) => (rule.startsWith(`${policy}/`) ? rule.slice(policy.length + 1) : rule));
  return `${policy} (policyc): ${shown.join(", ")}${rules.length > shown.length ? `, and ${rules.length - shown.length} more` : ""}`;
}

/**
 * `re:` is a full, case-insensitive match of any spelling of a name: `mcp_github.delete_repo`, its last part, or with `_`
 * for the dot. Negative patterns match everything that way unless they demand the dot. MCP servers are `mcp_<server>`, with
 * `_` for what is no letter or digit, and a hash behind it where two servers become one name; before 2.25 `<server>_`.
 */
export function composeMatch(matches: readonly ToolMatch[] | undefined): string | undefined {
  if (!matches || matches.length === 0) return undefined;
  return "re:" + [...new Set(matches.flatMap(patternsOf))].join("|");
}

/** Tools of the client's own that have a `_` in a spelling without a dot. Another one would only start the guard more often. */
const ownNames = [...new Set([...Object.values(tools).flat(), ...otherTools, ...["agents", "agent", "list", "send", "unified"].map((word) => `${word}_.*`)])].filter((name) => name.includes("_"));

/**
 * Every tool from outside, whatever the group is called: MCP servers are `mcp_<server>`, connectors `connector_<alias>`,
 * and a plugin's tools are in a group of its own name. A dot stands in the full name alone, so that excluding groups
 * there excludes them everywhere; the second pattern is for `<server>_<tool>` of before 2.25.
 */
const outside: readonly string[] = [
  `(?!(?:${[...ownGroups].join("|")})\\.).+\\..+`,
  `(?!(?:(?:${[...ownGroups].join("|")})_.*|${ownNames.join("|")})$)[^.]+_[^.]+`,
];

function patternsOf(match: ToolMatch): readonly string[] {
  switch (match.kind) {
    case "class":
      return match.toolClass === "mcp" ? outside : tools[match.toolClass];
    case "tool":
      return [escapeRegExp(match.name)];
    case "mcp": {
      const server = match.server.text.replace(/[^A-Za-z0-9_$]/g, "_");
      if (server === "") return outside;
      const end = match.server.star ? ".*" : "[._].*";
      return [`mcp_${escapeRegExp(server)}${end}`, `${escapeRegExp(server)}${end}`];
    }
    default:
      throw match satisfies never;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
