/**
 * `npm run build`: makes `dist/` from source. The command line becomes one CommonJS file, because loading its packages one
 * by one costs many starts of Node, the guards' shared parts become texts, so that a user's build runs no bundler, and the
 * payloads that hosts were recorded with become one file, for `policyc verify`.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { transformSync } from "esbuild";
import type { Plugin } from "esbuild";
import { bundleRuntime } from "./bundle.ts";
import { bundleParts, calledFirst, licences } from "./bundle-parts.ts";
import type { Place } from "./bundle-parts.ts";
import { holderName } from "./compose.ts";
import { composeCode } from "./guard/part.ts";
import type { JsonObject } from "./guard/call.ts";
import { hosts } from "./hosts/registry.ts";
import { commandTable, sectionNames, start } from "./parts.ts";
import { tabulateLookahead } from "./syntax/parse.ts";
import type { Recorded } from "./verify/samples.ts";

/** A folder for each host with a file for each section: its fingerprint, and on the next line the text. */
async function releaseRuntimes(): Promise<void> {
  await rm("dist/runtime", { recursive: true, force: true });
  for (const host of hosts) {
    const folder = `dist/runtime/${host.id}`;
    await mkdir(folder, { recursive: true });
    const runtime = await bundleRuntime(host);
    for (const name of sectionNames) await writeFile(`${folder}/${name}.txt`, `${runtime(name).sum}\n${runtime(name).text}`);
  }
}

/** Commander can start programs for subcommands, and loads what that takes with itself; here no subcommand is one. */
const withoutPrograms: Plugin = {
  name: "without programs",
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) => (/[\\/]commander[\\/]/.test(importer) ? { path, namespace: "absent" } : undefined));
    build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "" }));
  },
};

/** What Chevrotain does at every start and could do in less time: in which of its files, what stands there, and what shall. */
const hastened: readonly (readonly [file: string, from: string, to: string])[] = [
  // It fills a table of 65,536 numbers with the classes of characters.
  ["scan/lexer.js", "(charCode) {\n    return charCode < minOptimizationVal\n        ? charCode\n        : charCodeToOptimizedIdxMap[charCode];", "(charCode) {\n    return charCode < minOptimizationVal ? charCode : 255 + ~~(charCode / 255);"],
  ["scan/lexer.js", "if (isEmpty(charCodeToOptimizedIdxMap)) {\n        charCodeToOptimizedIdxMap = new Array(65536);\n        for (let i = 0; i < 65536; i++) {\n            charCodeToOptimizedIdxMap[i] = i > 255 ? 255 + ~~(i / 255) : i;\n        }\n    }", ""],
  // It gives a class some 300 methods one by one; each is a new shape of the prototype, unless one was taken away before.
  ["parse/parser/utils/apply_mixins.js", "    baseCtors.forEach(", "    Object.assign(derivedCtor.prototype, { first: 1, second: 2 });\n    delete derivedCtor.prototype.first;\n    delete derivedCtor.prototype.second;\n    baseCtors.forEach("],
];

const hasten: Plugin = {
  name: "hasten",
  setup(build) {
    build.onLoad({ filter: /[\\/]chevrotain[\\/]lib[\\/]src[\\/]/ }, async ({ path }) => {
      const changes = hastened.filter(([file]) => path.replaceAll("\\", "/").endsWith(`/src/${file}`));
      const text = await readFile(path, "utf8");
      const missing = changes.find(([, from]) => !text.includes(from));
      if (missing !== undefined) throw new Error(`Chevrotain's ${missing[0]} is not what it was`);
      return { contents: changes.reduce((contents, [, from, to]) => contents.replace(from, () => to), text) };
    });
  },
};

/** Runs before the command in its process, and at the end writes which functions of parts were called: of each text where they stand. */
const observer = `
const { Session } = require("node:inspector");
const session = new Session();
session.connect();
const post = (method, options) => {
  let answer;
  session.post(method, options, (fault, result) => (answer = result));
  return answer;
};
post("Debugger.enable");
post("Profiler.enable");
post("Profiler.startPreciseCoverage");
process.on("exit", () => {
  const scripts = post("Profiler.takePreciseCoverage").result.filter(({ url }) => url === "");
  const texts = scripts.map(({ scriptId, functions }) => ({
    text: post("Debugger.getScriptSource", { scriptId }).scriptSource,
    called: functions.map(({ ranges }) => ranges[0]).filter(({ count }) => count > 0).map(({ startOffset, endOffset }) => [startOffset, endOffset]),
  }));
  require("node:fs").writeFileSync(require("node:path").join(__dirname, "called.json"), JSON.stringify(texts));
});
`;

interface Observed {
  readonly text: string;
  readonly called: readonly Place[];
}

/**
 * Which functions a build calls, found out by running the smallest one twice: in the shipped file they are compiled at once.
 * Left alone each would be read twice, once to find its end and again at its first call, and reading is a third of a build.
 */
function observeBuilds(): readonly Observed[] {
  const scratch = mkdtempSync(join(tmpdir(), "policyc-release-"));
  try {
    const project = join(scratch, "project");
    mkdirSync(project);
    copyFileSync("examples/quickstart/main.policy", join(project, "main.policy"));
    writeFileSync(join(scratch, "observer.cjs"), observer);
    const observe = (): readonly Observed[] => {
      execFileSync(process.execPath, ["--require", join(scratch, "observer.cjs"), "dist/policyc.cjs", "build", project], { stdio: ["ignore", "ignore", "inherit"], env: {} });
      return JSON.parse(readFileSync(join(scratch, "called.json"), "utf8")) as readonly Observed[];
    };
    // The first build finds nothing there, the second everything.
    return [...observe(), ...observe()];
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Where the functions of a part's code stand that were called. */
function placesIn(code: string, observed: readonly Observed[]): readonly Place[] {
  return observed.flatMap(({ text, called }) => {
    const offset = text.indexOf(code);
    return offset < 0 ? [] : called.filter(([start]) => start >= offset).map(([start, end]): Place => [start - offset, end - offset]);
  });
}

/** One file, like a guard: parts that a command does without cost it next to nothing. */
async function releaseCommand(): Promise<void> {
  const define = { lookaheadTable: JSON.stringify(tabulateLookahead()) };
  const bundles = await bundleParts({
    table: commandTable(hosts.map(({ wireModule }) => dirname(wireModule))),
    entry: [`import "./src/cli/main.ts";`],
    settings: (name) => ({
      // jsonc-parser's `main` hides its own files from a bundler.
      mainFields: ["module", "main"],
      minify: name === start,
      legalComments: "none",
      alias: { "lodash-es": resolve("src/lodash-stand-in.ts") },
      plugins: [withoutPrograms, hasten],
      define,
    }),
  });
  const inputs = [...bundles.values()].flatMap((bundle) => bundle.inputs);
  // Packages belong to no part by name: one that two parts import would be there twice, and so would what it remembers.
  const twice = inputs.find((input, index) => input.startsWith("node_modules/") && inputs.indexOf(input) !== index);
  if (twice !== undefined) throw new Error(`two parts of the command line hold ${twice}`);
  const { [start]: { text: code } = { text: "" }, ...parts } = Object.fromEntries(bundles);
  const write = async (form: (text: string) => string): Promise<void> => {
    const holders = Object.entries(parts).map(([name, { text }]) => composeCode(holderName(name), form(text)));
    await writeFile("dist/policyc.cjs", ["#!/usr/bin/env node\n", code.replace(/^#!.*\n/, ""), ...holders, await licences(inputs)].join(""));
  };
  await write((text) => text);
  const observed = observeBuilds();
  const places = new Map(Object.values(parts).map(({ text }) => [text, placesIn(text.trimEnd(), observed)]));
  if ([...places.values()].every((called) => called.length === 0)) throw new Error("no part of the command line was seen at work");
  // Half of a build's time is Node reading and compiling this file.
  await write((text) => transformSync(calledFirst(text.trimEnd(), places.get(text) ?? []), { minify: true, format: "esm", target: "node20", charset: "ascii", legalComments: "none" }).code);
  await chmod("dist/policyc.cjs", 0o755);
}

/** Well-formed payloads of today's events; those of older clients are tried by our own tests. */
async function releaseRecorded(): Promise<void> {
  const recorded: Recorded[] = [];
  for (const host of hosts) {
    const folder = `test/contract/${host.id}`;
    const lines = (await readFile(`${folder}/expected.jsonl`, "utf8")).trimEnd().split("\n");
    for (const { file, event } of lines.map((line) => JSON.parse(line) as { readonly file: string; readonly event: string })) {
      if (!host.facts.eventNames.includes(event) || !file.endsWith(".json") || file.startsWith("bad.")) continue;
      const payload = JSON.parse(await readFile(`${folder}/${file}`, "utf8")) as JsonObject;
      if (host.contract.judgePayload(event, payload).length === 0) recorded.push({ host: host.id, event, name: file.replace(/\.json$/, ""), payload });
    }
  }
  await writeFile("dist/recorded.json", `${JSON.stringify(recorded)}\n`);
}

void Promise.all([releaseRuntimes().then(releaseCommand), releaseRecorded()]).catch((fault: unknown) => {
  console.error(fault);
  process.exitCode = 1;
});
