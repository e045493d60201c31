/**
 * The pipeline: texts of policies and of the hosts' settings go in, texts of guards and settings come out, and everything
 * found on the way. It touches no disk. Every step carries on after an error, so that one run tells all.
 */
import { composeGuard } from "./compose.ts";
import type { Runtime } from "./compose.ts";
import { checkProject } from "./check/check.ts";
import type { CheckedProject } from "./check/checked.ts";
import { idleSilencers } from "./check/silencer.ts";
import { diagnose } from "./diagnostics/catalogue.ts";
import { isClean } from "./diagnostics/diagnostic.ts";
import type { Diagnostic, SourceFile } from "./diagnostics/diagnostic.ts";
import { silence } from "./diagnostics/silence.ts";
import { judgeExamples } from "./examples/judge.ts";
import type { ExampleOutcome } from "./examples/judge.ts";
import type { Host, Surroundings } from "./hosts/host.ts";
import { placeIn } from "./hosts/place.ts";
import { withInstalled } from "./lower/installed.ts";
import { lowerForHosts } from "./lower/lower.ts";
import type { BuildOptions, Lowered } from "./lower/lower.ts";
import type { Policy } from "./syntax/ast.ts";

export interface Sources {
  /** Policies that no other one uses, in byte order of their paths. */
  readonly roots: readonly SourceFile[];
  /** `*.test.policy` files: their tests come out checked, and are part of no guard. */
  readonly tests?: readonly SourceFile[];
  /** The file a `use` line names; `undefined` where there is none. */
  load(module: string, from: SourceFile): SourceFile | undefined;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** The version of policyc. */
  readonly policyc: string;
  /** Every host a policy may name. */
  readonly hosts: readonly Host[];
  /** Ids of the hosts to build for; all that the policies target where absent. */
  readonly only?: readonly string[];
  readonly options?: BuildOptions;
  /** The machine to build for, in the scopes whose paths are absolute. */
  readonly around?: Surroundings;
}

export interface Examined {
  readonly project: CheckedProject;
  readonly policies: readonly Policy[];
  /** One for each host built for. */
  readonly lowered: readonly Lowered[];
  readonly examples: readonly ExampleOutcome[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A file to be written; without `text` no file should be there. */
export interface Artefact {
  readonly host: Host;
  /** Below the project root, or absolute where the scope's files lie somewhere else. */
  readonly path: string;
  readonly text: string | undefined;
}

/** Parse, check, lower and judge the examples: all that can be known without a host's settings. */
export function examine(sources: Sources): Examined {
  const { project, policies, diagnostics: checks } = checkProject({ ...sources, hosts: sources.hosts.map((host) => host.id) });
  const { lowered, diagnostics: gaps } = lowerForHosts(project, sources.hosts.filter((host) => sources.only?.includes(host.id) ?? true), sources.policyc, sources.options);
  const { outcomes, diagnostics: failures } = judgeExamples(project, lowered);
  const later = [...gaps, ...failures];
  const roots = policies.filter((policy) => sources.roots.includes(policy.file));
  // A line that accepts a finding on one host is not idle because this run, or the importing policy, is about another.
  const idle = sources.only === undefined || sources.hosts.every((host) => sources.only?.includes(host.id)) ? idleSilencers(roots, later, ["host", "test"]) : [];
  return { project, policies, lowered, examples: outcomes, diagnostics: [...checks, ...silence([...later, ...idle], policies)] };
}

/**
 * Everything: `existing` holds the settings and ledgers on disk under the paths that artefacts have, `runtimes` the shared
 * part of each host's guard. No artefacts where there is an error: nothing may be written then.
 */
export function compile(sources: Sources, existing: readonly SourceFile[], runtimes: ReadonlyMap<string, Runtime>): Examined & { readonly artefacts: readonly Artefact[] } {
  const found = examine(sources);
  const examined = { ...found, lowered: found.lowered.map((lowered) => withInstalled(lowered, sources.around)) };
  const installed = examined.lowered.map((lowered) => install(lowered, sources.around, existing, runtimes));
  const diagnostics = [...examined.diagnostics, ...installed.flatMap((one) => one.diagnostics)];
  return { ...examined, diagnostics, artefacts: isClean(diagnostics) ? installed.flatMap((one) => one.artefacts) : [] };
}

function install({ host, plan, entries, denials }: Lowered, around: Surroundings | undefined, existing: readonly SourceFile[], runtimes: ReadonlyMap<string, Runtime>) {
  const { scope } = plan;
  const layout = host.layoutIn(scope, around);
  if (layout === undefined) return { artefacts: [], diagnostics: [diagnose("host/no-such-scope", { host: host.title, scope })] };
  const at = (path: string) => existing.find((file) => file.path === placeIn(layout, path));
  const registered = host.register({ policy: plan.name, scope, entries, denials, ...(around && { around }) }, at(layout.settings), at(layout.ledger));
  const runtime = runtimes.get(host.id);
  if (runtime === undefined) throw new Error(`there is no guard runtime for ${host.id}`);
  const artefact = (path: string, text: string | undefined): Artefact => ({ host, path: placeIn(layout, path), text });
  const artefacts = [
    artefact(layout.guard, plan.events.length > 0 ? composeGuard(runtime, plan) : undefined),
    artefact(layout.settings, registered.settings),
    artefact(layout.ledger, registered.ledger),
    ...layout.others.map((path, index) => artefact(path, registered.others?.[index])),
  ];
  return { artefacts, diagnostics: registered.diagnostics };
}
