/**
 * Commands that git is told to run: configuration given on the line (`-c alias.x=!cmd`, `-c core.pager=cmd`), set by
 * `git config`, and `ext::cmd` addresses. An alias that is used runs with the words behind it.
 */
import type { Context, Interpreter } from "./machine.ts";
import { readOptions } from "./options.ts";
import { runTexts } from "./shells.ts";
import { subcommandKeys } from "./subcommands.ts";
import { globalOptions } from "./tables/global-options.ts";
import { asScript, concatenate, show } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";

/** Keys whose value git runs as a command. Source: git-config(1). */
const commandKeys =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|gitproxy|fsmonitor|alternaterefscommand)|sequence\.editor|pager\..+|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential(?:\..+)?\.helper|gpg(?:\..+)?\.program|(?:diff|merge)tool\..+\.(?:cmd|path)|browser\..+\.(?:cmd|path)|man\..+\.cmd|interactive\.difffilter|remote\..+\.(?:uploadpack|receivepack|vcs)|trailer\..+\.(?:command|cmd)|submodule\..+\.update|sendemail\.(?:tocmd|cccmd|headercmd|smtpserver)|uploadpack\.packobjectshook|instaweb\.httpd|imap\.tunnel|guitool\..+\.cmd)$/i;

const booleans = /^(?:true|false|yes|no|on|off|\d*)$/i;

export function followGit(words: readonly Value[], machine: Interpreter, context: Context): void {
  const valued = globalOptions("git") ?? new Set<string>();
  const { options } = readOptions(words, 1, valued, true);
  const [subcommand] = subcommandKeys("git", words).filter(({ key }) => key.split(" ").length === 2);
  const verb = subcommand?.key.slice("git ".length);
  for (const option of options) {
    if (option.name !== "-c") continue;
    for (const text of option.value ?? []) {
      const split = text.indexOf("=");
      if (split > 0) followSetting(text.slice(0, split), text.slice(split + 1), verb, words.slice(subcommand?.at ?? words.length), machine, context);
    }
  }
  if (verb === "config" && subcommand !== undefined) {
    const read = readOptions(words, subcommand.at, new Set("-f --file --blob --type -t --default --comment --value".split(" ")), false);
    const operands = read.operands.map((at) => words[at] ?? [""]).filter((word) => !/^(?:set|unset|get|list|edit)$/.test(word[0] ?? ""));
    const [key, value] = operands;
    for (const text of value ?? []) followSetting(show(key?.[0] ?? ""), text, undefined, [], machine, context);
  }
  for (const word of words) for (const text of word) if (text.startsWith("ext::")) runTexts([text.slice("ext::".length)], machine, context);
}

function followSetting(key: string, value: Text, verb: string | undefined, rest: readonly Value[], machine: Interpreter, context: Context): void {
  const alias = /^alias\.([^]+)$/i.exec(key);
  if (alias !== null) {
    const used = verb === alias[1];
    const tail = used ? rest.map((word) => mapValue(word, (text) => ` ${asScript(text)}`)) : [];
    const line = value.startsWith("!") ? value.slice(1) : `git ${value}`;
    runTexts(concatenate([[line], ...tail]), machine, context);
    return;
  }
  if (!commandKeys.test(key) || booleans.test(value)) return;
  if (/helper$/i.test(key)) {
    // `!cmd` and paths are run, a plain name is `git-credential-NAME`.
    if (!/^[!/]/.test(value)) return;
  }
  if (/^submodule/i.test(key) && !value.startsWith("!")) return;
  runTexts([value.replace(/^!/, "")], machine, context);
}
