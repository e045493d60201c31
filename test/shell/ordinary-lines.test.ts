import { expect, test } from "vitest";
import { examine } from "../../src/compile.ts";
import { decide } from "../../src/guard/decide.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import { hosts } from "../../src/hosts/registry.ts";

/** The texts of examples that do not come true under the rule. */
function wrong(rule: string, examples: string): readonly string[] {
  const text = `${rule}\n${examples.replace(/^/gm, "  ")}`;
  const { diagnostics } = examine({ roots: [{ path: "acme.policy", text }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code, span }) => `${code} ${span === undefined ? "" : text.slice(span.start, span.end)}`);
}

const outside = `deny any when writes ["**", "!.", "!*", "!*/**", "!/tmp/**"] or deletes ["**", "!.", "!*", "!*/**", "!/tmp/**"]`;

test("a redirect without a command is the command that does nothing", () => {
  expect(wrong(`deny bash when runs ":"`, `example deny "> notes.txt", ": > notes.txt", "x=1 > notes.txt"\nexample pass "x=1", "echo a > notes.txt", "{ ls; } > notes.txt"`)).toEqual([]);
});

test("a folder known only at run time is not outside the project", () => {
  expect(wrong(outside, `example pass command "cd \\"$DIR\\" && rm a.txt"\nexample pass command "cd \\"$(git rev-parse --show-toplevel)\\" && echo x > a.txt"\nexample deny command "cd \\"$DIR\\" && rm ~/a.txt"`)).toEqual([]);
});

test("a relaxing rule does not count on a folder known only at run time", () => {
  expect(wrong(`deny bash unless writes "*/**"`, `example deny "cd \\"$DIR\\" && touch a.txt"\nexample pass "touch src/a.txt"`)).toEqual([]);
});

test("a search that deletes by name deletes whatever a glob for everything holds", () => {
  expect(wrong(outside, `example deny command "find ~/Downloads -name '*.zip' -delete"\nexample pass command "find src -name '*.o' -delete"`)).toEqual([]);
});

test("on Windows a word with a colon is a path only up to the colon", () => {
  const secrets = `deny bash when touches ["**/.env", "~/.ssh/**"]`;
  expect(
    wrong(secrets, `example pass platform "windows" command "gradle :app:test"\nexample pass platform "windows" command "git show HEAD:src/a.ts"\nexample pass platform "windows" command "task build:prod"\nexample deny platform "windows" command "tool .env:stream"\nexample deny platform "windows" command "cat .env. "`),
  ).toEqual([]);
});

test("on Windows a folder of the root is a folder of the project's drive", () => {
  expect(wrong(outside, `example pass platform "windows" command "cd /tmp && touch a.txt"\nexample deny platform "windows" command "cd C:/other && touch a.txt"\nexample deny platform "windows" command "cd /other && touch a.txt"`)).toEqual([]);
});

const secrets = `deny bash when touches ["**/.env", "**/*.env", "**/*.pem", "~/.ssh/**"]`;

test("an option that takes a value in one program takes none in another", () => {
  expect(wrong(secrets, `example deny "head -1 .env", "grep -r . .env", "rg -r x . .env"\nexample pass "join -1 2 a.txt b.txt", "rg -t ts .env src"`)).toEqual([]);
});

test("an address of a file is the file", () => {
  expect(wrong(secrets, `example deny "curl file://$PWD/.env", "curl \\"file://$HOME/.ssh/id_rsa\\"", "wget file:///srv/app/.env"\nexample pass "curl https://x.test/.env"`)).toEqual([]);
});

test("names that a search prints are words of the command that reads them", () => {
  expect(
    wrong(secrets, `example deny "find . -name .env | xargs cat", "find . -name .env -print0 | xargs -0 -n 1 cat", "cat $(find . -name .env)"\nexample pass "find . -name '*.ts' | xargs cat", "find . -type f | xargs grep -l todo", "find . -name .env"`),
  ).toEqual([]);
});

test("a name filter asks for its own names alone, and an exception takes out those it surely names", () => {
  const rule = `deny bash when reads ["**/.env", "**/.env.*", "!**/.env.example", "!*/**"]`;
  expect(wrong(rule, `example deny "rg -g .env KEY", "rg -g '.env*' KEY", "grep -r KEY --include=.env .", "find . -name '.env*' | xargs cat", "git log -p -- '.env*'"\nexample pass "rg -g .env.example KEY", "rg -g '*.ts' KEY", "cd web && rg -g .env KEY", "git log -p -- '*.ts'"`)).toEqual([]);
  expect(wrong(`deny bash when deletes ["**/*.lock", "!**/yarn.lock"]`, `example deny "git rm '*.lock'", "find . -name '*.lock' -delete"\nexample pass "find . -name yarn.lock -delete", "git rm '*.orig'", "git add '*.lock'"`)).toEqual([]);
});

test("a bare wildcard speaks of no name, one with letters of what it can name", () => {
  expect(wrong(secrets, `example pass "grep -rn todo *", "wc -l *", "cat src/*", "chmod +x src/*"\nexample deny "cat *.pem", "cat .e*", "cat ~/.ssh/*"`)).toEqual([]);
});

test("where there is a disk, a wildcard names what is there", () => {
  const { lowered } = examine({ roots: [{ path: "acme.policy", text: secrets }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  const { host, plan } = lowered[0]!;
  const decided = (command: string, there: readonly string[]) => {
    const list = (folder: string) => there.filter((name) => `/scratch/project/${name}`.startsWith(`${folder}/`)).map((name) => `/scratch/project/${name}`);
    const world = { ...scratchWorld({ platform: "linux", branch: "", today: "2026-11-30", shell: () => shellModule }), list };
    return decide(plan, host.wire.decode("PreToolUse", host.player.compose("PreToolUse", "Bash", { command }, { cwd: world.root }), "linux"), world).effect;
  };
  expect([decided("head *", ["prod.env"]), decided("head *", ["prod.ts"]), decided("head *", [".env"])]).toEqual(["deny", "pass", "pass"]);
  expect([decided("sed -i s/a/b/ *.env", ["prod.env"]), decided("sed -i s/a/b/ *.env", ["a.ts"])]).toEqual(["deny", "pass"]);
  expect([decided("mv src/* lib/", ["src/a.ts"]), decided("mv src/* lib/", ["src/.ssh", "src/a.pem"]), decided("cat .e*", [".envelope"])]).toEqual(["pass", "deny", "pass"]);
});

test("what unpacks into a folder, or deletes in one by name, reaches what is below it", () => {
  const guards = `deny any when writes "**/.claude/settings.json" or deletes "**/.claude/settings.json"`;
  expect(wrong(guards, `example deny command "unzip a.zip -d .claude"\nexample deny command "find .claude -name '*.json' -delete"\nexample pass command "unzip a.zip -d vendor"\nexample pass command "find .claude -name '*.orig' -delete"`)).toEqual([]);
});

test("an archive is unpacked where the command runs: outside the project, into a folder that a rule names, or at the root, which says nothing", () => {
  const guards = `deny any when writes ["**/.claude/settings.json", ".vibe/**"] or touches "**/.env"`;
  const { lowered } = examine({ roots: [{ path: "acme.policy", text: guards }], load: () => undefined, today: "2026-11-30", policyc: "0.1.0", hosts });
  const { host, plan } = lowered[0]!;
  const world = { ...scratchWorld({ platform: "linux", branch: "", today: "2026-11-30", shell: () => shellModule }), list: (folder: string) => (folder.includes(".z") ? [] : [`${folder}/.env`, `${folder}/.claude/settings.json`]) };
  const decided = (command: string) => decide(plan, host.wire.decode("PreToolUse", host.player.compose("PreToolUse", "Bash", { command }, { cwd: world.root }), "linux"), world).effect;
  for (const line of ["tar xzf vendor.tgz", "unzip dist.zip", "curl -s https://example.com/a.tgz | tar xz", "cd web && 7z x a.7z", "cd /tmp && cpio -idm"]) expect([line, decided(line)]).toEqual([line, "pass"]);
  for (const line of ["cd .claude && tar xzf a.tgz", "cd .vibe && unzip a.zip", "cd web/.claude && 7z x a.7z", "tar x -C .vibe"]) expect([line, decided(line)]).toEqual([line, "deny"]);
  expect(wrong(outside, `example deny command "cd /srv && tar xf a.tar"\nexample deny command "cd /srv && jar xf a.jar"\nexample deny command "cd .. && unzip a.zip"\nexample pass command "tar xf a.tar"\nexample pass command "cd /srv && tar tf a.tar"\nexample pass command "cd /tmp && tar xf a.tar"`)).toEqual([]);
});

test("a relative symbolic link is read from where it is", () => {
  expect(wrong(outside, `example pass command "ln -s ../assets src/assets"\nexample pass command "ln -sf ../lib/a.ts src/"\nexample deny command "ln -s ../../other src/other"\nexample deny command "ln -s ../other other"\nexample deny command "ln ../other src/other"\nexample deny command "ln -s ~/notes src/notes"`)).toEqual([]);
});

test("a folder that the line makes can be entered and left again", () => {
  const examples = [
    `example pass command "mkdir -p build\\ncd build\\ncmake ..\\ncd ..\\ntouch a.txt"`,
    `example pass command "mkdir -p a/b; cd a; cd ..; touch x"`,
    `example pass command "git clone https://example.com/acme/tools.git; cd tools; make; cd ..; touch x"`,
    `example deny command "cd nowhere; cd ..; touch x"`,
    `example deny command "mkdir a; cd b; cd ..; touch x"`,
  ];
  expect(wrong(outside, examples.join("\n"))).toEqual([]);
});
