/**
 * `pipes A into B`: in some pipeline a command A stands in an earlier stage than a command B. Wide: also where the text
 * takes the way of a file that the line writes and then runs (`curl -o a …; sh a`).
 */
import type { Found, Stage } from "./machine.ts";
import { isShell } from "./tables/shells.ts";
import type { Position } from "../world.ts";

export function pipesInto(found: readonly Found[], isSource: (one: Found) => boolean, isTarget: (one: Found) => boolean, position: Position): boolean {
  const counted = found.filter((one) => position === "wide" || (one.certain && !one.inFile));
  const first = new Map<number, number>();
  for (const one of counted) {
    if (one.stages.length === 0 || !isSource(one)) continue;
    for (const { pipeline, index } of stagesOf(one, position)) first.set(pipeline, Math.min(index, first.get(pipeline) ?? index));
  }
  if (first.size === 0) return false;
  return counted.some((one) => stagesOf(one, position).some(({ pipeline, index }) => index > (first.get(pipeline) ?? Infinity)) && (isTarget(one) || (position === "wide" && isShellItself(one, isTarget))));
}

function stagesOf(one: Found, position: Position): readonly Stage[] {
  return position === "wide" ? one.stages : one.stages.filter((stage) => stage.guess !== true);
}

/** `eval`, `source` and `.` give the text to the shell that runs the line, `./a` and `$(…)` may be a shell's as well. */
function isShellItself(one: Found, isTarget: (one: Found) => boolean): boolean {
  if (one.name !== "eval" && one.name !== "source" && one.name !== "." && one.asShell !== true) return false;
  return ["bash", "sh"].some((shell) => isShell(shell) && isTarget({ ...one, name: shell, words: [[shell], ...one.words.slice(1)] }));
}
