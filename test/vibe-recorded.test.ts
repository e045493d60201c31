import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../src/guard/call.ts";
import { judgePayload } from "../src/hosts/vibe/contract.ts";
import { tools } from "../src/hosts/vibe/tools.ts";
import { wire } from "../src/hosts/vibe/wire.ts";
import { composeMatch } from "../src/hosts/vibe/register.ts";
import type { ToolClass } from "../src/guard/vocabulary.ts";

const folder = "test/contract/vibe/recorded";
const recorded = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, event: name.split(".")[0] ?? "", payload: JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as JsonObject }));

/** What each recorded call is, by the tool's full name; the others are of no class. */
const classes: Readonly<Record<string, ToolClass>> = {
  "file_system.bash": "bash",
  "process.start": "bash",
  "process.write": "bash",
  "file_system.read_file": "read",
  "file_system.write_file": "write",
  "file_system.search_replace": "edit",
  "agents.spawn": "agent",
  "mcp_my_github.delete_repo": "mcp",
  "mcp_my_github.run_shell": "mcp",
};

function decode(name: string) {
  const found = recorded.find((one) => one.name === `${name}.json`);
  return wire.decode(found?.event ?? "", found?.payload ?? null, "linux");
}

test("there are payloads of every event and of every class the client has tools for", () => {
  expect(new Set(recorded.map(({ event }) => event))).toEqual(new Set(["pre_tool", "post_tool", "post_agent"]));
  expect(new Set(recorded.map(({ payload }) => classes[String(payload["tool_name"])]))).toEqual(new Set([...Object.values(classes), undefined]));
});

test.each(recorded)("the contract accepts what the client sent: $name", ({ event, payload }) => {
  expect(judgePayload(event, payload)).toEqual([]);
});

test.each(recorded)("the codec reads what the client sent: $name", ({ event, payload }) => {
  const call = wire.decode(event, payload, "linux");
  expect(call.hostEvent).toBe(event);
  expect(call.toolClass).toBe(classes[String(payload["tool_name"])]);
  expect(call.fields["subagent"]).toBe(payload["parent_session_id"] !== null);
});

/** As the client compares: any spelling of the name, whole and without regard to case. */
function matches(match: string, tool: string): boolean {
  const pattern = new RegExp(`^(?:${match.slice("re:".length)})$`, "i");
  const modelNames: Readonly<Record<string, string>> = { "file_system.search_replace": "edit", "skill.read": "skill", "process.start": "process_start", "process.write": "process_write", "agents.spawn": "agents_spawn" };
  return [tool, tool.slice(tool.lastIndexOf(".") + 1), tool.replace(/\./g, "_"), modelNames[tool] ?? tool].some((name) => pattern.test(name));
}

test("a matcher of a class takes every recorded tool of the class and no other", () => {
  const seen = [...new Set(recorded.map(({ payload }) => String(payload["tool_name"] ?? "")))].filter(Boolean);
  for (const toolClass of Object.keys(tools) as ToolClass[]) {
    if (tools[toolClass].length === 0) continue;
    const match = composeMatch([{ kind: "class", toolClass }]) ?? "";
    expect(seen.filter((tool) => matches(match, tool)).sort()).toEqual(seen.filter((tool) => classes[tool] === toolClass).sort());
  }
  const server = composeMatch([{ kind: "mcp", server: { text: "my-github", star: false } }]) ?? "";
  expect(seen.filter((tool) => matches(server, tool)).sort()).toEqual(["mcp_my_github.delete_repo", "mcp_my_github.run_shell"]);
});

test("a matcher of every MCP tool takes what comes from outside under any group, and nothing of the client's own", () => {
  const match = composeMatch([{ kind: "mcp", server: { text: "", star: true } }]) ?? "";
  const outside = ["mcp_my_github.delete_repo", "connector_github.search", "connector_web_search.web_search", "plugin_acme.deploy", "myPlugin.lookup", "github_search", "connector_github_search", "linear_create_issue", "mcp_bash.bash"];
  expect(outside.filter((tool) => !matches(match, tool))).toEqual([]);
  const seen = [...new Set(recorded.map(({ payload }) => String(payload["tool_name"] ?? "")))].filter((tool) => tool !== "" && !tool.startsWith("mcp_"));
  const older = ["bash", "git_bash", "edit", "read_file", "write_file", "search_replace", "grep", "web_fetch", "web_search", "task", "todo", "ask_user_question", "exit_plan_mode", "ui.ask_user_question", "self.sleep", "subagent.spawn", "agents.list_configs", "agents.send_message", "file_system.bash"];
  expect([...seen, ...older].filter((tool) => matches(match, tool))).toEqual([]);
  expect(composeMatch([{ kind: "class", toolClass: "mcp" }])).toBe(match);
});

test("arguments mean what they did in the client", () => {
  expect(decode("pre_tool.bash").fields["command"]).toBe("npm test; exit 3");
  expect(decode("pre_tool.process_write.text").fields["command"]).toBe("rm -r x\n");
  expect(decode("pre_tool.process_write.bytes").fields["command"]).toBe("ls\n");
  expect(decode("pre_tool.process_write.control").fields["command"]).toBe("");
  expect(decode("pre_tool.process_start.cwd").subject.cwd).toBe("sub");
  expect(decode("pre_tool.edit").fields).toMatchObject({ old: "1", content: "2" });
  expect(decode("pre_tool.agents_spawn").fields["task"]).toBe("Look for dead code");
  expect(decode("pre_tool.agents_spawn.config").fields["agent"]).toBe("nosuch");
  expect(decode("pre_tool.mcp").mcp).toMatchObject({ server: "my_github", tool: "delete_repo" });
  expect(decode("pre_tool.mcp.command").subject.commands.map(({ text }) => text)).toEqual(["ls"]);
});

test("outcomes are those of the client: a failing command is no failed call", () => {
  expect(decode("post_tool.bash.exit-code").fields).toMatchObject({ status: "success", exit: 3 });
  expect(decode("post_tool.read_file.failure").fields).toMatchObject({ status: "failure", error: "File not found at: /home/user/project/missing.txt" });
  expect(decode("post_tool.mcp").fields).toMatchObject({ status: "success", output: "deleted acme" });
});
