/**
 * Which fields exist where. The type of a field never depends on the rule; whether it exists does: in a condition it must
 * be there for every tool of the rule, in a message or a list of fields for one of them.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Diagnostic, Help, Label, SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { FieldPath, ToolPattern } from "../guard/plan.ts";
import { fields } from "../guard/vocabulary.ts";
import type { EventKind, FieldFact, FieldType, ToolClass } from "../guard/vocabulary.ts";
import type { Rule } from "../syntax/ast.ts";
import { eventWords } from "./trigger.ts";
import type { Moment } from "./trigger.ts";

/** `undefined` for a field that exists nowhere. */
export function typeOfField(path: FieldPath): FieldType | undefined {
  if (isInput(path)) return path.length > 1 ? "unknown" : undefined;
  return factOf(path)?.type;
}

export type Available =
  | { readonly kind: "yes" }
  | { readonly kind: "nowhere" }
  /** It exists, and not at this event. */
  | { readonly kind: "moment" }
  /** Only some of the rule's tools have it. */
  | { readonly kind: "tools"; readonly need: "every" | "some"; readonly missing: readonly Span[]; readonly having: readonly Span[] };

/** `need`: must every tool of the moment have the field, or is one enough? */
export function isAvailable(path: FieldPath, moment: Moment, need: "every" | "some"): Available {
  const fact = isInput(path) ? inputFact : factOf(path);
  if (!fact || (isInput(path) && path.length < 2)) return { kind: "nowhere" };
  if (moment.event === "any-event") return fact.events && need === "every" ? { kind: "moment" } : { kind: "yes" };
  if (fact.events && !fact.events.includes(moment.event)) return { kind: "moment" };
  if (moment.tools.length === 0 || !fact.classes) return { kind: "yes" };
  const has = (pattern: ToolPattern) => hasField(pattern, fact.classes ?? [], need);
  const having = moment.tools.filter(({ pattern }) => has(pattern));
  const missing = moment.tools.filter(({ pattern }) => !has(pattern));
  const enough = need === "every" ? missing.length === 0 : having.length > 0;
  return enough ? { kind: "yes" } : { kind: "tools", need, missing: distinct(missing), having: distinct(having) };
}

const inputFact: FieldFact = { type: "unknown", events: ["before-tool", "after-tool", "host-event"] };

function factOf(path: FieldPath): FieldFact | undefined {
  const [name = ""] = path;
  return path.length === 1 && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isInput(path: FieldPath): boolean {
  return path[0] === "input";
}

function hasField(pattern: ToolPattern, classes: readonly ToolClass[], need: "every" | "some"): boolean {
  switch (pattern.kind) {
    case "any":
    case "tool":
      // What class a host's own tool is of, only its host knows: a condition cannot count on it, a message may.
      return need === "some";
    case "class":
      return classes.includes(pattern.name);
    case "mcp":
    case "agent":
      return classes.includes(pattern.kind);
    default:
      return pattern satisfies never;
  }
}

/** `shell` is two patterns and one word. */
function distinct(tools: Moment["tools"]): readonly Span[] {
  return [...new Map(tools.map(({ span }) => [span.start, span])).values()];
}

export interface FieldPlace {
  readonly file: SourceFile;
  readonly span: Span;
  readonly labels?: readonly Label[];
}

/** The finding that `path` exists nowhere; asked where no rule is at hand. */
export function noSuchField(path: FieldPath, place: FieldPlace): Diagnostic {
  const field = path.join(".");
  return diagnose("check/unknown-field", { field, where: "" }, { ...place, help: { text: nowhereHelp(path) } });
}

/** What is said where `available` is not `yes`. `rule` is the one to split, where a rule asks. */
export function unavailableField(path: FieldPath, available: Exclude<Available, { kind: "yes" }>, moment: Moment, place: FieldPlace, rule: { readonly rule?: Rule; readonly file: SourceFile }): Diagnostic {
  const field = path.join(".");
  switch (available.kind) {
    case "nowhere":
      return noSuchField(path, place);
    case "moment":
      return diagnose("check/unknown-field", { field, where: ` ${moment.words}` }, { ...place, help: { text: momentHelp(path) } });
    case "tools": {
      const names = available.missing.map((span) => textAt(rule.file, span));
      return diagnose("check/unknown-field", { field, where: ` on ${names.map((name) => `\`${name}\``).join(", ")}` }, {
        ...place,
        labels: [...available.missing.map((span) => ({ span, text: "does not have it", ...(place.file !== rule.file && { file: rule.file }) })), ...(place.labels ?? [])],
        notes: available.need === "every" ? ["A condition compares only what every tool of the rule has; a missing field would make it false, and the rule silent."] : [],
        help: toolsHelp(path, available, rule),
      });
    }
    default:
      return available satisfies never;
  }
}

function nowhereHelp(path: FieldPath): string {
  const [name = ""] = path;
  if (isInput(path)) return "say which argument: `input.NAME`";
  if (path.length > 1) return Object.hasOwn(fields, name) ? `\`${name}\` has no parts; a raw argument of the tool is \`input.${path.slice(1).join(".")}\`` : `a raw argument of the tool is \`input.${path.join(".")}\``;
  const near = nearest(name, Object.keys(fields));
  return near.length > 0 ? `did you mean ${eitherOf(near)}?` : `a raw argument of the tool is \`input.${name}\``;
}

function momentHelp(path: FieldPath): string {
  const where = (isInput(path) ? inputFact : factOf(path))?.events ?? [];
  const words = where.flatMap((event: EventKind) => (event === "host-event" ? [] : [eventWords[event]]));
  return `\`${path.join(".")}\` is there ${words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "elsewhere")}`;
}

function toolsHelp(path: FieldPath, available: Extract<Available, { kind: "tools" }>, { rule, file }: { readonly rule?: Rule; readonly file: SourceFile }): Help {
  const field = path.join(".");
  const classes = factOf(path)?.classes ?? [];
  if (available.having.length === 0 || rule === undefined) {
    const effects = field === "path" || field === "command" ? "; `touches`, `reads`, `writes`, `deletes` and `runs` hold for every tool" : "";
    return { text: `\`${field}\` is there for ${classes.map((name) => `\`${name}\``).join(", ")}; \`input.NAME\` is the raw argument of any tool${effects}` };
  }
  const having = available.having.map((span) => textAt(file, span));
  const missing = available.missing.map((span) => textAt(file, span));
  const head = `${textAt(file, rule.effect.span)} ${rule.trigger?.kind === "tools" && rule.trigger.moment === "after" ? "after " : ""}`;
  const condition = rule.when && textAt(file, rule.when.span);
  const rest = condition !== undefined && !/[\r\n]/.test(condition) && condition.length <= 60 ? ` when ${condition}` : " …";
  return { text: `split the rule: \`${field}\` is there for ${having.map((name) => `\`${name}\``).join(", ")} only`, lines: [`${head}${having.join(", ")}${rest}`, `${head}${missing.join(", ")} …`] };
}

export function textAt(file: SourceFile, span: Span): string {
  return file.text.slice(span.start, span.end);
}
