/**
 * One operand against the globs of a rule: as a path, as a shell wildcard that can name a matching file, and, where the
 * program acts on everything below it, as a whole tree.
 */
import type { EffectPlan } from "./effects.ts";
import { likelyGlobs } from "./glob-literals.ts";
import type { Found } from "./machine.ts";
import type { Operand } from "./operands.ts";
import { asksForName, isOpen, namedFiles, patternForms, patternMeets, someName } from "./path-patterns.ts";
import type { PatternForm } from "./path-patterns.ts";
import { isPseudoFile } from "./tables/names.ts";
import { below, hasWildcard, homeMark, isSettled, show } from "./text.ts";
import type { Text } from "./text.ts";
import { matchTree } from "./trees.ts";
import { belowRoot, foldCase, isDoubt, matchGlobs, parentOf, pathForms, relativeTo, resolvePath } from "../paths.ts";
import type { PathValue } from "../paths.ts";
import { allOf, anyOf } from "../truth.ts";
import type { Position, Truth, World } from "../world.ts";

/** More folders that a wildcard names are not looked through one by one. */
const mostTrees = 64;
const longestPath = 8192;
const mostSegments = 256;

export function matchOperand(operand: Operand, found: Found, atom: EffectPlan, position: Position, world: World): Truth {
  const truths = (function* (): Generator<Truth> {
    for (const text of operand.value) {
      if (text === "" || text === "-" || isPseudoFile(show(text))) continue;
      for (const base of isRooted(text) ? [found.cwd[0] ?? "/"] : found.cwd) yield matchText(text, baseFolder(base, position, world), operand, atom, position, world);
    }
  })();
  return position === "wide" ? anyOf(truths) : allOf(truths);
}

function isRooted(text: Text): boolean {
  return text.startsWith("/") || text.startsWith(homeMark);
}

/**
 * An absolute folder. One known only at run time is a folder of the project that no glob names, as it is for
 * `"$DIR/x"`; where a match relaxes, it is none at all.
 */
function baseFolder(base: Text, position: Position, world: World): string {
  if (base.startsWith(homeMark)) return world.home === "" ? "" : world.home + show(base.slice(homeMark.length));
  const shown = show(base);
  if (!isSettled(base) && !shown.startsWith("/")) return position === "wide" ? `${world.root}/${shown}` : `/${shown}`;
  if (world.platform !== "windows") return shown;
  // `/tmp` is on the project's drive, `/c/x` on another one.
  const place = resolvePath(windowsName(shown), world.root, world);
  return isDoubt(place) ? shown : place.written;
}

function matchText(text: Text, base: string, operand: Operand, atom: EffectPlan, position: Position, world: World): Truth {
  if (operand.unpacked === true) return matchUnpacked(base, atom, position, world);
  const wide = position === "wide";
  const cut = text.indexOf(`/${below}`);
  if (cut !== -1) {
    // What `find` hands on: paths below a folder, perhaps of certain names.
    if (!wide) return false;
    const names = text.slice(cut + below.length + 1).replace(/^\//, "");
    return matchTree(text.slice(0, cut) || "/", base, names === "" ? undefined : [names], atom, world);
  }
  if (hasWildcard(text)) {
    const forms = patternForms(text, base, world);
    if (isDoubt(forms)) return wide ? forms : false;
    return wide ? anyOf(forms.map((form) => matchPattern(form, operand, atom, world))) : forms.some((form) => patternMeets(form, atom.globs, "narrow", operand.tree, world));
  }
  if (!wide && !isSettled(text)) return false;
  // Longer names cannot be opened, and matching them would only cost time.
  if (text.length > longestPath || text.split("/").length > mostSegments) return wide ? { doubt: "a path is too long" } : false;
  const path = resolvePath(literalPath(text), base, world);
  if (isDoubt(path)) {
    if (!wide) return false;
    const opened = world.platform === "windows" ? windowsName(text) : text;
    if (opened === text) return path;
    return opened === "" ? false : matchText(opened, base, operand, atom, position, world);
  }
  const direct = wide ? matchLikely(path, atom, world) : matchGlobs(atom.globs, path, position, world);
  if (direct === true || !wide) return direct;
  // Many tools expand a `~` themselves that the shell has left alone.
  const own = /^~\//.test(text) ? matchText(homeMark + text.slice(1), base, operand, atom, position, world) : false;
  return anyOf([direct, own, operand.tree ? matchTree(text, base, operand.names, atom, world) : false]);
}

/**
 * What an archive holds is not known, only where it goes: below the folder `base`. In the project's own folder, or above
 * it, that may be any file of the project, which is ordinary work; deeper, or elsewhere, the place says what is written.
 */
function matchUnpacked(base: string, atom: EffectPlan, position: Position, world: World): Truth {
  const inside = resolvePath(`./${someName}`, base, world);
  const wide = position === "wide";
  if (isDoubt(inside)) return wide && inside;
  const direct = wide ? matchLikely(inside, atom, world) : matchGlobs(atom.globs, inside, position, world);
  const folder = parentOf(inside.lexical);
  const holdsProject = belowRoot(folder, position, world).includes("") || relativeTo(folder, world.root, true) !== undefined;
  return direct === true || !wide || holdsProject ? direct : anyOf([direct, matchTree(".", base, undefined, atom, world, false)]);
}

/** `matchGlobs` in wide position, without the globs whose text is not in the path. */
export function matchLikely(path: PathValue, atom: EffectPlan, world: World): Truth {
  const { forms, doubt } = pathForms(path, world);
  if (doubt !== undefined) return matchGlobs(atom.globs, path, "wide", world);
  const globs = likelyGlobs(atom.globs, atom.required, forms.map(foldCase));
  return globs.some((glob) => !glob.except) && matchGlobs(globs, path, "wide", world);
}

/** Wide: what is there where the folder can be looked into, else whatever the pattern can name. */
function matchPattern(form: PatternForm, operand: Operand, atom: EffectPlan, world: World): Truth {
  const files = namedFiles(form, world);
  if (files === undefined || (operand.tree && files.length > mostTrees)) {
    const globs = isOpen(form) ? atom.globs.filter((glob) => glob.except || !asksForName(glob)) : atom.globs;
    return patternMeets(form, globs, "wide", operand.tree, world);
  }
  return anyOf(files.map((file) => {
    const path = resolvePath(file, "/", world);
    if (isDoubt(path)) return path;
    const direct = matchGlobs(atom.globs, path, "wide", world);
    return direct === true || !operand.tree ? direct : anyOf([direct, matchTree(file, "/", operand.names, atom, world)]);
  }));
}

/**
 * The file that Windows opens for a name with a stream or a trailing dot or blank. A word of a command that has a colon
 * is far more often no path at all (`test:unit`, `HEAD:a.ts`), so it is no doubt as a file tool's path would be.
 */
function windowsName(text: Text): Text {
  const drive = /^[A-Za-z]:(?=\/)/.exec(text)?.[0] ?? "";
  const names = text.slice(drive.length).split("/");
  return drive + names.map((name) => (name === "." || name === ".." ? name : name.replace(/:.*$/s, "").replace(/[. ]+$/, ""))).join("/");
}

/** The text for `resolvePath`, to which only an unquoted `~` means the home folder. */
export function literalPath(text: Text): string {
  if (text.startsWith(homeMark)) return `~${show(text.slice(homeMark.length))}`;
  const shown = show(text);
  return shown.startsWith("~") ? `./${shown}` : shown;
}
