/**
 * How long a regular expression can search: it goes in, the power of the text's length that bounds its steps comes out.
 * A bound that is too high only has a guard start its clock; where there may be none, none is given.
 */
import { RegExpParser } from "@eslint-community/regexpp";
import type { AST } from "@eslint-community/regexpp";

/** More ways through the alternatives of a pattern than these count as no bound. */
const mostWays = 64;

/**
 * `n` where a text of length l costs at most about l^n steps: one for the place where a match begins, if that is open, and
 * one for each repetition. Repetitions inside repetitions, alternatives inside them and backreferences have no bound here.
 */
export function searchDegree(source: string, flags: string): number | undefined {
  let pattern: AST.Pattern;
  try {
    pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode: true });
  } catch {
    return undefined;
  }
  const cost = choiceCost(pattern.alternatives);
  if (cost === undefined || cost.ways > mostWays) return undefined;
  const isAnchored = !flags.includes("m") && pattern.alternatives.every(({ elements: [first] }) => first?.type === "Assertion" && first.kind === "start");
  return cost.repetitions + (isAnchored ? 0 : 1);
}

interface Cost {
  readonly repetitions: number;
  /** Through the alternatives, in all. */
  readonly ways: number;
}

function choiceCost(alternatives: readonly AST.Alternative[]): Cost | undefined {
  const costs = alternatives.map(({ elements }) => sequenceCost(elements));
  if (costs.some((cost) => cost === undefined)) return undefined;
  const known = costs.filter((cost) => cost !== undefined);
  return { repetitions: Math.max(...known.map((cost) => cost.repetitions)), ways: known.reduce((sum, cost) => sum + cost.ways, 0) };
}

function sequenceCost(elements: readonly AST.Element[]): Cost | undefined {
  let whole: Cost | undefined = { repetitions: 0, ways: 1 };
  for (const cost of elements.map(elementCost)) {
    whole = cost === undefined || whole === undefined ? undefined : { repetitions: whole.repetitions + cost.repetitions, ways: whole.ways * cost.ways };
  }
  return whole;
}

function elementCost(element: AST.Element): Cost | undefined {
  switch (element.type) {
    case "Character":
    case "CharacterClass":
    case "CharacterSet":
      return { repetitions: 0, ways: 1 };
    case "Group":
    case "CapturingGroup":
      return choiceCost(element.alternatives);
    case "Assertion":
      return element.kind === "lookahead" || element.kind === "lookbehind" ? choiceCost(element.alternatives) : { repetitions: 0, ways: 1 };
    case "Quantifier": {
      const inner = elementCost(element.element);
      return inner?.repetitions === 0 && inner.ways === 1 ? { repetitions: 1, ways: 1 } : undefined;
    }
    case "Backreference":
    case "ExpressionCharacterClass":
      return undefined;
    default:
      return element satisfies never;
  }
}
