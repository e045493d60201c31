/** Names of MCP servers as people write them, on hosts that send them with other characters. */
import { expect, test } from "vitest";
import { checkProject } from "../src/check/check.ts";
import type { JsonObject } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import { scratchWorld } from "../src/guard/scratch.ts";
import { lowerProject } from "../src/lower/lower.ts";
import { readFileSync } from "node:fs";
import { hostNamed } from "./contract/fixtures.ts";

const world = scratchWorld({
  platform: "linux",
  branch: "",
  today: "2026-11-30",
  shell() {
    throw new Error("no rule here looks into a command");
  },
});

function effectOf(id: string, rule: string, payload: JsonObject): string {
  const checked = checkProject({ roots: [{ path: "main.policy", text: rule }], hosts: ["claude", "vibe", "bob"], today: "2026-11-30", load: () => undefined });
  expect(checked.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const host = hostNamed(id);
  const [event = ""] = host.facts.events["before-tool"] ?? [];
  return decide(lowerProject(checked.project, host, "0.0.0").plan, host.wire.decode(event, payload, "linux"), world).effect;
}

const recorded = JSON.parse(readFileSync("test/contract/vibe/recorded/pre_tool.mcp.json", "utf8")) as JsonObject;

test.each([
  ['deny mcp(*) when server == "my-github"', "deny"],
  ['deny mcp(*) when server in ["linear", "my-github"]', "deny"],
  ['deny mcp(*) when server starts with "my-"', "deny"],
  ['deny mcp(*) unless server == "my-github"', "pass"],
  ['deny mcp("my-github"."delete-repo")', "deny"],
  ['deny mcp(*) when server == "my-gitlab"', "pass"],
])("what the real Vibe sent of the server `my-github` is %s: %s", (rule, effect) => {
  expect(recorded["tool_name"]).toBe("mcp_my_github.delete_repo");
  expect(effectOf("vibe", rule, recorded)).toBe(effect);
});

test("on every host a server's name means the server, whatever its characters become", () => {
  for (const id of ["claude", "vibe", "bob"]) {
    const host = hostNamed(id);
    const [event = ""] = host.facts.events["before-tool"] ?? [];
    for (const server of ["github", "my-github", "claude.ai Linear"]) {
      const payload = host.player.compose(event, host.facts.mcpTool(server, "get"), { server }, { cwd: "/home/ada/shop" });
      expect([id, server, effectOf(id, `deny mcp(*) when server == "${server}"`, payload)]).toEqual([id, server, "deny"]);
      expect([id, server, effectOf(id, `deny mcp(*) unless server == "${server}"`, payload)]).toEqual([id, server, "pass"]);
    }
  }
});
