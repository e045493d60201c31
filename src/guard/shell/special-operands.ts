/**
 * Programs whose words follow a syntax of their own: `dd`, `tar`, `git checkout`, `patch` and `git apply` with the patch
 * in the line, downloads named by their address, archives unpacked where they lie. `undefined` for all others.
 */
import { tarOperands, unpackedHere } from "./archives.ts";
import type { Found } from "./machine.ts";
import type { Operand } from "./operands.ts";
import { only, readOptions } from "./options.ts";
import { programFiles } from "./program-files.ts";
import { subcommandKeys } from "./subcommands.ts";
import { hasWildcard, show } from "./text.ts";
import type { Value } from "./text.ts";
import { mapValue } from "./words.ts";

export function specialOperands(found: Found): readonly Operand[] | undefined {
  switch (found.name) {
    case "sudo":
      // `sudo -e FILE` edits.
      return found.words.slice(1).some((word) => /^(?:-[A-Za-z]*e|--edit)$/.test(only(word) ?? "")) ? found.words.slice(1).filter((word) => !/^-/.test(word[0] ?? "")).map((value) => ({ access: "rw", value, tree: false })) : undefined;
    case "dd":
      return diskOperands(found.words);
    case "tar":
    case "gtar":
    case "bsdtar":
      return tarOperands(found.words);
    case "git": {
      const key = subcommandKeys("git", found.words).find(({ key: one }) => one === "git checkout");
      return key === undefined ? undefined : checkoutOperands(found.words.slice(key.at));
    }
    default:
      return undefined;
  }
}

/** Files that a patch in the line writes, files and folders named by the address of a download or a repository, the folder that takes what an archive holds. */
export function impliedOperands(found: Found): readonly Operand[] {
  const here = unpackedHere(found);
  if (here !== undefined) return [here];
  const named = programFiles(found);
  if (named.length > 0) return named;
  if (found.name === "curl" || found.name === "wget") return [...addressed(found), ...downloads(found)];
  const clone = found.name === "git" ? subcommandKeys("git", found.words).find(({ key }) => key === "git clone") : undefined;
  if (clone !== undefined) return clonedInto(found.words.slice(clone.at));
  const applies = found.name === "patch" || found.name === "apply_patch" || (found.name === "git" && found.words.some((word) => /^(?:apply|am)$/.test(only(word) ?? "")));
  if (!applies || found.stdin === undefined) return [];
  const files: string[] = [];
  for (const text of found.stdin) {
    for (const [, path = ""] of text.matchAll(/^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/gm)) files.push(path);
    for (const [, path = ""] of text.matchAll(/^\*\*\* (?:Update|Add|Delete) File: ([^\n]+)/gm)) files.push(path);
  }
  return files.filter((path) => path !== "/dev/null").slice(0, 512).map((path) => ({ access: "w", value: [path], tree: false }));
}

/** `git clone URL` writes a folder of the repository's name. */
function clonedInto(words: readonly Value[]): readonly Operand[] {
  const name = /(?:[/:])([^/:]+?)(?:\.git)?\/*$/.exec(only(words.at(-1)) ?? "")?.[1];
  return name === undefined ? [] : [{ access: "w", value: [name], tree: true }];
}

/** `file:///x` is read. */
function addressed(found: Found): readonly Operand[] {
  const values = found.words.slice(1).map((word) => word.flatMap((text): Value => /^file:\/\/(?:localhost)?([/\0][^]*)$/i.exec(text)?.slice(1) ?? []));
  return values.filter((value) => value.length > 0).map((value) => ({ access: "r", value, tree: false }));
}

function downloads(found: Found): readonly Operand[] {
  const texts = found.words.slice(1).map((word) => show(word[0] ?? ""));
  const named = found.name === "wget" ? !texts.some((text) => /^(?:-[a-zA-Z]*O|--output-document)/.test(text)) : texts.some((text) => /^(?:-[a-zA-Z]*O|--remote-name)/.test(text));
  if (!named) return [];
  return texts.filter((text) => /^[a-z]+:\/\/[^/]+\/./i.test(text)).map((text): Operand => ({ access: "w", value: [text.replace(/[?#][^]*$/, "").replace(/\/$/, "").split("/").at(-1) ?? ""], tree: false }));
}

function diskOperands(words: readonly Value[]): readonly Operand[] {
  return words.slice(1).flatMap((word): readonly Operand[] => {
    const match = /^(if|of)=/.exec(word[0] ?? "");
    return match === null ? [] : [{ access: match[1] === "if" ? "r" : "w", value: mapValue(word, (text) => text.slice(3)), tree: false }];
  });
}

/** Changing branches writes files nobody names; only words that look like paths, and those behind `--`, are operands. */
function checkoutOperands(words: readonly Value[]): readonly Operand[] {
  const mark = words.findIndex((word) => only(word) === "--");
  if (mark !== -1) return words.slice(mark + 1).map((value) => ({ access: "w", value, tree: true }));
  const { options, operands } = readOptions(words, 0, new Set(["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"]), false);
  if (options.some((option) => /^(?:-b|-B|--orphan|--detach|-d|-t|--track)$/.test(option.name))) return [];
  const named = operands.map((at) => words[at] ?? [""]);
  const isPath = (word: Value): boolean => word.some((text) => hasWildcard(text) || /^(?:\.|:|\/|\0~)|[*?]|\.\w{1,10}$|\/$/.test(text));
  return named.filter((word, index) => index > 0 || isPath(word)).map((value) => ({ access: "w", value: mapValue(value, (text) => text.replace(/^:\/?/, "") || "."), tree: true }));
}
