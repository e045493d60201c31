/**
 * Parts of Node that cost a guard's start a tenth of its time each (child processes, TLS, hashes), loaded where a rule
 * first needs them.
 */
import { createRequire } from "node:module";

interface Builtins {
  readonly "node:child_process": typeof import("node:child_process");
  readonly "node:crypto": typeof import("node:crypto");
  readonly "node:https": typeof import("node:https");
  readonly "node:os": typeof import("node:os");
}

export function loadBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  // Built-in modules are found from anywhere; the folder decides nothing.
  return createRequire(process.execPath)(name) as Builtins[Name];
}
