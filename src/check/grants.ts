/**
 * What an imported file may bring. Everything that restricts comes freely; what loosens, changes data or starts something
 * must be granted by the `use` line, all the way from the root file.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { Condition, Effect, Statement } from "../syntax/ast.ts";
import type { Import, LoadedFile, LoadedProject } from "./load.ts";
import type { Report } from "./report.ts";
import { isValue } from "./values.ts";

const grantNames = ["allow", "set", "replace", "run", "forward", "succeeds", "output", "disable", "observe"] as const;
type Grant = (typeof grantNames)[number];

interface Brought {
  readonly file: SourceFile;
  readonly span: Span;
  readonly words: string;
}

type Bringings = ReadonlyMap<Grant, Brought>;

const words: Readonly<Record<Grant, string>> = {
  allow: "an `allow`",
  set: "a `set`",
  replace: "a `replace`",
  run: "a `run`",
  forward: "a `forward`",
  succeeds: "a `succeeds`",
  output: "an `output of`",
  disable: "a `disable`",
  observe: "an `observe`",
};

export function checkGrants(project: LoadedProject, report: Report): void {
  const known = new Map<LoadedFile, Bringings>();
  for (const file of project.files) {
    for (const entry of file.imports) {
      checkGrantNames(entry, file, report);
      for (const [grant, brought] of bringingsOf(entry.target, known)) {
        if (isGranted(entry, grant) || isLeftOut(entry, grant)) continue;
        const have = entry.grants.map((name) => name.text);
        report(
          diagnose("check/ungranted-import", { module: entry.module, construct: brought.words, grant }, {
            file: file.file,
            span: entry.span,
            labels: [{ span: brought.span, text: "stands here", file: brought.file }],
            help: { text: "grant it if this file should be able to do that", lines: [`use ${entry.module.startsWith(".") ? `"${entry.module}"` : entry.module} with ${[...new Set([...have, grant])].join(", ")}`] },
          }),
        );
      }
    }
  }
}

/**
 * The files whose `allow` rules count for a root: itself, and what it reaches by lines that grant `allow`. A pack of the
 * standard library may be used for its names alone, so its `allow` rules stay out without the grant; with any other
 * module that is an error.
 */
export function allowingFiles(root: LoadedFile): ReadonlySet<LoadedFile> {
  const allowing = new Set<LoadedFile>();
  const visit = (file: LoadedFile) => {
    if (allowing.has(file)) return;
    allowing.add(file);
    for (const entry of file.imports) if (isGranted(entry, "allow") || !isLeftOut(entry, "allow")) visit(entry.target);
  };
  visit(root);
  return allowing;
}

function isGranted(entry: Import, grant: Grant): boolean {
  return entry.grants.some((name) => name.text === grant);
}

function isLeftOut(entry: Import, grant: Grant): boolean {
  return grant === "allow" && entry.module.startsWith("std/");
}

function checkGrantNames(entry: Import, file: LoadedFile, report: Report): void {
  // One `use` line may name several modules; its grants are checked with the first.
  if (entry.declaration.modules[0]?.span.start !== entry.span.start) return;
  for (const name of entry.grants) {
    if ((grantNames as readonly string[]).includes(name.text)) continue;
    const near = nearest(name.text, grantNames);
    report(
      diagnose("check/unknown-name", { kind: "grant", name: name.text }, {
        file: file.file,
        span: name.span,
        help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `what can be granted: ${grantNames.join(", ")}` },
      }),
    );
  }
}

/** What a file holds itself, and what it passes on from its own imports by granting it. */
function bringingsOf(file: LoadedFile, known: Map<LoadedFile, Bringings>): Bringings {
  const before = known.get(file);
  if (before) return before;
  const bringings = new Map<Grant, Brought>();
  const note = (grant: Grant, at: SourceFile, span: Span) => {
    if (!bringings.has(grant)) bringings.set(grant, { file: at, span, words: words[grant] });
  };
  for (const statement of file.policy.statements) noteStatement(statement, (grant, span) => note(grant, file.file, span));
  for (const entry of file.imports) {
    for (const [grant, brought] of bringingsOf(entry.target, known)) if (isGranted(entry, grant)) note(grant, brought.file, brought.span);
  }
  known.set(file, bringings);
  return bringings;
}

type Note = (grant: Grant, span: Span) => void;

function noteStatement(statement: Statement, note: Note): void {
  if (statement.kind === "disable" || statement.kind === "observe") note(statement.kind, statement.span);
  if (statement.kind === "let" && !isValue(statement.value)) noteCondition(statement.value, note);
  if (statement.kind !== "rule") return;
  noteEffect(statement.effect, note);
  if (statement.when) noteCondition(statement.when, note);
  for (const clause of statement.clauses) {
    if (clause.kind === "unless") noteCondition(clause.condition, note);
    if (clause.kind === "also") noteEffect(clause.effect, note);
    if (clause.kind === "else" && clause.action.kind === "effect") noteEffect(clause.action.effect, note);
  }
}

function noteEffect(effect: Effect, note: Note): void {
  switch (effect.kind) {
    case "allow":
    case "set":
    case "replace":
    case "run":
    case "forward":
      note(effect.kind, effect.span);
      return;
    case "tell":
      if (effect.source.kind === "output-of") note("output", effect.source.span);
      return;
    default:
  }
}

function noteCondition(condition: Condition, note: Note): void {
  if (condition.kind === "and" || condition.kind === "or") for (const part of condition.of) noteCondition(part, note);
  else if (condition.kind === "not") noteCondition(condition.of, note);
  else if (condition.kind === "succeeds") note("succeeds", condition.span);
}
