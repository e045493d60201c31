/** What `policyc test --coverage` found untried, for people and for machines. */
import type { Coverage } from "../sessions/coverage.ts";

export interface ProjectCoverage extends Coverage {
  readonly title: string;
}

/** A block of text for one project; says so where nothing is left. */
export function renderCoverage({ title, unfired, onesided, unnoticed }: ProjectCoverage): string {
  const parts = [
    section("Rules that no test makes fire", unfired),
    section("Conditions that have one outcome in every test", onesided.map(onesidedLine)),
    section("Rules that no test block would miss", unnoticed),
  ].filter((part) => part !== "");
  return `Coverage of \`${title}\`\n${parts.length === 0 ? "  every rule fires, every condition holds and fails, and no rule could go unnoticed\n" : parts.join("")}`;
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `  ${heading}\n${lines.map((line) => `    ${line}\n`).join("")}`;
}

function onesidedLine(one: Coverage["onesided"][number]): string {
  const { rule, file, place, text } = plainCondition(one);
  return `${rule}  never ${one.never}: ${text}  (${file}:${place})`;
}

function plainCondition({ rule, file, span }: Coverage["onesided"][number]) {
  return { rule, file: file.path, place: file.text.slice(0, span.start).split("\n").length, text: file.text.slice(span.start, span.end).replace(/\s+/g, " ") };
}

/** Without source texts. */
export function plainCoverage({ title, unfired, onesided, unnoticed }: ProjectCoverage) {
  return { project: title, unfired, onesided: onesided.map((one) => ({ ...plainCondition(one), never: one.never })), unnoticed };
}
