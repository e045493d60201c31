import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import { register as registerBob } from "../src/hosts/bob/register.ts";
import { composeMatcher, register as registerClaude } from "../src/hosts/claude/register.ts";
import type { HookEntry, Registered, Registration } from "../src/hosts/host.ts";
import { composeMatch, register as registerVibe } from "../src/hosts/vibe/register.ts";

type Register = typeof registerClaude;

const bash = [{ kind: "class", toolClass: "bash" }] as const;
const entry = (event: string, change: Partial<HookEntry> = {}): HookEntry => ({ event, tools: bash, failClosed: true, timeout: 10, rules: ["acme/deny-bash-1f0c"], ...change });
const registration = (entries: readonly HookEntry[], denials: readonly string[] = []): Registration => ({ policy: "acme", scope: "project", entries, denials });
const removal = registration([]);
const file = (text: string | undefined): SourceFile | undefined => (text === undefined ? undefined : { path: "settings", text });

const claudeEntries = registration([entry("PreToolUse"), entry("UserPromptSubmit", { tools: undefined })], ["Read(.env)", "Edit(.claude/**)"]);
const bobEntries = registration([entry("PreToolUse", { timeout: 60 })]);
const vibeEntries = registration([entry("pre_tool"), entry("post_agent", { tools: undefined })]);
const hosts: readonly { readonly name: string; readonly register: Register; readonly wanted: Registration }[] = [
  { name: "Claude Code", register: registerClaude, wanted: claudeEntries },
  { name: "Bob Shell", register: registerBob, wanted: bobEntries },
  { name: "Mistral Vibe", register: registerVibe, wanted: vibeEntries },
];

/** Registers, then again, then takes everything out; the second build must not change a byte. */
function roundTrip(register: Register, wanted: Registration, text: string | undefined): { readonly built: Registered; readonly removed: string | undefined } {
  const built = register(wanted, file(text), undefined);
  expect(built.diagnostics).toEqual([]);
  const again = register(wanted, file(built.settings), file(built.ledger));
  expect(again).toEqual({ settings: built.settings, ledger: built.ledger, diagnostics: [] });
  const removed = register(removal, file(built.settings), file(built.ledger));
  expect(removed.ledger).toBeUndefined();
  expect(removed.diagnostics).toEqual([]);
  return { built, removed: removed.settings };
}

function refusal(register: Register, wanted: Registration, text: string): { readonly codes: readonly string[]; readonly at: readonly string[]; readonly messages: string } {
  const result = register(wanted, file(text), undefined);
  expect(result.settings).toBe(text);
  expect(result.ledger).toBeUndefined();
  return {
    codes: result.diagnostics.map(({ code }) => code),
    at: result.diagnostics.map(({ span }) => (span ? text.slice(span.start, span.end) : "")),
    messages: result.diagnostics.map(({ message }) => message).join("\n"),
  };
}

test.each(hosts)("registering makes a missing settings file and removing takes it away, on $name", ({ register, wanted }) => {
  const { built, removed } = roundTrip(register, wanted, undefined);
  expect(built.settings).toContain("policyc/guard.cjs");
  expect(removed).toBeUndefined();
});

test.each(hosts)("an empty settings file is empty again after removal, on $name", ({ register, wanted }) => {
  expect(roundTrip(register, wanted, "").removed).toBe("");
});

test.each(hosts)("removing where nothing was ever built changes nothing, on $name", ({ register }) => {
  expect(register(removal, undefined, undefined)).toEqual({ settings: undefined, ledger: undefined, diagnostics: [] });
  expect(register(removal, file(""), undefined).settings).toBe("");
});

test("Claude Code's entry is in exec form, with a time-out, and blocks on failure only where it fails closed", () => {
  const { settings } = registerClaude(registration([entry("PreToolUse"), entry("SessionStart", { tools: undefined, failClosed: false })]), undefined, undefined);
  expect(JSON.parse(settings ?? "")).toEqual({
    hooks: {
      PreToolUse: [{ matcher: "Bash|Monitor", hooks: [{ type: "command", command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"], timeout: 10, onFailure: "block" }] }],
      SessionStart: [{ hooks: [{ type: "command", command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "SessionStart"], timeout: 10 }] }],
    },
  });
});

test("Bob Shell's entry has no matcher and only the fields of its schema", () => {
  const { settings } = registerBob(registration([entry("PreToolUse", { timeout: 60 }), entry("SessionStart", { failClosed: false, timeout: 60 })]), undefined, undefined);
  expect(JSON.parse(settings ?? "")).toEqual({
    hooks: {
      PreToolUse: [{ hooks: [{ type: "command", command: "node .bob/policyc/guard.cjs PreToolUse || exit 2", timeout: 60 }] }],
      SessionStart: [{ hooks: [{ type: "command", command: "node .bob/policyc/guard.cjs SessionStart", timeout: 60 }] }],
    },
  });
});

test("Mistral Vibe's entries are strict for tools and never after the agent", () => {
  const { settings = "" } = registerVibe(registration([entry("pre_tool"), entry("post_tool", { failClosed: false }), entry("post_agent", { tools: undefined, timeout: 12.5 })]), undefined, undefined);
  expect(settings.startsWith("# policyc:begin\n[[hooks]]\n")).toBe(true);
  expect(settings.endsWith("\n# policyc:end\n")).toBe(true);
  const { hooks } = parse(settings) as unknown as { hooks: Record<string, unknown>[] };
  expect(hooks.map(({ name, ...rest }) => rest)).toEqual([
    { type: "pre_tool", match: "re:bash|git_bash|process_start|process_write", command: "node .vibe/policyc/guard.cjs pre_tool", timeout: 10, strict: true, description: "acme (policyc): deny-bash-1f0c" },
    { type: "post_tool", match: "re:bash|git_bash|process_start|process_write", command: "node .vibe/policyc/guard.cjs post_tool", timeout: 10, description: "acme (policyc): deny-bash-1f0c" },
    { type: "post_agent", command: "node .vibe/policyc/guard.cjs post_agent", timeout: 12.5, description: "acme (policyc): deny-bash-1f0c" },
  ]);
  expect(settings).toContain("timeout = 10.0\n");
  expect(hooks.map(({ name }) => name)).toEqual(["pre_tool", "post_tool", "post_agent"].map((event) => expect.stringMatching(new RegExp(`^policyc-project-acme-${event}-[0-9a-f]{8}$`))));
});

test("names of Mistral Vibe's entries are plain whatever the policy is called, and differ between policies", () => {
  const names = ["acme: web", "acme; web"].map((policy) => /name = "(.*)"/.exec(registerVibe({ ...vibeEntries, policy }, undefined, undefined).settings ?? "")?.[1]);
  expect(names[0]).toMatch(/^policyc-project-acme-web-pre_tool-[0-9a-f]{8}$/);
  expect(names[0]).not.toBe(names[1]);
});

test("a description in TOML survives quotes, control characters and letters outside ASCII", () => {
  const policy = 'a"b\\c\u007f\u00e9\u{1f600}\n';
  const { settings = "" } = registerVibe({ ...vibeEntries, policy, entries: [entry("pre_tool", { rules: [`${policy}/x`] })] }, undefined, undefined);
  expect(settings).toMatch(/^[\n\x20-\x7e]*$/);
  expect((parse(settings) as unknown as { hooks: { description: string }[] }).hooks[0]?.description).toBe(`${policy} (policyc): x`);
});

test.each([
  [undefined, undefined],
  [bash, "Bash|Monitor"],
  [[...bash, { kind: "class", toolClass: "write" }, ...bash], "Bash|Monitor|Write"],
  [[{ kind: "tool", name: "mcp__github__delete_repo" }], "mcp__github__delete_repo"],
  [[{ kind: "mcp", server: { text: "github", star: false } }], "^mcp__github__"],
  [[{ kind: "mcp", server: { text: "git", star: true } }], "^mcp__git"],
  [[{ kind: "mcp", server: { text: "", star: true } }], "^mcp__"],
  [[...bash, { kind: "mcp", server: { text: "github", star: false } }], "^(?:Bash|Monitor)$|^mcp__github__"],
  [[{ kind: "tool", name: "odd.name|x" }], "^(?:odd\\.name\\|x)$"],
] as const)("Claude Code's matcher for %j is %s", (tools, matcher) => {
  expect(composeMatcher(tools)).toBe(matcher);
});

/** As the client compares: only these characters, and it is a list of exact names; else an unanchored expression. */
function claudeMatches(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined) return true;
  if (/^[\w\-, |]*$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === tool);
  return new RegExp(matcher).test(tool);
}

test("Claude Code's matcher takes exactly the tools it was made of", () => {
  const mixed = composeMatcher([...bash, { kind: "mcp", server: { text: "github", star: false } }]);
  for (const tool of ["Bash", "Monitor", "mcp__github__delete_repo"]) expect(claudeMatches(mixed, tool)).toBe(true);
  for (const tool of ["BashOutput", "MyBash", "mcp__github", "mcp__github_enterprise__x", "x_mcp__github__y", "Write"]) expect(claudeMatches(mixed, tool)).toBe(false);
});

test.each([
  [undefined, undefined],
  [bash, "re:bash|git_bash|process_start|process_write"],
  [[{ kind: "tool", name: "file_system.bash" }], "re:file_system\\.bash"],
  [[{ kind: "mcp", server: { text: "my-github", star: false } }], "re:mcp_my_github[._].*|my_github[._].*"],
] as const)("Mistral Vibe's match for %j is %s", (tools, match) => {
  expect(composeMatch(tools)).toBe(match);
});

test("Claude Code's other settings keep order, tabs, line ends and the missing last line break", () => {
  const before = '{\r\n\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"PreToolUse": [\r\n\t\t\t{ "matcher": "Write", "hooks": [ { "type": "command", "command": "./lint.sh" } ] }\r\n\t\t]\r\n\t},\r\n\t"env": {}\r\n}';
  const { built, removed } = roundTrip(registerClaude, claudeEntries, before);
  const text = built.settings ?? "";
  expect(removed).toBe(before);
  expect(text.replace(/\r\n/g, "")).not.toContain("\n");
  expect(text).toContain('\r\n\t\t\t{ "matcher": "Write", "hooks": [ { "type": "command", "command": "./lint.sh" } ] },\r\n\t\t\t{\r\n\t\t\t\t"matcher": "Bash|Monitor",');
  expect(text.endsWith('\r\n}')).toBe(true);
  expect(Object.keys(JSON.parse(text) as object)).toEqual(["model", "hooks", "env", "permissions"]);
});

test("a byte order mark and four blanks of indentation stay", () => {
  const before = '\uFEFF{\n    "model": "opus"\n}\n';
  const { built, removed } = roundTrip(registerClaude, registration([entry("PreToolUse")]), before);
  expect(removed).toBe(before);
  expect(built.settings?.startsWith('\uFEFF{\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [\n            {\n')).toBe(true);
});

test("a byte order mark that a host is not known to read is refused, and stands in the way of no removal", () => {
  const before = '\uFEFF{ "theme": "dark" }';
  const { codes, at } = refusal(registerBob, bobEntries, before);
  expect({ codes, at }).toEqual({ codes: ["settings/host-ignores-file"], at: ["\uFEFF"] });
  const built = registerBob(bobEntries, file(before.slice(1)), undefined);
  const removed = registerBob({ ...bobEntries, entries: [], denials: [] }, file(`\uFEFF${built.settings}`), built.ledger === undefined ? undefined : file(built.ledger));
  expect(removed).toMatchObject({ settings: before, diagnostics: [] });
});

test("settings on one line stay on one line", () => {
  const before = '{"model":"opus","hooks":{"Stop":[]}}';
  const { built, removed } = roundTrip(registerClaude, registration([entry("Stop", { tools: undefined, failClosed: false })]), before);
  expect(built.settings).toBe('{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"node","args":["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs","Stop"],"timeout":10}]}]}}');
  expect(removed).toBe(before);
});

test("empty containers get back their own white space", () => {
  const before = '{\n  "hooks": {\n  },\n  "permissions": { "deny": [ ] }\n}\n';
  expect(roundTrip(registerClaude, claudeEntries, before).removed).toBe(before);
});

test("what people add between build and removal survives", () => {
  const { settings = "", ledger } = registerClaude(registration([entry("PreToolUse")]), undefined, undefined);
  const edited = JSON.parse(settings) as { hooks: { PreToolUse: unknown[]; Stop?: unknown[] }; model?: string };
  edited.hooks.PreToolUse.push({ matcher: "Write", hooks: [{ type: "command", command: "./lint.sh" }] });
  edited.model = "opus";
  const text = JSON.stringify(edited, undefined, 4);
  expect(registerClaude(registration([entry("PreToolUse")]), file(text), file(ledger)).settings).toBe(text);
  const removed = registerClaude(removal, file(text), file(ledger)).settings ?? "";
  expect(JSON.parse(removed)).toEqual({ hooks: { PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: "./lint.sh" }] }] }, model: "opus" });
});

test("a handler that people put into policyc's group stays when policyc's own goes", () => {
  const { settings = "", ledger } = registerClaude(registration([entry("PreToolUse")]), undefined, undefined);
  const edited = JSON.parse(settings) as { hooks: { PreToolUse: { hooks: unknown[] }[] } };
  edited.hooks.PreToolUse[0]?.hooks.unshift({ type: "command", command: "./lint.sh" });
  const text = JSON.stringify(edited);
  expect(registerClaude(registration([entry("PreToolUse")]), file(text), file(ledger)).settings).toBe(text);
  expect(JSON.parse(registerClaude(removal, file(text), file(ledger)).settings ?? "")).toEqual({ hooks: { PreToolUse: [{ matcher: "Bash|Monitor", hooks: [{ type: "command", command: "./lint.sh" }] }] } });
});

test.each([
  ["an older time-out", { command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"], timeout: 5 }],
  ["a dry run", { command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse", "dry"], timeout: 10, onFailure: "block" }],
  ["no switch for failures", { command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"], timeout: 10 }],
  ["another event", { command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PostToolUse"], timeout: 10, onFailure: "block" }],
  ["a shell form", { command: 'node "$CLAUDE_PROJECT_DIR"/.claude/policyc/guard.cjs PreToolUse', timeout: 10 }],
  ["a value the client refuses", { command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"], timeout: 0 }],
])("an entry of policyc with %s is replaced in its place", (_title, handler) => {
  const foreign = { matcher: "Write", hooks: [{ type: "command", command: "./lint.sh" }] };
  const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", ...handler }] }, foreign] } }, undefined, 2);
  const { settings = "" } = registerClaude(registration([entry("PreToolUse")]), file(text), undefined);
  const wanted = JSON.parse(registerClaude(registration([entry("PreToolUse")]), undefined, undefined).settings ?? "") as { hooks: { PreToolUse: unknown[] } };
  expect((JSON.parse(settings) as typeof wanted).hooks.PreToolUse).toEqual([...wanted.hooks.PreToolUse, foreign]);
});

test("an entry that moved to another event is taken from there", () => {
  const built = registerClaude(registration([entry("PreToolUse")]), undefined, undefined);
  const moved = (built.settings ?? "").replace('"PreToolUse": [', '"PostToolUse": [');
  expect(registerClaude(registration([entry("PreToolUse")]), file(moved), file(built.ledger)).settings).toContain('"PreToolUse": [');
  expect(registerClaude(removal, file(moved), undefined).settings).not.toContain("guard.cjs");
});

test("several stale entries of policyc leave one", () => {
  const own = { type: "command", command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"], timeout: 3 };
  const text = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [own, own] }, { hooks: [{ type: "command", command: "./a.sh" }, own] }, { hooks: [own] }] } });
  const { settings = "" } = registerClaude(registration([entry("PreToolUse")]), file(text), undefined);
  expect(settings.match(/guard\.cjs/g)).toHaveLength(1);
  expect(settings).toContain("./a.sh");
});

test.each([
  ["claude", registerClaude, claudeEntries, { type: "command", command: "./wrap.sh", args: ["${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"] }],
  ["claude", registerClaude, claudeEntries, { type: "command", command: "node", args: ["--require", "./x.js", "${CLAUDE_PROJECT_DIR}/.claude/policyc/guard.cjs", "PreToolUse"] }],
  ["claude", registerClaude, claudeEntries, { type: "command", command: "echo .claude/policyc/guard.cjs" }],
  ["bob", registerBob, bobEntries, { type: "command", command: "time node .bob/policyc/guard.cjs PreToolUse || exit 2" }],
  ["bob", registerBob, bobEntries, { type: "command", command: "node .bob/policyc/guard.cjs PreToolUse; ./after.sh" }],
] as const)("a foreign entry on %s that only mentions the guard is left alone", (_host, register, wanted, handler) => {
  const before = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }, undefined, 2);
  const { built, removed } = roundTrip(register, wanted, before);
  expect((JSON.parse(built.settings ?? "") as { hooks: { PreToolUse: unknown[] } }).hooks.PreToolUse[0]).toEqual({ hooks: [handler] });
  expect(removed).toBe(before);
});

test("a permission string that stood there before is neither doubled nor removed", () => {
  const before = '{ "permissions": { "deny": ["Read(.env)"] } }';
  const { built, removed } = roundTrip(registerClaude, registration([], ["Read(.env)", "Edit(.claude/**)"]), before);
  expect(built.settings).toBe('{ "permissions": { "deny": ["Read(.env)", "Edit(.claude/**)"] } }');
  expect(removed).toBe(before);
});

test("a permission string that the policy dropped goes with the next build", () => {
  const first = registerClaude(registration([entry("PreToolUse")], ["Read(.env)", "Read(secrets/**)"]), undefined, undefined);
  const second = registerClaude(registration([entry("PreToolUse")], ["Read(secrets/**)"]), file(first.settings), file(first.ledger));
  expect((JSON.parse(second.settings ?? "") as { permissions: unknown }).permissions).toEqual({ deny: ["Read(secrets/**)"] });
});

test("an event that the policy dropped leaves no list behind", () => {
  const first = registerBob(registration([entry("PreToolUse"), entry("UserPromptSubmit")]), undefined, undefined);
  const second = registerBob(registration([entry("UserPromptSubmit")]), file(first.settings), file(first.ledger));
  expect(Object.keys((JSON.parse(second.settings ?? "") as { hooks: object }).hooks)).toEqual(["UserPromptSubmit"]);
});

test("without a ledger nothing unmarked is removed, and a note says what was left", () => {
  const { settings } = registerClaude(claudeEntries, undefined, undefined);
  const removed = registerClaude(removal, file(settings), undefined);
  expect(JSON.parse(removed.settings ?? "")).toEqual({ hooks: { PreToolUse: [], UserPromptSubmit: [] }, permissions: { deny: ["Read(.env)", "Edit(.claude/**)"] } });
  expect(removed.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["settings/ledger-missing", "note"]]);
  expect(removed.diagnostics[0]?.notes).toHaveLength(3);
});

test("without a ledger no empty list stays on Bob Shell, where it would switch off every hook", () => {
  const { settings } = registerBob(bobEntries, undefined, undefined);
  expect(JSON.parse(registerBob(removal, file(settings), undefined).settings ?? "")).toEqual({ hooks: {} });
});

test.each(["", "null", "[]", '{"format":1}', '{"format":1,"created":["../x"],"inside":{},"denials":[]}', '{"format":1,"created":[],"inside":{"":"x"},"denials":[]}', '{"format":1,"before":"rm","created":[],"inside":{},"denials":[]}'])(
  "a ledger that reads %j counts as none",
  (text) => {
    const { settings } = registerClaude(claudeEntries, undefined, undefined);
    const removed = registerClaude(removal, file(settings), file(text));
    expect(removed.diagnostics.map(({ code }) => code)).toEqual(["settings/ledger-missing"]);
    expect(removed.settings).toContain("Read(.env)");
  },
);

test("the ledger is sorted and does not depend on the order of the policy", () => {
  const one = registerClaude(claudeEntries, file("{}"), undefined).ledger;
  const other = registerClaude(registration([...claudeEntries.entries].reverse(), [...claudeEntries.denials].reverse()), file("{}"), undefined).ledger;
  expect(one).toBe(other);
});

test.each([
  ["a comment", '{\n  // mine\n  "model": "opus"\n}', "// mine"],
  ["a comma too many", '{ "model": "opus", }', "}"],
  ["a time-out of 0", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./lint.sh","timeout":0}]}]}}', '"timeout":0'],
  ["a time-out in quotes", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./lint.sh","timeout":"5"}]}]}}', '"timeout":"5"'],
  ["no type", '{"hooks":{"PreToolUse":[{"hooks":[{"command":"./lint.sh"}]}]}}', '{"command":"./lint.sh"}'],
  ["a matcher that is a list", '{"hooks":{"PreToolUse":[{"matcher":["Bash"],"hooks":[]}]}}', '"matcher":["Bash"]'],
  ["a wrong word for failures", '{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"./lint.sh","onFailure":"deny"}]}]}}', '"onFailure":"deny"'],
  ["hooks that are a list", '{"hooks":[]}', '"hooks":[]'],
  ["hooks that are null", '{"hooks":null}', '"hooks":null'],
  ["an event that is no list", '{"hooks":{"PreToolUse":{}}}', '"PreToolUse":{}'],
  ["a group without handlers", '{"hooks":{"PreToolUse":[{"matcher":"Bash"}]}}', '{"matcher":"Bash"}'],
  ["an address that is none", '{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"nope"}]}]}}', '"url":"nope"'],
  ["a model that is a number", '{"model":4}', '"model":4'],
  ["an environment that is a list", '{"env":[]}', '"env":[]'],
  ["no days at all", '{"cleanupPeriodDays":0}', '"cleanupPeriodDays":0'],
  ["an unknown mode", '{"permissions":{"defaultMode":"yolo"}}', '"defaultMode":"yolo"'],
  ["every hook switched off", '{"disableAllHooks":true}', '"disableAllHooks":true'],
  ["hooks twice", '{"hooks":{},"hooks":{}}', '"hooks":{}'],
  ["an event twice", '{"hooks":{"Stop":[],"Stop":[]}}', '"Stop":[]'],
])("Claude Code would ignore a file with %s: it stays as it is and the place is named", (_title, text, place) => {
  const { codes, at } = refusal(registerClaude, claudeEntries, text);
  expect(codes).toEqual(["settings/host-ignores-file"]);
  expect(at).toEqual([place]);
});

test.each([
  ["{", "`}` is expected here"],
  ['{ "hooks": { "Stop": [ ] }', "`}` is expected here"],
  ['{ "hooks": { "Stop": [ } }', "a value is expected here"],
  ['{ "a": [1', "`]` is expected here"],
  ['{ "hooks" {} }', "`:` is expected here"],
  ['{ "a": 1 "b": 2 }', "`,` is expected here"],
  ["{ hooks: {} }", "this is no value of JSON"],
  ['{ "a": }', "a value is expected here"],
  ['{ "a": "b }', "this text is never closed with `\"`"],
  ["{} {}", "the text goes on behind its end"],
])("the message about %s says what is wrong at the first place", (text, why) => {
  const { codes, messages } = refusal(registerClaude, claudeEntries, text);
  expect(codes).toEqual(["settings/unreadable"]);
  expect(messages).toContain(why);
});

test("the message tells a lost file from a lost entry", () => {
  const handler = '[{"hooks":[{"type":"command","command":"./lint.sh","timeout":0}]}]';
  expect(refusal(registerClaude, claudeEntries, `{"hooks":{"PreToolUse":${handler}}}`).messages).toContain("the whole file: `hooks.PreToolUse[0].hooks[0].timeout`");
  expect(refusal(registerClaude, claudeEntries, `{"hooks":{"Stop":${handler}}}`).messages).toContain("ignore `hooks.Stop[0]`");
  expect(refusal(registerClaude, claudeEntries, '{"permissions":{"deny":[1]}}').messages).toContain("ignore `permissions.deny[0]`");
});

test.each([
  ["an empty list of groups", '{"hooks":{"PreToolUse":[]}}', '"PreToolUse":[]'],
  ["an empty list of handlers", '{"hooks":{"Stop":[{"hooks":[]}]}}', '"hooks":[]'],
  ["an event it does not know", '{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"./x.sh"}]}]}}', '"SessionEnd":[{"hooks":[{"type":"command","command":"./x.sh"}]}]'],
  ["a field it does not know", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./x.sh","name":"x"}]}]}}', '"name":"x"'],
  ["a time-out of 0", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./x.sh","timeout":0}]}]}}', '"timeout":0'],
  ["a comment", '{ /* mine */ }', "/* mine */"],
])("Bob Shell would ignore hooks with %s: the file stays as it is and the place is named", (_title, text, place) => {
  const { codes, at } = refusal(registerBob, bobEntries, text);
  expect(codes).toEqual(["settings/host-ignores-file"]);
  expect(at).toEqual([place]);
});

const table = (fields: string) => `[[hooks]]\n${fields}\n`;

test.each([
  ["an old type", table("name='a'\ntype='before_tool'\ncommand='x'"), "[[hooks]]"],
  ["no name", table("type='pre_tool'\ncommand='x'"), "[[hooks]]"],
  ["a blank command", table("name='a'\ntype='pre_tool'\ncommand=' '"), "[[hooks]]"],
  ["strict after the agent", table("name='a'\ntype='post_agent'\ncommand='x'\nstrict=true"), "[[hooks]]"],
  ["a match after the agent", table("name='a'\ntype='post_agent'\ncommand='x'\nmatch='main'"), "[[hooks]]"],
  ["one name twice", table("name='a'\ntype='pre_tool'\ncommand='x'") + table("name='a'\ntype='pre_tool'\ncommand='y'"), "[[hooks]]"],
  ["hooks that are a number", "hooks = 3\n", "hooks ="],
  ["hooks in one list", "hooks = [{ name = 'a', type = 'pre_tool', command = 'x' }]\n", "hooks ="],
  ["TOML 1.1", "t = { a = 1,\n b = 2 }\n", "\n"],
])("Mistral Vibe would drop something of a file with %s: it stays as it is and the place is named", (_title, text, place) => {
  const { codes, at } = refusal(registerVibe, vibeEntries, text);
  expect(codes).toEqual(["settings/host-ignores-file"]);
  expect(at).toEqual([place]);
});

test("an entry with the name of policyc's own is named, because the host keeps only the first", () => {
  const name = /name = "(.*)"/.exec(registerVibe(vibeEntries, undefined, undefined).settings ?? "")?.[1] ?? "";
  const { codes, messages } = refusal(registerVibe, vibeEntries, `${table("name='a'\ntype='pre_tool'\ncommand='x'")}${table(`name='${name}'\ntype='pre_tool'\ncommand='true'`)}`);
  expect(codes).toEqual(["settings/host-ignores-file"]);
  expect(messages).toContain("`hooks[1]` has the name of policyc's own entry");
});

test.each([
  [registerClaude, claudeEntries, '{"hooks":'],
  [registerClaude, claudeEntries, "[]"],
  [registerClaude, claudeEntries, "[".repeat(200_000)],
  [registerClaude, claudeEntries, `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  [registerBob, bobEntries, "hooks: none"],
  [registerVibe, vibeEntries, "[[hooks]\n"],
  [registerVibe, vibeEntries, "a = 1\na = 2\n"],
] as const)("settings that do not parse are left as they are", (register, wanted, text) => {
  expect(refusal(register, wanted, text).codes).toEqual(["settings/unreadable"]);
  expect(register(removal, file(text), undefined).settings).toBe(text);
});

test("a foreign entry at fault does not stand in the way of removal", () => {
  const { settings = "", ledger } = registerClaude(registration([entry("PreToolUse")]), undefined, undefined);
  const text = settings.replace('"PreToolUse": [', '"PreToolUse": [\n      { "hooks": [ { "command": "./x.sh" } ] },');
  const removed = registerClaude(removal, file(text), file(ledger));
  expect(removed.diagnostics).toEqual([]);
  expect(JSON.parse(removed.settings ?? "")).toEqual({ hooks: { PreToolUse: [{ hooks: [{ command: "./x.sh" }] }] } });
});

test("everything outside the block keeps its bytes, comments and line ends included", () => {
  const before = "# ours\r\n[[hooks]] # lint\r\nname = 'lint'\r\ntype = 'post_tool'\r\ncommand = './lint.sh'\r\n";
  const { built, removed } = roundTrip(registerVibe, vibeEntries, before);
  expect(built.settings?.startsWith(before)).toBe(true);
  expect(built.settings?.replace(/\r\n/g, "")).not.toContain("\n");
  expect(removed).toBe(before);
});

test("the block stays where people moved it and is not touched while it is right", () => {
  const { settings = "", ledger } = registerVibe(vibeEntries, undefined, undefined);
  const moved = `# first\n${settings}# after\n${table("name = 'lint'\ntype = 'post_tool'\ncommand = './lint.sh'")}`;
  expect(registerVibe(vibeEntries, file(moved), file(ledger)).settings).toBe(moved);
  const changed = registerVibe(registration([entry("pre_tool")]), file(moved), file(ledger)).settings ?? "";
  expect(changed.indexOf("# policyc:end")).toBeLessThan(changed.indexOf("# after"));
  expect(registerVibe(removal, file(changed), file(ledger)).settings).toBe(`# first\n# after\n${table("name = 'lint'\ntype = 'post_tool'\ncommand = './lint.sh'")}`);
});

test("marker lines inside a text of somebody's are no markers", () => {
  const before = 'note = """\n# policyc:begin\n"""\n# see "# policyc:end"\n';
  expect(roundTrip(registerVibe, vibeEntries, before).removed).toBe(before);
});

test.each([
  ["without an end", (block: string) => block.replace("# policyc:end\n", "")],
  ["without a begin", (block: string) => block.replace("# policyc:begin\n", "")],
  ["twice", (block: string) => block + block.replace(/name = "/g, 'name = "x')],
  ["followed by a key, which would belong to policyc's last entry", (block: string) => `${block}cwd = '/'\n`],
  ["around somebody else's entry", (block: string) => block.replace("# policyc:end", `${table("name = 'lint'\ntype = 'post_tool'\ncommand = './lint.sh'")}# policyc:end`)],
  ["around another table", (block: string) => block.replace("# policyc:end", "[other]\n# policyc:end")],
  ["inside a list", () => "x = [\n# policyc:begin\n# policyc:end\n]\n"],
])("a block %s is refused", (_title, damage) => {
  const { settings = "" } = registerVibe(registration([entry("pre_tool")]), undefined, undefined);
  expect(refusal(registerVibe, vibeEntries, damage(settings)).codes).toEqual(["settings/broken-block"]);
});

test("an entry of policyc that somebody weakened is put right", () => {
  const { settings = "", ledger } = registerVibe(vibeEntries, undefined, undefined);
  const weakened = settings.replace("strict = true\n", "").replace("node .vibe/policyc/guard.cjs pre_tool", "true");
  expect(registerVibe(vibeEntries, file(weakened), file(ledger)).settings).toBe(settings);
});

/** A JSON value printed in a layout of its own. */
function print(value: unknown, layout: { readonly unit: string | undefined; readonly eol: string; readonly colon: string; readonly empty: string }, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList ? value.map((item) => print(item, layout, depth + 1)) : Object.entries(value).map(([key, item]) => JSON.stringify(key) + layout.colon + print(item, layout, depth + 1));
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + layout.empty + close;
  if (layout.unit === undefined) return open + items.join(layout.colon === ":" ? "," : ", ") + close;
  const indent = layout.eol + layout.unit.repeat(depth + 1);
  return open + indent + items.join("," + indent) + layout.eol + layout.unit.repeat(depth) + close;
}

const layouts = fc.record({ unit: fc.constantFrom(undefined, "\t", "  ", "    "), eol: fc.constantFrom("\n", "\r\n"), colon: fc.constantFrom(":", ": "), empty: fc.constantFrom("", " ", "\n\t") });
const word = fc.constantFrom("lint", "format", "audit", "deploy", "caf\u00e9", "__proto__", "a b");
const handlers = fc.record({ type: fc.constant("command"), command: fc.constantFrom("./lint.sh", "node x.js", "echo .claude/policyc/guard.cjs"), timeout: fc.integer({ min: 1, max: 60 }) }, { requiredKeys: ["type", "command"] });
const json = fc.jsonValue({ maxDepth: 3 });
const foreign = fc.dictionary(word, json, { maxKeys: 3 });
const frameOf = (leads: readonly string[]) => fc.record({ lead: fc.constantFrom(...leads), tail: fc.constantFrom("", "\n", "\r\n", "\n\n") });

function settingsOf(smallest: number): fc.Arbitrary<object> {
  const group = fc.record({ matcher: fc.constantFrom("Bash", "Write|Edit"), hooks: fc.array(handlers, { minLength: smallest, maxLength: 3 }) }, { requiredKeys: ["hooks"] });
  const groups = fc.array(group, { minLength: smallest, maxLength: 3 });
  const hooks = fc.record({ PreToolUse: groups, Stop: groups, UserPromptSubmit: groups }, { requiredKeys: [] });
  const permissions = fc.record({ allow: fc.array(word, { maxLength: 2 }), deny: fc.array(fc.constantFrom("Read(.env)", "WebFetch"), { maxLength: 2 }) }, { requiredKeys: [] });
  return fc.tuple(foreign, fc.record({ hooks, permissions }, { requiredKeys: [] }), foreign).map(([front, own, back]) => Object.fromEntries([...Object.entries(front), ...Object.entries(own), ...Object.entries(back)]));
}

/** The parsed settings without what policyc puts in, the permission strings it would add included. */
function withoutOwn(text: string): Record<string, unknown> {
  const settings = JSON.parse(text.replace("\uFEFF", "")) as { hooks?: Record<string, readonly unknown[]>; permissions?: { deny?: readonly string[] } };
  const isOwn = (group: unknown) => /"(?:node","args":\["\$\{CLAUDE_PROJECT_DIR\}\/\.claude|node \.bob)\/policyc\/guard\.cjs/.test(JSON.stringify(group));
  const hooks = settings.hooks && Object.fromEntries(Object.entries(settings.hooks).map(([event, groups]) => [event, groups.filter((group) => !isOwn(group))]));
  const deny = settings.permissions?.deny?.filter((text) => !claudeEntries.denials.includes(text));
  return { ...settings, ...(hooks && { hooks }), ...(deny && { permissions: { ...settings.permissions, deny } }) };
}

test.each([
  { name: "Claude Code", register: registerClaude, wanted: claudeEntries, smallest: 0, leads: ["", "\uFEFF", "\n"] },
  { name: "Bob Shell", register: registerBob, wanted: bobEntries, smallest: 1, leads: ["", "\n"] },
])("whatever a valid settings file holds and looks like: building twice is building once, removal gives back the bytes, on $name", ({ register, wanted, smallest, leads }) => {
  fc.assert(
    fc.property(settingsOf(smallest), layouts, frameOf(leads), (value, layout, { lead, tail }) => {
      const before = lead + print(value, layout) + tail;
      const { built, removed } = roundTrip(register, wanted, before);
      expect(removed).toBe(before);
      // Through text, because the text is what policyc sees: it knows no -0.
      const was = withoutOwn(JSON.stringify(value));
      const now = withoutOwn(built.settings ?? "");
      expect(now).toMatchObject(was);
      expect(Object.keys(now).slice(0, Object.keys(was).length)).toEqual(Object.keys(was));
    }),
    { numRuns: 200 },
  );
});

test("whatever a valid hooks.toml holds: building twice is building once, removal gives back the bytes, the text around the block stays", () => {
  const line = fc.constantFrom("# note", "", "[other]", "a = 1 # x", 't = """\n# policyc:begin\n"""', "[[hooks]]\nname = 'lint'\ntype = 'post_tool'\ncommand = './lint.sh'", "[[hooks]] # two\nname = 'audit'\ntype = 'pre_tool'\ncommand = 'x'\ntimeout = 5");
  fc.assert(
    fc.property(fc.uniqueArray(line), fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.constantFrom("", "\uFEFF"), (lines, eol, closed, mark) => {
      const keys = lines.filter((text) => text.startsWith("a =") || text.startsWith("t ="));
      const ordered = [...keys, ...lines.filter((text) => !keys.includes(text))].join("\n").replace(/\n/g, eol);
      const before = mark + ordered + (closed ? eol : "");
      const { built, removed } = roundTrip(registerVibe, vibeEntries, before);
      expect(built.settings?.startsWith(before)).toBe(true);
      expect(removed).toBe(before);
    }),
    { numRuns: 200 },
  );
});
