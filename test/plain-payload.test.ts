/** The short way to read a payload, held to the strict one: it takes nothing that the strict one refuses or reads otherwise. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../src/guard/call.ts";
import { parsePayload } from "../src/guard/payload-text.ts";
import { readPlain } from "../src/guard/plain-payload.ts";
import { readShellCall } from "../src/guard/shell-call.ts";
import { shellCalls } from "../src/hosts/claude/shell-calls.ts";

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "utf8"));
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

test("a payload is read in short as in full, or not at all", () => {
  const key = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"__proto__"', '"1"', '"10"', '"\\ud800"', '"é"', '"\ufffd"');
  const space = fc.constantFrom("", "", "", " ", "\n", "\t");
  const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, fc.constantFrom('"x"', "1", "-0", "1e3", "1.0", "null", '"{\\"a\\":1}"', '"\\/"', "[1,2]", "true"), tie("object")),
    object: fc.array(fc.tuple(key, space, tie("value")), { maxLength: 4 }).map((members) => `{${members.map(([name, gap, value]) => `${name}:${gap}${value}`).join(",")}}`),
  }));
  let taken = 0;
  fc.assert(
    fc.property(fc.tuple(fc.constantFrom("", "", "", "\ufeff", " ", "{"), object, fc.constantFrom("", "", "\n", " x", "}", "\0")).map((parts) => parts.join("")), fc.boolean(), fc.nat(), (text, isBroken, at) => {
      const bytes = bytesOf(text);
      if (isBroken) bytes[at % bytes.length] = 0xff;
      const short = tryRead(() => readPlain(bytes));
      if (short === undefined) return;
      taken += 1;
      expect(short).toEqual(tryRead(() => parsePayload(Buffer.from(bytes))));
    }),
    { numRuns: 8000 },
  );
  expect(taken).toBeGreaterThan(200);
});

test("what hosts write is read in short, and neither twice the same key nor broken bytes nor deep nesting become a call", () => {
  const call = (inner: string): string => `{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":${inner}}`;
  const read = (bytes: Uint8Array<ArrayBuffer>): Json | undefined => tryRead(() => readShellCall(shellCalls, "PreToolUse", readPlain(bytes)) as unknown as Json);
  expect(read(bytesOf(`${call('{"command":"ls"}')}\n`))).toEqual({ tool: "Bash", command: "ls", cwd: "/p" });
  expect(read(bytesOf(call('{ "command": "ls" }')))).toEqual({ tool: "Bash", command: "ls", cwd: "/p" });
  expect(read(bytesOf(call('{"command":"ls","command":"rm -r b"}')))).toBeUndefined();
  expect(read(bytesOf(call('{"command":"rm -r b","\\u0063ommand":"ls"}')))).toBeUndefined();
  expect(read(bytesOf(call(`{"command":"ls","x":${"[".repeat(300)}${"]".repeat(300)}}`)))).toBeUndefined();
  const broken = bytesOf(call('{"command":"ls"}').replace("/p", "/pX"));
  broken[broken.indexOf(0x58)] = 0xff;
  expect(read(broken)).toBeUndefined();
});
