/**
 * Commands that git is told to run: configuration given on the line (`-c alias.x=!cmd`, `-c core.pager=cmd`), set by
 * `git config`, and `ext::cmd` addresses. An alias that is used runs with the words behind it.
 */
import { isolated } from "./machine.ts";
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
  const rest = words.slice(subcommand?.at ?? words.length);
  for (const option of options) {
    if (option.name !== "-c" && option.name !== "--config-env") continue;
    for (const text of option.value ?? []) {
      const split = text.indexOf("=");
      if (split <= 0) continue;
      // `--config-env NAME=VARIABLE`: the value is in the variable.
      const values = option.name === "-c" ? [text.slice(split + 1)] : (machine.variables.get(text.slice(split + 1)) ?? []);
      for (const value of values) followSetting(text.slice(0, split), value, verb, rest, machine, context);
    }
  }
  // An alias that the line itself has set.
  for (const value of verb === undefined ? [] : (machine.gitAliases.get(verb) ?? [])) followSetting(`alias.${verb}`, value, verb, rest, machine, context);
  if (verb === "config" && subcommand !== undefined) {
    const read = readOptions(words, subcommand.at, new Set("-f --file --blob --type -t --default --comment --value".split(" ")), false);
    const operands = read.operands.map((at) => words[at] ?? [""]).filter((word) => !/^(?:set|unset|get|list|edit)$/.test(word[0] ?? ""));
    const [key, value] = operands;
    const alias = /^alias\.([^]+)$/i.exec(show(key?.[0] ?? ""))?.[1];
    if (alias !== undefined && value !== undefined) machine.gitAliases.set(alias, value);
    for (const text of value ?? []) followSetting(show(key?.[0] ?? ""), text, undefined, [], machine, context);
  }
  // `% ` in such an address is a blank that parts no words.
  for (const word of words) for (const text of word) if (text.startsWith("ext::")) runTexts([text.slice("ext::".length).replaceAll("% ", "\\ ")], machine, context);
}

/** `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0` and `GIT_CONFIG_PARAMETERS` are `-c` for every git that is started. */
export function followGitVariable(name: string, text: Text, machine: Interpreter, context: Context): void {
  const set = (key: string, value: Text): void => {
    const alias = /^alias\.([^]+)$/i.exec(key)?.[1];
    if (alias !== undefined) machine.gitAliases.set(alias, [value]);
    isolated(machine, () => followSetting(key, value, undefined, [], machine, context));
  };
  if (name === "GIT_CONFIG_PARAMETERS") {
    for (const [, quoted = "", key = "", value = ""] of text.matchAll(/'([^'=]*=[^']*)'|'([^'=]*)'='([^']*)'/g)) {
      const split = quoted.indexOf("=");
      if (quoted === "") set(key, value);
      else set(quoted.slice(0, split), quoted.slice(split + 1));
    }
    return;
  }
  const keys = machine.variables.get(name.replace("VALUE", "KEY"));
  // A key that is not known yet may be any.
  for (const key of keys ?? ["core.pager"]) set(key, text);
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
