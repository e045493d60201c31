/**
 * Whole trees: a program that acts on everything below its operand acts on files that no word names. The operand
 * matches a glob where something below it can; for globs that begin with `**`, where the names fit or such a file is
 * there. Wide position only.
 */
import { expandBraces } from "./braces.ts";
import type { EffectPlan } from "./effects.ts";
import { haveCommonText, parseGlob } from "./glob-match.ts";
import { literalPath, matchLikely } from "./path-match.ts";
import { globSegments, meet, mostListed, someName } from "./path-patterns.ts";
import type { Segment } from "./path-patterns.ts";
import { show } from "./text.ts";
import type { Text } from "./text.ts";
import { foldCase, globHolds, globStarts, isDoubt, pathForms, relativeTo, resolvePath, segmentsOf } from "../paths.ts";
import type { GlobPlan } from "../plan.ts";
import { anyOf } from "../truth.ts";
import type { Truth, World } from "../world.ts";

/** `names`: only files of these names below the operand are meant (wildcards with their marks). `looks`: at what is there. */
export function matchTree(text: Text, base: string, names: readonly Text[] | undefined, atom: EffectPlan, world: World, looks = true): Truth {
  const path = resolvePath(literalPath(text), base, world);
  if (isDoubt(path)) return path;
  const { forms } = pathForms(path, world);
  const included = atom.globs.filter((glob) => !glob.except);
  for (const form of forms) {
    for (const glob of included) {
      if (nameFits(glob, names) && reaches(form, glob, names, atom, world) && !isExcepted(form, glob, atom.globs, world)) return true;
    }
  }
  if (!looks || !included.some((glob) => glob.base === "anywhere" || names !== undefined)) return false;
  return anyOf(forms.map((form) => listed(form, names, atom, world)));
}

/** Something below `form` can match the glob. */
function reaches(form: string, glob: GlobPlan, names: readonly Text[] | undefined, atom: EffectPlan, world: World): boolean {
  if (glob.base !== "anywhere" && !globStarts(glob, form, world).some((start) => relativeTo(form, start, true) !== undefined || relativeTo(start, form, true) !== undefined)) return false;
  const place: readonly Segment[] = segmentsOf(form).map((name) => ({ kind: "name", tokens: [...foldCase(name)].map((char) => ({ kind: "char", char })), hidden: true }));
  if (glob.base !== "anywhere") return globSegments(glob, form, world).some((segments) => meet([...place, { kind: "any", some: true }], segments, 0, 0));
  const folder = form === "/" ? "" : form;
  if (globHolds(glob, `${folder}/${someName}`, "wide", world)) return true;
  const probes = names?.map(probeOf).flatMap((name) => [`${folder}/${name}`, `${folder}/${someName}/${name}`]).filter((probe) => !atom.globs.some((one) => one.except && globHolds(one, probe, "narrow", world)));
  if (probes?.length === 0) return false;
  if (probes?.some((probe) => globHolds(glob, probe, "wide", world)) === true) return true;
  // Whatever `find -name '*.lock'` hands on is changed; a search by name that only reads is one like any other.
  if ((atom.kind === "writes" || atom.kind === "deletes") && /^\*\*\/[^/]+$/.test(glob.text) && names?.some((name) => /\w/.test(show(name)) && haveCommonText(parseGlob(foldCase(show(name))), parseGlob(foldCase(glob.text.slice(3))))) === true) return true;
  // `rm -rf .vibe` against `**/.vibe/policyc/**`: its last segments begin what follows the `**/`.
  const own = segmentsOf(form).map(foldCase);
  const start = glob.start.map(foldCase);
  return start.some((_, index) => index < start.length && index + 1 <= own.length && start.slice(0, index + 1).every((name, at) => name === own[own.length - index - 1 + at])) && (start.length > 0 && (glob.text.includes(`${glob.start.join("/")}/`) || start.length > 1));
}

/** One name that a filter lets through: `.env*` asks for `.env`, `*.pem` for any such file. */
function probeOf(name: Text): string {
  return show((name.replace(/(?:\0[*?])+$/, "") || someName).replace(/\0\[[^]*?\0\]|\0[*?]/g, someName));
}

/** A filter on names leaves a tree alone whose matching files all have other names. */
function nameFits(glob: GlobPlan, names: readonly Text[] | undefined): boolean {
  if (names === undefined) return true;
  const parts = (expandBraces(glob.text) ?? [glob.text]).map((text) => text.split("/").filter((part) => part !== "" && part !== "**" && part !== "~"));
  if (parts.some((list) => list.length === 0)) return true;
  const wanted = parts.flatMap((list) => (glob.text.endsWith("/**") ? list : list.slice(-1)));
  return names.some((name) => {
    const pattern = parseGlob(foldCase(show(name)));
    return show(name) === "*" || name.includes("/") || wanted.some((part) => !/^[*?]+$/.test(part) && haveCommonText(pattern, parseGlob(foldCase(part))));
  });
}

/** True where the exceptions of the list take out what the glob can match below `form`. */
function isExcepted(form: string, glob: GlobPlan, globs: readonly GlobPlan[], world: World): boolean {
  const inner = globStarts(glob, form, world).find((start) => relativeTo(form, start, true) !== undefined) ?? form;
  const probe = `${inner === "/" ? "" : inner}/${someName}`;
  return globs.some((one) => one.except && globHolds(one, probe, "narrow", world));
}

/** Looks whether such a file is there. */
function listed(form: string, names: readonly Text[] | undefined, atom: EffectPlan, world: World): Truth {
  const entries = world.list(form, mostListed);
  if (entries === undefined) {
    const wholeProject = relativeTo(form, world.root, true) !== undefined;
    return wholeProject && atom.kind !== "reads" && atom.kind !== "touches" && names === undefined ? { doubt: "the folder holds too many files to look through" } : false;
  }
  const patterns = names?.map((name) => parseGlob(show(name).split("/").at(-1) ?? ""));
  for (const entry of entries) {
    const name = segmentsOf(entry).at(-1) ?? "";
    if (patterns !== undefined && !patterns.some((pattern) => haveCommonText(pattern, [...name].map((char) => ({ kind: "char", char }))))) continue;
    const path = resolvePath(entry, "/", world);
    if (!isDoubt(path) && matchLikely(path, atom, world) === true) return true;
  }
  return false;
}
