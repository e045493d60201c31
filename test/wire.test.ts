/** The codecs: portable fields out of every spelling, answers in each host's words, and nothing but MalformedPayload for the rest. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MalformedPayload } from "../src/guard/call.ts";
import type { Decision, Json, JsonObject, Platform, ToolCall } from "../src/guard/call.ts";
import { expandBraces } from "../src/guard/portable.ts";
import { toolClasses } from "../src/guard/vocabulary.ts";
import { hosts } from "../src/hosts/registry.ts";
import { hostNamed } from "./contract/fixtures.ts";
import { processorTime } from "./processor-time.ts";

const claude = (tool: string, input: Json, more: object = {}): JsonObject => ({ session_id: "s-1", transcript_path: "/home/ada/t.jsonl", cwd: "/home/ada/shop", permission_mode: "default", hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, tool_use_id: "toolu_1", ...more });
const vibe = (tool: string, input: Json, more: object = {}): JsonObject => ({ session_id: "s-1", transcript_path: "", cwd: "/home/ada/shop", parent_session_id: null, hook_event_name: "pre_tool", tool_name: tool, tool_call_id: "call_1", tool_input: input, ...more });
const bob = (tool: string, input: Json, more: object = {}): JsonObject => ({ session_id: "s-1", cwd: "/home/ada/shop", hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, tool_use_id: "tooluse_1", ...more });

/** Cases with a short title in second place: the tool and the beginning of its arguments. */
function titled<const Rest extends readonly unknown[]>(cases: readonly (readonly [string, Json, ...Rest])[]): readonly (readonly [string, string, Json, ...Rest])[] {
  return cases.map(([host, payload, ...rest]) => {
    const { tool_name: tool, tool_input: input } = payload as JsonObject;
    return [host, `${String(tool).slice(0, 40)} ${JSON.stringify(input).slice(0, 60)}`, payload, ...rest] as const;
  });
}

function decode(host: string, payload: Json, platform: Platform = "linux", event = host === "vibe" ? "pre_tool" : "PreToolUse"): ToolCall {
  return hostNamed(host).wire.decode(event, payload, platform);
}

test.each(titled<readonly [string, Readonly<Record<string, unknown>>]>([
  ["claude", claude("Bash", { command: "npm test", timeout: 5000 }), "bash", { command: "npm test", mode: "default", session: "s-1", subagent: false, tool: "Bash", cwd: "/home/ada/shop" }],
  ["claude", claude("PowerShell", { command: "Get-ChildItem" }), "powershell", { command: "Get-ChildItem" }],
  ["claude", claude("Monitor", { description: "watch", timeout_ms: 5, ws: { url: "wss://example.com" } }), "bash", { command: "" }],
  ["claude", claude("Write", { file_path: "/a", content: "x" }), "write", { path: "/a", content: "x" }],
  ["claude", claude("Edit", { file_path: "/a", old_string: "x", new_string: "y", replace_all: false }), "edit", { path: "/a", old: "x", content: "y" }],
  ["claude", claude("MultiEdit", { file_path: "/a", edits: [{ old_string: "x", new_string: "y" }, { old_string: "v", new_string: "w" }] }), "edit", { old: "x\nv", content: "y\nw" }],
  ["claude", claude("NotebookEdit", { notebook_path: "/a.ipynb", new_source: "2" }), "edit", { path: "/a.ipynb", content: "2" }],
  ["claude", claude("Read", { file_path: "/a", limit: null }), "read", { path: "/a" }],
  ["claude", claude("Grep", { pattern: "AKIA" }), "search", { path: "/home/ada/shop", query: "AKIA" }],
  ["claude", claude("Grep", { pattern: "AKIA", path: "/srv", glob: ".env,*.{pem,key} !*.md" }), "search", { path: ["/srv", "/srv/.env", "/srv/*.pem", "/srv/*.key"] }],
  ["claude", claude("Glob", { pattern: "**/.env", path: "/srv/" }), "search", { path: ["/srv/", "/srv/**/.env"], query: "**/.env" }],
  ["claude", claude("Glob", { pattern: "/etc/*" }), "search", { path: ["/home/ada/shop", "/etc/*"] }],
  ["claude", claude("WebFetch", { url: "HTTPS://Bücher.Example.:8443/a", prompt: "p" }), "fetch", { url: "HTTPS://Bücher.Example.:8443/a", domain: "xn--bcher-kva.example" }],
  ["claude", claude("WebFetch", { url: "example.com/a", prompt: "p" }), "fetch", { domain: "example.com" }],
  ["claude", claude("WebSearch", { query: "policy" }), "websearch", { query: "policy" }],
  ["claude", claude("Agent", { description: "d", prompt: "look", subagent_type: "Explore" }, { agent_id: "a1", agent_type: "Explore" }), "agent", { agent: "Explore", task: "look", subagent: true }],
  ["claude", claude("Task", { description: "d", prompt: "look" }), "agent", { task: "look" }],
  ["vibe", vibe("file_system.bash", { command: "npm test", timeout: null }), "bash", { command: "npm test", subagent: false }],
  ["vibe", vibe("bash", { command: "npm test" }, { parent_session_id: "p-1" }), "bash", { subagent: true }],
  ["vibe", vibe("process.start", { command: "npm run dev", cwd: " " }), "bash", { command: "npm run dev" }],
  ["vibe", vibe("process.write", { processId: "p", text: "rm -r x\n" }), "bash", { command: "rm -r x\n" }],
  ["vibe", vibe("process.write", { processId: "p", bytesBase64: "cm0gLXIgeA==" }), "bash", { command: "rm -r x" }],
  ["vibe", vibe("process.write", { processId: "p", control: ["enter"] }), "bash", { command: "" }],
  ["vibe", vibe("powershell", { command: "ls" }), "powershell", { command: "ls" }],
  ["vibe", vibe("file_system.write_file", { path: "a", content: "x" }), "write", { path: "a", content: "x" }],
  ["vibe", vibe("file_system.write_file", { file_path: "a", path: "a", content: "x" }), "write", { path: "a" }],
  ["vibe", vibe("file_system.search_replace", { file_path: "a", content: [{ old_str: "x", new_str: "y" }, { old_str: "v", new_str: "w" }] }), "edit", { old: "x\nv", content: "y\nw" }],
  ["vibe", vibe("search_replace", { file_path: "a", content: "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE" }), "edit", { old: "x", content: "y" }],
  ["vibe", vibe("edit", { file_path: " a ", old_string: "x", new_string: "y" }), "edit", { path: [" a ", "a"] }],
  ["vibe", vibe("read", { file_path: "a" }), "read", { path: "a" }],
  ["vibe", vibe("grep", { pattern: "x", path: "." }), "search", { path: ".", query: "x" }],
  ["vibe", vibe("web.web_fetch", { url: "https://example.com" }), "fetch", { domain: "example.com" }],
  ["vibe", vibe("connector_web_search.open_url", { url: "https://example.com" }), "fetch", { domain: "example.com" }],
  ["vibe", vibe("connector_web_search.web_search", { query: "q" }), "websearch", { query: "q" }],
  ["vibe", vibe("agents.spawn", { name: "n", message: "look", config_name: "reviewer" }), "agent", { agent: "reviewer", task: "look" }],
  ["vibe", vibe("task", { task: "look" }), "agent", { agent: "explore", task: "look" }],
  ["bob", bob("execute_command", { command: "npm test" }), "bash", { command: "npm test" }],
  ["bob", bob("write_to_file", { path: "a", content: "x", line_count: 1 }), "write", { path: "a", content: "x" }],
  ["bob", bob("search_and_replace", { path: "a", search: "x", replace: "y" }), "edit", { old: "x", content: "y" }],
  ["bob", bob("insert_content", { path: "a", line: 1, content: "y" }), "edit", { path: "a", content: "y" }],
  ["bob", bob("apply_diff", { path: "a", diff: "<<<<<<< SEARCH\n:start_line:3\n-------\nx\n=======\ny\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nv\n=======\nw\n=======\n>>>>>>> REPLACE" }), "edit", { old: "x\nv", content: "y\nw\n=======" }],
  ["bob", bob("apply_diff", { path: "a", diff: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y" }), "edit", { old: "x", content: "y" }],
  ["bob", bob("apply_diff", { path: "a", diff: "y" }), "edit", { old: "y", content: "y" }],
  ["bob", bob("read_file", { files: [{ path: "a" }, "b"], paths: ["c"] }), "read", { path: ["c", "a", "b"] }],
  ["bob", bob("read_file", { file_path: "a" }), "read", { path: "a" }],
  ["bob", bob("glob", { pattern: "*.pem" }), "search", { path: ["/home/ada/shop", "/home/ada/shop/*.pem"] }],
  ["bob", bob("search_files", { path: "src", regex: "x", file_pattern: "*.ts" }), "search", { path: ["src", "src/*.ts"], query: "x" }],
  ["bob", bob("spawn_subagent", { type: "general", prompt: "look", description: "d" }), "agent", { agent: "general", task: "look\nd" }],
  // Tools nobody knows, by shape: Bob's names are not confirmed.
  ["bob", bob("run_in_terminal", { command: "npm test" }), "bash", { command: "npm test" }],
  ["bob", bob("save_file", { path: "a", content: "x" }), "write", { path: "a", content: "x" }],
]))("%s: %s", (host, _title, payload, toolClass, fields) => {
  const call = decode(host, payload);
  expect(call.toolClass).toBe(toolClass);
  expect(call.fields).toMatchObject(fields);
});

test("fields have no prototype and lack what was not sent", () => {
  const { fields } = decode("bob", { event: "PreToolUse", tool: "execute_command", input: { command: "ls" } });
  expect(Object.getPrototypeOf(fields)).toBeNull();
  expect(Object.keys(fields).sort()).toEqual(["command", "event", "host", "platform", "tool"]);
  expect(decode("bob", { event: "PreToolUse", tool: "execute_command", input: { command: "ls" } }).cwd).toBe("");
});

test.each(titled<readonly [ToolCall["subject"]]>([
  ["claude", claude("Bash", { command: "ls" }), { commands: [{ text: "ls", shell: "bash", whole: true }], paths: [] }],
  ["claude", claude("Write", { file_path: "/a", content: "" }), { commands: [], paths: [{ path: "/a", access: "writes" }] }],
  ["claude", claude("WebFetch", { url: "file:///etc/pass%77d", prompt: "p" }), { commands: [], paths: [{ path: "/etc/passwd", access: "reads" }] }],
  ["claude", claude("Workflow", { script: "await run()" }), { commands: [], paths: [] }],
  ["claude", claude("mcp__term__run", { command: "rm", args: ["-r", "my build"], cwd: "web" }), { commands: [{ text: "rm -r 'my build'", shell: "bash", whole: true }], paths: [], cwd: "web" }],
  ["claude", claude("mcp__term__run", { command: ["rm", "-r", "it's"] }), { commands: [{ text: "rm -r 'it'\\''s'", shell: "bash", whole: true }], paths: [] }],
  ["claude", claude("mcp__term__run_powershell", { commands: ["ls", "rm x"] }), { commands: [{ text: "ls", shell: "powershell", whole: true }, { text: "rm x", shell: "powershell", whole: true }], paths: [] }],
  ["claude", claude("mcp__files__read", { request: { paths: ["a", "b"] } }), { commands: [], paths: [{ path: "a", access: "reads" }, { path: "b", access: "reads" }] }],
  ["claude", claude("mcp__files__put", { path: "a", text: "x" }), { commands: [], paths: [{ path: "a", access: "writes" }] }],
  ["claude", claude("mcp__files__deleteFile", { path: "a" }), { commands: [], paths: [{ path: "a", access: "deletes" }] }],
  ["claude", claude("mcp__files__move_file", { source: "a", destination: "b" }), { commands: [], paths: [{ path: "a", access: "reads" }, { path: "a", access: "deletes" }, { path: "b", access: "writes" }] }],
  ["claude", claude("mcp__files__copy_file", { source: "a", destination: "b" }), { commands: [], paths: [{ path: "a", access: "reads" }, { path: "b", access: "writes" }] }],
  ["claude", claude("mcp__files__open", { uri: "file:///srv/a" }), { commands: [], paths: [{ path: "/srv/a", access: "reads" }] }],
  ["claude", claude("mcp__news__list", { source: "bbc", uri: "https://example.com" }), { commands: [], paths: [] }],
  ["vibe", vibe("process.write", { text: "rm -r x" }), { commands: [{ text: "rm -r x", shell: "bash", whole: false }], paths: [] }],
  ["vibe", vibe("process.start", { command: "ls", cwd: "web", env: { GIT_PAGER: "sh", n: 1 } }), { commands: [{ text: "ls", shell: "bash", whole: true }], paths: [], cwd: "web", env: [{ name: "GIT_PAGER", value: "sh" }] }],
  ["vibe", vibe("skill.read", { name: "x" }), { commands: [], paths: [] }],
  ["bob", bob("execute_command", { command: "ls", cwd: "web" }), { commands: [{ text: "ls", shell: "bash", whole: true }], paths: [], cwd: "web" }],
  ["bob", bob("use_mcp_tool", { server_name: "files", tool_name: "write_file", arguments: '{"path":"a","content":""}' }), { commands: [], paths: [{ path: "a", access: "writes" }] }],
]))("%s: commands and paths of %s", (host, _title, payload, subject) => {
  expect(decode(host, payload).subject).toEqual(subject);
});

test("one shell tool counts for both shells on Windows, and what only PowerShell can read is no doubt", () => {
  const windows = { cwd: "C:\\shop" };
  for (const call of [decode("bob", bob("execute_command", { command: "ls" }, windows), "windows"), decode("vibe", vibe("file_system.bash", { command: "ls" }, windows), "windows")]) {
    expect([call.toolClass, call.alsoClass]).toEqual(["bash", "powershell"]);
    expect(call.subject.commands).toEqual([{ text: "ls", shell: "powershell", whole: true }, { text: "ls", shell: "bash", whole: false }]);
  }
  expect(decode("bob", bob("execute_command", { command: "ls" })).alsoClass).toBeUndefined();
  expect(decode("claude", claude("Bash", { command: "ls" }, windows), "windows").alsoClass).toBeUndefined();
});

test.each(titled<readonly [ToolCall["mcp"]]>([
  ["claude", claude("mcp__github__create_issue", {}), { server: "github", tool: "create_issue", ambiguous: false }],
  ["claude", claude("mcp__my__srv__run", {}), { server: "my", tool: "srv__run", ambiguous: true, others: [{ server: "my__srv", tool: "run" }] }],
  ["claude", claude("mcp__my__srv__run", {}, { mcp_server: { name: "my__srv", source: "dynamic" } }), { server: "my__srv", tool: "run", ambiguous: false }],
  ["claude", claude("mcp__claude_ai_Linear__list", {}, { mcp_server: { name: "claude.ai Linear" } }), { server: "claude.ai Linear", tool: "list", ambiguous: false, others: [{ server: "claude_ai_Linear", tool: "list" }] }],
  ["claude", claude("mcp__files__read", {}, { mcp_server: { name: "other" } }), { server: "other", tool: "read", ambiguous: true, others: [{ server: "files", tool: "read" }] }],
  ["claude", claude("mcp__alone", {}), { server: "alone", tool: "", ambiguous: true }],
  ["claude", claude("Bash", { command: "ls" }), undefined],
  ["vibe", vibe("mcp_linear.create_issue", {}), { server: "linear", tool: "create_issue", ambiguous: false }],
  ["vibe", vibe("mcp_bash.bash", {}), { server: "bash", tool: "bash", ambiguous: false }],
  ["vibe", vibe("github_search", {}), { server: "github", tool: "search", ambiguous: false }],
  ["vibe", vibe("linear_create_issue", {}), { server: "linear", tool: "create_issue", ambiguous: true, others: [{ server: "linear_create", tool: "issue" }] }],
  ["vibe", vibe("plugin_acme_tools.deploy", {}), { server: "plugin_acme_tools", tool: "deploy", ambiguous: false }],
  ["vibe", vibe("ui.ask_user_question", {}), undefined],
  ["vibe", vibe("ask_user_question", {}), undefined],
  ["bob", bob("mcp__github__create_issue", {}), { server: "github", tool: "create_issue", ambiguous: false }],
  ["bob", bob("use_mcp_tool", { server_name: "files", tool_name: "a__b", arguments: {} }), { server: "files", tool: "a__b", ambiguous: false }],
  ["bob", bob("access_mcp_resource", { server_name: "files", uri: "file:///a" }), { server: "files", tool: "access_mcp_resource", ambiguous: false }],
]))("%s: server and tool of %s", (host, _title, payload, mcp) => {
  const call = decode(host, payload);
  expect(call.mcp).toEqual(mcp);
  expect(call.toolClass === "mcp").toBe(mcp !== undefined);
  expect(call.fields["server"]).toBe(mcp?.server);
});

test("arguments of a relayed MCP tool are its input, before Bob's own", () => {
  const { input } = decode("bob", bob("use_mcp_tool", { server_name: "files", tool_name: "write", arguments: { path: "a", tool_name: "inner" } }));
  expect(input).toMatchObject({ path: "a", tool_name: "inner", server_name: "files" });
});

test.each(titled<readonly []>([
  ["claude", claude("Bash", { cmd: "ls" })],
  ["claude", claude("Bash", { command: null })],
  ["claude", claude("Bash", { command: "ls", __proto__: null, constructor: {} })],
  ["claude", claude("Bash", JSON.parse('{"command":"ls","note":[{"__proto__":1}]}') as Json)],
  ["claude", claude("Grep", { pattern: "x", path: 7 })],
  ["claude", claude("MultiEdit", { file_path: "/a", edits: ["x"] })],
  ["claude", claude("MultiEdit", { file_path: "/a" })],
  ["claude", claude("Bash", { command: "ls" }, { cwd: "shop" })],
  ["claude", claude("Bash", { command: "ls" }, { cwd: "C:\\shop" })],
  ["claude", claude("Bash", { command: "ls" }, { session_id: 7 })],
  ["claude", claude("Bash", { command: "ls" }, { agent_id: {} })],
  ["claude", claude("mcp__a__b", {}, { mcp_server: "a" })],
  ["claude", claude(`mcp__a${"__b".repeat(40)}`, {})],
  ["claude", claude("WebFetch", { url: "file:///%zz", prompt: "p" })],
  ["vibe", vibe("file_system.write_file", { file_path: "a", path: "b", content: "x" })],
  ["vibe", vibe("process.write", { processId: "p" })],
  ["vibe", vibe("process.write", { text: "ls", bytesBase64: "cm0=" })],
  ["vibe", vibe("process.write", { bytesBase64: "cm0" })],
  ["vibe", vibe("process.write", { control: "enter" })],
  ["vibe", vibe("process.start", { command: "ls", env: "A=1" })],
  ["vibe", vibe("edit", { file_path: "a" })],
  ["vibe", vibe("edit", { file_path: "a", old_string: "x" })],
  ["vibe", vibe("edit", { file_path: "a", old_string: "x", new_string: "y", content: [{ old_str: "v", new_str: "w" }] })],
  ["vibe", vibe("edit", { file_path: "a", content: [{ old_str: "x" }] })],
  ["bob", bob("read_file", {})],
  ["bob", bob("read_file", { files: [{ name: "a" }] })],
  ["bob", bob("read_file", { paths: "a" })],
  ["bob", bob("write_file", { path: "a", filePath: "b", content: "" })],
  ["bob", bob("execute_command", { command: "ls", cwd: 7 })],
  ["bob", bob("use_mcp_tool", { server_name: "s", tool_name: "t", arguments: "[1" })],
  ["bob", bob("use_mcp_tool", { tool_name: "t" })],
  ["bob", { ...bob("execute_command", { command: "ls" }), tool: "read_file" }],
  ["bob", { ...bob("execute_command", { command: "ls" }), event: "PostToolUse" }],
]))("%s: malformed: %s", (host, _title, payload) => {
  expect(() => decode(host, payload)).toThrow(MalformedPayload);
});

test("the event argument has to be the payload's, by any name the host has had for it", () => {
  const event = (name: string, payload: JsonObject) => () => hostNamed("vibe").wire.decode(name, payload, "linux").hostEvent;
  const older = vibe("bash", { command: "ls" }, { hook_event_name: "before_tool" });
  expect(event("pre_tool", older)()).toBe("pre_tool");
  expect(event("before_tool", vibe("bash", { command: "ls" }))()).toBe("pre_tool");
  expect(event("post_tool", older)).toThrow(MalformedPayload);
  for (const host of hosts) expect(() => host.wire.decode("constructor", claude("Bash", {}), "linux")).toThrow(MalformedPayload);
  expect(() => decode("claude", claude("Bash", { command: "ls" }), "linux", "PostToolUse")).toThrow(MalformedPayload);
});

test.each<readonly [string, string, JsonObject, Readonly<Record<string, unknown>>]>([
  ["claude", "PostToolUse", claude("Bash", { command: "ls" }, { hook_event_name: "PostToolUse", tool_response: { stdout: "a", stderr: "b" }, duration_ms: 7 }), { output: "a\nb", status: "success", duration: 7 }],
  ["claude", "PostToolUse", claude("Read", { file_path: "/a" }, { hook_event_name: "PostToolUse", tool_response: { type: "text", file: { content: "x" } } }), { output: "x" }],
  ["claude", "PostToolUse", claude("mcp__a__b", {}, { hook_event_name: "PostToolUse", tool_response: [{ type: "text", text: "x" }, { type: "image" }] }), { output: "x" }],
  ["claude", "PostToolUseFailure", claude("Bash", { command: "ls" }, { hook_event_name: "PostToolUseFailure", error: "Exit code 3" }), { output: "Exit code 3", error: "Exit code 3", status: "failure" }],
  ["claude", "Stop", { session_id: "s", cwd: "/a", hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "done" }, { message: "done", agent: "main" }],
  ["claude", "SubagentStop", { session_id: "s", cwd: "/a", hook_event_name: "SubagentStop", agent_id: "a", agent_type: "Explore" }, { agent: "Explore", subagent: true }],
  ["claude", "PreCompact", { session_id: "s", cwd: "/a", hook_event_name: "PreCompact", trigger: "auto", custom_instructions: null }, { trigger: "auto" }],
  ["bob", "PostCompact", { session_id: "s", cwd: "/a", hook_event_name: "PostCompact", trigger: "auto", compact_summary: "short" }, { trigger: "auto", summary: "short" }],
  ["bob", "Stop", { session_id: "s", cwd: "/a", hook_event_name: "Stop", last_assistant_message: null }, { agent: "main" }],
  ["vibe", "post_agent", { session_id: "s", cwd: "/a", parent_session_id: null, hook_event_name: "post_agent" }, { agent: "main" }],
  ["vibe", "post_agent", { session_id: "s", cwd: "/a", parent_session_id: "p", hook_event_name: "post_agent", agent_name: "reviewer" }, { agent: "reviewer", subagent: true }],
])("%s: what %s tells", (host, event, payload, fields) => {
  expect(decode(host, payload, "linux", event).fields).toMatchObject(fields);
});

test("a host event keeps the payload's own fields as input, and the tool it names", () => {
  const call = decode("claude", claude("Bash", { command: "rm -r build" }, { hook_event_name: "PermissionRequest" }), "linux", "PermissionRequest");
  expect(call).toMatchObject({ event: "host-event", hostEvent: "PermissionRequest", tool: "Bash", subject: { commands: [], paths: [] } });
  expect(call.toolClass).toBeUndefined();
  expect(call.input["tool_input"]).toEqual({ command: "rm -r build" });
});

test("braces are spelled out, and what stands for too many names is malformed", () => {
  expect([...expandBraces("{a,b}/{c,{d,e}}")].sort()).toEqual(["a/c", "a/d", "a/e", "b/c", "b/d", "b/e"]);
  expect(expandBraces("a{b}c}")).toEqual(["a{b}c}"]);
  expect(expandBraces("{a,b}".repeat(8))).toHaveLength(256);
  expect(() => expandBraces("{a,b}".repeat(9))).toThrow(MalformedPayload);
  expect(() => expandBraces(`${"a".repeat(5000)}{b,c}`)).toThrow(MalformedPayload);
});

const decision = (effect: Decision["effect"], message: string): Decision => ({ effect, message, personMessage: message, reasons: [] });

test("refusals in each host's words", () => {
  const deny = decision("deny", "[shop/no-rm-r] No recursive removal.\nInstead: move it to the trash.");
  expect(hostNamed("claude").wire.encode("PreToolUse", deny)).toEqual({
    exitCode: 2,
    stdout: `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: deny.message } })}\n`,
    stderr: `${deny.message}\n`,
  });
  expect(hostNamed("vibe").wire.encode("pre_tool", deny)).toEqual({ exitCode: 0, stdout: `${JSON.stringify({ decision: "deny", reason: deny.message })}\n`, stderr: "" });
  expect(hostNamed("bob").wire.encode("PreToolUse", deny)).toEqual({ exitCode: 2, stdout: "", stderr: "[shop/no-rm-r] No recursive removal. Instead: move it to the trash.\n" });
});

test("asking and granting are Claude Code's alone; elsewhere asking is refusing and granting is silence", () => {
  const person: Decision = { effect: "ask", message: "for the model", personMessage: "for the person", reasons: [] };
  const answer = hostNamed("claude").wire.encode("PreToolUse", person);
  expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(answer.stdout)).toEqual({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "for the person" } });
  expect(JSON.parse(hostNamed("claude").wire.encode("PreToolUse", decision("allow", "ok")).stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "allow" } });
  for (const [id, event] of [["vibe", "pre_tool"], ["bob", "PreToolUse"], ["claude", "UserPromptSubmit"]] as const) {
    const { wire, contract } = hostNamed(id);
    expect(contract.judgeAnswer(event, wire.encode(event, person)).effect).toBe("deny");
    expect(wire.encode(event, decision("allow", "ok"))).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  }
});

/** Events at which the host can be stopped, for each host. */
const gates: readonly (readonly [string, string])[] = [
  ...["PreToolUse", "PreSkillShellCommand", "UserPromptSubmit", "UserPromptExpansion", "PreCompact", "Stop", "SubagentStop", "ConfigChange", "PermissionRequest", "PreModelSwitch", "TaskCreated", "TeammateIdle", "PostToolBatch", "NoSuchEvent"].map((event) => ["claude", event] as const),
  ...["pre_tool", "post_tool", "post_agent", "before_tool", "no_such_event"].map((event) => ["vibe", event] as const),
  ...["PreToolUse", "UserPromptSubmit", "PreCompact", "NoSuchEvent"].map((event) => ["bob", event] as const),
];

test.each(gates)("%s: a refusal at %s is clean and holds, whatever its words", (id, event) => {
  const { wire, contract } = hostNamed(id);
  const words = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("", "\n", "\ud83d", "a\u0000b", "line\nline", "\u001b[2J", "}{", "x".repeat(100_000), "\ud83d\ude00".repeat(5000), "\u2028"));
  fc.assert(
    fc.property(words, (message) => {
      const answer = wire.encode(event, decision("deny", message));
      const judgement = contract.judgeAnswer(event, answer);
      expect(judgement.breaches).toEqual([]);
      // At a stop a refusal is what sends the agent back.
      expect(judgement.effect).toBe(["Stop", "SubagentStop", "post_agent"].includes(event) ? "retry" : "deny");
      expect(judgement.reason).not.toBe("");
      expect(answer.stdout.length + answer.stderr.length).toBeLessThan(40_000);
      expect(/\p{Surrogate}|[\u0000-\u0008\u000b-\u001f]/u.test(`${answer.stderr}${judgement.reason}`)).toBe(false);
    }),
  );
});

test("no opinion is silence, at every event of every host", () => {
  for (const host of hosts) for (const event of host.facts.eventNames) expect(host.wire.encode(event, decision("pass", ""))).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test("Vibe's answer is ASCII", () => {
  const { stdout } = hostNamed("vibe").wire.encode("pre_tool", decision("deny", "déjà \u{1f512} \u007f"));
  expect(/^[\x20-\x7e]*\n$/.test(stdout)).toBe(true);
  expect((JSON.parse(stdout) as { readonly reason: string }).reason).toBe("déjà \u{1f512}");
});

test("what a host plays is what its codec reads, for every class and any text", () => {
  for (const host of hosts) {
    const event = host.facts.events["before-tool"]?.[0] ?? "";
    for (const toolClass of toolClasses) {
      for (const tool of host.facts.tools[toolClass]) {
        // A search's glob pattern is text with a meaning; a diff is text with a form.
        if (["Glob", "glob", "list_files", "apply_diff"].includes(tool)) continue;
        fc.assert(
          fc.property(fc.string({ minLength: 1 }), fc.string(), (first, second) => {
            const fields = { command: first, path: first.trim() || "a", content: second, old: first, url: "https://example.com/", query: first, agent: first, task: second };
            const payload = host.player.compose(event, tool, fields, { cwd: "/home/ada/shop" });
            expect(host.contract.judgePayload(event, payload)).toEqual([]);
            const call = host.wire.decode(event, payload, toolClass === "powershell" ? "windows" : "linux");
            expect([call.toolClass, call.alsoClass]).toContain(toolClass);
            const wanted: Readonly<Record<string, readonly (keyof typeof fields)[]>> = { bash: ["command"], powershell: ["command"], write: ["path", "content"], edit: ["path", "content"], read: ["path"], search: ["path", "query"], fetch: ["url"], websearch: ["query"], agent: ["agent", "task"] };
            for (const field of wanted[toolClass] ?? []) expect(call.fields[field]).toBe(fields[field]);
          }),
          { numRuns: 20 },
        );
      }
    }
  }
});

test("raw arguments are played where they are named, prototype names included", () => {
  const payload = hostNamed("claude").player.compose("PreToolUse", "mcp__db__query", { "input.options.limit": 5, "input.sql": "select 1", "input.__proto__": "x" }, { cwd: "/a" });
  expect(Object.entries(payload["tool_input"] as JsonObject)).toEqual([["options", { limit: 5 }], ["sql", "select 1"], ["__proto__", "x"]]);
  expect(payload["mcp_server"]).toEqual({ name: "db", source: "dynamic" });
});

test("any JSON at all becomes a call or is malformed", () => {
  const names = fc.constantFrom("hook_event_name", "event", "tool_name", "tool", "tool_input", "input", "cwd", "session_id", "command", "path", "content", "edits", "files", "mcp_server", "__proto__", "constructor");
  const value: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof({ maxDepth: 4 }, fc.constantFrom<Json>(null, true, 7, "PreToolUse", "pre_tool", "Bash", "/a", "file_system.bash", "execute_command", "mcp__a__b"), fc.array(tie("json"), { maxLength: 3 }), fc.dictionary(names, tie("json"), { maxKeys: 6 })),
  })).json;
  for (const host of hosts) {
    const event = host.facts.events["before-tool"]?.[0] ?? "";
    const whole = host.player.compose(event, undefined, { command: "ls" }, { cwd: "/a" });
    fc.assert(
      fc.property(value, fc.dictionary(names, value, { maxKeys: 3 }), (loose, changes) => {
        for (const payload of [loose, { ...whole, ...changes }, { ...whole, tool_name: "Read", tool_input: loose }, { ...whole, tool_name: "read_file", tool_input: loose }, { ...whole, tool_name: "mcp__a__b", tool_input: loose }]) {
          try {
            host.wire.decode(event, payload, "linux");
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedPayload);
          }
        }
      }),
    );
  }
});

test("a megabyte of hostile input is read in a moment", () => {
  const size = 1_000_000;
  // Milliseconds. Quadratic work on a megabyte takes minutes.
  const moment = 3000;
  const nest = (depth: number): Json => {
    let value: Json = "rm -r build";
    for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { command: value };
    return value;
  };
  const inputs: readonly (readonly [string, JsonObject])[] = [
    ["claude", claude("Grep", { pattern: "x", glob: ",".repeat(size) })],
    ["claude", claude("Grep", { pattern: "x", glob: "{".repeat(size) })],
    ["claude", claude("Glob", { pattern: `{${",".repeat(size)}` })],
    ["claude", claude("Glob", { pattern: "{a,b}".repeat(size / 5) })],
    ["claude", claude("Bash", { command: "a".repeat(size), note: nest(100_000) })],
    ["claude", claude("mcp__a__b", { note: nest(100_000) })],
    ["claude", claude(`mcp__${"_".repeat(size)}`, {})],
    ["claude", claude("A".repeat(size), { path: "x" })],
    ["claude", claude("WebFetch", { url: `https://${"a.".repeat(size / 2)}`, prompt: "p" })],
    ["claude", claude("mcp__a__b", { paths: Array.from({ length: size / 10 }, (_value, index) => `f${index}`) })],
    ["vibe", vibe("a_".repeat(size / 2), {})],
    ["vibe", vibe("process.write", { bytesBase64: "=".repeat(size) })],
    ["vibe", vibe("search_replace", { file_path: "a", content: "<<<<<<< SEARCH\n".repeat(size / 15) })],
    ["bob", bob("apply_diff", { path: "a", diff: "=======\n".repeat(size / 8) })],
    ["bob", bob("apply_diff", { path: "a", diff: `@@\n${"-".repeat(size)}` })],
  ];
  for (const [host, payload] of inputs) {
    const reading = processorTime(() => {
      try {
        decode(host, payload);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedPayload);
      }
    });
    expect(reading).toBeLessThan(moment);
  }
  for (const host of hosts) {
    expect(processorTime(() => host.wire.encode("PreToolUse", decision("deny", "\ud83d\n \u2028".repeat(size / 4))))).toBeLessThan(moment);
  }
});
