/**
 * Finds what a command line means: project roots and the policy files that belong to each. Files are shown to the
 * compiler below the root they are built for, so that a guard does not depend on where policyc was started.
 */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";
import { packageRoot } from "./package-root.ts";
import { describeSystemError, isLink, policyLimit, readText } from "./read.ts";
import { UsageError } from "./terminal.ts";

export interface Project {
  /** Absolute; outputs go below it. */
  readonly root: string;
  /** The root as the person wrote it or would: `.`, `services/api`. */
  readonly title: string;
  /** In byte order. The checks take those that another one reaches by `use` for imports. */
  readonly sources: readonly SourceFile[];
  /** The `*.test.policy` files beside them, read when they are asked for: a build has no use for them. */
  tests(): readonly SourceFile[];
  /** Follows `use`; also used by the checks. */
  load(module: string, from: SourceFile): SourceFile | undefined;
  /** Every policy file read so far, imports included, by its shown path. */
  files(): readonly string[];
  /** What could not be read; complete once the checks have followed every `use`. */
  problems(): readonly Diagnostic[];
  /** The path of a policy file as seen from where policyc was started. */
  shown(path: string): string;
  /** The same findings with paths as seen from where policyc was started. */
  relabel(diagnostics: readonly Diagnostic[]): readonly Diagnostic[];
}

/** @throws UsageError for a path that is not there and a project without a policy */
export function findProjects(paths: readonly string[], out: string | undefined, folder: string): readonly Project[] {
  const given = [...new Set((paths.length > 0 ? paths : ["."]).map((path) => resolve(folder, path)))];
  const folders: string[] = [];
  const files: string[] = [];
  for (const path of given) {
    const shown = quote(shownFrom(folder, path));
    const stat = orUsageError(shown, () => statSync(path, { throwIfNoEntry: false }));
    if (!stat) throw new UsageError(`there is no file or folder ${shown}`);
    if (!stat.isDirectory() && !path.endsWith(".policy")) throw new UsageError(`${shown} is not a .policy file`);
    (stat.isDirectory() ? folders : files).push(path);
  }
  if (out !== undefined && orUsageError(quote(out), () => statSync(resolve(folder, out), { throwIfNoEntry: false })?.isDirectory()) === false) throw new UsageError(`\`--out\` names a folder, and ${quote(out)} is none`);
  if (out !== undefined && folders.length + (files.length > 0 ? 1 : 0) > 1) throw new UsageError("`--out` needs one project: one folder, or policy files only");

  const projects = folders.map((path) => openProject(out === undefined ? path : resolve(folder, out), policiesOf(path, folder), folder));
  if (folders.length > 0 && files.length > 0 && folders.includes(folder)) throw new UsageError("the files and the folder would write to one place; name either");
  if (files.length > 0 && files.every(isTestFile)) throw new UsageError("only test files are named; add the policy that they test");
  if (files.length > 0) projects.push(openProject(out === undefined ? folder : resolve(folder, out), files.sort(inByteOrder), folder));
  return projects;
}

/** `policy/*.policy`, or `*.policy` where there is no folder `policy`. */
function policiesOf(root: string, folder: string): readonly string[] {
  const own = join(root, "policy");
  const place = orUsageError(quote(shownFrom(folder, own)), () => statSync(own, { throwIfNoEntry: false })?.isDirectory()) ? own : root;
  const found = orUsageError(quote(shownFrom(folder, place)), () => readdirSync(place))
    .filter((name) => name.endsWith(".policy") && !name.startsWith("."))
    .sort(inByteOrder);
  if (found.some((name) => !isTestFile(name))) return found.map((name) => join(place, name));
  const where = place === own ? `${quote(shownFrom(folder, own))} holds no .policy file` : `${quote(shownFrom(folder, root))} holds no .policy file and no folder \`policy\``;
  throw new UsageError(`${where}; a project keeps its policies in \`policy/\` or beside it`);
}

/** A folder or file that the command names and that this user may not look at. */
function orUsageError<Result>(shown: string, look: () => Result): Result {
  try {
    return look();
  } catch (error) {
    throw new UsageError(`${shown} ${describeSystemError(error)}`);
  }
}

function isTestFile(path: string): boolean {
  return path.endsWith(".test.policy");
}

/** Names compare by their UTF-8 bytes, so that no locale changes a guard. */
function inByteOrder(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function openProject(root: string, paths: readonly string[], folder: string): Project {
  const byPlace = new Map<string, SourceFile>();
  const places = new Map<SourceFile, string>();
  const problems: Diagnostic[] = [];

  const open = (place: string, path: string): SourceFile | undefined => {
    const known = byPlace.get(place);
    if (known) return known;
    const reading = readPolicy(place);
    if (reading.kind === "absent") return undefined;
    // An unreadable file stays in the project as an empty one: its own finding is enough, and imports of it are not unknown.
    const file: SourceFile = { path, text: reading.kind === "text" ? reading.text.replace(/^\uFEFF/, "") : "" };
    if (reading.kind === "unreadable") problems.push(diagnose("source/unreadable", { path, why: reading.why }, { file }));
    byPlace.set(place, file);
    places.set(file, place);
    return file;
  };

  const load = (module: string, from: SourceFile): SourceFile | undefined => {
    if (/^std(?:\/[A-Za-z0-9_-]+)+$/.test(module)) return open(join(standardLibrary(), `${module.slice("std/".length)}.policy`), `${module}.policy`);
    const origin = places.get(from);
    if (origin === undefined || !/^\.\.?\/.*\.policy$/.test(module)) return undefined;
    return open(resolve(dirname(origin), module), posix.join(posix.dirname(from.path), module));
  };

  const relabelled = new Map<SourceFile, SourceFile>();
  const show = (file: SourceFile): SourceFile => {
    // Outputs that a finding is about were not read through here; they lie below the root.
    const place = places.get(file) ?? join(root, file.path);
    if (place.startsWith(standardLibrary() + sep)) return file;
    const shown = relabelled.get(file) ?? { path: shownFrom(folder, place), text: file.text };
    relabelled.set(file, shown);
    return shown;
  };
  return {
    root,
    title: shownFrom(folder, root) || ".",
    sources: paths.filter((path) => !isTestFile(path)).flatMap((path) => open(path, shownFrom(root, path)) ?? []),
    tests: () => paths.filter(isTestFile).flatMap((path) => open(path, shownFrom(root, path)) ?? []),
    load,
    files: () => [...byPlace.values()].map((file) => file.path).sort(inByteOrder),
    problems: () => problems,
    shown: (path) => {
      const file = [...byPlace.values()].find((one) => one.path === path);
      return file ? show(file).path : path;
    },
    relabel: (diagnostics) =>
      diagnostics.map((diagnostic) => ({
        ...diagnostic,
        ...(diagnostic.file && { file: show(diagnostic.file) }),
        labels: diagnostic.labels.map((label) => ({ ...label, ...(label.file && { file: show(label.file) }) })),
      })),
  };
}

function readPolicy(place: string): ReturnType<typeof readText> {
  const reading = readText(place, { bytes: policyLimit, follow: true });
  // A link in a cloned repository must not put lines of some other file into an error message.
  if (reading.kind === "text" && isLink(place) && !realpathSync(place).endsWith(".policy")) return { kind: "unreadable", why: "is a link to something that is not a .policy file" };
  return reading;
}

/** The folder of `std/…`: beside package.json, whether policyc runs from its bundle or from source. */
export function standardLibrary(): string {
  return join(packageRoot(), "stdlib");
}

/** `path` as seen from `folder`, with forward slashes; `""` for the folder itself. */
export function shownFrom(folder: string, path: string): string {
  const shown = relative(folder, path);
  return isAbsolute(shown) ? path : shown.split(sep).join("/");
}

function quote(path: string): string {
  return `\`${path || "."}\``;
}
