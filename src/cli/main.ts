/**
 * The executable: argument words in, an exit code out. 0 clean, 1 findings, 2 wrong usage, 70 a bug of ours. Each command
 * loads its own code when it is called, because starting Node with all of it would cost more than most commands do.
 */
import { Argument, Command, CommanderError, Option } from "commander";
import { version } from "../../package.json";
import { scopes } from "./scopes.ts";
import { processTerminal, UsageError } from "./terminal.ts";
import type { ExitCode, Terminal } from "./terminal.ts";

type Run = (terminal: Terminal) => Promise<ExitCode>;

const pathsHelp = "project folders, or policy files that make one guard (default: the current folder)";

/** Calls `run` with the command that is asked for; where the `first` word names it, the others have no more than their names. */
function describeCommands(run: (command: Run) => void, first: string | undefined): Command {
  const program = new Command("policyc")
    .description("Compiles one reviewed policy into guards and hook entries for coding agents.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .addHelpText("after", examples(["policyc build", "policyc build --check && policyc test", "policyc explain --tool bash --text 'rm -rf build'", "policyc explain host/unsupported-effect"]))
    .addHelpText("after", "\nExit codes: 0 clean, 1 errors found or --check differs, 2 wrong usage, 70 a bug in policyc.");

  const details = new Map<Command, (command: Command) => Command>();
  const describe = (name: string, summary: string, complete: (command: Command) => Command): void => {
    details.set(program.command(name).description(summary), complete);
  };

  describe("build", "compile policies and put guards and hook entries in place", (command) =>
    command
      .argument("[path...]", pathsHelp)
      .option("--target <hosts>", "build for these hosts only, separated by commas", list)
      .option("--out <folder>", "where guards and settings go (one project only)")
      .addOption(scopeOption())
      .option("--min-version <host=version>", "the oldest version in use, for entries that older ones do not know (default: every version)", gather)
      .option("--native-https", "let a host post `forward` itself where it can")
      .option("--check", "write nothing; exit 1 and say why where a build would change something")
      .option("--diff", "show every changed line")
      .option("--follow-symlinks", "edit the file that a linked settings file names")
      .option("--allow-agent", "change existing guards even though an agent started policyc")
      .addOption(format(["text", "json", "github"]))
      .addHelpText("after", examples(["policyc build", "policyc build services/api services/web", "policyc build acme.policy team.policy --out .", "policyc build --target claude,vibe", "policyc build --scope user", "policyc build --min-version claude=2.1.332", "policyc build --check --format github"]))
      .addHelpText("after", "\nWhere CLAUDECODE or AI_AGENT is set, an agent started policyc. Then a build that would change\nguards already in place stops, unless --allow-agent is given. A first build and --check are free.")
      .action((paths: string[], options) => run(async (terminal) => (await import("./build.ts")).build(paths, options, terminal))),
  );

  describe("check", "find mistakes in policies and run their examples in process; writes nothing", (command) =>
    command
      .argument("[path...]", pathsHelp)
      .option("--target <hosts>", "check for these hosts only, separated by commas", list)
      .addOption(format(["text", "json", "github"]))
      .addHelpText("after", examples(["policyc check", "policyc check policy/main.policy", "policyc check --format json"]))
      .action((paths: string[], options) => run(async (terminal) => (await import("./check.ts")).check(paths, options, terminal))),
  );

  describe("test", "run every example, in process and through real guard processes", (command) =>
    command
      .argument("[path...]", pathsHelp)
      .option("--target <hosts>", "test for these hosts only, separated by commas", list)
      .option("--sample <count>", "run at most this many examples per rule and host as processes", count)
      .option("--filter <text>", "only rules whose id holds this text, and test blocks whose title does")
      .option("--coverage", "say which rules and conditions no test tries, and which rules no test block would miss")
      .addOption(format(["text", "json", "junit"]))
      .addHelpText("after", examples(["policyc test", "policyc test --filter force-push", "policyc test --sample 1 --coverage", "policyc test --sample 1 --format junit > policy-tests.xml"]))
      .action((paths: string[], options) => run(async (terminal) => (await import("./test.ts")).test(paths, options, terminal))),
  );

  describe("verify", "judge the guards and entries on disk by their hosts' contracts", (command) =>
    command
      .argument("[path...]", "the project folder, or the policy files of one guard (default: the current folder)")
      .option("--target <hosts>", "verify these hosts only, separated by commas", list)
      .option("--out <folder>", "where the guards and settings are, if a build put them elsewhere")
      .addOption(scopeOption())
      .option("--min-version <host=version>", "as the build was told", gather)
      .option("--native-https", "as the build was told")
      .option("--follow-symlinks", "read a linked settings file")
      .addOption(format(["text", "json"]))
      .addHelpText("after", examples(["policyc verify", "policyc verify services/api --target claude"]))
      .addHelpText("after", "\nGuards are started with `dry`: they decide and answer, and have no other effect. A guard that\ndiffers from a fresh build is reported and never started. Then copies in a temporary folder are\nbroken on purpose, and what the host does with each failure is printed.")
      .action((paths: string[], options) => run(async (terminal) => (await import("./verify.ts")).verify(paths, options, terminal))),
  );

  describe("explain", "say what a code means, or why a call is refused or passes", (command) =>
    command
      .addArgument(new Argument("[code-or-path]", "a code such as check/unknown-name; with --tool or --payload a project folder"))
      .option("--tool <class>", "a tool class (bash, write, …) or a host's own tool name")
      .option("--text <text>", "the tool's main field: the command, path, url, …")
      .option("--payload <file>", "what the host sends, as JSON; `-` reads stdin")
      .option("--host <host>", "the host to ask (default: the first target, or the one the payload fits)")
      .option("--event <name>", "the host's event (default: the one before a tool, or the one the payload fits)")
      .addOption(format(["text", "json"]))
      .addHelpText("after", examples(["policyc explain check/unknown-name", "policyc explain --tool bash --text 'git push --force'", "policyc explain services/api --tool write --text README.md --host vibe", "policyc explain --payload - --format json < payload.json"]))
      .action((subject: string | undefined, options) => run(async (terminal) => (await import("./explain.ts")).explain(subject, options, terminal))),
  );

  describe("uninstall", "take guards, ledgers and entries away and give back what stood there before", (command) =>
    command
      .argument("[path]", "project folder (default: the current folder)")
      .option("--target <hosts>", "these hosts only, separated by commas", list)
      .addOption(scopeOption())
      .option("--follow-symlinks", "edit the file that a linked settings file names")
      .option("--allow-agent", "remove guards even though an agent started policyc")
      .addHelpText("after", examples(["policyc uninstall", "policyc uninstall services/api --target bob"]))
      .addHelpText("after", "\nPolicies stay. Where CLAUDECODE or AI_AGENT is set, an agent started policyc, and uninstall stops\nunless --allow-agent is given.")
      .action((path: string | undefined, options) => run(async (terminal) => (await import("./uninstall.ts")).uninstall(path, options, terminal))),
  );

  const named = program.commands.find((command) => command.name() === first);
  for (const [command, complete] of details) if (named === undefined || named === command) complete(command).helpOption("-h, --help", "show help").exitOverride();
  return program.exitOverride();
}

function format(choices: readonly string[]): Option {
  return new Option("--format <format>", "how to print what was found").choices(choices).default("text");
}

function scopeOption(): Option {
  return new Option("--scope <scope>", "where guards are installed: for a project, for the user, as a plugin folder, or for an organisation").choices(scopes).default("project");
}

function gather(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), ...list(value)];
}

function list(value: string): string[] {
  return value.split(",").map((word) => word.trim()).filter((word) => word !== "");
}

function count(value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`\`--sample\` takes a whole number, not \`${value}\``);
  return Number(value);
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

async function main(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let chosen: Run | undefined;
  const program = describeCommands((command) => (chosen = command), words[0]);
  const output = { writeOut: terminal.print, writeErr: terminal.complain, getOutHasColors: () => terminal.colour, getErrHasColors: () => false };
  for (const command of [program, ...program.commands]) command.configureOutput(output);
  try {
    program.parse(withoutHelpOf(words, program), { from: "user" });
    return chosen ? await chosen(terminal) : 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) {
      terminal.complain(`policyc: ${error.message}\n`);
      return 2;
    }
    terminal.complain(bugReport(error, words));
    return 70;
  }
}

/** `help` itself takes any word for a command; without it, one that is none is told with the near ones. */
function withoutHelpOf(words: readonly string[], program: Command): readonly string[] {
  const [first, second] = words;
  const isUnknown = first === "help" && second !== undefined && /^[a-z]/.test(second) && second !== "help" && !program.commands.some((command) => command.name() === second);
  return isUnknown ? words.slice(1) : words;
}

function bugReport(error: unknown, words: readonly string[]): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    "policyc: this is a bug in policyc, not in your policy. Nothing more was done.",
    "",
    stack,
    "",
    `policyc ${version}, Node ${process.version}, ${process.platform} ${process.arch}, command: ${words[0] ?? "(none)"}`,
    "Please report it to policyc's maintainers with these lines and, if you may share it, the policy.",
    "",
  ].join("\n");
}

void main(process.argv.slice(2), processTerminal()).then((code) => {
  // Not process.exit: a pipe that is still being read would lose what was printed last.
  process.exitCode = code;
});
