/** The house rules that a machine can check: who may import whom, where input and output live, and how files look. */
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { expect, test } from "vitest";

interface Source {
  readonly path: string;
  readonly text: string;
  /** Specifiers as written, relative ones resolved below the repository. */
  readonly imports: readonly string[];
}

function sourcesIn(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => read(posix.join(folder, name.replaceAll("\\", "/"))));
}

function read(path: string): Source {
  const text = readFileSync(path, "utf8");
  return { path, text, imports: importsOf(text).map((specifier) => (specifier.startsWith(".") ? posix.join(dirname(path), specifier) : specifier)) };
}

/** Static, type-only, re-exporting and dynamic imports. */
function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(?:import|export)\b[^;"'`]*?\bfrom\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\b(?:import|require)\(\s*"([^"]+)"\s*\)/gm)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

const grammar = sourcesIn("grammar");
const src = sourcesIn("src");
const tests = sourcesIn("test");

/** `path -> import` for every import that `isWrong`. */
function wrongImports(files: readonly Source[], isWrong: (specifier: string, file: Source) => boolean): readonly string[] {
  return files.flatMap((file) => file.imports.filter((specifier) => isWrong(specifier, file)).map((specifier) => `${file.path} -> ${specifier}`));
}

function within(folder: string): (file: Source) => boolean {
  return (file) => file.path.startsWith(folder);
}

test("the scan sees every form of import", () => {
  const text = [
    `import { a } from "./a.ts";`,
    `import type { B } from "./b.ts";`,
    `import {\n  c,\n  d,\n} from "./c.ts";`,
    `export { e } from "./e.ts";`,
    `import "./f.ts";`,
    `const g = await import("./g.ts");`,
    `const h = require("./h.ts");`,
  ].join("\n");
  expect(importsOf(text)).toEqual(["./a.ts", "./b.ts", "./c.ts", "./e.ts", "./f.ts", "./g.ts", "./h.ts"]);
  expect(src.length).toBeGreaterThan(40);
  expect(src.flatMap((file) => file.imports).length).toBeGreaterThan(100);
});

test("the grammar imports only Chevrotain, and only syntax and the formatter import the grammar", () => {
  expect(wrongImports(grammar, (specifier) => specifier !== "chevrotain" && !specifier.startsWith("grammar/"))).toEqual([]);
  const others = src.filter((file) => !file.path.startsWith("src/syntax/") && file.path !== "src/format.ts");
  expect(wrongImports(others, (specifier) => specifier.startsWith("grammar/") || specifier === "chevrotain")).toEqual([]);
});

/** Each stage after those it may import. A folder's rank is that of all its files. */
const stages = [
  ["src/diagnostics/", "src/fingerprint.ts", "src/syntax/"],
  ["src/check/"],
  ["src/lower/"],
  ["src/bundle.ts", "src/bundle-parts.ts", "src/compose.ts", "src/parts.ts", "src/rule-index.ts", "src/plan-literal.ts"],
  ["src/examples/", "src/sessions/"],
  ["src/compile.ts"],
  ["src/verify/", "src/trial.ts"],
  ["src/cli/", "src/release.ts", "src/lodash-stand-in.ts"],
];

function rankOf(path: string): number {
  return stages.findIndex((names) => names.some((name) => path.startsWith(name)));
}

test("stages point one way", () => {
  const staged = src.filter((file) => !file.path.startsWith("src/guard/") && !file.path.startsWith("src/hosts/"));
  expect(staged.filter((file) => rankOf(file.path) < 0).map((file) => file.path)).toEqual([]);
  expect(wrongImports(staged, (specifier, file) => rankOf(specifier) > rankOf(file.path))).toEqual([]);
  const compiler = (specifier: string) => rankOf(specifier) > 0 || specifier.startsWith("src/syntax/");
  expect(wrongImports(src.filter(within("src/hosts/")), compiler)).toEqual([]);
});

test("the guard imports only itself, Node and, in the shell model, the shell parser", () => {
  const isForeign = (specifier: string, file: Source) =>
    !specifier.startsWith("src/guard/") && !specifier.startsWith("node:") && !(specifier === "unbash" && file.path.startsWith("src/guard/shell/"));
  expect(wrongImports(src.filter(within("src/guard/")), isForeign)).toEqual([]);
});

test("a wire and the files it draws in import only the guard and each other", () => {
  const wires = src.filter((file) => basename(file.path) === "wire.ts");
  expect(wires.length).toBeGreaterThan(0);
  const drawn = new Map(wires.map((file) => [file.path, file]));
  for (const file of drawn.values()) {
    for (const specifier of file.imports) {
      const own = src.find((other) => other.path === specifier && dirname(other.path) === dirname(file.path));
      if (own !== undefined) drawn.set(own.path, own);
    }
  }
  const isForeign = (specifier: string, file: Source) => !specifier.startsWith("src/guard/") && dirname(specifier) !== dirname(file.path);
  expect(wrongImports([...drawn.values()], isForeign)).toEqual([]);
  // The judge and the judged share no code.
  expect([...drawn.keys()].filter((path) => basename(path) === "contract.ts")).toEqual([]);
});

const hostFolders = readdirSync("src/hosts", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(join("src/hosts", entry.name)).includes("wire.ts"))
  .map((entry) => `src/hosts/${entry.name}/`);

test("a host imports no other host, and only the registry imports hosts", () => {
  expect(hostFolders.length).toBeGreaterThan(0);
  const isOtherHost = (specifier: string, file: Source) => hostFolders.some((folder) => specifier.startsWith(folder) && !file.path.startsWith(folder));
  expect(wrongImports(src.filter((file) => file.path !== "src/hosts/registry.ts"), isOtherHost)).toEqual([]);
});

test("nobody outside a host's folder asks for its name", () => {
  const others = src.filter((file) => !hostFolders.some((folder) => file.path.startsWith(folder)));
  const asks = new RegExp(`\\bhost\\.id\\s*[!=]==?\\s*["'\`]|["'\`](?:${hostFolders.map((folder) => basename(folder)).join("|")})["'\`]\\s*[!=]==?|[!=]==?\\s*["'\`](?:${hostFolders.map((folder) => basename(folder)).join("|")})["'\`]`);
  expect(others.filter((file) => asks.test(file.text)).map((file) => file.path)).toEqual([]);
});

/** Disk, processes and the terminal. `bundle-parts.ts` reads what it bundles when policyc is released. */
const outside = [...["fs", "fs/promises", "child_process", "os", "net", "http", "https", "readline", "tty", "worker_threads"].map((name) => `node:${name}`)];
const mayTouch = ["src/cli/", "src/verify/", "src/trial.ts", "src/release.ts"];

test("of the compiler only the command line and the files that run guards touch disk, processes and the terminal", () => {
  const pure = src.filter((file) => !file.path.startsWith("src/guard/") && !mayTouch.some((path) => file.path.startsWith(path)));
  expect(wrongImports(pure, (specifier) => outside.includes(specifier))).toEqual(["src/bundle-parts.ts -> node:fs/promises"]);
  expect(pure.filter((file) => /\bprocess\.(?:env|argv|std|exit|cwd|platform|on|kill|exec)|\bconsole\./.test(withoutComments(file.text))).map((file) => file.path)).toEqual([]);
});

const guardFilesWithIo = ["append", "branch", "builtin", "declared-place", "files", "job", "machine", "input", "output", "plain-paths", "real-path", "state"].map((name) => `src/guard/${name}.ts`);
/** What costs a guard's start, each with the files that may ask for it when they need it. */
const guardFilesWithProcesses = ["command", "forward", "installed", "job", "log", "state"].map((name) => `src/guard/${name}.ts`);

test("in the guard only the files made for it do input and output", () => {
  const makesIo = src.filter(within("src/guard/")).filter((file) => file.imports.includes("node:fs") || file.imports.includes("node:child_process"));
  expect(makesIo.map((file) => file.path).filter((path) => !guardFilesWithIo.includes(path))).toEqual([]);
  const loads = src.filter(within("src/guard/")).filter((file) => file.text.includes("loadBuiltin(\"") && !guardFilesWithProcesses.includes(file.path));
  expect(loads.map((file) => file.path)).toEqual([]);
  const values = src.filter(within("src/guard/")).flatMap((file) => [...file.text.matchAll(/^import (?!type )[^;]*"node:([^"]+)";/gm)].map(([, name]) => name));
  expect([...new Set(values)].sort()).toEqual(["fs", "module", "vm"]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

/** Tables: the length is the number of rows. */
const tables = ["src/diagnostics/catalogue.ts", "grammar/parser.ts"];

test("no file is longer than 400 lines, tables apart", () => {
  const long = [...grammar, ...src].filter((file) => !tables.includes(file.path) && file.text.split("\n").length > 400);
  expect(long.map((file) => file.path)).toEqual([]);
});

test("a file opens with a comment that says what it is", () => {
  const bare = [...grammar, ...src].filter((file) => !/^(?:#!.*\n)?\/\*\*/.test(file.text));
  expect(bare.map((file) => file.path)).toEqual([]);
});

test("files are in kebab-case and none is a drawer", () => {
  const odd = [...grammar, ...src, ...tests].filter((file) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.ts$/.test(basename(file.path)));
  expect(odd.map((file) => file.path)).toEqual([]);
  const drawers = [...grammar, ...src, ...tests].filter((file) => file.path.split(/[/.]/).some((part) => ["util", "utils", "helper", "helpers", "common", "core", "misc", "index-all"].includes(part)));
  expect(drawers.map((file) => file.path)).toEqual([]);
});

test("nothing is left to do later", () => {
  // Split, so that this file does not find itself.
  const words = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`);
  expect([...grammar, ...src, ...tests].filter((file) => words.test(file.text)).map((file) => file.path)).toEqual([]);
});

test("there are no default exports, enums, namespaces, barrels or module-level variables", () => {
  const forbidden = /^export default\b|^(?:export )?(?:declare )?(?:const )?enum\b|^(?:export )?namespace\b|^export \*|^(?:export )?(?:let|var) /m;
  expect([...grammar, ...src].filter((file) => forbidden.test(withoutComments(file.text))).map((file) => file.path)).toEqual([]);
});

test("the only classes are Chevrotain's parser and errors", () => {
  const classes = [...grammar, ...src].flatMap((file) => [...withoutComments(file.text).matchAll(/^\s*(?:export )?(?:abstract )?class (\w+)(?: extends (\w+))?/gm)].map((match) => `${match[1]} extends ${match[2] ?? "nothing"}`));
  expect(classes.filter((name) => !/ extends (?:CstParser|EmbeddedActionsParser|Error|RangeError|TypeError)$/.test(name))).toEqual([]);
});

test("tests have no outer describe, and none is skipped or alone", () => {
  const forbidden = /^\s*(?:describe|(?:test|it)\.(?:skip|only|todo|fails))\b/m;
  expect(tests.filter((file) => forbidden.test(file.text)).map((file) => file.path)).toEqual([]);
});

test("nothing escapes from strict types", () => {
  const loose = /:\s*any\b|\bas any\b|@ts-(?:ignore|nocheck|expect-error)/;
  expect([...grammar, ...src].filter((file) => loose.test(withoutComments(file.text))).map((file) => file.path)).toEqual([]);
});
