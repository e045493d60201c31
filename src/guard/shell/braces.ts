/**
 * Brace expansion, which Bash does on the text of a word before anything else: `{a,b}c` becomes `ac`, `bc`. Quotes and
 * expansions are stepped over. Returns the texts in order, or `undefined` where there are too many to list.
 */
const mostTexts = 1024;

export function expandBraces(text: string): readonly string[] | undefined {
  const open = findGroup(text, 0);
  if (open === undefined) return [text];
  const prefix = text.slice(0, open.start);
  const inner = open.items ?? range(text.slice(open.start + 1, open.end));
  const rest = expandBraces(text.slice(open.end + 1));
  if (inner === undefined || rest === undefined) return undefined;
  const texts: string[] = [];
  for (const item of inner) {
    // A range's items are plain; items of a list may hold braces of their own.
    const middles = open.items === undefined ? [item] : expandBraces(item);
    if (middles === undefined) return undefined;
    for (const middle of middles) for (const end of rest) texts.push(prefix + middle + end);
    if (texts.length > mostTexts) return undefined;
  }
  return texts;
}

interface Group {
  readonly start: number;
  readonly end: number;
  /** Absent for a range. */
  readonly items?: readonly string[];
}

/** The first group that Bash would expand at or after `from`. */
function findGroup(text: string, from: number): Group | undefined {
  for (let at = from; at < text.length; at = step(text, at)) {
    if (text[at] !== "{" || text[at - 1] === "$") continue;
    const group = readGroup(text, at);
    if (group !== undefined) return group;
  }
  return undefined;
}

function readGroup(text: string, start: number): Group | undefined {
  const items: string[] = [];
  let depth = 0;
  let itemStart = start + 1;
  for (let at = start + 1; at < text.length; at = step(text, at)) {
    const char = text[at];
    if (char === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === "," && depth === 0) {
      items.push(text.slice(itemStart, at));
      itemStart = at + 1;
    } else if (char === "}") {
      if (items.length > 0) return { start, end: at, items: [...items, text.slice(itemStart, at)] };
      return rangePattern.test(text.slice(start + 1, at)) ? { start, end: at } : undefined;
    }
  }
  return undefined;
}

const rangePattern = /^(?:(-?\d+)\.\.(-?\d+)|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d+))?$/;

function range(text: string): readonly string[] | undefined {
  const match = rangePattern.exec(text);
  if (match === null) return undefined;
  const [, low, high, first, last, by] = match;
  const letters = first !== undefined;
  const start = letters ? first.charCodeAt(0) : Number(low);
  const end = letters ? (last ?? "").charCodeAt(0) : Number(high);
  const stride = Math.abs(Number(by ?? 1)) || 1;
  if (!(Math.abs(end - start) / stride < mostTexts)) return undefined;
  const width = !letters && [low ?? "", high ?? ""].some((side) => /^-?0\d/.test(side)) ? Math.max((low ?? "").length, (high ?? "").length) : 0;
  const texts: string[] = [];
  for (let value = start; start <= end ? value <= end : value >= end; value += start <= end ? stride : -stride) {
    texts.push(letters ? String.fromCharCode(value) : value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0"));
  }
  return texts;
}

/** The index after the character, quoted stretch or expansion at `at`. */
function step(text: string, at: number): number {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "'") return after(text, "'", at + 1);
  if (char === "`") return quotedEnd(text, at + 1, "`");
  if (char === '"') return quotedEnd(text, at + 1, '"');
  if (char === "$" && text[at + 1] === "'") return quotedEnd(text, at + 2, "'");
  if ((char === "$" || char === "<" || char === ">") && text[at + 1] === "(") return nestedEnd(text, at + 2, "(", ")");
  if (char === "$" && text[at + 1] === "{") return nestedEnd(text, at + 2, "{", "}");
  return at + 1;
}

function after(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end + 1;
}

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += text[at] === "\\" ? 2 : 1) if (text[at] === quote) return at + 1;
  return text.length;
}

function nestedEnd(text: string, from: number, open: string, close: string): number {
  let depth = 1;
  for (let at = from; at < text.length; at = step(text, at)) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}
