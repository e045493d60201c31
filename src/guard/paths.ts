/**
 * Paths: text of a call becomes a `PathValue`, a path is matched against the globs of a rule. One path has several
 * forms (as written, through symlinks, other readings of its text): in wide position any of them counts, in narrow all.
 */
import type { GlobPlan } from "./plan.ts";
import type { Doubt, Position, Truth, World } from "./world.ts";

/** Longer texts are no paths on any platform; matching them would only cost time. */
const longestPath = 32_767;

export interface PathValue {
  /** Absolute, `/` between segments, `.` and `..` removed, NFC; no trailing slash but in `/` and `C:/`. */
  readonly lexical: string;
  /** Absolute, `..` still in it and not normalised: what the operating system walks. */
  readonly written: string;
  /** What else the text may name, lexically (`/proc/self/cwd/x` is `x` in the folder of the call). */
  readonly readings: readonly string[];
}

/**
 * The path that `text` names in the folder `base` (absolute, any spelling): `~/` expanded, `\` to `/` and the drive
 * letter upper-cased on Windows. A doubt where the name on disk cannot be known.
 */
export function resolvePath(text: string, base: string, world: World): PathValue | Doubt {
  return remembered(world, `path ${base}\0${text}`, () => findPath(text, base, world));
}

function findPath(text: string, base: string, world: World): PathValue | Doubt {
  if (text.includes("\0")) return { doubt: "a path holds a NUL character" };
  if (text.length > longestPath) return { doubt: "a path is too long" };
  const windows = world.platform === "windows";
  let path = windows ? windowsSlashes(text) : text;
  if (path === "~" || path.startsWith("~/")) {
    if (world.home === "") return { doubt: "the home folder is unknown" };
    path = `${world.home}/${path.slice(2)}`;
  }
  const place = absoluteIn(path, base, windows);
  if (place === undefined) return { doubt: "the folder of a relative path is unknown" };
  if (windows && hasWindowsAlias(place)) return { doubt: "a path has a name that Windows reads as another one" };
  const lexical = removeDots(place).normalize("NFC");
  return { lexical, written: place, readings: otherReadings(path, lexical, base, world) };
}

/** True for what `resolvePath` could not settle (and any other doubt). */
export function isDoubt(value: object | boolean | string | undefined): value is Doubt {
  return typeof value === "object" && "doubt" in value;
}

/**
 * True where the list of globs holds the path: some glob does and no `!glob`. Wide: in any form, letter case folded, an
 * exception only where it surely holds. Narrow: in every form, exactly, an exception already where it might hold.
 */
export function matchGlobs(globs: readonly GlobPlan[], path: PathValue, position: Position, world: World): Truth {
  if (position === "wide" && world.home === "" && globs.some((glob) => glob.base === "home" && !glob.except)) return { doubt: "the home folder is unknown" };
  return formsHold(path, position, world, (form) => holds(globs, form, position, world));
}

/** `test` on the forms of a path: any of them in wide position, all of them in narrow. */
export function formsHold(path: PathValue, position: Position, world: World, test: (form: string) => boolean): Truth {
  const wide = position === "wide";
  // What the text alone settles needs no disk.
  const lexical = [path.lexical, ...path.readings];
  if (wide ? lexical.some(test) : !lexical.every(test)) return wide;
  const real = realForms(path, world);
  if (real.forms.some((form) => test(form) === wide)) return wide;
  return real.doubt === undefined ? !wide : { doubt: real.doubt };
}

/** Every form of the path: lexical ones first, then those through symlinks; `doubt` where one could not be found out. */
export function pathForms(path: PathValue, world: World): { readonly forms: readonly string[]; readonly doubt?: string } {
  const real = realForms(path, world);
  return { ...real, forms: [...new Set([path.lexical, ...path.readings, ...real.forms])] };
}

/** True where one glob holds one absolute, normalised form; `except` is not looked at. */
export function globHolds(glob: GlobPlan, form: string, position: Position, world: World): boolean {
  // Every match holds the literal start; the search for it is cheaper than the making of an expression.
  const start = foldCase(glob.start.join("/"));
  return subjects(glob, form, position, world).some((subject) => {
    const folded = foldCase(subject);
    if (!folded.includes(start)) return false;
    return new RegExp(glob.exact, "su").test(subject) || (position === "wide" && new RegExp(glob.folded, "su").test(folded));
  });
}

/**
 * The absolute folders or files a glob's literal start names (`.git/**`: `ROOT/.git`), with their real forms, for the
 * roots that count for `form` in wide position. Empty for globs that begin with `**`.
 */
export function globStarts(glob: GlobPlan, form: string, world: World): readonly string[] {
  const below = (folder: string): string => removeDots([folder, ...glob.start].join("/"));
  const places = (): readonly string[] => {
    switch (glob.base) {
      case "root":
        return rootsFor(form, "wide", world).map(below);
      case "home":
        return world.home === "" ? [] : [below(world.home)];
      case "file-system":
        return [glob.text.startsWith("/") ? removeDots(`/${glob.start.join("/")}`) : removeDots(glob.start.join("/"))];
      case "anywhere":
        return [];
      default:
        throw glob.base satisfies never;
    }
  };
  return [...new Set(places().flatMap((place) => [place, world.realPath(place) ?? place]))];
}

/**
 * The path below `folder`, `""` for the folder itself, `undefined` outside. `folded` compares without letter case; the
 * answer keeps it.
 */
export function relativeTo(folder: string, form: string, folded: boolean): string | undefined {
  const [inner, outer] = folded ? [foldCase(form), foldCase(folder)] : [form, folder];
  if (inner === outer) return "";
  const prefix = outer.endsWith("/") ? outer : `${outer}/`;
  if (!inner.startsWith(prefix)) return undefined;
  // Folding may change lengths (`ß`), so segments are counted and not characters.
  return segmentsOf(form).slice(segmentsOf(folder).length).join("/");
}

/** The named segments of an absolute form. */
export function segmentsOf(form: string): readonly string[] {
  return form.split("/").filter((segment) => segment !== "");
}

/** Upper, then lower, one code point at a time: `ſ` becomes `s`, and the result does not depend on neighbours. */
export function foldCase(text: string): string {
  // Nearly every path is ASCII, and this runs for every glob.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, (char) => char.toUpperCase().toLowerCase()).join("");
}

/** `.` and `..` and doubled slashes removed lexically from an absolute path. */
export function removeDots(path: string): string {
  const share = path.startsWith("//");
  const kept: string[] = [];
  const fixed = share ? 2 : /^[A-Za-z]:/.test(path) ? 1 : 0;
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > fixed) kept.pop();
  }
  if (fixed === 1) return kept.length === 1 ? `${kept[0]}/` : kept.join("/");
  return `${share ? "//" : "/"}${kept.join("/")}`;
}

/** The folder a form lies in; the root is its own. */
export function parentOf(form: string): string {
  // Not `//..`: two slashes open the name of a share.
  return removeDots(form.endsWith("/") ? `${form}..` : `${form}/..`);
}

function holds(globs: readonly GlobPlan[], form: string, position: Position, world: World): boolean {
  if (!globs.some((glob) => !glob.except && globHolds(glob, form, position, world))) return false;
  const opposite = position === "wide" ? "narrow" : "wide";
  return !globs.some((glob) => glob.except && globHolds(glob, form, opposite, world));
}

function realForms(path: PathValue, world: World): { readonly forms: readonly string[]; readonly doubt?: string } {
  return remembered(world, `real ${path.written}\0${path.readings.join("\0")}`, () => findRealForms(path, world));
}

function findRealForms(path: PathValue, world: World): { readonly forms: readonly string[]; readonly doubt?: string } {
  // The parent of a link is not the parent of what it points to, so `link/../x` is looked at both ways.
  const written = path.written.split("/").includes("..") ? [path.written] : [];
  const real = [removeDots(path.written), ...written, ...path.readings].map((form) => world.realPath(form));
  const forms = real.filter((form) => form !== undefined).map((form) => form.normalize("NFC"));
  return real.includes(undefined) ? { forms, doubt: "where a path leads cannot be found out" } : { forms };
}

/** The texts a glob's expression is tried on. */
function subjects(glob: GlobPlan, form: string, position: Position, world: World): readonly string[] {
  switch (glob.base) {
    case "anywhere":
      return [form];
    case "file-system":
      // `/x` on Windows is `x` at the root of any drive.
      return glob.text.startsWith("/") && /^[A-Z]:/.test(form) ? [form.slice(2)] : [form];
    case "home":
      return remembered(world, `home ${position} ${form}`, () => (world.home === "" ? [] : present([below(removeDots(world.home), form, position, world)])));
    case "root":
      return belowRoot(form, position, world);
    default:
      throw glob.base satisfies never;
  }
}

/** A path in a linked worktree is below that worktree's root; for wide positions also below the main one. */
function rootsFor(form: string, position: Position, world: World): readonly string[] {
  const main = removeDots(world.root);
  const worktree = world.worktreeRoot(form);
  if (worktree === undefined) return [main];
  return position === "wide" ? [removeDots(worktree), main] : [removeDots(worktree)];
}

/** The path below the root or roots that count for it, `""` for a root itself; empty outside. */
export function belowRoot(form: string, position: Position, world: World): readonly string[] {
  return remembered(world, `root ${position} ${form}`, () => present(rootsFor(form, position, world).map((root) => below(root, form, position, world))));
}

function remembered<Value>(world: World, key: string, make: () => Value): Value {
  return world.remember === undefined ? make() : world.remember(key, make);
}

/**
 * `relativeTo` for a folder that may have several spellings: its real path, and any folder above `form` that is the same
 * one through a link (`/var/project` and `/private/var/project`).
 */
function below(folder: string, form: string, position: Position, world: World): string | undefined {
  const folded = position === "wide";
  const real = world.realPath(folder) ?? folder;
  const direct = relativeTo(folder, form, folded) ?? relativeTo(real, form, folded);
  if (direct !== undefined) return direct;
  let above = parentOf(form);
  for (let last = form; above !== last; last = above, above = parentOf(above)) {
    if (world.realPath(above) === real) return relativeTo(above, form, folded);
  }
  return undefined;
}

function present(values: readonly (string | undefined)[]): readonly string[] {
  return values.filter((value) => value !== undefined);
}

function windowsSlashes(text: string): string {
  const path = text.replaceAll("\\", "/").replace(/^\/\/[?.]\/UNC\//i, "//").replace(/^\/\/[?.]\/(?=[A-Za-z]:)/, "");
  // Git Bash writes `C:\x` as `/c/x`.
  return path.replace(/^\/([A-Za-z])(?=\/|$)/, "$1:").replace(/^[a-z]:/, (drive) => drive.toUpperCase()).replace(/^[A-Z]:$/, "$&/");
}

function absoluteIn(path: string, base: string, windows: boolean): string | undefined {
  // Only Windows knows `//server`; elsewhere `//etc` is `/etc`.
  if (!windows) return path.startsWith("/") ? oneSlash(path) : base.startsWith("/") ? oneSlash(`${base}/${path}`) : undefined;
  const folder = windowsSlashes(base);
  const drive = /^[A-Z]:(?=\/)/.exec(folder)?.[0];
  if (/^[A-Z]:\//.test(path) || path.startsWith("//")) return path;
  if (path.startsWith("/")) return drive === undefined ? undefined : `${drive}${path}`;
  return drive === undefined && !folder.startsWith("//") ? undefined : `${folder}/${path}`;
}

/** NTFS streams (`a:b`), drive-relative paths, trailing dots and blanks: Windows opens another name than the text says. */
function hasWindowsAlias(path: string): boolean {
  const names = path.replace(/^[A-Z]:/, "").split("/");
  return names.some((name) => name !== "." && name !== ".." && (name.includes(":") || /[. ]$/.test(name)));
}

function otherReadings(path: string, lexical: string, base: string, world: World): readonly string[] {
  if (world.platform === "windows") return [];
  const process = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(cwd|root)(\/.*)?$/s.exec(lexical);
  if (process !== null) return [removeDots(oneSlash(`${process[1] === "cwd" ? base : ""}/${process[2] ?? ""}`)).normalize("NFC")];
  const user = /^~([^/]+)(\/.*)?$/s.exec(path);
  if (user === null || world.home === "") return [];
  // Some tools expand `~name` as a shell does.
  return [removeDots(oneSlash(`${user[1] === "root" ? "/root" : `${parentOf(world.home)}/${user[1]}`}/${user[2] ?? ""}`)).normalize("NFC")];
}

function oneSlash(path: string): string {
  return path.replace(/^\/{2,}/, "/");
}
