/** What counts as a word behind a command: values of options, input of database clients, flags among a rule's own words. */
import { expect, test } from "vitest";
import { examine } from "../../src/compile.ts";
import { hosts } from "../../src/hosts/registry.ts";
import { optionValueRows, optionValues } from "../../src/guard/shell/tables/option-values.ts";
import { statementReaders } from "../../src/guard/shell/tables/statement-readers.ts";

/** The texts of examples that do not come true under the rule. */
function wrong(rule: string, examples: string): readonly string[] {
  const text = `${rule}\n${examples.trim().replace(/^ */gm, "  ")}`;
  const { diagnostics } = examine({ roots: [{ path: "acme.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code, span }) => `${code} ${span === undefined ? "" : text.slice(span.start, span.end)}`);
}

test("the value of an option of a package manager is no package", () => {
  expect(
    wrong(
      "deny bash when runs [npm install, pip install, python3 -m pip install] with /^[^-]/",
      `example deny "npm install left-pad", "npm install --prefix web left-pad", "pip install -r a.txt requests", "pip install -Ur a.txt requests"
       example pass "npm install", "npm install --prefix web", "npm install -w packages/a", "npm install --omit=dev", "pip install -r a.txt", "pip install -qr a.txt", "pip install --requirement a.txt -c b.txt"`,
    ),
  ).toEqual([]);
});

test("values of options that a rule asks for stay words", () => {
  expect(wrong("deny bash when runs git with /^core\\.hookspath=/i or runs gh api with DELETE", `example deny "git -c core.hooksPath=x commit", "gh api -X DELETE /repos/acme/web"`)).toEqual([]);
});

test("an option value is not what forbids an exception", () => {
  expect(wrong(`allow bash when only runs [npm install] without evil for claude`, `example allow "npm install"\nexample pass "npm install --prefix evil", "npm install evil"`)).toEqual([]);
});

test("a long option of aws carries a value unless it is known to carry none", () => {
  expect(
    wrong(
      "deny bash when runs aws with /^(?:delete|terminate)-/",
      `example deny "aws --profile stage ec2 terminate-instances", "aws --debug ec2 terminate-instances", "aws --no-cli-pager s3api delete-bucket", "aws --region=eu-west-1 s3api delete-bucket"
       example pass "aws lambda invoke --function-name delete-expired out.json", "aws dynamodb get-item --table-name delete-me"`,
    ),
  ).toEqual([]);
});

test.each([...optionValueRows()])("a row of option values has options: %s", (key) => {
  const isValued = optionValues(key);
  expect(["--prefix", "--filter", "--cwd", "--platform", "--profile"].some((option) => isValued?.(option))).toBe(true);
  expect(isValued?.("--no-color")).toBe(false);
});

test.each([...statementReaders()])("what is typed into %s counts as its words", (client) => {
  expect(
    wrong(
      `deny bash when runs "${client}" with /\\bdrop\\s+table\\b/i`,
      `example deny "echo 'drop table orders' | ${client}", "${client} <<< 'DROP TABLE orders'", "${client} <<EOF\\nselect 1;\\ndrop table orders;\\nEOF"
       example pass "echo 'drop table orders' | cat", "echo 'drop table orders' > a.sql; ${client} < b.sql", "cat <<EOF\\ndrop table orders\\nEOF"`,
    ),
  ).toEqual([]);
});

test("an option among the words of a rule stands where options may stand", () => {
  expect(
    wrong(
      "deny bash when runs [git branch -D, rm -r]",
      `example deny "git branch -D topic", "git branch -q -D topic", "git branch topic -D", "rm -fr dist", "rm dist -r"
       example pass "git branch -d topic", "git branch", "git branch -- -D", "rm dist"`,
    ),
  ).toEqual([]);
});

test("a relaxing rule takes an option among its words only in its place", () => {
  expect(wrong(`allow bash when only runs [git branch --show-current] for claude`, `example allow "git branch --show-current"\nexample pass "git branch -D x --show-current", "git branch"`)).toEqual([]);
});

test("an option that is switched off does not take a call out of a rule", () => {
  expect(
    wrong("deny bash when runs npm publish without --dry-run", `example deny "npm publish", "npm publish --dry-run=false", "npm publish --dry-run=none"\nexample pass "npm publish --dry-run", "npm publish --dry-run=true"`),
  ).toEqual([]);
});

test("a program with a minor version in its name is the program", () => {
  expect(wrong("deny bash when runs [python3, pip3] with x", `example deny "python3.12 x", "/usr/bin/pip3.11 x"\nexample pass "python2.7 x", "python30 x"`)).toEqual([]);
  expect(wrong("deny shell when runs npm publish", `example deny "npm.cmd publish", "& npm.CMD publish"\nexample pass "npm.md publish", "npm.cmd pack"`)).toEqual([]);
  expect(wrong("allow bash when only runs [ls] for claude", `example allow "ls"\nexample pass "ls.cmd"`)).toEqual([]);
});

test("a module that Python runs counts as a command, in restricting rules only", () => {
  expect(wrong("deny bash when runs pip install", `example deny "python3 -m pip install a", "python -mpip install a", "python3.12 -Im pip install a", "sudo py -3 -m pip install a"\nexample pass "python3 -m venv pip", "python3 tool.py -m pip install a", "python3 -c x -m pip install a"`)).toEqual([]);
  expect(wrong("allow bash when only runs [python3 -m pytest] for claude", `example allow "python3 -m pytest -q"\nexample pass "python3 -m pip install a", "python3 a.py"`)).toEqual([]);
  expect(wrong("allow bash when only runs [pytest] for claude", `example pass "python3 -m pytest"\nexample allow "pytest"`)).toEqual([]);
});

test("a program that a package manager runs under its own name counts, in restricting rules only", () => {
  expect(
    wrong(
      "deny bash when runs prisma migrate reset",
      `example deny "yarn prisma migrate reset", "pnpm prisma migrate reset -f", "pnpm --filter web prisma migrate reset", "yarn run prisma migrate reset", "bun run prisma migrate reset"
       example pass "yarn add prisma migrate reset", "pnpm why prisma", "npm run prisma migrate reset", "bun prisma.ts migrate reset", "yarn prisma generate"`,
    ),
  ).toEqual([]);
  expect(wrong("deny bash when runs rm", `example deny "rm a"\nexample pass "pnpm rm zod", "bun rm zod"`)).toEqual([]);
  expect(wrong("allow bash when only runs [yarn] for claude", `example allow "yarn build"\nexample pass "yarn build; ls"`)).toEqual([]);
});

test("a toolchain in front of a subcommand is stepped over", () => {
  expect(wrong("deny bash when runs cargo publish", `example deny "cargo +nightly publish", "cargo publish"\nexample pass "cargo +publish build", "cargo build"`)).toEqual([]);
});

test("a command that is only looked up does not run", () => {
  expect(wrong("deny bash when runs sudo", `example deny "command sudo ls", "command -p sudo ls"\nexample pass "command -v sudo", "command -V sudo", "which sudo", "if command -v sudo > /dev/null; then echo yes; fi"`)).toEqual([]);
});

test("a path that a look-up prints runs the program it was asked for", () => {
  expect(wrong("deny bash when runs rm", `example deny "$(which rm) a", "x=$(command -v rm); $x a", "\`which rm\` a"\nexample pass "echo $(which rm)", "$(which ls) rm", "cat $(which rm)"`)).toEqual([]);
  expect(wrong("allow bash when only runs [ls] for claude", `example pass "$(which ls) a", "command -v ls"\nexample allow "ls"`)).toEqual([]);
});

test("what a relaxing rule forbids may hide in a word known only at run time", () => {
  expect(
    wrong(
      "allow bash when only runs [git diff, wc] without [/^--ou/, --ext-diff] for claude",
      `example allow "git diff HEAD", "wc -l src/*.ts", "git diff \\"topic-$NAME\\"", "git diff \\"src/$NAME\\""
       example pass "git diff \\"$RANGE\\"", "git diff $RANGE", "git diff src/$NAME", "git diff -$X", "git diff \\"--$X\\"", "wc -l *", "git diff --output=x", "git diff --ext-diff"`,
    ),
  ).toEqual([]);
});

test("a staged file is the file", () => {
  expect(wrong(`deny bash when touches "**/.env"`, `example deny "git show :.env", "git show :0:web/.env", "git show HEAD:.env"\nexample pass "git show :/env", "git restore :/", "git log -- ':!.env'", "git show :src/a.ts"`)).toEqual([]);
});
