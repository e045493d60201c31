/** Names in a sentence: `Vibe`, `Vibe and Bob`, `Claude, Vibe and Bob`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
