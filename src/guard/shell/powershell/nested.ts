/** PowerShell and `cmd` started by another shell: `pwsh -Command TEXT`, `-EncodedCommand`, `cmd /c TEXT`. */
import { record } from "../commands.ts";
import { readKept } from "../data-flow.ts";
import type { Context, Interpreter } from "../machine.ts";
import { asScript, concatenate, hole, isSettled, show } from "../text.ts";
import type { Text, Value } from "../text.ts";
import { runPowerText } from "./run.ts";

/** Options of the program itself with a value behind them. */
const valued = ["-executionpolicy", "-version", "-psconsolefile", "-configurationname", "-custompipename", "-inputformat", "-outputformat", "-settingsfile", "-windowstyle", "-workingdirectory"];

export function followPowerShell(words: readonly Value[], machine: Interpreter, context: Context): void {
  for (let at = 1; at < words.length; at += 1) {
    const text = show(words[at]?.[0] ?? "");
    const option = text.toLowerCase().replace(/^[-/]{1,2}/, "-");
    const next = words[at + 1];
    if (!/^[-/]/.test(text)) {
      // Without `-Command` the words are the text, unless they name a file.
      if (/\.ps1$/i.test(text)) runWritten(words[at], machine, context);
      else runJoined(words.slice(at), machine, context);
      return;
    }
    if (option === "-") break;
    if (isShort(option, "-command", 1) || isShort(option, "-commandwithargs", 8)) {
      if (show(next?.[0] ?? "") === "-") break;
      runJoined(words.slice(at + 1), machine, context);
      return;
    }
    if (isShort(option, "-encodedcommand", 1) || option === "-ec") {
      for (const one of next ?? []) runPowerText(decoded(one), machine, context);
      return;
    }
    if (isShort(option, "-file", 1)) return runWritten(next, machine, context);
    if (valued.some((name) => option.length > 2 && name.startsWith(option)) || option === "-ep" || option === "-ex" || option === "-w") at += 1;
  }
  for (const text of context.stdin ?? []) runPowerText(text, machine, context);
}

/** A script as far as the line has written it. */
function runWritten(file: Value | undefined, machine: Interpreter, context: Context): void {
  for (const text of file === undefined ? [] : (readKept(file, machine, context) ?? [])) runPowerText(asScript(text), machine, { ...context, stdin: undefined });
}

function isShort(option: string, name: string, least: number): boolean {
  return option.length > least && name.startsWith(option);
}

function runJoined(words: readonly Value[], machine: Interpreter, context: Context): void {
  for (const text of concatenate(words.flatMap((word, index) => [[index === 0 ? "" : " "], word]))) runPowerText(asScript(text), machine, { ...context, stdin: undefined });
}

/** Base64 of UTF-16. */
function decoded(text: Text): Text {
  return isSettled(text) ? Buffer.from(text, "base64").toString("utf16le").replaceAll("\0", "") : hole;
}

export function followCmd(words: readonly Value[], machine: Interpreter, context: Context): void {
  const start = words.findIndex((word, index) => index > 0 && /^\/\/?[ckr]$/i.test(show(word[0] ?? "")));
  if (start === -1) return;
  for (const text of concatenate(words.slice(start + 1).flatMap((word, index) => [[index === 0 ? "" : " "], word]))) {
    if (asScript(text).replaceAll(hole, "").trim() === "") machine.notes.dynamic ||= text !== "" && !context.inFile;
    else for (const line of asScript(text).replace(/^"([^]*)"$/, "$1").split(/&&?|\|\|?|\n/)) runCmdLine(line, machine, { ...context, dialect: "powershell", stdin: undefined });
  }
}

const cmdlets: Readonly<Record<string, string>> = {
  del: "Remove-Item", erase: "Remove-Item", rd: "Remove-Item", rmdir: "Remove-Item", move: "Move-Item", copy: "Copy-Item", xcopy: "Copy-Item", type: "Get-Content", ren: "Rename-Item", rename: "Rename-Item", md: "New-Item", mkdir: "New-Item",
};

/** Builtins of `cmd` are recorded as the cmdlets that do the same. */
function runCmdLine(line: Text, machine: Interpreter, context: Context): void {
  const words = (line.replace(/\^([^])/g, "$1").match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((word) => word.replaceAll('"', ""));
  const files = words.flatMap((word, index): readonly Value[] => (/^\d?>>?$/.test(word) ? [[words[index + 1] ?? ""]] : /^\d?>>?[^&>]/.test(word) ? [[word.replace(/^\d?>+/, "")]] : []));
  const plain = words.filter((word, index) => !/^\d?>/.test(word) && !/^\d?>>?$/.test(words[index - 1] ?? ""));
  const [first = "", ...rest] = plain;
  const name = first.replace(/^@/, "").toLowerCase();
  const redirects = files.map((target) => ({ access: "writes" as const, target }));
  const cmdlet = Object.hasOwn(cmdlets, name) ? cmdlets[name] : undefined;
  if (cmdlet === undefined) {
    if (first !== "") machine.command(plain.map((word) => [word]), context, redirects);
    return;
  }
  const flags = rest.filter((word) => word.startsWith("/")).map((word) => word.toLowerCase());
  const paths = rest.filter((word) => !word.startsWith("/"));
  const recurse: readonly Value[] = flags.includes("/s") || flags.includes("/e") ? [["-Recurse"]] : [];
  const found: readonly Value[] = [[first], ...paths.map((path) => [path]), ...recurse];
  record(machine, context, found, found.length, redirects, cmdlet);
}
