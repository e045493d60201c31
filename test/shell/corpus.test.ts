/** The shell model on whole policies: every example below `cases/` comes true on every host it is for. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examine } from "../../src/compile.ts";
import { hosts } from "../../src/hosts/registry.ts";

const folder = new URL("cases/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".policy"));

test.each(files)("every example of %s comes true", (name) => {
  const text = readFileSync(new URL(name, folder), "utf8");
  const { diagnostics } = examine({ roots: [{ path: name, text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect([...new Set(errors.map(({ code, span, message }) => `${code} ${span === undefined ? message : text.slice(span.start, span.end)}`))]).toEqual([]);
});

test("the corpus is there", () => {
  expect(files.length).toBeGreaterThan(12);
});
