import { expect, test } from "vitest";
import { examine } from "../../src/compile.ts";
import { hosts } from "../../src/hosts/registry.ts";

/** The texts of examples that do not come true under the rule. */
function wrong(rule: string, examples: string): readonly string[] {
  const text = `${rule}\n${examples.trim().replace(/^ */gm, "  ")}`;
  const { diagnostics } = examine({ roots: [{ path: "acme.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code, span }) => `${code} ${span === undefined ? "" : text.slice(span.start, span.end)}`);
}

test("a cmdlet or parameter written with a typographic dash is the one with a hyphen", () => {
  expect(
    wrong(
      "deny powershell when runs Remove-Item with -Recurse",
      `example deny "Remove-Item dist \u2013Recurse", "Remove\u2013Item dist -Recurse", "rm \u2014r dist"
       example pass "Write-Output 'Remove\u2013Item dist \u2013Recurse'", "Remove-Item a\u2013Recurse.txt"`,
    ),
  ).toEqual([]);
});

test("text that is made a script block is text that is run", () => {
  expect(
    wrong(
      "deny powershell when runs Invoke-Expression or runs Remove-Item with -Recurse",
      `example deny "& ([scriptblock]::Create($x))", ". ([ScriptBlock]::Create('rm dist -Recurse'))", "$ExecutionContext.InvokeCommand.InvokeScript($x)"
       example pass "& { Get-Date }", "Write-Output '[scriptblock]::Create'", "[datetime]::Parse('2026-01-01')"`,
    ),
  ).toEqual([]);
  expect(wrong("deny powershell when runs Remove-Item with -Recurse", `example deny "& ([scriptblock]::Create('rm dist -Recurse'))"\nexample pass "& ([scriptblock]::Create('rm a.txt'))"`)).toEqual([]);
});
