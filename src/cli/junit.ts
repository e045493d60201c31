/** Test results as JUnit XML: a suite for each rule, a case for each example, host and way it was run. */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TestCase } from "../trial.ts";

/** Errors that kept examples from running become failing cases, so that no reader takes their absence for success. */
export function renderJunit(cases: readonly TestCase[], found: readonly Diagnostic[]): string {
  const failed = cases.filter((one) => one.result === "failed").length;
  const errors = found.filter((diagnostic) => !diagnostic.code.startsWith("test/"));
  const suites = [...new Set(cases.map((one) => one.rule))].map((rule) => suiteOf(rule, cases.filter((one) => one.rule === rule)));
  const broken = errors.length === 0 ? [] : [`  <testsuite name="policyc" tests="${errors.length}" errors="${errors.length}">`, ...errors.map(({ code, message, file }) => `    <testcase classname="policyc" name="${escape(code)}" file="${escape(file?.path ?? "")}"><error message="${escape(message)}"/></testcase>`), "  </testsuite>"];
  return [`<?xml version="1.0" encoding="UTF-8"?>`, `<testsuites tests="${cases.length + errors.length}" failures="${failed}" errors="${errors.length}">`, ...suites, ...broken, "</testsuites>", ""].join("\n");
}

function suiteOf(rule: string, cases: readonly TestCase[]): string {
  const count = (result: TestCase["result"]): number => cases.filter((one) => one.result === result).length;
  const lines = cases.map((one) => {
    const [file, line] = splitPlace(one.source);
    const head = `<testcase classname="${escape(rule)}" name="${escape(`${one.example} (${one.host}, ${one.through})`)}" file="${escape(file)}" line="${line}" time="${(one.milliseconds / 1000).toFixed(3)}"`;
    if (one.result === "passed") return `    ${head}/>`;
    return `    ${head}>${one.result === "failed" ? `<failure message="${escape(one.message ?? "")}"/>` : "<skipped/>"}</testcase>`;
  });
  return [`  <testsuite name="${escape(rule)}" tests="${cases.length}" failures="${count("failed")}" skipped="${count("inapplicable")}">`, ...lines, "  </testsuite>"].join("\n");
}

function splitPlace(source: string): readonly [string, string] {
  const colon = source.lastIndexOf(":");
  return [source.slice(0, colon), source.slice(colon + 1)];
}

/** XML 1.0 has no way to write most control characters, not even escaped. */
function escape(text: string): string {
  const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;" };
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\uFFFD").replace(/[&<>"\n\t]/g, (mark) => marks[mark] ?? mark);
}
