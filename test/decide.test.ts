/**
 * The decision of a plan on a call: strictest answer, three-valued conditions, every comparison on every field, words.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision, Json, JsonObject, ToolCall } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import type { Outcome, Trace } from "../src/guard/decide.ts";
import type { ComparePlan, ConditionPlan, RulePlan, ToolPattern } from "../src/guard/plan.ts";
import type { ShellModule } from "../src/guard/shell/shell.ts";
import type { Truth, World } from "../src/guard/world.ts";
import { bashCall, compare, globsOf, homeFolder, inputCall, matches, not, paperWorld, planOf, projectRoot, ruleOf, search, toolCall, writeCall } from "./guard-values.ts";

function judge(call: ToolCall, rules: readonly RulePlan[], world: World = paperWorld()): Decision {
  return decide(planOf(...rules), call, world);
}

/** What a condition comes to: as the `when` of a deny (wide), and as the `unless` of one (narrow). */
function truths(condition: ConditionPlan, call: ToolCall, world: World = paperWorld()): { wide: Truth | "doubt"; narrow: Truth | "doubt" } {
  const seen: Truth[] = [];
  const trace: Trace = { condition: (_, part, truth) => part === condition && seen.push(truth), rule: () => undefined };
  decide(planOf(ruleOf("deny", { when: condition })), call, world, trace);
  decide(planOf(ruleOf("deny", { unless: [condition] })), call, world, trace);
  const [wide, narrow] = seen.map((truth) => (typeof truth === "boolean" ? truth : "doubt"));
  return { wide: wide ?? "doubt", narrow: narrow ?? "doubt" };
}

function both(truth: boolean | "doubt"): { wide: boolean | "doubt"; narrow: boolean | "doubt" } {
  return { wide: truth, narrow: truth };
}

function outcomes(call: ToolCall, rules: readonly RulePlan[], world: World = paperWorld()): readonly Outcome[] {
  const seen: Outcome[] = [];
  decide(planOf(...rules), call, world, { condition: () => undefined, rule: (_, outcome) => seen.push(outcome) });
  return seen;
}

const ls = bashCall("ls");
/** A comparison that is a doubt wherever it stands. */
const doubtful: ConditionPlan = compare("path", "==", "/x");
const doubtfulCall = toolCall("read", "Read", { path: "a\0b" });

// ---- conflict resolution ----

test("the strictest of all rules that fire wins, whatever their order", () => {
  const all = { allow: ruleOf("allow"), ask: ruleOf("ask"), deny: ruleOf("deny") };
  expect(judge(ls, [all.allow, all.ask, all.deny]).effect).toBe("deny");
  expect(judge(ls, [all.deny, all.allow]).effect).toBe("deny");
  expect(judge(ls, [all.ask, all.allow]).effect).toBe("ask");
  expect(judge(ls, [all.allow]).effect).toBe("allow");
});

test("no rule that fires is a pass without a word", () => {
  const decision = { effect: "pass", message: "", personMessage: "", reasons: [] };
  expect(judge(ls, [])).toEqual(decision);
  expect(judge(ls, [ruleOf("deny", { when: search("command", /rm/) })])).toEqual(decision);
});

test("any `unless` that holds exempts", () => {
  const rule = ruleOf("deny", { unless: [compare("command", "==", "pwd"), compare("command", "==", "ls")] });
  expect(judge(ls, [rule]).effect).toBe("pass");
  expect(judge(bashCall("cat x"), [rule]).effect).toBe("deny");
});

test("a rule with a date counts from that day on", () => {
  const rule = ruleOf("deny", { from: "2026-12-01" });
  expect(judge(ls, [rule]).effect).toBe("pass");
  expect(judge(ls, [rule], paperWorld({ today: "2026-12-01" })).effect).toBe("deny");
});

// ---- doubt ----

test.each([
  ["ask", "ask"],
  ["deny", "deny"],
  ["pass", "pass"],
] as const)("a deny that fires only by doubt becomes %s where the policy says so", (unsure, effect) => {
  const rule = ruleOf("deny", { when: doubtful, unsure });
  expect(judge(doubtfulCall, [rule]).effect).toBe(effect);
  expect(outcomes(doubtfulCall, [rule])).toMatchObject([{ kind: "fires", effect, cause: "a path holds a NUL character" }]);
});

test("doubt makes an ask apply and an allow not", () => {
  expect(judge(doubtfulCall, [ruleOf("ask", { when: doubtful })]).effect).toBe("ask");
  expect(judge(doubtfulCall, [ruleOf("allow", { when: doubtful })]).effect).toBe("pass");
});

test("a doubtful exception relaxes nothing", () => {
  expect(judge(doubtfulCall, [ruleOf("deny", { unless: [doubtful], unsure: "deny" })]).effect).toBe("deny");
  expect(judge(doubtfulCall, [ruleOf("ask", { unless: [doubtful] })]).effect).toBe("ask");
  expect(judge(doubtfulCall, [ruleOf("allow", { unless: [doubtful] })]).effect).toBe("pass");
});

test("a message of doubt says so and names the cause", () => {
  const { message } = judge(doubtfulCall, [ruleOf("deny", { when: doubtful })]);
  expect(message).toContain("could not be ruled out");
  expect(message).toContain("NUL character");
});

test("certainty beside a doubt decides", () => {
  const yes: ConditionPlan = compare("host", "==", "claude");
  const no: ConditionPlan = not(yes);
  const call = toolCall("read", "Read", { path: "a\0b", host: "claude" });
  expect(truths({ kind: "and", of: [doubtful, no] }, call)).toEqual(both(false));
  expect(truths({ kind: "and", of: [doubtful, yes] }, call)).toEqual(both("doubt"));
  expect(truths({ kind: "or", of: [doubtful, yes] }, call)).toEqual(both(true));
  expect(truths({ kind: "or", of: [doubtful, no] }, call)).toEqual(both("doubt"));
  expect(truths(not(doubtful), call)).toEqual(both("doubt"));
});

test("under `not` the benefit of the doubt changes sides", () => {
  const linked = paperWorld({}, { "/srv/shop/src/keys": "/home/ada/.ssh" });
  const call = writeCall("src/keys/id_rsa");
  expect(truths(matches("path", "src/**"), call, linked)).toEqual({ wide: true, narrow: false });
  expect(truths(not(matches("path", "src/**")), call, linked)).toEqual({ wide: true, narrow: false });
  expect(truths(not(not(matches("path", "src/**"))), call, linked)).toEqual({ wide: true, narrow: false });
});

test("a grant needs its condition surely and its exception surely not", () => {
  const linked = paperWorld({}, { "/srv/shop/src/keys": "/home/ada/.ssh" });
  const call = writeCall("src/keys/id_rsa");
  expect(judge(call, [ruleOf("allow", { when: matches("path", "src/**") })], linked).effect).toBe("pass");
  expect(judge(call, [ruleOf("allow", { unless: [matches("path", "~/.ssh/**")] })], linked).effect).toBe("pass");
  expect(judge(writeCall("src/a.ts"), [ruleOf("allow", { when: matches("path", "src/**"), unless: [matches("path", "~/.ssh/**")] })], linked).effect).toBe("allow");
});

// ---- triggers ----

test.each<[string, ToolPattern, ToolCall, boolean]>([
  ["a class", { kind: "class", name: "bash" }, ls, true],
  ["another class", { kind: "class", name: "write" }, ls, false],
  ["any tool", { kind: "any" }, toolCall(undefined, "Mystery", {}), true],
  ["a second class of the call", { kind: "class", name: "powershell" }, toolCall("bash", "execute_command", {}, { alsoClass: "powershell" }), true],
  ["a host's own name", { kind: "tool", name: "Bash" }, ls, true],
  ["a host's own name in another case", { kind: "tool", name: "bash" }, ls, false],
  ["an MCP server", { kind: "mcp", server: { text: "linear", star: false } }, inputCall({}), true],
  ["an MCP tool by its beginning", { kind: "mcp", server: { text: "linear", star: false }, tool: { text: "create_", star: true } }, inputCall({}), true],
  ["another MCP tool", { kind: "mcp", server: { text: "linear", star: false }, tool: { text: "delete_", star: true } }, inputCall({}), false],
  ["every MCP server", { kind: "mcp", server: { text: "", star: true } }, inputCall({}), true],
  ["MCP on a tool of the host", { kind: "mcp", server: { text: "", star: true } }, ls, false],
  ["any agent", { kind: "agent", names: [] }, toolCall("agent", "Agent", { agent: "explore" }), true],
  ["a named agent", { kind: "agent", names: ["reviewer"] }, toolCall("agent", "Agent", { agent: "reviewer" }), true],
  ["an agent of another name", { kind: "agent", names: ["reviewer"] }, toolCall("agent", "Agent", { agent: "explore" }), false],
  ["an agent without a name", { kind: "agent", names: ["reviewer"] }, toolCall("agent", "Agent", {}), false],
])("a rule on %s looks at the calls it names", (_, pattern, call, concerns) => {
  expect(judge(call, [ruleOf("deny", { tools: [{ kind: "tool", name: "Nothing" }, pattern] })]).effect).toBe(concerns ? "deny" : "pass");
});

test("a rule is about its own event", () => {
  expect(judge({ ...ls, event: "after-tool" }, [ruleOf("deny")]).effect).toBe("pass");
  const onConfig = ruleOf("deny", { event: "host-event", hostEvent: "ConfigChange", tools: [] });
  expect(judge({ ...ls, event: "host-event", hostEvent: "ConfigChange" }, [onConfig]).effect).toBe("deny");
  expect(judge({ ...ls, event: "host-event", hostEvent: "Setup" }, [onConfig]).effect).toBe("pass");
  expect(judge(ls, [ruleOf("deny", { event: "host-event", hostEvent: "PreToolUse", tools: [] })]).effect).toBe("deny");
});

test("an MCP name that can be parted in several ways is a doubt, unless all of them say the same", () => {
  const call = toolCall("mcp", "mcp__a__b__c", {}, { mcp: { server: "a", tool: "b__c", ambiguous: true, others: [{ server: "a__b", tool: "c" }] } });
  const on = (server: string, tool?: string, effect: "deny" | "allow" = "deny"): RulePlan =>
    ruleOf(effect, { tools: [{ kind: "mcp", server: { text: server, star: server === "a" || server === "" }, ...(tool !== undefined && { tool: { text: tool, star: false } }) }] });
  expect(outcomes(call, [on("a__b"), on("a"), on("x"), on("a", "c"), on("a__b", "c", "allow")]).map((outcome) => ("cause" in outcome ? "doubt" : outcome.kind))).toEqual(["doubt", "fires", "elsewhere", "doubt", "doubt"]);
  expect(judge(call, [on("a__b", "c", "allow")]).effect).toBe("pass");
  const unparted = toolCall("mcp", "mcp__a", {}, { mcp: { server: "a", tool: "", ambiguous: true } });
  expect(outcomes(unparted, [on("x"), on("")])).toMatchObject([{ kind: "fires", effect: "ask" }, { kind: "fires", effect: "deny" }]);
});

test("certain aliases of an MCP name all count", () => {
  const call = toolCall("mcp", "mcp__my_server__go", {}, { mcp: { server: "my server", tool: "go", ambiguous: false, others: [{ server: "my_server", tool: "go" }] } });
  for (const server of ["my server", "my_server"]) {
    expect(judge(call, [ruleOf("deny", { tools: [{ kind: "mcp", server: { text: server, star: false } }] })]).effect).toBe("deny");
    expect(truths(compare("server", "==", server), call)).toEqual(both(true));
  }
});

// ---- comparisons ----

const web = toolCall("fetch", "WebFetch", { url: "https://Docs.Example.com:8443/a", domain: "docs.example.com" });
const linear = inputCall({ title: "Fix login", priority: 2, draft: true, labels: ["bug", "line\nend"], nested: { "odd key": "x" }, empty: null, count: "12" });
const everything = toolCall("edit", "Edit", {
  host: "claude", event: "PreToolUse", session: "s-1", mode: "plan", subagent: true, content: "new text", old: "old text", query: "PRIVATE KEY", agent: "explore", task: "look around", path: "src/a.ts",
});

test.each<[string, ComparePlan, ToolCall, boolean]>([
  ["command ==", compare("command", "==", "ls"), ls, true],
  ["command in", compare("command", "==", "pwd", "ls"), ls, true],
  ["command == with another case", compare("command", "==", "LS"), ls, false],
  ["command starts with", compare("command", "starts-with", "l"), ls, true],
  ["command ends with", compare("command", "ends-with", "x"), ls, false],
  ["command contains", compare("command", "contains", "s", "q"), ls, true],
  ["length(command)", { ...compare("command", "<", 3), measure: "length" }, ls, true],
  ["lower(command)", { ...compare("command", "==", "rm x"), measure: "lower" }, bashCall("RM X"), true],
  ["content ~", search("content", /new/), everything, true],
  ["old ==", compare("old", "==", "old text"), everything, true],
  ["query ==", compare("query", "==", "PRIVATE KEY"), everything, true],
  ["agent in", compare("agent", "==", "explore", "reviewer"), everything, true],
  ["length(task)", { ...compare("task", ">", 4000), measure: "length" }, everything, false],
  ["tool ==", compare("tool", "==", "Edit"), everything, true],
  ["mode ==", compare("mode", "==", "plan"), everything, true],
  ["session ==", compare("session", "==", "s-1"), everything, true],
  ["host ==", compare("host", "==", "claude"), everything, true],
  ["event ==", compare("event", "==", "PreToolUse"), everything, true],
  ["platform ==", compare("platform", "==", "linux"), everything, true],
  ["server in", compare("server", "==", "github", "linear"), linear, true],
  ["url starts with", compare("url", "starts-with", "https://"), web, true],
  ["domain ends with", compare("domain", "ends-with", ".example.com"), web, true],
  ["domain ==", compare("domain", "==", "example.com"), web, false],
  ["input.title ~", search("input.title", /fix/i), linear, true],
  ["input.priority ==", compare("input.priority", "==", 2), linear, true],
  ["input.priority >", compare("input.priority", ">", 2), linear, false],
  ["input.priority as text", compare("input.priority", "==", "2"), linear, true],
  ["input.draft as text", compare("input.draft", "==", "true"), linear, true],
  ["input.nested.\"odd key\"", { ...compare("x", "==", "x"), field: ["input", "nested", "odd key"] }, linear, true],
  ["input.labels.0", compare("input.labels.0", "==", "bug"), linear, true],
  ["input.labels.length is no argument", compare("input.labels.length", "==", 2), linear, false],
  ["input.labels as JSON", compare("input.labels", "contains", '["bug"'), linear, true],
  ["an absent text is empty", compare("content", "==", ""), ls, true],
  ["an absent argument is empty text", compare("input.missing", "==", ""), linear, true],
  ["null is absent", compare("input.empty", "==", ""), linear, true],
  ["an absent number compares with nothing", compare("exit", "==", 0), ls, false],
  ["an absent argument is no number", compare("input.missing", "<", 5), linear, false],
  ["an absent path compares with nothing", matches("path", "**"), ls, false],
  ["another field on the right", compare("agent", "==", { kind: "field", field: ["agent"] }), everything, true],
  ["another field on the right, unequal", compare("content", "==", { kind: "field", field: ["old"] }), everything, false],
])("%s", (_, condition, call, holds) => {
  expect(truths(condition, call)).toEqual(both(holds));
});

test("`not` around a comparison of an absent number or path is true", () => {
  expect(truths(not(compare("exit", "==", 0)), ls)).toEqual(both(true));
  expect(truths(not(matches("path", "src/**")), ls)).toEqual(both(true));
});

test("exact comparisons compare composed forms", () => {
  const call = bashCall("echo cafe\u0301");
  for (const operator of ["==", "contains", "ends-with"] as const) expect(truths(compare("command", operator, operator === "==" ? "echo caf\u00e9" : "caf\u00e9"), call)).toEqual(both(true));
});

test("length counts code points, or bytes against a size", () => {
  const call = writeCall("a.txt", "\u{1f600}\u00e9x");
  const length = (operator: ComparePlan["operator"], value: ComparePlan["values"][number]): ComparePlan => ({ ...compare("content", operator, value), measure: "length" });
  expect(truths(length("==", { kind: "number", value: 3 }), call)).toEqual(both(true));
  expect(truths(length("==", { kind: "size", bytes: 7 }), call)).toEqual(both(true));
  expect(truths(length(">", { kind: "size", bytes: 7 }), call)).toEqual(both(false));
});

test("arguments named like parts of every object are arguments or absent, never those parts", () => {
  const hostile = JSON.parse('{"__proto__": {"admin": "yes"}, "constructor": "c", "hasOwnProperty": 1}') as JsonObject;
  const call = inputCall(hostile);
  expect(truths(compare("input.__proto__.admin", "==", "yes"), call)).toEqual(both(true));
  expect(truths(compare("input.constructor", "==", "c"), call)).toEqual(both(true));
  expect(truths({ kind: "has", field: ["input", "toString"] }, call)).toEqual(both(false));
  expect(truths({ kind: "has", field: ["constructor"] }, ls)).toEqual(both(false));
  expect(truths({ kind: "has", field: ["input", "__proto__"] }, inputCall({}))).toEqual(both(false));
});

test("texts inside a list or an object count one by one where that restricts", () => {
  expect(truths(search("input.labels", /line\send/), linear)).toEqual({ wide: true, narrow: false });
});

test("a number sent as text counts as one where that restricts", () => {
  expect(truths(compare("input.count", ">", 10), linear)).toEqual({ wide: true, narrow: false });
  expect(truths(compare("input.count", "==", 12), linear)).toEqual({ wide: true, narrow: false });
  expect(truths(compare("input.title", ">", 10), linear)).toEqual(both(false));
});

test("`has` tells an absent field from an empty one", () => {
  const has = (field: string): ConditionPlan => ({ kind: "has", field: field.split(".") });
  expect(truths(has("content"), writeCall("a", ""))).toEqual(both(true));
  expect(truths(has("content"), ls)).toEqual(both(false));
  expect(truths(has("input.empty"), linear)).toEqual(both(false));
  expect(truths(has("input.draft"), linear)).toEqual(both(true));
  expect(truths(has("branch"), ls, paperWorld({ branch: () => "" }))).toEqual(both(false));
  expect(truths(has("branch"), ls, paperWorld({ branch: () => "main" }))).toEqual(both(true));
  expect(truths(has("branch"), ls, paperWorld({ branch: () => undefined }))).toEqual(both("doubt"));
});

test("a boolean field stands for itself", () => {
  expect(truths({ kind: "is", field: ["subagent"] }, everything)).toEqual(both(true));
  expect(truths({ kind: "is", field: ["subagent"] }, ls)).toEqual(both(false));
  expect(truths({ kind: "is", field: ["input", "draft"] }, linear)).toEqual(both(true));
  expect(truths({ kind: "is", field: ["input", "flag"] }, inputCall({ flag: "true" }))).toEqual({ wide: true, narrow: false });
});

// ---- paths ----

test("several paths of one call: any where it restricts, every one where it relaxes", () => {
  const call = toolCall("read", "read_file", { path: ["src/a.ts", "/etc/passwd"] });
  expect(truths(matches("path", "src/**"), call)).toEqual({ wide: true, narrow: false });
  expect(truths(matches("path", "src/**", "/etc/**"), call)).toEqual(both(true));
  expect(truths(matches("path", "src/**"), toolCall("read", "read_file", { path: [] }))).toEqual(both(false));
});

test("a path compares as a path: from the root, from home, or absolute", () => {
  for (const text of ["README.md", "./docs/../README.md", `${projectRoot}/README.md`]) expect(truths(compare("path", "==", text), writeCall("docs/../README.md"))).toEqual(both(true));
  expect(truths(compare("path", "==", "~/.bashrc"), writeCall("/home/ada/.bashrc"))).toEqual(both(true));
  expect(truths(compare("path", "==", "readme.md"), writeCall("README.md"))).toEqual({ wide: true, narrow: false });
  expect(truths(compare("cwd", "==", projectRoot), ls)).toEqual(both(true));
  expect(truths(compare("cwd", "==", "."), ls)).toEqual(both(true));
});

test("text operators see the absolute path, where they restrict also the one below the root and any letter case", () => {
  const call = writeCall("Src/.ENV");
  expect(truths(search("path", /\.env$/), call)).toEqual({ wide: true, narrow: false });
  expect(truths(compare("path", "ends-with", ".env"), call)).toEqual({ wide: true, narrow: false });
  expect(truths(compare("path", "starts-with", "Src/"), call)).toEqual({ wide: true, narrow: false });
  expect(truths(compare("path", "starts-with", "/srv/shop/"), call)).toEqual(both(true));
  expect(truths(compare("path", "contains", "/Src/"), call)).toEqual(both(true));
  expect(truths(compare("path", "starts-with", "~/"), writeCall("~/x"))).toEqual(both(true));
  expect(truths({ ...compare("path", "ends-with", ".env"), measure: "lower" }, call)).toEqual(both(true));
});

test("a relative path starts where the call does, which a tool's own folder moves", () => {
  const call = toolCall("read", "Read", { path: "a.ts" }, { cwd: `${projectRoot}/web`, subject: { commands: [], paths: [], cwd: "../src" } });
  expect(truths(matches("path", "src/**"), call)).toEqual(both(true));
});

test("a search without a path looks through the folder of the call", () => {
  const call = toolCall("search", "Grep", { query: "KEY" }, { cwd: `${projectRoot}/config` });
  expect(truths(matches("path", "config"), call)).toEqual(both(true));
});

test("an argument compared with globs is a path", () => {
  expect(truths(matches("input.target", "src/**"), inputCall({ target: "src/../README.md" }))).toEqual(both(false));
  expect(truths(matches("input.target", "**/.env"), inputCall({ target: ".env" }))).toEqual(both(true));
});

test("file tools and tools of that shape touch, read, write and delete what they name", () => {
  const effect = (kind: "touches" | "reads" | "writes" | "deletes", glob: string): ConditionPlan => ({ kind, globs: globsOf(glob) });
  const call = writeCall("package-lock.json");
  expect(truths(effect("writes", "**/package-lock.json"), call)).toEqual(both(true));
  expect(truths(effect("touches", "**/package-lock.json"), call)).toEqual(both(true));
  expect(truths(effect("reads", "**/package-lock.json"), call)).toEqual(both(false));
  const move = toolCall(undefined, "mcp__fs__move_file", {}, { subject: { commands: [], paths: [{ path: "a.lock", access: "deletes" }, { path: "b.lock", access: "writes" }, { path: "c", access: "writes" }] } });
  expect(truths(effect("writes", "**/*.lock"), move)).toEqual({ wide: true, narrow: false });
  expect(truths(effect("deletes", "**/*.lock"), move)).toEqual(both(true));
  expect(truths(effect("deletes", "**"), writeCall("x"))).toEqual(both(false));
});

test("the branch is that of the folder the call acts in", () => {
  const world = paperWorld({ branch: (folder) => (folder.startsWith("/srv/shop/tree") ? "topic" : folder.startsWith(projectRoot) ? "main" : "") });
  expect(truths(compare("branch", "==", "main"), ls, world)).toEqual(both(true));
  expect(truths(compare("branch", "==", "topic"), { ...ls, cwd: "/srv/shop/tree" }, world)).toEqual(both(true));
  expect(truths(compare("branch", "==", "topic"), writeCall("tree/a.ts"), world)).toEqual(both(true));
  expect(truths(compare("branch", "==", "topic"), toolCall("read", "Read", { path: ["tree/a", "b"] }), world)).toEqual({ wide: true, narrow: false });
  expect(truths(compare("branch", "==", ""), { ...ls, cwd: "/tmp" }, world)).toEqual(both(true));
  expect(truths(compare("branch", "==", "main"), ls, paperWorld({ branch: () => undefined }))).toEqual(both("doubt"));
});

test.each(["https://good.test\\@evil.test/", "https://good.test /", "https://a\tb.test", "http://"])("the domain of %j, which clients read differently, is a doubt", (url) => {
  expect(truths(compare("domain", "==", "good.test"), toolCall("fetch", "WebFetch", { url, domain: url === "http://" ? "" : "good.test" }))).toEqual(both("doubt"));
});

// ---- commands ----

function shellThatSays(truth: Truth): { world: World; asked: () => number } {
  let asked = 0;
  const shell: ShellModule = { judge: () => (asked++, truth), describe: () => [] };
  return { world: paperWorld({ shell: () => shell }), asked: () => asked };
}

test("conditions about commands are the shell model's, and false where there is no command to load it for", () => {
  const runs: ConditionPlan = { kind: "runs", only: false, commands: [[["git"]]], with: [], without: [] };
  const { world, asked } = shellThatSays(true);
  expect(truths(runs, ls, world)).toEqual(both(true));
  expect(truths({ kind: "dynamic" }, ls, world)).toEqual(both(true));
  expect(truths({ kind: "is", field: ["dynamic"] }, ls, world)).toEqual(both(true));
  const before = asked();
  for (const condition of [runs, { kind: "dynamic" } as const, { kind: "pipes", from: [], into: [] } as const, { ...runs, only: true }]) expect(truths(condition, writeCall("a"), world)).toEqual(both(false));
  expect(asked()).toBe(before);
});

test("a doubt of the shell model is a doubt of the rule", () => {
  const { world } = shellThatSays({ doubt: "the command does not parse" });
  const rule = ruleOf("deny", { when: { kind: "dynamic" }, unsure: "deny" });
  expect(judge(ls, [rule], world).message).toContain("the command does not parse");
});

test("nothing is evaluated once a condition is certain, but everything under a trace", () => {
  const { world, asked } = shellThatSays(true);
  const rule = ruleOf("deny", { when: { kind: "and", of: [compare("command", "==", "x"), { kind: "dynamic" }] } });
  judge(ls, [rule], world);
  expect(asked()).toBe(0);
  outcomes(ls, [rule], world);
  expect(asked()).toBe(1);
});

// ---- words ----

test("a reason names the rule, says why and what to do instead", () => {
  const decision = judge(ls, [ruleOf("deny", { id: "acme/no-force-push", because: ["Force pushes rewrite history."], suggest: ["git push --force-with-lease"] })]);
  expect(decision.message).toBe("[acme/no-force-push] Force pushes rewrite history.\nInstead: git push --force-with-lease");
  expect(decision.personMessage).toBe("[acme/no-force-push] Force pushes rewrite history.");
  expect(decision.reasons).toEqual([{ rule: "acme/no-force-push", text: "Force pushes rewrite history.", suggest: "git push --force-with-lease" }]);
});

test("a rule without words still says where it stands", () => {
  for (const effect of ["deny", "ask", "allow"] as const) {
    const { message } = judge(ls, [ruleOf(effect)]);
    expect(message).toContain("policy/main.policy:3");
    expect(message).toContain("Bash");
  }
});

test("reasons come worst first, then in the order of the files, five at most", () => {
  const rules = [
    ruleOf("deny", { id: "a/low", severity: "low" }),
    ruleOf("deny", { id: "a/first" }),
    ruleOf("deny", { id: "a/critical", severity: "critical" }),
    ruleOf("deny", { id: "a/second" }),
    ruleOf("deny", { id: "a/high", severity: "high" }),
    ruleOf("ask", { id: "a/asks", severity: "critical" }),
    ruleOf("allow", { id: "a/allows" }),
  ];
  const { message, reasons } = judge(ls, rules);
  expect(reasons.map((reason) => reason.rule)).toEqual(["a/critical", "a/high", "a/first", "a/second", "a/low", "a/asks"]);
  expect(message.match(/^\[[^\]]+\]/gm)).toEqual(["[a/critical]", "[a/high]", "[a/first]", "[a/second]", "[a/low]"]);
  expect(message.endsWith("and 1 more")).toBe(true);
});

test("a value in a message is quoted, stripped of controls and cut in the middle", () => {
  const rule = ruleOf("deny", { because: ["Refused: ", { field: ["command"] }, "."] });
  expect(judge(bashCall('echo "hi"\n\u001b[31m\u202ered\u200b\ud800'), [rule]).message).toBe('[acme/deny-rule] Refused: "echo \'hi\' [31mred\ufffd".');
  const { message } = judge(bashCall(`start ${"x".repeat(100_000)} end`), [rule]);
  expect(message).toMatch(/"start x+ \[99810 characters left out\] x+ end"/);
  expect(message.length).toBeLessThan(300);
});

test("a field that is not there is an empty value in a message", () => {
  expect(judge(ls, [ruleOf("deny", { because: [{ field: ["input", "missing"] }, { field: ["path"] }] })]).message).toBe('[acme/deny-rule] """"');
});

test("a message stays below 2 kB and keeps its count", () => {
  const rules = Array.from({ length: 9 }, (_, index) => ruleOf("deny", { id: `a/r${index}`, because: ["\u{1f600}".repeat(1000)], suggest: ["y".repeat(1000)] }));
  const { message } = judge(ls, rules);
  expect(Buffer.byteLength(message)).toBeLessThan(2048);
  expect(message.endsWith("and 4 more")).toBe(true);
  expect(message).not.toMatch(/\p{Surrogate}/u);
});

// ---- laws ----

const json = fc.jsonValue() as fc.Arbitrary<Json>;
const anyCall = fc
  .record({
    toolClass: fc.constantFrom("bash", "write", "read", "search", "fetch", "agent", "mcp", undefined),
    fields: fc.dictionary(fc.constantFrom("command", "path", "content", "url", "domain", "agent", "mode", "subagent", "__proto__"), fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.boolean(), fc.array(fc.string()))),
    input: fc.dictionary(fc.string(), json),
    cwd: fc.constantFrom("/", "", projectRoot, "relative", "C:\\x"),
    folder: fc.option(fc.string({ unit: "binary" })),
  })
  .map(({ toolClass, fields, input, cwd, folder }) => toolCall(toolClass, "Tool", fields, { input, cwd, subject: { commands: [], paths: [], ...(folder !== null && { cwd: folder }) } }));

const anyField = fc.constantFrom("command", "path", "content", "url", "domain", "agent", "mode", "subagent", "branch", "cwd", "server", "exit", "input.a", "input", "nothing");
const anyValue: fc.Arbitrary<ComparePlan["values"][number]> = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => ({ kind: "text" as const, text })),
  fc.integer().map((value) => ({ kind: "number" as const, value })),
  anyField.map((field) => ({ kind: "field" as const, field: field.split(".") })),
  fc.constant({ kind: "pattern" as const, pattern: { source: "a|b", flags: "iu" } }),
  fc.constantFrom("src/**", "~/x", "/etc/**", "**").map((glob) => ({ kind: "globs" as const, globs: globsOf(glob) })),
);
const anyComparison: fc.Arbitrary<ConditionPlan> = fc.record({
  kind: fc.constant("compare" as const),
  field: anyField.map((field) => field.split(".")),
  measure: fc.constantFrom("length" as const, "lower" as const),
  operator: fc.constantFrom<ComparePlan["operator"]>("~", "==", "<", ">=", "contains", "starts-with", "ends-with", "matches"),
  values: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
}, { requiredKeys: ["kind", "field", "operator", "values"] });
const { condition: anyCondition } = fc.letrec<{ condition: ConditionPlan }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    anyComparison,
    anyField.map((field): ConditionPlan => ({ kind: "has", field: field.split(".") })),
    tie("condition").map((of): ConditionPlan => ({ kind: "not", of })),
    fc.record({ kind: fc.constantFrom("and" as const, "or" as const), of: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }) }),
  ),
}));
const anyRule = fc
  .record({ effect: fc.constantFrom("deny" as const, "ask" as const, "allow" as const), when: anyCondition, unless: fc.array(anyCondition, { maxLength: 2 }), unsure: fc.constantFrom("ask" as const, "deny" as const, "pass" as const), severity: fc.constantFrom("low" as const, "high" as const) })
  .map(({ effect, ...part }) => ruleOf(effect, part));
const anyWorld = fc.constantFrom(paperWorld(), paperWorld({ home: "" }), paperWorld({ platform: "windows", root: "C:/shop", home: "C:/ada" }), paperWorld({ branch: () => undefined }, { [projectRoot]: undefined }), paperWorld({}, { [homeFolder]: "/data" }));

test("no call and no rule makes the decision throw", () => {
  fc.assert(
    fc.property(anyCall, fc.array(anyRule, { maxLength: 4 }), anyWorld, (call, rules, world) => {
      const { effect, message, reasons } = judge(call, rules, world);
      expect(["deny", "ask", "allow", "pass"]).toContain(effect);
      expect(message === "").toBe(effect === "pass");
      expect(reasons.length > 0).toBe(effect !== "pass");
      expect(Buffer.byteLength(message)).toBeLessThan(2048);
    }),
    { numRuns: 3000 },
  );
});

test("the order of rules and a trace change no effect", () => {
  fc.assert(
    fc.property(anyCall, fc.array(anyRule, { maxLength: 5 }), anyWorld, (call, rules, world) => {
      const { effect } = judge(call, rules, world);
      expect(judge(call, [...rules].reverse(), world).effect).toBe(effect);
      expect(decide(planOf(...rules), call, world, { condition: () => undefined, rule: () => undefined }).effect).toBe(effect);
    }),
    { numRuns: 1500 },
  );
});

test("another rule never makes a decision weaker", () => {
  const strictness = ["pass", "allow", "ask", "deny"];
  fc.assert(
    fc.property(anyCall, fc.array(anyRule, { maxLength: 3 }), anyRule, anyWorld, (call, rules, one, world) => {
      expect(strictness.indexOf(judge(call, [...rules, one], world).effect)).toBeGreaterThanOrEqual(strictness.indexOf(judge(call, rules, world).effect));
    }),
    { numRuns: 1500 },
  );
});

test("what holds certainly where it relaxes is not ruled out where it restricts", () => {
  fc.assert(
    fc.property(anyCall, anyCondition, anyWorld, (call, condition, world) => {
      const { wide, narrow } = truths(condition, call, world);
      if (narrow === true) expect(wide).toBe(true);
      if (wide === false) expect(narrow).toBe(false);
    }),
    { numRuns: 4000 },
  );
});
