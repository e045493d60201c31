/**
 * Values with their names filled in: a literal, a list or a `$name` in, a flat row of items out. Names for names, and
 * lists in lists, are gone afterwards.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import type { Condition, DollarReference, LetDeclaration, List, Literal } from "../syntax/ast.ts";
import type { LoadedFile } from "./load.ts";
import type { Binding, Names } from "./names.ts";
import type { Report } from "./report.ts";

/** An item of a list with its names filled in. */
export type Item = Exclude<List["items"][number], DollarReference>;

/** `home` and `span` are where the author of the rule wrote it: the use of the name, for what comes from another file. */
export interface FlatItem {
  readonly item: Item;
  readonly home: LoadedFile;
}

export interface FlatValue {
  readonly items: readonly FlatItem[];
  /** True where a list was written, even one of one item. */
  readonly list: boolean;
  readonly span: Span;
  readonly file: SourceFile;
}

/** `undefined` where a name is unknown or stands for a condition; that has been reported. */
export function flatten(value: Literal | List | DollarReference, from: LoadedFile, names: Names, report: Report): FlatValue | undefined {
  const place = { span: value.span, file: from.file };
  if (value.kind === "dollar") {
    const binding = names.expect(value, from, report);
    if (!binding) return undefined;
    const meant = unrenamed(binding, names);
    if (!meant) return undefined;
    const inner = meant.declaration.value;
    if (!isValue(inner)) {
      report(conditionAsValue(value, from, meant));
      return undefined;
    }
    const flat = flatten(inner, meant.home, names, silently);
    return flat && { ...flat, ...place };
  }
  if (value.kind !== "list") return { items: [{ item: value, home: from }], list: false, ...place };
  const items: FlatItem[] = [];
  let whole = true;
  for (const item of value.items) {
    if (item.kind !== "dollar") {
      items.push({ item, home: from });
      continue;
    }
    const flat = flatten(item, from, names, report);
    if (flat) items.push(...flat.items);
    else whole = false;
  }
  return whole ? { items, list: true, ...place } : undefined;
}

/** Findings inside a `let` are told where it is defined. */
const silently: Report = () => undefined;

function conditionAsValue(reference: DollarReference, from: LoadedFile, binding: Binding) {
  return diagnose("check/type-mismatch", { problem: `\`$${reference.path.join(".")}\` is a condition, not a value` }, {
    file: from.file,
    span: reference.span,
    labels: [{ span: binding.declaration.name.span, text: "defined as a condition here", file: binding.home.file }],
    help: { text: "a named condition stands alone: `when $name`" },
  });
}

export function isValue(value: LetDeclaration["value"] | DollarReference): value is Literal | List | DollarReference {
  return value.kind === "dollar" || value.kind === "list" || value.kind === "regex" || value.kind === "text" || value.kind === "number" || value.kind === "duration" || value.kind === "size";
}

/**
 * Through names that only rename another: `let $a = $b` parses as a condition that is one name. `undefined` where the last
 * one is unknown, which is told at its `let`.
 */
export function unrenamed(binding: Binding, names: Names): Binding | undefined {
  const { value } = binding.declaration;
  if (value.kind !== "reference") return binding;
  const found = names.find(value.reference, binding.home);
  return found.kind === "binding" ? unrenamed(found.binding, names) : undefined;
}

/** The condition a name stands for; `undefined` for a value. */
export function conditionOf(binding: Binding, names: Names): { readonly condition: Condition; readonly binding: Binding } | undefined {
  const meant = unrenamed(binding, names);
  return !meant || isValue(meant.declaration.value) ? undefined : { condition: meant.declaration.value, binding: meant };
}
