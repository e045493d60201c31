/**
 * `disable` and `observe` lines: which rule is meant, since when it is off and until when. A line that finds no rule is a
 * warning, because the rule it was meant for is then still in force.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { RuleReference, Text, Toggle } from "../syntax/ast.ts";
import { libOf, reachOf } from "./load.ts";
import type { LoadedFile } from "./load.ts";
import type { Report } from "./report.ts";

/** A rule that a line of some file switches off, or makes observe. */
export interface Switched {
  readonly home: LoadedFile;
  readonly id: string;
  readonly because: string;
  /** `YYYY-MM-DD`; the rule is in force again from then on. */
  readonly until?: string;
}

export interface Switches {
  readonly disabled: readonly Switched[];
  readonly observed: readonly Switched[];
}

/** The ids of a file's rules. */
export type RuleIds = ReadonlyMap<LoadedFile, readonly string[]>;

/** Days before its date that a `disable` or `observe` line begins to warn. */
const notice = 14;

export function checkToggles(file: LoadedFile, name: string, ids: RuleIds, today: string, report: Report): Switches {
  const switches = { disable: [] as Switched[], observe: [] as Switched[] };
  const seen = new Map<string, Span>();
  for (const toggle of file.policy.statements) {
    if (toggle.kind !== "disable" && toggle.kind !== "observe") continue;
    const until = toggle.until && checkDate(toggle.until, file.file, report);
    const targets = findRules(toggle, file, name, ids, report);
    if (toggle.until && !until) continue;
    const fresh = targets.filter((target) => !seen.has(keyOf(toggle, target)));
    const [first] = targets;
    if (first && fresh.length === 0) {
      const problem = `\`${nameOf(toggle, first)}\` is ${toggle.kind === "disable" ? "disabled" : "observed"} already`;
      const before = seen.get(keyOf(toggle, first));
      report(diagnose("check/unknown-rule", { problem }, { file: file.file, span: toggle.target.span, labels: before ? [{ span: before, text: "first here" }] : [], help: { text: "keep one of the two lines" } }));
      continue;
    }
    for (const target of fresh) seen.set(keyOf(toggle, target), toggle.target.span);
    if (first && until && toggle.until) remind(nameOf(toggle, first), until, today, file.file, toggle.until.span, report);
    switches[toggle.kind].push(...fresh.map((target) => ({ ...target, because: toggle.because?.value ?? "", ...(until && { until }) })));
  }
  return { disabled: switches.disable, observed: switches.observe };
}

function keyOf(toggle: Toggle, target: Target): string {
  return `${toggle.kind} ${target.home.file.path} ${target.id}`;
}

/** The rule, or the pack where a whole one is meant. */
function nameOf({ target }: Toggle, first: Target): string {
  return target.rule?.text === first.id ? first.id : (target.module?.text ?? target.rule?.text ?? first.id);
}

function remind(name: string, until: string, today: string, file: SourceFile, span: Span, report: Report): void {
  const left = dayOf(until) - dayOf(today);
  if (!(left <= notice)) return;
  const problem = left > 0 ? `\`${name}\` is in force again in ${left} ${left === 1 ? "day" : "days"}, from ${until} on` : `\`${name}\` is in force again since ${until}`;
  report(diagnose("check/unknown-rule", { problem }, { file, span, help: { text: left > 0 ? "set a later date, or prepare for the rule" : "remove the line, or set a later date" } }));
}

function checkDate(text: Text, file: SourceFile, report: Report): string | undefined {
  const date = new Date(`${text.value}T00:00:00Z`);
  // `2030-02-30` is taken by the engine for the second of March.
  if (/^\d{4}-\d{2}-\d{2}$/.test(text.value) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.value)) return text.value;
  report(diagnose("check/type-mismatch", { problem: `\`${text.value}\` is no day of the calendar` }, { file, span: text.span, help: { text: 'write year, month and day: "2030-01-31"' } }));
  return undefined;
}

function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
}

interface Target {
  readonly home: LoadedFile;
  readonly id: string;
}

/** The rule that is meant; of `observe` perhaps a whole pack, which is the rules of its file. */
function findRules(toggle: Toggle, file: LoadedFile, name: string, ids: RuleIds, report: Report): readonly Target[] {
  const { target } = toggle;
  const place = { file: file.file, span: target.span };
  const homes = homesOf(target, file, name);
  const module = target.module?.text ?? "";
  if (!target.rule && toggle.kind === "disable") {
    report(wholeModule(module, homes, ids, place));
    return [];
  }
  if (target.module && homes.length === 0) {
    report(diagnose("check/unknown-rule", { problem: `\`${module}\` is not used here` }, { ...place, help: { text: moduleHelp(module, file) } }));
    return [];
  }
  if (!target.rule) return packOf(module, homes, ids, place, report);
  const id = target.rule.text;
  const found = homes.filter((home) => ids.get(home)?.includes(id));
  const own = target.module ? undefined : found.find((home) => home === file);
  const [first, ...more] = own ? [own] : found;
  if (first && more.length === 0) return [{ home: first, id }];
  if (first) {
    report(diagnose("check/unknown-rule", { problem: `\`${id}\` is a rule of several modules` }, { ...place, help: { text: `say which: ${eitherOf(found.map((home) => `${libOf(home.file.path)}.${id}`))}` } }));
    return [];
  }
  const modules = homesOf({ ...target, module: { ...target.rule, kind: "name" } }, file, name).filter((home) => home !== file);
  if (!target.module && modules.length > 0) {
    if (toggle.kind === "observe") return packOf(id, modules, ids, place, report);
    report(wholeModule(id, modules, ids, place));
    return [];
  }
  // Rules of a statement that could not be read are missing from the list.
  if (homes.some((home) => home.damaged)) return [];
  report(diagnose("check/unknown-rule", { problem: `there is no rule \`${target.module ? `${module}.${id}` : id}\`` }, { ...place, help: { text: ruleHelp(id, homes, ids) } }));
  return [];
}

function packOf(module: string, homes: readonly LoadedFile[], ids: RuleIds, place: { readonly file: SourceFile; readonly span: Span }, report: Report): readonly Target[] {
  const rules = homes.flatMap((home) => (ids.get(home) ?? []).map((id) => ({ home, id })));
  if (rules.length === 0 && !homes.some((home) => home.damaged)) report(diagnose("check/unknown-rule", { problem: `\`${module}\` has no rules of its own to observe` }, { ...place, help: { text: "name the module that holds them" } }));
  return rules;
}

/** The files a reference can mean: what this file reaches, cut by the module's path, its last segment, or a file's name. */
function homesOf({ module }: RuleReference, file: LoadedFile, name: string): readonly LoadedFile[] {
  const reach = reachOf(file);
  if (!module) return [...reach];
  const homes = new Set<LoadedFile>();
  if (module.kind === "name" && module.text === name) homes.add(file);
  for (const reached of reach) {
    for (const entry of reached.imports) if ((module.kind === "name" ? entry.lib : entry.module) === module.text) homes.add(entry.target);
  }
  return [...homes];
}

function wholeModule(module: string, homes: readonly LoadedFile[], ids: RuleIds, place: { readonly file: SourceFile; readonly span: Span }): Diagnostic {
  const rules = homes.flatMap((home) => ids.get(home) ?? []);
  return diagnose("check/whole-module", { module }, {
    ...place,
    notes: [homes.length === 0 ? "It is not used here." : rules.length > 0 ? `Its rules: ${rules.map((id) => `\`${id}\``).join(", ")}` : "It has no rules."],
    help: { text: rules[0] !== undefined ? `name one of them, \`disable ${module}.${rules[0]} because "…"\`, or take the module out of its \`use\` line` : homes.length === 0 ? "remove the line" : "take the module out of its `use` line" },
  });
}

function moduleHelp(module: string, file: LoadedFile): string {
  const known = [...reachOf(file)].flatMap((reached) => reached.imports.flatMap((entry) => [entry.module, entry.lib])).filter((name) => !name.startsWith("."));
  const near = nearest(module, known);
  return near.length > 0 ? `did you mean ${eitherOf(near)}?` : "a file can disable its own rules and those of the modules it uses";
}

function ruleHelp(id: string, homes: readonly LoadedFile[], ids: RuleIds): string {
  const known = homes.flatMap((home) => ids.get(home) ?? []);
  const near = nearest(id, known);
  if (near.length > 0) return `did you mean ${eitherOf(near)}?`;
  return known.length > 0 && known.length <= 12 ? `the rules are ${known.map((name) => `\`${name}\``).join(", ")}` : "the build report lists every rule with its id";
}
