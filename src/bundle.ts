/**
 * The text of a guard. `bundleRuntime` makes the part that every policy shares, from source by esbuild, when policyc is
 * released; `composeGuard` puts a plan before it and is all that a user's build runs. One file per host comes out.
 */
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import type { ConditionPlan, GuardPlan } from "./guard/plan.ts";
import { composeTrailer, trailerExports } from "./guard/trailer.ts";
import type { Host } from "./hosts/host.ts";
import { asciiEscaped, asciiJson, planLiteral } from "./plan-literal.ts";

/** What all guards of one host have in common. */
export interface Runtime {
  /** Main, decision and wire; expects a constant `plan` before it. */
  readonly guard: string;
  /** The shell model with its parser, for guards whose rules look into commands. */
  readonly shell: string;
}

interface Bundle {
  readonly text: string;
  /** Source files, relative to the repository. */
  readonly inputs: readonly string[];
}

/** Bundles the runtime of one host from source; the current folder must be policyc's repository. */
export async function bundleRuntime(host: Host): Promise<Runtime> {
  const [guard, shell] = await Promise.all([bundleGuard(host), bundleShell()]);
  return { guard: guard.text, shell: shell.text };
}

export async function bundleGuard(host: Host): Promise<Bundle> {
  const entry = [
    `import { runGuard } from "./guard/main.ts";`,
    `import { shellLoader } from "./guard/trailer.ts";`,
    `import { wire } from "./${host.wireModule}";`,
    `runGuard(plan, wire, shellLoader(__filename));`,
  ].join("\n");
  const folder = host.wireModule.slice(0, host.wireModule.lastIndexOf("/") + 1);
  return presumeFenced(await bundle(entry, { format: "cjs" }), ["src/guard/", `src/${folder}`], ["src/guard/shell/", `src/${folder}contract.ts`]);
}

export async function bundleShell(): Promise<Bundle> {
  const entry = `export { shellModule } from "./guard/shell/index.ts";`;
  const made = await bundle(entry, { format: "iife", globalName: trailerExports });
  return presumeFenced(made, ["src/guard/", "node_modules/unbash/"], []);
}

async function bundle(contents: string, output: { readonly format: "cjs" | "iife"; readonly globalName?: string }): Promise<Bundle> {
  const { build } = await import("esbuild");
  const made = await build({
    stdin: { contents, resolveDir: "src", sourcefile: "entry.ts", loader: "ts" },
    ...output,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node20",
    // People review what guards them, and a host's settings name this file: no minified names, nothing but ASCII.
    minify: false,
    charset: "ascii",
    legalComments: "inline",
    logLevel: "silent",
  });
  const inputs = Object.keys(made.metafile.inputs).filter((input) => input !== "src/entry.ts");
  // What is left beyond ASCII stands in comments; escaped, the text can be read as one byte a character.
  return { text: asciiEscaped((await licences(inputs)) + (made.outputFiles[0]?.text ?? "")), inputs };
}

/**
 * Fail closed: a guard that drags in the compiler starts slowly and holds what nobody reviews, so it is never made.
 * @throws where a bundled file lies outside `allowed` or inside `refused`
 */
function presumeFenced(made: Bundle, allowed: readonly string[], refused: readonly string[]): Bundle {
  const isOutside = (input: string) => !allowed.some((start) => input.startsWith(start)) || refused.some((start) => input.startsWith(start));
  const outside = made.inputs.filter(isOutside);
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

/** One guard: header, plan, runtime and, where a rule looks into commands, the shell model. Same input, same bytes. */
export function composeGuard(runtime: Runtime, plan: GuardPlan): string {
  const [directive, code] = splitDirective(runtime.guard);
  const body = [directive, `const plan = ${planLiteral(plan)};\n`, code.trimEnd(), ""].join("\n");
  const whole = `${header(plan)}\n${needsShell(plan) ? `${body}\n${composeTrailer(runtime.shell)}` : body}`;
  return whole.replace(checksumLine, `// Checksum: ${checksumOf(whole)}`);
}

/** How a guard on disk came about: `made` by a build of that policyc and plan, or changed since, or never a guard. */
export type GuardOrigin = { readonly kind: "made"; readonly policyc: string; readonly plan: string } | { readonly kind: "changed" };

/** Reads a guard's own word, which holds only as long as nobody forges it: it tells causes apart and proves nothing. */
export function originOf(guard: string): GuardOrigin {
  const policyc = /^\/\/ Guard .*, made by policyc (\S+)\.\n/.exec(guard)?.[1];
  const plan = /^const plan = (\{.*\}|\{[^]*?^\});$/m.exec(guard)?.[1];
  if (policyc === undefined || plan === undefined || checksumLine.exec(guard)?.[1] !== checksumOf(guard)) return { kind: "changed" };
  return { kind: "made", policyc, plan };
}

const checksumLine = /^\/\/ Checksum: ([0-9a-f]*)$/m;

/** Of everything but the line that holds it. */
function checksumOf(guard: string): string {
  return createHash("sha256").update(guard.replace(checksumLine, "")).digest("hex").slice(0, 16);
}

function header(plan: GuardPlan): string {
  return [
    `// Guard ${asciiJson(plan.name)} for ${plan.host}, made by policyc ${plan.policyc}.`,
    "// The host starts it for each event registered in its settings, with the event's name as the first argument and the",
    "// payload on stdin. It answers as the rules below say, and says nothing where none of them fires.",
    `// Sources: ${plan.sources.map(asciiJson).join(", ")}`,
    "// Do not edit: change the policy and run `policyc build`; `policyc verify` finds a guard that was changed by hand.",
    "// Checksum: ",
    "",
  ].join("\n");
}

/** esbuild opens its output with the directive, and only the first statement of a file can be one. */
function splitDirective(code: string): readonly [string, string] {
  const directive = `"use strict";\n`;
  return code.startsWith(directive) ? [directive.trimEnd(), code.slice(directive.length)] : [`"use strict";`, code];
}

const shellAtoms: ReadonlySet<string> = new Set(["runs", "touches", "reads", "writes", "deletes", "pipes", "dynamic"]);

/** True where some condition is about commands or their effects. */
export function needsShell(plan: GuardPlan): boolean {
  return plan.rules.some((rule) => [...(rule.when ? [rule.when] : []), ...rule.unless].some(looksIntoCommands));
}

function looksIntoCommands(condition: ConditionPlan): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.of.some(looksIntoCommands);
  if (condition.kind === "not") return looksIntoCommands(condition.of);
  return shellAtoms.has(condition.kind) || (condition.kind === "is" && condition.field[0] === "dynamic");
}
