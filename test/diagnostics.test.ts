import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examine } from "../src/compile.ts";
import { catalogue } from "../src/diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile } from "../src/diagnostics/diagnostic.ts";
import { renderText } from "../src/diagnostics/render.ts";
import { hosts } from "../src/hosts/registry.ts";
import { parsePolicy } from "../src/syntax/parse.ts";

/** Set to write the expected messages instead of comparing them. */
const isRewriting = process.env["POLICYC_REWRITE"] === "1";

const folder = "test/diagnostics";

/**
 * One source with its messages beside it. What it `use`s as "./x.policy" stands in `modules/` of its stage, and the
 * settings that a build would find for a source of `settings` in a folder of the source's name.
 */
interface Golden {
  readonly name: string;
  readonly stage: string;
  readonly source: SourceFile;
  readonly expected: string;
}

const goldens: readonly Golden[] = readdirSync(folder)
  .sort()
  .flatMap((stage) =>
    readdirSync(`${folder}/${stage}`)
      .filter((name) => name.endsWith(".policy"))
      .sort()
      .map((name) => ({
        name: `${stage}/${name.replace(/\.policy$/, "")}`,
        stage,
        source: { path: name, text: readFileSync(`${folder}/${stage}/${name}`, "utf8") },
        expected: `${folder}/${stage}/${name.replace(/\.policy$/, ".txt")}`,
      })),
  );

/** The stage of a pair is its folder: `syntax` reads the file, every other stage needs the whole examination. */
function diagnosticsOf({ name, stage, source }: Golden): readonly Diagnostic[] {
  if (stage === "syntax") return parsePolicy(source).diagnostics;
  const load = (module: string): SourceFile | undefined => {
    const path = module.startsWith("./") ? `${folder}/${stage}/modules/${module.slice(2)}` : `stdlib/${module.replace(/^std\//, "")}.policy`;
    return existsSync(path) ? { path: module.startsWith("./") ? module.slice(2) : `${module}.policy`, text: readFileSync(path, "utf8") } : undefined;
  };
  const { lowered, diagnostics } = examine({ roots: [source], load, today: "2026-11-30", policyc: "0.0.0", hosts });
  if (stage !== "settings") return diagnostics;
  const read = (path: string): SourceFile | undefined => (existsSync(`${folder}/${name}/${path}`) ? { path, text: readFileSync(`${folder}/${name}/${path}`, "utf8") } : undefined);
  const registered = lowered.map(({ host, plan, entries, denials }) => host.register({ policy: plan.name, scope: plan.scope, entries, denials }, read(host.layout.settings), read(host.layout.ledger)));
  return [...diagnostics, ...registered.flatMap((one) => one.diagnostics)];
}

test.each(goldens)("the messages of $name are the expected ones", (golden) => {
  const text = renderText(diagnosticsOf(golden), { colour: false });
  if (isRewriting) writeFileSync(golden.expected, text);
  expect(text).toBe(readFileSync(golden.expected, "utf8"));
  expect(text).not.toBe("");
});

test("every expected text has its source", () => {
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
  expect(texts.map((name) => name.replace(/\.txt$/, "").replaceAll("\\", "/")).toSorted()).toEqual(goldens.map(({ name }) => name).toSorted());
});

/** Codes that no policy text produces, and the test that produces them: settings on disk, guards on disk, the disk itself. */
const elsewhere: Readonly<Record<string, string>> = {
  "host/context-cap": "test/lower.test.ts",
  "host/no-such-scope": "test/compile.test.ts",
  "settings/ledger-missing": "test/register.test.ts",
  "settings/no-permissions": "test/scopes.test.ts",
  "settings/symlink": "test/write.test.ts",
  "source/unreadable": "test/cli.test.ts",
  "verify/contract-breach": "test/verify.test.ts",
  "verify/entry-differs": "test/verify.test.ts",
  "verify/entry-missing": "test/verify.test.ts",
  "verify/fails-open": "test/verify.test.ts",
  "verify/failure-blocks": "test/verify.test.ts",
  "verify/failure-open": "test/verify.test.ts",
  "verify/guard-differs": "test/verify.test.ts",
  "verify/guard-missing": "test/verify.test.ts",
  "verify/no-answer": "test/verify.test.ts",
  "verify/refuses-open-event": "test/verify.test.ts",
  "verify/silent-failure": "test/verify.test.ts",
  "verify/unlike-decide": "test/verify.test.ts",
  "write/changed-meanwhile": "test/write.test.ts",
  "write/failed": "test/write.test.ts",
  "write/out-of-date": "test/verify.test.ts",
  "write/refused": "test/write.test.ts",
  "write/symlink": "test/write.test.ts",
};

test("every code of the catalogue has an example, and every example a code", () => {
  const shown = new Set<string>(goldens.flatMap((golden) => diagnosticsOf(golden).map(({ code }) => code)));
  const proven = Object.entries(elsewhere).filter(([code, path]) => readFileSync(path, "utf8").includes(`"${code}"`)).map(([code]) => code);
  expect(Object.keys(elsewhere).filter((code) => !proven.includes(code) || shown.has(code))).toEqual([]);
  expect(Object.keys(catalogue).filter((code) => !shown.has(code) && !proven.includes(code))).toEqual([]);
});

test("the catalogue is sorted, and every code is explained at length and in sentences", () => {
  const codes = Object.keys(catalogue);
  expect(codes).toEqual(codes.toSorted());
  for (const [code, { explanation }] of Object.entries(catalogue)) {
    expect(code).toMatch(/^[a-z]+\/[a-z]+(?:-[a-z]+)*$/);
    expect(explanation.length, code).toBeGreaterThan(100);
    expect(explanation, code).toMatch(/^(?:[^a-z]|policyc ).*\.$/s);
  }
});

test("a message is one sentence without a full stop, and no help is left open", () => {
  for (const golden of goldens) {
    for (const { message, help } of diagnosticsOf(golden)) {
      expect(message, golden.name).not.toMatch(/\.$|\n/);
      expect(help?.text ?? "x", golden.name).toMatch(/\S/);
    }
  }
});
