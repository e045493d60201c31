import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asciiJson, planLiteral } from "../src/plan-literal.ts";
import type { GuardPlan } from "../src/guard/plan.ts";

const plan: GuardPlan = {
  policyc: "0.1.0",
  host: "claude",
  name: "acme",
  sources: ["policy/main.policy"],
  scope: "project",
  onError: "deny",
  deadline: 2500,
  events: [{ name: "PreToolUse", failClosed: true }],
  rules: [
    {
      id: "acme/no-recursive-rm",
      source: "policy/main.policy:3",
      event: "before-tool",
      tools: [{ kind: "class", name: "bash" }],
      effect: { kind: "deny" },
      when: { kind: "compare", field: ["command"], operator: "~", values: [{ kind: "pattern", pattern: { source: "rm\\s+-r", flags: "u", literal: "rm" } }] },
      unless: [],
      because: ["Recursive deletion is left to people: ", { field: ["command"] }],
      severity: "medium",
      unsure: "deny",
    },
  ],
};

/** As strict code, which is what a guard is; plain data again, so that prototypes of the other realm do not matter. */
function evaluated(literal: string): unknown {
  return JSON.parse(runInNewContext(`"use strict"; JSON.stringify(${literal})`) as string);
}

test("the literal of a plan evaluates to the plan and breaks long lines", () => {
  const literal = planLiteral(plan);
  expect(evaluated(literal)).toEqual(plan);
  expect(Math.max(...literal.split("\n").map((line) => line.length))).toBeLessThanOrEqual(160);
  expect(literal).toContain('"id": "acme/no-recursive-rm"');
});

test("no text of a policy leaves its string literal or adds a character outside ASCII", () => {
  const hostile = fc.string({ unit: fc.constantFrom('"', "\\", "'", "`", "${x}", "\n", "\r", "\u2028", "\u2029", "*/", "//", "</script>", "é", "\u{1F600}", "\ud800", "__proto__", "\0") });
  fc.assert(
    fc.property(hostile, (text) => {
      const literal = planLiteral({ ...plan, name: text, sources: [text] });
      expect(literal).toMatch(/^[\x20-\x7e\n]*$/);
      expect(evaluated(literal)).toEqual({ ...plan, name: text, sources: [text] });
      expect(asciiJson(text)).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});

test("a key named like the prototype stays a key", () => {
  const odd = JSON.parse('{"__proto__": {"onError": "allow"}, "constructor": 1}') as object;
  const literal = planLiteral({ ...plan, events: [odd] } as unknown as GuardPlan);
  const read = runInNewContext(`"use strict"; const plan = ${literal}; [Object.keys(plan.events[0]).join(), plan.events[0].onError === undefined].join(" ")`) as string;
  expect(read).toBe("__proto__,constructor true");
});
