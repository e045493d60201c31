/**
 * The text that all guards of one host share, made from source by esbuild when policyc is released. Imports between parts
 * are bound here: in the place of another part's file stand functions that load it, and a part finds what is in the start
 * in one object. So the sources import one another as usual, and nothing stands in a guard twice.
 */
import { readFile, readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "esbuild";
import { holderName } from "./compose.ts";
import type { Runtime } from "./compose.ts";
import type { Host } from "./hosts/host.ts";
import { askedOf, divide, partTable, readSource, shellParts, start } from "./parts.ts";
import type { SourceFacts } from "./parts.ts";
import { asciiEscaped } from "./plan-literal.ts";

export interface Bundle {
  readonly text: string;
  /** Source files, relative to the repository. */
  readonly inputs: readonly string[];
}

interface Division {
  readonly files: ReadonlyMap<string, SourceFacts>;
  /** The part of each file. */
  readonly owners: ReadonlyMap<string, string>;
}

/** Bundles the runtime of one host from source; the current folder must be policyc's repository. */
export async function bundleRuntime(host: Host): Promise<Runtime> {
  const texts = Object.fromEntries([...(await bundleGuard(host))].map(([name, { text }]) => [name, text]));
  const { [start]: guard = "", ...parts } = texts;
  return { guard, parts };
}

/** The start and the parts by name. */
export async function bundleGuard(host: Host): Promise<ReadonlyMap<string, Bundle>> {
  const wire = join("src", host.wireModule).replaceAll("\\", "/");
  const table = partTable(wire);
  const files = await readSources(table.flatMap(({ roots }) => roots));
  const division: Division = { files, owners: divide(files, table) };
  const names = [...new Set(division.owners.values())].filter((name) => name !== start);
  const bundles = await Promise.all([bundleStart(wire, names, division), ...names.map((name) => bundlePart(name, wire, division))]);
  return new Map([start, ...names].map((name, index): [string, Bundle] => [name, presumeFenced(name, bundles[index]!, `${dirname(wire)}/`)]));
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

function bundleStart(wire: string, parts: readonly string[], division: Division): Promise<Bundle> {
  const holders = `{ ${parts.map((name) => `${name}: ${holderName(name)}`).join(", ")} }`;
  const shared = namesIn(askedOf(start, division.files, division.owners));
  const loader = [
    `import { partLoader } from "./src/guard/part.ts";`,
    ...importLines(askedOf(start, division.files, division.owners)),
    `let load;`,
    `export const part = (name) => (load ??= partLoader(${holders}, () => ({ ${shared.join(", ")} }), require))(name);`,
  ];
  const entry = [
    `import { runGuard } from "./src/guard/main.ts";`,
    `import { part } from "guard:parts";`,
    `import { shellCalls } from "./${dirname(wire)}/shell-calls.ts";`,
    `runGuard({ plan, rules: { index: ruleIndex, rules }, shellCalls, shellSigns, wire: () => part("wire").wire, encode: (...given) => part("answer").encode(...given) });`,
  ];
  return bundle(entry, [stubs(start, division), virtualFile("guard:parts", loader)]);
}

function bundlePart(name: string, wire: string, division: Division): Promise<Bundle> {
  const asked = new Map(askedOf(name, division.files, division.owners));
  // The codec is no function that a stub could stand for, so the start asks for it by name.
  if (division.owners.get(wire) === name) asked.set(wire, [...(asked.get(wire) ?? []), "wire"]);
  return bundle([...importLines(asked), `provide({ ${namesIn(asked).join(", ")} });`], [stubs(name, division)], name === "bash");
}

function importLines(asked: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...asked].map(([file, names]) => `import { ${names.join(", ")} } from "./${file}";`);
}

function namesIn(asked: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const names = [...asked.values()].flat().sort();
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two files of one part of a guard export \`${twice}\` to other parts`);
  return names;
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
        const names = askedOf(owner, new Map([...files].filter(([file]) => file === path || owners.get(file) === own)), owners).get(path) ?? [];
        const lines = names.map((name) => {
          if (files.get(path)?.functions.includes(name) === true) return `export function ${name}(...given) { return part("${owner}").${name}(...given); }`;
          // Loading a part for it would undo that it is one.
          if (own === start) throw new Error(`the start of a guard needs \`${name}\`, which is no function, of ${path}`);
          return `export const ${name} = part("${owner}").${name};`;
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

/**
 * `foreign`: a package's code, which is reviewed where it comes from. Minified it takes half the bytes, and Node reads the
 * whole file at every call; our own keeps its names and lines, because people review what guards them.
 */
async function bundle(entry: readonly string[], plugins: Plugin[], foreign = false): Promise<Bundle> {
  const { build } = await import("esbuild");
  const made = await build({
    stdin: { contents: entry.join("\n"), resolveDir: resolve(""), sourcefile: "entry.ts", loader: "ts" },
    plugins,
    format: "cjs",
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node20",
    minify: foreign,
    ...(foreign && { lineLimit: 160 }),
    charset: "ascii",
    legalComments: "inline",
    logLevel: "silent",
  });
  const inputs = Object.keys(made.metafile.inputs).filter((input) => input !== "entry.ts" && !/^(?:stub|virtual):/.test(input));
  // What is left beyond ASCII stands in comments; escaped, the text can be read as one byte a character.
  return { text: asciiEscaped((await licences(inputs)) + (made.outputFiles[0]?.text ?? "")), inputs };
}

/**
 * Fail closed: a guard that drags in the compiler starts slowly and holds what nobody reviews, so it is never made.
 * @throws where a bundled file lies outside the guard's own files and its host's codec
 */
function presumeFenced(name: string, made: Bundle, hostFolder: string): Bundle {
  const isShell = shellParts.has(name);
  const isInside = (input: string): boolean => input.startsWith("src/guard/") || (isShell ? input.startsWith("node_modules/unbash/") : input.startsWith(hostFolder) && input !== `${hostFolder}contract.ts`);
  const outside = made.inputs.filter((input) => !isInside(input));
  if (outside.length > 0) throw new Error(`a guard must not hold ${outside.join(", ")}`);
  return made;
}

/** The licence texts of the packages among the inputs, as comments: that is what they ask of those who pass them on. */
export async function licences(inputs: readonly string[]): Promise<string> {
  const packages = new Set(inputs.flatMap((input) => /(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  const texts = await Promise.all(
    [...packages].sort().map(async (folder) => {
      const { name, version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as { readonly name: string; readonly version: string };
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.(?:txt|md))?$/i.test(entry));
      if (file === undefined) throw new Error(`${name} comes without its licence`);
      const text = await readFile(`${folder}/${file}`, "utf8");
      return [`${name} ${version}`, "", ...text.trim().split(/\r?\n/)].map((line) => commentLine(line)).join("");
    }),
  );
  return texts.map((text) => `${text}\n`).join("");
}

function commentLine(line: string): string {
  return `// ${line}`.trimEnd() + "\n";
}
