/**
 * The calls that examples and test steps describe: a bare text or named fields in, one call each out, in portable fields.
 * What a host's payload looks like is nobody's business here.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { ToolPattern } from "../guard/plan.ts";
import { fields, mainField, toolClasses } from "../guard/vocabulary.ts";
import type { ToolClass } from "../guard/vocabulary.ts";
import type { Field, NumberLiteral, Rule, Stimulus, Text } from "../syntax/ast.ts";
import type { CheckedExample } from "./checked.ts";
import { mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import { isAvailable, typeOfField, unavailableField } from "./field.ts";
import type { Moment } from "./trigger.ts";

export interface Call {
  readonly span: Span;
  readonly stimulus: CheckedExample["stimulus"];
}

/** Where a call is described: at a moment, under a rule or in a test. */
export interface CallPlace {
  readonly moment: Moment;
  readonly place: Place;
  readonly rule?: Rule;
  /** What the author calls it: an example, a step. */
  readonly per: "example" | "step";
}

/** Several texts are several calls, fields are one call together. */
export function callsOf(stimulus: Stimulus, at: CallPlace): readonly Call[] {
  if (stimulus.kind === "fields") return [callOfFields(stimulus, at)];
  const main = mainOf(at.moment);
  if (main === undefined) {
    const what = at.moment.tools.length > 0 ? `a bare text does not say which field of this ${at.per === "example" ? "rule's tools" : "step's tool"} it is` : `${at.moment.words} a bare text stands for nothing`;
    mismatch(at.place, stimulus.texts[0]?.span ?? stimulus.span, what, at.moment.tools.length > 0 ? 'name the field: `command "…"`, `path "…"`' : "name the field");
    return [];
  }
  return stimulus.texts.map((text) => ({ span: text.span, stimulus: main === "of the host" ? { main: text.value } : { fields: [{ field: main, value: text.value }] } }));
}

/** The field that a bare text fills; `of the host` where only the host knows what its own tool takes. */
export function mainOf({ event, tools }: Moment): string | undefined {
  if (event === "prompt") return "prompt";
  if (event === "stop") return "message";
  if (event === "after-tool") return "output";
  if (event !== "before-tool") return undefined;
  const patterns = tools.map(({ pattern }) => pattern);
  // `any` is every class, and some of them have a path.
  if (patterns.some((pattern) => pattern.kind === "any")) return "path";
  const classes = patterns.flatMap((pattern) => classOf(pattern) ?? []);
  if (classes.length === 0) return "of the host";
  const mains = new Set(classes.map((name) => mainField[name]));
  const [only, ...more] = mains;
  if (more.length === 0) return only;
  if (mains.has("path")) return "path";
  return classes.every((name) => name === "bash" || name === "powershell" || name === "mcp") ? "command" : undefined;
}

function classOf(pattern: ToolPattern): ToolClass | undefined {
  return pattern.kind === "class" ? pattern.name : pattern.kind === "mcp" || pattern.kind === "agent" ? pattern.kind : undefined;
}

type NamedFields = Extract<Stimulus, { readonly kind: "fields" }>;

function callOfFields(stimulus: NamedFields, at: CallPlace): Call {
  const { moment, place, rule, per } = at;
  const file = place.home.file;
  const seen = new Set<string>();
  const values: { readonly field: string; readonly value: string | number }[] = [];
  let known = true;
  for (const { field, value } of stimulus.fields) {
    const name = field.path.join(".");
    if (seen.has(name)) place.report(diagnose("check/duplicate-clause", { word: name, per }, { file, span: field.span, help: { text: `a call has each field once; write a second ${per}` } }));
    seen.add(name);
    const available = isAvailable(field.path, moment, "some");
    if (available.kind !== "yes") {
      known = false;
      place.report(unavailableField(field.path, available, moment, { file, span: field.span }, { ...(rule && { rule }), file }));
      continue;
    }
    checkScalar(field, value, at);
    values.push({ field: name, value: value.value });
  }
  if (known) checkTogether(stimulus, at);
  return { span: stimulus.span, stimulus: { fields: values } };
}

function checkScalar(field: Field, value: Text | NumberLiteral, { place, per }: CallPlace): void {
  const name = field.path.join(".");
  const type = typeOfField(field.path);
  if (name === "host" || name === "event") mismatch(place, field.span, `\`${name}\` is not chosen by ${per === "example" ? "an example" : "a step"}`, name === "host" ? `say \`for HOST\` ${per === "example" ? "behind the example" : "behind the test's name"}` : per === "example" ? "the event is the rule's own" : "the event stands behind `given`");
  else if (type === "bool") mismatch(place, value.span, `\`${name}\` is true or false, which ${per === "example" ? "an example" : "a step"} cannot say`, "leave the field out");
  else if (type === "number" && value.kind === "text") mismatch(place, value.span, `\`${name}\` is a number`, "leave the quotes out");
  else if ((type === "text" || type === "path") && value.kind === "number") mismatch(place, value.span, `\`${name}\` is text`, "put the number in quotes");
  else if (name === "platform" && value.kind === "text" && !platforms.includes(value.value)) {
    const near = nearest(value.value, platforms);
    place.report(diagnose("check/unknown-name", { kind: "platform", name: value.value }, { file: place.home.file, span: value.span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `the platforms are ${platforms.join(", ")}` } }));
  }
}

const platforms = ["linux", "macos", "windows"];

/** One call is of one tool: some tool of the rule must have all the fields. */
function checkTogether(stimulus: NamedFields, { moment, place, per }: CallPlace): void {
  if (moment.tools.length === 0) return;
  const needed = stimulus.fields.flatMap(({ field }) => {
    const name = field.path.join(".");
    const classes = Object.hasOwn(fields, name) ? fields[name]?.classes : undefined;
    return classes ? [{ field, classes }] : [];
  });
  const fits = (name: ToolClass) => needed.every(({ classes }) => classes.includes(name));
  const possible = moment.tools.some(({ pattern }) => {
    if (pattern.kind === "tool") return true;
    if (pattern.kind === "any") return toolClasses.some(fits);
    const name = classOf(pattern);
    return name !== undefined && fits(name);
  });
  const [first, ...rest] = needed;
  if (possible || !first) return;
  const others = rest.map(({ field }) => `\`${field.path.join(".")}\``).join(", ");
  place.report(
    diagnose("check/unknown-field", { field: first.field.path.join("."), where: ` together with ${others} on one tool of this ${per === "example" ? "rule" : "step"}` }, { file: place.home.file, span: stimulus.span, help: { text: per === "example" ? "an example is one call: write an example for each tool" : "a step is one call of one tool" } }),
  );
}
