/** What cmdlets do with their words: parameters and positional words by `tables/powershell.ts`. */
import type { Found } from "../machine.ts";
import type { Operand } from "../operands.ts";
import { cmdletRow, commonParameters } from "../tables/powershell.ts";
import { homeMark, show } from "../text.ts";
import type { Text, Value } from "../text.ts";
import { foldCase } from "../../paths.ts";

export interface CmdletWords {
  /** Parameters with their values, names in lower case as written. */
  readonly named: readonly { readonly name: string; readonly value: Value | undefined }[];
  readonly positional: readonly Value[];
}

export function cmdletWords(name: string, words: readonly Value[]): CmdletWords {
  const valued = parametersOf(name).map(([parameter]) => parameter);
  const named: { name: string; value: Value | undefined }[] = [];
  const positional: Value[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? [""];
    const text = show(word[0] ?? "");
    if (word.length > 1 || !/^-[A-Za-z]/.test(text)) {
      positional.push(word);
      continue;
    }
    const colon = text.indexOf(":");
    const parameter = foldCase(colon > 0 ? text.slice(0, colon) : text);
    const takes = valued.some((one) => one.startsWith(parameter));
    if (colon > 0) named.push({ name: parameter, value: [text.slice(colon + 1)] });
    else {
      named.push({ name: parameter, value: takes ? words[at + 1] : undefined });
      if (takes) at += 1;
    }
  }
  return { named, positional };
}

function parametersOf(name: string): readonly (readonly [name: string, kind: string])[] {
  return `${cmdletRow(name)?.parameters ?? "-Path:t -LiteralPath:t -FilePath:t -Destination:t -OutFile:w"} ${commonParameters}`.split(" ").map((one) => [foldCase(one.slice(0, one.indexOf(":"))), one.slice(one.indexOf(":") + 1)] as const);
}

/** `undefined` for a program that is no cmdlet the table knows. */
export function cmdletOperands(found: Found): readonly Operand[] | undefined {
  const row = cmdletRow(found.name);
  if (row === undefined) return undefined;
  const parameters = parametersOf(found.name);
  const { named, positional } = cmdletWords(found.name, found.words);
  const flags = named.map((one) => one.name);
  const tree = row.tree === "always" || (row.tree !== undefined && flags.some((flag) => flag.length > 1 && foldCase(row.tree ?? "").startsWith(flag)));
  const operands: Operand[] = [];
  const paths = new Set<string>();
  const add = (kind: string, value: Value, literal: boolean): void => {
    if (kind !== "-") operands.push({ access: kind, value: value.map((text) => powerPath(text, literal)), tree: tree && kind !== "t" });
  };
  const name = named.find((one) => "-name".startsWith(one.name))?.value;
  for (const { name: parameter, value } of named) {
    const [full, kind] = parameters.find(([one]) => one === parameter) ?? parameters.find(([one]) => one.startsWith(parameter)) ?? [];
    if (value === undefined || kind === undefined || full === undefined) continue;
    paths.add(full);
    add(kind, value, full === "-literalpath");
    // `New-Item -Path dir -Name file`: the file in the folder.
    if (name !== undefined && full === "-path") add(kind, value.flatMap((place) => name.map((one) => `${place}/${one}`)), true);
  }
  const given = paths.has("-path") || paths.has("-literalpath") || paths.has("-filepath");
  const kinds = row.operands.split(" ").slice(given ? 1 : 0).filter((_, index) => !(paths.has("-destination") && index + (given ? 1 : 0) > 0));
  positional.forEach((value, index) => add(kinds[index] ?? kinds.at(-1) ?? "-", value, false));
  const nothingGiven = !given && positional.length === 0;
  if (row.piped === true && (nothingGiven || (!given && row.operands.includes(" ") && positional.length < row.operands.split(" ").length)) && found.stdin !== undefined) {
    // Paths come through the pipeline; what else was given moves up.
    operands.push({ access: row.operands.split(" ")[0] ?? "t", value: found.stdin.map((text) => powerPath(text, true)), tree });
    if (!nothingGiven) positional.forEach((value, index) => add(row.operands.split(" ")[index + 1] ?? "-", value, false));
  }
  return operands;
}

/** Backslashes separate, wildcards work inside quotes, `~` is the home folder. */
function powerPath(text: Text, literal: boolean): Text {
  const path = text.replaceAll("\\", "/").replace(/^~(?=\/|$)/, homeMark).replace(/^(?:Microsoft\.PowerShell\.Core\/)?FileSystem::/i, "");
  return literal ? path : path.replace(/(?<!\0)[*?]/g, "\0$&").replace(/(?<!\0)\[([^\]]*)\]/g, "\0[$1\0]");
}
