/**
 * `example` lines: the verdict they expect, the call they describe in portable fields, the hosts they run on. Whether they
 * hold is judged later, on each host.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { ToolPattern } from "../guard/plan.ts";
import { fields, mainField, toolClasses } from "../guard/vocabulary.ts";
import type { ToolClass } from "../guard/vocabulary.ts";
import type { Effect, Example, Field, GateWord, NumberLiteral, Text, Verdict } from "../syntax/ast.ts";
import type { CheckedExample } from "./checked.ts";
import { mismatch } from "./comparison.ts";
import { checkHosts } from "./declaration.ts";
import type { Setting } from "./effect.ts";
import { isAvailable, typeOfField, unavailableField } from "./field.ts";
import type { Moment } from "./trigger.ts";

/** `ruleHosts`: where the rule's own words let it apply; `known`: every host there is. */
export function checkExample(example: Example, ruleHosts: readonly string[], known: readonly string[], setting: Setting): readonly CheckedExample[] {
  const { rule, file, moment, place } = setting;
  if (rule.effect.kind === "permission") {
    mismatch(place, example.span, "`permission` is the host's own rule, and no guard can try an example of it", "take the example out");
    return [];
  }
  const verdict = checkVerdict(example, setting);
  const hosts = checkExampleHosts(example, ruleHosts, known, setting);
  if (example.becomes && !isTransform(rule.effect)) mismatch(place, example.becomes.span, `\`${rule.effect.kind}\` changes nothing, so nothing becomes another text`, "take `becomes` out");
  if (!moment) return [];
  const calls = callsOf(example, moment, file, setting);
  return calls.map(({ span, stimulus }) => ({ span, verdict, stimulus, ...(example.becomes && { becomes: example.becomes.value }), hosts }));
}

function isTransform(effect: Effect): boolean {
  return effect.kind === "set" || effect.kind === "replace" || effect.kind === "redact";
}

/** What an example under each gate may expect; a deny that fires by doubt alone asks. */
const verdicts: Readonly<Record<GateWord, readonly Verdict[]>> = { deny: ["deny", "ask", "pass"], ask: ["ask", "pass"], allow: ["allow", "pass"], retry: ["retry", "pass"] };

function checkVerdict(example: Example, { rule, place }: Setting): Verdict {
  const { kind } = rule.effect;
  if (kind !== "deny" && kind !== "ask" && kind !== "allow" && kind !== "retry") return example.verdict ?? "pass";
  if (!example.verdict) return kind;
  const stands = rule.clauses.flatMap((clause) => (clause.kind === "else" && clause.action.kind !== "skip" && clause.action.kind !== "effect" ? [clause.action.kind] : []));
  const possible: readonly Verdict[] = [...verdicts[kind], ...stands];
  if (!possible.includes(example.verdict)) {
    mismatch(place, example.span, `an example of this rule cannot expect \`${example.verdict}\`: the rule says \`${kind}\``, `write ${eitherOf(verdicts[kind])}; \`pass\` means that the rule does not fire`);
  }
  return example.verdict;
}

function checkExampleHosts(example: Example, ruleHosts: readonly string[], known: readonly string[], { file, place }: Setting): readonly string[] {
  if (example.hosts.length === 0) return ruleHosts;
  const named = checkHosts(example.hosts, known, file, place.report);
  for (const host of example.hosts) {
    if (!known.includes(host.text) || ruleHosts.includes(host.text)) continue;
    place.report(
      diagnose("check/no-host", { what: "example", hosts: host.text }, {
        file,
        span: host.span,
        help: { text: ruleHosts.length > 0 ? `the rule applies on ${ruleHosts.join(", ")}; a rule's own \`for\` stands before its examples` : "the rule applies on no host" },
      }),
    );
  }
  return named.filter((host) => ruleHosts.includes(host));
}

interface Call {
  readonly span: Span;
  readonly stimulus: CheckedExample["stimulus"];
}

function callsOf(example: Example, moment: Moment, file: SourceFile, setting: Setting): readonly Call[] {
  const { stimulus } = example;
  if (stimulus.kind === "fields") return [checkFieldCall(stimulus, moment, file, setting)];
  const main = mainOf(moment);
  if (main === undefined) {
    mismatch(setting.place, stimulus.texts[0]?.span ?? stimulus.span, "a bare text does not say which field of this rule's tools it is", 'name the field: `command "…"`, `path "…"`');
    return [];
  }
  return stimulus.texts.map((text) => ({ span: text.span, stimulus: main === "of the host" ? { main: text.value } : { fields: [{ field: main, value: text.value }] } }));
}

/** The field that a bare text fills; `of the host` where only the host knows what its own tool takes. */
function mainOf({ event, tools }: Moment): string | undefined {
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

type FieldCall = Extract<Example["stimulus"], { kind: "fields" }>;

function checkFieldCall(stimulus: FieldCall, moment: Moment, file: SourceFile, setting: Setting): Call {
  const seen = new Set<string>();
  const values: { readonly field: string; readonly value: string | number }[] = [];
  let known = true;
  for (const { field, value } of stimulus.fields) {
    const name = field.path.join(".");
    if (seen.has(name)) setting.place.report(diagnose("check/duplicate-clause", { word: name, per: "example" }, { file, span: field.span, help: { text: "a call has each field once; write a second example" } }));
    seen.add(name);
    const available = isAvailable(field.path, moment, "some");
    if (available.kind !== "yes") {
      known = false;
      setting.place.report(unavailableField(field.path, available, moment, { file, span: field.span }, { rule: setting.rule, file }));
      continue;
    }
    checkScalar(field, value, setting);
    values.push({ field: name, value: value.value });
  }
  if (known) checkTogether(stimulus, moment, file, setting);
  return { span: stimulus.span, stimulus: { fields: values } };
}

function checkScalar(field: Field, value: Text | NumberLiteral, { place }: Setting): void {
  const name = field.path.join(".");
  const type = typeOfField(field.path);
  if (name === "host" || name === "event") mismatch(place, field.span, `\`${name}\` is not chosen by an example`, name === "host" ? "say `for HOST` behind the example" : "the event is the rule's own");
  else if (type === "bool") mismatch(place, value.span, `\`${name}\` is true or false, which an example cannot say`, "leave the field out");
  else if (type === "number" && value.kind === "text") mismatch(place, value.span, `\`${name}\` is a number`, "leave the quotes out");
  else if ((type === "text" || type === "path") && value.kind === "number") mismatch(place, value.span, `\`${name}\` is text`, "put the number in quotes");
  else if (name === "platform" && value.kind === "text" && !platforms.includes(value.value)) {
    const near = nearest(value.value, platforms);
    place.report(diagnose("check/unknown-name", { kind: "platform", name: value.value }, { file: place.home.file, span: value.span, help: { text: near.length > 0 ? `did you mean ${eitherOf(near)}?` : `the platforms are ${platforms.join(", ")}` } }));
  }
}

const platforms = ["linux", "macos", "windows"];

/** One call is of one tool: some tool of the rule must have all the fields. */
function checkTogether(stimulus: FieldCall, moment: Moment, file: SourceFile, setting: Setting): void {
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
  setting.place.report(
    diagnose("check/unknown-field", { field: first.field.path.join("."), where: ` together with ${others} on one tool of this rule` }, { file, span: stimulus.span, help: { text: "an example is one call: write an example for each tool" } }),
  );
}
