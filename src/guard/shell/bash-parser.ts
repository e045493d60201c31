/** The one file that imports the Bash parser, so that it is loaded only for lines that need it. */
import { forEachChild, parse } from "unbash";
import type { ParsedScript, SyntaxNode } from "unbash";

/** Never rejects text: faults are in `errors`. @throws RangeError where nesting overflows the parser's stack */
export function parseBash(text: string): ParsedScript {
  return parse(text);
}

/** Calls `enter` for the node and, where it answers true, for what is below it. */
export function visit(node: SyntaxNode, enter: (node: SyntaxNode) => boolean): void {
  if (enter(node)) forEachChild(node, (child) => visit(child, enter));
}
