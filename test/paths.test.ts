/**
 * Paths and globs of LANGUAGE section 3.7: normal form, forms through links, anchoring, exceptions, worktrees.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRepository, readBranch } from "../src/guard/branch.ts";
import { isUntouchable, readRegular } from "../src/guard/files.ts";
import { machineWorld } from "../src/guard/machine.ts";
import { foldCase, globStarts, isDoubt, matchGlobs, removeDots, resolvePath } from "../src/guard/paths.ts";
import type { PathValue } from "../src/guard/paths.ts";
import { realPathReader } from "../src/guard/real-path.ts";
import { scratchRoot, scratchWorld } from "../src/guard/scratch.ts";
import type { Position, Truth, World } from "../src/guard/world.ts";
import { globProblem, lowerGlob } from "../src/lower/glob.ts";
import { globsOf, homeFolder, paperWorld, planOf, projectRoot, toolCall } from "./guard-values.ts";
import { processorTime } from "./processor-time.ts";

const windows = paperWorld({ platform: "windows", root: "C:/srv/shop", home: "C:/Users/ada" });

function pathAt(text: string, world: World, base = world.root): PathValue {
  const path = resolvePath(text, base, world);
  if (isDoubt(path)) throw new Error(path.doubt);
  return path;
}

function judge(globs: readonly string[], text: string, position: Position, world: World = paperWorld()): Truth {
  const path = resolvePath(text, world.root, world);
  return isDoubt(path) ? path : matchGlobs(globsOf(...globs), path, position, world);
}

test.each([
  ["src/index.ts", "/srv/shop/src/index.ts"],
  ["./src//a/../index.ts", "/srv/shop/src/index.ts"],
  ["../other", "/srv/other"],
  ["../../../../../etc/passwd", "/etc/passwd"],
  ["/etc/./hosts/", "/etc/hosts"],
  ["//etc/hosts", "/etc/hosts"],
  ["~", homeFolder],
  ["~/.ssh/id_rsa", "/home/ada/.ssh/id_rsa"],
  ["", "/srv/shop"],
  ["a\\b", "/srv/shop/a\\b"],
  ["cafe\u0301.txt", "/srv/shop/caf\u00e9.txt"],
])("%j is %s in the project", (text, lexical) => {
  expect(pathAt(text, paperWorld()).lexical).toBe(lexical);
});

test.each([
  ["src\\index.ts", "C:/srv/shop/src/index.ts"],
  ["c:\\Windows\\System32", "C:/Windows/System32"],
  ["\\temp\\x", "C:/temp/x"],
  ["/d/notes", "D:/notes"],
  ["\\\\?\\C:\\srv\\x", "C:/srv/x"],
  ["\\\\server\\share\\x", "//server/share/x"],
  ["~\\x", "C:/Users/ada/x"],
  ["C:", "C:/"],
  ["..\\..\\..\\x", "C:/x"],
])("%j is %s on Windows", (text, lexical) => {
  expect(pathAt(text, windows).lexical).toBe(lexical);
});

test.each(["notes.txt:hidden", ".env.", ".env ", "a./b", "C:x", "src\\.claude.\\x"])("%j is a doubt on Windows, where another file is opened", (text) => {
  expect(isDoubt(resolvePath(text, windows.root, windows))).toBe(true);
});

test.each([
  ["a NUL character", "a\0b", projectRoot, paperWorld()],
  ["40,000 characters", "a/".repeat(20_000), projectRoot, paperWorld()],
  ["an unknown home", "~/x", projectRoot, paperWorld({ home: "" })],
  ["an unknown folder", "x", "", paperWorld()],
])("a path with %s is a doubt", (_, text, base, world) => {
  expect(isDoubt(resolvePath(text, base, world))).toBe(true);
});

// glob, paths it holds, paths it does not hold
test.each<[string, readonly string[], readonly string[]]>([
  ["src/**", ["src/a.ts", "src/.hidden", "src/a/b/c"], ["src", "lib/src/a", "../src/a", "/src/a", "srcs/a"]],
  ["./src/**/", ["src/a"], ["src"]],
  ["*.ts", ["a.ts", ".ts"], ["src/a.ts", "a.tsx", "/a.ts"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "/etc/a.ts"], ["a.tsx"]],
  ["**/.env", [".env", "web/.env", "/elsewhere/.env", "~/.env"], [".env.local", "x.env", ".env/x"]],
  ["**/.vibe/policyc/**", [".vibe/policyc/guard.cjs", "/x/.vibe/policyc/a/b"], [".vibe/policyc", ".vibe/x"]],
  ["**", ["a", "/", "/etc/passwd", "..", "."], []],
  ["*", ["src", ".git"], [".", "src/a", "/etc"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "b"]],
  ["a/**/**/b", ["a/b", "a/x/y/b"], ["a"]],
  ["/etc/**", ["/etc/passwd", "/etc/a/b"], ["/etc", "etc/passwd", "/x/etc/a"]],
  ["/", ["/"], ["/etc", "."]],
  ["~/.ssh/**", ["~/.ssh/id_rsa", "/home/ada/.ssh/x"], ["~/.ssh", ".ssh/x", "/home/bob/.ssh/x"]],
  ["~", ["~", "/home/ada/"], ["~/x"]],
  ["{build,dist}", ["build", "dist"], ["build/x", "other"]],
  ["{src,test}/**/*.{ts,tsx}", ["src/a.ts", "test/x/y.tsx"], ["lib/a.ts", "src/a.js"]],
  ["a{b,{c,d}}e", ["abe", "ace", "ade"], ["ae", "abce"]],
  ["a{b}c", ["a{b}c"], ["abc"]],
  ["{a{b,c}", ["{ab", "{ac"], ["ab"]],
  ["file?.log", ["file1.log", "fileé.log", "file😀.log"], ["file.log", "file/.log", "file12.log"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "Ax", "/x"]],
  ["[!a-c]x", ["dx", "-x"], ["ax"]],
  ["[]]x", ["]x"], ["x"]],
  ["[x", ["[x"], ["x"]],
  ["a.b+c(d)$", ["a.b+c(d)$"], ["aXb+c(d)$"]],
  ["caf\u00e9", ["cafe\u0301"], ["cafe"]],
  [".", ["."], ["a"]],
])("%s holds what it says and nothing else", (glob, inside, outside) => {
  for (const path of inside) expect([path, judge([glob], path, "narrow"), judge([glob], path, "wide")]).toEqual([path, true, true]);
  for (const path of outside) expect([path, judge([glob], path, "narrow")]).toEqual([path, false]);
});

test("letter case is folded in wide positions and exact in narrow ones", () => {
  for (const [glob, path] of [
    ["**/.env", ".ENV"],
    ["src/**", "SRC/a.ts"],
    ["~/.ssh/**", "/HOME/Ada/.SSH/x"],
    ["**/secrets", "\u017fecret\u017f"],
    ["**/Straße", "STRASSE"],
    ["[a-c]x", "BX"],
    ["[A-C]x", "bx"],
    ["[!a]x", "Ax"],
  ] as const) {
    expect([path, judge([glob], path, "wide")]).toEqual([path, true]);
    if (glob !== "[!a]x") expect([path, judge([glob], path, "narrow")]).toEqual([path, false]);
  }
});

test("an exception subtracts, exactly where the list restricts and already by letter case where it relaxes", () => {
  const list = ["**/.env", "**/.env.*", "!**/.env.example"];
  expect(judge(list, "web/.env.example", "wide")).toBe(false);
  expect(judge(list, "web/.env.local", "wide")).toBe(true);
  expect(judge(list, "web/.env.EXAMPLE", "wide")).toBe(true);
  expect(judge(list, "web/.env.EXAMPLE", "narrow")).toBe(false);
  expect(judge(["!**/x"], "y", "wide")).toBe(false);
});

test("a path through a link counts in either form where that restricts and in both where it relaxes", () => {
  const world = paperWorld({}, { "/srv/shop/src/keys": "/home/ada/.ssh", "/srv/shop/notes": "/srv/shop/src/notes" });
  expect(judge(["~/.ssh/**"], "src/keys/id_rsa", "wide", world)).toBe(true);
  expect(judge(["src/**"], "src/keys/id_rsa", "wide", world)).toBe(true);
  expect(judge(["src/**"], "src/keys/id_rsa", "narrow", world)).toBe(false);
  expect(judge(["src/**"], "notes/a", "narrow", world)).toBe(false);
  expect(judge(["src/**"], "src/notes/a", "narrow", world)).toBe(true);
});

test("an exempt name that leads to a guarded file is not exempt", () => {
  const world = paperWorld({}, { "/srv/shop/.env.example": "/srv/shop/.env" });
  expect(judge(["**/.env*", "!**/.env.example"], ".env.example", "wide", world)).toBe(true);
});

test("where a link leads nowhere known, only what the text alone settles is certain", () => {
  const world = paperWorld({}, { "/srv/shop/loop": undefined });
  expect(judge(["loop/**"], "loop/x", "wide", world)).toBe(true);
  expect(judge(["src/**"], "loop/x", "wide", world)).toHaveProperty("doubt");
  expect(judge(["src/**"], "loop/x", "narrow", world)).toBe(false);
  expect(judge(["loop/**"], "loop/x", "narrow", world)).toHaveProperty("doubt");
});

test("the parent of a link is looked for on both sides of it", () => {
  const world = paperWorld({ realPath: (path) => (path === "/srv/shop/link/../secret" ? "/srv/secret" : removeDots(path)) });
  expect(judge(["/srv/**"], "link/../secret", "wide", world)).toBe(true);
  expect(judge(["**/secret", "!/srv/**"], "link/../secret", "narrow", world)).toBe(false);
});

test("a project reached through a linked folder is the project", () => {
  const world = paperWorld({ root: "/private/var/shop" }, { "/var": "/private/var" });
  expect(judge(["src/**"], "/var/shop/src/a.ts", "narrow", world)).toBe(true);
  expect(judge(["src/**"], "/var/shop/README.md", "wide", world)).toBe(false);
  const linkedRoot = paperWorld({ root: "/var/shop" }, { "/var": "/private/var" });
  expect(judge(["src/**"], "/private/var/shop/src/a.ts", "narrow", linkedRoot)).toBe(true);
});

test("the process file system is read as the folder it stands for", () => {
  expect(judge(["src/**"], "/proc/self/cwd/src/a.ts", "wide")).toBe(true);
  expect(judge(["/etc/**"], "/proc/12/task/12/root/etc/passwd", "wide")).toBe(true);
  expect(judge(["src/**"], "/proc/self/cwd/src/a.ts", "narrow")).toBe(false);
});

test("another spelling of a home folder is read as one, where that restricts", () => {
  expect(judge(["~/.ssh/**"], "~ada/.ssh/id_rsa", "wide")).toBe(true);
  expect(judge(["/root/**"], "~root/.bashrc", "wide")).toBe(true);
});

test("an unknown home is a doubt about globs below it and about no others", () => {
  const world = paperWorld({ home: "" });
  expect(judge(["~/.ssh/**"], "/home/ada/.ssh/x", "wide", world)).toHaveProperty("doubt");
  expect(judge(["~/.ssh/**"], "/home/ada/.ssh/x", "narrow", world)).toBe(false);
  expect(judge(["src/**"], "src/x", "wide", world)).toBe(true);
});

test("a path in a linked worktree belongs to that worktree, and to the main one only where that restricts", () => {
  const tree = "/srv/shop/.claude/worktrees/topic";
  const world = paperWorld({ worktreeRoot: (path) => (path.startsWith(tree) ? tree : undefined) });
  expect(judge(["src/**"], `${tree}/src/a.ts`, "narrow", world)).toBe(true);
  expect(judge([".claude/**"], `${tree}/src/a.ts`, "wide", world)).toBe(true);
  expect(judge([".claude/**"], `${tree}/src/a.ts`, "narrow", world)).toBe(false);
  expect(judge(["**", "!build/**"], `${tree}/build/a`, "wide", world)).toBe(false);
});

test("no path makes a glob slow", () => {
  const judging = processorTime(() => {
    expect(judge(["**/a/**/a/**/a/**/a/**/c"], "a/".repeat(2000), "wide")).toBe(false);
    expect(judge(["*a*a*a*a*a*a*b"], "a".repeat(5000), "wide")).toBe(false);
    expect(judge(["**/*a*a*a*b/**/*a*a*c"], `${"a".repeat(200)}/`.repeat(100), "wide")).toBe(false);
  });
  expect(judging).toBeLessThan(2000);
});

test("the start of a glob names folders, for every root that counts", () => {
  const world = paperWorld({ worktreeRoot: (path) => (path.startsWith("/srv/tree") ? "/srv/tree" : undefined) }, { "/home/ada": "/data/ada" });
  const starts = (glob: string, form: string): readonly string[] => globStarts(lowerGlob(glob, false), form, world);
  expect(starts(".git/**", "/srv/shop/x")).toEqual(["/srv/shop/.git"]);
  expect(starts(".git/**", "/srv/tree/x")).toEqual(["/srv/tree/.git", "/srv/shop/.git"]);
  expect(starts("~/.ssh/*.pub", "/x")).toEqual(["/home/ada/.ssh", "/data/ada/.ssh"]);
  expect(starts("/etc/ssl/**", "/x")).toEqual(["/etc/ssl"]);
  expect(starts("**/.env", "/x")).toEqual([]);
  expect(lowerGlob("**/.vibe/policyc/**", false).start).toEqual([".vibe", "policyc"]);
  expect(lowerGlob("{src,test}/a", false).start).toEqual([]);
  expect(lowerGlob("src/{a,b}/c", false).start).toEqual(["src"]);
});

test.each([
  ["", "is empty"],
  ["src\\**", "backslash"],
  ["a/../b", ".."],
  ["{/etc,src}/x", "different places"],
  ["~bob/x", "another user"],
  ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "alternatives"],
])("the glob %j is refused with its reason", (glob, reason) => {
  expect(globProblem(glob)).toContain(reason);
});

test("ordinary globs have no problem", () => {
  for (const glob of ["src/**", "**", "~/.ssh/**", "/etc/**", "C:/x/**", "**/.env*", "{a,b}/c", "!x"]) expect(globProblem(glob)).toBeUndefined();
});

// ---- laws ----

const segment = fc.stringMatching(/^[a-cA-C.]{1,3}$/).filter((text) => text !== "." && text !== "..");
const paths = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
const globSegment = fc.oneof(segment, fc.constantFrom("*", "**", "?", "a*", "*b", "*a*b*", "a*?a*", "[ab]", "[!a]c", "{a,b}"));
const globs = fc.array(globSegment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));

/** Globs said again, by recursion instead of regular expressions. */
function holdsByHand(glob: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return path.length === 0;
  if (first === "**") {
    if (rest.length === 0) return path.length > 0;
    return holdsByHand(rest, path) || (path.length > 0 && holdsByHand(glob, path.slice(1)));
  }
  const [head, ...tail] = path;
  return head !== undefined && nameByHand(Array.from(first), Array.from(head)) && holdsByHand(rest, tail);
}

function nameByHand(glob: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return name.length === 0;
  if (first === "*") return nameByHand(rest, name) || (name.length > 0 && nameByHand(glob, name.slice(1)));
  if (first === "[") {
    const end = glob.indexOf("]");
    const members = glob.slice(1, end);
    const negated = members[0] === "!";
    return name.length > 0 && members.includes(name[0] ?? "") !== negated && nameByHand(glob.slice(end + 1), name.slice(1));
  }
  return name.length > 0 && (first === "?" || first === name[0]) && nameByHand(rest, name.slice(1));
}

test("a glob and its plain reading agree", () => {
  fc.assert(
    fc.property(globs, paths, (glob, path) => {
      const spelled = glob.includes("{a,b}") ? [glob.replaceAll("{a,b}", "a"), glob.replaceAll("{a,b}", "b")] : [glob];
      // Only one pair of braces, or the two readings would have to be mixed.
      fc.pre(glob.split("{").length <= 2);
      const anchored = (one: string): readonly string[] => (one.startsWith("**") ? ["**", ...one.split("/").slice(1)] : one.split("/"));
      const target = (one: string): readonly string[] => (one.startsWith("**") ? `${projectRoot.slice(1)}/${path}`.split("/") : path.split("/"));
      const expected = spelled.some((one) => holdsByHand(anchored(one), target(one)));
      expect(judge([glob], path, "narrow")).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});

test("what a list holds in narrow position it holds in wide position", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(globs, fc.boolean()), { minLength: 1, maxLength: 4 }), paths, (list, path) => {
      const spelled = list.map(([glob, except]) => (except ? `!${glob}` : glob));
      if (judge(spelled, path, "narrow") === true) expect(judge(spelled, path, "wide")).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("no letter case takes a path out of a list in wide position", () => {
  fc.assert(
    fc.property(globs, paths, (glob, path) => {
      if (judge([glob], path, "narrow") !== true) return;
      for (const spelling of [path.toUpperCase(), path.toLowerCase()]) expect(judge([glob], spelling, "wide")).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("an exception never adds, another glob never takes away, and the order of a list says nothing", () => {
  fc.assert(
    fc.property(fc.array(globs, { minLength: 1, maxLength: 3 }), globs, paths, fc.constantFrom<Position>("wide", "narrow"), (list, one, path, position) => {
      const before = judge(list, path, position);
      if (before === false) expect(judge([...list, `!${one}`], path, position)).toBe(false);
      if (before === true) expect(judge([...list, one], path, position)).toBe(true);
      expect(judge([one, ...list].reverse(), path, position)).toBe(judge([one, ...list], path, position));
    }),
    { numRuns: 1000 },
  );
});

test("a path means the same however it is spelled", () => {
  fc.assert(
    fc.property(globs, paths, segment, (glob, path, detour) => {
      const expected = judge([glob], path, "wide");
      for (const spelling of [`./${path}`, `${detour}/../${path}`, `${projectRoot}/${path}`, `${path}/`, path.replaceAll("/", "//./")]) expect(judge([glob], spelling, "wide")).toEqual(expected);
    }),
  );
});

test("folding letter case twice is folding it once", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => foldCase(foldCase(text)) === foldCase(text)), { numRuns: 2000 });
});

test("any text is a path or a doubt, and normal forms stay as they are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom(paperWorld(), windows), (text, world) => {
      const path = resolvePath(text, world.root, world);
      if (isDoubt(path)) return;
      expect(removeDots(path.lexical)).toBe(path.lexical);
      expect(pathAt(path.lexical, world).lexical).toBe(path.lexical);
    }),
    { numRuns: 2000 },
  );
});

// ---- the disk ----

let folder = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-paths-")));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function fifo(path: string): void {
  execFileSync("mkfifo", [join(folder, path)]);
}

test("links are followed to where a write would land, existing or not", () => {
  const realPath = realPathReader("linux");
  mkdirSync(join(folder, "a/b"), { recursive: true });
  symlinkSync("a/b", join(folder, "to-b"));
  symlinkSync("/etc/not-there-yet", join(folder, "dangling"));
  symlinkSync("loop", join(folder, "loop"));
  symlinkSync("/proc/self/cwd", join(folder, "here"));
  expect(realPath(`${folder}/to-b/new/file`)).toBe(`${folder}/a/b/new/file`);
  expect(realPath(`${folder}/dangling`)).toBe("/etc/not-there-yet");
  expect(realPath(`${folder}/to-b/../c`)).toBe(`${folder}/a/c`);
  expect(realPath(`${folder}/loop/x`)).toBeUndefined();
  expect(realPath(`${folder}/here/x`)).toBe("/proc/self/cwd/x");
  expect(realPath("/net/host/share")).toBe("/net/host/share");
  expect(realPath("/")).toBe("/");
});

test.each(["/net/host/x", "//server/share", "/proc/self/fd/0", "/proc/12/root/etc", "/dev/fd/3", "/dev/stdin"])("%s is never looked at", (path) => {
  expect(isUntouchable(path)).toBe(true);
  expect(readRegular(path, 10)).toEqual({ kind: "refused" });
});

test("only a regular file of the right size is read, and a FIFO in its place holds nobody", () => {
  write("small", "text");
  write("large", "x".repeat(101));
  fifo("pipe");
  symlinkSync("small", join(folder, "link"));
  expect(readRegular(join(folder, "small"), 100)).toEqual({ kind: "text", text: "text" });
  expect(readRegular(join(folder, "missing"), 100)).toEqual({ kind: "missing" });
  expect(readRegular(join(folder, "small/x"), 100)).toEqual({ kind: "missing" });
  for (const refused of ["large", "pipe", "link", "."]) expect([refused, readRegular(join(folder, refused), 100)]).toEqual([refused, { kind: "refused" }]);
});

test.each<[string, string, string | undefined]>([
  ["of a branch is that branch", "ref: refs/heads/main\n", "main"],
  ["of a branch with a slash is that branch", "ref: refs/heads/feature/login", "feature/login"],
  ["of a commit is no branch", "0123456789012345678901234567890123456789\n", ""],
  ["of a repository with reference tables is a doubt", "ref: refs/heads/.invalid\n", undefined],
  ["of anything else is a doubt", "nonsense", undefined],
  ["larger than any HEAD is a doubt", "x".repeat(5000), undefined],
])("a HEAD %s", (_, head, branch) => {
  write(".git/HEAD", head);
  mkdirSync(join(folder, "deep/er"), { recursive: true });
  expect(readBranch(join(folder, "deep/er"))).toBe(branch);
  expect(readBranch(join(folder, "deep/er/file.ts"))).toBe(branch);
});

test("a FIFO as HEAD or as `.git` is a doubt and no wait", () => {
  mkdirSync(join(folder, "one/.git"), { recursive: true });
  mkdirSync(join(folder, "two"));
  fifo("one/.git/HEAD");
  fifo("two/.git");
  expect(readBranch(join(folder, "one"))).toBeUndefined();
  expect(readBranch(join(folder, "two"))).toBeUndefined();
});

test("where nothing may be looked at the branch is a doubt", () => {
  for (const path of ["/net/host/shop", "//server/shop", "/proc/self/cwd"]) expect([path, readBranch(path)]).toEqual([path, undefined]);
});

test("outside a repository there is no branch, and a `.git` without a HEAD is no repository", () => {
  mkdirSync(join(folder, ".git"));
  expect(readBranch(folder)).toBe("");
  write("outer/.git/HEAD", "ref: refs/heads/outer\n");
  mkdirSync(join(folder, "outer/inner/.git"), { recursive: true });
  expect(readBranch(join(folder, "outer/inner"))).toBe("outer");
});

/** A repository with a linked worktree, as `git worktree add` leaves them. */
function repositoryWithWorktree(): { main: string; tree: string; world: World } {
  write("shop/.git/HEAD", "ref: refs/heads/main\n");
  write("shop/.git/worktrees/topic/HEAD", "ref: refs/heads/topic\n");
  write("shop/.git/worktrees/topic/commondir", "../..\n");
  const [main, tree] = [join(folder, "shop"), join(folder, "shop/.claude/worktrees/topic")];
  write("shop/.git/worktrees/topic/gitdir", `${tree}/.git\n`);
  write("shop/.claude/worktrees/topic/.git", `gitdir: ${main}/.git/worktrees/topic\n`);
  return { main, tree, world: worldAt(main) };
}

function worldAt(root: string): World {
  const machine = { guardFile: `${root}/.claude/policyc/guard.cjs`, environment: { HOME: homeFolder }, shell: paperWorld().shell };
  return machineWorld(planOf(), toolCall("bash", "Bash", {}), machine);
}

test("a linked worktree has its own branch and its own root", () => {
  const { main, tree, world } = repositoryWithWorktree();
  expect(world.root).toBe(main);
  expect(world.branch(`${tree}/src`)).toBe("topic");
  expect(world.branch(main)).toBe("main");
  expect(world.worktreeRoot(`${tree}/src/a.ts`)).toBe(tree);
  expect(world.worktreeRoot(`${main}/src/a.ts`)).toBeUndefined();
  expect(judge(["src/**"], `${tree}/src/a.ts`, "narrow", world)).toBe(true);
});

test("a project below the top of its repository has its twin below the top of the worktree", () => {
  const { main, tree } = repositoryWithWorktree();
  expect(worldAt(`${main}/packages/web`).worktreeRoot(`${tree}/packages/web/src/a.ts`)).toBe(`${tree}/packages/web`);
});

test("a guard in a linked worktree sees the main checkout as another one", () => {
  const { main, tree } = repositoryWithWorktree();
  expect(worldAt(tree).worktreeRoot(`${main}/src/a.ts`)).toBe(main);
});

test("a `.git` file that only claims to be a worktree is not believed", () => {
  const { main, world } = repositoryWithWorktree();
  write("shop/docs/.git", `gitdir: ${main}/.git/worktrees/topic\n`);
  expect(world.worktreeRoot(`${main}/docs/src/a.ts`)).toBeUndefined();
  expect(judge(["src/**"], `${main}/docs/src/a.ts`, "narrow", world)).toBe(false);
  rmSync(join(main, ".git/worktrees/topic/gitdir"));
  expect(worldAt(main).worktreeRoot(`${main}/docs/src/a.ts`)).toBeUndefined();
});

test("a repository inside the project is another one", () => {
  const { main, world } = repositoryWithWorktree();
  write("shop/vendor/lib/.git/HEAD", "ref: refs/heads/vendor\n");
  expect(world.worktreeRoot(`${main}/vendor/lib/x`)).toBeUndefined();
  expect(findRepository(`${main}/vendor/lib/x`)).toMatchObject({ top: `${main}/vendor/lib` });
});

test("a listing skips what is not the project's own, follows no link and stops at its limit", () => {
  for (const path of ["a/b.txt", "node_modules/x/y", ".git/HEAD", "c.txt"]) write(path, "");
  symlinkSync("/", join(folder, "everything"));
  const world = worldAt(folder);
  expect([...(world.list(folder, 100) ?? [])].sort()).toEqual([".git", "a", "a/b.txt", "c.txt", "everything", "node_modules"].map((path) => join(folder, path)));
  expect(world.list(folder, 3)).toBeUndefined();
  expect(world.list(join(folder, "missing"), 3)).toEqual([]);
});

test("outside scope project the root is what the host names, else the repository around the call, else its folder", () => {
  write("shop/.git/HEAD", "ref: refs/heads/main\n");
  mkdirSync(join(folder, "shop/web"));
  const rootOf = (cwd: string, environment: Record<string, string>): string => {
    const plan = { ...planOf(), scope: "user" as const, rootVariable: "CLAUDE_PROJECT_DIR" };
    return machineWorld(plan, toolCall("bash", "Bash", {}, { cwd }), { guardFile: "/home/ada/.claude/policyc/guard.cjs", environment, shell: paperWorld().shell }).root;
  };
  expect(rootOf(join(folder, "shop/web"), { CLAUDE_PROJECT_DIR: "/srv/project/" })).toBe("/srv/project");
  expect(rootOf(join(folder, "shop/web"), { CLAUDE_PROJECT_DIR: "relative" })).toBe(join(folder, "shop"));
  expect(rootOf(folder, {})).toBe(folder);
});

test("an example's world has no disk and one branch", () => {
  const world = scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: paperWorld().shell });
  expect(world.branch(`${scratchRoot("linux")}/src`)).toBe("main");
  expect(world.branch("/elsewhere")).toBe("");
  expect(judge(["src/**"], "src/../README.md", "wide", world)).toBe(false);
  const onWindows = scratchWorld({ platform: "windows", branch: "", today: "2026-11-30", shell: paperWorld().shell });
  expect(judge(["src/**"], "src\\a.ts", "narrow", onWindows)).toBe(true);
});
