/** The words of `--scope`, apart from what they mean: help and version need no host. */
import type { Scope } from "../hosts/host.ts";

export const scopes: readonly Scope[] = ["project", "user", "plugin", "enforced"];
