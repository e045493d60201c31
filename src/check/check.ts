/**
 * Root files in, the project they make out, with everything that is wrong with it: the checks in their order. Pure: `load`
 * fetches what `use` lines name. Nothing is thrown for any text; a rule in which an error was found is left out of the
 * project, and the error keeps the project from being built.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";
import { silence } from "../diagnostics/silence.ts";
import type { OnError } from "../guard/plan.ts";
import type { Policy } from "../syntax/ast.ts";
import { assemble } from "./assemble.ts";
import type { NamedDraft, RootFile } from "./assemble.ts";
import type { CheckedProject, CheckedTest } from "./checked.ts";
import { createConditions } from "./condition.ts";
import { checkDeclarations, longestDeadline } from "./declaration.ts";
import type { Declared } from "./declaration.ts";
import { checkGrants } from "./grants.ts";
import { libOf, loadProject, openTests } from "./load.ts";
import type { LoadModule, LoadedFile } from "./load.ts";
import { checkMarks } from "./marks.ts";
import { resolveNames } from "./names.ts";
import { checkPatterns } from "./pattern.ts";
import { warnOfProjectCode } from "./project-code.ts";
import type { Report } from "./report.ts";
import { identifyRules } from "./rule-id.ts";
import { checkRule } from "./rule.ts";
import type { RuleContext, RuleDraft } from "./rule.ts";
import { idleSilencers } from "./silencer.ts";
import { checkTest } from "./test-block.ts";
import type { Tested } from "./test-block.ts";
import { checkToggles } from "./toggle.ts";
import { commandsOf } from "./visit.ts";

export interface ProjectSources {
  /** In byte order of their paths. */
  readonly roots: readonly SourceFile[];
  /** `*.test.policy` files: `test` blocks and the names they use. */
  readonly tests?: readonly SourceFile[];
  /** Ids of every host there is. */
  readonly hosts: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** What a `use` line names: `std/git`, `./team.policy`; `undefined` where there is no such module. */
  readonly load: LoadModule;
}

export function checkProject(sources: ProjectSources): { project: CheckedProject; policies: readonly Policy[]; diagnostics: Diagnostic[] } {
  const found: Diagnostic[] = [];
  const report: Report = (diagnostic) => void found.push(diagnostic);
  const { roots, files } = loadProject(sources.roots, sources.load, report);
  const tests = openTests(sources.tests ?? [], report);
  const all = [...files, ...tests];
  const policies = all.map((file) => file.policy);
  const refused = new Set(policies.flatMap((policy) => checkPatterns(policy, report)));

  const names = resolveNames({ roots, files: all }, report);
  const conditions = createConditions(names);
  for (const file of all) {
    for (const binding of names.bindingsOf(file)) conditions.define(binding, { home: file, names, refused, report });
  }
  checkGrants({ roots, files }, report);

  const declared = new Map(files.map((file) => [file, checkDeclarations(file, sources.hosts, report)]));
  const nameOf = (file: LoadedFile) => (roots.includes(file) ? declared.get(file)?.name : undefined) ?? libOf(file.file.path);
  const contextOf = (file: LoadedFile): RuleContext => ({ names, conditions, refused, hosts: sources.hosts, targets: declared.get(file)?.targets ?? sources.hosts, isRoot: roots.includes(file) });
  const checked = new Map(files.map((file) => [file, checkRules(file, contextOf(file), report)]));
  const everywhere = [...checked.values()].flat();
  checkMarks(everywhere, report);
  warnOfProjectCode(everywhere, report);

  const taken: Parameters<typeof identifyRules>[2] = new Map();
  const drafts = new Map<LoadedFile, readonly NamedDraft[]>();
  for (const [file, rules] of checked) {
    const ids = identifyRules(rules.map((draft) => ({ ...draft, file: file.file, hosts: draft.limited ? draft.hosts : [] })), nameOf(file), taken, report);
    drafts.set(file, rules.map((draft, index) => ({ ...draft, ...(ids[index] ?? { id: "", named: false }) })));
  }
  const ids = new Map([...drafts].map(([file, rules]) => [file, rules.map((draft) => draft.id)]));
  const switched = new Map(files.map((file) => [file, checkToggles(file, nameOf(file), ids, sources.today, report)]));

  const rootFiles = roots.map((home) => ({ home, declared: declared.get(home) as Declared }));
  const targets = sources.hosts.filter((host) => rootFiles.some((root) => root.declared.targets.includes(host)));
  const tested: Tested = { names, refused, hosts: sources.hosts, targets, files: files.map((home) => ({ home, name: nameOf(home), ids: ids.get(home) ?? [], own: roots.includes(home) })), commands: commandsOf(everywhere) };
  const state = stateOf(rootFiles, report);
  const project: CheckedProject = {
    name: rootFiles[0]?.declared.name ?? "",
    ...assemble({ roots: rootFiles, drafts, switched, nameOf }),
    onError: strictestOf(rootFiles.map((root) => root.declared.onError)),
    deadline: Math.min(...rootFiles.map((root) => root.declared.timeout), longestDeadline),
    ...(state !== undefined && { state }),
    tests: [...roots, ...tests].flatMap((file) => checkTests(file, tested, report)),
  };
  return { project, policies, diagnostics: finish(found, policies, all) };
}

function checkRules(file: LoadedFile, context: RuleContext, report: Report): readonly RuleDraft[] {
  return file.policy.statements.flatMap((statement) => (statement.kind === "rule" ? [checkRule(statement, file, context, report)] : []));
}

function checkTests(file: LoadedFile, tested: Tested, report: Report): readonly CheckedTest[] {
  return file.policy.statements.flatMap((statement) => (statement.kind === "test" ? [checkTest(statement, file, tested, report)] : []));
}

/** One guard has one folder for its marks. */
function stateOf(roots: readonly RootFile[], report: Report): string | undefined {
  const [first, ...more] = roots.flatMap(({ home, declared }) => (declared.state ? [{ file: home.file, ...declared.state }] : []));
  for (const other of more) {
    if (!first || other.folder === first.folder) continue;
    report(diagnose("check/type-mismatch", { problem: "the files of a project share one guard, which keeps its state in one folder" }, { file: other.file, span: other.span, labels: [{ span: first.span, text: "another one here", file: first.file }], help: { text: "keep one of the lines" } }));
  }
  return first?.folder;
}

function strictestOf(answers: readonly OnError[]): OnError {
  return answers.length === 0 || answers.includes("deny") ? "deny" : answers.includes("ask") ? "ask" : "allow";
}

/** Each finding once, in the order of files and places, without what a comment silences. */
function finish(found: readonly Diagnostic[], policies: readonly Policy[], files: readonly LoadedFile[]): Diagnostic[] {
  const order = new Map(files.map(({ file }, index) => [file, index]));
  const rank = ({ file }: Diagnostic) => (file && order.get(file)) ?? files.length;
  const distinct = new Map(found.map((diagnostic) => [[diagnostic.code, diagnostic.file?.path, diagnostic.span?.start, diagnostic.span?.end, diagnostic.message].join("\n"), diagnostic]));
  const all = [...distinct.values()];
  const idle = idleSilencers(policies, all, ["syntax", "check", "regex", "lint"]);
  return [...silence(all, policies), ...idle].sort((left, right) => rank(left) - rank(right) || (left.span?.start ?? 0) - (right.span?.start ?? 0));
}

