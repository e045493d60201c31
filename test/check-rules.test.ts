/** Triggers, effects, clauses, examples, ids and silencers of single rules. */
import { expect, test } from "vitest";
import { check, checkFiles, findings, hosts, meaning, pointed, ruleOf } from "./checking.ts";

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
    "redact /a/ in input.a": moments.filter((moment) => moment !== "on any"),
    'tell user "x"': moments.filter((moment) => moment !== "on any"),
    'log to "a.jsonl"': moments,
    'run "npm test"': moments,
    "mark seen": moments,
  };
  for (const [effect, allowed] of Object.entries(meant)) {
    for (const moment of moments) {
      const codes = findings(`${effect} ${moment}`).map((line) => line.split(":")[0]);
      expect(codes.includes("check/effect-on-event"), `${effect} ${moment}`).toBe(!allowed.includes(moment));
    }
  }
  expect(check("deny on stop").diagnostics[0]?.help?.text).toContain("`retry on stop`");
});

test("what a rule does comes out with its names filled in", () => {
  const effect = (text: string) => meaning(check(`let $keys = [/AKIA/, "ghp_"]\nlet $note = "Run {tool} again."\n${text}`).project.rules.at(-1)?.effect);
  expect(effect("redact $keys in command, content before bash, write")).toMatchObject({ kind: "redact", patterns: [{ kind: "pattern", regex: { body: "AKIA" } }, { kind: "text", text: "ghp_" }], fields: [{ path: ["command"] }, { path: ["content"] }] });
  expect(effect("tell model $note after bash")).toMatchObject({ kind: "tell", audience: "model", source: { kind: "text", text: { template: [{ text: "Run " }, { kind: "field", path: ["tool"] }, { text: " again." }] } } });
  expect(effect("set input.timeout to 120 before bash")).toMatchObject({ kind: "set", fields: [{ path: ["input", "timeout"] }], value: 120 });
  expect(effect('retry on stop unless succeeds "npm test"')).toEqual({ kind: "retry", limit: 1 });
  expect(effect('retry on stop unless succeeds "npm test"\n  limit 2')).toMatchObject({ kind: "retry", limit: 2 });
  expect(effect('log tool, path to "audit.jsonl" on any')).toMatchObject({ kind: "log", fields: [{ path: ["tool"] }, { path: ["path"] }], to: "audit.jsonl" });
  expect(effect('tell model file "docs/NOTES.md" on session-start')).toMatchObject({ source: { kind: "file", path: "docs/NOTES.md" } });
  expect(effect('tell model output of "git status" on session-start')).toMatchObject({ source: { kind: "output-of", command: "git status" } });
  const rule = check('deny bash when command ~ /x/\n  also log command to "a.jsonl"\n  also tell user "No."\n  for claude').project.rules[0];
  expect(rule?.also.map(({ kind }) => kind)).toEqual(["log", "tell"]);
  expect(check('run "npm test" on stop of main, reviewer\n  timeout 20s').project.rules[0]).toMatchObject({ agents: ["main", "reviewer"], timeout: 20_000 });
  expect(check('redact /a/ in command before bash\n  else tell user "x"').project.rules[0]?.otherwise).toMatchObject({ kind: "effect", effect: { kind: "tell" } });
});

test("what an effect changes must be there and be changeable", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["redact /a/ in output after any", []],
    ["redact /a/ in error after any", ["check/type-mismatch: error"]],
    ["redact /a/ in command after bash", ["check/type-mismatch: command"]],
    ["redact /a/ in prompt on prompt", []],
    ["redact /a/ in content, old before write, edit", []],
    ["redact /a/ in content, query before write", ["check/unknown-field: query"]],
    ["redact /a/ in domain before fetch", ["check/type-mismatch: domain"]],
    ["redact /a/ in branch before bash", ["check/type-mismatch: branch"]],
    ["redact /a/ in input.a, input.a before bash", ["check/type-mismatch: input.a"]],
    ["redact /a/ in exit after bash", ["check/type-mismatch: exit"]],
    ["redact /a/ in subagent before bash", ["check/type-mismatch: subagent"]],
    ['redact "" in command before bash', ['check/type-mismatch: ""']],
    ["redact /(/ in command before bash", ["regex/invalid: ("]],
    ["redact /a/ in output on any", ["check/effect-on-event: redact"]],
    ['set output to "x" after read', []],
    ['set content to "x" before write, edit', []],
    ['set content to "x" before write, bash', ["check/unknown-field: content"]],
    ['set server to "x" before mcp(*)', ["check/type-mismatch: server"]],
    ["set input.a to [1, 2] before bash", ["syntax/unexpected: ["]],
    ["log dynamic to \"a\" before bash", ["check/type-mismatch: dynamic"]],
    ['log input.x, duration, subagent to "a" after any', []],
  ];
  for (const [text, expected] of cases) expect(findings(text), text).toEqual(expected);
  expect(findings('let $list = ["a", "b"]\ntell model $list on session-start')).toEqual(["check/type-mismatch: $list"]);
  expect(findings('let $note = "{outptu}"\ntell model $note after bash')).toEqual(["check/unknown-field: $note"]);
  expect(findings('let $both = ["a", "b"]\nset command to $both before bash')).toEqual(["check/type-mismatch: $both"]);
});

test("paths, addresses and commands of effects are whole and fixed", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['log to "" on any', 'check/type-mismatch: ""'],
    ['log to "logs/" on any', 'check/type-mismatch: "logs/"'],
    ['tell model file "../secrets.md" on session-start', 'check/type-mismatch: "../secrets.md"'],
    ['tell model file "/etc/motd" on session-start', 'check/type-mismatch: "/etc/motd"'],
    ['tell model file "~/notes.md" on session-start', 'check/type-mismatch: "~/notes.md"'],
    ['forward to "https://" on stop', 'check/unsafe-interpolation: "https://"'],
    ['forward to "https://exa mple.com/a" on stop', 'check/unsafe-interpolation: "https://exa mple.com/a"'],
    ['run " " on stop', 'check/type-mismatch: " "'],
    ['retry on stop unless succeeds ""', 'check/type-mismatch: ""'],
    ['default state ""', 'check/type-mismatch: ""'],
    ['default state "/tmp/{session}"', 'check/type-mismatch: "/tmp/{session}"'],
    ['deny on stop of ""', 'check/type-mismatch: ""'],
  ];
  for (const [text, expected] of cases) expect(findings(text), text).toEqual([expected]);
  for (const path of ["~/.policyc/audit.jsonl", "../audit/agents.jsonl", "/var/log/agents.jsonl", ".policyc/{{x}}.jsonl"]) expect(findings(`log to "${path}" on any`), path).toEqual([]);
});

test("a mark that is asked for is set by some rule, whatever file it stands in", () => {
  expect(findings("retry on stop unless marked tested")).toEqual(["check/unknown-reference: marked tested"]);
  expect(findings("unmark tested after write")).toEqual(["check/unknown-reference: unmark tested"]);
  const { diagnostics } = check("mark tested after bash when exit == 0\n  for vibe\nretry on stop unless marked testde\n  for vibe");
  expect(diagnostics.map(({ code, help }) => [code, help?.text])).toEqual([["check/unknown-reference", "did you mean `tested`?"]]);
  expect(findings("deny bash\n  also mark tried\nask write when marked tried\n  for claude")).toEqual([]);
  const files = { "main.policy": 'use "./team.policy"\nretry on stop unless marked tested\n', "team.policy": "mark tested after bash\n" };
  expect(checkFiles(files).diagnostics).toEqual([]);
});

test("effects are checked whatever else is wrong", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["set command to 5 before bash", "check/type-mismatch: 5"],
    ['set path to "x" before bash', "check/unknown-field: path"],
    ["set input.a to $nobody before bash", "check/unknown-reference: $nobody"],
    ['replace /(a)/ with "{2}" in command before bash', "check/unknown-field: {2}"],
    ['replace "a" with "{1}" in command before bash', "check/unknown-field: {1}"],
    ['replace [/(a)/, /b/] with "{1}" in command before bash', "check/unknown-field: {1}"],
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
    ['deny bash\n  also tell user "{outptu}"', "check/unknown-field: {outptu}"],
    ['redact /a/ in command before bash\n  else run "rm {path}"', "check/unsafe-interpolation: {path}"],
    ['replace /a/ with "b" in command before bash\n  else retry', "syntax/unexpected: retry"],
    ["redact /a/ in output after bash\n  else ask", "check/effect-on-event: ask"],
    ['permission deny "Read(x)"\n  also log to "a"', "check/type-mismatch: log to \"a\""],
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

test("a command that runs what the project says is a warning, one that only looks is none", () => {
  const warned = (command: string) => findings(`run "${command}" on stop`).length > 0;
  for (const command of ["npm test", "make", "git status", "test -s a && npm test", "FOO=1 npm run x", "cat a | sh", "./check.sh", "git -c core.fsmonitor=false status", "$(npm bin)/x", "echo $(make)"]) expect(warned(command), command).toBe(true);
  for (const command of ["test -s review.md", "[ -f a ] && cat a", "git -c core.hooksPath=/dev/null -c core.fsmonitor=false status --short", "echo done; notify-send done", "grep -c x a | head -1"]) expect(warned(command), command).toBe(false);
  expect(findings('retry on stop unless succeeds "npm test"')).toEqual(['lint/project-code: succeeds "npm test"']);
  expect(findings('tell model output of "npm ls" on session-start')).toEqual(['lint/project-code: tell model output of "npm ls"']);
  expect(findings('# policyc: allow lint/project-code: the tests are what the rule is about\nretry on stop unless succeeds "npm test"')).toEqual([]);
  expect(check('run "npm test" on stop').diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
});
