/**
 * A program in parts, made from source by esbuild when policyc is released. Imports between parts are bound here: in the
 * place of another part's file stand functions that load it, and a part finds what is in the start in one object. So the
 * sources import one another as usual, and nothing stands in a program twice.
 */
import { readFile, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { holderName } from "./compose.ts";
import { askedOf, divide, readSource, start } from "./parts.ts";
import type { PartFacts, SourceFacts } from "./parts.ts";

/** A function at the outermost level, as esbuild prints it. */
export const outerFunction = /^function (\w+)\(.*\) \{\n[^]*?^\}$/gm;

export interface Bundle {
  readonly text: string;
  /** Source files, relative to the repository. */
  readonly inputs: readonly string[];
}

export interface Program {
  readonly table: readonly PartFacts[];
  /** Lines that start it; the module `guard:parts` has the loader of parts, `part`. */
  readonly entry: readonly string[];
  /** What the entry asks of parts by name, by file. */
  readonly asked?: ReadonlyMap<string, string>;
  /** Of each part. */
  settings(name: string): BuildOptions;
}

interface Division {
  readonly files: ReadonlyMap<string, SourceFacts>;
  /** The part of each file. */
  readonly owners: ReadonlyMap<string, string>;
}

/** The start and the parts by name; the current folder must be policyc's repository. */
export async function bundleParts(program: Program): Promise<ReadonlyMap<string, Bundle>> {
  const files = await readSources(program.table.flatMap(({ roots }) => roots));
  const division: Division = { files, owners: divide(files, program.table) };
  const names = [...new Set(division.owners.values())].filter((name) => name !== start);
  const bundles = await Promise.all([bundleStart(program, names, division), ...names.map((name) => bundlePart(name, program, division))]);
  return new Map([start, ...names].map((name, index): [string, Bundle] => [name, bundles[index]!]));
}

/** The files and all they import. */
async function readSources(paths: readonly string[]): Promise<ReadonlyMap<string, SourceFacts>> {
  const files = new Map<string, SourceFacts>();
  const waiting = new Set(paths);
  for (const path of waiting) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const facts = readSource(path, text);
    files.set(path, facts);
    for (const next of facts.imports.keys()) waiting.add(next);
  }
  return files;
}

function bundleStart(program: Program, parts: readonly string[], division: Division): Promise<Bundle> {
  const holders = `{ ${parts.map((name) => `${name}: ${holderName(name)}`).join(", ")} }`;
  const asked = askedOf(start, division.files, division.owners);
  const loader = [
    `import { partLoader } from "./src/guard/part.ts";`,
    ...importLines(asked),
    `let load;`,
    `export const part = (name) => (load ??= partLoader(${holders}, () => ({ ${keysOf(asked)} }), require))(name);`,
  ];
  return bundle(program.entry, program.settings(start), [stubs(start, division), virtualFile("guard:parts", loader)]);
}

function bundlePart(name: string, program: Program, division: Division): Promise<Bundle> {
  const asked = new Map(askedOf(name, division.files, division.owners));
  for (const [file, wanted] of program.asked ?? []) if (division.owners.get(file) === name) asked.set(file, [...(asked.get(file) ?? []), wanted]);
  return bundle([...importLines(asked), `provide({ ${keysOf(asked)} });`], program.settings(name), [stubs(name, division)]);
}

type Asked = ReadonlyMap<string, readonly string[]>;

function importLines(asked: Asked): readonly string[] {
  return [...asked].map(([file, names]) => `import { ${names.map((name) => (keyOf(file, name, asked) === name ? name : `${name} as ${keyOf(file, name, asked)}`)).join(", ")} } from "./${file}";`);
}

function keysOf(asked: Asked): string {
  return [...asked].flatMap(([file, names]) => names.map((name) => keyOf(file, name, asked))).sort().join(", ");
}

/** Under which name a part gives something to others: its own, unless two files of the part have it. */
function keyOf(file: string, name: string, asked: Asked): string {
  const files = [...asked].filter(([, names]) => names.includes(name)).map(([other]) => other);
  return files.length === 1 ? name : `${name}${files.indexOf(file)}`;
}

/** Files of other parts as functions that load them, and files of the start as a module that every part is given. */
function stubs(own: string, { files, owners }: Division): Plugin {
  return {
    name: "parts",
    setup(build) {
      build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
        const file = relative("", join(resolveDir, path)).replaceAll("\\", "/");
        const owner = owners.get(file);
        if (owner === undefined || owner === own) return undefined;
        return owner === start ? { path: "guard", external: true } : { path: file, namespace: "stub" };
      });
      build.onLoad({ filter: /.*/, namespace: "stub" }, ({ path }) => {
        const owner = owners.get(path) ?? "";
        const asked = askedOf(owner, files, owners);
        const names = new Set([...files].filter(([file]) => owners.get(file) === own).flatMap(([, { imports }]) => imports.get(path) ?? []));
        const lines = [...names].sort().map((name) => {
          const given = `part("${owner}").${keyOf(path, name, asked)}`;
          if (files.get(path)?.functions.includes(name) === true) return `export function ${name}(...given) { return ${given}(...given); }`;
          // Loading a part for it would undo that it is one.
          if (own === start) throw new Error(`the start needs \`${name}\`, which is no function, of ${path}`);
          return `export const ${name} = ${given};`;
        });
        return { contents: [...(own === start ? [`import { part } from "guard:parts";`] : []), ...lines].join("\n"), resolveDir: resolve("") };
      });
    },
  };
}

function virtualFile(name: string, lines: readonly string[]): Plugin {
  return {
    name,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "virtual" }));
      build.onLoad({ filter: /.*/, namespace: "virtual" }, () => ({ contents: lines.join("\n"), resolveDir: resolve("") }));
    },
  };
}

async function bundle(entry: readonly string[], settings: BuildOptions, plugins: Plugin[]): Promise<Bundle> {
  const { build } = await import("esbuild");
  const made = await build({
    stdin: { contents: entry.join("\n"), resolveDir: resolve(""), sourcefile: "entry.ts", loader: "ts" },
    format: "cjs",
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node20",
    // What stands in the comments of parts has to be one byte a character.
    charset: "ascii",
    logLevel: "silent",
    ...settings,
    plugins: [...(settings.plugins ?? []), ...plugins],
  });
  const inputs = Object.keys(made.metafile?.inputs ?? {}).filter((input) => input !== "entry.ts" && !/^\w+:/.test(input));
  return { text: made.outputFiles?.[0]?.text ?? "", inputs };
}

/** Offsets of a function's first character and of what follows its last. */
export type Place = readonly [start: number, end: number];

/**
 * Code that esbuild printed with the called functions in the parentheses that have V8 compile them together with what is
 * around them: the outermost ones in front of all else, and arrow functions, for which V8 knows no such sign, as functions.
 */
export function calledFirst(code: string, called: readonly Place[]): string {
  const names = new Set(called.flatMap(([start]) => /^function (\w+)/.exec(code.slice(start, start + 200))?.[1] ?? []));
  const first: string[] = [];
  const others = withFunctions(code, called).replaceAll(outerFunction, (whole, name: string) => {
    if (!names.has(name)) return whole;
    first.push(`var ${name} = (${whole});\n`);
    return "";
  });
  return first.join("") + others;
}

const arrowHead = /^\(([^()]*)\) => (\{)?/;
/** Words that would mean something else in a function. */
const knowsItsPlace = /\b(?:this|arguments|super|new\.target|await|yield)\b/;

function withFunctions(code: string, places: readonly Place[]): string {
  const opened = new Map<number, readonly [length: number, text: string]>();
  const closed = new Map<number, string>();
  // Of functions that end together the inner one is closed first.
  for (const [start, end] of [...new Map(places)].sort(([one], [other]) => other - one)) {
    const arrow = code.slice(start, end);
    const [head, parameters, brace] = arrowHead.exec(arrow) ?? [];
    if (head === undefined || knowsItsPlace.test(arrow)) continue;
    opened.set(start, [head.length, `(function (${parameters}) {${brace === undefined ? " return (" : ""}`]);
    closed.set(end, `${closed.get(end) ?? ""}${brace === undefined ? "); }" : ""})`);
  }
  let made = "";
  let done = 0;
  for (const place of [...new Set([...opened.keys(), ...closed.keys()])].sort((one, other) => one - other)) {
    const [length, text] = opened.get(place) ?? [0, ""];
    made += code.slice(done, place) + (closed.get(place) ?? "") + text;
    done = place + length;
  }
  return made + code.slice(done);
}

/** The licence texts of the packages among the inputs, as comments: that is what they ask of those who pass them on. */
export async function licences(inputs: readonly string[]): Promise<string> {
  const packages = new Set(inputs.flatMap((input) => /(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  const namesOf = new Map<string, string[]>();
  for (const folder of [...packages].sort()) {
    const { name, version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as { readonly name: string; readonly version: string };
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.(?:txt|md))?$/i.test(entry));
    if (file === undefined) throw new Error(`${name} comes without its licence`);
    const text = (await readFile(`${folder}/${file}`, "utf8")).trim();
    namesOf.set(text, [...(namesOf.get(text) ?? []), `${name} ${version}`]);
  }
  return [...namesOf].map(([text, names]) => `${[...names, "", ...text.split(/\r?\n/)].map(commentLine).join("")}\n`).join("");
}

function commentLine(line: string): string {
  return `// ${line}`.trimEnd() + "\n";
}
