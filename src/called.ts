/**
 * Which functions a build calls, found out when policyc is released by running the smallest one: their names go into the
 * shipped file as functions to be compiled at once. Left alone each would be read twice, once to find its end and again at
 * its first call, and reading is a third of what a build costs.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs before the command in its process, and at the end writes the names of called functions that stood in parts. */
const observer = `
const { Session } = require("node:inspector");
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage");
process.on("exit", () => {
  session.post("Profiler.takePreciseCoverage", (fault, { result }) => {
    const functions = result.filter(({ url }) => url === "").flatMap((script) => script.functions);
    const called = functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName);
    require("node:fs").writeFileSync(require("node:path").join(__dirname, "called.json"), JSON.stringify(called));
  });
});
`;

/** By name, for a `dist/policyc.cjs` whose names are those of the source. The current folder is policyc's repository. */
export function calledFunctions(): ReadonlySet<string> {
  const scratch = mkdtempSync(join(tmpdir(), "policyc-release-"));
  try {
    const project = join(scratch, "project");
    mkdirSync(project);
    copyFileSync("examples/quickstart/main.policy", join(project, "main.policy"));
    writeFileSync(join(scratch, "observer.cjs"), observer);
    execFileSync(process.execPath, ["--require", join(scratch, "observer.cjs"), "dist/policyc.cjs", "build", project], { stdio: ["ignore", "ignore", "inherit"] });
    return new Set(JSON.parse(readFileSync(join(scratch, "called.json"), "utf8")) as readonly string[]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The functions of these names in front of all else, in the parentheses that have them compiled at once. */
export function calledFirst(text: string, called: ReadonlySet<string>): string {
  const first: string[] = [];
  const others = text.replaceAll(/^function (\w+)\(.*\) \{\n[^]*?^\}\n/gm, (whole, name: string) => {
    if (!called.has(name)) return whole;
    first.push(`var ${name} = (${whole.trimEnd()});\n`);
    return "";
  });
  return first.join("") + others;
}
