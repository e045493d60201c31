/**
 * Root files in, the project they make out, with everything that is wrong with it: the checks in their order. Pure: `load`
 * fetches what `use` lines name. Nothing is thrown for any text; a rule in which an error was found is left out of the
 * project, and the error keeps the project from being built.
 */
import type { Diagnostic, SourceFile } from "../diagnostics/diagnostic.ts";
import { silence } from "../diagnostics/silence.ts";
import type { OnError } from "../guard/plan.ts";
import type { Policy, TestBlock } from "../syntax/ast.ts";
import { assemble } from "./assemble.ts";
import type { NamedDraft } from "./assemble.ts";
import type { CheckedProject } from "./checked.ts";
import type { Place } from "./comparison.ts";
import { createConditions } from "./condition.ts";
import { checkDeclarations, checkHosts, longestDeadline } from "./declaration.ts";
import type { Declared } from "./declaration.ts";
import { checkGrants } from "./grants.ts";
import { libOf, loadProject } from "./load.ts";
import type { LoadModule, LoadedFile } from "./load.ts";
import { resolveNames } from "./names.ts";
import { mustWait } from "./not-yet.ts";
import { checkPatterns } from "./pattern.ts";
import type { Report } from "./report.ts";
import { identifyRules } from "./rule-id.ts";
import { checkRule } from "./rule.ts";
import type { RuleContext, RuleDraft } from "./rule.ts";
import { idleSilencers } from "./silencer.ts";
import { checkToggles } from "./toggle.ts";
import { checkTrigger } from "./trigger.ts";

export interface ProjectSources {
  /** In byte order of their paths. */
  readonly roots: readonly SourceFile[];
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
  const policies = files.map((file) => file.policy);
  const refused = new Set(policies.flatMap((policy) => checkPatterns(policy, report)));

  const names = resolveNames({ roots, files }, report);
  const conditions = createConditions(names);
  for (const file of files) {
    for (const binding of names.bindingsOf(file)) statementwise(report, (tell) => conditions.define(binding, { home: file, names, refused, report: tell }));
  }
  checkGrants({ roots, files }, report);

  const declared = new Map(files.map((file) => [file, checkDeclarations(file, sources.hosts, report)]));
  const nameOf = (file: LoadedFile) => (roots.includes(file) ? declared.get(file)?.name : undefined) ?? libOf(file.file.path);
  const contextOf = (file: LoadedFile): RuleContext => ({ names, conditions, refused, hosts: sources.hosts, targets: declared.get(file)?.targets ?? sources.hosts, isRoot: roots.includes(file) });
  const checked = new Map(files.map((file) => [file, checkStatements(file, contextOf(file), report)]));

  const taken: Parameters<typeof identifyRules>[2] = new Map();
  const drafts = new Map<LoadedFile, readonly NamedDraft[]>();
  for (const [file, rules] of checked) {
    const ids = identifyRules(rules.map((draft) => ({ ...draft, file: file.file, hosts: draft.limited ? draft.hosts : [] })), nameOf(file), taken, report);
    drafts.set(file, rules.map((draft, index) => ({ ...draft, ...(ids[index] ?? { id: "", named: false }) })));
  }
  const ids = new Map([...drafts].map(([file, rules]) => [file, rules.map((draft) => draft.id)]));
  const switched = new Map(files.map((file) => [file, checkToggles(file, nameOf(file), ids, sources.today, report)]));

  const rootFiles = roots.map((home) => ({ home, declared: declared.get(home) as Declared }));
  const project: CheckedProject = {
    name: rootFiles[0]?.declared.name ?? "",
    ...assemble({ roots: rootFiles, drafts, switched, nameOf }),
    onError: strictestOf(rootFiles.map((root) => root.declared.onError)),
    deadline: Math.min(...rootFiles.map((root) => root.declared.timeout), longestDeadline),
    tests: [],
  };
  return { project, policies, diagnostics: finish(found, policies, files) };
}

/** Rules become drafts; `test` blocks are looked at as far as names go. */
function checkStatements(file: LoadedFile, context: RuleContext, report: Report): readonly RuleDraft[] {
  return file.policy.statements.flatMap((statement) => {
    if (statement.kind === "rule") return [statementwise(report, (tell) => checkRule(statement, file, context, tell))];
    if (statement.kind === "test") statementwise(report, (tell) => checkTest(statement, { home: file, names: context.names, refused: context.refused, report: tell }, context.hosts));
    return [];
  });
}

function checkTest(block: TestBlock, { home, report }: Place, hosts: readonly string[]): void {
  checkHosts(block.hosts, hosts, home.file, report);
  for (const step of block.steps) checkTrigger(step.trigger, home.file, report);
  mustWait("test", home.file, block.title.span, report);
}

/**
 * Runs a check of one statement and hands its findings on. What has to wait is told once, and only where nothing else is
 * wrong: a mistake must not hide behind a construct whose turn has not come.
 */
function statementwise<Result>(report: Report, check: (tell: Report) => Result): Result {
  const found: Diagnostic[] = [];
  const result = check((diagnostic) => void found.push(diagnostic));
  const wrong = found.some(({ code, severity }) => severity === "error" && code !== "check/not-yet");
  let waiting = false;
  for (const diagnostic of found) {
    if (diagnostic.code === "check/not-yet") {
      if (wrong || waiting) continue;
      waiting = true;
    }
    report(diagnostic);
  }
  return result;
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

