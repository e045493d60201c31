/**
 * The lines of a file that are about the file itself: its name, its targets, its defaults. Every line is checked; what
 * counts in a project is decided by who asks.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { OnError, Unsure } from "../guard/plan.ts";
import type { DefaultDeclaration, Name, PolicyDeclaration, Statement, TargetDeclaration } from "../syntax/ast.ts";
import { libOf } from "./load.ts";
import type { LoadedFile } from "./load.ts";
import type { Report } from "./report.ts";

export interface Declared {
  /** Of the `policy` line, else the file's base name. */
  readonly name: string;
  readonly description?: string;
  readonly targets: readonly string[];
  readonly onError: OnError;
  readonly unsure: Unsure;
  /** Milliseconds. */
  readonly timeout: number;
  readonly mode: "enforce" | "observe";
  /** Folder of marks and retry counts, and where it is said. */
  readonly state?: { readonly folder: string; readonly span: Span };
}

/** Milliseconds a guard may take to decide: the default, and what may be set. */
const deadline = { usual: 2500, least: 500, most: 8000 };
export const longestDeadline = deadline.most;

const words: Readonly<Record<string, readonly string[]>> = {
  "on-error": ["deny", "ask", "allow"],
  unsure: ["ask", "deny", "pass"],
  mode: ["enforce", "observe"],
};
const settings = ["timeout", ...Object.keys(words), "state"];

export function checkDeclarations(loaded: LoadedFile, hosts: readonly string[], report: Report): Declared {
  const { file, policy } = loaded;
  const seen = new Map<string, Statement>();
  const isFirst = (key: string, statement: PolicyDeclaration | TargetDeclaration | DefaultDeclaration): boolean => {
    const before = seen.get(key);
    if (!before) {
      seen.set(key, statement);
      return true;
    }
    report(diagnose("check/duplicate-clause", { word: key, per: "file" }, { file, span: statement.span, labels: [{ span: before.span, text: "first here" }], help: { text: "keep one of them" } }));
    return false;
  };

  let name: PolicyDeclaration | undefined;
  let targets: readonly string[] | undefined;
  const values = new Map<string, { readonly value: string | number; readonly span: Span }>();
  for (const statement of policy.statements) {
    if (statement.kind === "policy" && isFirst("policy", statement)) name = statement;
    if (statement.kind === "target" && isFirst("target", statement)) targets = checkHosts(statement.hosts, hosts, file, report);
    if (statement.kind === "default") {
      const value = checkDefault(statement, file, report);
      if (isFirst(`default ${statement.setting.text}`, statement) && value !== undefined) values.set(statement.setting.text, { value, span: statement.span });
    }
  }
  const state = values.get("state");
  return {
    name: name?.name.text ?? libOf(file.path),
    ...(name?.description && { description: name.description.value }),
    targets: targets ?? hosts,
    // Fail closed: a default that was refused leaves the strict one in force.
    onError: (values.get("on-error")?.value as OnError | undefined) ?? "deny",
    unsure: (values.get("unsure")?.value as Unsure | undefined) ?? "ask",
    timeout: (values.get("timeout")?.value as number | undefined) ?? deadline.usual,
    mode: (values.get("mode")?.value as Declared["mode"] | undefined) ?? "enforce",
    ...(state && { state: { folder: String(state.value), span: state.span } }),
  };
}

/** The known ones of the names, in the order of `hosts`. */
export function checkHosts(names: readonly Name[], hosts: readonly string[], file: SourceFile, report: Report): readonly string[] {
  const known = new Set<string>();
  for (const name of names) {
    if (hosts.includes(name.text)) {
      known.add(name.text);
      continue;
    }
    // Products are called by longer names than ours: the vendor's in front, what it is behind.
    const parts = hosts.filter((host) => name.text.toLowerCase().split(/[^a-z0-9]+/).includes(host));
    const near = parts.length > 0 ? parts : nearest(name.text, hosts);
    report(diagnose("check/unknown-name", { kind: "host", name: name.text }, { file, span: name.span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `the hosts are ${hosts.join(", ")}` } }));
  }
  return hosts.filter((host) => known.has(host));
}

function checkDefault(statement: DefaultDeclaration, file: SourceFile, report: Report): string | number | undefined {
  const { setting, value } = statement;
  const name = setting.text;
  const refuse = (problem: string, help: string): undefined => void report(diagnose("check/type-mismatch", { problem }, { file, span: value.span, help: { text: help } }));
  if (name === "timeout") {
    if (value.kind !== "duration") return refuse("`default timeout` is a time", value.kind === "number" ? `write the unit: \`${value.value}s\` or \`${value.value}ms\`` : "write `500ms`, or `5s`");
    if (value.milliseconds < deadline.least || value.milliseconds > deadline.most) return refuse("`default timeout` lies between 0.5s and 8s", "it is the guard's own time for deciding; `timeout` on a rule is for what the rule starts");
    return value.milliseconds;
  }
  if (name === "state") {
    if (value.kind !== "text") return refuse("`default state` is a folder in quotes", 'write `default state "~/.local/state/policyc"`');
    if (value.value.trim() === "" || value.value.includes("\0")) return refuse("an empty text is the path of no folder", 'write `default state "~/.local/state/policyc"`, or leave the line out');
    if (value.template.some((part) => part.kind !== "literal")) return refuse("a path is fixed when the policy is built", "write the path out");
    return value.value;
  }
  const known = Object.hasOwn(words, name) ? words[name] : undefined;
  if (!known) {
    const near = nearest(name, settings);
    report(diagnose("check/unknown-name", { kind: "setting", name }, { file, span: setting.span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `the settings are ${settings.join(", ")}` } }));
    return undefined;
  }
  if (value.kind !== "name") return refuse(`\`default ${name}\` is one of ${known.join(", ")}`, value.kind === "text" && known.includes(value.value) ? `leave the quotes out: \`default ${name} ${value.value}\`` : `write \`default ${name} ${known[0]}\``);
  if (!known.includes(value.text)) {
    const near = nearest(value.text, known);
    report(diagnose("check/unknown-name", { kind: `\`${name}\` value`, name: value.text }, { file, span: value.span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `it is one of ${known.join(", ")}` } }));
    return undefined;
  }
  return value.text;
}
