/**
 * What `$name` and `$lib.name` stand for, file by file. Duplicates, circles and names that would grow without bounds are
 * reported here once; afterwards every reference can be followed without further care.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { DollarReference, LetDeclaration } from "../syntax/ast.ts";
import type { LoadedFile, LoadedProject } from "./load.ts";
import { lightest, referencesIn, weightOf } from "./name-weight.ts";
import type { Weight } from "./name-weight.ts";
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
/** Names in names; everything behind the checks follows a condition by recursion. */
const mostLevels = 100;

export function resolveNames(project: LoadedProject, report: Report): Names {
  const tables = new Map(project.files.map((file) => [file, tableOf(file, report)]));
  const broken = new Set<LetDeclaration>();
  const visited = new Set<LetDeclaration>();
  const weights = new Map<LetDeclaration, Weight>();

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

  const follow = (from: LoadedFile) => (reference: DollarReference): Weight => {
    const found = find(reference, from);
    return (found.kind === "binding" ? weights.get(found.binding.declaration) : undefined) ?? lightest;
  };

  const weigh = ({ declaration, home }: Binding): void => {
    if (broken.has(declaration)) return;
    const weight = weightOf(declaration.value, follow(home));
    const name = `\`$${declaration.name.text}\``;
    const place = { file: home.file, span: declaration.name.span, help: { text: "use fewer names in it, or name the parts where they are used" } };
    if (weight.parts > mostParts) report(diagnose("check/too-large", { what: name, most: mostParts }, place));
    else if (weight.levels > mostLevels) report(diagnose("check/too-large", { what: `the nesting of ${name}`, most: mostLevels }, place));
    else {
      weights.set(declaration, weight);
      return;
    }
    broken.add(declaration);
  };

  /** Depth first with a stack of its own, because a chain of names can be longer than the engine's stack. */
  const visit = (start: Binding): void => {
    const trail: { readonly binding: Binding; readonly pending: DollarReference[] }[] = [];
    const enter = (binding: Binding) => {
      visited.add(binding.declaration);
      trail.push({ binding, pending: referencesIn(binding.declaration.value) });
    };
    if (!visited.has(start.declaration)) enter(start);
    for (let step = trail.at(-1); step; step = trail.at(-1)) {
      const reference = step.pending.shift();
      if (!reference) {
        trail.pop();
        weigh(step.binding);
        continue;
      }
      const found = find(reference, step.binding.home);
      if (found.kind !== "binding") continue;
      const { binding } = found;
      const place = trail.findIndex((earlier) => earlier.binding.declaration === binding.declaration);
      if (place >= 0) {
        const circle = trail.slice(place).map((earlier) => earlier.binding);
        report(circular(circle));
        for (const one of circle) broken.add(one.declaration);
      } else if (!visited.has(binding.declaration)) enter(binding);
    }
  };

  const bindings = (file: LoadedFile): readonly Binding[] => [...(tables.get(file)?.values() ?? [])].map((declaration) => ({ declaration, home: file }));
  for (const file of project.files) for (const binding of bindings(file)) visit(binding);

  return {
    find,
    expect: (reference, from, tell) => {
      const found = find(reference, from);
      if (found.kind === "binding") return found.binding;
      if (found.kind === "unknown") tell(unknownReference(reference, from, tables));
      if (found.kind === "ambiguous") tell(ambiguousReference(reference, from, found.homes));
      return undefined;
    },
    sizeOf: (value, from) => weightOf(value, follow(from)).parts,
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
