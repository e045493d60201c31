/** The hosts part of the README is what the host modules state, and what they state is whole. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hosts } from "../src/hosts/registry.ts";
import { documented } from "../src/verify/failures.ts";
import { begin, end, hostsPage } from "./hosts-page.ts";

/** Set to rewrite the page instead of comparing it. */
const isRewriting = process.env["POLICYC_REWRITE"] === "1";

test("the README's hosts are those of the modules", () => {
  const readme = readFileSync("README.md", "utf8");
  const [before = "", rest = ""] = readme.split(begin);
  const [, after] = rest.split(end);
  expect(after).toBeDefined();
  const wanted = `${before}${begin}\n\n${hostsPage(hosts)}\n\n${end}${after}`;
  if (isRewriting) writeFileSync("README.md", wanted);
  expect(readFileSync("README.md", "utf8")).toBe(wanted);
});

test.each(hosts)("every way in which a guard of $id can fail at every event is documented, or made an answer by its entry", ({ facts }) => {
  for (const event of facts.eventNames) {
    for (const failure of ["ended", "late"] as const) {
      const only = documented({ facts }, event, failure, false);
      expect([event, failure, only?.by]).toEqual([event, failure, "host"]);
      // An entry has to hold only where a rule can decide something.
      const kind = (Object.keys(facts.events) as (keyof typeof facts.events)[]).find((one) => facts.events[one]?.includes(event)) ?? "host-event";
      const decides = (["deny", "retry", "redact"] as const).some((effect) => facts.supports(effect, kind, event));
      if (decides) expect([event, failure, documented({ facts }, event, failure, true)]).toEqual([event, failure, expect.objectContaining({ then: expect.any(String) as string })]);
    }
  }
});

test.each(hosts)("what $id states for people is sentences of one kind", ({ facts }) => {
  for (const text of [...facts.limits, facts.knownFrom, ...facts.failures.map(({ then }) => then)]) expect(text).toMatch(/^[^A-Z\s].*[^.\s]$/);
  expect(new Set(facts.limits).size).toBe(facts.limits.length);
  for (const { events = [] } of facts.failures) expect(events.filter((event) => !facts.eventNames.includes(event))).toEqual([]);
  for (const { event, refused } of facts.laterEvents) expect([event, refused.length]).toEqual([event, 4]);
});

test("where a host goes on though a rule has to hold, nothing else is said of it", () => {
  const gaps = hosts.flatMap(({ id, facts }) => facts.eventNames.flatMap((event) => (["ended", "late"] as const).filter((failure) => documented({ facts }, event, failure, true)?.outcome === "goes-on").map((failure) => `${id} ${event} ${failure}`)));
  expect(gaps).toEqual(expect.arrayContaining(["claude Stop ended", "claude PostToolUse late", "vibe post_agent ended", "bob PreToolUse late"]));
  expect(gaps).not.toEqual(expect.arrayContaining(["claude PreToolUse ended"]));
  expect(gaps.filter((gap) => /^vibe pre_tool|^vibe post_tool|^claude PreToolUse |^bob PreToolUse ended/.test(gap))).toEqual([]);
});
