/**
 * Texts of a shell line as far as the line itself settles them. A `Text` is a string in which NUL (refused in the input)
 * starts a mark: a stretch known only at run time, a wildcard, a border between words. A `Value` is what a word may be.
 */

/** Encoded text; `show` makes readable text of it. */
export type Text = string;
/** The texts a word may stand for; never empty. */
export type Value = readonly Text[];

/** Some text known only at run time, inside one word. */
export const hole = "\0h";
/** The same outside quotes: it may be several words or none. */
export const loose = "\0u";
/** Any path below the folder in front of it, as `find` hands them on. */
export const below = "\0t";
/** Whatever a wildcard has named: a name part from the disk, which quotes leave as it is. */
export const named = "\0g";
/** The border between two words of one expansion. */
export const border = "\0 ";
/** Quotes with nothing in them: keeps an empty word alive. */
export const nothing = "\0e";
/** The home folder, at the start of a word. */
export const homeMark = "\0~";

/** More alternatives than this for one word are not followed. */
export const mostAlternatives = 1024;
const mostCharacters = 1 << 20;

/** Stops an analysis: what the line does cannot be told, for the reason in the message. */
export class Undecidable extends Error {
  override readonly name = "Undecidable";
}

/** @throws Undecidable */
export function giveUp(cause: string): never {
  throw new Undecidable(cause);
}

/** True where nothing of the text waits for run time (wildcards may be in it). */
export function isSettled(text: Text): boolean {
  return !text.includes("\0") || !/\0[hut]/.test(text);
}

/** True where the text is exactly what it shows: no run-time stretch, no wildcard. */
export function isExact(text: Text): boolean {
  return isSettled(text) && !hasWildcard(text);
}

export function hasWildcard(text: Text): boolean {
  return /\0[*?[g]/.test(text);
}

/** Readable text: wildcards as characters, each run-time stretch as `unknown` (a character no pattern asks for). */
export function show(text: Text, unknown = "\u{fffd}"): string {
  if (!text.includes("\0")) return text;
  return text.replace(/\0([^])/g, (_, mark: string) => {
    if (mark === "h" || mark === "u" || mark === "t") return unknown;
    if (mark === "e") return "";
    if (mark === "g") return "*";
    return mark;
  });
}

/** The text inside double quotes: wildcards and word borders have lost their meaning. */
export function quoteText(text: Text): Text {
  if (!text.includes("\0")) return text === "" ? nothing : text;
  return text.replace(/\0([^])/g, (mark, kind: string) => {
    if (kind === "u") return hole;
    return kind === "*" || kind === "?" || kind === "[" || kind === "]" ? kind : mark;
  }) || nothing;
}

/** What an expansion outside quotes becomes: cut at the separators, wildcards awake. */
export function splitText(text: Text, separators: string): Text {
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\0") {
      at += 1;
      out += text.charAt(at) === "h" ? loose : `\0${text.charAt(at)}`;
    } else if (separators.includes(char)) out += border;
    else if (char === "*" || char === "?" || (char === "[" && text.includes("]", at))) out += `\0${char}`;
    else if (char === "]" && out.lastIndexOf("\0[") > out.lastIndexOf("\0]")) out += "\0]";
    else out += char;
  }
  return out;
}

/** The words of an expanded text; unquoted nothing is no word. */
export function wordsOf(text: Text): readonly Text[] {
  if (!text.includes("\0")) return text === "" ? [] : [text];
  return text.split(border).filter((word) => word !== "").map((word) => word.replaceAll(nothing, ""));
}

/** As the value of a plain variable: marks of quoting are gone, words are joined by blanks. */
export function asScalar(text: Text): Text {
  return text.includes("\0") ? text.replaceAll(border, " ").replaceAll(nothing, "").replaceAll(loose, hole).replace(/\0([*?[\]])/g, "$1") : text;
}

/** Everything that texts of the values, one from each in turn, can be together. */
export function concatenate(values: readonly Value[]): Value {
  let all: Value = [""];
  for (const value of values) {
    const [only] = value;
    if (value.length === 1 && only !== undefined) {
      if (only !== "") all = bounded(all.map((text) => text + only));
    } else all = bounded(all.flatMap((text) => value.map((more) => text + more)));
  }
  return all;
}

/** Both values' texts without repetition. */
export function unite(left: Value, right: Value): Value {
  if (left === right || right.every((text) => left.includes(text))) return left;
  return bounded([...new Set([...left, ...right])]);
}

function bounded(texts: readonly Text[]): Value {
  if (texts.length > mostAlternatives || texts.reduce((sum, text) => sum + text.length, 0) > mostCharacters) throw new Undecidable("a word of the line has too many possible values");
  return texts;
}

/** The words of an expansion as values of one variable. */
export function fieldValue(text: Text): Value {
  return wordsOf(text).map((word) => asScalar(word));
}

/** As text that a shell is given to run: wildcards and word borders are characters again. */
export function asScript(text: Text): Text {
  return text.includes("\0") ? text.replaceAll(border, " ").replaceAll(nothing, "").replaceAll(loose, hole).replace(/\0([*?[\]])/g, "$1") : text;
}
