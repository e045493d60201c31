/** Laws of the checks: they take every text, say the same twice, and never leave a rule out silently. */
import { readFileSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkFiles, pointed } from "./checking.ts";

const team = 'let $tools = [npm, "yarn"]\nlet $wide = runs $tools or $wide2\nlet $wide2 = touches "x"\nallow bash when only runs [ls]\n  id quiet\ndeny read\n  id no-read\n';

const policy = `policy acme "Guards"
target claude, vibe
default timeout 5s
default unsure deny
use "./team.policy" with allow, disable

let $keys = [/AKIA[0-9A-Z]{16}/, /gh[pousr]_\\w{36}/i]
let $env = ["**/.env", "!**/.env.example"]
let $wipes = runs rm with [-r, -R, --recursive] or runs git clean with -f

## Keys stay out
deny write, edit when content ~ $keys and not path matches $env
  unless path matches "test/**"
  id no-keys
  because "Looks like a key: {path}"
  suggest "Use the vault"
  severity high
  for claude
  example deny path "src/a.ts" content "AKIA"
deny bash when $wipes and (branch in ["main"] or dynamic)
  also permission deny "Bash(rm -rf *)"
  example "rm -rf build", 'git clean -f'
ask any when writes ["**/*.lock"] or deletes $env
  else deny
deny mcp(*) unless server in ["github"] or length(tool) > 4kb
deny agent("reviewer"), agent when lower(task) starts with "x"
allow bash when only runs [git status, ls]
deny bash when pipes [curl, wget] into [sh, bash]
retry on stop unless succeeds "npm test"
  limit 2
  timeout 20s
redact $keys in output after any
  else skip
tell model "see {path}" after write
log tool, path to "a.jsonl" on any
# policyc: allow check/unknown-rule: gone soon
disable team.no-read because "x" until "2030-06-20"
permission deny "Read(./x)" for claude
test "t" for claude
  given bash "ls"
  expect pass
`;

/** Pieces a mistake may bring: words and signs of the language, and of others. */
const pieces = ["deny", "ask", "when", "unless", "$keys", "$wipes", "$nobody", "$team.tools", "$team.wide", "runs", "only runs", "with", "[", "]", "(", ")", ",", "~", "==", "in", "matches", "not", "and", "or", "path", "command", "output", "input.x", "length(", "any", "on stop", "after", "before", "mcp(a.b)", '"x"', "'y'", "/a(/", "/a/g", "5", "2kb", "3s", "-f", "for vibe", "id a", "because", "else skip", "example", "use std/git", "let $x =", "disable a because", "\n", "\n  ", "#", "{", "constructor", "__proto__", "\u0000", "\ud800"];

const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), drop: fc.integer({ min: 0, max: 12 }), put: fc.array(fc.constantFrom(...pieces), { maxLength: 3 }) });

function mutate(text: string, edits: readonly { readonly at: number; readonly drop: number; readonly put: readonly string[] }[]): string {
  return edits.reduce((current, { at, drop, put }) => {
    const start = Math.floor(at * current.length);
    return `${current.slice(0, start)} ${put.join(" ")} ${current.slice(start + drop)}`;
  }, text);
}

test("the untouched text has no finding but that it runs the tests", () => {
  const { diagnostics, project } = checkFiles({ "main.policy": policy, "team.policy": team });
  expect(diagnostics.map(({ code }) => code)).toEqual(["lint/project-code"]);
  expect(project.rules.length).toBeGreaterThan(8);
});

test("no change to a policy makes the checks throw, and no rule disappears without an error", () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), fc.boolean(), (edits, inTeam) => {
      const files = inTeam ? { "main.policy": policy, "team.policy": mutate(team, edits) } : { "main.policy": mutate(policy, edits), "team.policy": team };
      const { project, policies, diagnostics } = checkFiles(files);
      const written = policies.flatMap((one) => one.statements).filter((statement) => statement.kind === "rule").length;
      const left = project.files.flatMap((file) => file.disabled).length;
      const clean = diagnostics.every(({ severity }) => severity !== "error");
      if (clean) expect(project.rules.length + left).toBe(written);
      for (const { file, span } of diagnostics) if (file && span) expect(span.start >= 0 && span.start <= span.end && span.end <= file.text.length).toBe(true);
      for (const rule of project.rules) expect(rule.id).toMatch(/^[^/]+\/[^/]+$/);
    }),
    { numRuns: 250 },
  );
});

test("the same text always has the same outcome", () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 3 }), (edits) => {
      const files = { "main.policy": mutate(policy, edits), "team.policy": team };
      const [first, second] = [checkFiles(files), checkFiles(files)];
      expect(second.diagnostics.map(pointed)).toEqual(first.diagnostics.map(pointed));
      expect(second.project).toEqual(first.project);
    }),
    { numRuns: 40 },
  );
});

test("blank lines, comments and indentation change no id and no finding", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("\n", "\n\n", "\n# a comment\n", "\n   \n"), { minLength: 1, maxLength: 20 }), fc.constantFrom(" ", "      ", "\t"), (gaps, indent) => {
      const lines = policy.split("\n").filter((line) => !line.startsWith("#"));
      const spaced = lines.map((line, index) => line.replace(/^ {2}/, indent) + (gaps[index % gaps.length] ?? "\n")).join("");
      const plain = checkFiles({ "main.policy": lines.join("\n"), "team.policy": team });
      const other = checkFiles({ "main.policy": spaced, "team.policy": team });
      expect(other.project.rules.map((rule) => rule.id)).toEqual(plain.project.rules.map((rule) => rule.id));
      expect(other.diagnostics.map(({ code }) => code)).toEqual(plain.diagnostics.map(({ code }) => code));
    }),
    { numRuns: 40 },
  );
});

test("the order of the rules changes none of them", () => {
  const rules = ["deny bash when runs rm", 'deny write unless path matches "src/**"', "ask any when dynamic\n  else skip", "deny read\n  id no-read"];
  const byId = (text: string) => new Map(checkFiles({ "main.policy": text }).project.rules.map((rule) => [rule.id, rule.tools.map((tool) => tool.pattern)]));
  const first = byId(rules.join("\n"));
  fc.assert(
    fc.property(fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length }), (shuffled) => {
      const other = byId(shuffled.join("\n"));
      for (const [id, tools] of first) expect(other.get(id)).toEqual(tools);
    }),
  );
});

test("every pack of the standard library is checked without a throw", () => {
  const files = Object.fromEntries(readdirSync("stdlib").filter((name) => name.endsWith(".policy")).map((name) => [`std/${name}`, readFileSync(`stdlib/${name}`, "utf8")]));
  for (const path of Object.keys(files)) expect(checkFiles(files, [path]).policies.length, path).toBeGreaterThan(0);
});
