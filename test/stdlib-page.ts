/** Prints `stdlib/README.md` from the packs: what each covers and cannot see, as its opening comment says, and its rules. */
import type { Clause, Policy, Rule, Text } from "../src/syntax/ast.ts";

/** The clauses a word begins, where one shape stands for several words. */
type Of<Kind> = Clause extends infer One ? (One extends { readonly kind: infer Word } ? (Kind extends Word ? One : never) : never) : never;

export interface Pack {
  /** `git` for `stdlib/git.policy`. */
  readonly name: string;
  readonly policy: Policy;
}

export function rulesOf({ policy }: Pack): readonly Rule[] {
  return policy.statements.filter((statement) => statement.kind === "rule");
}

export function clausesOf<Kind extends Clause["kind"]>(rule: Rule, kind: Kind): readonly Of<Kind>[] {
  return rule.clauses.filter((clause) => clause.kind === kind) as unknown as readonly Of<Kind>[];
}

/** The paragraphs of the comment on the first lines, each begun by a word and a colon or by a capital letter on a new line. */
export function openingOf({ policy }: Pack): readonly string[] {
  const lines = policy.file.text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  const paragraphs: string[] = [];
  for (const line of lines.slice(0, end).map((text) => text.replace(/^#+ ?/, ""))) {
    if (/^(?:Covers|Cannot see):/.test(line) || paragraphs.length === 0) paragraphs.push(line);
    else paragraphs.push(`${paragraphs.pop()} ${line}`);
  }
  return paragraphs;
}

export function libraryPage(packs: readonly Pack[]): string {
  return `${[introduction, contents(packs), ...packs.map(section)].join("\n\n")}\n`;
}

const introduction = `# The standard library

Policies in the language itself, each with its examples. A policy takes a pack with one line:

\`\`\`policy
use std/git, std/secrets
\`\`\`

A rule that a repository does not want is switched off by name, with a reason:

\`\`\`policy
disable std/git.no-force-push because "The release robot owns this clone."
\`\`\`

The lists of a pack are names for rules of your own: \`$shell.recursive\`, \`$readonly.commands\`. What an imported pack may
not do without a grant (an \`allow\`) it does not do: \`use std/readonly\` brings its names, \`use std/readonly with allow\`
its rule too. A guard is a rail and no sandbox: each pack says what it cannot see.

This page is printed from the packs by \`test/stdlib.test.ts\`.`;

function contents(packs: readonly Pack[]): string {
  const rows = packs.map((pack) => `| [std/${pack.name}](#std${pack.name}) | ${cell(descriptionOf(pack))} | ${rulesOf(pack).length} |`);
  return ["| pack | about | rules |", "| --- | --- | --- |", ...rows].join("\n");
}

function section(pack: Pack): string {
  const names = pack.policy.statements.flatMap((statement) => (statement.kind === "let" ? [`\`$${pack.name}.${statement.name.text}\``] : []));
  const rules = rulesOf(pack);
  const table = ["| rule | answer | severity | because |", "| --- | --- | --- | --- |", ...rules.map(row)].join("\n");
  return [
    `## std/${pack.name}`,
    `${descriptionOf(pack)}.`,
    ...openingOf(pack).map((paragraph) => paragraph.replace(/^(?:Covers|Cannot see):/, "**$&**")),
    ...(rules.length > 0 ? [table] : []),
    ...(names.length > 0 ? [`Names: ${names.join(", ")}.`] : []),
  ].join("\n\n");
}

function row(rule: Rule): string {
  const [id] = clausesOf(rule, "id");
  const [severity] = clausesOf(rule, "severity");
  const [because] = clausesOf(rule, "because");
  const [instead] = clausesOf(rule, "else");
  const [hosts] = clausesOf(rule, "for");
  const answer = [rule.effect.kind, ...(instead === undefined ? [] : [`else ${instead.action.kind}`]), ...(hosts === undefined ? [] : [`for ${hosts.hosts.map((host) => host.text).join(", ")}`])].join(", ");
  return `| ${id?.name.text ?? ""} | ${answer} | ${severity?.name.text ?? ""} | ${cell(valueOf(because?.text))} |`;
}

function descriptionOf({ policy }: Pack): string {
  const [declaration] = policy.statements.filter((statement) => statement.kind === "policy");
  return valueOf(declaration?.description);
}

function valueOf(text: Text | undefined): string {
  return text?.value ?? "";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
