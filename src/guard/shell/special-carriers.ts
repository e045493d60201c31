import type { Context, FoundRedirect, Interpreter } from "./machine.ts";
import type { Value } from "./text.ts";
export function specialCarrier(name: string, words: readonly Value[], machine: Interpreter, context: Context, files: readonly FoundRedirect[]): Value | undefined {
  void name; void words; void machine; void context; void files;
  return undefined;
}
export function aliasOfGit(name: string, words: readonly Value[], machine: Interpreter, context: Context): void {
  void name; void words; void machine; void context;
}
