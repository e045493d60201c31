/** Every host policyc knows, one line each: the only place that imports host folders. */
import { bob } from "./bob/index.ts";
import { claude } from "./claude/index.ts";
import type { Host } from "./host.ts";
import { vibe } from "./vibe/index.ts";

export const hosts: readonly Host[] = [
  claude,
  vibe,
  bob,
];
