/**
 * `touches`, `reads`, `writes`, `deletes`: operands of the commands found against the globs of a rule. Wide: any reading
 * of any operand counts. Narrow: there is an operand, every one surely matches, and nothing in the line is dynamic.
 */
import type { Analysis } from "./interpret.ts";
import { requiredText } from "./glob-literals.ts";
import type { Found } from "./machine.ts";
import { operandsOf } from "./operands.ts";
import type { Operand } from "./operands.ts";
import { impliedOperands } from "./special-operands.ts";
import { isPseudoFile } from "./tables/names.ts";
import { matchOperand } from "./path-match.ts";
import { show } from "./text.ts";
import type { EffectAtom, GlobPlan } from "../plan.ts";
import type { Position, Truth, World } from "../world.ts";

export interface EffectPlan {
  readonly kind: EffectAtom;
  readonly globs: readonly GlobPlan[];
  /** What every path of a glob has in it, case folded. */
  readonly required: ReadonlyMap<GlobPlan, string>;
}

/** One truth for each operand with the effect; the caller joins them as the position wants. */
export function effectTruths({ kind, globs }: Pick<EffectPlan, "kind" | "globs">, analysis: Analysis, position: Position, world: World): readonly Truth[] {
  const found = analysis.found.filter((one) => position === "wide" || !one.inFile);
  const atom: EffectPlan = { kind, globs, required: new Map(globs.map((glob) => [glob, requiredText(glob)])) };
  const truths: Truth[] = [];
  const seen = new Set<string>();
  for (const one of found) {
    for (const operand of counted(one, analysis, kind, position)) {
      const key = JSON.stringify([operand.value, operand.tree, one.cwd, one.dialect]);
      if (seen.has(key)) continue;
      seen.add(key);
      const truth = matchOperand(operand, one, atom, position, world);
      truths.push(truth);
      if (position === "wide" ? truth === true : truth !== true) return truths;
    }
  }
  // Fail closed: what a dynamic command does to files cannot be told.
  if (position === "narrow" && analysis.notes.dynamic) truths.push(false);
  return truths;
}

function counted(found: Found, { operands: known }: Analysis, kind: EffectAtom, position: Position): readonly Operand[] {
  const operands = known.get(found) ?? [...operandsOf(found), ...impliedOperands(found)];
  known.set(found, operands);
  return operands.filter((operand) => {
    if (operand.guess === true && position === "narrow") return false;
    if (kind !== "touches" && !operand.access.includes(kind.charAt(0))) return false;
    return !operand.value.every((text) => isPseudoFile(show(text)) || text === "-" || text === "");
  });
}
