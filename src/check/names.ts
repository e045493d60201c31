/**
 * What `$name` and `$lib.name` stand for, file by file. Duplicates, circles and names that would grow without bounds are
 * reported here once; afterwards every reference can be followed without further care.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { Command, CommandWord, DollarReference, LetDeclaration, Operand } from "../syntax/ast.ts";
import type { LoadedFile, LoadedProject } from "./load.ts";
import type { Report } from "./report.ts";

/** A `let` line with the file it stands in. */
export interface Binding {
  readonly declaration: LetDeclaration;
  readonly home: LoadedFile;
}

export type Found =
  | { readonly kind: "binding"; readonly binding: Binding }
  /** Refused where it is defined; users of the name say nothing more. */
  | { readonly kind: "broken" }
  /** Two modules of one last segment both define it. */
  | { readonly kind: "ambiguous"; readonly homes: readonly LoadedFile[] }
  | { readonly kind: "unknown" };

export interface Names {
  find(reference: DollarReference, from: LoadedFile): Found;
  /** As `find`, and reports an unknown name. */
  expect(reference: DollarReference, from: LoadedFile, report: Report): Binding | undefined;
  /** Parts the condition or value has once its names are filled in. */
  sizeOf(value: LetDeclaration["value"], from: LoadedFile): number;
  /** Every `let` of a file that is not refused, in file order. */
  bindingsOf(file: LoadedFile): readonly Binding[];
}

/** Past this size nobody can review what a guard holds, and names of names grow exponentially. */
export const mostParts = 5000;

export function resolveNames(project: LoadedProject, report: Report): Names {
  const tables = new Map(project.files.map((file) => [file, tableOf(file, report)]));
  const broken = new Set<LetDeclaration>();
  const sizes = new Map<LetDeclaration, number>();

  const find = (reference: DollarReference, from: LoadedFile): Found => {
    const [first = "", second, ...rest] = reference.path;
    if (rest.length > 0) return { kind: "unknown" };
    const name = second ?? first;
    const homes = second === undefined ? [from] : homesOf(first, from);
    const having = homes.filter((home) => tables.get(home)?.has(name));
    if (having.length > 1) return { kind: "ambiguous", homes: having };
    const [home] = having;
    const declaration = home && tables.get(home)?.get(name);
    if (home && declaration) return broken.has(declaration) ? { kind: "broken" } : { kind: "binding", binding: { declaration, home } };
    // A `let` line that could not be read is one mistake, not one for each use of its name.
    if (homes.some((home) => home.damaged && mentionsLet(home, name))) return { kind: "broken" };
    return { kind: "unknown" };
  };

  const measure = (binding: Binding, trail: readonly Binding[]): number => {
    const { declaration, home } = binding;
    const known = sizes.get(declaration);
    if (known !== undefined) return known;
    if (broken.has(declaration)) return 1;
    const start = trail.findIndex((step) => step.declaration === declaration);
    if (start >= 0) {
      const circle = trail.slice(start);
      report(circular(circle));
      for (const step of circle) broken.add(step.declaration);
      return 1;
    }
    const size = partsOf(declaration.value, (reference) => sizeOfReference(reference, home, [...trail, binding]));
    if (!broken.has(declaration) && size > mostParts) {
      report(diagnose("check/too-large", { what: `\`$${declaration.name.text}\``, most: mostParts }, { file: home.file, span: declaration.name.span, help: { text: "use fewer names in it, or name the parts where they are used" } }));
      broken.add(declaration);
    }
    sizes.set(declaration, broken.has(declaration) ? 1 : size);
    return sizes.get(declaration) ?? 1;
  };

  const sizeOfReference = (reference: DollarReference, from: LoadedFile, trail: readonly Binding[]): number => {
    const found = find(reference, from);
    return found.kind === "binding" ? measure(found.binding, trail) : 1;
  };

  const bindings = (file: LoadedFile): readonly Binding[] => [...(tables.get(file)?.values() ?? [])].map((declaration) => ({ declaration, home: file }));
  for (const file of project.files) for (const binding of bindings(file)) measure(binding, []);

  return {
    find,
    expect: (reference, from, tell) => {
      const found = find(reference, from);
      if (found.kind === "binding") return found.binding;
      if (found.kind === "unknown") tell(unknownReference(reference, from, tables));
      if (found.kind === "ambiguous") tell(ambiguousReference(reference, from, found.homes));
      return undefined;
    },
    sizeOf: (value, from) => partsOf(value, (reference) => sizeOfReference(reference, from, [])),
    bindingsOf: (file) => bindings(file).filter(({ declaration }) => !broken.has(declaration)),
  };
}

type Table = ReadonlyMap<string, LetDeclaration>;

function tableOf(file: LoadedFile, report: Report): Table {
  const table = new Map<string, LetDeclaration>();
  for (const statement of file.policy.statements) {
    if (statement.kind !== "let") continue;
    const { name } = statement;
    const first = table.get(name.text);
    if (!first) {
      table.set(name.text, statement);
      continue;
    }
    report(
      diagnose("check/unknown-reference", { problem: `\`$${name.text}\` is defined twice` }, {
        file: file.file,
        span: name.span,
        labels: [{ span: first.name.span, text: "first here" }],
        help: { text: "a name stands for one thing in its file: rename one of them" },
      }),
    );
  }
  return table;
}

function homesOf(lib: string, from: LoadedFile): readonly LoadedFile[] {
  return [...new Set(from.imports.filter((entry) => entry.lib === lib).map((entry) => entry.target))];
}

function ambiguousReference(reference: DollarReference, from: LoadedFile, homes: readonly LoadedFile[]) {
  const written = `$${reference.path.join(".")}`;
  return diagnose("check/unknown-reference", { problem: `\`${written}\` is defined in ${homes.map((home) => `\`${home.file.path}\``).join(" and ")}` }, {
    file: from.file,
    span: reference.span,
    help: { text: "modules are told apart by the last segment of their names: rename a file, or one of the names" },
  });
}

function mentionsLet(file: LoadedFile, name: string): boolean {
  return file.file.text.split(/\r?\n/).some((line) => /^let\s+\$/.test(line) && line.replace(/^let\s+\$/, "").match(/^[\w-]+/)?.[0] === name);
}

function circular(circle: readonly Binding[]) {
  const [first] = circle;
  const names = [...circle, first].map((step) => `$${step?.declaration.name.text ?? ""}`);
  return diagnose("check/unknown-reference", { problem: `\`${names[0]}\` leads back to itself: ${names.join(" -> ")}` }, {
    ...(first && { file: first.home.file, span: first.declaration.name.span }),
    labels: circle.slice(1).map(({ declaration, home }) => ({ span: declaration.name.span, text: "by way of this", file: home.file })),
    help: { text: "a name can only stand for things that are known without it" },
  });
}

function unknownReference(reference: DollarReference, from: LoadedFile, tables: ReadonlyMap<LoadedFile, Table>) {
  const written = `$${reference.path.join(".")}`;
  return diagnose("check/unknown-reference", { problem: `there is no \`${written}\`` }, {
    file: from.file,
    span: reference.span,
    help: { text: referenceHelp(reference, from, tables) },
  });
}

function referenceHelp(reference: DollarReference, from: LoadedFile, tables: ReadonlyMap<LoadedFile, Table>): string {
  const [first = "", second] = reference.path;
  const own = [...(tables.get(from)?.keys() ?? [])].map((name) => `$${name}`);
  const imported = from.imports.flatMap((entry) => [...(tables.get(entry.target)?.keys() ?? [])].map((name) => `$${entry.lib}.${name}`));
  const sameName = imported.filter((name) => name.endsWith(`.${second ?? first}`));
  const near = [...new Set([...sameName, ...nearest(`$${reference.path.join(".")}`, [...own, ...imported])])].slice(0, 3);
  if (near.length > 0) return `did you mean ${eitherOf(near)}?`;
  if (second === undefined) return `define it: \`let $${first} = [ ... ]\``;
  const libs = [...new Set(from.imports.map((entry) => entry.lib))];
  if (libs.includes(first)) return `\`${first}\` has no such name`;
  const others = nearest(first, libs);
  return others.length > 0 ? `did you mean ${eitherOf(others.map((lib) => `$${lib}.${second}`))}?` : `no \`use\` line of this file brings a module \`${first}\``;
}

/** Nodes and items of a value; `follow` says how many parts a reference stands for. */
function partsOf(value: LetDeclaration["value"], follow: (reference: DollarReference) => number): number {
  switch (value.kind) {
    case "and":
    case "or":
      return 1 + total(value.of.map((part) => partsOf(part, follow)));
    case "not":
      return 1 + partsOf(value.of, follow);
    case "reference":
      return follow(value.reference);
    case "compare":
      return 1 + operandParts(value.comparison.operand, follow);
    case "touches":
    case "reads":
    case "writes":
    case "deletes":
      return 1 + operandParts(value.operand, follow);
    case "runs":
      return commandParts(value.invocation.command, follow) + total(value.invocation.arguments.flatMap(({ patterns }) => patterns.map((word) => wordParts(word, follow))));
    case "pipes":
      return commandParts(value.from, follow) + commandParts(value.into, follow);
    case "list":
      return operandParts(value, follow);
    case "has":
    case "succeeds":
    case "marked":
    case "is":
    case "regex":
    case "text":
    case "number":
    case "duration":
    case "size":
      return 1;
    default:
      return value satisfies never;
  }
}

function operandParts(operand: Operand, follow: (reference: DollarReference) => number): number {
  if (operand.kind === "dollar") return follow(operand);
  if (operand.kind === "list") return total(operand.items.map((item) => (item.kind === "dollar" ? follow(item) : 1)));
  return 1;
}

function commandParts(command: Command, follow: (reference: DollarReference) => number): number {
  return total([...command.alternatives.flat(), ...command.tail].map((word) => wordParts(word, follow)));
}

function wordParts(word: CommandWord, follow: (reference: DollarReference) => number): number {
  return word.kind === "dollar" ? follow(word) : 1;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
