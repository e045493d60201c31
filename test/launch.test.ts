/** What a host starts for an entry, by its module's word and by the settings that a build writes for it. */
import { parse as parseToml } from "smol-toml";
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import { hosts } from "../src/hosts/registry.ts";

const policy = `policy acme
deny bash when runs rm
retry on stop unless succeeds "npm test"
  else skip
log to "audit.jsonl" on any
`;

/** Commands of a settings text by event. */
function commandsIn(settings: string): ReadonlyMap<string, readonly string[]> {
  if (!settings.trimStart().startsWith("{")) {
    const { hooks } = parseToml(settings) as unknown as { readonly hooks: readonly { readonly type: string; readonly command: string }[] };
    return new Map(hooks.map(({ type, command }) => [type, [command]]));
  }
  const { hooks } = JSON.parse(settings) as { readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string; readonly args?: readonly string[] }[] }[]>> };
  return new Map(Object.entries(hooks).flatMap(([event, groups]) => groups.flatMap((group) => group.hooks.map(({ command, args = [] }): [string, readonly string[]] => [event, [command, ...args]]))));
}

test.each(hosts)("what is started for an entry of $id is what its settings say", (host) => {
  const { lowered } = examine({ roots: [{ path: "acme.policy", text: policy }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  const { plan, entries, denials } = lowered.find((one) => one.host === host)!;
  const written = commandsIn(host.register({ policy: plan.name, scope: "project", entries, denials }, undefined, undefined).settings ?? "");
  expect([...written.keys()]).toEqual(entries.map(({ event }) => event));
  for (const entry of entries) {
    const launch = host.launch(entry, "/home/ada/my shop");
    const words = launch.kind === "words" ? launch.words : [launch.line];
    expect(words).toEqual(written.get(entry.event)?.map((word) => word.replace("${CLAUDE_PROJECT_DIR}", "/home/ada/my shop")));
  }
});
