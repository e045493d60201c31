/** Records sent to an address: a loopback server with a certificate of its own, and servers that are none. */
import { createServer as createPlainServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { makeCertificate } from "./certificate.ts";
import { rule, run, setUpGuards, until } from "./doing.ts";
import type { LogRecord } from "./doing.ts";
import { patternOf, ruleOf, search } from "./guard-values.ts";

const guards = setUpGuards();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "policyc-forward-")));
const certificate = makeCertificate();
const authority = join(folder, "authority.pem");
writeFileSync(authority, certificate.cert);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

function listening(server: Server): Promise<number> {
  open.push(server);
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}

/** A server that notes what it gets and answers as `answer` does. */
async function collector(answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.writeHead(204).end()) {
  const received: Received[] = [];
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ method: request.method, url: request.url, type: request.headers["content-type"], body: Buffer.concat(chunks).toString() });
      answer(request, response);
    });
  });
  return { received, port: await listening(server) };
}

const noRecursion = ruleOf("deny", { id: "acme/no-rm", when: search("command", /rm\s+-r/) });
/** Much time, for a process is started for each request: what is about being late names less. */
const forward = (to: string, timeout = 60_000, fields: readonly string[] = []) => rule("sent", { kind: "forward", fields: fields.map((field) => [field]), to }, { timeout });
const trusting = { NODE_EXTRA_CA_CERTS: authority, NODE_TLS_REJECT_UNAUTHORIZED: undefined };

test("a record is posted as JSON, redacted, with the fields the rule names", async () => {
  const { received, port } = await collector();
  const redaction = rule("keys", { kind: "redact", patterns: [patternOf(/AKIA[0-9A-Z]{16}/)], as: ["[redacted]"], fields: [] });
  const project = guards.project(forward(`https://127.0.0.1:${port}/events?team=1`), forward(`https://localhost:${port}/named`, undefined, ["content"]), redaction);
  const ended = await run(project, { session: "1", command: "echo AKIAIOSFODNN7EXAMPLE", content: "\u00e9 AKIAIOSFODNN7EXAMPLE", prompt: "hello" }, { environment: trusting });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(received.map(({ method, url, type }) => ({ method, url, type }))).toEqual([
    { method: "POST", url: "/events?team=1", type: "application/json" },
    { method: "POST", url: "/named", type: "application/json" },
  ]);
  const [all, named] = received.map(({ body }) => JSON.parse(body) as LogRecord);
  expect(all?.attributes).toMatchObject({ "session.id": "1", "process.command_line": "echo [redacted]", "policyc.rule": "acme/sent", "policyc.decision": "pass" });
  expect(Object.keys(all?.attributes ?? {}).filter((key) => /content|prompt/.test(key))).toEqual([]);
  expect(named?.attributes).toMatchObject({ "policyc.content": "\u00e9 [redacted]" });
  expect(received.map(({ body }) => body).join("")).not.toMatch(/AKIA|hello|[^\x20-\x7e]/);
});

test("a server that nobody vouches for gets nothing", async () => {
  const { received, port } = await collector();
  const ended = await run(guards.project(forward(`https://127.0.0.1:${port}/`)), {}, { environment: { ...trusting, NODE_EXTRA_CA_CERTS: undefined } });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "" });
  expect(ended.stderr).toMatch(/^policyc: acme: \[acme\/sent\] nothing was sent to https:.* because the request failed \(.*CERT.*\)\n$/);
  expect(received).toEqual([]);
});

test("nothing is sent where the checks of TLS are off, or to anything but https", async () => {
  const { received, port } = await collector();
  const off = await run(guards.project(forward(`https://127.0.0.1:${port}/`)), {}, { environment: { ...trusting, NODE_TLS_REJECT_UNAUTHORIZED: "0" } });
  expect(off).toMatchObject({ exitCode: 0, stdout: "" });
  expect(off.stderr).toContain("NODE_TLS_REJECT_UNAUTHORIZED");
  for (const url of [`http://127.0.0.1:${port}/`, "file:///etc/passwd", "events.example.com", ""]) {
    expect((await run(guards.project(forward(url)), {}, { environment: trusting })).stderr).toContain("not one of https");
  }
  expect(received).toEqual([]);
});

test("no redirect is followed, and an answer that is none is told", async () => {
  const target = await collector();
  const redirecting = await collector((_, response) => response.writeHead(307, { location: `https://127.0.0.1:${target.port}/` }).end());
  const failing = await collector((_, response) => response.writeHead(500).end("x".repeat(1_000_000)));
  const project = guards.project(forward(`https://127.0.0.1:${redirecting.port}/`), forward(`https://127.0.0.1:${failing.port}/`));
  const ended = await run(project, {}, { environment: trusting });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "" });
  expect(ended.stderr).toMatch(/because the answer was 307\n.*because the answer was 500\n$/);
  expect(redirecting.received.length).toBe(1);
  expect(target.received).toEqual([]);
});

test("an answer without end is not waited for", async () => {
  const { received, port } = await collector((_, response) => response.writeHead(200).write("x"));
  const ended = await run(guards.project(forward(`https://127.0.0.1:${port}/`)), {}, { environment: trusting });
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(received.length).toBe(1);
  expect(ended.took).toBeLessThan(50_000);
});

test("a dead endpoint delays no longer than its time and changes no answer", async () => {
  const silent = await listening(createPlainServer(() => undefined));
  const mute = await collector(() => undefined);
  for (const port of [silent, mute.port]) {
    const ended = await run(guards.project(forward(`https://127.0.0.1:${port}/`, 1000)), { command: "ls" }, { environment: trusting });
    expect(ended).toMatchObject({ exitCode: 0, stdout: "" });
    expect(ended.stderr).toMatch(/because there was no answer within 1000 ms\n$/);
    expect(ended.took).toBeLessThan(60_000);
  }
  const closed = createPlainServer();
  const port = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  expect((await run(guards.project(forward(`https://127.0.0.1:${port}/`)), {}, { environment: trusting })).stderr).toContain("ECONNREFUSED");
});

test("a refusal waits for no endpoint, and is sent all the same", async () => {
  const slow = await collector((_, response) => setTimeout(() => response.writeHead(204).end(), 3000));
  const silent = await listening(createPlainServer(() => undefined));
  const project = guards.project(forward(`https://127.0.0.1:${slow.port}/`), forward(`https://127.0.0.1:${silent}/`), noRecursion);
  const ended = await run(project, { command: "rm -r build" }, { environment: trusting });
  expect(ended.exitCode).toBe(2);
  expect(ended.took).toBeLessThan(50_000);
  expect(ended.stderr).toBe("[acme/no-rm] The rule at policy/main.policy:3 refuses this use of Bash.\n");
  expect(await until(() => slow.received.length === 1)).toBe(true);
  expect((JSON.parse(slow.received[0]?.body ?? "") as LogRecord).attributes).toMatchObject({ "policyc.decision": "deny", "policyc.rules": ["acme/no-rm"] });
});

test("a dry run sends nothing", async () => {
  const { received, port } = await collector();
  const url = `https://127.0.0.1:${port}/`;
  const ended = await run(guards.project(forward(url)), {}, { environment: trusting, parameters: ["dry"] });
  expect(ended).toMatchObject({ exitCode: 0, stdout: "", stderr: `policyc: acme: [acme/sent] dry: would send to ${url}\n` });
  expect(received).toEqual([]);
});

test("a guard that is started for a job without one refuses", async () => {
  for (const job of [undefined, "", "nonsense", '{"kind":"other"}', '{"kind":"forward"}']) {
    const ended = await run(guards.project(noRecursion), { event: "--job", command: "rm -r build" }, { environment: { POLICYC_JOB: job } });
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
  }
});
