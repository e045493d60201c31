/**
 * The payloads below this folder with what a guard of the founding rule answers to each. A line of an `expected.jsonl`
 * names the file beside it, the host, the event the guard is started for, the answer and where the payload comes from.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GuardPlan } from "../../src/guard/plan.ts";
import type { Host } from "../../src/hosts/host.ts";
import { hosts } from "../../src/hosts/registry.ts";

export interface Fixture {
  /** `vibe/recorded/pre_tool.bash.json`. */
  readonly name: string;
  readonly host: Host;
  readonly event: string;
  /** Byte for byte what stands on stdin. */
  readonly stdin: Buffer;
  /** `pass` means that the guard has no opinion: nothing printed, exit 0. */
  readonly expect: "deny" | "pass";
  readonly source: string;
}

const folder = "test/contract";
const sets = ["claude", "vibe", "bob", "hostile"];

export const fixtures: readonly Fixture[] = sets.flatMap((set) =>
  readFileSync(join(folder, set, "expected.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { file, host, event, expect, source } = JSON.parse(line) as { readonly file: string; readonly host: string; readonly event: string; readonly expect: Fixture["expect"]; readonly source: string };
      return { name: `${set}/${file}`, host: hostNamed(host), event, stdin: readFileSync(join(folder, set, file)), expect, source };
    }),
);

/** Every payload file on disk, as `Fixture.name`. Answers are no payloads. */
export const payloadFiles: readonly string[] = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.(?:json|txt)$/.test(name) && !name.includes("/answers/"));

export function hostNamed(id: string): Host {
  const host = hosts.find((one) => one.id === id);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
}

/** `deny bash when command ~ /rm\s+-r/`, lowered by hand for a host. */
export function foundingPlan(host: Host): GuardPlan {
  const events = host.facts.events["before-tool"] ?? [];
  return {
    policyc: "0.0.0",
    host: host.id,
    name: "founding",
    sources: ["founding.policy"],
    scope: "project",
    onError: "deny",
    deadline: 60_000,
    events: events.map((name) => ({ name, failClosed: true })),
    rules: [
      {
        id: "founding/no-rm-r",
        source: "founding.policy:1",
        event: "before-tool",
        tools: [{ kind: "class", name: "bash" }],
        effect: { kind: "deny" },
        when: { kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", pattern: { source: "rm\\s+-r", flags: "u", literal: "rm" } }] },
        unless: [],
        severity: "medium",
        unsure: "deny",
      },
    ],
  };
}
