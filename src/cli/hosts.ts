/** Which hosts a command is about: the words of `--target`, with near names for a mistyped one. */
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { Host } from "../hosts/host.ts";
import { hosts } from "../hosts/registry.ts";
import { UsageError } from "./terminal.ts";

/** All hosts without a list. @throws UsageError for an unknown name */
export function chooseHosts(ids: readonly string[] | undefined): readonly Host[] {
  if (ids === undefined) return hosts;
  if (ids.length === 0) throw new UsageError(`\`--target\` needs at least one of ${hosts.map((host) => host.id).join(", ")}`);
  for (const id of ids) chooseHost(id);
  return hosts.filter((host) => ids.includes(host.id));
}

export function chooseHost(id: string): Host {
  const byId = new Map(hosts.map((host) => [host.id, host]));
  const found = byId.get(id);
  if (found) return found;
  const known = [...byId.keys()];
  const near = nearest(id, known);
  throw new UsageError(`there is no host \`${id}\`; ${near.length > 0 ? `did you mean ${eitherOf(near)}?` : `policyc knows ${known.join(", ")}`}`);
}
