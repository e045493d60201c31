/**
 * Archives: which files `tar` reads and writes in each of its styles, and which programs unpack into the folder they run
 * in because no word of theirs names another.
 */
import type { Found } from "./machine.ts";
import type { Operand } from "./operands.ts";
import { readOptions } from "./options.ts";
import { show } from "./text.ts";
import type { Value } from "./text.ts";

const here: Operand = { access: "w", value: ["."], tree: true, unpacked: true };

interface Unpacker {
  readonly values?: string;
  /** One of these, an option or the first word, says that something is unpacked. */
  readonly wants?: string;
  /** Options that name another folder, or with which nothing is written. */
  readonly elsewhere?: string;
  /** With more words a folder or single files are named. */
  readonly most?: number;
}

const sevenZip: Unpacker = { values: "-o", wants: "x e", elsewhere: "-o" };
const rar: Unpacker = { wants: "x e", most: 2 };

const unpackers: Readonly<Record<string, Unpacker>> = {
  unzip: { values: "-d -P -x", elsewhere: "-d -l -p -t -v -z -Z", most: 1 },
  cpio: { values: "-F -I -O -H -D -E -R --file --directory --format", wants: "-i --extract", elsewhere: "-D --directory -t --list --to-stdout" },
  pax: { values: "-b -f -o -p -s -x", wants: "-r", elsewhere: "-w" },
  ar: { wants: "x xv xo -x", elsewhere: "-t -p" },
  jar: { wants: "x xf xvf -x --extract", elsewhere: "-C --dir" },
  "7z": sevenZip, "7za": sevenZip, "7zr": sevenZip, "7zz": sevenZip, rar, unrar: rar,
};

/** The folder the command runs in, where it unpacks all of an archive into that; for `tar` see `tarOperands`. */
export function unpackedHere({ name, words }: Found): Operand | undefined {
  const row = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
  if (row === undefined) return undefined;
  const { options, operands } = readOptions(words, 1, new Set(row.values?.split(" ")), false);
  const first = operands[0] === undefined ? [] : [show(words[operands[0]]?.[0] ?? "")];
  const given = [...options.map((option) => option.name), ...first];
  const isGiven = (list: string): boolean => list.split(" ").some((one) => given.includes(one));
  const unpacks = row.wants === undefined ? first.length > 0 : isGiven(row.wants);
  return unpacks && operands.length <= (row.most ?? operands.length) && (row.elsewhere === undefined || !isGiven(row.elsewhere)) ? here : undefined;
}

const tarValues = new Set("-f -C -b -g -K -L -N -T -V -X -I -F --file --directory --files-from --exclude --exclude-from --transform --xform --strip-components --owner --group --mode --mtime --checkpoint --checkpoint-action --use-compress-program --to-command --listed-incremental".split(" "));

export function tarOperands(words: readonly Value[]): readonly Operand[] {
  const bundle = show(words[1]?.[0] ?? "");
  const old = /^[A-Za-z]+$/.test(bundle);
  // Old style: the letters that take a value take the next words in turn.
  const given: { readonly name: string; readonly value: Value }[] = [];
  let from = 1;
  if (old) {
    from = 2;
    for (const letter of bundle) {
      const value = words[from];
      if (!"fCbgTXIKLNVF".includes(letter) || value === undefined) continue;
      given.push({ name: `-${letter}`, value });
      from += 1;
    }
  }
  const read = readOptions(words, from, tarValues, false);
  const letters = old ? [...bundle].map((letter) => `-${letter}`) : [];
  const has = (...names: readonly string[]): boolean => names.some((name) => letters.includes(name) || read.options.some((option) => option.name === name));
  const extracts = has("-x", "--extract", "--get");
  const creates = has("-c", "-r", "-u", "-A", "--create", "--append", "--update", "--catenate", "--concatenate");
  const prints = extracts && has("-O", "--to-stdout", "--to-command");
  for (const option of read.options) if (option.value !== undefined) given.push({ name: option.name, value: option.value });
  const folders = given.filter(({ name }) => name === "-C" || name === "--directory").map(({ value }) => value);
  const operands: Operand[] = [];
  for (const { name, value } of given) {
    if (name === "-f" || name === "--file") operands.push({ access: creates ? "w" : "r", value, tree: false });
    else if (/^(?:-T|-X|--files-from|--exclude-from)$/.test(name)) operands.push({ access: "r", value, tree: false });
    else if (name === "-C" || name === "--directory") operands.push({ access: extracts && !prints ? "w" : "t", value, tree: extracts });
  }
  if (prints) return operands;
  if (extracts && folders.length === 0 && read.operands.length === 0) operands.push(here);
  const inside = (value: Value): Value => (folders.length === 0 ? value : [...value, ...folders.flatMap((folder) => folder.flatMap((base) => value.map((text) => (text.startsWith("/") ? text : `${base}/${text}`))))]);
  const removes = has("--remove-files");
  for (const at of read.operands) {
    const value = inside(words[at] ?? [""]);
    if (extracts) operands.push({ access: "w", value, tree: true });
    else if (creates) operands.push({ access: removes ? "rd" : "r", value, tree: true });
    else operands.push({ access: "t", value, tree: false });
  }
  return operands;
}
