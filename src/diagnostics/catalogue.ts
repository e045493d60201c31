/**
 * Every diagnostic code with its severity, its one-sentence message and the long text of `policyc explain CODE`. A wrong
 * code or a missing parameter does not compile.
 */
import type { Diagnostic, Help, Label, Severity, SourceFile, Span } from "./diagnostic.ts";

interface Entry<Parameters> {
  readonly severity: Severity;
  /** One sentence without a full stop; names in backticks. */
  readonly message: (parameters: Parameters) => string;
  /** The long text: what it means, why it matters, how to mend it. */
  readonly explanation: string;
}

function error<Parameters>(message: (parameters: Parameters) => string, explanation: string): Entry<Parameters> {
  return { severity: "error", message, explanation };
}

function warning<Parameters>(message: (parameters: Parameters) => string, explanation: string): Entry<Parameters> {
  return { severity: "warning", message, explanation };
}

function note<Parameters>(message: (parameters: Parameters) => string, explanation: string): Entry<Parameters> {
  return { severity: "note", message, explanation };
}

/** Sorted by code. Codes are never reused for another meaning. */
export const catalogue = {
  "check/allow-needs-only": error(
    (p: { effect: "allow" | "unless" }) => (p.effect === "allow" ? "this `allow` would also allow whatever else is on the command line" : "this `unless` would also exempt whatever else is on the command line"),
    "A command line can hold several commands. `runs`, `pipes`, `~`, `contains`, `starts with` and `ends with` are true when one part of the line fits, which is right for refusing and wrong for granting: `git status; rm -rf ~` runs git status. Where a rule relaxes something on a shell (an `allow`, an `unless` of a deny or ask), every branch of the condition must speak of the whole line: `only runs …`, `command == …` or `command in [...]`.",
  ),
  "check/duplicate-clause": error(
    (p: { word: string; per: string }) => `\`${p.word}\` may stand once in a ${p.per}`,
    "Two of these lines would contradict each other, and which one counts would depend on their order. Only `unless`, `also` and `example` may be repeated in a rule; `policy`, `target` and each `default` setting stand once in a file. Keep one.",
  ),
  "check/duplicate-id": error(
    (p: { id: string }) => `there are two rules \`${p.id}\``,
    "A rule's id names it in messages, logs, `disable` lines and tests, so it must be unique in its file; across files rules are told apart as `name/id`, which is why two files of one name may not share an id either. Some hosts silently drop the second of two hooks of one name. Rename one of the rules.",
  ),
  "check/effect-on-event": error(
    (p: { effect: string; event: string }) => `\`${p.effect}\` means nothing ${p.event}`,
    "Each effect has moments at which it can do something. `deny`: before and after a tool, on a prompt, before compaction, on some events of a host. `ask` and `allow`: before a tool, where the host has a confirmation to give or to skip. `retry`: on stop. `set` and `replace`: before and after a tool. `on any` is for what only watches: `log`, `forward`, `run`, `mark`. A few events of hosts take no rule at all, because the host takes whatever a hook says there for the thing itself. Elsewhere the rule would sit in the policy and do nothing.",
  ),
  "check/idle-silencer": warning(
    (p: { code: string; why: string }) => `\`allow ${p.code}\` ${p.why}`,
    "A line `# policyc: allow CODE: reason` silences the warning CODE on the next line. One that silences nothing hides what it was written for: the warning has gone, or has moved, or was never one that can be silenced (errors cannot). Remove it, or put it directly above the line that is warned about.",
  ),
  "check/no-host": error(
    (p: { what: string; hosts: string; event?: true }) => (p.event ? `there is no event for this ${p.what} on ${p.hosts}` : `this ${p.what} applies on none of its hosts: ${p.hosts}`),
    "A rule's `for` is cut by the `target` line of its file, an example's `for` by the rule, and a test's by what the project targets; a step of a test needs hosts that have its event. What is left over here is nothing, so the rule would guard nothing and the example or test would test nothing.",
  ),
  "check/too-large": error(
    (p: { what: string; most: number }) => `${p.what} grows to more than ${p.most} parts when its names are filled in`,
    "Lists and conditions are copied to every place that uses them. Names that use other names several times grow very fast; past this size a guard would be slow to load and nobody could review it. Use fewer names, or shorter lists.",
  ),
  "check/type-mismatch": error(
    (p: { problem: string }) => p.problem,
    "Every field has a type: text, path, number, or true/false. `~` searches text with a `/pattern/`; `contains`, `starts with`, `ends with`, `==` and `in` compare it with \"texts\"; `matches` compares paths with \"globs\"; `<` and its like compare numbers; `length(field)` is a number and may also be compared with a size such as 200kb. A comparison of things of different types can never be true, so a rule that holds one would never fire.",
  ),
  "check/ungranted-import": error(
    (p: { module: string; construct: string; grant: string }) => `\`${p.module}\` holds ${p.construct}, which this \`use\` line does not grant`,
    "An imported file may add gates that restrict, texts and redactions. What loosens, changes data or starts something (`allow`, `set`, `replace`, `run`, `forward`, `succeeds`, `output of`, `disable`, `observe`) must be granted where the file is used, so that a change in a shared file cannot do these things unseen: `use \"./team.policy\" with allow, run`.",
  ),
  "check/unknown-field": error(
    (p: { field: string; where: string }) => `there is no field \`${p.field}\`${p.where}`,
    "A field belongs to certain tools and moments: `command` to shells, `path` to the file tools, `output` to the time after a tool. In a condition it must exist for every tool of the rule, because a missing field would make the comparison false and the rule silent. Split the rule, or test a field that all its tools have. `input.NAME` is the tool's raw argument and exists wherever there is a tool call.",
  ),
  "check/unknown-name": error(
    (p: { kind: string; name: string }) => `there is no ${p.kind} \`${p.name}\``,
    "The language has fixed lists of tool classes, events, hosts, settings and effects. A word outside them is refused, because a rule that names nothing protects nothing.",
  ),
  "check/unknown-reference": error(
    (p: { problem: string }) => p.problem,
    "A `$name` stands for what one `let` line of the same file says, and `$lib.name` for a `let` of a module that this file uses, `lib` being the last segment of the module's name. Names are defined once, and neither names nor files may lead back to themselves, because then nothing would say what they stand for. A mark that is asked for must be set by some rule, on the same host, or it is never there. A test speaks of rules and commands that the project has.",
  ),
  "check/unknown-rule": warning(
    (p: { problem: string }) => p.problem,
    "A `disable` line takes a rule out of the guards, and an `observe` line keeps it from answering anything. When the rule or pack it names does not exist (a typing error, or the rule was renamed) the line does nothing and the rule it was meant for is still in force; when its `until` date is near or past, the rule is about to be in force again, or is already. Remove the line, mend the name, or set a new date.",
  ),
  "check/unsafe-interpolation": error(
    (p: { problem: string }) => p.problem,
    "Text of a tool call is chosen by the agent, and by whatever the agent has read. Put into a command it can end the command and start another. Commands of `run`, `succeeds` and `output of` therefore take no `{field}`: they find the values in environment variables that begin with POLICYC_ and the whole payload on standard input. `forward` sends to https addresses only, because what it sends is nobody else's business.",
  ),
  "check/whole-module": error(
    (p: { module: string }) => `\`disable\` takes one rule, and \`${p.module}\` is a whole module`,
    "A module is switched off by not using it. `disable` names one rule and says why, so that the reviewer of the line sees what is given up.",
  ),
  "host/background-shell-gap": error(
    (p: { hosts: string; tool: string; misses: string }) => `\`"${p.tool}"\` on ${p.hosts} leaves ${p.misses} open, which run commands too`,
    "A name in quotes is one tool of one host. Some hosts have several tools that run commands: one that waits for the command, one that starts it in the background, one that types into a shell that is open already. A rule about the first alone would be passed by with the others. The class `bash` is all of them, on every host; a rule that is meant for one tool only names the others in a rule of their own.",
  ),
  "host/constant-field": warning(
    (p: { hosts: string; field: string; value?: string }) => (p.value === undefined ? `\`${p.field}\` is always the same on ${p.hosts}` : `\`${p.field}\` is never \`${p.value}\` on ${p.hosts}`),
    "The host sends the field, but never with another value, or never with the value it is compared with, so the comparison always comes out the same there and the rule is not what it seems. The note says what the host sends. Limit the rule to the other hosts with `for`, or test another field.",
  ),
  "host/context-cap": warning(
    (p: { hosts: string; length: number; most: number; several: boolean }) => `${p.hosts} ${p.several ? "show" : "shows"} the model a preview of this text: it has ${p.length} characters, and ${p.most} are taken whole`,
    "Hosts limit what a hook may add to the conversation. A text beyond the limit is put into a file, and the model reads the first part of it and a note. What stands at the end of a long text would then be read by nobody. Say the important things in fewer words, or put the whole into a file of the project and tell the model its path. A text that is only known at run time is cut with a note by the guard itself.",
  ),
  "host/min-version": note(
    (p: { host: string; what: string; version: string }) => `${p.host} knows ${p.what} since version ${p.version}`,
    "The rule makes policyc write something into the host's settings that older versions of the host do not know. Some of them then ignore every hook of the file, guards of other rules included, and say nothing. Make sure that nobody who works on the project uses an older version, or limit the rule to the other hosts with `for`.",
  ),
  "host/no-backstop": warning(
    (p: { hosts: string; rules: number; several: boolean }) => `${p.hosts} ${p.several ? "let" : "lets"} a call through when the guard is cut off, and ${p.rules === 1 ? "a grave rule depends" : `${p.rules} grave rules depend`} on it`,
    "Some rules are a `deny` of severity high or more, and the host has no strict switch that turns every failed hook into a refusal. The entry's command line still refuses when node or the guard is missing and when the guard crashes; what stays open is a hook that the host itself ends for taking too long. The guard's own deadline is far shorter than the time the entry gives it, so this needs a machine that is very slow or starved. A rule that must hold even then belongs on a host with a strict switch. The warning is given once for a project, at the first such rule of its own files; rules that come from a module are counted and give no warning alone.",
  ),
  "host/no-such-scope": warning(
    (p: { host: string; scope: string }) => `${p.host} has no scope \`${p.scope}\`, so nothing is built for it`,
    "A scope is where guards are installed: the project, one person's settings, a plugin, or an organisation's managed settings. Not every host has all of them: Vibe has no managed hooks, and Bob's plugins bring none. The build goes on for the other hosts; build this one in a scope it has, or name the hosts with `--target`.",
  ),
  "host/no-such-tool": error(
    (p: { hosts: string; tool: string; several: boolean }) => `${p.hosts} ${p.several ? "have" : "has"} no tool of class \`${p.tool}\``,
    "A tool class stands for tools that hosts know under their own names. Where a targeted host has none, the rule would guard nothing there and still be listed as a protection. Limit the rule with `for`, accept the gap with `else skip`, or name the host's tool in quotes.",
  ),
  "host/partial-redaction": note(
    (p: { hosts: string; effect: string; several: boolean }) => `on ${p.hosts} \`${p.effect}\` cannot change every text it is about`,
    "A host may give a hook some texts to change and keep others: the output of a call that failed, of a tool whose result has no known shape, the prompt itself. There the original stays as it is; what the guard itself writes (logs, messages, what it forwards) is clean all the same. The note says what remains. Where that is acceptable, `else skip` says so and the build report lists it.",
  ),
  "host/retry-cap": warning(
    (p: { caps: string; limit: number; total: number; alone: boolean }) => (p.alone ? `\`limit ${p.limit}\` is more than a host takes: ${p.caps}` : `the \`retry\` rules together may send the agent back ${p.total} times, which is more than a host takes: ${p.caps}`),
    "Hosts end a turn after a number of retries, whatever their hooks answer, so that two programs do not keep each other busy for ever. On some the number counts over all hooks together. A rule that relies on more retries would be passed by without a word. Lower the `limit` of the rules, or ask for everything in one of them.",
  ),
  "host/status-trap": warning(
    (p: { hosts: string; several: boolean }) => `on ${p.hosts} \`status\` does not say whether the command succeeded`,
    "The host calls a shell tool a success when it could run the command, whatever exit code the command ended with. A rule that takes `status == \"success\"` for a passing test suite would believe every failing one. Test `exit == 0` where the host sends the exit code, or what stands in `output`.",
  ),
  "host/timeout-budget": error(
    (p: { host: string; events: string; several: boolean; seconds: number; most: number }) => `the hook ${p.several ? "entries" : "entry"} of ${p.events} ${p.several ? "need" : "needs"} ${p.seconds} s, and ${p.host} allows ${p.most} s`,
    "The time-out of a hook entry is the guard's deadline, what the event's rules may spend on processes and requests, and 5 seconds. A host that ends the guard earlier would let calls through that the guard was still judging. Lower `default timeout`, or the `timeout` of the rules.",
  ),
  "host/unsupported-effect": error(
    (p: { hosts: string; effect: string; moment: string }) => `${p.hosts} cannot ${p.effect}${p.moment}`,
    "Hosts differ in what a hook may answer. Where a targeted host cannot carry out the effect, nothing is generated, because leaving the rule out there would make the policy weaker without anybody having said so. Say what should happen instead with `else deny` or another effect, accept the gap with `else skip` (the build report lists it), or limit the rule with `for`.",
  ),
  "lint/project-code": warning(
    (p: { word: string; program: string }) => `\`${p.word}\` starts \`${p.program}\`, and so code of the project, outside the host's sandbox`,
    "A guard starts the commands of `run`, `succeeds` and `output of` itself: with the rights of the person, without the host's permission checks and outside its sandbox. A test runner, a build tool or git runs what the project says (scripts, plugins, hooks, `core.fsmonitor`), and the agent can write that. A rule that asks for the tests accepts it; a rule that only wants to know something should use a program that starts nothing, or git with hooks and fsmonitor switched off. Where it is meant, say why on the line above.",
  ),
  "regex/invalid": error(
    (p: { problem: string }) => p.problem,
    "Patterns are JavaScript regular expressions, always in Unicode mode (`u`), which knows no stray backslashes and no lone brackets. The flags are `i` (letter case does not count), `m` (`^` and `$` also at line ends) and `s` (`.` also matches line ends). A pattern that does not compile would end the guard, so it is refused here, with the place.",
  ),
  "settings/broken-block": error(
    (p: { path: string; why: string }) => `policyc's block in \`${p.path}\` cannot be told from the rest: ${p.why}`,
    "In a TOML file policyc owns what stands between the lines `# policyc:begin` and `# policyc:end` and nothing else. Each of the two stands once, on a line of its own, in this order, between tables; what follows the block begins with a table header. Otherwise a build would overwrite lines that are not its own, or lines that are not its own would change its entries. Mend the marker lines, or delete the block with both of them and build again.",
  ),
  "settings/host-ignores-file": error(
    (p: { host: string; what: string; why: string }) => `${p.host} would ignore ${p.what}: ${p.why}`,
    "Hosts check their settings when they start and drop what they do not accept, mostly without a word: one wrong value in somebody else's entry can take every hook of the file with it, and the guard would never run. So the whole file is judged by the host's own loading rules, entries that are not policyc's included, and nothing is written until the named place is mended.",
  ),
  "settings/ledger-missing": note(
    (p: { ledger: string; settings: string }) => `without a readable \`${p.ledger}\`, what an earlier build added to \`${p.settings}\` without a mark of its own stays there`,
    "A hook entry is known by the guard it starts. A permission string, or an array or object that had to be made for an entry, looks like anybody's, so the build writes down in this file, beside the guard, which of them are its own. Commit it together with the guard. Where it is gone policyc removes nothing of the kind; the notes say what was left, and you can delete it by hand.",
  ),
  "settings/no-permissions": warning(
    (p: { host: string }) => `a plugin of ${p.host} cannot hold \`permission deny\` strings, so they are left out`,
    "Permission strings belong to a settings file of the project, of one person or of an organisation; a plugin brings hooks and has no place for them. The guard in the plugin still refuses what its rules refuse, but the backstop that holds without Node is missing. Build the strings in scope project, user or enforced as well, or take them out of the policy that the plugin is made from.",
  ),
  "settings/symlink": error(
    (p: { path: string }) => `\`${p.path}\` is a link, and writing there would change a file somewhere else`,
    "A settings file that is a link belongs to something outside the project: a dotfiles repository perhaps, or whatever a hostile clone points it at. policyc leaves it alone. If the link is yours, `policyc build --follow-symlinks` edits the file it names, in its own place, and keeps the link.",
  ),
  "settings/unreadable": error(
    (p: { host: string; path: string; format: string; why: string }) => `\`${p.path}\` is not ${p.format} as ${p.host} reads it: ${p.why}`,
    "policyc edits settings in place and never replaces what it cannot read. A file that does not parse is left exactly as it is, and the host would not load it either. Mend it, or move it away, and build again.",
  ),
  "source/unreadable": error(
    (p: { path: string; why: string }) => `the policy file \`${p.path}\` ${p.why}`,
    "Every .policy file of a project is part of its guards, so one that cannot be read stops the build: leaving it out would leave its rules out. A policy is a regular file of UTF-8 text, at most 1 MB. A link is followed when it ends at a .policy file.",
  ),
  "syntax/empty-pattern": error(
    () => "this pattern is empty",
    "`//` is a pattern without a body. It would be found in every text, so a rule with it would fire always. Write what is to be found between the slashes; a comment begins with `#`.",
  ),
  "syntax/for-taken-by-example": error(
    () => "this `for` belongs to the example above it, not to the rule",
    "Behind an `example`, `for` says on which hosts the example is tried, also when it stands on a line of its own. Read as the rule's `for` it would limit the rule, read as the example's it leaves the rule on every host, so policyc accepts it on the example's own line only. The rule's `for` stands above its first example.",
  ),
  "syntax/foreign-sign": error(
    (p: { sign: string; instead: string }) => `\`${p.sign}\` is not part of the language: write ${p.instead}`,
    "The language uses words where others use signs: `and`, `or`, `not`. Comparisons are `==`, `!=`, `<`, `<=`, `>`, `>=`, and `~` for a pattern that is found in a text. A single `=` only stands in `let $name = …`, comments begin with `#`, and a statement ends with its line.",
  ),
  "syntax/hidden-character": error(
    (p: { character: string; name: string }) => `${p.character} (${p.name}) cannot be seen and may not stand here`,
    "Characters without a shape and characters that turn the direction of writing make a policy look different from what it says: a reviewer reads one rule and the guard obeys another. Outside of texts and patterns they are refused, comments included. Remove the character; in a text write it as `\\u{…}`.",
  ),
  "syntax/hidden-in-text": warning(
    (p: { character: string; name: string }) => `this text holds ${p.character} (${p.name}), which cannot be seen`,
    "A character that cannot be seen is part of this text or pattern. It may be meant, but nobody who reviews the line can know that it is there. Written as `\\u{…}`, in double quotes or in a pattern, it is visible and means the same.",
  ),
  "syntax/keyword-in-command": error(
    (p: { word: string }) => `\`${p.word}\` ends the command here`,
    "After `runs`, plain words belong to the command until a word of the rule language comes, and this is one. Put it in quotes when it is part of the command: `runs \"timeout\"`, `runs direnv \"allow\"`.",
  ),
  "syntax/malformed-silencer": error(
    (p: { problem: string }) => p.problem,
    "A warning is silenced by a comment on the line above it: `# policyc: allow CODE: reason`. The reason is required, because the next reader must be able to judge whether it still holds. A comment that looks like one and is not would leave the author believing that the warning is dealt with.",
  ),
  "syntax/missing-comma": error(
    (p: { before: string; after: string }) => `a comma is missing between \`${p.before}\` and \`${p.after}\``,
    "Entries are separated by commas. In a list in brackets a line break will do as well, except after `runs`, `pipes`, `into`, `with` and `without`, where words in a row are one command. Two entries side by side are refused rather than guessed at.",
  ),
  "syntax/missing-trigger": error(
    (p: { effect: string }) => `\`${p.effect}\` does not say when it applies`,
    "Every rule names its moment behind the effect: a tool class (`bash`, `write, edit`, `any`), `before` or `after` one, or `on` an event. Only `permission` stands without it.",
  ),
  "syntax/needs-quotes": error(
    (p: { text: string }) => `\`${p.text}\` must be put in quotes`,
    "Plain words of a command are letters, digits, `-` and `_`, with single slashes inside (`node_modules/.bin/tsc`) but not in front. Everything else is written in quotes: paths, numbers, words with dots, `--option=value`, words that begin with a digit. Without quotes `/etc/` would be a pattern and `2` a number.",
  ),
  "syntax/not-at-margin": error(
    (p: { word: string }) => `\`${p.word}\` begins a statement and must stand at the left margin`,
    "A statement begins at column 1; an indented line belongs to the statement above it. That is how policyc tells where a rule ends, without brackets or semicolons, so an indented rule would be read as part of the one before.",
  ),
  "syntax/quoted-blanks": warning(
    (p: { text: string }) => `\`"${p.text}"\` is one word, not a command with arguments`,
    "After `runs` every word of the command stands for itself, and quotes make one word of what they hold. `runs \"npm install\"` asks for a program whose name holds a blank, so it never fires; `runs npm install` is what is meant. Where such a name really exists, silence the warning with the reason.",
  ),
  "syntax/smart-quote": error(
    (p: { quote: string }) => `\`${p.quote}\` is not a quote of the language`,
    "Texts stand in straight quotes: `\"…\"` with escapes, `'…'` without. Curly quotes come from word processors and chat programs; inside a text they are ordinary characters.",
  ),
  "syntax/too-deep": error(
    (p: { most: number }) => `conditions may be nested at most ${p.most} deep`,
    "Parentheses and `not` are nested deeper here than anybody could review. Give parts of the condition a name with `let` and use the names.",
  ),
  "syntax/unexpected": error(
    (p: { expected: string; found: string }) => `expected ${p.expected}, found ${p.found}`,
    "The statement is not built as the language wants it; the message says what could stand at this place. Only the first such place of a statement is reported, and other statements are read all the same. The whole grammar is in `grammar/policy.ebnf`.",
  ),
  "syntax/unknown-escape": error(
    (p: { escape: string }) => `\`${p.escape}\` is not an escape`,
    "In double quotes, single or triple, a backslash begins one of `\\\\`, `\\\"`, `\\n`, `\\t`, `\\r`, `\\{`, `\\}` and `\\u{1F600}`. A backslash of the text itself is written twice. Single quotes know no escapes, which suits shell commands and Windows paths.",
  ),
  "syntax/unterminated": error(
    (p: { what: string; close: string }) => `${p.what} begins here and is never closed with \`${p.close}\``,
    "Texts in single or double quotes and patterns end on the line on which they begin; a text of several lines stands between `\"\"\"` and `\"\"\"`. In a pattern, a slash is written `\\/` or `[/]`, and an opening bracket needs its closing one.",
  ),
  "test/example-failed": error(
    (p: { outcome: string; expected: string }) => `example ${p.outcome}, but the rule should ${p.expected}`,
    "An `example` line is a test of its own rule: the call it describes is played to the rule on every host the example is for, and the rule must do what the example says. The labels show which conditions held; for shell conditions the notes list the commands found. Either the rule or the example is wrong.",
  ),
  "test/example-unreachable": warning(
    (p: { reason: string }) => `this example does not test the rule: ${p.reason}`,
    "The outcome of the example was settled before any condition of its rule was looked at: no tool of the trigger has the fields it names, or the call is one the trigger does not see. Such an example would pass whatever the condition says. Name fields that the rule's tools have.",
  ),
  "verify/contract-breach": error(
    (p: { host: string; event: string; sample: string; breach: string }) => `the ${p.host} guard breaks its host's contract on ${p.event} (${p.sample}): ${p.breach}`,
    "`policyc verify` starts the guard on disk the way its host does, feeds it a payload the host would send, and judges exit code, stdout and stderr by the host's own rules. A breach means the host would ignore the answer, misread it, or show an error. With a guard that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/entry-differs": error(
    (p: { host: string; path: string }) => `the entries in \`${p.path}\` are not what a build writes for ${p.host}`,
    "The guard runs when and how its entry in the host's settings says. An entry that was edited (another event, a narrower matcher, a missing `onFailure` or `strict`, a longer command) can switch the guard off without touching it. `policyc build --check` shows the difference, `policyc build` writes the entries anew.",
  ),
  "verify/entry-missing": error(
    (p: { host: string; path: string }) => `\`${p.path}\` has no entry for the ${p.host} guard`,
    "Without its entry in the settings file the host never starts the guard. `policyc build` writes it; everything else in the file stays as it is.",
  ),
  "verify/fails-open": error(
    (p: { host: string; event: string; sample: string; effect: string }) => `the ${p.host} guard answers \`${p.effect}\` to a malformed ${p.event} payload (${p.sample}) that it must refuse`,
    "A guard that cannot read what the host sent must not wave the call through: where a gate is on the event and `default on-error` is not `allow`, a malformed payload is refused. With a guard that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/failure-blocks": error(
    (p: { host: string; event: string; failure: string; guard: string }) => `where the ${p.host} guard ${p.failure}, its entry stops ${p.event}, on which no rule gates (${p.guard})`,
    "`policyc verify` breaks scratch copies of the guard on purpose and starts them as the hook entry does. On an event on which rules only tell, log, run, forward or mark nothing may come of that: a log line is no reason to stop a prompt. With an entry that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/failure-open": error(
    (p: { host: string; event: string; failure: string; guard: string }) => `where the ${p.host} guard ${p.failure}, its entry does not hold on ${p.event} (${p.guard})`,
    "`policyc verify` breaks scratch copies of the guard on purpose (it crashes, is missing, is cut off, hangs) and starts them as the hook entry does. Where a gate is on the event the call has to be refused then: by the guard's own answer, by the entry's command line, or by the host, if its documentation says that it does. Gaps that a host is known to have are printed in the table and are no finding. With an entry that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/guard-differs": error(
    (p: { host: string; path: string; cause: string }) => `the ${p.host} guard \`${p.path}\` is not what a build makes: ${p.cause}`,
    "`policyc verify` compares the guard on disk byte by byte with a fresh build (line ends aside) before it starts it. One that differs is never started: it may hold anything. `policyc build --check` shows the difference, `policyc build` writes the guard anew.",
  ),
  "verify/guard-missing": error(
    (p: { host: string; path: string }) => `the ${p.host} guard \`${p.path}\` is not there`,
    "The host's entry names a guard that does not exist. Where the host has a strict switch every guarded call is refused until it is back; `policyc build` writes it.",
  ),
  "verify/no-answer": error(
    (p: { host: string; event: string; sample: string; seconds: number }) => `the ${p.host} guard did not end within ${p.seconds} s on ${p.event} (${p.sample})`,
    "Every guard has its own deadline (`default timeout`) and answers by then. One that is still running after the time-out of its entry leaves the decision to the host, and on some hosts that means the call goes through. With a guard that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/refuses-open-event": error(
    (p: { host: string; event: string; sample: string; effect: string }) => `the ${p.host} guard answers \`${p.effect}\` to a malformed ${p.event} payload (${p.sample}), where no rule gates`,
    "An event on which rules only tell, log or run must never be blocked by a payload the guard cannot read: a log line is no reason to stop a prompt. With a guard that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/silent-failure": error(
    (p: { host: string; event: string; failure: string }) => `the ${p.host} guard on ${p.event} ${p.failure}, and says nothing about it`,
    "A log that cannot be written and a request that nobody answers change no decision, so the one trace of them is a line on stderr, which hosts keep in their own logs. Without it an audit log may be empty for months. With a guard that equals a fresh build this is a fault of policyc: please report it.",
  ),
  "verify/unlike-decide": error(
    (p: { host: string; event: string; sample: string; effect: string; expected: string }) => `the ${p.host} guard answers \`${p.effect}\` on ${p.event} (${p.sample}), where its rules say \`${p.expected}\``,
    "The guard on disk and policyc itself run the same function on the same plan, so on one payload they must come to the same decision. Where they do not, the process met something the rules did not foresee: a Node too old for the guard, a folder it may not read, a call cut off by its deadline.",
  ),
  "write/changed-meanwhile": error(
    (p: { path: string }) => `\`${p.path}\` was changed while policyc was working`,
    "Between reading the file and replacing it, something else wrote, created or removed it. Nothing was written, so that no edit is lost. Run the command again.",
  ),
  "write/failed": error(
    (p: { path: string; why: string }) => `\`${p.path}\` ${p.why}`,
    "The disk refused a write. Texts are first written beside their targets and then renamed over them; when one step fails everything is put back, so the files that stood there before still do.",
  ),
  "write/out-of-date": error(
    (p: { path: string; cause: string }) => `\`${p.path}\` is not what a build makes: ${p.cause}`,
    "`policyc build --check` compares what a build would write with what is on disk, line ends aside. Causes: the file is missing; the settings have no entry of ours; the guard was made by another policyc version; the policy changed since; the file was edited by hand; the file is not wanted any more. `policyc build` brings it up to date; commit the result together with the policy.",
  ),
  "write/refused": error(
    (p: { path: string; why: string }) => `\`${p.path}\`, where policyc writes, ${p.why}`,
    "An output path holds something that is not a text file of ours to replace: a folder, a device, bytes that are no UTF-8. It is left as it is; move it away, or build into another folder with `--out`.",
  ),
  "write/symlink": error(
    (p: { path: string; link: string }) => `\`${p.link}\` is a link, so \`${p.path}\` would be written somewhere else`,
    "No folder or file below the project root may be a link when policyc writes guards, ledgers or entries. In a cloned repository such a link can point anywhere in your home folder. Replace the link by a real folder; `--follow-symlinks` is about a linked settings file only.",
  ),
} as const;

export type Code = keyof typeof catalogue;
type ParametersOf<C extends Code> = (typeof catalogue)[C] extends Entry<infer P> ? P : never;

/** Where a diagnostic points and what it adds to the catalogue's sentence. */
export interface Place {
  readonly file?: SourceFile;
  readonly span?: Span;
  readonly labels?: readonly Label[];
  readonly notes?: readonly string[];
  readonly help?: Help;
}

/** Makes the diagnostic `code` with the catalogue's sentence filled from `parameters`. */
export function diagnose<C extends Code>(code: C, parameters: ParametersOf<C>, place: Place = {}): Diagnostic {
  const entry = catalogue[code] as unknown as Entry<ParametersOf<C>>;
  return {
    code,
    severity: entry.severity,
    message: entry.message(parameters),
    ...(place.file && { file: place.file }),
    ...(place.span && { span: place.span }),
    labels: place.labels ?? [],
    notes: place.notes ?? [],
    ...(place.help && { help: place.help }),
  };
}

/** True where `text` is a code of the catalogue. */
export function isCode(text: string): text is Code {
  return Object.hasOwn(catalogue, text);
}
