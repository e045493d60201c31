/** The look that comes before a glob is tried on an operand: it must never pass over a glob that would match. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldCase, globHolds } from "../../src/guard/paths.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { requiredText } from "../../src/guard/shell/glob-literals.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { hosts } from "../../src/hosts/registry.ts";
import { globProblem, lowerGlob } from "../../src/lower/glob.ts";

const world = scratchWorld({ platform: "linux", branch: "", today: "2026-11-30", shell: () => shellModule });

/** As Claude Code sends it. */
function bashCall(command: string) {
  const { player, wire } = hosts[0]!;
  return wire.decode("PreToolUse", player.compose("PreToolUse", "Bash", { command }, { cwd: world.root }), "linux");
}

test.each([
  ["./src/**", "cat src/index.ts"],
  ["././src/*.ts", "cat src/index.ts"],
  ["src//lib/**", "cat src/lib/a.ts"],
  ["src/./index.ts", "cat src/index.ts"],
  [".", "touch ."],
  ["~", "touch ~"],
  ["~/./.ssh/**", "cat ~/.ssh/id_rsa"],
  ["x[]a]y.env", "cat xay.env"],
  ["/etc//hosts", "cat /etc/hosts"],
])("%s is found in `%s`", (glob, command) => {
  expect(shellModule.judge({ kind: "touches", globs: [lowerGlob(glob, false)] }, bashCall(command), "wide", world)).toBe(true);
});

test("every path that a glob holds has the required text in it", () => {
  const part = fc.constantFrom("src", ".", "", "~", "*", "**", "?rc", "s*c", "[]s]rc", "[!]x]rc", "s[r-s]c", "{src,lib}", "{s,}rc", "a{b/c,d}e", "[s", "SRC", "s{r", "é");
  const glob = fc.tuple(fc.constantFrom("", "/", "./", "~/", "**/"), fc.array(part, { minLength: 1, maxLength: 4 })).map(([start, parts]) => start + parts.join("/"));
  const path = fc.tuple(fc.constantFrom("/scratch/project", "/scratch/home", ""), fc.array(fc.constantFrom("src", "lib", "Src", "s", "abc", "]rc", "[s", "ade", "ab", "ce", "s{r", "é"), { maxLength: 4 })).map(([start, parts]) => [start, ...parts].join("/") || "/");
  let held = 0;
  fc.assert(
    fc.property(glob.filter((text) => globProblem(text) === undefined), path, (text, form) => {
      const plan = lowerGlob(text, false);
      if (!globHolds(plan, form, "wide", world)) return;
      held += 1;
      expect(foldCase(form)).toContain(requiredText(plan));
    }),
    { numRuns: 30_000 },
  );
  expect(held).toBeGreaterThan(500);
});
