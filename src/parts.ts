/**
 * Which source files make which part of a guard: the files a part begins with stand in a table, what they reach follows
 * from their imports. A file that several parts reach belongs to the first of them, so that it stands in a guard once.
 */
export interface PartFacts {
  readonly name: string;
  /** Files that are in this part whoever imports them. */
  readonly roots: readonly string[];
}

/** What runs at every call; the other parts are compiled when something in them is first needed. */
export const start = "start";

/** The sections of a guard's file that only those have whose rules can call for them, with the parts each holds. */
const optionalSections = {
  effects: ["effects"],
  processes: ["processes"],
  shell: ["bash", "operands", "powershell", "rare", "shell"],
  state: ["state"],
} as const;

/** `guard` is the start and every part that stands in no other section. */
export type SectionName = "guard" | keyof typeof optionalSections;

/** In the order of the file. */
export const sectionNames = ["guard", ...Object.keys(optionalSections)] as readonly SectionName[];

/** The parts that make an optional section; none for `guard`. */
export function sectionParts(name: SectionName): readonly string[] {
  return name === "guard" ? [] : optionalSections[name];
}

/** The parts of a guard whose rules look into commands, and of no other. */
export const shellParts: ReadonlySet<string> = new Set(optionalSections.shell);

/** The parts for the host whose codec is `wire`; earlier rows are served first. */
export function partTable(wire: string): readonly PartFacts[] {
  const folder = wire.slice(0, wire.lastIndexOf("/") + 1);
  return [
    { name: start, roots: [...inGuard("main part"), `${folder}shell-calls.ts`] },
    { name: "payload", roots: inGuard("payload-text") },
    { name: "lines", roots: inGuard("line-reader") },
    { name: "files", roots: inGuard("plain-paths file-words") },
    { name: "options", roots: inGuard("option-words") },
    { name: "textual", roots: inGuard("textual messages verdict output rule-index rule-texts") },
    { name: "wire", roots: [wire, ...inGuard("payload portable")] },
    { name: "judge", roots: inGuard("respond fields patterns redaction") },
    { name: "paths", roots: inGuard("paths real-path branch files file-effects error-code") },
    { name: "failure", roots: inGuard("failure") },
    // A host's words for anything but silence.
    { name: "answer", roots: [`${folder}answer.ts`, `${folder}events.ts`, ...inGuard("reason-text")] },
    { name: "results", roots: [`${folder}results.ts`] },
    { name: "late", roots: inGuard("late") },
    { name: "shape", roots: inGuard("shape edit-blocks") },
    { name: "change", roots: inGuard("transform text-change json-place tell") },
    { name: "effects", roots: inGuard("effects log append declared-place builtin installed") },
    { name: "state", roots: inGuard("state") },
    { name: "processes", roots: inGuard("command command-environment forward job") },
    { name: "shell", roots: inGuard("shell/index") },
    // What commands do to files.
    { name: "operands", roots: inGuard("shell/effects shell/operands shell/special-operands shell/archives shell/path-match shell/path-patterns shell/glob-literals shell/tables/operands") },
    // What few lines show: PowerShell, arithmetic, braces, wildcards, programs that carry other commands' texts.
    { name: "powershell", roots: inGuard("shell/powershell/syntax shell/powershell/run shell/powershell/nested shell/powershell/match shell/powershell/operands") },
    { name: "rare", roots: inGuard("shell/arithmetic shell/braces shell/find shell/xargs shell/program-text shell/script-files shell/glob-match shell/trees shell/only-runs shell/describe") },
    { name: "bash", roots: inGuard("shell/bash-parser") },
  ];
}

/**
 * The parts of the command line. What most runs of a command do without is a part of its own: the hosts' contracts and
 * their schemas, commands beyond plain ones, the words for mistakes, and each command but the most frequent.
 */
export function commandTable(hostFolders: readonly string[]): readonly PartFacts[] {
  return [
    { name: start, roots: [...inFolder("cli", "main package-root"), ...inGuard("part")] },
    { name: "compiler", roots: inFolder("cli", "build check") },
    { name: "contracts", roots: hostFolders.flatMap((folder) => inFolder(folder, "contract payload-schema")) },
    { name: "verify", roots: inFolder("cli", "verify") },
    { name: "test", roots: inFolder("cli", "test") },
    { name: "explain", roots: inFolder("cli", "explain") },
    { name: "uninstall", roots: inFolder("cli", "uninstall") },
    { name: "mistakes", roots: [...inFolder("syntax", "habits refusal"), ...inFolder("diagnostics", "frame inserted render columns nearest"), ...inFolder("lower", "finding"), ...inFolder("cli", "diff")] },
    { name: "blocks", roots: inFolder("check", "test-block") },
    // Changes of calls.
    { name: "transforms", roots: [...inFolder("check", "transform"), ...inGuard("transform text-change json-place tell")] },
    { name: "shell", roots: inGuard("shell/index") },
    { name: "builtin", roots: inGuard("builtin") },
    { name: "bash", roots: inGuard("shell/bash-parser") },
  ];
}

function inFolder(folder: string, names: string): readonly string[] {
  return names.split(" ").map((name) => `src/${folder}/${name}.ts`);
}

function inGuard(names: string): readonly string[] {
  return names.split(" ").map((name) => `src/guard/${name}.ts`);
}

/** One source file as far as the division goes. */
export interface SourceFacts {
  /** Imported names by the file they come from; types are no values and do not count. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Names of exported functions; what else is exported has to be there when the file that imports it begins. */
  readonly functions: readonly string[];
}

/** Reads what a file imports and exports; `path` is relative to the repository, as the imports that come out are. */
export function readSource(path: string, text: string): SourceFacts {
  const imports = new Map<string, readonly string[]>();
  const loaded = [...text.matchAll(/\bimport\("(\.[^"]*)"\)\)\.(\w+)/g)].map(([, from = "", name = ""]) => [name, from] as const);
  const imported = [...text.matchAll(/^import \{([^}]*)\} from "(\.[^"]*)";$/gm)].map(([, names = "", from = ""]) => [names, from] as const);
  for (const [names, from] of [...loaded, ...imported]) {
    const file = new URL(from, `file:///${path}`).pathname.slice(1);
    imports.set(file, names.split(",").map((name) => name.trim().replace(/ as .*/, "")).filter((name) => name !== "" && !name.startsWith("type ")));
  }
  return { imports, functions: [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name = ""]) => name) };
}

/** The part of each file. A host without a file of the table has none of it. */
export function divide(files: ReadonlyMap<string, SourceFacts>, table: readonly PartFacts[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { name, roots } of table) for (const root of roots) if (files.has(root)) owners.set(root, name);
  for (const { name, roots } of table) {
    const reached = new Set(roots.filter((root) => files.has(root)));
    for (const file of reached) for (const next of files.get(file)?.imports.keys() ?? []) if (!owners.has(next)) reached.add(next);
    for (const file of reached) owners.set(file, name);
  }
  return owners;
}

/** What the files of `part` are asked for by others: names by file. */
export function askedOf(part: string, files: ReadonlyMap<string, SourceFacts>, owners: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const asked = new Map<string, Set<string>>();
  for (const [file, { imports }] of files) {
    if (!owners.has(file) || owners.get(file) === part) continue;
    for (const [from, names] of imports) {
      if (owners.get(from) === part) asked.set(from, new Set([...(asked.get(from) ?? []), ...names]));
    }
  }
  return new Map([...asked].sort(([one], [other]) => (one < other ? -1 : 1)).map(([file, names]) => [file, [...names].sort()]));
}
