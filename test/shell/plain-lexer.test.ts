/** The lexer of plain lines builds the parser's trees. */
import fc from "fast-check";
import { parse } from "unbash";
import { expect, test } from "vitest";
import { parsePlain } from "../../src/guard/shell/plain-lexer.ts";

/** A tree without positions and without what is not there. */
function treeOf(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === "pos" || key === "end" || key === "args" || key === "redirects" ? undefined : value)));
}

const piece = fc.constantFrom(
  "ls", "git", "rm", "-rf", "a", "x.ts", "src/a", "'a b'", '"a b"', "''", '""', "r'm'", "'x'\"y\"z", "*", "?", "*.ts", "a*b?c", "**", "'*'", '"?"', "~", "~/x", "a~", "=", "a=", "=b", "-x=y", "--a=b", "a,b", "a:b", "%", "^", "@", "+", "+x", "a=b", "é", "1", "22", "2", "if", "then", "time", "in", "do", "function", "export", "echo", "[", "test", ".", ":", "-", "--", "'", '"', "!", "a!b", "{", "}", "{a,b}", "\\", "$x", "#", "a#b", "(", ")", "`", "declare", "select", "until",
);
const gap = fc.constantFrom(" ", " ", " ", " ", "  ", "\t", "", ";", " ; ", "&", " & ", " && ", "&&", " || ", "||", " | ", "|", "|&", "\n", " \n ", ">", " > ", "2>", "2> ", ">>", "<", "< ", "<>", ">|", ">&", "<&", "2>&1", "&>", "&>>", " >&2 ", "1 >", ";;", "<<", "<<<", "|||", "&&&", "\r", "\v");
const line = fc.array(fc.tuple(gap, piece), { maxLength: 10 }).chain((parts) => gap.map((end) => parts.map(([space, text]) => space + text).join("") + end));

test("every line the lexer takes has the tree that the parser gives it", () => {
  let taken = 0;
  fc.assert(
    fc.property(line, (text) => {
      const plain = parsePlain(text);
      if (plain === undefined) return;
      taken += 1;
      expect([text, treeOf(plain)]).toEqual([text, treeOf(parse(text))]);
    }),
    { numRuns: Number(process.env["POLICYC_LEXER_RUNS"] ?? 4000) },
  );
  expect(taken).toBeGreaterThan(60);
});

test("most lines of an agent are plain", () => {
  for (const text of ["git status", "npm test && git add src/a.ts", "ls -la | head -5 > out.txt 2>&1", "git commit -m 'a; b'\ncat \"x y\"", "sleep 5 & ls *.ts", "dd if-x of-y", "> a.txt"]) expect([text, parsePlain(text) !== undefined]).toEqual([text, true]);
  for (const text of ["echo $x", "A=1 ls", "if a; then b; fi", "(ls)", "cat <<E\nE", "ls # x", "! ls", "ls [ab]", "", "ls 'x", "a &&", "| a", "a ;; b", "a > "]) expect([text, parsePlain(text) !== undefined]).toEqual([text, false]);
});
