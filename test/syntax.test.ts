import fc from "fast-check";
import { expect, test } from "vitest";
import { isCode } from "../src/diagnostics/catalogue.ts";
import type { Span } from "../src/diagnostics/diagnostic.ts";
import type { Condition, Effect, LetDeclaration, Rule, Statement, Text } from "../src/syntax/ast.ts";
import { parsePolicy } from "../src/syntax/parse.ts";
import { processorTime } from "./processor-time.ts";

function parse(text: string) {
  return parsePolicy({ path: "acme.policy", text });
}

/** The tree of a text without findings. */
function statements(text: string): readonly Statement[] {
  const { policy, diagnostics } = parse(text);
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  return policy.statements;
}

function rule(text: string): Rule {
  const [statement] = statements(text);
  if (statement?.kind !== "rule") throw new Error("no rule");
  return statement;
}

function condition(text: string): Condition {
  const { when } = rule(`deny bash when ${text}`);
  if (!when) throw new Error("no condition");
  return when;
}

function definition(text: string): LetDeclaration["value"] {
  const [statement] = statements(`let $name = ${text}`);
  if (statement?.kind !== "let") throw new Error("no definition");
  return statement.value;
}

/** A tree without its spans. */
function bare(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (/^span$|Span$/.test(key) ? undefined : value)));
}

/** Codes with the text they point at. */
function found(text: string): readonly (readonly [string, string])[] {
  return parse(text).diagnostics.map(({ code, span }) => [code, span ? text.slice(span.start, span.end) : ""] as const);
}

test("a rule has its effect, trigger, condition and clauses, each with the place it stands at", () => {
  const text = 'deny write, edit when path matches "src/**"\n  unless branch == "main"\n  because "No."';
  const { effect, trigger, when, clauses, span } = rule(text);
  const at = ({ start, end }: Span) => text.slice(start, end);
  expect(at(span)).toBe(text);
  expect(at(effect.wordSpan)).toBe("deny");
  expect(trigger && at(trigger.span)).toBe("write, edit");
  expect(when && at(when.span)).toBe('path matches "src/**"');
  expect(clauses.map((clause) => at(clause.span))).toEqual(['unless branch == "main"', 'because "No."']);
  expect(bare(trigger)).toEqual({ kind: "tools", moment: "before", tools: [{ kind: "class", name: "write" }, { kind: "class", name: "edit" }] });
});

test("triggers: classes, moments, events, MCP patterns, agents and host names", () => {
  const trigger = (text: string) => bare(rule(`deny ${text}`).trigger);
  expect(trigger("after read")).toEqual({ kind: "tools", moment: "after", tools: [{ kind: "class", name: "read" }] });
  expect(trigger("before compact")).toEqual({ kind: "tools", moment: "before", tools: [{ kind: "class", name: "compact" }] });
  expect(trigger("on stop of main, reviewer")).toEqual({ kind: "on", event: { kind: "name", text: "stop" }, of: [{ kind: "name", text: "main" }, { kind: "name", text: "reviewer" }] });
  expect(trigger('on "ConfigChange"')).toMatchObject({ kind: "on", event: { kind: "text", value: "ConfigChange" } });
  expect(trigger('"NotebookEdit", \'Read\'')).toMatchObject({ tools: [{ kind: "host-tool", name: "NotebookEdit" }, { kind: "host-tool", name: "Read" }] });
  expect(trigger('agent, agent("reviewer")')).toMatchObject({ tools: [{ kind: "agent", names: [] }, { kind: "agent", names: [{ value: "reviewer" }] }] });
  expect(trigger('mcp(*, github.delete_*, linear, "odd name".x)')).toMatchObject({
    tools: [
      {
        kind: "mcp",
        patterns: [
          { server: { text: "", star: true } },
          { server: { text: "github", star: false }, tool: { text: "delete_", star: true } },
          { server: { text: "linear", star: false } },
          { server: { text: "odd name", star: false }, tool: { text: "x", star: false } },
        ],
      },
    ],
  });
});

test("every effect has its node", () => {
  const effect = (text: string): Effect => rule(text).effect;
  expect(bare(effect('set input.timeout to 120 before bash'))).toEqual({ kind: "set", field: { kind: "field", path: ["input", "timeout"] }, value: { kind: "number", value: 120 } });
  expect(effect('set output to $text after read')).toMatchObject({ kind: "set", value: { kind: "dollar", path: ["text"] } });
  expect(effect('replace /npm (i)/ with "pnpm {1}" in command before bash')).toMatchObject({ kind: "replace", pattern: { kind: "regex", body: "npm (i)" }, replacement: { value: "pnpm {1}" }, fields: [{ path: ["command"] }] });
  expect(effect('redact $keys in command, content as "[x]" before bash, write')).toMatchObject({ kind: "redact", pattern: { kind: "dollar" }, fields: [{ path: ["command"] }, { path: ["content"] }], as: { value: "[x]" } });
  expect(effect('redact [/a/, "b"] in output after any')).toMatchObject({ pattern: { kind: "list", items: [{ kind: "regex" }, { kind: "text" }] } });
  expect(effect('tell user "hi" after bash')).toMatchObject({ kind: "tell", audience: "user", source: { kind: "text" } });
  expect(effect('tell model file "a.md" on session-start')).toMatchObject({ source: { kind: "file", path: { value: "a.md" } } });
  expect(effect('tell model output of "git status" on session-start')).toMatchObject({ source: { kind: "output-of", command: { value: "git status" } } });
  expect(effect('tell model $text on prompt')).toMatchObject({ source: { kind: "dollar" } });
  expect(effect('log tool, input."odd key" to "f" on any')).toMatchObject({ kind: "log", fields: [{ path: ["tool"] }, { path: ["input", "odd key"] }], to: { value: "f" } });
  expect(effect('forward to "https://example.com" on stop')).toMatchObject({ kind: "forward", fields: [] });
  expect(effect('run "git status" on stop')).toMatchObject({ kind: "run", command: { value: "git status" } });
  expect(effect("mark tested after bash")).toMatchObject({ kind: "mark", name: { text: "tested" } });
  expect(effect("unmark tested after write")).toMatchObject({ kind: "unmark" });
  expect(rule('permission deny "A", \'B\'')).toMatchObject({ effect: { kind: "permission", denials: [{ value: "A" }, { value: "B" }] } });
  expect(rule('permission deny "A"')).not.toHaveProperty("trigger");
  expect(["deny", "ask", "allow", "retry"].map((word) => effect(`${word} bash`).kind)).toEqual(["deny", "ask", "allow", "retry"]);
});

test("every clause has its node", () => {
  const text = `deny bash
  unless subagent
  because "a"
  suggest "b"
  else log to "f"
  for claude, vibe
  id no-bash
  severity high
  timeout 1.5s
  limit 2
  also permission deny "Bash(rm *)"
  also tell user "x"
  example deny "x", 'y' for bob`;
  expect(rule(text).clauses.map(bare)).toMatchObject([
    { kind: "unless", condition: { kind: "is" } },
    { kind: "because", text: { value: "a" } },
    { kind: "suggest", text: { value: "b" } },
    { kind: "else", action: { kind: "effect", effect: { kind: "log" } } },
    { kind: "for", hosts: [{ text: "claude" }, { text: "vibe" }] },
    { kind: "id", name: { text: "no-bash" } },
    { kind: "severity", name: { text: "high" } },
    { kind: "timeout", duration: { milliseconds: 1500 } },
    { kind: "limit", count: { value: 2 } },
    { kind: "also", effect: { kind: "permission" } },
    { kind: "also", effect: { kind: "tell" } },
    { kind: "example", verdict: "deny", stimulus: { kind: "texts", texts: [{ value: "x" }, { value: "y" }] }, hosts: [{ text: "bob" }] },
  ]);
  expect(["deny", "ask", "skip"].map((word) => rule(`ask bash else ${word}`).clauses.map(bare))).toEqual(["deny", "ask", "skip"].map((word) => [{ kind: "else", action: { kind: word } }]));
});

test("examples take texts, fields, a result and hosts", () => {
  const example = (text: string) => bare(rule(`deny bash\n  example ${text}`).clauses[0]);
  expect(example('path "a" content "b" input.n 3')).toMatchObject({ stimulus: { kind: "fields", fields: [{ field: { path: ["path"] }, value: { value: "a" } }, { field: { path: ["content"] }, value: { value: "b" } }, { field: { path: ["input", "n"] }, value: { value: 3 } }] } });
  expect(example('"a" becomes "b"')).toMatchObject({ stimulus: { kind: "texts" }, becomes: { value: "b" }, hosts: [] });
  expect(example('"a"')).not.toHaveProperty("verdict");
});

test("and binds tighter than or, not tighter than and, and parentheses are remembered", () => {
  const shape = (text: string): unknown => {
    const tree = condition(text);
    const of = (node: Condition): unknown => (node.kind === "or" || node.kind === "and" ? [node.parenthesised ? `(${node.kind})` : node.kind, ...node.of.map(of)] : node.kind === "not" ? ["not", of(node.of)] : node.kind === "is" ? node.operand.field.path[0] : node.kind);
    return of(tree);
  };
  expect(shape("a or b and c")).toEqual(["or", "a", ["and", "b", "c"]]);
  expect(shape("(a or b) and c")).toEqual(["and", ["(or)", "a", "b"], "c"]);
  expect(shape("not a and b")).toEqual(["and", ["not", "a"], "b"]);
  expect(shape("not not (a or b or c)")).toEqual(["not", ["not", ["(or)", "a", "b", "c"]]]);
  expect(shape("((a))")).toBe("a");
  expect(bare(condition("not x in y"))).toEqual(bare({ kind: "not", of: condition("x in y") }));
});

test("every comparison has its operator and operand", () => {
  const operators = ["~", "!~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "matches", "starts with", "ends with"];
  for (const operator of operators) {
    const text = `path ${operator} "x"`;
    const tree = condition(text);
    expect(bare(tree)).toMatchObject({ kind: "compare", left: { kind: "field-operand", field: { path: ["path"] } }, comparison: { operator: operator.replace(" ", "-"), operand: { kind: "text", value: "x" } } });
    if (tree.kind === "compare") expect(`deny bash when ${text}`.slice(tree.comparison.operatorSpan.start, tree.comparison.operatorSpan.end)).toBe(operator);
  }
  expect(condition("length(content) > 200kb")).toMatchObject({ left: { measure: { text: "length" }, field: { path: ["content"] } }, comparison: { operand: { kind: "size", bytes: 204800 } } });
  expect(condition("input.a.b == other.c")).toMatchObject({ left: { field: { path: ["input", "a", "b"] } }, comparison: { operand: { kind: "field", path: ["other", "c"] } } });
  expect(condition("$text ~ $secrets.tokens")).toMatchObject({ left: { kind: "dollar", path: ["text"] }, comparison: { operand: { kind: "dollar", path: ["secrets", "tokens"] } } });
  expect(condition("$wipes")).toMatchObject({ kind: "reference", reference: { path: ["wipes"] } });
  expect(condition("dynamic")).toMatchObject({ kind: "is", operand: { field: { path: ["dynamic"] } } });
  expect(condition("has input.x")).toMatchObject({ kind: "has", field: { path: ["input", "x"] } });
  expect(condition('succeeds "npm test"')).toMatchObject({ kind: "succeeds", command: { value: "npm test" } });
  expect(condition("marked tested")).toMatchObject({ kind: "marked", name: { text: "tested" } });
  expect(["touches", "reads", "writes", "deletes"].map((verb) => condition(`${verb} ["a", "!b"]`))).toMatchObject(["touches", "reads", "writes", "deletes"].map((kind) => ({ kind, operand: { kind: "list", items: [{ value: "a" }, { value: "!b" }] } })));
});

test("commands have words, alternatives, tails and arguments", () => {
  expect(bare(condition("runs git push"))).toEqual({ kind: "runs", only: false, invocation: { command: { alternatives: [[{ kind: "bare", text: "git" }, { kind: "bare", text: "push" }]], tail: [] }, arguments: [] } });
  expect(condition('runs [npm, "pnpm", $tool,] run -s test/unit with [-f, --force, /^\\+/, "x y", $list, bare,] without --dry-run')).toMatchObject({
    invocation: {
      command: {
        alternatives: [[{ text: "npm" }], [{ kind: "text", value: "pnpm" }], [{ kind: "dollar", path: ["tool"] }]],
        tail: [{ kind: "bare", text: "run" }, { kind: "flag", text: "-s" }, { kind: "bare", text: "test/unit" }],
      },
      arguments: [
        { kind: "with", patterns: [{ kind: "flag", text: "-f" }, { kind: "flag", text: "--force" }, { kind: "regex", body: "^\\+" }, { kind: "text", value: "x y" }, { kind: "dollar" }, { kind: "bare", text: "bare" }] },
        { kind: "without", patterns: [{ kind: "flag", text: "--dry-run" }] },
      ],
    },
  });
  expect(condition("only runs [ls, git status]")).toMatchObject({ kind: "runs", only: true });
  expect(condition("pipes [curl, wget] into [sh, bash]")).toMatchObject({ kind: "pipes", from: { alternatives: [[{ text: "curl" }], [{ text: "wget" }]] }, into: { alternatives: [[{ text: "sh" }], [{ text: "bash" }]] } });
  expect(condition("runs a with -x and runs b with -y")).toMatchObject({ kind: "and", of: [{ invocation: { arguments: [{ patterns: [{ text: "-x" }] }] } }, { invocation: { arguments: [{ patterns: [{ text: "-y" }] }] } }] });
});

test("in a list a line break stands for a comma, and words on one line are one command", () => {
  expect(definition('["a"\n  "b", "c"\n]')).toMatchObject({ kind: "list", items: [{ value: "a" }, { value: "b" }, { value: "c" }] });
  expect(bare(definition("[npm install, npm ci\n  pnpm -r add\n  -f\n  -g --all\n  yarn]".replace("-g --all", "-g, --all")))).toEqual({
    kind: "list",
    items: [
      { kind: "words", words: ["npm", "install"] },
      { kind: "words", words: ["npm", "ci"] },
      { kind: "words", words: ["pnpm", "-r", "add"] },
      { kind: "flag", text: "-f" },
      { kind: "flag", text: "-g" },
      { kind: "flag", text: "--all" },
      { kind: "words", words: ["yarn"] },
    ],
  });
  expect(definition("[/a/i, 5, 5s, 1kb, $x]")).toMatchObject({ items: [{ kind: "regex" }, { kind: "number" }, { kind: "duration" }, { kind: "size" }, { kind: "dollar" }] });
  expect(found('let $a = [-f -g]\nlet $b = ["a" npm]\nlet $c = [$x $y]').map(([code]) => code)).toEqual(["syntax/missing-comma", "syntax/missing-comma", "syntax/missing-comma"]);
});

test("numbers, durations and sizes have their values", () => {
  expect(["12", "1.5"].map((text) => definition(text))).toMatchObject([{ value: 12 }, { value: 1.5 }]);
  expect(["500ms", "5s", "2m", "1h", "0.5s"].map((text) => definition(text))).toMatchObject([{ milliseconds: 500 }, { milliseconds: 5000 }, { milliseconds: 120_000 }, { milliseconds: 3_600_000 }, { milliseconds: 500 }]);
  expect(["64kb", "2mb", "1KB"].map((text) => definition(text))).toMatchObject([{ bytes: 65_536 }, { bytes: 2_097_152 }, { bytes: 1024 }]);
});

test("a pattern keeps its body and flags as written, with their places", () => {
  const source = "let $name = /a\\/[/]b\\.(c)/gX";
  const value = definition(source.slice("let $name = ".length));
  expect(value).toMatchObject({ kind: "regex", body: "a\\/[/]b\\.(c)", flags: "gX" });
  if (value.kind === "regex") expect([value.bodySpan, value.flagsSpan].map(({ start, end }) => source.slice(start, end))).toEqual(["a\\/[/]b\\.(c)", "gX"]);
});

function text(source: string): Text {
  const value = definition(source);
  if (value.kind !== "text") throw new Error("no text");
  return value;
}

test("escapes are undone in double quotes and nowhere else", () => {
  expect(text(String.raw`"\\ \" \n \t \r \{ \} \u{1F600}\u{41}"`).value).toBe('\\ " \n \t \r { } 😀A');
  expect(text(String.raw`'\n {x} "'`).value).toBe('\\n {x} "');
  expect(found(String.raw`let $a = "a\q\/b"`)).toEqual([["syntax/unknown-escape", "\\q"], ["syntax/unknown-escape", "\\/"]]);
  expect(found(String.raw`let $a = "\u{} \u{D800} \u0041"`)).toEqual([["syntax/unknown-escape", "\\u{}"], ["syntax/unknown-escape", "\\u{D800}"], ["syntax/unknown-escape", "\\u"]]);
});

test("a text in triple quotes loses its first newline, its common indentation and its last blank line", () => {
  expect(text('"""\n    one\n      two\n\n    three\n  """').value).toBe("one\n  two\n\nthree");
  expect(text('"""one\n    two\n      three"""').value).toBe("one\ntwo\n  three");
  expect(text('"""\n  a\\tb \\"\\"\\" {x}\n  \\u{41}"""').value).toBe('a\tb """ {x}\nA');
  expect(text('"""\r\n  one\r\n  two\r\n  """').value).toBe("one\ntwo");
  expect(text('"""\n\tone\n\t two\n"""').value).toBe("one\n two");
  expect(text('"""\n\n  one\n\n\n  """').value).toBe("\none\n\n");
  expect(["\"\"\"\"\"\"", '"""\n"""', '"""  """'].map((source) => text(source).value)).toEqual(["", "", "  "]);
  const source = 'let $name = """\n  one\n  t\\wo\n  """';
  expect(found(source)).toEqual([["syntax/unknown-escape", "\\w"]]);
});

test("a template is cut at its fields and captures, with their places", () => {
  const source = String.raw`"{command} and {1}, {input.file-path}; {{x}} \{y\} { z } {} }{"`;
  const { template, value } = text(source);
  expect(template.map((part) => (part.kind === "literal" ? part.text : part.kind === "field" ? part.path : part.index))).toEqual([["command"], " and ", 1, ", ", ["input", "file-path"], "; {x} {y} { z } {} }{"]);
  expect(value).toBe("{command} and {1}, {input.file-path}; {{x}} {y} { z } {} }{");
  const file = `let $name = ${source}`;
  expect(template.flatMap((part) => (part.kind === "literal" ? [] : [file.slice(part.span.start, part.span.end)]))).toEqual(["{command}", "{1}", "{input.file-path}"]);
  expect(text("'{command}'").template).toMatchObject([{ kind: "field", path: ["command"] }]);
});

test("any text survives being quoted", () => {
  const quote = (value: string) => `"${[...value].map((character) => (/[\\"{}]/.test(character) ? `\\${character}` : /[^ -~]/u.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character)).join("")}"`;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }).filter((value) => !/\p{Cs}/u.test(value)), (value) => {
      const { value: read, template } = text(quote(value));
      expect(read).toBe(value);
      expect(template).toEqual(value === "" ? [] : [{ kind: "literal", text: value }]);
    }),
  );
});

test("declarations, switches and tests have their nodes", () => {
  expect(statements('policy acme "Acme"\ntarget claude, vibe\ndefault timeout 5s\ndefault on-error deny\ndefault state "/var/x"\ndefault unsure pass').map(bare)).toMatchObject([
    { kind: "policy", name: { text: "acme" }, description: { value: "Acme" } },
    { kind: "target", hosts: [{ text: "claude" }, { text: "vibe" }] },
    { kind: "default", setting: { text: "timeout" }, value: { kind: "duration" } },
    { kind: "default", setting: { text: "on-error" }, value: { kind: "name", text: "deny" } },
    { kind: "default", setting: { text: "state" }, value: { kind: "text" } },
    { kind: "default", value: { text: "pass" } },
  ]);
  expect(statements('use std/git, "./team.policy" with allow, output')).toMatchObject([{ kind: "use", modules: [{ kind: "module-path", text: "std/git" }, { kind: "text", value: "./team.policy" }], grants: [{ text: "allow" }, { text: "output" }] }]);
  expect(statements('disable std/git.no-push because "x" until "2099-01-01"\ndisable acme.a because "x"\ndisable a because "x"\nobserve std/git\nobserve std/git.a until "2099-01-01"').map(bare)).toMatchObject([
    { kind: "disable", target: { module: { text: "std/git" }, rule: { text: "no-push" } }, because: { value: "x" }, until: { value: "2099-01-01" } },
    { target: { module: { kind: "name", text: "acme" }, rule: { text: "a" } } },
    { target: { rule: { text: "a" } } },
    { kind: "observe", target: { module: { kind: "module-path", text: "std/git" } } },
    { kind: "observe", target: { rule: { text: "a" } }, until: { value: "2099-01-01" } },
  ]);
  expect(statements('test "t" for claude\n  given bash "git push"\n  expect deny by std/git.no-push\n  expect command == "x"\n  given on stop\n  expect pass')).toMatchObject([
    {
      kind: "test",
      title: { value: "t" },
      hosts: [{ text: "claude" }],
      steps: [
        { trigger: { kind: "tools" }, stimulus: { kind: "texts" }, expectations: [{ kind: "verdict", verdict: "deny", by: { module: { text: "std/git" }, rule: { text: "no-push" } } }, { kind: "field", field: { path: ["command"] }, comparison: { operator: "==" } }] },
        { trigger: { kind: "on" }, expectations: [{ kind: "verdict", verdict: "pass" }] },
      ],
    },
  ]);
});

test("the lines with two hash signs directly above a rule describe it", () => {
  const described = (source: string) => statements(source).map((statement) => (statement.kind === "rule" ? statement.description : undefined));
  expect(described("## No shells.\n##  Really.\ndeny bash")).toEqual(["No shells.\nReally."]);
  expect(described("## A.\n# policyc: allow lint/flag-spellings: only GNU rm here\n# note\ndeny bash\n\n## B.\n\ndeny read\n### C.\ndeny write")).toEqual(["A.", undefined, undefined]);
  expect(described("deny bash ## behind\ndeny read")).toEqual([undefined, undefined]);
  expect(described("deny bash\n  ## inside\n  id a\n## next\r\ndeny read")).toEqual([undefined, "next"]);
});

test("a silencer has its code, its reason and the next line that is no comment", () => {
  const source = "# policyc: allow lint/flag-spellings: only GNU rm here\n# note\n\ndeny bash when runs rm with -r\n  # policyc: allow lint/x: last: reason\n  id a\n";
  const { silencers } = parse(source).policy;
  expect(silencers.map(({ code, reason, target, span }) => [code, reason, source.slice(target.start, target.end), source.slice(span.start, span.end)])).toEqual([
    ["lint/flag-spellings", "only GNU rm here", "deny bash when runs rm with -r", "# policyc: allow lint/flag-spellings: only GNU rm here"],
    ["lint/x", "last: reason", "  id a", "# policyc: allow lint/x: last: reason"],
  ]);
});

test("a silencer without its reason, behind a rule or misspelled is an error and silences nothing", () => {
  for (const comment of ["# policyc: allow lint/flag-spellings", "# policyc: allow lint/flag-spellings:  ", "# policyc allow lint/a: b", "## policyc: allow lint/a: b", "# policyc: allow: b", "# policyc: deny lint/a: b"]) {
    const { policy, diagnostics } = parse(`${comment}\ndeny bash`);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["syntax/malformed-silencer", "error"]]);
    expect(policy.silencers).toEqual([]);
  }
  expect(found("deny bash # policyc: allow lint/a: b\ndeny read").map(([code]) => code)).toEqual(["syntax/malformed-silencer"]);
  expect(found("#policyc:allow lint/a:b\ndeny bash")).toEqual([]);
  expect(found("# policyc is great, see # policyc: allow\ndeny bash")).toEqual([]);
});

test("ten broken rules give ten messages, and the rules between them are read", () => {
  const broken = ["deny bash when", "deny bash &&", 'deny bash when command ~ "x', "deny", "let x = 1", "block bash", "deny bash when runs timeout 5s", "use git", "deny bash id not", "deny bash when (subagent"];
  const { policy, diagnostics } = parse(broken.map((line, index) => `${line}\n  because "x"\ndeny read\n  id rule-${index}`).join("\n"));
  expect(policy.statements).toHaveLength(10);
  expect(diagnostics).toHaveLength(10);
  expect(diagnostics.map(({ span }) => span?.start)).toEqual(diagnostics.map(({ span }) => span?.start ?? 0).toSorted((left, right) => left - right));
});

test("an unclosed bracket never swallows the next rule", () => {
  expect(parse('let $a = ["x",\n  "y"\ndeny read\n').policy.statements.map(({ kind }) => kind)).toEqual(["rule"]);
  expect(parse("deny bash when (subagent\n\ndeny read").policy.statements).toHaveLength(1);
});

test("messages point at the exact words", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["deny bash when runs timeout 5s rm", "syntax/keyword-in-command", "timeout"],
    ["deny bash when runs nice timeout 5s rm", "syntax/keyword-in-command", "timeout"],
    ["deny bash when runs cat /etc/passwd", "syntax/needs-quotes", "/etc/passwd"],
    ["deny bash when runs rm with --force=x", "syntax/needs-quotes", "--force=x"],
    ["deny bash when command ~ //", "syntax/empty-pattern", "//"],
    ["deny bash when command ~ /abc", "syntax/unterminated", "/abc"],
    ["deny bash when !subagent", "syntax/foreign-sign", "!"],
    ["deny bash when a && b", "syntax/foreign-sign", "&&"],
    ["deny bash when command =~ /x/", "syntax/foreign-sign", "=~"],
    ["deny bash when command = \"x\"", "syntax/foreign-sign", "="],
    ["// note", "syntax/foreign-sign", "//"],
    ["block bash", "check/unknown-name", "block"],
    ["deny bash becuase \"x\"", "check/unknown-name", "becuase"],
    ["deny when subagent", "syntax/missing-trigger", "deny"],
    ["deny bash because no quotes", "syntax/unexpected", "no quotes"],
    ["deny bash\n  deny read", "syntax/not-at-margin", "deny"],
    ["  deny bash", "syntax/not-at-margin", "deny"],
    ["deny bash\n  example deny \"x\"\n  for claude", "syntax/for-taken-by-example", "for claude"],
    ["deny bash when branch == 2fa", "syntax/needs-quotes", "2fa"],
    ["deny read when path matches “x”", "syntax/smart-quote", "“x”"],
    ["deny bash when runs \"npm install\"", "syntax/quoted-blanks", "\"npm install\""],
    ["deny bash when runs git\u200B", "syntax/hidden-character", "\u200B"],
    ["deny bash when command contains \"a\u202Eb\"", "syntax/hidden-in-text", "\u202E"],
    ["deny bash when runs é", "syntax/needs-quotes", "é"],
  ];
  for (const [source, code, at] of cases) expect(found(source), source).toEqual([[code, at]]);
});

test("where a statement ends too early, the message points behind its last word", () => {
  const [only] = parse("deny bash when runs   \n\n# note\ndeny read").diagnostics;
  expect(only?.span).toEqual({ start: 19, end: 19 });
});

test("words of a command run on over lines, but not over what is meant as a clause", () => {
  expect(rule("deny bash when runs git\n  push")).toMatchObject({ when: { invocation: { command: { alternatives: [[{ text: "git" }, { text: "push" }]] } } } });
  expect(found('deny bash when runs npm publish\n  beacuse "x"')).toEqual([["check/unknown-name", "beacuse"]]);
  expect(found('deny bash when runs [npm, pnpm] publish\n  severty high')).toEqual([["check/unknown-name", "severty"]]);
  expect(found('deny bash when runs [npm, pnpm]\n  note "x"')).toEqual([["check/unknown-name", "note"]]);
  expect(found("deny bash when runs [npm install\n  npm ci]").map(([code]) => code)).toEqual(["syntax/missing-comma"]);
});

test("a byte order mark in front, carriage returns and tabs change nothing", () => {
  const source = '## Why.\npolicy acme\n\nlet $a = [\n  "x"\n  "y"\n]\ndeny bash when runs rm\n  because """\n    one\n    two\n    """\n';
  const { policy, diagnostics } = parse(source);
  expect(diagnostics).toEqual([]);
  for (const variant of [`\uFEFF${source}`, source.replaceAll("\n", "\r\n"), source.replaceAll(/^ {2}/gm, "\t")]) {
    const other = parse(variant);
    expect(other.diagnostics).toEqual([]);
    expect(bare(other.policy.statements)).toEqual(bare(policy.statements));
  }
});

test("hidden characters are refused in comments and between words, and emoji are not hidden", () => {
  expect(found("# a\u2066b\ndeny bash\u00AD\n").map(([code]) => code)).toEqual(["syntax/hidden-character", "syntax/hidden-character"]);
  expect(found("deny bash when command contains \"❤️ 😀 é\" # ❤️ 😀")).toEqual([]);
  expect(found("deny\uFEFF bash").map(([code]) => code)).toEqual(["syntax/hidden-character"]);
  expect(found("deny bash # a\rdeny read").map(([code]) => code)).toEqual(["syntax/hidden-character"]);
});

test("deep nesting is refused and never overflows", () => {
  for (const source of [`${"(".repeat(50_000)}a${")".repeat(50_000)}`, `${"not ".repeat(50_000)}a`, `${"not (".repeat(60)}a${")".repeat(60)}`]) {
    expect(found(`deny bash when ${source}`).map(([code]) => code)).toEqual(["syntax/too-deep"]);
  }
  expect(found(`deny bash when ${"(".repeat(90)}a${")".repeat(90)} and ${"(a) and ".repeat(500)}b`)).toEqual([]);
});

/** Every node of a tree that has a span, with the span of the node around it. */
function spansOf(tree: unknown, around: Span): readonly (readonly [Span, Span])[] {
  if (Array.isArray(tree)) return tree.flatMap((child) => spansOf(child, around));
  if (typeof tree !== "object" || tree === null) return [];
  const own = "span" in tree ? (tree.span as Span) : around;
  const inner = Object.entries(tree).flatMap(([key, child]) => (/span$/i.test(key) ? [] : spansOf(child, own)));
  return "span" in tree ? [[own, around] as const, ...inner] : inner;
}

/** Pieces of the language in any order: most texts are refused, some are accepted, none may throw. */
const pieces = fc.constantFrom(
  "deny", "bash", "when", "unless", "runs", "with", "because", "example", "for", "claude", "let", "$a", "=", "==", "~", "in", "not", "and", "or", "(", ")", "[", "]", ",", ".", "*", "\n", "\n  ", " ", '"x"', "'y z'",
  '"""\n a\n """', "/x/i", "-f", "--force", "5s", "12", "4kb", "2fa", "std/git", "redact", "output", "after", "any", "test", "given", "expect", "pass", "# c", "## d", "# policyc: allow lint/a: b", "timeout", "id", "&&", "!", "é",
  "\u202E", '"', "'", '"""', "/", "//", "“", "mcp", "agent", "on", "stop", "{", "\r\n", "\t", "\uFEFF", "becuase", "log", "to", "use", "disable", "until",
);

function checkAnyText(source: string): void {
  const { policy, diagnostics } = parse(source);
  for (const { code, span } of diagnostics) {
    expect(isCode(code)).toBe(true);
    expect(span && 0 <= span.start && span.start <= span.end && span.end <= source.length).toBe(true);
  }
  for (const [own, around] of spansOf(policy.statements, { start: 0, end: source.length })) {
    expect(around.start <= own.start && own.start < own.end && own.end <= around.end).toBe(true);
  }
}

test("no text makes the parser throw, and every span lies in the one around it", () => {
  fc.assert(fc.property(fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" ")), checkAnyText), { numRuns: 1000 });
  fc.assert(fc.property(fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join("")), checkAnyText), { numRuns: 1000 });
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), checkAnyText), { numRuns: 500 });
});

test("a broken statement leaves its neighbours as they are", () => {
  const before = 'deny read when path matches "**/.env"\n  id no-secrets\n';
  const expected = bare(parse(`${before}deny write\n`).policy.statements);
  const brokenLine = fc.array(pieces.filter((piece) => !/["'\n\r]|\/$/.test(piece)), { minLength: 1, maxLength: 12 }).map((parts) => `deny bash ${parts.join(" ")} ]`);
  fc.assert(fc.property(brokenLine, (line) => {
    const { policy, diagnostics } = parse(`${before}${line}\ndeny write\n`);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    fc.pre(errors.length > 0 && policy.statements.length < 3);
    expect(bare(policy.statements)).toEqual(expected);
  }));
});

test("time grows with the text, whatever the text", () => {
  const long: readonly string[] = [
    "\n".repeat(200_000), "# note\n".repeat(50_000), `deny bash when command contains "${"x".repeat(400_000)}"`, `let $a = [${"\"x\", ".repeat(40_000)}"y"]`,
    `${'"'.repeat(100_001)}`, "/".repeat(200_000), "/[".repeat(100_000), '"""\n'.repeat(20_001), "deny bash when\n".repeat(5000), "[".repeat(100_000), "\u200B".repeat(5000), `let $a = "${"{".repeat(100_000)}"`, `let $a = "${"\\q".repeat(2000)}"`,
    "deny bash when runs git push with [-f, --force]\n  because \"No.\"\n".repeat(5000),
  ];
  const parsing = processorTime(() => {
    for (const source of long) parse(source);
  });
  // Quadratic work on any of these takes minutes; the bound only has to tell the two apart on a slow machine.
  expect(parsing).toBeLessThan(30_000);
});
