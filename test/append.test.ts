/** Lines in files that many processes write at once, and files that are no place for lines. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appendLine, usualLimits } from "../src/guard/append.ts";
import type { LogLimits } from "../src/guard/append.ts";
import { declaredPlace } from "../src/guard/declared-place.ts";
import type { Surroundings } from "../src/guard/declared-place.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-append-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let writer = "";
beforeAll(async () => {
  const made = await build({
    stdin: {
      contents: `
        import { appendLine } from "./src/guard/append.ts";
        const [path, base, name, count, file, kept] = process.argv.slice(2);
        for (let at = 0; at < Number(count); at += 1) {
          const line = JSON.stringify({ writer: name, at, padding: "x".repeat((at * 370) % 9000) });
          const result = appendLine({ path, base }, line, "linux", { file: Number(file), kept: Number(kept) });
          if (result.kind !== "written") throw new Error(result.cause);
        }`,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
  });
  writer = join(folder, "writer.cjs");
  writeFileSync(writer, made.outputFiles[0]?.text ?? "");
});

let projects = 0;
/** A project of its own, with a home beside it. */
function project(): Surroundings {
  projects += 1;
  const root = join(folder, `project-${projects}`);
  const home = join(folder, `home-${projects}`);
  mkdirSync(root);
  mkdirSync(home);
  return { platform: "linux", root, home };
}

function append(to: string, place: Surroundings, line = '{"a":1}', limits?: LogLimits): string {
  const declared = declaredPlace(to, place);
  if ("kind" in declared) return declared.cause;
  const result = appendLine(declared, line, place.platform, limits);
  return result.kind === "written" ? "written" : result.cause;
}

test("a line goes to the end of a file that only its owner may read, in folders made for it", () => {
  const place = project();
  expect(append(".policyc/log/audit.jsonl", place, "{}")).toBe("written");
  expect(append(".policyc/log/audit.jsonl", place, '{"b":2}')).toBe("written");
  const file = join(place.root, ".policyc/log/audit.jsonl");
  expect(readFileSync(file, "utf8")).toBe('{}\n{"b":2}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  expect(append("~/.policyc/audit.jsonl", place)).toBe("written");
  expect(existsSync(join(place.home, ".policyc/audit.jsonl"))).toBe(true);
  expect(append(join(folder, "absolute.jsonl"), place)).toBe("written");
  expect(append("../beside.jsonl", place)).toBe("written");
});

test("a file that others could read is closed to them", () => {
  const place = project();
  const file = join(place.root, "audit.jsonl");
  writeFileSync(file, "{}\n");
  chmodSync(file, 0o644);
  expect(append("audit.jsonl", place)).toBe("written");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("nothing but a regular file of one name is written to", () => {
  const place = project();
  const inRoot = (name: string): string => join(place.root, name);
  writeFileSync(inRoot("precious.txt"), "precious\n");
  symlinkSync("precious.txt", inRoot("link.jsonl"));
  symlinkSync("nowhere.txt", inRoot("dangling.jsonl"));
  linkSync(inRoot("precious.txt"), inRoot("hard.jsonl"));
  mkdirSync(inRoot("folder.jsonl"));
  execFileSync("mkfifo", [inRoot("fifo.jsonl")]);
  const started = Date.now();
  expect(append("link.jsonl", place)).toBe("it is a link");
  expect(append("dangling.jsonl", place)).toBe("it is a link");
  expect(append("hard.jsonl", place)).toBe("it has several names (hard links)");
  expect(append("folder.jsonl", place)).toBe("it is no regular file");
  expect(append("fifo.jsonl", place)).toBe("it is no regular file");
  expect(append("/dev/full", place)).toBe("it is no regular file");
  expect(append("/dev/null", place)).toBe("it is no regular file");
  expect(append("/dev/stdout", place)).not.toBe("written");
  expect(append("/proc/self/fd/1", place)).toBe("its folder is not one of files");
  expect(append("precious.txt/x.jsonl", place)).toBe("a part of its folder is no folder");
  expect(append("~/x.jsonl", { ...place, home: "" })).toBe("the home folder is unknown");
  expect(append("a\0b", place)).toBe("its name holds a NUL character");
  // Whoever opens a FIFO waits for ever.
  expect(Date.now() - started).toBeLessThan(30_000);
  expect(readFileSync(inRoot("precious.txt"), "utf8")).toBe("precious\n");
  expect(existsSync(inRoot("nowhere.txt"))).toBe(false);
});

test("links in the folder lead nowhere outside the project, and may lead elsewhere inside", () => {
  const place = project();
  const outside = join(folder, "outside");
  mkdirSync(outside, { recursive: true });
  symlinkSync(outside, join(place.root, ".policyc"));
  expect(append(".policyc/audit.jsonl", place)).toBe("links lead out of the folder that the policy names");
  expect(append(".policyc/new/audit.jsonl", place)).toBe("links lead out of the folder that the policy names");
  expect(readdirSync(outside)).toEqual([]);
  mkdirSync(join(place.root, "var"));
  symlinkSync("var", join(place.root, "log"));
  expect(append("log/audit.jsonl", place)).toBe("written");
  symlinkSync(outside, join(place.home, ".policyc"));
  expect(append("~/.policyc/audit.jsonl", place)).toBe("links lead out of the folder that the policy names");
});

test("a project that is itself reached through a link is still its own", () => {
  const place = project();
  const link = join(folder, "linked-project");
  symlinkSync(place.root, link);
  expect(append("audit.jsonl", { ...place, root: link })).toBe("written");
  expect(existsSync(join(place.root, "audit.jsonl"))).toBe(true);
});

test.skipIf(process.getuid?.() !== 0)("links in an absolute path count only where the administrator made them, and files only of the own user", () => {
  const place = project();
  const target = join(folder, "target");
  mkdirSync(target, { recursive: true });
  const [ours, theirs] = [join(folder, "ours"), join(folder, "theirs")];
  symlinkSync(target, ours);
  symlinkSync(target, theirs);
  execFileSync("chown", ["-h", "12345", theirs]);
  expect(append(join(ours, "a.jsonl"), place)).toBe("written");
  expect(append(join(theirs, "a.jsonl"), place)).toBe("a link leads to its folder");
  const foreign = join(place.root, "foreign.jsonl");
  writeFileSync(foreign, "");
  execFileSync("chown", ["12345", foreign]);
  expect(append("foreign.jsonl", place)).toBe("it belongs to another user");
});

test("a file without rights says so and is left alone", () => {
  const place = project();
  const file = join(place.root, "audit.jsonl");
  writeFileSync(file, "{}\n");
  chmodSync(file, 0o400);
  for (const path of [folder, place.root, writer]) chmodSync(path, 0o755);
  // The administrator's rights are no rights of files.
  const script = `process.argv.splice(1, 0, "writer"); if (process.getuid() === 0) process.setuid(12345); require(${JSON.stringify(writer)});`;
  const ended = spawnSync(process.execPath, ["-e", script, file, place.root, "w", "1", "1000", "1000"], { encoding: "utf8" });
  expect(ended.stderr).toContain("it cannot be written (EACCES)");
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});

test("a line after one that was cut off begins on its own", () => {
  const place = project();
  const file = join(place.root, "audit.jsonl");
  writeFileSync(file, '{"cut of');
  expect(append("audit.jsonl", place, "{}")).toBe("written");
  expect(readFileSync(file, "utf8")).toBe('{"cut of\n{}\n');
});

test("a disk that is full is told, and the next line is whole again", () => {
  const place = project();
  const file = join(place.root, "audit.jsonl");
  // The signal that goes with the limit would end the process.
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`;
  const ended = spawnSync("sh", ["-c", limited, process.execPath, writer, file, place.root, "w", "200", "1000000", "1000000"], { encoding: "utf8" });
  expect(ended.status).not.toBe(0);
  expect(ended.stderr).toMatch(/written whole|EFBIG/);
  const size = statSync(file).size;
  expect(append("audit.jsonl", place, '{"after":true}')).toBe("written");
  const text = readFileSync(file, "utf8");
  expect(text.slice(size).trimStart()).toBe('{"after":true}\n');
  expect(text.split("\n").filter((line) => line !== "").slice(0, -2).every((line) => line.startsWith('{"writer":"w"'))).toBe(true);
});

test("a file that has grown is moved aside under a name of its own, and the oldest go", () => {
  const place = project();
  const limits: LogLimits = { file: 100, kept: 250 };
  for (let at = 0; at < 40; at += 1) expect(append("audit.jsonl", place, JSON.stringify({ at, text: "x".repeat(20) }), limits)).toBe("written");
  const names = readdirSync(place.root).sort();
  expect(names[0]).toBe("audit.jsonl");
  const sizes = names.slice(1).map((name) => statSync(join(place.root, name)).size);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(250);
  expect(statSync(join(place.root, "audit.jsonl")).size).toBeLessThanOrEqual(100);
  const last = names.slice(1).concat("audit.jsonl").flatMap((name) => readFileSync(join(place.root, name), "utf8").trim().split("\n")).map((line) => (JSON.parse(line) as { at: number }).at);
  expect(last).toEqual([...last.keys()].map((index) => 40 - last.length + index));
  for (const name of names) expect(statSync(join(place.root, name)).mode & 0o777).toBe(0o600);
});

test("files beside it that only look alike are not its own", () => {
  const place = project();
  for (const name of ["audit.jsonl.1", "audit.jsonl.20260101T000000000Z-1", "audit.jsonl.bak"]) writeFileSync(join(place.root, name), "x".repeat(500));
  for (let at = 0; at < 10; at += 1) append("audit.jsonl", place, "x".repeat(60), { file: 100, kept: 100 });
  for (const name of ["audit.jsonl.1", "audit.jsonl.20260101T000000000Z-1", "audit.jsonl.bak"]) expect(existsSync(join(place.root, name))).toBe(true);
});

test("fifty writers at once lose and tear no line, though the file is moved aside again and again", async () => {
  const place = project();
  const file = join(place.root, ".policyc/audit.jsonl");
  const each = 30;
  const names = Array.from({ length: 50 }, (_, index) => `w${index}`);
  const ends = names.map((name) => {
    const child = spawn(process.execPath, [writer, file, place.root, name, String(each), "60000", "1000000000"], { stdio: ["ignore", "ignore", "pipe"] });
    const words: string[] = [];
    child.stderr.on("data", (data: Buffer) => words.push(data.toString()));
    return new Promise((resolve) => child.on("close", (code) => resolve(`${code} ${words.join("")}`)));
  });
  expect(new Set(await Promise.all(ends))).toEqual(new Set(["0 "]));
  const files = readdirSync(dirname(file));
  expect(files.length).toBeGreaterThan(20);
  const lines = files.flatMap((name) => readFileSync(join(dirname(file), name), "utf8").split("\n").slice(0, -1));
  const seen = lines.map((line) => JSON.parse(line) as { writer: string; at: number }).map(({ writer: name, at }) => `${name}/${at}`);
  expect(seen.length).toBe(50 * each);
  expect(new Set(seen)).toEqual(new Set(names.flatMap((name) => Array.from({ length: each }, (_, at) => `${name}/${at}`))));
});

test("a link put in the folder's place while a guard is at it gets no line", async () => {
  const place = project();
  const outside = join(folder, "race-outside");
  mkdirSync(outside);
  mkdirSync(join(place.root, "log"));
  const swapper = spawn(process.execPath, [
    "-e",
    `const fs = require("node:fs"); const [root, outside] = process.argv.slice(1); const [log, spare, link] = ["log", "spare", "link"].map((name) => root + "/" + name);
     fs.symlinkSync(outside, link);
     for (;;) { fs.renameSync(log, spare); fs.renameSync(link, log); fs.renameSync(log, link); fs.renameSync(spare, log); }`,
    place.root,
    outside,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const results = new Set<string>();
  for (const until = Date.now() + 3000; Date.now() < until; ) results.add(append("log/audit.jsonl", place));
  swapper.kill("SIGKILL");
  await new Promise((resolve) => swapper.on("close", resolve));
  // An empty file may come about there; a line never.
  for (const name of readdirSync(outside)) expect(lstatSync(join(outside, name)).size).toBe(0);
  expect(results.size).toBeGreaterThan(0);
});

test("the usual limits leave room for many records", () => {
  expect(usualLimits.file).toBeGreaterThanOrEqual(1024 * 1024);
  expect(usualLimits.kept).toBeGreaterThanOrEqual(usualLimits.file);
  const place = project();
  const file = join(place.root, "audit.jsonl");
  appendFileSync(file, "x".repeat(usualLimits.file - 1) + "\n");
  expect(append("audit.jsonl", place)).toBe("written");
  expect(readdirSync(place.root).length).toBe(2);
});
