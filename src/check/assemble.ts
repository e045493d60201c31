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
import type { Switched, Switches } from "./toggle.ts";

export interface NamedDraft extends RuleDraft, Identified {}

export interface RootFile {
  readonly home: LoadedFile;
  readonly declared: Declared;
}

export interface Parts {
  readonly roots: readonly RootFile[];
  readonly drafts: ReadonlyMap<LoadedFile, readonly NamedDraft[]>;
  readonly switched: ReadonlyMap<LoadedFile, Switches>;
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
    mode: declared.mode,
    disabled: left,
  }));
  return { files, rules };
}

/** What one root file sees: which files, which of their rules it switched off or only observes. */
interface View {
  readonly root: RootFile;
  readonly reach: ReadonlySet<LoadedFile>;
  stateOf(draft: NamedDraft): State | "off";
  readonly left: CheckedFile["disabled"];
}

/** Since when a rule decides and since when it answers; days, `""` for always and `undefined` for never. */
interface State {
  readonly from: string;
  readonly enforced: string | undefined;
  /** Why it does not decide before `from`. */
  readonly because?: string;
}

function viewOf(root: RootFile, parts: Parts): View {
  const reach = reachOf(root.home);
  const allowing = allowingFiles(root.home);
  const disabled = switchesOf(root, reach, parts, "disabled");
  const observed = switchesOf(root, reach, parts, "observed");
  const isUngranted = (draft: NamedDraft) => draft.rule.effect.kind === "allow" && !allowing.has(draft.home);
  const drafts = [...reach].flatMap((file) => parts.drafts.get(file) ?? []);
  const left = drafts.flatMap((draft) => {
    const rule = `${parts.nameOf(draft.home)}/${draft.id}`;
    const off = disabled.get(keyOf(draft.home, draft.id));
    if (isUngranted(draft)) return [{ rule, because: "its `use` line does not grant `allow`" }];
    return off && off.until === undefined ? [{ rule, because: off.because }] : [];
  });
  return {
    root,
    reach,
    stateOf: (draft) => {
      if (isUngranted(draft)) return "off";
      const off = disabled.get(keyOf(draft.home, draft.id));
      if (off && off.until === undefined) return "off";
      const from = off?.until ?? "";
      const because = off && { because: off.because };
      if (root.declared.mode === "observe") return { from, enforced: undefined, ...because };
      const watched = observed.get(keyOf(draft.home, draft.id));
      return { from, enforced: watched ? watched.until && later(watched.until, from) : from, ...because };
    },
    left,
  };
}

/** Of several lines about a rule the root file's own counts (it comes first), else the one that ends first. */
function switchesOf(root: RootFile, reach: ReadonlySet<LoadedFile>, parts: Parts, kind: keyof Switches): ReadonlyMap<string, Switched> {
  const switches = new Map<string, Switched>();
  const own = new Set(parts.switched.get(root.home)?.[kind] ?? []);
  for (const file of reach) {
    for (const one of parts.switched.get(file)?.[kind] ?? []) {
      const key = keyOf(one.home, one.id);
      const before = switches.get(key);
      if (!before || (!own.has(before) && endsBefore(one, before))) switches.set(key, one);
    }
  }
  return switches;
}

function endsBefore(one: Switched, other: Switched): boolean {
  return one.until !== undefined && (other.until === undefined || one.until < other.until);
}

function later(first: string, second: string): string {
  return first > second ? first : second;
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
  const seeing = views.flatMap((view) => {
    const state = view.reach.has(draft.home) ? view.stateOf(draft) : "off";
    return state === "off" ? [] : [{ root: view.root, state }];
  });
  const groups = new Map<string, { readonly state: State; readonly hosts: string[]; readonly unsure: Set<Unsure> }>();
  for (const host of draft.hosts) {
    const targeting = seeing.filter(({ root }) => root.declared.targets.includes(host));
    const [first, ...more] = targeting.map(({ state }) => state);
    if (!first) continue;
    const state = more.reduce(stricter, first);
    const key = JSON.stringify([state.from, state.enforced]);
    const group = groups.get(key) ?? { state, hosts: [], unsure: new Set<Unsure>() };
    groups.set(key, group);
    group.hosts.push(host);
    for (const { root } of targeting) group.unsure.add(root.declared.unsure);
  }
  const ordered = [...groups.values()].sort((left, right) => order(left.state.from, right.state.from) || order(left.state.enforced ?? "9", right.state.enforced ?? "9"));
  return ordered.map(({ hosts, state, unsure }) => checkedRule(draft, hosts, state, strictest([...unsure]), parts));
}

/** Of two files' states the earlier day counts, for deciding and for answering. */
function stricter(one: State, other: State): State {
  const enforced = one.enforced === undefined ? other.enforced : other.enforced === undefined || one.enforced < other.enforced ? one.enforced : other.enforced;
  const { from, because } = one.from < other.from ? one : other;
  return { from, enforced, ...(because !== undefined && { because }) };
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function strictest(unsure: readonly Unsure[]): Unsure {
  return unsure.includes("deny") ? "deny" : unsure.includes("ask") ? "ask" : "pass";
}

function checkedRule(draft: NamedDraft, hosts: readonly string[], state: State, unsure: Unsure, parts: Parts): CheckedRule {
  const { moment, effect } = draft;
  if (!moment || !effect) throw new Error("a rule without a moment or an effect is never sound");
  return {
    file: draft.home.file,
    id: `${parts.nameOf(draft.home)}/${draft.id}`,
    named: draft.named,
    rule: draft.rule,
    hosts,
    limited: draft.limited,
    event: moment.event,
    ...(moment.hostEvent !== undefined && { hostEvent: moment.hostEvent }),
    ...(moment.agents && { agents: moment.agents }),
    tools: moment.tools,
    effect,
    ...(draft.when && { when: draft.when }),
    unless: draft.unless,
    ...(draft.because && { because: draft.because }),
    ...(draft.suggest && { suggest: draft.suggest }),
    ...(draft.otherwise && { otherwise: draft.otherwise }),
    severity: draft.severity,
    unsure,
    ...(state.from !== "" && { from: state.from, offBecause: state.because ?? "" }),
    ...(state.enforced !== state.from && { observed: state.enforced === undefined ? {} : { until: state.enforced } }),
    ...(draft.timeout !== undefined && { timeout: draft.timeout }),
    also: draft.also,
    examples: draft.examples.flatMap((example) => {
      const reached = example.hosts.filter((host) => hosts.includes(host));
      return reached.length > 0 ? [{ ...example, hosts: reached }] : [];
    }),
  };
}
