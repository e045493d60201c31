/**
 * Records of `log` and `forward`: what a guard saw and decided goes in, one JSON object comes out, in a line of ASCII of
 * at most 64 KiB. Its shape is OpenTelemetry's log data model (1.55), spelled as its SDKs print it, and its attributes
 * follow the semantic conventions (general 1.41, GenAI 2026-11) where they have a name; all others begin with `policyc.`.
 *
 *   timestamp, severity_text, severity_number   RFC 3339; WARN (13) for deny, ask and retry, else INFO (9)
 *   event_name, body                            `policyc.decision`; a sentence for people
 *   resource       service.name (`policyc`), service.version, host.name, os.type
 *   attributes, in every record
 *     session.id, gen_ai.conversation.id        the host's session
 *     policyc.host, policyc.event               `claude`; the host's name of the event
 *     policyc.rule                              the rule that logs
 *     policyc.decision, policyc.rules           `pass`, `deny`, ...; the rules behind it, the gravest first
 *     security_rule.name, .ruleset.name         the first of them, and its policy
 *     agent.threat.detection.action             `block`, `ask`, `allow` where rules decided, `warn` where they only observe
 *     policyc.reason, .context, .notice         what was told: the reasons, the model besides, the person besides
 *     policyc.observed                          what observed rules would have answered: { rule, effect, text }
 *   attributes by field, those the rule names or, where it names none, those marked +
 *     tool+ gen_ai.tool.name (with gen_ai.operation.name `execute_tool`)       agent+ gen_ai.agent.name
 *     command+ process.command_line       cwd+ process.working_directory       exit+ process.exit.code
 *     path+ file.path     url+ url.full    domain url.domain    branch vcs.ref.head.name     platform os.type
 *     input.NAME gen_ai.tool.call.arguments (of a host's own event: policyc.input)
 *     output gen_ai.tool.call.result       error exception.message
 *     policyc.NAME: mode+ subagent+ server+ query+ source+ trigger+ status+ duration+ (milliseconds) content old task
 *     prompt instructions summary message
 *
 * Texts of people and files are thus recorded by name only. Every value has passed the redactions of the event.
 */
import { loadBuiltin } from "./builtin.ts";
import type { Decision, Json, JsonObject, SideEffect } from "./call.ts";
import { fieldTexts, readField } from "./fields.ts";
import type { Scope } from "./fields.ts";
import type { FieldPath, GuardPlan } from "./plan.ts";
import { asciiJson } from "./reason-text.ts";
import { redactJson } from "./redaction.ts";

/** Bytes of a record's line; a write of that size stays in one piece on every system. */
const mostLine = 64 * 1024;
/** UTF-16 units of one value before the line as a whole is looked at. */
const mostValue = 16 * 1024;

/** Fields that say what happened without quoting what people and files say. */
const usualFields: readonly FieldPath[] = [
  "tool", "agent", "command", "cwd", "exit", "path", "url", "mode", "subagent", "server", "query", "source", "trigger", "status", "duration",
].map((name) => [name]);

const attributeNames: Readonly<Record<string, string>> = {
  session: "session.id",
  host: "policyc.host",
  event: "policyc.event",
  tool: "gen_ai.tool.name",
  agent: "gen_ai.agent.name",
  command: "process.command_line",
  cwd: "process.working_directory",
  exit: "process.exit.code",
  path: "file.path",
  url: "url.full",
  domain: "url.domain",
  branch: "vcs.ref.head.name",
  platform: "os.type",
  output: "gen_ai.tool.call.result",
  error: "exception.message",
};

const actions = { deny: "block", retry: "block", ask: "ask", allow: "allow", pass: "warn" } as const;

/** The record of one `log` or `forward`, or of what is only observed where no rule logs it. `scope` is of the call as sent. */
export function recordOf(side: SideEffect | undefined, plan: GuardPlan, scope: Scope, decision: Decision, now: Date): JsonObject {
  const named = side?.effect.kind === "log" || side?.effect.kind === "forward" ? side.effect.fields : [];
  const clean = (value: Json): Json => redactJson(value, decision.redactions ?? [], scope.memo);
  const rule = side === undefined ? {} : { "policyc.rule": side.rule };
  return envelope(plan, scope, decision, now, { ...sessionAttributes(scope, clean), ...rule, ...outcome(decision), ...fieldAttributes(named.length > 0 ? named : usualFields, scope, clean) });
}

function envelope(plan: GuardPlan, { call, world }: Scope, { effect }: Decision, now: Date, attributes: JsonObject): JsonObject {
  const isGrave = effect !== "pass" && effect !== "allow";
  return {
    timestamp: now.toISOString(),
    severity_text: isGrave ? "WARN" : "INFO",
    severity_number: isGrave ? 13 : 9,
    event_name: "policyc.decision",
    body: `${[call.hostEvent, call.tool].filter((part) => part !== "").join(" ")}: ${effect}`,
    attributes: { "policyc.host": plan.host, "policyc.event": call.hostEvent, ...attributes },
    resource: {
      "service.name": "policyc",
      "service.version": plan.policyc,
      "host.name": loadBuiltin("node:os").hostname(),
      "os.type": osType(world.platform),
    },
  };
}

function sessionAttributes({ call }: Scope, clean: (value: Json) => Json): JsonObject {
  const session = call.fields["session"];
  if (typeof session !== "string" || session === "") return {};
  return { "session.id": clean(session), "gen_ai.conversation.id": clean(session) };
}

function outcome({ effect, reasons, personMessage, context, notice, observed = [] }: Decision): JsonObject {
  const [first] = reasons;
  return {
    "policyc.decision": effect,
    ...(first !== undefined && { "policyc.rules": reasons.map(({ rule }) => rule), "security_rule.name": first.rule, "security_rule.ruleset.name": first.rule.replace(/\/[^/]*$/, "") }),
    ...((first !== undefined || observed.length > 0) && { "agent.threat.detection.action": actions[effect] }),
    // Without the advice, which is for the model alone.
    ...(personMessage !== "" && { "policyc.reason": personMessage }),
    ...(context !== undefined && { "policyc.context": context }),
    ...(notice !== undefined && { "policyc.notice": notice }),
    ...(observed.length > 0 && { "policyc.observed": observed.map(({ rule, effect: would, text }) => ({ rule, effect: would, text })) }),
  };
}

function fieldAttributes(fields: readonly FieldPath[], scope: Scope, clean: (value: Json) => Json): JsonObject {
  const attributes: Record<string, Json> = {};
  const input: Record<string, Json> = {};
  for (const [name = "", ...inner] of fields) {
    const value = fieldJson([name, ...inner], scope);
    if (value === undefined) continue;
    if (name === "input") input[inner.join(".")] = clean(value);
    else attributes[attributeNames[name] ?? `policyc.${name}`] = clean(name === "platform" ? osType(value) : value);
    if (name === "tool") attributes["gen_ai.operation.name"] = "execute_tool";
  }
  if (Object.keys(input).length > 0) attributes[scope.call.event === "host-event" ? "policyc.input" : "gen_ai.tool.call.arguments"] = input;
  return attributes;
}

/** Paths and texts as they were sent; nothing where the host sent nothing. */
function fieldJson(field: FieldPath, scope: Scope): Json | undefined {
  const reading = readField(field, scope);
  switch (reading.kind) {
    case "absent":
      return undefined;
    case "texts":
    case "paths": {
      const texts = fieldTexts(field, scope).filter((text) => text !== "");
      return texts.length > 1 ? texts : texts[0];
    }
    case "number":
    case "bool":
    case "json":
      return reading.value;
    case "doubt":
      return field[0] === "domain" ? scope.call.fields["domain"] : undefined;
    default:
      return reading satisfies never;
  }
}

function osType(platform: Json): Json {
  return platform === "macos" ? "darwin" : platform;
}

/** One line of ASCII. Values that are too long are cut, after everything in them has been redacted. */
export function lineOf(record: JsonObject): string {
  for (let most = mostValue; ; most = Math.floor(most / 2)) {
    const line = asciiJson(cutValues(record, most));
    if (line.length < mostLine) return line;
    // So many fields that not even their beginnings have room.
    if (most < 16) return asciiJson({ ...record, attributes: {} });
  }
}

/** Attributes and texts, each cut for itself; what is nested in an attribute becomes a text where it is too long. */
function cutValues(record: JsonObject, most: number): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]): [string, Json] => {
      if (key === "attributes" && isRecord(value)) return [key, Object.fromEntries(Object.entries(value).map(([name, inner]): [string, Json] => [name, cutValue(inner, most)]))];
      return [key, isRecord(value) ? value : cutValue(value, most)];
    }),
  );
}

function cutValue(value: Json, most: number): Json {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= most) return value;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept} [${text.length - kept.length} characters left out]`;
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
