/** Test blocks: rows of events of one simulated session, judged by the whole policy on each host's wire format. */
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import { isClean } from "../src/diagnostics/diagnostic.ts";
import { hosts } from "../src/hosts/registry.ts";
import { coverageOf } from "../src/sessions/coverage.ts";
import { judgeSessions } from "../src/sessions/judge.ts";

function examined(policy: string, tests: string) {
  const found = examine({
    roots: [{ path: "main.policy", text: policy }],
    tests: [{ path: "main.test.policy", text: tests }],
    load: () => undefined,
    today: "2026-11-30",
    policyc: "0.0.0",
    hosts,
  });
  expect(found.diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
  expect(isClean(found.diagnostics)).toBe(true);
  return found;
}

function results(policy: string, tests: string) {
  const { project, lowered } = examined(policy, tests);
  return judgeSessions(project, lowered).map(({ host, result, fault }) => [host.id, fault?.got ?? result]);
}

const noRecursiveRm = `target claude, vibe, bob
deny bash when runs rm with -r
  id no-recursive-rm
`;

test("a verdict is expected on every host, by name", () => {
  const tests = `test "rm -r is refused"\n  given bash "rm -r build"\n  expect deny by no-recursive-rm\n  given bash "ls"\n  expect pass\n`;
  expect(results(noRecursiveRm, tests)).toEqual([["claude", "passed"], ["vibe", "passed"], ["bob", "passed"]]);
});

test("a test that expects the wrong thing says what came instead", () => {
  expect(results(noRecursiveRm, `test "rm -r passes" for bob\n  given bash "rm -r build"\n  expect pass\n`)).toEqual([["bob", "deny by main/no-recursive-rm"]]);
});

test("a rewritten argument can be compared", () => {
  const policy = `replace /\\bnpm (install|ci)\\b/ with "pnpm {1}" in command before bash\n  for claude, vibe\n`;
  const tests = `test "npm becomes pnpm" for claude, vibe\n  given bash "npm ci"\n  expect command == "pnpm ci"\n\ntest "and yarn does not" for vibe\n  given bash "yarn"\n  expect command == "pnpm"\n`;
  expect(results(`target claude, vibe\n${policy}`, tests)).toEqual([["claude", "passed"], ["vibe", "passed"], ["vibe", 'command is "yarn"']]);
});

const afterGreenTests = `target vibe
mark tested after bash when runs npm test and exit == 0
unmark tested after write, edit when path matches "src/**"
retry on stop unless marked tested
  limit 2
`;

test("marks and retry counts last from step to step, and no further than their test", () => {
  const tests = `test "an agent is sent back twice"
  given on stop
  expect retry
  given on stop
  expect retry
  given on stop
  expect pass
  given on stop
  expect retry

test "a green run ends it, a change begins it anew"
  given after bash command "npm test" exit 0
  expect pass
  given on stop
  expect pass
  given after write path "src/a.ts"
  expect pass
  given on stop
  expect retry
`;
  expect(results(afterGreenTests, tests)).toEqual([["vibe", "passed"], ["vibe", "passed"]]);
});

test("a test says what a command of the policy comes to, and an unsaid one is a doubt", () => {
  const policy = `target claude, vibe\nretry on stop unless succeeds "npm test --silent"\n  timeout 5s\n`;
  const tests = `test "green" for vibe\n  given on stop exit."npm test --silent" 0\n  expect pass\n\ntest "red" for vibe\n  given on stop exit."npm test --silent" 1\n  expect retry\n\ntest "unknown" for vibe\n  given on stop\n  expect retry\n`;
  expect(results(policy, tests)).toEqual([["vibe", "passed"], ["vibe", "passed"], ["vibe", "passed"]]);
});

test("coverage names rules that never fire, conditions with one outcome and rules that nothing would miss", () => {
  const policy = `target bob
deny bash when runs rm with -r
  id no-recursive-rm
  example deny "rm -r build"
deny bash when runs git push with --force
  id no-force-push
`;
  const { project, lowered, examples } = examined(policy, `test "ls passes"\n  given bash "ls"\n  expect pass\n`);
  const coverage = coverageOf(project, lowered, examples);
  expect(coverage.unfired).toEqual(["main/no-force-push"]);
  expect(coverage.onesided.map(({ rule, never }) => [rule, never])).toEqual([["main/no-force-push", "holds"]]);
  expect(coverage.unnoticed).toEqual(["main/no-recursive-rm", "main/no-force-push"]);
});

test("a rule is missed when a test block stands on it", () => {
  const { project, lowered, examples } = examined(noRecursiveRm, `test "rm -r is refused" for bob\n  given bash "rm -r build"\n  expect deny\n`);
  expect(coverageOf(project, lowered, examples)).toMatchObject({ unfired: [], unnoticed: [] });
});
