/**
 * Most lines are plain words, and most rules are about other programs: then this small file gives the model's answer and
 * the parser is not loaded. `undefined`: only the model itself can tell. What it answers is always what the model would.
 */
import type { Command, Statement } from "./parse.ts";
import { parsePlain } from "./plain-lexer.ts";
import type { ShellAtom, ShellModule } from "./shell.ts";
import type { ToolCall } from "../call.ts";
import type { CommandPlan } from "../plan.ts";

/** Longer texts are for the model, which has a limit. */
const longestText = 16 * 1024;
/** Programs that run text or files, or that put names together out of pieces. */
const carriers = new Set("ssh autossh su sudo doas chroot nsenter unshare wsl sh bash zsh dash ksh ash mksh pdksh ksh93 rbash rzsh lksh yash posh hush osh nix-shell fish csh tcsh eval source . printf xargs gxargs parallel awk gawk mawk nawk sed gsed powershell pwsh cmd crontab at batch read mapfile readarray alias hash python python2 python3".split(" "));

/** Programs that start another one named among their words, which may be a file that counts with its commands. */
const starters = new Set(
  ("adb ansible arch at bsdtar builtin bunx busybox bwrap caffeinate catchsegv cgexec chroot chronic chrt command compgen complete concurrently cpulimit cross-env cross-env-shell dbus-run-session doas dotenv ed emacs entr env envdir ex exec expect fakeroot " +
    "fd fdfind find firejail flock ftp gdb gfind gmake gosu gtar gtimeout gvim hyperfine ifne ionice less linux32 linux64 lldb ltrace make man mariadb mispipe more mosh mysql nc ncat netcat nice nocorrect nodemon noglob nohup npx nsenter numactl nvim osascript pdsh pee pkexec pnpx prlimit " +
    "proxychains proxychains4 psql red repeat rlwrap rsync runuser scp screen script sem setarch setpriv setsid sftp sg socat sort split sqlite3 ssh sshpass start-stop-daemon stdbuf strace su su-exec sudo systemd-inhibit systemd-run tar taskset tclsh tcpdump time timeout torify " +
    "torsocks toybox unbuffer unshare uvx valgrind vi view vim vimdiff watch watchexec wget winpty xvfb-run zip ld.so yarn pnpm bun").split(" "),
);
/** Subcommands that do (`docker exec`, `git rebase -x`, `git config`). */
const startingWords = new Set(
  "archive bisect ssh invoke clone compute config console debug develop difftool display-popup dlx enter exec fetch fetch-pack filter-branch for-each-repo foreach grep if-shell init instaweb ls-remote mergetool new new-session new-window neww pipe-pane pull push rebase record respawn-pane rsh run run-shell send send-email send-keys send-pack shell split-window splitw ssh stat submodule watch x".split(" "),
);

/** True for a program (and subcommand) whose lines are left to the model where a file or a name could hide in them. */
export function isLeftToModel(key: string): boolean {
  const [name = "", ...subcommands] = key.split(" ");
  return carriers.has(name) || starters.has(name) || subcommands.some((word) => startingWords.has(word));
}

interface PlainLine {
  /** Words of each simple command, quotes removed; redirects are left out. */
  readonly commands: readonly (readonly string[])[];
  /** The line without quotes, case folded: every name it could run stands in it. */
  readonly folded: string;
}

/** The model behind its fast answers: `load` is called at the first question they leave open. */
export function lazyShell(load: () => ShellModule): ShellModule {
  const lines = new Map<string, PlainLine | undefined>();
  const read = (text: string): PlainLine | undefined => {
    if (!lines.has(text)) lines.set(text, readPlain(text));
    return lines.get(text);
  };
  return {
    judge: (atom, call, position, world) => plainTruth(atom, call, read) ?? load().judge(atom, call, position, world),
    folders: (call, world) => load().folders?.(call, world) ?? [],
    describe: (call, world) => load().describe(call, world),
  };
}

/** The truth of an atom about a call whose commands are all plain Bash lines. */
export function plainTruth(atom: ShellAtom, call: ToolCall, read: (text: string) => PlainLine | undefined = readPlain): false | undefined {
  if (atom.kind !== "runs" && atom.kind !== "pipes" && atom.kind !== "dynamic") return undefined;
  for (const { text, shell } of call.subject.commands) {
    const line = shell === "bash" ? read(text) : undefined;
    if (line === undefined || !isFalse(atom, line)) return undefined;
  }
  return false;
}

function isFalse(atom: Extract<ShellAtom, { readonly kind: "runs" | "pipes" | "dynamic" }>, line: PlainLine): boolean {
  const carries = line.commands.some(
    (words) =>
      words.some((word, index) => carriers.has(lower(lastSegment(word).replace(/\.exe$/i, ""))) && (word !== "." || index === 0 || mayStart(words))) ||
      // A wildcard where a name stands.
      words.some((word, index) => /[*?]/.test(word) && (index === 0 || mayStart(words))),
  );
  switch (atom.kind) {
    case "runs":
      // One command that is not listed is enough.
      if (atom.only) return !opens(line) && !carries && line.commands.some(([name = ""]) => name !== "cd" && !atom.commands.some((plan) => plan[0]?.some((spelling) => isForeign(spelling) || lower(lastSegment(spelling)) === lower(lastSegment(name).replace(/\.exe$/i, "")))));
      return !opens(line) && !carries && !atom.commands.some((plan) => mayRun(plan, line));
    case "pipes":
      return !opens(line) && !carries && (!atom.from.some((plan) => mayRun(plan, line)) || !atom.into.some((plan) => mayRun(plan, line)));
    case "dynamic":
      return !opens(line) && !carries;
    default:
      return atom satisfies never;
  }
}

/** A file may be run whose commands count. */
function opens(line: PlainLine): boolean {
  return line.commands.some((words) => (words[0] ?? "").includes("/") || words.some((word) => /=[^]*\//.test(word)) || (mayStart(words) && words.some((word) => word.includes("/"))));
}

/** The words may name a second program. */
function mayStart(words: readonly string[]): boolean {
  const [name = ""] = words;
  return starters.has(lower(lastSegment(name).replace(/\.exe$/i, ""))) || words.some((word) => startingWords.has(word)) || name.includes("=");
}

/** Every word of the rule's command stands in the line as a word of its own. */
function mayRun(plan: CommandPlan, line: PlainLine): boolean {
  return plan.every((spellings, index) => spellings.some((spelling) => spelling.startsWith("-") || isForeign(spelling) || isIn(lower(index === 0 ? lastSegment(spelling).replace(/\.exe$/i, "") : spelling), line)));
}

function isIn(word: string, line: PlainLine): boolean {
  const text = line.folded;
  for (let at = text.indexOf(word); at !== -1 && word !== ""; at = text.indexOf(word, at + 1)) {
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + word.length))) return true;
    // `-x'rm y'`: the value may be joined to its option.
    if (/(?:^|\s)-\w[\w-]*$/.test(text.slice(Math.max(0, at - 80), at))) return true;
  }
  return word === "";
}

/** Letters beyond ASCII fold in ways that only the model knows. */
function isForeign(spelling: string): boolean {
  return /[^ -~]/.test(spelling);
}

function lower(text: string): string {
  return text.toLowerCase();
}

function lastSegment(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** `undefined` where the line is not plain. */
function readPlain(text: string): PlainLine | undefined {
  const line = text.replaceAll("\r\n", "\n").replace(/\r$/, "");
  if (line.length > longestText || /[^\t\n -~]/.test(line)) return undefined;
  const script = parsePlain(line);
  if (script === undefined) return undefined;
  const commands = script.commands.flatMap(({ command }) => commandsOf(command)).map(({ name, suffix }) => [name, ...suffix].flatMap((word) => (word?.type === "Word" ? [word.value] : [])));
  // A line that only redirects is the model's: it counts as the command that does nothing.
  return commands.some((words) => words.length === 0) ? undefined : { commands, folded: line.replace(/["']/g, "").toLowerCase() };
}

function commandsOf(node: Statement["command"]): readonly Command[] {
  if (node.type === "AndOr" || node.type === "Pipeline") return node.commands.flatMap(commandsOf);
  return node.type === "Command" ? [node] : [];
}
