/**
 * The guard's decision against a second, slow reading of the language page, on random rule sets, calls and machines.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import { evaluate, TooLong } from "./reference/evaluate.ts";
import type { Expected } from "./reference/evaluate.ts";
import { paperCase, readPaper, worldOf } from "./reference/random.ts";
import type { PaperCase } from "./reference/random.ts";

function told(decision: Decision): Expected {
  const { effect, message, reasons, input, response, output, context, notice, observed = [], effects = [], retried = [] } = decision;
  return {
    effect,
    message,
    reasons,
    input,
    response,
    output,
    context,
    notice,
    observed: observed.map((one) => `${one.rule} ${one.effect}`).sort(),
    effects: effects.map((one) => `${one.rule} ${one.effect.kind}`),
    retried,
  };
}

function expected({ plan, call, machine }: PaperCase): Expected | "too long" {
  try {
    return evaluate(plan, call, machine, (input) => readPaper(call.event as Parameters<typeof readPaper>[0], input));
  } catch (error) {
    if (error instanceof TooLong) return "too long";
    throw error;
  }
}

test("a decision is what a slow reading of the language page comes to", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(paperCase, (one) => {
      const decision = told(decide(one.plan, one.call, worldOf(one.machine, one.call)));
      for (const [part, value] of Object.entries(decision)) {
        const name = part === "effect" ? `${one.call.event} ${String(value)}` : Array.isArray(value) ? (value.length > 0 ? part : "") : value !== undefined && value !== "" ? part : "";
        seen.set(name, (seen.get(name) ?? 0) + 1);
      }
      const slow = expected(one);
      fc.pre(slow !== "too long");
      expect(decision).toEqual(slow);
    }),
    { numRuns: 20_000 },
  );
  // The random sets reach every part of a decision, each many times.
  for (const part of ["before-tool deny", "before-tool ask", "before-tool allow", "after-tool deny", "stop retry", "input", "response", "output", "context", "notice", "observed", "effects", "retried"]) {
    expect(seen.get(part) ?? 0, part).toBeGreaterThan(100);
  }
});
