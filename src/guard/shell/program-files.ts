/**
 * Files that stand inside a program's own text or input and not among its words: `sed 'w f'`, `awk '{ print > "f" }'`,
 * `sqlite3 a.db '.output f'`, `tar -T -`, and the names that a search or an unpacker is told.
 */
import { expandBraces } from "./braces.ts";
import type { Found } from "./machine.ts";
import type { Operand } from "./operands.ts";
import { readOptions } from "./options.ts";
import { someName } from "./path-patterns.ts";
import { awkFiles, sedFiles } from "./program-text.ts";
import { below, isSettled, show } from "./text.ts";
import type { Text, Value } from "./text.ts";

/** More lines of names are not looked at one by one. */
const mostNames = 256;

function operand(access: string, ...value: Value): Operand {
  return { access, value, tree: false };
}

export function programFiles(found: Found): readonly Operand[] {
  switch (found.name) {
    case "sed":
    case "gsed":
      return readAndWritten(sedFiles(found.words));
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return readAndWritten(awkFiles(found.words));
    case "grep":
    case "egrep":
    case "fgrep":
    case "rg":
    case "ag":
      return searchedNames(found);
    case "gzip":
    case "gunzip":
    case "bzip2":
    case "bunzip2":
    case "xz":
    case "unxz":
    case "zstd":
    case "unzstd":
      return unpackedNames(found);
    case "tar":
    case "gtar":
    case "bsdtar":
      return hasWord(found, /^(?:-T|--files-from=?)-?$/) ? namesInInput(found) : [];
    case "zip":
      return hasWord(found, /^-@$/) ? namesInInput(found) : [];
    case "cpio":
    case "pax":
      return namesInInput(found);
    case "vi":
    case "vim":
    case "nvim":
    case "ex":
    case "ed":
    case "red":
      return statementFiles(found, /(?:^|\n|\|)\s*:*[%\d,.$]*w(?:rite)?!?\s+([^\s!|]\S*)/g, /(?:^|\n|\|)\s*:*[%\d,.$]*(?:r|e|read|edit)!?\s+([^\s!|]\S*)/g);
    case "sqlite3":
      return statementFiles(found, /^\s*\.(?:output|once|backup|save|log|trace)\s+([^\s]+)/gm, /^\s*\.(?:read|import|open|restore)\s+(?:--\w+\s+)*([^\s]+)/gm);
    case "psql":
      return statementFiles(found, /\\(?:o|out|g|w|write)\s+([^\s|]\S*)|\bto\s+'([^']+)'/gi, /\\(?:i|ir|include)\s+(\S+)|\bfrom\s+'([^']+)'/gi);
    default:
      return [];
  }
}

function readAndWritten({ reads, writes }: { readonly reads: readonly Text[]; readonly writes: readonly Text[] }): readonly Operand[] {
  return [...[...new Set(reads)].map((text) => operand("r", text)), ...[...new Set(writes)].map((text) => operand("w", text))];
}

function hasWord(found: Found, pattern: RegExp): boolean {
  return found.words.some((word) => pattern.test(word[0] ?? ""));
}

/** `grep -r x --include=.env`: files of that name below wherever it searches. */
function searchedNames(found: Found): readonly Operand[] {
  const { options } = readOptions(found.words, 1, new Set(["--include", "-g", "--glob", "--iglob", "-G"]), false);
  const names = options.filter((option) => /^(?:--include|-g|--glob|--iglob|-G)$/.test(option.name)).flatMap((option) => option.value ?? []);
  const globs = names.filter((name) => isSettled(name) && !name.startsWith("!") && /[^*?./\\$]/.test(show(name))).flatMap((name) => expandBraces(show(name)) ?? []);
  return globs.map((glob) => operand("r", belowFolder(glob)));
}

/** Files that the glob of a search, or of git, names at any depth below the folder it runs in. */
export function belowFolder(glob: string): Text {
  const parts = glob.replace(/^(?:\*\*\/|\/)+/, "").split("/").map((part) => (part === "**" ? someName : part));
  return `./${below}/${parts.join("/").replace(/[*?[\]]/g, "\0$&")}`;
}

/** `gunzip a.txt.gz` writes `a.txt`. */
function unpackedNames(found: Found): readonly Operand[] {
  if (hasWord(found, /^-[A-Za-z]*c|^--(?:std|to-std)out$|^-o|^--output/) || !(/^(?:g|b)?un/.test(found.name) || hasWord(found, /^-[A-Za-z]*d|^--(?:decompress|uncompress)$/))) return [];
  return found.words.slice(1).flatMap((word) => word.flatMap((text) => (/\.(?:gz|bz2|xz|zst|lzma|Z)$/.test(text) ? [operand("w", text.replace(/\.\w+$/, ""))] : [])));
}

/** Names that the program reads from its input, as far as they stand in the line. */
function namesInInput(found: Found): readonly Operand[] {
  const lines = (found.stdin ?? []).filter(isSettled).flatMap((text) => text.split("\n"));
  return lines.filter((line) => line !== "").slice(0, mostNames).map((line) => operand("r", line));
}

/** Files that statements of a database client name; its input counts as statements. */
function statementFiles(found: Found, writes: RegExp, reads: RegExp): readonly Operand[] {
  const texts = [...found.words.slice(1).flat(), ...(found.stdin ?? [])];
  const files = (pattern: RegExp): readonly Text[] => texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined) ?? ""));
  return readAndWritten({ reads: files(reads), writes: files(writes) });
}
