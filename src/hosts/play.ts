/**
 * What the players of all hosts share: portable fields as texts, `input.NAME` put into arguments, MCP spellings, and the
 * payload texts that no host sends.
 */
import type { Json, JsonObject } from "../guard/call.ts";

export type PlayedFields = Readonly<Record<string, string | number>>;

/** A field as text; a required one that an example does not name is empty text. */
export function played(fields: PlayedFields, name: string, otherwise = ""): string {
  return Object.hasOwn(fields, name) ? String(fields[name]) : otherwise;
}

/** `{ [key]: text }` where the field is named, nothing otherwise. */
export function playedIf(fields: PlayedFields, name: string, key: string): JsonObject {
  return Object.hasOwn(fields, name) ? { [key]: String(fields[name]) } : {};
}

/** The session's folder: a relative `cwd` lies below the place. */
export function playedFolder(fields: PlayedFields, place: { readonly cwd: string }): string {
  const cwd = played(fields, "cwd", place.cwd);
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(cwd) ? cwd : `${place.cwd}/${cwd}`;
}

/** Arguments with every `input.NAME` field put over them; `input.a.b` reaches into an object. */
export function withInput(input: JsonObject, fields: PlayedFields): JsonObject {
  let result = input;
  for (const [name, value] of Object.entries(fields)) if (name.startsWith("input.")) result = put(result, name.slice("input.".length).split("."), value);
  return result;
}

function put(object: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key, ...rest] = path as [string, ...string[]];
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  // Examples know texts and numbers only.
  const own = typeof inner === "boolean" && (value === "true" || value === "false") ? value === "true" : value;
  const below = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? (inner as JsonObject) : {};
  // `Object.fromEntries` makes own keys of names like `__proto__`, an assignment would not.
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, rest.length === 0 ? own : put(below, rest, value)]]);
}

/** Server and tool of a call that is an MCP one by its `server` field or by the portable spelling `server.tool`. */
export function playedMcp(tool: string, fields: PlayedFields): { readonly server: string; readonly tool: string } | undefined {
  const dot = tool.indexOf(".");
  if (dot > 0) return { server: tool.slice(0, dot), tool: tool.slice(dot + 1) };
  return Object.hasOwn(fields, "server") ? { server: String(fields["server"]), tool: tool === "" ? "call" : tool } : undefined;
}

/** A payload and its parts that a wrong one is made from. */
export interface Specimen {
  readonly payload: JsonObject;
  readonly eventKey: string;
  /** Another event of the host. */
  readonly otherEvent: string;
  /** Fields of the payload that must be text. */
  readonly texts: readonly string[];
  /** Where the event has a tool. */
  readonly call?: {
    readonly toolKey: string;
    readonly inputKey: string;
    /** Per tool: arguments that a call must have, each text. */
    readonly tools: readonly { readonly tool: string; readonly input: JsonObject; readonly required: readonly string[] }[];
    /** Two spellings of one argument with different values, in a call that is complete otherwise. */
    readonly disagreeing?: { readonly tool: string; readonly input: JsonObject };
  };
}

export interface MalformedText {
  readonly name: string;
  readonly stdin: string;
}

/** Texts that are no payload of the event, each for one reason. */
export function malformedTexts(specimen: Specimen): readonly MalformedText[] {
  const { payload, eventKey } = specimen;
  const whole = JSON.stringify(payload);
  return [
    { name: "empty", stdin: "" },
    { name: "blank", stdin: " \n" },
    { name: "no JSON", stdin: "hello" },
    { name: "null", stdin: "null" },
    { name: "number", stdin: "42" },
    { name: "text", stdin: JSON.stringify(whole) },
    { name: "list", stdin: `[${whole}]` },
    { name: "empty object", stdin: "{}" },
    { name: "truncated", stdin: whole.slice(0, Math.floor(whole.length / 2)) },
    { name: "last brace missing", stdin: whole.slice(0, -1) },
    { name: "two objects", stdin: `${whole}\n${whole}\n` },
    { name: "text after the object", stdin: `${whole} done` },
    { name: "raw control character", stdin: whole.replace('":"', '":"\u0000') },
    { name: "duplicate key", stdin: `${whole.slice(0, -1)},${JSON.stringify(eventKey)}:${JSON.stringify(payload[eventKey])}}` },
    { name: "prototype key", stdin: `${whole.slice(0, -1)},"__proto__":{"cwd":"/"}}` },
    { name: "constructor key", stdin: `${whole.slice(0, -1)},"constructor":{"name":"x"}}` },
    changed("event missing", payload, eventKey, undefined),
    changed("event of another type", payload, eventKey, 7),
    changed("other event", payload, eventKey, specimen.otherEvent),
    changed("unknown event", payload, eventKey, "no_such_event"),
    changed("folder missing", payload, "cwd", undefined),
    changed("relative folder", payload, "cwd", "project"),
    ...specimen.texts.map((key) => changed(`${key} of another type`, payload, key, ["x"])),
    ...(specimen.call === undefined ? [] : malformedCalls(payload, specimen.call)),
  ];
}

function malformedCalls(payload: JsonObject, call: NonNullable<Specimen["call"]>): readonly MalformedText[] {
  const { toolKey, inputKey, tools, disagreeing } = call;
  const [first] = tools;
  const firstArgument = first === undefined ? "command" : (first.required[0] ?? "command");
  return [
    changed("tool missing", payload, toolKey, undefined),
    changed("tool of another type", payload, toolKey, { name: "x" }),
    changed("arguments missing", payload, inputKey, undefined),
    changed("arguments null", payload, inputKey, null),
    changed("arguments as text", payload, inputKey, JSON.stringify(payload[inputKey])),
    changed("arguments as a list", payload, inputKey, [payload[inputKey] ?? null]),
    ...(disagreeing === undefined ? [] : [{ name: "two spellings that differ", stdin: JSON.stringify({ ...payload, [toolKey]: disagreeing.tool, [inputKey]: disagreeing.input }) }]),
    ...(first === undefined
      ? []
      : [
          { name: "argument on the prototype key only", stdin: JSON.stringify({ ...payload, [toolKey]: first.tool, [inputKey]: JSON.parse(`{"__proto__":{"${firstArgument}":"ls"}}`) as Json }) },
          { name: "duplicate argument", stdin: JSON.stringify({ ...payload, [toolKey]: first.tool, [inputKey]: "\u0001" }).replace('"\\u0001"', `{"${firstArgument}":"ls","${firstArgument}":"rm -r build"}`) },
        ]),
    ...tools.flatMap(({ tool, input, required }) =>
      required.flatMap((key) =>
        ([["missing", undefined], ["null", null], ["number", 42], ["list", ["ls"]], ["object", {}]] as const).map(([name, value]) => ({
          name: `${tool}: ${key} ${name}`,
          stdin: JSON.stringify({ ...payload, [toolKey]: tool, [inputKey]: { ...input, [key]: value } }),
        })),
      ),
    ),
  ];
}

function changed(name: string, payload: JsonObject, key: string, value: Json | undefined): MalformedText {
  return { name, stdin: JSON.stringify({ ...payload, [key]: value }) };
}
