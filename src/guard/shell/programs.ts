/**
 * Programs that carry commands in a way of their own: `find -exec`, `git -c alias.x=!…`, programs for awk and sed,
 * editors' escapes. Called for every command; most names have nothing here.
 */
import { followAwk, followEscapes, followMake, followSed } from "./program-text.ts";
import { commandName } from "./commands.ts";
import { readKept } from "./data-flow.ts";
import { followFind } from "./find.ts";
import { followGit } from "./git-config.ts";
import type { Context, Interpreter } from "./machine.ts";
import { readOptions } from "./options.ts";
import { followCmd, followPowerShell } from "./powershell/nested.ts";
import { readInput, runTexts } from "./shells.ts";
import { nextWord, subcommandKeys } from "./subcommands.ts";
import { carrierRow } from "./tables/carriers.ts";
import { escapeRow } from "./tables/escapes.ts";
import { globalOptions } from "./tables/global-options.ts";
import { namesProgram, packageManagers } from "./tables/package-commands.ts";
import { insideString, isolated } from "./machine.ts";
import type { Value } from "./text.ts";
import { show } from "./text.ts";
import { mapValue } from "./words.ts";

type Follow = (words: readonly Value[], machine: Interpreter, context: Context) => void;

export function followProgram(name: string, words: readonly Value[], machine: Interpreter, context: Context): void {
  const follow = programs.get(name) ?? (/^git-[a-z-]+$/.test(name) ? followGitName : undefined) ?? (/^(?:python|pypy|py)[\d.]*$/.test(name) ? followModule : undefined) ?? (escapeRow(name) === undefined ? undefined : (): void => followEscapes(name, words, machine, context));
  if (follow === undefined) return;
  isolated(machine, () => follow(words, machine, insideString(context)));
}

/** `ssh -o ProxyCommand=CMD`: options of the configuration whose value is run. */
function followSsh(words: readonly Value[], machine: Interpreter, context: Context): void {
  const { options } = readOptions(words, 1, new Set((carrierRow("ssh")?.values ?? "").split(" ")), false);
  for (const option of options) {
    if (option.name !== "-o") continue;
    for (const text of option.value ?? []) {
      const match = /^\s*(?:ProxyCommand|LocalCommand|RemoteCommand|KnownHostsCommand)\s*[\s=]\s*([^]+)$/i.exec(text);
      if (match !== null && !/^none$/i.test(match[1] ?? "")) runTexts([match[1] ?? ""], machine, context);
    }
  }
}

/** `crontab -`, `at`, `batch` run what they read. */
function followSchedule(words: readonly Value[], machine: Interpreter, context: Context): void {
  const crontab = show(words[0]?.[0] ?? "").endsWith("crontab");
  const { options, operands } = readOptions(words, 1, new Set("-f -u -q -t".split(" ")), true);
  const file = crontab ? words[operands[0] ?? words.length] : options.find((option) => option.name === "-f")?.value;
  const text = file === undefined || file[0] === "-" ? context.stdin : readKept(file, machine, context);
  if (text === undefined) return;
  const commandsOf = (one: string): string => (crontab ? one.replace(/^[ \t]*(?:@\w+|(?:\S+[ \t]+){5})/gm, "").replace(/^\w+\s*=.*$/gm, "") : one);
  readInput(machine, { ...context, stdin: mapValue(text, commandsOf), stdinFile: undefined });
}

/** `python3 -m pip install x` runs `pip`. Another name of one program: narrow positions know it by the first. */
function followModule(words: readonly Value[], machine: Interpreter, context: Context): void {
  const { options } = readOptions(words, 1, new Set("-m -c -W -X -Q".split(" ")), true);
  const module = options.find((option) => option.name === "-m" || option.name === "-c");
  if (module?.name !== "-m" || module.value === undefined) return;
  const behind = words.slice(words[module.at + 1] === module.value ? module.at + 2 : module.at + 1);
  machine.command([module.value, ...behind], { ...context, certain: false, inFile: true }, []);
}

/** `hub` is git with more commands, and `git-push` is `git push`. */
function followGitName(words: readonly Value[], machine: Interpreter, context: Context): void {
  const name = commandName(words[0]?.[0] ?? "").name;
  machine.command([["git"], ...(name === "hub" ? [] : [[name.slice("git-".length)]]), ...words.slice(1)], { ...context, certain: false, inFile: true }, []);
}

/** `runuser USER -c TEXT` is `su`. */
function followUser(words: readonly Value[], machine: Interpreter, context: Context): void {
  machine.command([["su"], ...words.slice(1)], { ...context, certain: false }, []);
}

/** `rg --pre CMD` runs it for every file. */
function followSearch(words: readonly Value[], machine: Interpreter, context: Context): void {
  const { options } = readOptions(words, 1, new Set(["--pre", "--hostname-bin", "--pager"]), false);
  for (const option of options) if (/^--(?:pre|hostname-bin|pager)$/.test(option.name)) runTexts(option.value ?? [], machine, { ...context, certain: false });
}

/** `gh alias set NAME '!cmd'`: the text runs as soon as the name is used. */
function followGhAlias(words: readonly Value[], machine: Interpreter, context: Context): void {
  const [alias] = subcommandKeys("gh", words).filter(({ key }) => key === "gh alias set");
  if (alias === undefined) return;
  const { options, operands } = readOptions(words, alias.at, new Set(), false);
  const isShell = options.some((option) => option.name === "-s" || option.name === "--shell");
  for (const text of words[operands[1] ?? words.length] ?? []) if (isShell || text.startsWith("!")) runTexts([text.replace(/^!/, "")], machine, { ...context, certain: false });
}

/** `yarn prisma migrate reset` runs `prisma`, or a script of that name: narrow positions know `yarn` alone. */
function followPackageCommand(words: readonly Value[], machine: Interpreter, context: Context): void {
  const manager = commandName(words[0]?.[0] ?? "").name;
  const options = globalOptions(manager);
  const wordAt = (at: number): string => show(words[at]?.[0] ?? "");
  let at = nextWord(words, 1, options);
  if (at !== undefined && wordAt(at) === "run") at = nextWord(words, at + 1, options);
  if (at === undefined || !namesProgram(manager, wordAt(at))) return;
  machine.command(words.slice(at), { ...context, certain: false, inFile: true }, []);
}

const programs: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ["find", followFind],
  ["gfind", followFind],
  ["fd", followFind],
  ["fdfind", followFind],
  ["git", followGit],
  ["awk", followAwk],
  ["gawk", followAwk],
  ["mawk", followAwk],
  ["nawk", followAwk],
  ["sed", followSed],
  ["gsed", followSed],
  ["make", followMake],
  ["gmake", followMake],
  ["ssh", followSsh],
  ["scp", followSsh],
  ["sftp", followSsh],
  ["powershell", followPowerShell],
  ["pwsh", followPowerShell],
  ["cmd", followCmd],
  ...packageManagers().map((manager): readonly [string, Follow] => [manager, followPackageCommand]),
  ["hub", followGitName],
  ["runuser", followUser],
  ["rg", followSearch],
  ["ag", followSearch],
  ["ack", followSearch],
  ["gh", followGhAlias],
  ["crontab", followSchedule],
  ["at", followSchedule],
  ["batch", followSchedule],
]);
