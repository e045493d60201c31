/**
 * Root files in, every file of the project out: parsed once, `use` lines followed, circles cut and reported. A file that
 * another root reaches by `use` is an import and no root.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { ModulePath, Name, Policy, Text, UseDeclaration } from "../syntax/ast.ts";
import { parsePolicy } from "../syntax/parse.ts";
import type { Report } from "./report.ts";

export type LoadModule = (module: string, from: SourceFile) => SourceFile | undefined;

export interface LoadedFile {
  readonly file: SourceFile;
  readonly policy: Policy;
  /** True where a statement could not be read: what it would have defined is missing, and not the fault of its users. */
  readonly damaged: boolean;
  readonly imports: readonly Import[];
}

/** One module of a `use` line. Files that would close a circle are left out. */
export interface Import {
  readonly declaration: UseDeclaration;
  /** As written: `std/git`, `./team.policy`. */
  readonly module: string;
  readonly span: { readonly start: number; readonly end: number };
  /** The `lib` of `$lib.name`: the module's last segment. */
  readonly lib: string;
  readonly grants: readonly Name[];
  readonly target: LoadedFile;
}

export interface LoadedProject {
  readonly roots: readonly LoadedFile[];
  /** Every file once, roots and imports, in the order of their first mention. */
  readonly files: readonly LoadedFile[];
}

/** The packs that come with policyc; asked for only when a name near one of them was not found. */
const standardNames = [
  "shell", "git", "files", "secrets", "network", "packages", "database", "cloud", "containers", "infra", "system",
  "self-protect", "persistence", "readonly", "powershell", "strict",
];

/** Several circles through one file cost only their own edges; a chain this long is no project but an attack. */
const deepest = 64;

export function loadProject(roots: readonly SourceFile[], load: LoadModule, report: Report): LoadedProject {
  const known = new Map<string, LoadedFile>();

  const open = (file: SourceFile, chain: readonly string[]): LoadedFile => {
    const seen = known.get(file.path);
    if (seen) return seen;
    const { policy, diagnostics } = parsePolicy(file);
    for (const diagnostic of diagnostics) report(diagnostic);
    const imports: Import[] = [];
    const loaded: LoadedFile = { file, policy, damaged: diagnostics.some(({ severity }) => severity === "error"), imports };
    known.set(file.path, loaded);
    for (const statement of policy.statements) {
      if (statement.kind !== "use") continue;
      for (const module of statement.modules) {
        const target = follow(module, file, [...chain, file.path]);
        const name = moduleName(module);
        if (target) imports.push({ declaration: statement, module: name, span: module.span, lib: libOf(name), grants: statement.grants, target });
      }
    }
    return loaded;
  };

  const follow = (module: ModulePath | Text, from: SourceFile, chain: readonly string[]): LoadedFile | undefined => {
    const name = moduleName(module);
    const found = load(name, from);
    if (!found) {
      report(unknownModule(module, name, from, load));
      return undefined;
    }
    const start = chain.indexOf(found.path);
    if (start >= 0 || chain.length >= deepest) {
      const circle = [...chain.slice(Math.max(start, 0)), found.path].join(" -> ");
      const problem = start >= 0 ? `\`${found.path}\` uses itself: ${circle}` : `this chain of \`use\` lines is longer than ${deepest} files`;
      report(diagnose("check/unknown-reference", { problem }, { file: from, span: module.span, help: { text: "move what both files need into a third one that uses neither" } }));
      return undefined;
    }
    return open(found, chain);
  };

  const opened = roots.map((file) => open(file, []));
  return { roots: withoutImported([...new Set(opened)]), files: [...known.values()] };
}

/** Test files hold `test` blocks and the names they use, and are part of no guard. */
export function openTests(files: readonly SourceFile[], report: Report): readonly LoadedFile[] {
  return files.map((file) => {
    const { policy, diagnostics } = parsePolicy(file);
    for (const diagnostic of diagnostics) report(diagnostic);
    for (const statement of policy.statements) {
      if (statement.kind === "test" || statement.kind === "let") continue;
      const word = statement.kind === "rule" ? statement.effect.kind : statement.kind;
      report(
        diagnose("check/type-mismatch", { problem: `a test file holds \`test\` blocks and names, and no \`${word}\`` }, {
          file,
          span: statement.kind === "rule" ? statement.effect.wordSpan : { start: statement.span.start, end: statement.span.start + word.length },
          help: { text: "what guards are made of stands in a file whose name does not end in `.test.policy`" },
        }),
      );
    }
    return { file, policy, damaged: diagnostics.some(({ severity }) => severity === "error"), imports: [] };
  });
}

/** Everything `file` reaches by `use`, itself first, each once. */
export function reachOf(file: LoadedFile): ReadonlySet<LoadedFile> {
  const reached = new Set<LoadedFile>();
  const visit = (current: LoadedFile) => {
    if (reached.has(current)) return;
    reached.add(current);
    for (const { target } of current.imports) visit(target);
  };
  visit(file);
  return reached;
}

/** `main` for `policy/main.policy`; also the `lib` of a module. */
export function libOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.policy$/, "");
}

/** The edges that close a circle were cut at the root that comes first, so of two roots in a circle the first stays. */
function withoutImported(roots: readonly LoadedFile[]): readonly LoadedFile[] {
  return roots.filter((root) => !roots.some((other) => other !== root && reachOf(other).has(root)));
}

function moduleName(module: ModulePath | Text): string {
  return module.kind === "text" ? module.value : module.text;
}

function unknownModule(module: ModulePath | Text, name: string, from: SourceFile, load: LoadModule) {
  return diagnose("check/unknown-name", { kind: "module", name }, { file: from, span: module.span, help: { text: moduleHelp(module, name, from, load) } });
}

function moduleHelp(module: ModulePath | Text, name: string, from: SourceFile, load: LoadModule): string {
  const near = nearest(name.replace(/^std\//, ""), standardNames).map((standard) => `std/${standard}`).filter((standard) => load(standard, from));
  if (near.length > 0) return `did you mean ${eitherOf(near)}?`;
  if (name.startsWith("std/")) return "see `stdlib/README.md` for the packs that come with policyc";
  if (module.kind === "module-path") return `a file of your own is named by its path in quotes: \`use "./${libOf(name)}.policy"\``;
  if (!/^\.\.?\//.test(name)) return `a path begins with \`./\` or \`../\`: \`use "./${name.replace(/^\/+/, "")}"\``;
  if (!name.endsWith(".policy")) return "the name of a policy file ends in `.policy`";
  return `the path is seen from the folder of \`${from.path}\``;
}
