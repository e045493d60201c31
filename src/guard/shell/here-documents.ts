/**
 * Cuts the bodies of here-documents in which nothing is expanded out of an overlong text: they are data unless a shell
 * reads them. A body leaves a mark behind by which it is found again; the caller checks that every mark came to stand as a body.
 */
export interface Folded {
  readonly text: string;
  readonly bodies: readonly string[];
}

/** Texts within `limit` come back as they are. */
export function foldHereDocuments(text: string, limit: number): Folded {
  if (text.length <= limit) return { text, bodies: [] };
  const bodies: string[] = [];
  const out: string[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    out.push(line);
    for (const [, dash, single, double, bare, open] of line.matchAll(/(?<!<)<<(-?)[ \t]*(?:'([^']+)'|"([^"$`\\]+)"|\\(\w+)|(\w+)(?=[\s;|&<>)]|$))/g)) {
      const delimiter = single ?? double ?? bare ?? open ?? "";
      const end = lines.findIndex((one, index) => index > at && (dash === "-" ? one.replace(/^\t+/, "") : one) === delimiter);
      if (end === -1) break;
      // Behind a bare delimiter these three characters mean something.
      if (open !== undefined && lines.slice(at + 1, end).some((one) => /[$`\\]/.test(one))) break;
      out.push(`\0c${bodies.length};`, lines[end] ?? "");
      bodies.push(lines.slice(at + 1, end).map((one) => `${one}\n`).join(""));
      at = end;
    }
  }
  return { text: out.join("\n"), bodies };
}
