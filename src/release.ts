/**
 * `npm run build`: makes `dist/` from source. The command line becomes one CommonJS file, because loading its packages one
 * by one costs many starts of Node, and the guards' shared parts become texts, so that a user's build runs no bundler.
 */
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { bundleGuard, licences } from "./bundle.ts";
import { hosts } from "./hosts/registry.ts";

/** A folder for each host: the start, and a file for each part. */
async function releaseRuntimes(): Promise<void> {
  await rm("dist/runtime", { recursive: true, force: true });
  for (const host of hosts) {
    const folder = `dist/runtime/${host.id}`;
    await mkdir(folder, { recursive: true });
    for (const [name, { text }] of await bundleGuard(host)) await writeFile(`${folder}/${name}.cjs`, text);
  }
}

async function releaseCommand(): Promise<void> {
  const made = await build({
    entryPoints: ["src/cli/main.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    // jsonc-parser's `main` hides its own files from a bundler.
    mainFields: ["module", "main"],
    format: "cjs",
    target: "node20",
    // Only whitespace goes: a stack trace of a bug in policyc should still name its functions.
    minifyWhitespace: true,
    charset: "ascii",
    legalComments: "none",
    external: ["esbuild"],
    logLevel: "warning",
  });
  const code = made.outputFiles[0]?.text ?? "";
  const notices = await licences(Object.keys(made.metafile.inputs));
  await writeFile("dist/policyc.cjs", `#!/usr/bin/env node\n${code.replace(/^#!.*\n/, "")}${notices}`);
  await chmod("dist/policyc.cjs", 0o755);
}

void Promise.all([releaseRuntimes(), releaseCommand()]).catch((fault: unknown) => {
  console.error(fault);
  process.exitCode = 1;
});
