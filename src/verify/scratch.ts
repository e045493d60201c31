/**
 * Scratch projects below one temporary folder: guards of other plans and broken guards are put there and started, with a
 * home and a state directory of their own, so that nothing of the person's is read or written.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { composeGuard } from "../compose.ts";
import type { GuardPlan } from "../guard/plan.ts";
import { guardEnvironment, guardStarter } from "./start.ts";
import type { StartGuard } from "./start.ts";
import type { GuardUnderTest } from "./subject.ts";

export interface ScratchProject {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The guard alone, dry. */
  readonly start: StartGuard;
}

export interface Scratch {
  /** A project with a guard of the plan; `change` makes another text of it, and `undefined` no guard at all. */
  install(name: string, plan: GuardPlan, change?: (guard: string) => string | undefined): Promise<ScratchProject>;
}

/** The folder is gone when `work` has ended. */
export async function withScratch<Result>({ host, runtime }: Pick<GuardUnderTest, "host" | "runtime">, work: (scratch: Scratch) => Promise<Result>): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "policyc-verify-")));
  const install: Scratch["install"] = async (name, plan, change = (guard) => guard) => {
    const root = join(folder, name.replace(/[^\w-]+/g, "-"), "project");
    const home = join(root, "../home");
    const guard = join(root, host.layout.guard);
    await mkdir(dirname(guard), { recursive: true });
    await mkdir(home, { recursive: true });
    const text = change(composeGuard(runtime, plan));
    if (text !== undefined) await writeFile(guard, text);
    const { rootVariable } = host.facts;
    const environment = { ...guardEnvironment(home), ...(rootVariable !== undefined && { [rootVariable]: root }) };
    return { root, environment, start: guardStarter(guard, plan, root, home) };
  };
  try {
    return await work({ install });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
