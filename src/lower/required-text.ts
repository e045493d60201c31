/**
 * The text that every match of a regular expression must hold, or the few of which each holds one, so that a guard can
 * skip the expression where they are not there. Anything not plainly required is left out: a shorter answer costs time, a
 * wrong one would open the guard.
 */
import { RegExpParser } from "@eslint-community/regexpp";
import type { AST } from "@eslint-community/regexpp";

/** A part of a pattern: the one string it can match, if there is just one, and the longest text each of its matches holds. */
interface Part {
  readonly only?: string;
  readonly holds: string;
  /** Each match holds one of these; empty where nothing is known. */
  readonly oneOf: readonly string[];
}

/** What every match holds: `text`, or one of `oneOf`. */
export interface Required {
  readonly text?: string;
  readonly oneOf?: readonly string[];
}

/** More texts than these are no quick look any more. */
const mostChoices = 16;

/** Repeating a text more often than this in a literal gains nothing. */
const mostCopies = 8;

/**
 * The longest literal found, and otherwise the literals of alternatives; lower-cased where `flags` has `i`. Nothing where
 * nothing is required or the pattern does not parse (the checks have said so by then).
 */
export function requiredText(source: string, flags: string): Required {
  let pattern: AST.Pattern;
  try {
    pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode: true });
  } catch {
    return {};
  }
  const { holds, oneOf } = alternativesPart(pattern.alternatives, flags.includes("i"));
  // A text of one character or two is found nearly everywhere.
  if (oneOf.length < 2 || holds.length >= Math.min(3, shortest(oneOf))) return holds === "" ? {} : { text: holds };
  return { oneOf };
}

/** The choice that is least often found by chance. */
function better(one: readonly string[], other: readonly string[]): readonly string[] {
  return shortest(other) > shortest(one) ? other : one;
}

function shortest(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : Math.min(...texts.map((text) => text.length));
}

function alternativesPart(alternatives: readonly AST.Alternative[], folding: boolean): Part {
  const parts = alternatives.map((alternative) => sequencePart(alternative.elements, folding));
  const [first, ...others] = parts;
  if (first === undefined) return nothing;
  if (others.length === 0) return first;
  if (first.only !== undefined && others.every((part) => part.only === first.only)) return first;
  const choices = [...new Set(parts.flatMap((part) => part.oneOf))];
  const known = parts.every((part) => part.oneOf.length > 0) && choices.length <= mostChoices;
  return { holds: others.reduce((text, part) => sharedText(text, part.holds), first.holds), oneOf: known ? choices : [] };
}

function sequencePart(elements: readonly AST.Element[], folding: boolean): Part {
  let run = "";
  let holds = "";
  let oneOf: readonly string[] = [];
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
    oneOf = better(oneOf, part.oneOf);
    // The last of several copies touches what follows.
    run = repeated;
  }
  longest(run);
  const choices = better(oneOf, holds === "" ? [] : [holds]);
  return exact ? { only: run, holds, oneOf: choices } : { holds, oneOf: choices };
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
      return single ? characterPart(only.value, folding) : nothing;
    }
    case "Group":
      // `(?i:…)` changes what a character stands for.
      return element.modifiers === null ? alternativesPart(element.alternatives, folding) : nothing;
    case "CapturingGroup":
      return alternativesPart(element.alternatives, folding);
    case "Quantifier": {
      if (element.min === 0) return nothing;
      const inner = elementPart(element.element, folding);
      const fixed = inner.only !== undefined && element.min === element.max && element.min <= mostCopies;
      return fixed ? fixedPart(inner.only.repeat(element.min)) : { holds: inner.holds, oneOf: inner.oneOf };
    }
    case "Assertion":
      return fixedPart("");
    case "Backreference":
    case "CharacterSet":
    case "ExpressionCharacterClass":
      return nothing;
    default:
      return element satisfies never;
  }
}

function characterPart(value: number, folding: boolean): Part {
  const text = String.fromCodePoint(value);
  if (!folding) return fixedPart(text);
  // Fail closed: beyond ASCII a letter can have more cases than lower-casing brings together. Within it the guard's own
  // lower-casing is exact, the Kelvin sign and the long s included.
  if (value > 0x7f) return nothing;
  return fixedPart(text.toLowerCase());
}

const nothing: Part = { holds: "", oneOf: [] };

function fixedPart(text: string): Part {
  return { only: text, holds: text, oneOf: text === "" ? [] : [text] };
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
