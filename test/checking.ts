/** Checks small projects in memory, and says what was found with the words it points at. */
import { posix } from "node:path";
import { checkProject } from "../src/check/check.ts";
import type { CheckedRule } from "../src/check/checked.ts";
import type { Diagnostic, SourceFile } from "../src/diagnostics/diagnostic.ts";

export const hosts = ["claude", "vibe", "bob"];
export const today = "2030-06-15";

/** Files by path. Roots are those named; modules `std/NAME` are the files `std/NAME.policy`. */
export function checkFiles(files: Readonly<Record<string, string>>, roots: readonly string[] = ["main.policy"], day = today) {
  const sources = new Map<string, SourceFile>();
  const open = (path: string): SourceFile | undefined => {
    const known = sources.get(path);
    if (known) return known;
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    if (text === undefined) return undefined;
    const file = { path, text };
    sources.set(path, file);
    return file;
  };
  const load = (module: string, from: SourceFile) => (module.startsWith("std/") ? open(`${module}.policy`) : /^\.\.?\//.test(module) ? open(posix.join(posix.dirname(from.path), module)) : undefined);
  return checkProject({ roots: roots.flatMap((path) => open(path) ?? []), hosts, today: day, load });
}

export function check(text: string) {
  return checkFiles({ "main.policy": text });
}

/** `code: the words it points at`, in the order found. */
export function findings(text: string): readonly string[] {
  return check(text).diagnostics.map(pointed);
}

export function pointed({ code, file, span }: Diagnostic): string {
  return `${code}: ${file && span ? file.text.slice(span.start, span.end) : ""}`;
}

/** The one rule of a text that must be without findings. */
export function ruleOf(text: string): CheckedRule {
  const { project, diagnostics } = check(text);
  const [rule, ...more] = project.rules;
  if (!rule || more.length > 0 || diagnostics.length > 0) throw new Error(`expected one sound rule: ${diagnostics.map((diagnostic) => `${pointed(diagnostic)} (${diagnostic.message})`).join("; ")}`);
  return rule;
}

/** A condition or value without its places, for comparing meanings. */
export function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== "object" || value === null) return value;
  const places = ["span", "file", "definition", "home", "bodySpan", "flagsSpan", "wordSpan"];
  return Object.fromEntries(Object.entries(value).filter(([key]) => !places.includes(key)).map(([key, inner]) => [key, meaning(inner)]));
}
