/**
 * Shell wildcards by dynamic programming: no pattern makes it slow. One engine for `${x%pattern}`, for wildcards in
 * operands, and for the question whether two patterns have a text in common.
 */
export type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "set"; readonly has: (char: string) => boolean };

/** `*`, `?`, `[…]`; a `[` that is never closed stands for itself. */
export function parseGlob(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const set = char === "[" ? parseSet(pattern, at) : undefined;
    if (set !== undefined) {
      tokens.push({ kind: "set", has: set.has });
      at = set.end;
    } else if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") tokens.push({ kind: "any" });
    else tokens.push({ kind: "char", char });
  }
  return tokens;
}

const namedSets: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/, digit: /\d/, alnum: /[A-Za-z\d]/, upper: /[A-Z]/, lower: /[a-z]/, space: /\s/, punct: /[!-/:-@[-`{-~]/, xdigit: /[\dA-Fa-f]/, word: /\w/, print: /[ -~]/, graph: /[!-~]/, blank: /[ \t]/,
};

function parseSet(pattern: string, open: number): { has: (char: string) => boolean; end: number } | undefined {
  const negated = pattern[open + 1] === "!" || pattern[open + 1] === "^";
  const first = open + (negated ? 2 : 1);
  let at = first;
  const ranges: (readonly [string, string])[] = [];
  const named: RegExp[] = [];
  for (; at < pattern.length && (pattern[at] !== "]" || at === first); at += 1) {
    const name = /^\[:(\w+):\]/.exec(pattern.slice(at, at + 12));
    if (name !== null) {
      named.push(namedSets[name[1] ?? ""] ?? /[^]/);
      at += name[0].length - 1;
    } else if (pattern[at + 1] === "-" && pattern[at + 2] !== undefined && pattern[at + 2] !== "]") {
      ranges.push([pattern.charAt(at), pattern.charAt(at + 2)]);
      at += 2;
    } else ranges.push([pattern.charAt(at), pattern.charAt(at)]);
  }
  if (at >= pattern.length) return undefined;
  return { has: (char) => (ranges.some(([low, high]) => char >= low && char <= high) || named.some((set) => set.test(char))) !== negated, end: at };
}

/** The lengths of the prefixes of `text` that match, ascending. */
export function findPrefixes(glob: readonly Token[], text: string): readonly number[] {
  let reached = new Set([0]);
  for (const token of glob) {
    if (reached.size === 0) break;
    const next = new Set<number>();
    if (token.kind === "star") for (let at = Math.min(...reached); at <= text.length; at += 1) next.add(at);
    else for (const at of reached) if (at < text.length && accepts(token, text.charAt(at))) next.add(at + 1);
    reached = next;
  }
  return [...reached].sort((left, right) => left - right);
}

function accepts(token: Exclude<Token, { kind: "star" }>, char: string): boolean {
  return token.kind === "any" || (token.kind === "char" ? token.char === char : token.has(char));
}

/** True where some text matches both. */
export function haveCommonText(left: readonly Token[], right: readonly Token[]): boolean {
  // A cell holds whether the rests from there on have a common text.
  const width = right.length + 1;
  const common = new Uint8Array((left.length + 1) * width);
  for (let row = left.length; row >= 0; row -= 1) {
    for (let column = right.length; column >= 0; column -= 1) {
      const a = left[row];
      const b = right[column];
      const cell = (down: number, across: number): boolean => common[(row + down) * width + column + across] === 1;
      let holds: boolean;
      if (a === undefined && b === undefined) holds = true;
      else if (a?.kind === "star") holds = cell(1, 0) || (b !== undefined && cell(0, 1));
      else if (b?.kind === "star") holds = cell(0, 1) || (a !== undefined && cell(1, 0));
      else holds = a !== undefined && b !== undefined && meet(a, b) && cell(1, 1);
      common[row * width + column] = holds ? 1 : 0;
    }
  }
  return common[0] === 1;
}

function meet(left: Exclude<Token, { kind: "star" }>, right: Exclude<Token, { kind: "star" }>): boolean {
  if (left.kind === "char") return accepts(right, left.char);
  if (right.kind === "char") return accepts(left, right.char);
  // Two sets: printable characters decide; others count as common.
  if (left.kind === "any" || right.kind === "any") return true;
  for (let code = 33; code < 127; code += 1) if (left.has(String.fromCharCode(code)) && right.has(String.fromCharCode(code))) return true;
  return false;
}
