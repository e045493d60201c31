/**
 * `test` blocks: rows of events with what must come of them, held against the project they test. Running them is a later
 * step's business; here every word of a test is made to mean something.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import { eitherOf, nearest } from "../diagnostics/nearest.ts";
import type { Expectation, Regex, RuleReference, Stimulus, TestBlock, TestStep } from "../syntax/ast.ts";
import type { CheckedExpectation, CheckedStep, CheckedTest, CommandOutcome } from "./checked.ts";
import { lowerComparison, mismatch } from "./comparison.ts";
import type { Place } from "./comparison.ts";
import { checkHosts } from "./declaration.ts";
import { isAvailable, textAt, unavailableField } from "./field.ts";
import { libOf } from "./load.ts";
import type { LoadedFile } from "./load.ts";
import { refusalAt } from "./moment.ts";
import type { Names } from "./names.ts";
import type { Report } from "./report.ts";
import { callsOf } from "./stimulus.ts";
import { checkTrigger } from "./trigger.ts";
import type { Moment } from "./trigger.ts";
import type { Commands } from "./visit.ts";

/** What a test can speak of. */
export interface Tested {
  readonly names: Names;
  readonly refused: ReadonlySet<Regex>;
  /** Every host there is, and those the project targets. */
  readonly hosts: readonly string[];
  readonly targets: readonly string[];
  /** Every file with the ids of its rules and the name before them; `own` where it is no import. */
  readonly files: readonly { readonly home: LoadedFile; readonly name: string; readonly ids: readonly string[]; readonly own: boolean }[];
  readonly commands: Commands;
}

export function checkTest(block: TestBlock, home: LoadedFile, tested: Tested, report: Report): CheckedTest {
  const place: Place = { home, names: tested.names, refused: tested.refused, report };
  const named = block.hosts.length > 0 ? checkHosts(block.hosts, tested.hosts, home.file, report) : tested.targets;
  const hosts = named.filter((host) => tested.targets.includes(host));
  if (named.length > 0 && hosts.length === 0) {
    report(diagnose("check/no-host", { what: "test", hosts: named.join(", ") }, { file: home.file, span: block.title.span, help: { text: `the project targets ${tested.targets.join(", ")}` } }));
  }
  if (block.title.value.trim() === "") mismatch(place, block.title.span, "a test's name says what must hold, and this one is empty", 'write a sentence: `test "force push is refused"`');
  return { file: home.file, span: block.span, title: block.title.value, hosts, steps: block.steps.flatMap((step) => checkStep(step, place, tested) ?? []) };
}

function checkStep(step: TestStep, place: Place, tested: Tested): CheckedStep | undefined {
  const file = place.home.file;
  const moment = checkTrigger(step.trigger, file, place.report);
  if (!moment || !isOneEvent(moment, step, place)) return undefined;
  const { call, commands } = partsOf(step.stimulus, place, tested);
  const calls = call ? callsOf(call, { moment, place, per: "step" }) : [{ stimulus: { fields: [] } }];
  if (call?.kind === "texts" && call.texts.length > 1) mismatch(place, call.span, "a step is one event, and these texts are several calls", "write a `given` line for each");
  const expectations = step.expectations.flatMap((expectation) => checkExpectation(expectation, moment, place, tested) ?? []);
  const { event, hostEvent, agents, tools } = moment;
  const [first] = calls;
  if (!first || event === "any-event") return undefined;
  return { span: { start: step.span.start, end: (step.stimulus ?? step.trigger).span.end }, event, ...(hostEvent !== undefined && { hostEvent }), ...(agents?.[0] !== undefined && { agent: agents[0] }), tools, stimulus: first.stimulus, commands, expectations };
}

/** One step is one event; a rule's trigger can be about many. */
function isOneEvent({ event, agents, tools }: Moment, { trigger }: TestStep, place: Place): boolean {
  if (event === "any-event") return mismatch(place, trigger.span, "a step is one event, and `on any` is all of them", "name the event: `given on stop`, `given bash \"…\"`");
  if (agents && agents.length > 1) return mismatch(place, trigger.span, "a step is the stop of one agent", "write a `given` line for each");
  if (new Set(tools.map(({ span }) => span.start)).size > 1) return mismatch(place, trigger.span, "a step is one call, of one tool", "write a `given` line for each tool");
  if (tools.some(({ pattern }) => pattern.kind === "any")) return mismatch(place, trigger.span, "a step is one call, and `any` names no tool", "name the tool: `given bash \"…\"`, `given write path \"…\"`");
  return true;
}

/** `exit."npm test" 1` and `output."git status" "…"` say what commands come to; the rest describes the call. */
function partsOf(stimulus: Stimulus | undefined, place: Place, tested: Tested): { readonly call: Stimulus | undefined; readonly commands: readonly CommandOutcome[] } {
  if (stimulus?.kind !== "fields") return { call: stimulus, commands: [] };
  const commands: CommandOutcome[] = [];
  const fields = stimulus.fields.filter(({ field, value }) => {
    const [word, command, ...rest] = field.path;
    if ((word !== "exit" && word !== "output") || command === undefined || rest.length > 0) return true;
    const known = word === "exit" ? tested.commands.succeeds : tested.commands.outputs;
    const construct = word === "exit" ? "succeeds" : "output of";
    if (!known.has(command)) {
      const near = nearest(command, [...known]);
      const help = near.length > 0 ? `did you mean ${eitherOf(near)}?` : known.size > 0 ? `the commands are ${[...known].map((one) => `\`${one}\``).join(", ")}` : `no rule has \`${construct}\`; \`${word}\` alone is the field of the call`;
      place.report(diagnose("check/unknown-reference", { problem: `no rule asks for \`${construct} "${command}"\`` }, { file: place.home.file, span: field.span, help: { text: help } }));
    } else if (word === "exit" && value.kind === "number") commands.push({ command, exit: value.value });
    else if (word === "output" && value.kind === "text") commands.push({ command, output: value.value });
    else mismatch(place, value.span, word === "exit" ? "an exit code is a number" : "what a command prints is text", word === "exit" ? "write `0` where it succeeds, and `1` where it does not" : "put it in quotes");
    return false;
  });
  return { call: fields.length > 0 ? { ...stimulus, fields } : undefined, commands };
}

function checkExpectation(expectation: Expectation, moment: Moment, place: Place, tested: Tested): CheckedExpectation | undefined {
  const { span } = expectation;
  const file = place.home.file;
  if (expectation.kind === "field") {
    const { field } = expectation;
    const available = isAvailable(field.path, moment, "some");
    if (available.kind === "tools" || available.kind === "moment") {
      place.report(unavailableField(field.path, available, moment, { file, span: field.span }, { file }));
      return undefined;
    }
    const condition = lowerComparison({ kind: "field-operand", field, span: field.span }, expectation.comparison, span, place);
    return condition && { kind: "field", condition, span };
  }
  const { verdict, verdictSpan, by } = expectation;
  const refusal = verdict === "pass" ? undefined : refusalAt(verdict, moment);
  if (refusal) {
    place.report(diagnose("check/effect-on-event", { effect: verdict, event: moment.words }, { file, span: verdictSpan, notes: [refusal.note], help: { text: "expect what can happen there" } }));
    return undefined;
  }
  if (verdict === "pass" && by) {
    mismatch(place, by.span, "`pass` is what comes of no rule", "leave `by …` out");
    return undefined;
  }
  if (!by) return { kind: "verdict", verdict, span };
  const rule = expectRule(by, place, tested);
  return rule === undefined ? undefined : { kind: "verdict", verdict, by: rule, span };
}

/** `policy/id` of the rule that is meant; a test sees every file of the project. */
function expectRule(reference: RuleReference, { home, report }: Place, { files }: Tested): string | undefined {
  const place = { file: home.file, span: reference.span };
  const written = textAt(home.file, reference.span);
  const refuse = (problem: string, help: string): undefined => void report(diagnose("check/unknown-reference", { problem }, { ...place, help: { text: help } }));
  const { module, rule } = reference;
  const meant = module ? files.filter((file) => isNamed(file, module, files)) : files;
  if (module && meant.length === 0) {
    const near = nearest(module.text, files.map((file) => file.name));
    return refuse(`\`${module.text}\` is no file of this project`, near.length > 0 ? `did you mean ${eitherOf(near)}?` : `the files are ${files.map((file) => `\`${file.name}\``).join(", ")}`);
  }
  if (!rule) return refuse(`\`${written}\` is a module, and a verdict comes from a rule`, "name the rule");
  const having = meant.filter(({ ids }) => ids.includes(rule.text));
  // As for `disable`, a rule of the project's own files comes before those of the modules it uses.
  const own = having.filter((file) => file.own);
  const found = own.length > 0 ? own : having;
  const [first, ...more] = found;
  if (first && more.length === 0) return `${first.name}/${rule.text}`;
  if (first) return refuse(`\`${rule.text}\` is a rule of several files`, `say which: ${eitherOf(found.map((file) => `${file.name}.${rule.text}`))}`);
  if (meant.some((file) => file.home.damaged)) return undefined;
  const near = nearest(rule.text, meant.flatMap(({ ids }) => ids));
  return refuse(`there is no rule \`${written}\``, near.length > 0 ? `did you mean ${eitherOf(near)}?` : "the build report lists every rule with its id");
}

/** `std/git` as some file uses it, its last segment, or a file's own name. */
function isNamed({ home, name }: Tested["files"][number], module: NonNullable<RuleReference["module"]>, files: Tested["files"]): boolean {
  if (module.kind === "name") return module.text === name || module.text === libOf(home.file.path);
  return files.some((file) => file.home.imports.some((entry) => entry.module === module.text && entry.target === home));
}
