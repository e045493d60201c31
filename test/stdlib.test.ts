import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkProject } from "../src/check/check.ts";
import { examine } from "../src/compile.ts";
import type { SourceFile } from "../src/diagnostics/diagnostic.ts";
import { matchGlobs, resolvePath } from "../src/guard/paths.ts";
import { scratchWorld } from "../src/guard/scratch.ts";
import { shellModule } from "../src/guard/shell/index.ts";
import type { Scope } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/registry.ts";
import { lowerGlob } from "../src/lower/glob.ts";
import type { Condition, Rule } from "../src/syntax/ast.ts";
import { parsePolicy } from "../src/syntax/parse.ts";
import { clausesOf, libraryPage, openingOf, rulesOf } from "./stdlib-page.ts";
import type { Pack } from "./stdlib-page.ts";

/** Set to rewrite the page instead of comparing it. */
const isRewriting = process.env["POLICYC_REWRITE"] === "1";

const files: ReadonlyMap<string, SourceFile> = new Map(
  readdirSync("stdlib").filter((name) => name.endsWith(".policy")).sort().map((name) => [`std/${name.replace(/\.policy$/, "")}`, { path: `stdlib/${name}`, text: readFileSync(`stdlib/${name}`, "utf8") }]),
);
const packs: readonly Pack[] = [...files].map(([module, file]) => ({ name: module.replace("std/", ""), policy: parsePolicy(file).policy }));

function load(module: string): SourceFile | undefined {
  return files.get(module);
}

function examinePack(file: SourceFile) {
  return examine({ roots: [file], load, today: "2026-11-30", policyc: "0.1.0", hosts });
}

function nameOf(pack: Pack, rule: Rule): string {
  return `std/${pack.name}.${clausesOf(rule, "id")[0]?.name.text ?? "?"}`;
}

/** Every rule of every pack, by its name. */
const rules = packs.flatMap((pack) => rulesOf(pack).map((rule) => ({ pack, rule, name: nameOf(pack, rule) })));

function examplesOf(rule: Rule) {
  return clausesOf(rule, "example").flatMap(({ verdict, stimulus }) => (stimulus.kind === "texts" ? stimulus.texts.map(() => verdict) : [verdict]));
}

function partsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  if (condition.kind === "and" || condition.kind === "or") return condition.of.flatMap(partsOf);
  return condition.kind === "not" ? partsOf(condition.of) : [condition];
}

test("every pack checks without an error or a warning on every host, and its examples hold", () => {
  for (const file of files.values()) {
    const { diagnostics, examples } = examinePack(file);
    const told = diagnostics.filter(({ severity }) => severity === "error" || severity === "warning");
    expect(told.map(({ code, span }) => `${file.path} ${code} ${span === undefined ? "" : file.text.slice(span.start, span.end)}`)).toEqual([]);
    for (const host of hosts) expect(examples.filter((outcome) => outcome.host.id === host.id && outcome.result === "failed")).toEqual([]);
  }
});

test("every pack opens with what it covers and what it cannot see", () => {
  for (const pack of packs) {
    const [covers, ...more] = openingOf(pack);
    expect(covers, pack.name).toMatch(/^Covers: /);
    expect(more.some((paragraph) => paragraph.startsWith("Cannot see: ")), pack.name).toBe(true);
  }
});

test("every rule has a name, a reason, a safe way where it stops something, and a severity", () => {
  const lacking = rules.flatMap(({ rule, name }) =>
    (rule.effect.kind === "allow" ? (["id"] as const) : rule.effect.kind === "redact" ? (["id", "because", "severity"] as const) : rule.effect.kind === "tell" ? (["id", "severity"] as const) : (["id", "because", "suggest", "severity"] as const)).filter((kind) => clausesOf(rule, kind).length !== 1).map((kind) => `${name}: ${kind}`),
  );
  expect(lacking).toEqual([]);
});

test("every rule has at least four firing and four passing examples", () => {
  const few = rules.flatMap(({ rule, name }) => {
    const verdicts = examplesOf(rule);
    const passing = verdicts.filter((verdict) => verdict === "pass").length;
    return passing < 4 || verdicts.length - passing < 4 ? [`${name}: ${verdicts.length - passing} firing, ${passing} passing`] : [];
  });
  expect(few).toEqual([]);
});

test("a rule made of commands sees the shells that MCP servers offer, and its pack has an example of one", () => {
  const commandRules = rules.filter(({ rule }) => {
    const parts = partsOf(rule.when);
    const hasCommandText = parts.some((part) => part.kind === "compare" && part.left.kind === "field-operand" && part.left.field.path[0] === "command");
    return rule.effect.kind !== "allow" && !hasCommandText && parts.some(({ kind }) => kind === "runs" || kind === "pipes");
  });
  const isWide = ({ trigger }: Rule) => trigger?.kind === "tools" && trigger.tools.some((tool) => tool.kind === "mcp" || (tool.kind === "class" && tool.name === "any"));
  expect(commandRules.filter(({ rule }) => !isWide(rule)).map(({ name }) => name)).toEqual([]);
  const shown = (pack: Pack) => rulesOf(pack).some((rule) => clausesOf(rule, "example").some(({ stimulus }) => stimulus.kind === "fields" && stimulus.fields.some(({ field, value }) => field.path[0] === "tool" && value.kind === "text" && value.value.includes("."))));
  expect([...new Set(commandRules.map(({ pack }) => pack))].filter((pack) => !shown(pack)).map(({ name }) => name)).toEqual([]);
});

test("all packs together are one policy without an error", () => {
  const text = [...files.keys()].map((module) => `use ${module}${module === "std/readonly" ? " with allow" : ""}\n`).join("");
  const { project, diagnostics } = checkProject({ roots: [{ path: "main.policy", text }], load, today: "2026-11-30", hosts: hosts.map(({ id }) => id) });
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  expect(project.rules.map(({ id }) => `std/${id.replace("/", ".")}`).sort()).toEqual(rules.map(({ name }) => name).sort());
});

test("without its grant a pack is used for its names, and with it for its rule", () => {
  const ids = (text: string) => {
    const { project, diagnostics } = examinePack({ path: "main.policy", text: `${text}\n\ndeny bash unless only runs $readonly.commands\n  id only-reading\n` });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return project.rules.map((rule) => rule.id);
  };
  expect(ids("use std/readonly")).toEqual(["main/only-reading"]);
  expect(ids("use std/readonly with allow")).toEqual(["readonly/quiet-reads", "main/only-reading"]);
});

test("a file of one's own that allows without its grant stays an error", () => {
  const own = { path: "team.policy", text: `allow bash when only runs ls\n  id quiet\n` };
  const { diagnostics } = examine({ roots: [{ path: "main.policy", text: `use "./team.policy"\n` }], load: () => own, today: "2026-11-30", policyc: "0.1.0", hosts });
  expect(diagnostics.map(({ code }) => code)).toContain("check/ungranted-import");
});

const stated = hosts.flatMap((host) => host.facts.protectedPaths.map((glob) => ({ host, glob })));

test("std/self-protect guards every path that a host module states", () => {
  const pack = packs.find(({ name }) => name === "self-protect")!;
  const lists = pack.policy.statements.flatMap((statement) => (statement.kind === "let" && statement.name.text === "guard_files" && statement.value.kind === "list" ? statement.value.items : []));
  const listed = lists.flatMap((item) => (item.kind === "text" ? [item.value] : []));
  expect(stated.length).toBeGreaterThan(hosts.length);
  expect(stated.filter(({ glob }) => !listed.includes(glob)).map(({ host, glob }) => `${host.id}: ${glob}`)).toEqual([]);
});

test("the stated paths hold whatever a build writes for a host", () => {
  const scopes: readonly Scope[] = ["project", "user", "enforced"];
  for (const host of hosts) {
    const globs = host.facts.protectedPaths.map((glob) => lowerGlob(glob.replace(/^!/, ""), glob.startsWith("!")));
    for (const platform of ["linux", "macos", "windows"] as const) {
      const world = scratchWorld({ platform, branch: "", today: "2026-11-30", shell: () => shellModule });
      for (const scope of scopes) {
        const layout = host.layoutIn(scope, { platform, home: world.home, node: "/usr/bin/node", environment: {} });
        for (const path of layout === undefined ? [] : [layout.guard, layout.settings, layout.ledger]) {
          const place = resolvePath(layout?.folder === "" ? path : `${layout?.folder}/${path}`, world.root, world);
          expect("doubt" in place ? place : matchGlobs(globs, place, "narrow", world), `${host.id} ${scope} ${platform} ${path}`).toBe(true);
        }
      }
    }
  }
});

test("stdlib/README.md is printed from the packs", () => {
  const page = libraryPage(packs);
  if (isRewriting) writeFileSync("stdlib/README.md", page);
  expect(readFileSync("stdlib/README.md", "utf8")).toBe(page);
});
