/** Several files: roots and imports, names, grants, defaults, disabled rules. */
import { expect, test } from "vitest";
import { checkFiles, findings, meaning, pointed } from "./checking.ts";

const rmRule = "deny bash when runs rm\n  id no-rm\n";

function ids(files: Readonly<Record<string, string>>, roots?: readonly string[]): readonly string[] {
  return checkFiles(files, roots).project.rules.map((rule) => rule.id);
}

function found(files: Readonly<Record<string, string>>, roots?: readonly string[], today?: string): readonly string[] {
  return checkFiles(files, roots, today).diagnostics.map((diagnostic) => `${diagnostic.file?.path} ${pointed(diagnostic)}`);
}

test("rules carry their file's name: of its policy line, else its base name", () => {
  const files = { "policy/acme.policy": `policy company "Ours"\n${rmRule}`, "policy/team.policy": rmRule };
  const { project, diagnostics } = checkFiles(files, ["policy/acme.policy", "policy/team.policy"]);
  expect(diagnostics).toEqual([]);
  expect(project.name).toBe("company");
  expect(project.files.map(({ name, description }) => [name, description])).toEqual([["company", "Ours"], ["team", undefined]]);
  expect(project.rules.map((rule) => rule.id)).toEqual(["company/no-rm", "team/no-rm"]);
});

test("imports come at their `use` line, once, and keep their base name", () => {
  const files = {
    "main.policy": `policy acme\n${rmRule}use std/git, "./team.policy"\ndeny write\n  id last\n`,
    "std/git.policy": "policy other-name\nuse std/shell\ndeny bash when runs git with $shell.force\n  id no-force\n",
    "std/shell.policy": "let $force = [-f]\n",
    "team.policy": "use std/git\ndeny read\n  id no-read\n",
  };
  expect(ids(files)).toEqual(["acme/no-rm", "git/no-force", "team/no-read", "acme/last"]);
  expect(checkFiles(files).policies.map((policy) => policy.file.path)).toEqual(["main.policy", "std/git.policy", "std/shell.policy", "team.policy"]);
});

test("a file that another root uses is an import, and its own lines about itself do not count", () => {
  const files = { "a.policy": `target claude\ndefault on-error allow\ndefault unsure pass\n${rmRule}`, "b.policy": 'use "./a.policy"\n' };
  const { project, diagnostics } = checkFiles(files, ["a.policy", "b.policy"]);
  expect(diagnostics).toEqual([]);
  expect(project.files.map((file) => file.name)).toEqual(["b"]);
  expect(project).toMatchObject({ onError: "deny", rules: [{ id: "a/no-rm", hosts: ["claude", "vibe", "bob"], unsure: "ask" }] });
});

test("the strictest on-error and the shortest time of the root files hold for all", () => {
  const two = (first: string, second: string) => checkFiles({ "a.policy": first, "b.policy": second }, ["a.policy", "b.policy"]).project;
  expect(two("default on-error allow\ndefault timeout 5s", "default on-error ask\ndefault timeout 4s")).toMatchObject({ onError: "ask", deadline: 4000 });
  expect(two("default on-error allow\ndefault timeout 5s", "")).toMatchObject({ onError: "deny", deadline: 2500 });
  expect(checkFiles({ "a.policy": "default on-error allow\ndefault timeout 500ms" }, ["a.policy"]).project).toMatchObject({ onError: "allow", deadline: 500 });
});

test("a rule applies on the targets of every root that reaches it, and keeps its root's `unsure`", () => {
  const files = {
    "a.policy": "target claude\ndefault unsure pass\nuse std/git\ndeny read\n  id mine\n",
    "b.policy": "target vibe, bob\ndefault unsure deny\nuse std/git\n",
    "std/git.policy": "deny bash when runs git push with -f\n  id no-force\ndeny bash when runs git clean\n  id no-clean\n  for claude, bob\n",
  };
  expect(checkFiles(files, ["a.policy", "b.policy"]).project.rules.map(({ id, hosts, unsure, limited }) => ({ id, hosts, unsure, limited }))).toEqual([
    { id: "git/no-force", hosts: ["claude", "vibe", "bob"], unsure: "deny", limited: false },
    { id: "git/no-clean", hosts: ["claude", "bob"], unsure: "deny", limited: true },
    { id: "a/mine", hosts: ["claude"], unsure: "pass", limited: false },
  ]);
});

test("modules that are not there are refused with near names that are", () => {
  const files = { "main.policy": 'use std/gti\nuse "team.policy"\nuse "./team"\n', "std/git.policy": "" };
  const { diagnostics } = checkFiles(files);
  expect(diagnostics.map(pointed)).toEqual(["check/unknown-name: std/gti", 'check/unknown-name: "team.policy"', 'check/unknown-name: "./team"']);
  expect(diagnostics.map((diagnostic) => diagnostic.help?.text)).toEqual([expect.stringContaining("`std/git`"), expect.stringContaining("`./`"), expect.stringContaining("`.policy`")]);
});

test("files that use each other are told with the whole circle", () => {
  const files = { "a.policy": 'use "./b.policy"\n' + rmRule, "b.policy": 'use "./c.policy"\n', "c.policy": 'use "./a.policy"\n' };
  const { diagnostics, project } = checkFiles(files, ["a.policy", "b.policy", "c.policy"]);
  expect(diagnostics.map(pointed)).toEqual(['check/unknown-reference: "./a.policy"']);
  expect(diagnostics[0]?.message).toContain("a.policy -> b.policy -> c.policy -> a.policy");
  expect(project.files.map((file) => file.name)).toEqual(["a"]);
  expect(found({ "main.policy": 'use "./main.policy"\n' })).toEqual(['main.policy check/unknown-reference: "./main.policy"']);
});

test("names are found in their file and, by the module's last segment, in the modules it uses", () => {
  const files = {
    "main.policy": 'use std/shell, "./lib/lists.policy"\nlet $all = [$shell.force, $lists.more]\ndeny bash when runs git with $all\n  id a\n',
    "std/shell.policy": "let $force = [-f, --force]\n",
    "lib/lists.policy": "let $more = [$own, -n]\nlet $own = --own-is-a-list\n".replace("--own-is-a-list", "[-o]"),
  };
  const { project, diagnostics } = checkFiles(files);
  expect(diagnostics).toEqual([]);
  expect(meaning(project.rules[0]?.when)).toMatchObject({ with: [[{ text: "-f" }, { text: "--force" }, { text: "-o" }, { text: "-n" }]] });
});

test("unknown names are refused once for each place, with near ones", () => {
  const files = { "main.policy": "use std/shell\nlet $keys = [/a/]\ndeny bash when command ~ $kesy and runs git with $shell.froce or $shel.force\n", "std/shell.policy": "let $force = [-f]\n" };
  const { diagnostics } = checkFiles(files);
  expect(diagnostics.map(pointed)).toEqual(["check/unknown-reference: $kesy", "check/unknown-reference: $shell.froce", "check/unknown-reference: $shel.force"]);
  expect(diagnostics.map((diagnostic) => diagnostic.help?.text)).toEqual([expect.stringContaining("`$keys`"), expect.stringContaining("`$shell.force`"), expect.stringContaining("$shell.force")]);
});

test("a name that two modules of one last segment define is refused", () => {
  const files = { "main.policy": 'use std/git, "./lib/git.policy"\ndeny bash when runs git with $git.force and runs git with $git.other\n', "std/git.policy": "let $force = [-f]\n", "lib/git.policy": "let $force = [-n]\nlet $other = [-o]\n" };
  expect(found(files)).toEqual(["main.policy check/unknown-reference: $git.force"]);
});

test("a name is defined once and never by itself", () => {
  expect(findings('let $a = ["x"]\nlet $a = ["y"]\n')).toEqual(["check/unknown-reference: $a"]);
  expect(findings("let $a = [$b]\nlet $b = [$c]\nlet $c = [$a]\ndeny bash when runs git with $a")).toEqual(["check/unknown-reference: $a"]);
  expect(findings("let $a = $a\n")).toEqual(["check/unknown-reference: $a"]);
  expect(findings("let $a = runs rm or $b\nlet $b = not $a\ndeny bash when $b\n")).toEqual(["check/unknown-reference: $a"]);
});

test("names that grow without bounds are refused before anything is copied", () => {
  const doubling = Array.from({ length: 40 }, (_, index) => `let $n${index + 1} = [$n${index}, $n${index}]`);
  expect(findings(['let $n0 = ["x"]', ...doubling, "deny write when path in $n40"].join("\n"))[0]).toBe("check/too-large: $n13");
  const conditions = Array.from({ length: 60 }, (_, index) => `let $c${index + 1} = $c${index} or $c${index}`);
  expect(findings(["let $c0 = runs rm", ...conditions, "deny bash when $c60"].join("\n"))[0]).toBe("check/too-large: $c12");
});

test("a chain of names is as long as can be followed, in whatever order it stands", () => {
  const chain = (length: number) => ["let $c0 = runs rm", ...Array.from({ length }, (_, index) => `let $c${index + 1} = not $c${index}`)];
  expect(findings([...chain(40), "deny bash when $c40"].join("\n"))).toEqual([]);
  for (const lines of [chain(3000), chain(3000).reverse()]) {
    const found = findings([...lines, "deny bash when $c3000"].join("\n"));
    expect(new Set(found.map((line) => line.split(":")[0]))).toEqual(new Set(["check/too-large"]));
  }
  const circle = ["let $c0 = $c2000", ...Array.from({ length: 2000 }, (_, index) => `let $c${index + 1} = $c${index}`)];
  expect(findings(circle.join("\n"))).toHaveLength(1);
});

test("a name that only renames another stands for the same thing", () => {
  expect(findings('let $a = ["main"]\nlet $b = $a\ndeny bash when branch in $b and branch in [$b]')).toEqual([]);
  expect(findings("let $a = runs rm\nlet $b = $a\ndeny bash when $b and not $a")).toEqual([]);
  expect(findings('let $a = ["main"]\nlet $b = $a\ndeny bash when $b')).toEqual(["check/type-mismatch: $b"]);
  expect(findings("let $a = runs rm\nlet $b = $a\ndeny bash when branch in $b")).toEqual(["check/type-mismatch: $b"]);
});

test("a mistake in a name is told where it is defined, used or not, and only once", () => {
  expect(findings("let $bad = length(command) ~ /x/\ndeny bash when $bad\n  id a\ndeny bash when not $bad\n  id b")).toEqual(["check/type-mismatch: command) ~"]);
  expect(findings('let $bad = comand == "x"\nlet $worse = [$nobody]')).toEqual(["check/unknown-field: comand", "check/unknown-reference: $nobody"]);
  expect(check2("let $bad = comand == \"x\"\ndeny bash when $bad").project.rules).toEqual([]);
});

function check2(text: string) {
  return checkFiles({ "main.policy": text });
}

test("a rule in which an error was found is not part of the project", () => {
  const { project } = check2("deny bash when comand ~ /x/\ndeny read\n  id kept\n");
  expect(project.rules.map((rule) => rule.id)).toEqual(["main/kept"]);
});

test("a statement that could not be read is one mistake, not one for each use of its name", () => {
  expect(findings("let $keys = [\ndeny write when content ~ $keys").map((line) => line.split("/")[0])).toEqual(["syntax"]);
});

test("what loosens, changes or starts something must be granted where a file is used", () => {
  const team = (text: string, use = 'use "./team.policy"') => found({ "main.policy": `${use}\n`, "team.policy": `${text}\n` }).filter((line) => line.startsWith("main"));
  const allow = 'allow bash when command == "ls"';
  expect(team(allow)).toEqual(['main.policy check/ungranted-import: "./team.policy"']);
  expect(team(allow, 'use "./team.policy" with run')).toEqual(['main.policy check/ungranted-import: "./team.policy"']);
  expect(team(allow, 'use "./team.policy" with allow')).toEqual([]);
  for (const [text, grant] of [['set input.a to 1 before bash', "set"], ['replace /a/ with "b" in command before bash', "replace"], ['run "make" on stop', "run"], ['forward to "https://x.test/a" on stop', "forward"], ['retry on stop unless succeeds "make"', "succeeds"], ['tell model output of "date" on session-start', "output"], ['deny read\n  id x\ndisable x because "y"', "disable"], ["observe std/git", "observe"]] as const) {
    expect(team(text).filter((line) => line.includes("ungranted")), text).toHaveLength(1);
    expect(team(text, `use "./team.policy" with ${grant}`).filter((line) => line.includes("ungranted")), text).toEqual([]);
  }
  expect(team('deny bash\n  because "x"\n  also permission deny "Bash(x)"')).toEqual([]);
  expect(team("deny read\n  else skip", 'use "./team.policy" with alow, everything')).toEqual(["main.policy check/unknown-name: alow", "main.policy check/unknown-name: everything"]);
});

test("a grant counts only when every file on the way grants it", () => {
  const files = (first: string, second: string) => found({ "main.policy": `use "./a.policy"${first}\n`, "a.policy": `use "./b.policy"${second}\n`, "b.policy": 'allow bash when command == "ls"\n' });
  expect(files(" with allow", " with allow")).toEqual([]);
  expect(files("", " with allow")).toEqual(['main.policy check/ungranted-import: "./a.policy"']);
  expect(files(" with allow", "")).toEqual(['a.policy check/ungranted-import: "./b.policy"']);
});

test("an allow of the standard library stays out without its grant, and is listed", () => {
  const readonly = "let $commands = [ls, pwd]\nallow bash when only runs $commands\n  id quiet-reads\n";
  const without = checkFiles({ "main.policy": "use std/readonly\ndeny bash unless only runs $readonly.commands\n  id listed\n", "std/readonly.policy": readonly });
  expect(without.diagnostics).toEqual([]);
  expect(without.project.rules.map((rule) => rule.id)).toEqual(["main/listed"]);
  expect(without.project.files[0]?.disabled).toMatchObject([{ rule: "readonly/quiet-reads" }]);
  expect(ids({ "main.policy": "use std/readonly with allow\n", "std/readonly.policy": readonly })).toEqual(["readonly/quiet-reads"]);
  // A file that is granted `allow` by one root and used without it by another allows only for the first.
  const two = checkFiles({ "a.policy": "target claude\nuse std/readonly with allow\n", "b.policy": "target vibe\nuse std/readonly\n", "std/readonly.policy": readonly }, ["a.policy", "b.policy"]);
  expect(two.project.rules.map(({ id, hosts }) => [id, hosts])).toEqual([["readonly/quiet-reads", ["claude"]]]);
});

const git = "deny bash when runs git push with -f\n  id no-force\ndeny bash when runs git clean\n  id no-clean\n";

test("a disabled rule is left out and listed; with a date it stays and carries the date", () => {
  const project = (line: string) => checkFiles({ "main.policy": `use std/git\n${line}\n`, "std/git.policy": git });
  const off = project('disable std/git.no-force because "The bot owns this clone"');
  expect(off.diagnostics).toEqual([]);
  expect(off.project.rules.map((rule) => rule.id)).toEqual(["git/no-clean"]);
  expect(off.project.files[0]?.disabled).toEqual([{ rule: "git/no-force", because: "The bot owns this clone" }]);
  for (const reference of ["no-force", "git.no-force"]) expect(project(`disable ${reference} because "x"`).project.rules.map((rule) => rule.id)).toEqual(["git/no-clean"]);
  const dated = project('disable std/git.no-force because "x" until "2031-01-01"');
  expect(dated.project.rules.map(({ id, from, offBecause }) => [id, from, offBecause])).toEqual([["git/no-force", "2031-01-01", "x"], ["git/no-clean", undefined, undefined]]);
  expect(dated.project.files[0]?.disabled).toEqual([]);
});

test("a rule that one root disables and another does not stays in force where the other targets", () => {
  const files = { "a.policy": 'target claude, vibe\nuse std/git\ndisable no-force because "x"\ndisable no-clean because "x" until "2031-01-01"\n', "b.policy": "target vibe, bob\nuse std/git\n", "std/git.policy": git };
  expect(checkFiles(files, ["a.policy", "b.policy"]).project.rules.map(({ id, hosts, from }) => [id, hosts, from])).toEqual([
    ["git/no-force", ["vibe", "bob"], undefined],
    ["git/no-clean", ["vibe", "bob"], undefined],
    ["git/no-clean", ["claude"], "2031-01-01"],
  ]);
});

test("a disable line that finds no rule warns, and the rule stays in force", () => {
  const line = (text: string, today?: string) => found({ "main.policy": `use std/git\n${text}\n`, "std/git.policy": git }, undefined, today).map((one) => one.replace("main.policy ", ""));
  expect(line('disable std/git.no-froce because "x"')).toEqual(["check/unknown-rule: std/git.no-froce"]);
  expect(line('disable std/gti.no-force because "x"')).toEqual(["check/unknown-rule: std/gti.no-force"]);
  expect(line('disable no-force because "x"\ndisable std/git.no-force because "y"')).toEqual(["check/unknown-rule: std/git.no-force"]);
  expect(line('disable no-force because "x" until "2030-06-29"')).toEqual(['check/unknown-rule: "2030-06-29"']);
  expect(line('disable no-force because "x" until "2030-06-30"')).toEqual([]);
  expect(line('disable no-force because "x" until "2030-06-15"')).toEqual(['check/unknown-rule: "2030-06-15"']);
  expect(line('disable no-force because "x" until "2030-02-30"')).toEqual(['check/type-mismatch: "2030-02-30"']);
  expect(line('disable no-force because "x" until "soon"')).toEqual(['check/type-mismatch: "soon"']);
  expect(line('disable git because "x"')).toEqual(["check/whole-module: git"]);
});

test("an observed rule, pack or file decides and answers nothing, until its day", () => {
  const observed = (text: string) => checkFiles({ "main.policy": `use std/git\n${text}\ndeny read\n  id no-read\n`, "std/git.policy": git }).project.rules.map(({ id, from, observed: state }) => [id, ...(from ? [`from ${from}`] : []), ...(state ? [state.until ?? "always"] : [])].join(" "));
  expect(observed("observe std/git.no-force")).toEqual(["git/no-force always", "git/no-clean", "main/no-read"]);
  expect(observed('observe no-read until "2031-01-01"')).toEqual(["git/no-force", "git/no-clean", "main/no-read 2031-01-01"]);
  expect(observed('observe std/git until "2031-01-01"')).toEqual(["git/no-force 2031-01-01", "git/no-clean 2031-01-01", "main/no-read"]);
  expect(observed("observe git")).toEqual(["git/no-force always", "git/no-clean always", "main/no-read"]);
  expect(observed("default mode observe")).toEqual(["git/no-force always", "git/no-clean always", "main/no-read always"]);
  expect(observed("default mode enforce")).toEqual(["git/no-force", "git/no-clean", "main/no-read"]);
  expect(observed('disable no-force because "x" until "2031-01-01"\nobserve no-force until "2032-01-01"')[0]).toBe("git/no-force from 2031-01-01 2032-01-01");
  expect(observed('disable no-force because "x" until "2032-01-01"\nobserve no-force until "2031-01-01"')[0]).toBe("git/no-force from 2032-01-01");
});

test("a rule that one root observes and another enforces is enforced where the other targets", () => {
  const files = { "a.policy": 'target claude, vibe\ndefault mode observe\nuse std/git\n', "b.policy": 'target vibe, bob\nuse std/git\nobserve no-clean until "2031-01-01"\n', "std/git.policy": git };
  expect(checkFiles(files, ["a.policy", "b.policy"]).project.rules.map(({ id, hosts, observed }) => [id, hosts, observed])).toEqual([
    ["git/no-force", ["vibe", "bob"], undefined],
    ["git/no-force", ["claude"], {}],
    ["git/no-clean", ["vibe", "bob"], { until: "2031-01-01" }],
    ["git/no-clean", ["claude"], {}],
  ]);
});

test("an observe line that finds nothing warns, and a near date is told", () => {
  const line = (text: string) => found({ "main.policy": `use std/git\n${text}\n`, "std/git.policy": git }).map((one) => one.replace("main.policy ", ""));
  expect(line("observe std/git.no-froce")).toEqual(["check/unknown-rule: std/git.no-froce"]);
  expect(line("observe std/gti")).toEqual(["check/unknown-rule: std/gti"]);
  expect(line('observe std/git until "2030-06-20"')).toEqual(['check/unknown-rule: "2030-06-20"']);
  expect(line('observe std/git until "soon"')).toEqual(['check/type-mismatch: "soon"']);
  expect(line("observe std/git\nobserve no-force")).toEqual(["check/unknown-rule: no-force"]);
  expect(line('observe no-force\ndisable no-force because "x"')).toEqual([]);
});

test("the files of a project keep their state in one folder", () => {
  const files = { "a.policy": 'default state "~/.state/a"\ndeny read\n', "b.policy": 'default state "~/.state/b"\ndeny write\n', "c.policy": "deny bash\n" };
  expect(checkFiles(files, ["a.policy", "c.policy"]).project.state).toBe("~/.state/a");
  expect(found(files, ["a.policy", "b.policy"])).toEqual(['b.policy check/type-mismatch: default state "~/.state/b"']);
  expect(checkFiles(files, ["c.policy"]).project.state).toBeUndefined();
});

test("a rule id that several modules share must be told apart", () => {
  const files = { "main.policy": 'use std/git, std/files\ndisable no-clean because "x"\n', "std/git.policy": git, "std/files.policy": git };
  expect(found(files)).toEqual(["main.policy check/unknown-rule: no-clean"]);
  expect(ids(files)).toHaveLength(4);
  const own = { ...files, "main.policy": 'use std/git\ndisable no-clean because "x"\ndeny read\n  id no-clean\n' };
  expect(ids(own)).toEqual(["git/no-force", "git/no-clean"]);
});

test("ids are unique in a file, and in a project by their file's name", () => {
  expect(findings(rmRule + rmRule)).toEqual(["check/duplicate-id: no-rm"]);
  expect(found({ "a.policy": `policy acme\n${rmRule}`, "b.policy": `policy acme\n${rmRule}` }, ["a.policy", "b.policy"])).toEqual(["b.policy check/duplicate-id: no-rm"]);
  expect(found({ "a.policy": rmRule, "b.policy": rmRule }, ["a.policy", "b.policy"])).toEqual([]);
});

test("names that objects carry by nature are no files, names or grants", () => {
  expect(found({ "main.policy": "use std/constructor\ndeny bash when $constructor and runs git with $__proto__\n" }).map((line) => line.split(" ")[1])).toEqual(["check/unknown-name:", "check/unknown-reference:", "check/unknown-reference:"]);
  expect(findings("deny constructor\ndeny on toString\ndefault constructor 5\ntarget constructor\n").map((line) => line.split(":")[0])).toEqual(["check/unknown-name", "check/unknown-name", "check/unknown-name", "check/unknown-name"]);
});
