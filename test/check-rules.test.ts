/** Triggers, effects, clauses, examples, ids and silencers of single rules. */
import { expect, test } from "vitest";
import { check, checkFiles, findings, hosts, pointed, ruleOf } from "./checking.ts";

test("tools of every kind are told apart, and `shell` is two classes", () => {
  const tools = (selector: string) => ruleOf(`deny ${selector}`).tools.map((tool) => tool.pattern);
  expect(tools("bash, write")).toEqual([{ kind: "class", name: "bash" }, { kind: "class", name: "write" }]);
  expect(tools("before shell")).toEqual([{ kind: "class", name: "bash" }, { kind: "class", name: "powershell" }]);
  expect(tools("any")).toEqual([{ kind: "any" }]);
  expect(tools('"NotebookEdit"')).toEqual([{ kind: "tool", name: "NotebookEdit" }]);
  expect(tools('agent, agent("reviewer", "explore")')).toEqual([{ kind: "class", name: "agent" }, { kind: "agent", names: ["reviewer", "explore"] }]);
  expect(tools("mcp(*, github.delete_*, linear)")).toEqual([
    { kind: "mcp", server: { text: "", star: true } },
    { kind: "mcp", server: { text: "github", star: false }, tool: { text: "delete_", star: true } },
    { kind: "mcp", server: { text: "linear", star: false } },
  ]);
});

test("unknown tools, events, hosts, severities and settings are refused with near names", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["deny bahs", "bahs", "`bash`"],
    ["deny Write", "Write", "`write`"],
    ["deny execute_command", "execute_command", "`bash`"],
    ["deny NotebookEdit", "NotebookEdit", '`"NotebookEdit"`'],
    ["deny compact", "compact", "`before compact`"],
    ["deny bash, compact", "compact", "`before compact`"],
    ["deny prompt", "prompt", "`on prompt`"],
    ["deny on promt", "promt", "`on prompt`"],
    ["deny on bash", "bash", "`before bash`"],
    ["deny on compact", "compact", "`before compact`"],
    ["log to \"a\" on SubagentStart", "SubagentStart", '`on "SubagentStart"`'],
    ["deny bash\n  for cluade", "cluade", "`claude`"],
    ["deny bash\n  for claude-code, vibe", "claude-code", "`claude`"],
    ["target claud, vibe", "claud", "`claude`"],
    ["deny bash\n  severity hihg", "hihg", "`high`"],
    ["default onerror deny", "onerror", "`on-error`"],
    ["default on-error block", "block", "deny, ask, allow"],
    ["default unsure allow", "allow", "ask, deny, pass"],
  ];
  for (const [text, words, help] of cases) {
    const { diagnostics } = check(text);
    expect(diagnostics.map(pointed), text).toEqual([`check/unknown-name: ${words}`]);
    expect(diagnostics[0]?.help?.text, text).toContain(help);
  }
});

test("an empty name names no tool and no event", () => {
  for (const [text, words] of [['deny ""', '""'], ["deny bash, ' '", "' '"], ['deny agent("")', 'agent("")'], ['deny mcp("".x)', 'mcp("".x)'], ['log to "a.jsonl" on ""', '""']] as const) {
    expect(findings(text), text).toEqual([`check/type-mismatch: ${words}`]);
  }
});

test("defaults take values of their own type", () => {
  for (const [text, words] of [["default timeout 5", "5"], ["default timeout 100ms", "100ms"], ["default timeout 9s", "9s"], ['default on-error "deny"', '"deny"'], ["default unsure 5", "5"], ["default state 5", "5"]] as const) {
    expect(findings(text), text).toEqual([`check/type-mismatch: ${words}`]);
  }
  expect(findings("default timeout 8s\ndefault on-error ask\ndefault unsure pass\ndefault mode enforce")).toEqual([]);
});

test("each gate means something at its own moments only", () => {
  const moments = ["before bash", "after bash", "on prompt", "on session-start", "on stop", "before compact", "after compact", "on any", 'on "Notification"'];
  const meant: Readonly<Record<string, readonly string[]>> = {
    deny: ["before bash", "after bash", "on prompt", "before compact", 'on "Notification"'],
    ask: ["before bash"],
    allow: ["before bash"],
    retry: ["on stop"],
    'set input.a to "b"': ["before bash", "after bash"],
    'replace /a/ with "b" in input.a': ["before bash", "after bash"],
  };
  for (const [effect, allowed] of Object.entries(meant)) {
    for (const moment of moments) {
      const codes = findings(`${effect} ${moment}`).map((line) => line.split(":")[0]);
      expect(codes.includes("check/effect-on-event"), `${effect} ${moment}`).toBe(!allowed.includes(moment));
    }
  }
  for (const event of ["WorktreeCreate", "MessageDisplay"]) expect(findings(`log to "a.jsonl" on "${event}"`)).toEqual(["check/effect-on-event: log"]);
  expect(check("deny on stop").diagnostics[0]?.help?.text).toContain("`retry on stop`");
});

test("what has to wait is told once a rule, and never instead of a mistake", () => {
  expect(findings('retry on stop unless succeeds "npm test"\n  timeout 5s\n  limit 2')).toEqual(["check/not-yet: retry"]);
  expect(findings('deny after read when output contains "x"')).toEqual(["check/not-yet: after read"]);
  expect(findings('deny after read when outptu contains "x"')).toEqual(["check/unknown-field: outptu"]);
  expect(findings('retry on stop\n  for claud')).toEqual(["check/unknown-name: claud"]);
  expect(findings("ask on prompt")).toEqual(["check/effect-on-event: ask"]);
  for (const text of ['log to "a" on any', 'tell model "x" after bash', "mark tested after bash", "unmark tested after write", 'forward to "https://x.test" on stop', 'deny bash\n  also log to "a"', 'ask bash\n  else tell user "x"', "deny bash when marked tested", 'redact /a/ in command before bash', "default mode observe", 'default state "x"', 'test "t"\n  given bash "ls"\n  expect pass', "let $x = marked y"]) {
    expect(findings(text).map((line) => line.split(":")[0]), text).toEqual(["check/not-yet"]);
  }
});

test("effects that have to wait are checked all the same", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["set command to 5 before bash", "check/type-mismatch: 5"],
    ['set path to "x" before bash', "check/unknown-field: path"],
    ["set input.a to $nobody before bash", "check/unknown-reference: $nobody"],
    ['replace /(a)/ with "{2}" in command before bash', "check/unknown-field: {2}"],
    ['replace /a/ with "{1}" in comand before bash', "check/unknown-field: comand"],
    ["redact [5] in command before bash", "check/type-mismatch: 5"],
    ['tell user "{outptu}" after bash', "check/unknown-field: {outptu}"],
    ['tell model output of "echo {command}" on session-start', "check/unsafe-interpolation: {command}"],
    ['run "rm {path}" on stop', "check/unsafe-interpolation: {path}"],
    ['forward to "http://x.test/a" on stop', 'check/unsafe-interpolation: "http://x.test/a"'],
    ['forward to "https://x.test/{session}" on stop', "check/unsafe-interpolation: {session}"],
    ['log pth to "a" on any', "check/unknown-field: pth"],
    ['log to "{path}.jsonl" before write', "check/unsafe-interpolation: {path}"],
    ['retry on stop unless succeeds "test -s {branch}"', "check/unsafe-interpolation: {branch}"],
    ["deny on prompt of main", "check/type-mismatch: main"],
  ];
  for (const [text, expected] of cases) expect(findings(text), text).toContain(expected);
});

test("clauses that may stand once are refused the second time", () => {
  for (const clause of ['because "x"', 'suggest "x"', "else skip", "for claude", "id x", "severity low", "timeout 5s", "limit 2"]) {
    const found = findings(`deny bash\n  ${clause}\n  ${clause}`);
    expect(found, clause).toContain(`check/duplicate-clause: ${clause}`);
  }
  expect(findings('deny bash unless branch == "a" unless branch == "b"\n  also permission deny "x"\n  also permission deny "y"\n  example "a"\n  example "b"')).toEqual([]);
  expect(findings("policy a\npolicy b\ntarget claude\ntarget vibe\ndefault unsure ask\ndefault unsure deny")).toEqual(["check/duplicate-clause: policy b", "check/duplicate-clause: target vibe", "check/duplicate-clause: default unsure deny"]);
});

test("clauses that mean nothing on their rule are refused", () => {
  expect(findings("deny bash\n  timeout 5s")).toEqual(["check/type-mismatch: timeout 5s"]);
  expect(findings("deny bash\n  limit 2")).toEqual(["check/type-mismatch: limit 2"]);
  expect(findings("retry on stop\n  limit 0")).toEqual(["check/type-mismatch: 0"]);
  expect(findings("deny bash\n  else deny")).toEqual(["check/type-mismatch: deny"]);
  expect(findings("ask bash\n  else deny\n  for vibe, bob")).toEqual([]);
  expect(findings('permission deny "Read(x)" when branch == "main"')).toEqual(['check/type-mismatch: branch == "main"']);
  expect(findings('permission deny "Read(x)"\n  else deny')).toEqual(["check/type-mismatch: deny"]);
  expect(findings('permission deny "Read(x)"\n  example "a"')).toEqual(['check/type-mismatch: example "a"']);
  expect(findings('permission deny "Read(x)"\n  else skip\n  for claude\n  because "x"')).toEqual([]);
});

test("a rule's clauses end up in the checked rule", () => {
  const rule = ruleOf('target claude, vibe\ndefault unsure deny\n\n## Why\nask bash, read when branch == "main" unless dynamic\n  id careful\n  because "a"\n  suggest "b"\n  severity critical\n  else deny\n  for vibe\n  also permission deny "Bash(x)"');
  expect(rule).toMatchObject({ id: "main/careful", named: true, hosts: ["vibe"], limited: true, event: "before-tool", severity: "critical", unsure: "deny", because: { value: "a" }, suggest: { value: "b" }, otherwise: { kind: "deny" } });
  expect([rule.unless.length, rule.also.length, rule.tools.length]).toEqual([1, 1, 2]);
  expect(ruleOf('permission deny "Read(./x)"')).toMatchObject({ effect: { kind: "permission" }, tools: [], limited: false, severity: "medium", unsure: "ask" });
});

test("a rule whose hosts its file does not target is refused, and one half of which it does is cut", () => {
  expect(findings("target claude\ndeny bash\n  for vibe, bob")).toEqual(["check/no-host: for vibe, bob"]);
  expect(ruleOf("target claude, bob\ndeny bash\n  for vibe, bob").hosts).toEqual(["bob"]);
});

test("an example is a call in portable fields, of the rule's own verdict unless it names one", () => {
  const examples = (text: string) => ruleOf(text).examples.map(({ verdict, stimulus }) => [verdict, stimulus]);
  const call = (field: string, value: string | number) => ({ fields: [{ field, value }] });
  expect(examples('deny bash\n  example "a", "b"\n  example pass "c"\n  example ask "d"')).toEqual([["deny", call("command", "a")], ["deny", call("command", "b")], ["pass", call("command", "c")], ["ask", call("command", "d")]]);
  for (const [selector, field] of [["write", "path"], ["fetch", "url"], ["websearch", "query"], ["agent", "agent"], ["mcp(*)", "tool"], ["search, websearch", "path"], ["bash, write", "path"], ["any", "path"], ["shell, mcp(*)", "command"], ['bash, "Other"', "command"]] as const) {
    expect(examples(`deny ${selector}\n  example "x"`), selector).toEqual([["deny", call(field, "x")]]);
  }
  expect(examples('deny "NotebookEdit"\n  example "x"')).toEqual([["deny", { main: "x" }]]);
  expect(examples('deny any\n  example command "ls" branch "main" input.n 5')).toEqual([["deny", { fields: [{ field: "command", value: "ls" }, { field: "branch", value: "main" }, { field: "input.n", value: 5 }] }]]);
  expect(ruleOf('target claude, vibe\ndeny bash\n  example "a" for vibe\n  example "b"').examples.map((example) => example.hosts)).toEqual([["vibe"], ["claude", "vibe"]]);
});

test("an example that its rule cannot be tried with is refused", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['deny bash\n  example allow "a"', 'check/type-mismatch: example allow "a"'],
    ['ask bash\n  else skip\n  example deny "a"', 'check/type-mismatch: example deny "a"'],
    ['deny bash\n  example "a" becomes "b"', 'check/type-mismatch: "b"'],
    ['deny bash, fetch\n  example "a"', 'check/type-mismatch: "a"'],
    ['deny bash\n  example path "a"', "check/unknown-field: path"],
    ['deny bash\n  example outptu "a"', "check/unknown-field: outptu"],
    ['deny any\n  example path "a" command "b"', 'check/unknown-field: path "a" command "b"'],
    ['deny bash\n  example command 5', "check/type-mismatch: 5"],
    ['deny bash\n  example command "a" subagent "true"', 'check/type-mismatch: "true"'],
    ['deny bash\n  example command "a" host "vibe"', "check/type-mismatch: host"],
    ['deny bash\n  example command "a" command "b"', "check/duplicate-clause: command"],
    ['deny bash\n  example command "a" platform "win32"', 'check/unknown-name: "win32"'],
    ['target claude\ndeny bash\n  example "a" for vibe', "check/no-host: vibe"],
    ['deny bash\n  for claude\n  example "a" for claude, bob', "check/no-host: bob"],
    ['deny bash\n  example "a" for vieb', "check/unknown-name: vieb"],
  ];
  for (const [text, expected] of cases) expect(findings(text), text).toEqual([expected]);
  expect(findings('ask bash\n  else deny\n  example deny "a" for bob\n  example ask "a"')).toEqual([]);
});

test("the hosts of an imported rule's examples are those its rule names, whoever uses it", () => {
  const files = { "main.policy": "target vibe\nuse std/git\n", "std/git.policy": 'deny bash\n  id a\n  example "x" for claude\n  example "y"\ndeny read\n  id b\n  for claude\n' };
  const { project, diagnostics } = checkFiles(files);
  expect(diagnostics).toEqual([]);
  expect(project.rules.map(({ id, hosts: on, examples }) => [id, on, examples.map((example) => example.hosts)])).toEqual([["git/a", ["vibe"], [["vibe"]]]]);
});

const idOf = (text: string) => check(text).project.rules.map((rule) => rule.id.replace("main/", ""));

test("a rule without an id is named by what it does, not by how it is written", () => {
  const [id] = idOf('deny bash when runs rm and (branch == "main" or dynamic)\n  because "x"');
  expect(id).toMatch(/^deny-bash-[0-9a-f]{4}$/);
  for (const same of [
    'deny   bash when runs   rm and ( branch == "main" or dynamic )\n  because "y"',
    'deny before bash\n  # a comment\n  when runs rm\n    and (dynamic or branch == \'main\')',
    'deny bash when (dynamic or branch == "main") and runs rm\n  severity high\n  suggest "z"',
    'let $b = "main"\nlet $rm = runs rm\ndeny bash when $rm and (branch == $b or dynamic)',
    'deny bash when not not (runs rm and (branch == "main" or dynamic))',
  ]) expect(idOf(same), same).toEqual([id]);
  for (const other of ["deny bash when runs rm", "deny bash when runs rm and branch == \"main\" or dynamic", 'ask bash when runs rm and (branch == "main" or dynamic)\n  else skip', 'deny shell when runs rm and (branch == "main" or dynamic)', 'deny bash when runs rm and (branch == "main" or dynamic)\n  for claude']) {
    expect(idOf(other), other).not.toEqual([id]);
  }
});

test("made ids that would meet are told apart in order, and give way to written ones", () => {
  const [id = ""] = idOf("deny bash");
  expect(idOf("deny bash\ndeny bash\ndeny bash")).toEqual([id, `${id}-2`, `${id}-3`]);
  expect(idOf(`deny bash\ndeny read\n  id ${id}`)).toEqual([`${id}-2`, id]);
  expect(idOf('deny mcp(a.b)\ndeny "Web Fetch"\ndeny shell\npermission deny "x"').map((name) => name.replace(/[0-9a-f]{4}$/, ""))).toEqual(["deny-mcp-", "deny-web-fetch-", "deny-shell-", "permission-"]);
});

test("a silencer takes away the warning below it, and one that does nothing is told", () => {
  const disable = 'disable no-such-rule because "x"';
  expect(findings(disable)).toEqual([`check/unknown-rule: no-such-rule`]);
  expect(findings(`# policyc: allow check/unknown-rule: it comes back soon\n${disable}`)).toEqual([]);
  const idle = (comment: string, line: string) => findings(`${comment}\n${line}`).map((one) => one.split(":")[0]);
  expect(idle("# policyc: allow check/unknown-rule: x", "deny bash")).toEqual(["check/idle-silencer"]);
  expect(idle("# policyc: allow check/unknown-rle: x", "deny bash")).toEqual(["check/idle-silencer"]);
  expect(idle("# policyc: allow check/unknown-field: x", "deny bash when comand ~ /x/")).toEqual(["check/idle-silencer", "check/unknown-field"]);
  expect(idle("# policyc: allow lint/flag-spellings: only GNU rm here", "deny bash when runs rm with -r")).toEqual([]);
  expect(idle("# policyc: allow host/no-backstop: known", "deny bash")).toEqual([]);
});

test("hosts of a rule keep the order in which they are known", () => {
  expect(ruleOf("deny bash\n  for bob, claude").hosts).toEqual(["claude", "bob"]);
  expect(ruleOf("deny bash").hosts).toEqual(hosts);
});
