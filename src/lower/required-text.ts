/**
 * The text that every match of a regular expression must hold, so that a guard can skip the expression where the text is
 * not there. Anything not plainly required is left out: a shorter answer costs time, a wrong one would open the guard.
 */
import { RegExpParser } from "@eslint-community/regexpp";
import type { AST } from "@eslint-community/regexpp";

/** A part of a pattern: the one string it can match, if there is just one, and the longest text each of its matches holds. */
interface Part {
  readonly only?: string;
  readonly holds: string;
}

/** Repeating a text more often than this in a literal gains nothing. */
const mostCopies = 8;

/**
 * The longest literal found, lower-cased where `flags` has `i`; `undefined` where nothing is required or the pattern does
 * not parse (the checks have said so by then).
 */
export function requiredText(source: string, flags: string): string | undefined {
  let pattern: AST.Pattern;
  try {
    pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode: true });
  } catch {
    return undefined;
  }
  const text = alternativesPart(pattern.alternatives, flags.includes("i")).holds;
  return text === "" ? undefined : text;
}

function alternativesPart(alternatives: readonly AST.Alternative[], folding: boolean): Part {
  const parts = alternatives.map((alternative) => sequencePart(alternative.elements, folding));
  const [first, ...others] = parts;
  if (first === undefined) return { holds: "" };
  if (others.length === 0) return first;
  const shared = others.reduce((text, part) => sharedText(text, part.holds), first.holds);
  return first.only !== undefined && others.every((part) => part.only === first.only) ? first : { holds: shared };
}

function sequencePart(elements: readonly AST.Element[], folding: boolean): Part {
  let run = "";
  let holds = "";
  let exact = true;
  const longest = (text: string) => {
    if (text.length > holds.length) holds = text;
  };
  for (const element of elements) {
    // An assertion takes no text, so what stands before and after it still touches.
    if (element.type === "Assertion") continue;
    const part = elementPart(element, folding);
    if (part.only !== undefined) {
      run += part.only;
      longest(run);
      continue;
    }
    exact = false;
    const repeated = repeatedText(element, folding);
    longest(run + repeated);
    longest(part.holds);
    // The last of several copies touches what follows.
    run = repeated;
  }
  longest(run);
  return exact ? { only: run, holds } : { holds };
}

/** The copies that are certain of a repeated fixed text: `ab` of `(?:ab)+`. */
function repeatedText(element: AST.Element, folding: boolean): string {
  if (element.type !== "Quantifier" || element.min === 0) return "";
  const { only } = elementPart(element.element, folding);
  return only === undefined ? "" : only.repeat(Math.min(element.min, mostCopies));
}

function elementPart(element: AST.Element, folding: boolean): Part {
  switch (element.type) {
    case "Character":
      return characterPart(element.value, folding);
    case "CharacterClass": {
      const [only, ...others] = element.elements;
      const single = !element.negate && others.length === 0 && only?.type === "Character";
      return single ? characterPart(only.value, folding) : { holds: "" };
    }
    case "Group":
      // `(?i:…)` changes what a character stands for.
      return element.modifiers === null ? alternativesPart(element.alternatives, folding) : { holds: "" };
    case "CapturingGroup":
      return alternativesPart(element.alternatives, folding);
    case "Quantifier": {
      if (element.min === 0) return { holds: "" };
      const inner = elementPart(element.element, folding);
      const fixed = inner.only !== undefined && element.min === element.max && element.min <= mostCopies;
      return fixed ? { only: inner.only.repeat(element.min), holds: inner.only.repeat(element.min) } : { holds: inner.holds };
    }
    case "Assertion":
      return { only: "", holds: "" };
    case "Backreference":
    case "CharacterSet":
    case "ExpressionCharacterClass":
      return { holds: "" };
    default:
      return element satisfies never;
  }
}

function characterPart(value: number, folding: boolean): Part {
  const text = String.fromCodePoint(value);
  if (!folding) return { only: text, holds: text };
  // Fail closed: beyond ASCII a letter can have more cases than lower-casing brings together. Within it the guard's own
  // lower-casing is exact, the Kelvin sign and the long s included.
  if (value > 0x7f) return { holds: "" };
  const lower = text.toLowerCase();
  return { only: lower, holds: lower };
}

/** The longest text that stands in both. */
function sharedText(first: string, second: string): string {
  let best = "";
  for (let start = 0; start < first.length; start += 1) {
    while (start + best.length < first.length && second.includes(first.slice(start, start + best.length + 1))) {
      best = first.slice(start, start + best.length + 1);
    }
  }
  return best;
}
