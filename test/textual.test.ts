/**
 * The short answer of rules about the command's text is that of the long way, whatever the rules and the command.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import type { Json } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import { scratchWorld } from "../src/guard/scratch.ts";
import { readShellCall } from "../src/guard/shell-call.ts";
import type { ShellCalls } from "../src/guard/shell-call.ts";
import { shellModule } from "../src/guard/shell/index.ts";
import { decideTextual } from "../src/guard/textual.ts";
import { shellCalls as bob } from "../src/hosts/bob/shell-calls.ts";
import { shellCalls as claude } from "../src/hosts/claude/shell-calls.ts";
import { hosts } from "../src/hosts/registry.ts";
import { shellCalls as vibe } from "../src/hosts/vibe/shell-calls.ts";
import { ruleIndex, ruleTexts } from "../src/rule-index.ts";

const callsOf: Readonly<Record<string, ShellCalls>> = { bob, claude, vibe };
const world = scratchWorld({ platform: "linux", branch: "", today: "2026-11-30", shell: () => shellModule });

const atom = fc.constantFrom(
  "command ~ /rm\\s+-r/", "command ~ /^git push/i", "command !~ /\\btest\\b/", "command ~ /(?:npm|yarn)\\s+(?:i|add)\\b/", "command ~ /a*b*c/", 'command contains "push"', 'command == "ls"', 'command starts-with "npm "',
  'command ends-with "build"', 'lower(command) contains "drop"', 'command in ["ls", "npm test"]', "lower(command) ~ /rm/", "runs rm", "length(command) > 12", "command ~ /(a+)+$/", "subagent", 'cwd matches "/project/**"',
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: atom },
    fc.tuple(tie("condition"), fc.constantFrom("and", "or"), tie("condition")).map(([one, word, other]) => `(${one} ${word} ${other})`),
    tie("condition").map((one) => `not (${one})`),
  ),
}));
const text = fc.constantFrom('"Ask a person."', '"No: {command}"', '"{tool} is not for this."', '"\\"quoted\\" and long: {command} {command}"');
const rule = fc.record({
  effect: fc.constantFrom("deny", "deny", "ask"),
  tools: fc.constantFrom("bash", "bash", "shell", "any"),
  when: fc.option(condition, { nil: undefined, freq: 6 }),
  unless: fc.option(condition, { nil: undefined, freq: 2 }),
  because: fc.option(text, { nil: undefined }),
  suggest: fc.option(text, { nil: undefined }),
  severity: fc.constantFrom(undefined, "low", "critical"),
}).map(({ effect, tools, when, unless, because, suggest, severity }) =>
  [`${effect} ${tools}${when === undefined ? "" : ` when ${when}`}${unless === undefined ? "" : `\n  unless ${unless}`}`, because && `  because ${because}`, suggest && `  suggest ${suggest}`, severity && `  severity ${severity}`].filter(Boolean).join("\n"),
);
const command = fc.oneof(
  fc.constantFrom("ls", "npm test", "rm -r build", "git push --force", "GIT PUSH", "npm add x", "echo DROP it", "aaab", "rm  -rf \"a b\"", "ls\nrm -r build", "printf '\\t\"%s\"' x"),
  fc.array(fc.constantFrom("rm", "-r", "ls", "build", "npm", "add", "push", "git", "\t", "  ", "\"", "'", "c", "a", "b".repeat(150), ";", "|", "test"), { maxLength: 8 }).map((parts) => parts.join(" ")),
);

test("rules of texts come to the same by the short way and by the long one", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), fc.array(command, { minLength: 4, maxLength: 4 }), (rules, commands) => {
      const source = `policy p\ntarget claude, vibe, bob\n${rules.map((one, index) => `${one}\n  id r${index}\n  else deny`).join("\n")}\n`;
      const { lowered, diagnostics } = examine({ roots: [{ path: "main.policy", text: source }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
      fc.pre(lowered.length === hosts.length && diagnostics.every(({ severity }) => severity !== "error"));
      for (const { host, plan } of lowered) {
        const calls = callsOf[host.id]!;
        const event = calls.events[0]!;
        const [index, texts] = [`\n${ruleIndex(plan.rules)}`, `\n${ruleTexts(plan.rules)}`];
        for (const one of commands) {
          const payload: Json = { session_id: "s", cwd: "/project", hook_event_name: event, tool_name: calls.tools[0]!, tool_input: { command: one } };
          const short = readShellCall(calls, event, payload);
          const decision = short && decideTextual(plan, calls.events, index, () => texts, short);
          seen.set(decision?.effect ?? "long", (seen.get(decision?.effect ?? "long") ?? 0) + 1);
          if (decision === undefined) continue;
          const call = host.wire.decode(event, payload, "linux");
          const whole = decide(plan, call, world);
          expect([source, one, decision]).toEqual([source, one, { effect: whole.effect, message: whole.message, personMessage: whole.personMessage, reasons: whole.reasons }]);
          expect(host.wire.encode(event, decision)).toEqual(host.wire.encode(event, whole, call));
        }
      }
    }),
    { numRuns: 300 },
  );
  for (const effect of ["deny", "ask", "pass", "long"]) expect(seen.get(effect) ?? 0, effect).toBeGreaterThan(30);
});
