/**
 * Near names for a mistyped one: a word and the words that would have been right in, the few that are close out, best
 * first. Letter case and the order of two neighbouring letters count little.
 */

/** At most `limit` of the candidates; ties keep the order of the candidates. */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): readonly string[] {
  const wanted = word.toLowerCase();
  const allowed = wanted.length <= 3 ? 1 : Math.ceil(wanted.length / 3);
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(candidates)) {
    // A word of another size cannot be near, and an attacker-sized one must not cost time.
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const distance = distanceOf(wanted, name.toLowerCase());
    if (distance <= allowed) scored.push({ name, distance });
  }
  scored.sort((left, right) => left.distance - right.distance);
  return scored.slice(0, limit).map(({ name }) => name);
}

/** `a`, `b` or `c`, each in backticks. */
export function eitherOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? (quoted[0] ?? "") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** Edits, insertions, deletions and swaps of neighbours that lead from one word to the other. */
function distanceOf(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min((above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) best = Math.min(best, (before[column - 2] ?? 0) + 1);
      current.push(best);
    }
    before = above;
    above = current;
  }
  return above[to.length] ?? 0;
}
