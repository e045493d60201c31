/** Shows how two texts differ, as a unified diff cut to a length a person reads. */
import { structuredPatch } from "diff";
import type { Style } from "./terminal.ts";

export interface Difference {
  readonly added: number;
  readonly removed: number;
  /** Lines of the hunks, each with its `+`, `-`, blank or `@@` in front. */
  readonly lines: readonly string[];
}

/** Line ends count as equal. An absent text is an empty one. */
export function compareTexts(before: string | undefined, after: string | undefined): Difference {
  const plain = (text: string | undefined): string => (text ?? "").replaceAll("\r\n", "\n");
  // Past this many edits the texts are unrelated (another policyc version, say) and the exact search would take seconds.
  const patch = structuredPatch("", "", plain(before), plain(after), undefined, undefined, { context: 3, maxEditLength: 1000 });
  if (!patch) {
    const [removed, added] = [plain(before), plain(after)].map((text) => text.replace(/\n$/, "").split("\n")) as [string[], string[]];
    return { added: added.length, removed: removed.length, lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)] };
  }
  const lines = patch.hunks.flatMap((hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines]);
  return { added: count(patch.hunks, "+"), removed: count(patch.hunks, "-"), lines };
}

function count(hunks: readonly { readonly lines: readonly string[] }[], mark: string): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
}

/** `limit` lines at most, each cut at `width`, then how many were left out. */
export function renderDifference(path: string, difference: Difference, style: Style, limit: number, width = 160): string {
  const shown = difference.lines.slice(0, limit).map((line) => {
    // A settings file of somebody else's repository must not drive the reader's terminal.
    const plain = line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\uFFFD");
    const cut = plain.length > width ? `${plain.slice(0, width)} … (${plain.length - width} more)` : plain;
    if (line.startsWith("+")) return style.good(cut);
    if (line.startsWith("-")) return style.bad(cut);
    return line.startsWith("@@") ? style.dim(cut) : cut;
  });
  const left = difference.lines.length - shown.length;
  const rest = left > 0 ? [style.dim(`… ${left} more ${left === 1 ? "line" : "lines"}; --diff shows all`)] : [];
  return [`--- ${path} (on disk)`, `+++ ${path} (built now)`, ...shown, ...rest, ""].join("\n");
}
