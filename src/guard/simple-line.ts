/**
 * The programs of everyday lines (`npm test`, `git status`), of which their words say all that rules ask: the words of a
 * line's commands go in, whether they are such programs comes out, and whether some word may be a path. What it says is
 * what the shell model finds, which a test holds it to; most calls need no more.
 */

/** The words of each command of a line, quotes removed, the program first. */
export type LineWords = readonly (readonly string[])[];

/**
 * Programs that do nothing but what they are for, whatever their words: none of them runs another command, reads commands
 * from a file or changes what the rest of the line means. Those with words here are so with these subcommands, written
 * first. `-`: no word behind is a path; `+`: every word behind the subcommand may be one; `*`: the subcommand, too.
 */
const programs = `
cargo * bench build check clean clippy doc fmt test tree update
cat +
cd +
cp +
date +
echo -
eslint +
gh - issue label pr
git + add blame branch checkout cherry-pick commit describe diff log merge mv remote reset restore rev-parse rm show stash status switch tag
go * build fmt get list mod test vet
grep +
head +
jest +
ls +
mkdir +
mv +
node +
npm - audit ci i install ls outdated run start t test uninstall update version view
prettier +
pwd +
pytest +
rm +
ruff +
sleep -
tail +
touch +
true -
tsc +
vitest +
wc +
which -
whoami -
`;

/** Each program of simple lines, with its subcommand where it has some. */
export function simpleKeys(): readonly string[] {
  return programs.trim().split("\n").flatMap((row) => {
    const [name = "", , ...subcommands] = row.split(" ");
    return subcommands.length === 0 ? [name] : subcommands.map((word) => `${name} ${word}`);
  });
}

/** True for a program that a simple line can start. */
export function isSimpleProgram(name: string): boolean {
  return rowOf(name).length > 0;
}

/** True where each command is one that does nothing but what it is for. */
export function isSimple(commands: LineWords): boolean {
  for (const words of commands) {
    const name = words[0] ?? "";
    const row = rowOf(name);
    if (row.length === 0 || (row.length > 1 && !row.includes(words[1] ?? "", 1))) return false;
    // `npm run --script-shell X` runs X, also in short; `go test -exec X` does.
    if (name === "npm" && hasWord(words, /^--s/)) return false;
    if (name === "go" && hasWord(words, /^--?(?:exec|toolexec|vettool)/)) return false;
    // Sends a file.
    if (name === "gh" && hasWord(words, /^-[A-Za-z]*F|^--body-/)) return false;
  }
  return true;
}

/** Behind the program and its subcommand. */
function hasWord(words: readonly string[], expression: RegExp): boolean {
  return words.slice(2).some((word) => expression.test(word));
}

/** False where nothing stands behind a program and its subcommand; `file-words.ts` looks into what does. */
export function hasOperands(commands: LineWords): boolean {
  for (const words of commands) {
    const row = rowOf(words[0] ?? "");
    if (words.length > (row.length > 1 && row[0] !== "*" ? 2 : 1)) return true;
  }
  return false;
}

/** How a program's words are to be read, and its subcommands if it is simple with these only; nothing for other programs. */
export function rowOf(name: string): readonly string[] {
  const start = programs.indexOf(`\n${name} `) + name.length + 2;
  // A word in quotes can hold anything, even what looks like rows.
  if (start < name.length + 2 || name.includes(" ")) return [];
  return programs.slice(start, programs.indexOf("\n", start)).split(" ");
}
