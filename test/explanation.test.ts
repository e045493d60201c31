/** `policyc explain` on calls that rules change, tell about and follow up: decided in process as the guard would. */
import { expect, test } from "vitest";
import { explanationJson, explanationText } from "../src/cli/explanation.ts";
import { judgeCall } from "../src/cli/judged-call.ts";
import type { AskedCall } from "../src/cli/judged-call.ts";
import { examine } from "../src/compile.ts";
import { hosts } from "../src/hosts/registry.ts";

const policy = `policy acme
replace /\\bnpm (install|ci)\\b/ with "pnpm {1}" in command before bash when runs npm
  id pnpm-only
  else deny
  because "This repository uses pnpm."
deny bash when runs pnpm install with --force
  id no-force
tell user "Dependencies change." before bash when command contains "install"
  id say-so
  else skip
retry on stop unless succeeds "npm test"
  id tests-pass
  else skip
log to ".policyc/audit.jsonl" on any
  id audit
`;

const root = "/home/ada/shop";

function asked(event: string, fields: Readonly<Record<string, string>>, id = "claude"): AskedCall {
  const { lowered, diagnostics } = examine({ roots: [{ path: "acme.policy", text: policy }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const on = lowered.find(({ host }) => host.id === id);
  if (on === undefined) throw new Error(`the policy is not for ${id}`);
  return { on, event, payload: on.host.player.compose(event, undefined, fields, { cwd: root }) };
}

function told(call: AskedCall): string {
  return explanationText(call, judgeCall(call, root, {}), false);
}

test("a call that a rule changes is told with what the tool is given", () => {
  const call = asked("PreToolUse", { command: "npm install left-pad" });
  const text = told(call);
  expect(text).toContain("Claude Code, PreToolUse, Bash: pass\n");
  expect(text).toContain("acme/pnpm-only says replace");
  expect(text).toMatch(/^The tool is given$\n(?: {2}.*\n)*.*"command": "pnpm install left-pad"/m);
  expect(text).toMatch(/^The person is told\n {2}Dependencies change\.$/m);
  expect(explanationJson(call, judgeCall(call, root, {}))).toMatchObject({
    decision: "pass",
    input: { command: "pnpm install left-pad" },
    notice: "Dependencies change.",
    effects: [{ rule: "acme/audit", kind: "log", to: ".policyc/audit.jsonl" }],
  });
});

test("what a change comes to is judged once more", () => {
  expect(told(asked("PreToolUse", { command: "npm install --force" }))).toContain("Claude Code, PreToolUse, Bash: deny\n");
});

test("a command that a rule would wait for is not started", () => {
  const text = told(asked("Stop", {}));
  expect(text).toContain("Claude Code, Stop: retry\n");
  expect(text).toContain("`npm test` is not started in a dry run");
});

test("a rule that is about what another one made of the call is told to be", () => {
  const call = asked("PreToolUse", { command: "npm install --force left-pad" });
  expect(told(call)).toContain("acme/no-force says deny to the rewritten call");
  const { rules } = explanationJson(call, judgeCall(call, root, {})) as { readonly rules: readonly { readonly id: string }[] };
  expect(rules.find(({ id }) => id === "acme/no-force")).toMatchObject({ outcome: "fires", verdict: "deny", rewritten: true, conditions: [{ clause: "when", truth: true }] });
  expect(told(asked("PreToolUse", { command: "pnpm install --force left-pad" }))).toMatch(/acme\/no-force says deny {2}\(/);
});
