/** Marks and counts between the events of a session, and the same with fifty processes at once. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Surroundings } from "../src/guard/declared-place.ts";
import type { GuardPlan } from "../src/guard/plan.ts";
import { clearMark, countRetry, endRetries, forgetOldSessions, isMarked, retriesOf, sessionOf, setMark, storeOf } from "../src/guard/state.ts";
import type { Session } from "../src/guard/state.ts";
import { planOf, toolCall } from "./guard-values.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-state-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let writer = "";
beforeAll(async () => {
  const made = await build({
    stdin: {
      contents: `
        import { clearMark, countRetry, setMark } from "./src/guard/state.ts";
        const [session, name, count] = process.argv.slice(2);
        const own = JSON.parse(session);
        const expectDone = (done) => { if (done.kind !== "done") throw new Error(done.cause); };
        for (let at = 0; at < Number(count); at += 1) {
          expectDone(countRetry(own, "acme/tests"));
          expectDone(setMark(own, name + "/" + at));
          expectDone(setMark(own, "shared"));
          if (at % 2 === 1) expectDone(clearMark(own, name + "/" + at));
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
function project(): Surroundings {
  projects += 1;
  const root = join(folder, `project-${projects}`);
  const home = join(folder, `home-${projects}`);
  mkdirSync(root);
  mkdirSync(home);
  return { platform: "linux", root, home };
}

interface Where {
  readonly session?: string;
  readonly agent?: string;
  readonly agentId?: string;
  readonly cwd?: string;
  readonly plan?: Partial<GuardPlan>;
  readonly environment?: NodeJS.ProcessEnv;
}

function sessionIn(place: Surroundings, { session, agent, agentId, cwd, plan, environment = {} }: Where = {}): Session {
  const fields = { ...(session !== undefined && { session }), ...(agent !== undefined && { agent }) };
  const call = toolCall(undefined, "", fields, { event: "stop", hostEvent: "Stop", ...(cwd !== undefined && { cwd }), ...(agentId !== undefined && { agentId }) });
  const found = sessionOf({ ...planOf(), ...plan }, call, place, environment);
  if ("kind" in found) throw new Error(found.cause);
  return found;
}

test("a mark stays until it is taken away, and in its session alone", () => {
  const place = project();
  const [first, second] = [sessionIn(place, { session: "1" }), sessionIn(place, { session: "2" })];
  expect(isMarked(first, "tested")).toBe(false);
  expect(clearMark(first, "tested")).toEqual({ kind: "done" });
  expect(setMark(first, "tested")).toEqual({ kind: "done" });
  expect(setMark(first, "tested")).toEqual({ kind: "done" });
  expect(isMarked(sessionIn(place, { session: "1" }), "tested")).toBe(true);
  expect(isMarked(first, "Tested")).toBe(false);
  expect(isMarked(second, "tested")).toBe(false);
  expect(isMarked(sessionIn(project(), { session: "1" }), "tested")).toBe(false);
  expect(isMarked(sessionIn(place, { session: "1", plan: { name: "other" } }), "tested")).toBe(false);
  expect(isMarked(sessionIn(place, { session: "1", agent: "reviewer" }), "tested")).toBe(true);
  clearMark(first, "tested");
  expect(isMarked(first, "tested")).toBe(false);
});

test("without a session id the folder of the call is the session", () => {
  const place = project();
  setMark(sessionIn(place, { cwd: "/a" }), "tested");
  expect(isMarked(sessionIn(place, { cwd: "/a", session: "" }), "tested")).toBe(true);
  expect(isMarked(sessionIn(place, { cwd: "/b" }), "tested")).toBe(false);
  expect(isMarked(sessionIn(place, { cwd: "/b", session: "/a" }), "tested")).toBe(false);
});

test("retries are counted for each rule, agent and session, and all of an agent end at once", () => {
  const place = project();
  const main = sessionIn(place, { session: "1", agent: "main" });
  const others = [sessionIn(place, { session: "1", agent: "reviewer" }), sessionIn(place, { session: "1", agent: "main", agentId: "a1" }), sessionIn(place, { session: "2", agent: "main" })];
  for (const session of [main, main, main, ...others]) expect(countRetry(session, "acme/tests")).toEqual({ kind: "done" });
  countRetry(main, "acme/lint");
  setMark(main, "tested");
  expect(retriesOf(main, "acme/tests")).toBe(3);
  expect(retriesOf(main, "acme/lint")).toBe(1);
  expect(others.map((session) => retriesOf(session, "acme/tests"))).toEqual([1, 1, 1]);
  expect(endRetries(main)).toEqual({ kind: "done" });
  expect(retriesOf(main, "acme/tests")).toBe(0);
  expect(retriesOf(main, "acme/lint")).toBe(0);
  expect(others.map((session) => retriesOf(session, "acme/tests"))).toEqual([1, 1, 1]);
  expect(isMarked(main, "tested")).toBe(true);
});

test("names on disk tell nothing and lead nowhere, and only the owner may read them", () => {
  const place = project();
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom("../../../etc", "/etc/passwd", "..", ".", "a\0b", "CON")), (text) => {
      const session = sessionIn(place, { session: text, agent: text });
      expect(setMark(session, text)).toEqual({ kind: "done" });
      expect(isMarked(session, text)).toBe(true);
      countRetry(session, text);
      expect(retriesOf(session, text)).toBeGreaterThan(0);
    }),
    { numRuns: 30 },
  );
  const store = join(place.home, ".local/state/policyc");
  for (const name of readdirSync(store)) {
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect(statSync(join(store, name)).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(join(store, name))) {
      expect(file).toMatch(/^(?:mark-[0-9a-f]{16}|retry-[0-9a-f]{16}-[0-9a-f]{16})$/);
      expect(statSync(join(store, name, file)).mode & 0o777).toBe(0o600);
    }
  }
  expect(readdirSync(place.root)).toEqual([]);
});

test("state lies where the platform keeps such things, or where the policy says", () => {
  const place: Surroundings = { platform: "linux", root: "/srv/shop", home: "/home/ada" };
  const at = (part: Partial<Surroundings>, environment: NodeJS.ProcessEnv, state?: string): unknown => storeOf({ ...planOf(), ...(state !== undefined && { state }) }, { ...place, ...part }, environment);
  expect(at({}, {})).toEqual({ path: "/home/ada/.local/state/policyc", base: "/home/ada/.local/state" });
  expect(at({}, { XDG_STATE_HOME: "/var/ada/" })).toEqual({ path: "/var/ada/policyc", base: "/var/ada" });
  expect(at({}, { XDG_STATE_HOME: "relative" })).toEqual({ path: "/home/ada/.local/state/policyc", base: "/home/ada/.local/state" });
  expect(at({ platform: "macos", home: "/Users/ada" }, {})).toEqual({ path: "/Users/ada/Library/Application Support/policyc", base: "/Users/ada/Library/Application Support" });
  expect(at({ platform: "windows", home: "C:/Users/ada" }, { LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local" })).toMatchObject({ path: "C:/Users/ada/AppData/Local/policyc" });
  expect(at({ platform: "windows", home: "C:/Users/ada" }, {})).toMatchObject({ path: "C:/Users/ada/AppData/Local/policyc" });
  expect(at({ home: "" }, {})).toMatchObject({ kind: "refused" });
  expect(at({}, { XDG_STATE_HOME: "/var/ada" }, ".policyc/state")).toEqual({ path: "/srv/shop/.policyc/state", base: "/srv/shop" });
  expect(at({}, {}, "~/agents")).toEqual({ path: "/home/ada/agents", base: "/home/ada" });
});

test("what is in the way is told and left alone", () => {
  const place = project();
  const outside = join(folder, "outside");
  mkdirSync(outside, { recursive: true });
  mkdirSync(join(place.home, ".local/state"), { recursive: true });
  symlinkSync(outside, join(place.home, ".local/state/policyc"));
  const inside = sessionIn(place, { session: "1", plan: { state: ".policyc/state" } });
  symlinkSync(outside, join(place.root, ".policyc"));
  expect(setMark(inside, "tested")).toMatchObject({ kind: "refused" });
  expect(isMarked(inside, "tested")).toBe(undefined);
  expect(retriesOf(inside, "acme/tests")).toBe(0);
  expect(setMark(sessionIn(place, { session: "1" }), "tested")).toMatchObject({ kind: "refused" });
  expect(readdirSync(outside)).toEqual([]);

  // The folder above is the user's own, and may well be a link.
  const linked = project();
  mkdirSync(join(linked.home, ".local"));
  symlinkSync(outside, join(linked.home, ".local/state"));
  expect(setMark(sessionIn(linked, { session: "1" }), "tested")).toEqual({ kind: "done" });

  const free = project();
  const session = sessionIn(free, { session: "1" });
  countRetry(session, "acme/tests");
  const own = join(session.store.path, session.name);
  const [retry = ""] = readdirSync(own);
  rmSync(join(own, retry));
  const started = Date.now();
  execFileSync("mkfifo", [join(own, retry)]);
  expect(retriesOf(session, "acme/tests")).toBe(0);
  expect(countRetry(session, "acme/tests")).toEqual({ kind: "refused", cause: "something else is in its place" });
  rmSync(join(own, retry));
  writeFileSync(join(free.home, "precious"), "xx");
  symlinkSync(join(free.home, "precious"), join(own, retry));
  expect(retriesOf(session, "acme/tests")).toBe(0);
  expect(countRetry(session, "acme/tests").kind).toBe("refused");
  expect(readFileSync(join(free.home, "precious"), "utf8")).toBe("xx");
  // Whoever opens a FIFO waits for ever.
  expect(Date.now() - started).toBeLessThan(30_000);
});

test("sessions nobody has touched for a month are forgotten, and no others", () => {
  const place = project();
  const [old, young, back] = ["old", "young", "back"].map((name) => sessionIn(place, { session: name })) as [Session, Session, Session];
  for (const session of [old, young, back]) {
    setMark(session, "tested");
    countRetry(session, "acme/tests");
  }
  const long = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  for (const session of [old, back]) {
    const own = join(session.store.path, session.name);
    for (const name of readdirSync(own)) utimesSync(join(own, name), long, long);
    utimesSync(own, long, long);
  }
  setMark(back, "tested");
  const foreign = join(old.store.path, "f".repeat(32));
  mkdirSync(foreign);
  mkdirSync(join(foreign, "kept"));
  utimesSync(join(foreign, "kept"), long, long);
  utimesSync(foreign, long, long);
  forgetOldSessions(young, Date.now());
  const there = (session: Session): boolean => existsSync(join(session.store.path, session.name));
  expect([old, young, back].map(there)).toEqual([false, true, true]);
  expect(existsSync(join(foreign, "kept"))).toBe(true);
  expect(isMarked(old, "tested")).toBe(false);
  // Once a day is enough.
  setMark(old, "tested");
  for (const name of readdirSync(join(old.store.path, old.name))) utimesSync(join(old.store.path, old.name, name), long, long);
  utimesSync(join(old.store.path, old.name), long, long);
  forgetOldSessions(young, Date.now());
  expect(there(old)).toBe(true);
  forgetOldSessions(young, Date.now() + 25 * 60 * 60 * 1000);
  expect(there(old)).toBe(false);
});

test("fifty guards at once lose no mark and no count", async () => {
  const session = sessionIn(project(), { session: "1", agent: "main" });
  const names = Array.from({ length: 50 }, (_, index) => `w${index}`);
  const each = 10;
  const ends = names.map((name) => {
    const child = spawn(process.execPath, [writer, JSON.stringify(session), name, String(each)], { stdio: ["ignore", "ignore", "pipe"] });
    const words: string[] = [];
    child.stderr.on("data", (data: Buffer) => words.push(data.toString()));
    return new Promise((resolve) => child.on("close", (code) => resolve(`${code} ${words.join("")}`)));
  });
  expect(new Set(await Promise.all(ends))).toEqual(new Set(["0 "]));
  expect(retriesOf(session, "acme/tests")).toBe(50 * each);
  expect(isMarked(session, "shared")).toBe(true);
  for (const name of names) for (let at = 0; at < each; at += 1) expect(isMarked(session, `${name}/${at}`)).toBe(at % 2 === 0);
});
