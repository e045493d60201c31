/**
 * The fields of the language on one call: a name goes in, what the call says under it comes out. Only own keys count,
 * `null` is absent, and what was sent in several ways comes out with all of them.
 */
import type { Json, Redaction, ToolCall } from "./call.ts";
import { baseFolder } from "./file-effects.ts";
import { isDoubt, pathForms, resolvePath } from "./paths.ts";
import type { PathValue } from "./paths.ts";
import type { TextMemo } from "./patterns.ts";
import type { FieldPath } from "./plan.ts";
import { fields as fieldFacts } from "./vocabulary.ts";
import type { FieldType } from "./vocabulary.ts";
import type { Doubt, Truth, World } from "./world.ts";

/** What a condition is evaluated on. */
export interface Scope {
  readonly call: ToolCall;
  readonly world: World;
  readonly memo: TextMemo;
  /** What values of the call pass before they are put in a text. */
  readonly redactions?: readonly Redaction[];
  /** Milliseconds a process of the rule at hand may take. */
  readonly timeout?: number;
}

export type Reading =
  | { readonly kind: "absent"; readonly type: FieldType }
  /** `several`: each is a value of the call. `aliases`: names of one thing. `one-of`: one of them is it, unknown which. */
  | { readonly kind: "texts"; readonly relation: "several" | "aliases" | "one-of"; readonly texts: readonly string[] }
  | { readonly kind: "paths"; readonly paths: readonly (PathValue | Doubt)[] }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean }
  /** A raw argument. */
  | { readonly kind: "json"; readonly value: Json }
  | { readonly kind: "doubt"; readonly doubt: string };

export function readField(field: FieldPath, scope: Scope): Reading {
  const { call, world } = scope;
  const [name = "", ...inner] = field;
  switch (name) {
    case "input": {
      const value = innerValue(call.input, inner);
      return value === undefined ? { kind: "absent", type: "unknown" } : { kind: "json", value };
    }
    case "branch":
      return readBranches(call, world);
    case "tampering":
      return readTampering(world);
    case "server":
      return readServer(call);
    case "domain":
      return readDomain(call);
    case "cwd":
      return readPaths(sentTexts(call, "cwd"), call.cwd, world);
    case "path":
      return readPaths(sentTexts(call, "path"), baseFolder(call, world), world);
    case "event":
      return text(call.hostEvent);
    case "tool":
      return text(call.tool);
    case "platform":
      return text(world.platform);
    default:
      return readSent(name, call);
  }
}

/** True where the host sent the field (and it is not `null`); a branch counts where there is one. */
export function hasField(field: FieldPath, scope: Scope): Truth {
  const reading = readField(field, scope);
  if (field[0] !== "branch") return reading.kind !== "absent";
  return reading.kind === "texts" ? reading.texts.some((one) => one !== "") : { doubt: "the current branch cannot be read" };
}

/** The field for people, as sent; `""` where it is absent. */
export function fieldText(field: FieldPath, scope: Scope): string {
  const [name = ""] = field;
  if (name === "path" || name === "cwd") return sentTexts(scope.call, name).join(", ");
  const reading = readField(field, scope);
  switch (reading.kind) {
    case "texts":
      return reading.texts[0] ?? "";
    case "number":
    case "bool":
      return String(reading.value);
    case "json":
      return jsonText(reading.value);
    case "paths":
    case "absent":
    case "doubt":
      return "";
    default:
      return reading satisfies never;
  }
}

/** Every text the field holds: what a pattern would be replaced in. */
export function fieldTexts(field: FieldPath, scope: Scope): readonly string[] {
  const [name = ""] = field;
  if (name === "path" || name === "cwd") return sentTexts(scope.call, name);
  const reading = readField(field, scope);
  if (reading.kind === "texts") return reading.texts;
  return reading.kind === "json" ? jsonStrings(reading.value) : [];
}

/** A raw argument as text: strings as they are, the rest as JSON. */
export function jsonText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Every string inside a raw argument, at any depth. */
export function jsonStrings(value: Json): readonly string[] {
  const found: string[] = [];
  // A stack and no recursion: nesting is the sender's choice.
  const stack: Json[] = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next === "string") found.push(next);
    else if (typeof next === "object" && next !== null) for (const inner of Object.values(next) as Json[]) stack.push(inner);
  }
  return found;
}

/** `input.options.0.name`; prototype-named keys are keys like any other. */
function innerValue(input: Json, keys: readonly string[]): Json | undefined {
  let value: Json = input;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as { readonly [key: string]: Json })[key] ?? null;
  }
  return value ?? undefined;
}

function readSent(name: string, call: ToolCall): Reading {
  const type = Object.hasOwn(fieldFacts, name) ? (fieldFacts[name]?.type ?? "text") : "text";
  const value = Object.hasOwn(call.fields, name) ? call.fields[name] : undefined;
  if (value === undefined) return { kind: "absent", type };
  if (typeof value === "number") return { kind: "number", value };
  if (typeof value === "boolean") return { kind: "bool", value };
  return typeof value === "string" ? text(value) : { kind: "texts", relation: "several", texts: value };
}

function sentTexts(call: ToolCall, name: string): readonly string[] {
  const value = Object.hasOwn(call.fields, name) ? call.fields[name] : undefined;
  if (typeof value === "object") return value;
  if (typeof value === "string" && (value !== "" || name !== "cwd")) return [value];
  if (name === "cwd") return call.cwd === "" ? [] : [call.cwd];
  // A search without a path looks through the folder it is started in.
  return name === "path" && call.toolClass === "search" && call.cwd !== "" ? [call.subject.cwd ?? call.cwd] : [];
}

function readPaths(texts: readonly string[], base: string, world: World): Reading {
  return texts.length === 0 ? { kind: "absent", type: "path" } : { kind: "paths", paths: texts.map((one) => resolvePath(one, base, world)) };
}

/** The branches of the folders the call acts in: those of its paths, or the folder it is started in. */
function readBranches(call: ToolCall, world: World): Reading {
  const base = baseFolder(call, world);
  const places = actingFolders(call, world);
  const branches = new Set<string>();
  for (const place of places) {
    const path = place === undefined ? undefined : resolvePath(place, base, world);
    if (path === undefined) return { kind: "doubt", doubt: "the folder whose branch counts is known only at run time" };
    const forms = isDoubt(path) ? undefined : pathForms(path, world);
    if (forms === undefined || forms.doubt !== undefined) return { kind: "doubt", doubt: "the folder whose branch counts cannot be found out" };
    for (const form of forms.forms) {
      const branch = world.branch(form);
      if (branch === undefined) return { kind: "doubt", doubt: "the current branch cannot be read" };
      branches.add(branch);
    }
  }
  return { kind: "texts", relation: "several", texts: [...branches] };
}

/** The paths the tool names, else the folders its commands go to, else the one it is started in. */
function actingFolders(call: ToolCall, world: World): readonly (string | undefined)[] {
  const paths = sentTexts(call, "path");
  if (paths.length > 0) return paths;
  // The parser loads only where a line can go to another folder at all.
  const moves = call.subject.commands.some(({ text }) => /(?:^|[^\w])(?:cd|chdir|pushd|popd|set-location|sl|push-location)(?![\w])|-C|--chdir|-D/i.test(text));
  const folders = moves ? (world.shell().folders?.(call, world) ?? []) : [];
  return folders.length > 0 ? folders : ["."];
}

function readTampering(world: World): Reading {
  const found = world.tampering?.() ?? "";
  return found === "" ? { kind: "absent", type: "text" } : text(found);
}

function readServer(call: ToolCall): Reading {
  if (call.mcp === undefined) return readSent("server", call);
  const { server, ambiguous, others = [] } = call.mcp;
  if (ambiguous && others.length === 0) return { kind: "doubt", doubt: "the MCP server's name cannot be told from the tool's" };
  return { kind: "texts", relation: ambiguous ? "one-of" : "aliases", texts: [...new Set([server, ...others.map((other) => other.server)])] };
}

function readDomain(call: ToolCall): Reading {
  const reading = readSent("domain", call);
  const url = (sentTexts(call, "url")[0] ?? "").trim();
  // Clients part such addresses at different places; `a\@b` is on host `a` for one and on `b` for another.
  if (/[\\\s\0-\x1f\x7f-\x9f]/u.test(url)) return { kind: "doubt", doubt: "the address can be read in several ways" };
  const isUnread = reading.kind === "texts" && reading.texts.every((one) => one === "");
  return isUnread && url !== "" ? { kind: "doubt", doubt: "the address has no host name that can be read" } : reading;
}

function text(value: string): Reading {
  return { kind: "texts", relation: "several", texts: [value] };
}
