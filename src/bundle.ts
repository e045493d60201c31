/**
 * The text that all guards of one host share: a start and parts, made from source when policyc is released and fenced, so
 * that a guard holds nothing but what it needs.
 */
import { dirname, join } from "node:path";
import { bundleParts, licences, outerFunction } from "./bundle-parts.ts";
import type { Bundle } from "./bundle-parts.ts";
import { holderName, sectionOf } from "./compose.ts";
import type { Runtime } from "./compose.ts";
import { composeCode } from "./guard/part.ts";
import type { Host } from "./hosts/host.ts";
import { partTable, sectionNames, sectionParts, shellParts, start } from "./parts.ts";
import type { SectionName } from "./parts.ts";
import { asciiEscaped } from "./plan-literal.ts";

/** Bundles the runtime of one host from source; the current folder must be policyc's repository. */
export async function bundleRuntime(host: Host): Promise<Runtime> {
  const bundles = await bundleGuard(host);
  const optional = new Set(sectionNames.flatMap(sectionParts));
  const always = [...bundles.keys()].filter((name) => name !== start && !optional.has(name)).sort();
  const held = (names: readonly string[]): string => names.map((name) => composeCode(holderName(name), textOf(name))).join("\n");
  const textOf = (name: string): string => bundles.get(name)?.text ?? "";
  const codeOf = (name: SectionName): string => (name === "guard" ? [withoutDirective(textOf(start)), partsNote, held(always)].join("\n") : held(sectionParts(name)));
  const sections = new Map(sectionNames.map((name) => [name, sectionOf(name, codeOf(name))]));
  return (name) => sections.get(name) ?? sectionOf(name, "");
}

const partsNote = `
// Parts of the guard that most calls do without. Each is the code in a function's comment, compiled when something in it
// is first called, and reads \`*~/\` where the end of a comment would be.
`;

/** esbuild opens its output with one, and only the first statement of a file can be one. */
function withoutDirective(code: string): string {
  return code.replace(`"use strict";\n`, "");
}

/** The start and the parts by name. */
export async function bundleGuard(host: Host): Promise<ReadonlyMap<string, Bundle>> {
  const wire = join("src", host.wireModule).replaceAll("\\", "/");
  const entry = [
    `import { runGuard } from "./src/guard/main.ts";`,
    `import { part } from "guard:parts";`,
    `import { shellCalls } from "./${dirname(wire)}/shell-calls.ts";`,
    `runGuard({ plan, rules: { index: ruleIndex, rules }, shellCalls, shellSigns, wire: () => part("wire").wire, encode: (...given) => part("answer").encode(...given) });`,
  ];
  const bundles = await bundleParts({
    table: partTable(wire),
    entry,
    // The codec is no function that a stub could stand for, so the start asks for it by name.
    asked: new Map([[wire, "wire"]]),
    // A package's code is reviewed where it comes from. Minified it takes half the bytes, and Node reads the whole file at
    // every call; our own keeps its names and lines, because people review what guards them.
    settings: (name) => ({ legalComments: "inline", ...(name === "bash" ? { minify: true, lineLimit: 160 } : { minify: false }) }),
  });
  const guards = await Promise.all([...bundles].map(async ([name, made]): Promise<[string, Bundle]> => [name, await licensed(presumeFenced(name, made, `${dirname(wire)}/`))]));
  const settled = (name: string, text: string): string => (name === start ? withBuiltins(compiledAtOnce(text)) : shortWays.has(name) ? compiledAtOnce(text) : text);
  return new Map(guards.map(([name, made]) => [name, { ...made, text: settled(name, made.text) }]));
}

/** Parts of which a call that needs them runs nearly all. */
const shortWays: ReadonlySet<string> = new Set(["textual", "answer", "files"]);

/** The first call of `require` sets up what only modules of packages need; Node before 20.16 has nothing but that. */
function withBuiltins(text: string): string {
  return `const builtin = process.getBuiltinModule ?? require;\n\n${text.replaceAll(/\brequire(?=\("node:|\)\)\(name\))/g, "builtin")}`;
}

/**
 * In parentheses a function is compiled with the file around it. Left alone each would be read twice, once to find its end
 * and again at its first call: right for those of few calls alone.
 */
function compiledAtOnce(text: string): string {
  const sections = text.split(/^(?=\/\/ \S+\.ts$)/m);
  return sections.map((section) => (forFewCalls.test(section) ? section : section.replaceAll(outerFunction, (whole, name: string) => `const ${name} = (${whole});`))).join("");
}

/** Functions that load parts or hand on to them. */
const forFewCalls = /^\/\/ (?:stub:\S+|src\/guard\/part\.ts)$/m;

async function licensed({ text, inputs }: Bundle): Promise<Bundle> {
  // What is left beyond ASCII stands in comments; escaped, the text can be read as one byte a character.
  return { text: asciiEscaped((await licences(inputs)) + text), inputs };
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
