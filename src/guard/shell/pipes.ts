/** `pipes A into B`: in some pipeline a command A stands in an earlier stage than a command B. */
import type { Found } from "./machine.ts";
import { isShell } from "./tables/shells.ts";
import type { Position } from "../world.ts";

export function pipesInto(found: readonly Found[], isSource: (one: Found) => boolean, isTarget: (one: Found) => boolean, position: Position): boolean {
  const counted = found.filter((one) => position === "wide" || (one.certain && !one.inFile));
  const first = new Map<number, number>();
  for (const one of counted) {
    if (one.stages.length === 0 || !isSource(one)) continue;
    for (const { pipeline, index } of one.stages) first.set(pipeline, Math.min(index, first.get(pipeline) ?? index));
  }
  if (first.size === 0) return false;
  return counted.some((one) => one.stages.some(({ pipeline, index }) => index > (first.get(pipeline) ?? Infinity)) && (isTarget(one) || (position === "wide" && isShellItself(one, isTarget))));
}

/** `eval`, `source` and `.` give the text to the shell that runs the line. */
function isShellItself(one: Found, isTarget: (one: Found) => boolean): boolean {
  if (one.name !== "eval" && one.name !== "source" && one.name !== ".") return false;
  return ["bash", "sh"].some((shell) => isShell(shell) && isTarget({ ...one, name: shell, words: [[shell], ...one.words.slice(1)] }));
}
