/**
 * Drafts of rules become the project's rules: names, the hosts of every root file that reaches them, what is disabled for
 * whom. Rules come in evaluation order, imports at their `use` line.
 */
import type { Unsure } from "../guard/plan.ts";
import type { CheckedFile, CheckedRule } from "./checked.ts";
import type { Declared } from "./declaration.ts";
import { allowingFiles } from "./grants.ts";
import { reachOf } from "./load.ts";
import type { LoadedFile } from "./load.ts";
import type { RuleDraft } from "./rule.ts";
import type { Identified } from "./rule-id.ts";
import type { Switched } from "./toggle.ts";

export interface NamedDraft extends RuleDraft, Identified {}

export interface RootFile {
  readonly home: LoadedFile;
  readonly declared: Declared;
}

export interface Parts {
  readonly roots: readonly RootFile[];
  readonly drafts: ReadonlyMap<LoadedFile, readonly NamedDraft[]>;
  readonly switched: ReadonlyMap<LoadedFile, readonly Switched[]>;
  /** The name that stands before the ids of a file's rules. */
  nameOf(file: LoadedFile): string;
}

export function assemble(parts: Parts): { readonly files: readonly CheckedFile[]; readonly rules: readonly CheckedRule[] } {
  const views = parts.roots.map((root) => viewOf(root, parts));
  const rules = inOrder(parts).flatMap((draft) => (draft.sound ? rulesOf(draft, views, parts) : []));
  const files = views.map(({ root: { home, declared }, left }) => ({
    file: home.file,
    name: declared.name,
    ...(declared.description !== undefined && { description: declared.description }),
    targets: declared.targets,
    unsure: declared.unsure,
    disabled: left,
  }));
  return { files, rules };
}

/** What one root file sees: which files, which of their rules it switched off. */
interface View {
  readonly root: RootFile;
  readonly reach: ReadonlySet<LoadedFile>;
  /** `undefined`: in force; `"off"`: left out; else the day from which it is in force. */
  stateOf(draft: NamedDraft): { readonly from?: string } | "off";
  readonly left: CheckedFile["disabled"];
}

function viewOf(root: RootFile, parts: Parts): View {
  const reach = reachOf(root.home);
  const allowing = allowingFiles(root.home);
  const switches = new Map<string, Switched>();
  for (const file of reach) {
    for (const one of parts.switched.get(file) ?? []) {
      const key = keyOf(one.home, one.id);
      const before = switches.get(key);
      // Of several lines the root file's own counts (it comes first), else the one that ends first.
      if (!before || (file !== root.home && !isOwn(before, root, parts) && endsBefore(one, before))) switches.set(key, one);
    }
  }
  const isUngranted = (draft: NamedDraft) => draft.rule.effect.kind === "allow" && !allowing.has(draft.home);
  const drafts = [...reach].flatMap((file) => parts.drafts.get(file) ?? []);
  const left = drafts.flatMap((draft) => {
    const rule = `${parts.nameOf(draft.home)}/${draft.id}`;
    const off = switches.get(keyOf(draft.home, draft.id));
    if (isUngranted(draft)) return [{ rule, because: "its `use` line does not grant `allow`" }];
    return off && off.until === undefined ? [{ rule, because: off.because }] : [];
  });
  return {
    root,
    reach,
    stateOf: (draft) => {
      if (isUngranted(draft)) return "off";
      const one = switches.get(keyOf(draft.home, draft.id));
      if (!one) return {};
      return one.until === undefined ? "off" : { from: one.until };
    },
    left,
  };
}

function isOwn(one: Switched, root: RootFile, parts: Parts): boolean {
  return (parts.switched.get(root.home) ?? []).includes(one);
}

function endsBefore(one: Switched, other: Switched): boolean {
  return one.until !== undefined && (other.until === undefined || one.until < other.until);
}

function keyOf(home: LoadedFile, id: string): string {
  return `${home.file.path}\n${id}`;
}

function inOrder(parts: Parts): readonly NamedDraft[] {
  const ordered: NamedDraft[] = [];
  const visited = new Set<LoadedFile>();
  const visit = (file: LoadedFile) => {
    if (visited.has(file)) return;
    visited.add(file);
    const drafts = new Map((parts.drafts.get(file) ?? []).map((draft) => [draft.rule, draft]));
    for (const statement of file.policy.statements) {
      if (statement.kind === "use") for (const entry of file.imports) if (entry.declaration === statement) visit(entry.target);
      const draft = statement.kind === "rule" ? drafts.get(statement) : undefined;
      if (draft) ordered.push(draft);
    }
  };
  for (const root of parts.roots) visit(root.home);
  return ordered;
}

/**
 * Usually one. Where root files that target different hosts disagree about a date, each host gets the strictest answer of
 * its own root files, so the rule may stand there twice, for different hosts.
 */
function rulesOf(draft: NamedDraft, views: readonly View[], parts: Parts): readonly CheckedRule[] {
  const groups = new Map<string, { readonly hosts: Set<string>; readonly unsure: Unsure[] }>();
  for (const view of views) {
    if (!view.reach.has(draft.home)) continue;
    const state = view.stateOf(draft);
    if (state === "off") continue;
    const group = groups.get(state.from ?? "") ?? { hosts: new Set<string>(), unsure: [] };
    groups.set(state.from ?? "", group);
    for (const host of view.root.declared.targets) if (draft.hosts.includes(host)) group.hosts.add(host);
    group.unsure.push(view.root.declared.unsure);
  }
  const served = new Set<string>();
  const ordered = [...groups.entries()].sort(([left], [right]) => (left < right ? -1 : 1));
  return ordered.flatMap(([from, group]) => {
    const hosts = draft.hosts.filter((host) => group.hosts.has(host) && !served.has(host));
    for (const host of hosts) served.add(host);
    return hosts.length > 0 ? [checkedRule(draft, hosts, from, strictest(group.unsure), parts)] : [];
  });
}

function strictest(unsure: readonly Unsure[]): Unsure {
  return unsure.includes("deny") ? "deny" : unsure.includes("ask") ? "ask" : "pass";
}

function checkedRule(draft: NamedDraft, hosts: readonly string[], from: string, unsure: Unsure, parts: Parts): CheckedRule {
  const { moment } = draft;
  if (!moment || moment.event === "any-event") throw new Error("a rule without a moment is never sound");
  return {
    file: draft.home.file,
    id: `${parts.nameOf(draft.home)}/${draft.id}`,
    named: draft.named,
    rule: draft.rule,
    hosts,
    limited: draft.limited,
    event: moment.event,
    ...(moment.hostEvent !== undefined && { hostEvent: moment.hostEvent }),
    tools: moment.tools,
    effect: draft.rule.effect,
    ...(draft.when && { when: draft.when }),
    unless: draft.unless,
    ...(draft.because && { because: draft.because }),
    ...(draft.suggest && { suggest: draft.suggest }),
    ...(draft.otherwise && { otherwise: draft.otherwise }),
    severity: draft.severity,
    unsure,
    ...(from !== "" && { from }),
    also: draft.also,
    examples: draft.examples.flatMap((example) => {
      const reached = example.hosts.filter((host) => hosts.includes(host));
      return reached.length > 0 ? [{ ...example, hosts: reached }] : [];
    }),
  };
}
