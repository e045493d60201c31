import { expect, test } from "vitest";
import { examine } from "../../src/compile.ts";
import { hosts } from "../../src/hosts/registry.ts";

/** The texts of examples that do not come true under the rule. */
function wrong(rule: string, examples: string): readonly string[] {
  const text = `${rule}\n${examples.replace(/^/gm, "  ")}`;
  const { diagnostics } = examine({ roots: [{ path: "acme.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code, span }) => `${code} ${span === undefined ? "" : text.slice(span.start, span.end)}`);
}

const outside = `deny any when writes ["**", "!.", "!*", "!*/**", "!/tmp/**"] or deletes ["**", "!.", "!*", "!*/**", "!/tmp/**"]`;

test("a redirect without a command is the command that does nothing", () => {
  expect(wrong(`deny bash when runs ":"`, `example deny "> notes.txt", ": > notes.txt", "x=1 > notes.txt"\nexample pass "x=1", "echo a > notes.txt", "{ ls; } > notes.txt"`)).toEqual([]);
});

test("a folder known only at run time is not outside the project", () => {
  expect(wrong(outside, `example pass command "cd \\"$DIR\\" && rm a.txt"\nexample pass command "cd \\"$(git rev-parse --show-toplevel)\\" && echo x > a.txt"\nexample deny command "cd \\"$DIR\\" && rm ~/a.txt"`)).toEqual([]);
});

test("a relaxing rule does not count on a folder known only at run time", () => {
  expect(wrong(`deny bash unless writes "*/**"`, `example deny "cd \\"$DIR\\" && touch a.txt"\nexample pass "touch src/a.txt"`)).toEqual([]);
});

test("a search that deletes by name deletes whatever a glob for everything holds", () => {
  expect(wrong(outside, `example deny command "find ~/Downloads -name '*.zip' -delete"\nexample pass command "find src -name '*.o' -delete"`)).toEqual([]);
});

test("on Windows a word with a colon is a path only up to the colon", () => {
  const secrets = `deny bash when touches ["**/.env", "~/.ssh/**"]`;
  expect(
    wrong(secrets, `example pass platform "windows" command "gradle :app:test"\nexample pass platform "windows" command "git show HEAD:src/a.ts"\nexample pass platform "windows" command "task build:prod"\nexample deny platform "windows" command "tool .env:stream"\nexample deny platform "windows" command "cat .env. "`),
  ).toEqual([]);
});

test("on Windows a folder of the root is a folder of the project's drive", () => {
  expect(wrong(outside, `example pass platform "windows" command "cd /tmp && touch a.txt"\nexample deny platform "windows" command "cd C:/other && touch a.txt"\nexample deny platform "windows" command "cd /other && touch a.txt"`)).toEqual([]);
});
