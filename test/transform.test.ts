/**
 * `set`, `replace` and `redact` between the two rounds of gates: what of a call changes, what is judged again, and that
 * nothing leaves a guard because it was too large or stood where nobody can change it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision, Json, JsonObject, ToolCall } from "../src/guard/call.ts";
import { decide } from "../src/guard/decide.ts";
import type { Outcome } from "../src/guard/decide.ts";
import { valueAt, withValues } from "../src/guard/json-place.ts";
import { mostSearched, textMemo } from "../src/guard/patterns.ts";
import type { MessagePlan, PatternPlan, ReplacementPlan, RulePlan } from "../src/guard/plan.ts";
import { redactJson, redactString } from "../src/guard/redaction.ts";
import { redactText, replaceText } from "../src/guard/text-change.ts";
import type { World } from "../src/guard/world.ts";
import { compare, paperWorld, patternOf, planOf, ruleOf, ruleWith, search, toolCall } from "./guard-values.ts";

const key = patternOf(/AKIA[0-9A-Z]{16}/, "AKIA");
const secret = "AKIAIOSFODNN7EXAMPLE";

/** A shell tool whose arguments are those of the host, and an edit whose text comes in hunks. */
function readCall(input: JsonObject): ToolCall {
  const { command, edits } = input;
  const hunks = Array.isArray(edits) ? (edits as readonly JsonObject[]) : undefined;
  const fields = { ...(typeof command === "string" && { command }), ...(hunks !== undefined && { content: hunks.map((hunk) => hunk["new_string"]).join("\n") }) };
  return toolCall(hunks === undefined ? "bash" : "edit", hunks === undefined ? "Bash" : "MultiEdit", fields, {
    input,
    places: {
      input: [{ in: "input", path: [] }],
      ...(typeof command === "string" && { command: [{ in: "input" as const, path: ["command"] }] }),
      ...(hunks !== undefined && { content: hunks.map((_, index) => ({ in: "input" as const, path: ["edits", index, "new_string"] })) }),
    },
  });
}

function afterCall(response: Json, places: readonly (string | number)[][], part: Partial<ToolCall> = {}): ToolCall {
  const output = places.map((path) => valueAt(response, path)).filter((text) => text !== "").join("\n");
  return toolCall("bash", "Bash", { command: "cat x", output }, { event: "after-tool", hostEvent: "PostToolUse", input: { command: "cat x" }, response, places: { output: places.map((path) => ({ in: "response", path })) }, ...part });
}

function world(part: Partial<World> = {}): World {
  return paperWorld({ redecode: readCall, ...part });
}

function judge(call: ToolCall, ...rules: readonly RulePlan[]): Decision {
  return decide(planOf(...rules), call, world());
}

function set(field: string, value: MessagePlan | number, part: Partial<RulePlan> = {}): RulePlan {
  return ruleWith({ kind: "set", field: field.split("."), value }, part);
}

function replace(pattern: RegExp, by: ReplacementPlan, field: string, part: Partial<RulePlan> = {}): RulePlan {
  return ruleWith({ kind: "replace", patterns: [patternOf(pattern)], with: by, fields: [field.split(".")] }, part);
}

function redact(patterns: readonly PatternPlan[], fields: readonly string[], part: Partial<RulePlan> = {}): RulePlan {
  return ruleWith({ kind: "redact", patterns, as: ["[redacted]"], fields: fields.map((field) => field.split(".")) }, part);
}

const after = { event: "after-tool" as const };
const npm = readCall({ command: "npm install left-pad", timeout: 5, description: "Install" });

// ---- arguments ----

test("a replacement changes one argument and keeps the others", () => {
  expect(judge(npm, replace(/\bnpm (install|ci)\b/, ["pnpm ", { capture: 1 }], "command"))).toEqual({ effect: "pass", message: "", personMessage: "", reasons: [], input: { command: "pnpm install left-pad", timeout: 5, description: "Install" } });
});

test("nothing found is nothing changed", () => {
  const decision = judge(npm, replace(/yarn/, ["pnpm"], "command"), redact([key], ["command", "content"]), set("input.timeout", 5), set("command", ["npm install left-pad"]));
  expect(decision).not.toHaveProperty("input");
});

test("a transform applies where its condition surely holds, a redaction also where it may", () => {
  const doubt = { kind: "succeeds" as const, command: "npm test" };
  const call = readCall({ command: `echo ${secret}` });
  const doubting = world({ succeeds: () => ({ doubt: "it took too long" }) });
  expect(decide(planOf(replace(/echo/, ["print"], "command", { when: doubt })), call, doubting)).not.toHaveProperty("input");
  expect(decide(planOf(redact([key], ["command"], { when: doubt })), call, doubting).input).toEqual({ command: "echo [redacted]" });
  expect(decide(planOf(replace(/echo/, ["print"], "command", { unless: [doubt] })), call, doubting).input).toEqual({ command: `print ${secret}` });
});

test("`set` makes an optional argument, with the objects on the way", () => {
  expect(judge(readCall({ command: "npm test" }), set("input.timeout", 120)).input).toEqual({ command: "npm test", timeout: 120 });
  expect(judge(readCall({ command: "npm test" }), set("input.options.color", ["never"])).input).toEqual({ command: "npm test", options: { color: "never" } });
  expect(judge(readCall({ command: "npm test", options: null }), set("input.options.color", ["never"])).input).toEqual({ command: "npm test", options: { color: "never" } });
  expect(judge(readCall({ command: "npm test", options: "x" }), set("input.options.color", ["never"]))).not.toHaveProperty("input");
  expect(judge(readCall({ command: "npm test", list: ["a"] }), set("input.list.3", ["b"]))).not.toHaveProperty("input");
  expect(judge(readCall({ command: "npm test", list: ["a"] }), set("input.list.0", ["b"])).input).toEqual({ command: "npm test", list: ["b"] });
});

test("a number that is set is a number, and another type under the name is another value", () => {
  expect(judge(npm, set("input.timeout", 120)).input).toEqual({ ...npm.input, timeout: 120 });
  expect(judge(readCall({ command: "x", timeout: "120" }), set("input.timeout", 120)).input).toEqual({ command: "x", timeout: 120 });
});

test("keys named like parts of every object are keys of the arguments", () => {
  const input = judge(readCall({ command: "x" }), set("input.__proto__", ["y"])).input;
  expect(Object.getOwnPropertyDescriptor(input, "__proto__")?.value).toBe("y");
  expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
});

test("every text below an argument is searched, in lists and objects", () => {
  const call = readCall({ command: "x", env: { TOKEN: secret, list: [secret, 7, { deep: `a ${secret}` }] } });
  expect(judge(call, redact([key], ["input.env"])).input).toEqual({ command: "x", env: { TOKEN: "[redacted]", list: ["[redacted]", 7, { deep: "a [redacted]" }] } });
});

test("each hunk of an edit is changed in its place; a new text stands in the first and empties the others", () => {
  const call = readCall({ edits: [{ old_string: "a", new_string: `b ${secret}` }, { old_string: secret, new_string: "c" }] });
  expect(judge(call, redact([key], ["content"])).input).toEqual({ edits: [{ old_string: "a", new_string: "b [redacted]" }, { old_string: secret, new_string: "c" }] });
  expect(judge(call, set("content", ["none"])).input).toEqual({ edits: [{ old_string: "a", new_string: "none" }, { old_string: secret, new_string: "" }] });
});

test("two spellings of one argument are set alike", () => {
  const call = toolCall("write", "write_file", { path: "a.ts" }, { input: { path: "a.ts", file_path: "a.ts" }, places: { path: [{ in: "input", path: ["path"] }, { in: "input", path: ["file_path"] }] } });
  const decision = decide(planOf(set("path", ["b.ts"])), call, paperWorld({ redecode: (input) => ({ ...call, input }) }));
  expect(decision.input).toEqual({ path: "b.ts", file_path: "b.ts" });
});

// ---- order ----

test("`set` comes first, then `replace`, then `redact`, each in file order on what the ones before have made", () => {
  const rules = [
    redact([patternOf(/two/)], ["command"]),
    replace(/one/, ["two one"], "command", { id: "acme/first" }),
    replace(/two/, ["three two"], "command", { id: "acme/second" }),
    set("command", ["one"]),
  ];
  expect(judge(npm, ...rules).input).toEqual({ ...npm.input, command: "three [redacted] one" });
  expect(judge(npm, rules[0]!, rules[2]!, rules[1]!, rules[3]!).input).toEqual({ ...npm.input, command: "[redacted] one" });
});

test("a text that is filled in says what the field has become", () => {
  const decision = judge(npm, set("command", ["ls"]), set("input.note", ["ran ", { field: ["command"] }], { id: "acme/note" }));
  expect(decision.input).toMatchObject({ command: "ls", note: 'ran "ls"' });
});

test("conditions of transforms are about the call as it was sent", () => {
  const decision = judge(npm, replace(/npm/, ["pnpm"], "command"), set("input.timeout", 60, { when: search("command", /^npm/) }), set("input.description", ["pnpm"], { when: search("command", /^pnpm/), id: "acme/never" }));
  expect(decision.input).toEqual({ command: "pnpm install left-pad", timeout: 60, description: "Install" });
});

// ---- gates twice ----

test("a denial on the call as sent changes nothing and is not judged again", () => {
  let asked = 0;
  const counting = world({ redecode: (input) => ((asked += 1), readCall(input)) });
  const decision = decide(planOf(ruleOf("deny", { when: search("command", /npm/) }), replace(/npm/, ["pnpm"], "command")), npm, counting);
  expect(decision).toMatchObject({ effect: "deny" });
  expect(decision).not.toHaveProperty("input");
  expect(asked).toBe(0);
});

test.each(["deny", "ask"] as const)("a rewrite does not smuggle a call past a rule that would %s it", (effect) => {
  const decision = judge(npm, ruleOf(effect, { when: search("command", /pnpm/), because: [{ field: ["command"] }] }), replace(/npm/, ["pnpm"], "command"));
  expect(decision).toMatchObject({ effect, message: `[acme/${effect}-rule] "pnpm install left-pad"` });
  expect("input" in decision).toBe(effect === "ask");
});

test("a grant holds where both calls are granted", () => {
  const before = ruleOf("allow", { id: "acme/npm", when: compare("command", "==", "npm install left-pad") });
  const later = ruleOf("allow", { id: "acme/pnpm", when: compare("command", "==", "pnpm install left-pad") });
  const rewrite = replace(/npm/, ["pnpm"], "command");
  expect(judge(npm, before, rewrite)).toMatchObject({ effect: "pass", message: "", reasons: [] });
  expect(judge(npm, later, rewrite)).toMatchObject({ effect: "pass", message: "", reasons: [] });
  expect(judge(npm, before, later, rewrite)).toMatchObject({ effect: "allow", input: { command: "pnpm install left-pad" } });
});

test("transforms run once, whatever they have made", () => {
  expect(judge(readCall({ command: "a" }), replace(/a/, ["aa"], "command")).input).toEqual({ command: "aa" });
});

test("a rule that says the same of both calls says it once", () => {
  const { reasons } = judge(npm, ruleOf("ask", { because: ["Ask first."] }), replace(/npm/, ["pnpm"], "command"));
  expect(reasons).toEqual([{ rule: "acme/ask-rule", text: "Ask first." }]);
});

test("a rule that is in doubt of the one call and sure of the other counts as strictly as it is sure", () => {
  const rule = ruleOf("deny", { because: ["No."], when: { kind: "or", of: [search("command", /pnpm/), { kind: "succeeds", command: "npm test" }] } });
  const doubting = world({ succeeds: () => ({ doubt: "it took too long" }) });
  expect(decide(planOf(rule), npm, doubting).effect).toBe("ask");
  expect(decide(planOf(rule, replace(/npm/, ["pnpm"], "command")), npm, doubting)).toMatchObject({ effect: "deny", reasons: [{ rule: "acme/deny-rule", text: "No." }] });
});

test("a rewritten call that nobody can read is a failure and no pass", () => {
  const rewrite = replace(/npm/, ["pnpm"], "command");
  expect(() => decide(planOf(rewrite), npm, paperWorld())).toThrow("nobody can read");
  const refusing = world({
    redecode() {
      throw new Error("`command` is not text");
    },
  });
  expect(() => decide(planOf(rewrite), npm, refusing)).toThrow("not text");
});

test("a trace of the second round is one of its own", () => {
  const seen: [string, Outcome["kind"]][] = [];
  const trace = (round: string) => ({ condition: () => undefined, rule: (rule: RulePlan, outcome: Outcome) => void seen.push([`${round} ${rule.id}`, outcome.kind]) });
  decide(planOf(ruleOf("ask", { when: search("command", /pnpm/) }), replace(/npm/, ["pnpm"], "command"), redact([key], ["command"])), npm, world(), { ...trace("first"), again: () => trace("again") });
  expect(seen).toEqual([
    ["first acme/ask-rule", "silent"],
    ["first acme/replace-rule", "fires"],
    ["first acme/redact-rule", "silent"],
    ["again acme/ask-rule", "fires"],
  ]);
});

test("a trace tells of transforms that a denial keeps from being applied", () => {
  const seen: [string, Outcome["kind"]][] = [];
  decide(planOf(ruleOf("deny"), replace(/npm/, ["pnpm"], "command"), redact([key], ["command"])), npm, world(), { condition: () => undefined, rule: ({ id }, { kind }) => void seen.push([id, kind]) });
  expect(seen).toEqual([["acme/deny-rule", "fires"], ["acme/replace-rule", "fires"], ["acme/redact-rule", "silent"]]);
});

// ---- outputs ----

test("every part of an output is changed in its place", () => {
  const call = afterCall({ stdout: `key ${secret}`, stderr: secret, interrupted: false }, [["stdout"], ["stderr"]]);
  expect(judge(call, redact([key], ["output"], after))).toEqual({
    effect: "pass",
    message: "",
    personMessage: "",
    reasons: [],
    response: { stdout: "key [redacted]", stderr: "[redacted]", interrupted: false },
    redactions: [{ rule: "acme/redact-rule", patterns: [key], as: "[redacted]" }],
  });
});

test("`set output` is a text for the whole, and what follows works on that text", () => {
  const call = afterCall({ stdout: "long", stderr: "" }, [["stdout"], ["stderr"]]);
  const decision = judge(call, redact([key], ["output"], after), replace(/withheld/, ["kept back"], "output", after), set("output", ["withheld ", secret], after));
  expect(decision).toMatchObject({ effect: "pass", output: "kept back [redacted]" });
  expect(decision).not.toHaveProperty("response");
});

test("a denial puts its reason in the place of the output, and transforms work on that", () => {
  const call = afterCall({ stdout: secret, stderr: "" }, [["stdout"], ["stderr"]]);
  const deny = ruleOf("deny", { ...after, because: ["No: ", { field: ["output"] }] });
  expect(judge(call, deny)).toMatchObject({ effect: "deny", message: `[acme/deny-rule] No: "${secret}"` });
  const decision = judge(call, deny, redact([key], ["output"], after), replace(/No/, ["Withheld"], "output", after));
  expect(decision).toMatchObject({ effect: "deny", message: '[acme/deny-rule] Withheld: "[redacted]"' });
  expect(decision).not.toHaveProperty("response");
  expect(decision).not.toHaveProperty("output");
});

test("a text that is filled in after a denial does not bring back what was withheld", () => {
  const call = afterCall({ stdout: "the private key", stderr: "" }, [["stdout"], ["stderr"]]);
  const told = ruleWith({ kind: "tell", audience: "model", source: { kind: "text", text: ["It was: ", { field: ["output"] }] } }, after);
  const { message, context } = judge(call, ruleOf("deny", { ...after, because: ["Withheld."] }), set("output", ["Gone: ", { field: ["output"] }], after), told);
  expect(message).toBe('Gone: "[acme/deny-rule] Withheld."');
  expect(context).not.toContain("private key");
});

test("arguments are not changed after the tool, and an output not before it", () => {
  const call = afterCall({ stdout: secret, stderr: "" }, [["stdout"], ["stderr"]], { input: { command: secret }, fields: { command: secret, output: secret } as ToolCall["fields"] });
  const decision = judge(call, redact([key], ["command", "input.command"], after), set("input.command", ["x"], after));
  expect(decision).not.toHaveProperty("input");
  expect(decision).not.toHaveProperty("response");
  expect(decision).not.toHaveProperty("failures");
});

// ---- nothing leaks because it is large or has no place ----

const padded = `${"x".repeat(mostSearched)} ${secret} ${"y".repeat(mostSearched)}`;

test("an output too long to be searched is withheld, unless it surely holds nothing", () => {
  const call = afterCall({ stdout: padded, stderr: "fine" }, [["stdout"], ["stderr"]]);
  const { response } = judge(call, redact([key], ["output"], after));
  expect(response).toEqual({ stdout: `[acme/redact-rule: ${padded.length} characters withheld, too many to be searched for what has to be redacted]`, stderr: "fine" });
  const harmless = afterCall({ stdout: padded.replace(secret, "nothing"), stderr: "" }, [["stdout"], ["stderr"]]);
  expect(judge(harmless, redact([key], ["output"], after))).not.toHaveProperty("response");
  expect(judge(harmless, redact([patternOf(/nothing/)], ["output"], after)).response).toMatchObject({ stdout: expect.stringContaining("withheld") as string });
});

test("arguments too long to be searched are refused, for a note in their place would be written to a file", () => {
  const call = readCall({ edits: [{ old_string: "a", new_string: padded }] });
  const decision = judge(call, ruleOf("allow"), redact([key], ["content"]));
  expect(decision).toMatchObject({ effect: "deny", reasons: [{ rule: "acme/redact-rule", text: expect.stringContaining("too many to be searched") as string }] });
  expect(decision).not.toHaveProperty("input");
});

test("arguments that hold a secret where the host takes no change are refused", () => {
  const call = toolCall("edit", "edit", { content: `const key = "${secret}"` }, { input: { content: "one text with several blocks" }, places: { input: [{ in: "input", path: [] }] } });
  expect(judge(call, redact([key], ["content"])).effect).toBe("deny");
  expect(judge({ ...call, fields: { content: "nothing" } as ToolCall["fields"] }, redact([key], ["content"])).effect).toBe("pass");
});

test("an output whose texts have no known place is taken as one text", () => {
  const call = afterCall([{ text: "fine" }, { text: secret }], [], { places: {} });
  expect(judge(call, redact([key], ["output"], after)).output).toBe("fine\n[redacted]");
  expect(judge(afterCall([{ text: "fine" }], [], { places: {} }), redact([key], ["output"], after))).not.toHaveProperty("output");
});

test("an output that the host does not take back is told of", () => {
  const failed = toolCall("bash", "Bash", { command: "cat x", output: secret, error: secret }, { event: "after-tool", hostEvent: "PostToolUseFailure", places: {} });
  const decision = judge(failed, redact([key], ["output"], after));
  expect(decision).toMatchObject({ effect: "pass", failures: [expect.stringContaining("cannot be changed") as string] });
});

test("a replacement leaves what is too long to be searched as it is", () => {
  expect(judge(readCall({ command: padded }), replace(/x/, ["y"], "command"))).toMatchObject({ effect: "pass" });
  expect(judge(readCall({ command: padded }), replace(/x/, ["y"], "command"))).not.toHaveProperty("input");
});

// ---- everything that leaves the guard ----

test("what is told is redacted before it is cut, whichever field it comes from", () => {
  const long = `${"a".repeat(125)}${secret}${"b".repeat(200)}${secret}${"c".repeat(60)}`;
  const call = readCall({ command: long });
  const decision = judge(call, ruleOf("deny", { because: ["No: ", { field: ["command"] }], suggest: ["Not ", { field: ["command"] }] }), redact([key], ["content"]));
  expect(decision.message).not.toContain("AKIA");
  expect(decision.message).not.toMatch(/[A-Z0-9]{8}/);
  expect(decision.message).toContain("[redacted");
  expect(decision.personMessage).not.toContain("AKIA");
});

test("words of the policy itself are redacted too, and so are names that call and doubt bring along", () => {
  const tool = `mcp__${secret}__x`;
  const call = toolCall("mcp", tool, { command: "x" });
  const { message, redactions } = judge(call, ruleOf("deny"), redact([key], []));
  expect(message).toBe("[acme/deny-rule] The rule at policy/main.policy:3 refuses this use of mcp__[redacted]__x.");
  expect(redactions).toHaveLength(1);
});

test("what stands for a match passes the redactions itself", () => {
  const call = readCall({ command: `login ${secret}`, note: secret });
  const as = ruleWith({ kind: "redact", patterns: [key], as: ["<", { field: ["input", "note"] }, ">"], fields: [["command"]] });
  const { command } = judge(call, as).input as { command: string };
  expect(command).toContain("login <");
  expect(command).not.toContain("AKIA");
});

test("a redaction that a gate stands in for cleans what the gate says", () => {
  const plan = { kind: "redact" as const, patterns: [key], as: ["[redacted]"], fields: [["command"]] };
  const { message } = judge(readCall({ command: `login ${secret}` }), ruleOf("deny", { wouldChange: plan, because: ["No: ", { field: ["command"] }] }));
  expect(message).toBe('[acme/deny-rule] No: "login [redacted]"');
});

test("JSON that leaves the guard is clean in keys and values, at any depth", () => {
  const redactions = [{ rule: "acme/keys", patterns: [key], as: "#" }];
  expect(redactJson({ [secret]: [secret, { deep: `x${secret}` }, 7, null], __proto__x: true }, redactions)).toEqual({ "#": ["#", { deep: "x#" }, 7, null], __proto__x: true });
  expect(redactString(padded, redactions)).toBe(`[acme/keys: ${padded.length} characters withheld, too many to be searched for what has to be redacted]`);
});

// ---- stand-ins ----

test.each<[string, RulePlan["wouldChange"], string, boolean]>([
  ["a pattern that is there", { kind: "redact", patterns: [key], as: [], fields: [["command"]] }, `echo ${secret}`, true],
  ["a pattern that is not there", { kind: "redact", patterns: [key], as: [], fields: [["command"]] }, "ls", false],
  ["a pattern in another field", { kind: "redact", patterns: [key], as: [], fields: [["content"]] }, `echo ${secret}`, false],
  ["a replacement by the same text", { kind: "replace", patterns: [patternOf(/npm/)], with: ["npm"], fields: [["command"]] }, "npm install", false],
  ["a replacement by another text", { kind: "replace", patterns: [patternOf(/npm/)], with: ["pnpm"], fields: [["command"]] }, "npm install", true],
  ["a field that has the value", { kind: "set", field: ["command"], value: ["ls"] }, "ls", false],
  ["a field that has another value", { kind: "set", field: ["command"], value: ["ls"] }, "ls -l", true],
  ["a field that is not there", { kind: "set", field: ["input", "timeout"], value: 60 }, "ls", true],
])("what stands in for a transform applies to calls it would have changed: %s", (_, wouldChange, command, fires) => {
  const call = toolCall("bash", "Bash", { command }, { input: { command } });
  const rule = ruleOf("deny", { ...(wouldChange !== undefined && { wouldChange }) });
  expect(judge(call, rule).effect).toBe(fires ? "deny" : "pass");
  expect(judge(call, { ...rule, when: compare("command", "==", "other") }).effect).toBe("pass");
});

test("a text too long to be searched is a doubt for what stands in", () => {
  const call = toolCall("bash", "Bash", { command: padded }, { input: { command: padded } });
  const plan = { kind: "redact" as const, patterns: [key], as: [], fields: [["command"]] };
  expect(judge(call, ruleOf("deny", { wouldChange: plan, unsure: "ask" })).effect).toBe("ask");
  expect(judge(call, ruleOf("deny", { wouldChange: plan, unsure: "deny" })).effect).toBe("deny");
});

// ---- patterns ----

const memo = textMemo();

test("every match is taken out, those that overlap as one, and empty ones hide nothing", () => {
  expect(redactText("ab ab", [patternOf(/ab/)], "#", memo)).toBe("# #");
  expect(redactText("aa", [patternOf(/a/)], "#", memo)).toBe("##");
  expect(redactText("abc", [patternOf(/ab/), patternOf(/bc/)], "#", memo)).toBe("#");
  expect(redactText("abc", [patternOf(/x*/), patternOf(/^/), patternOf(/$/)], "#", memo)).toBe("abc");
  expect(redactText("a\u{1f600}b", [patternOf(/./)], "#", memo)).toBe("###");
});

test("invisible characters inside a secret hide it from no redaction", () => {
  const split = `x ${secret.slice(0, 9)}\u200b\u00ad${secret.slice(9)} y`;
  expect(redactText(split, [key], "#", memo)).toBe("x # y");
  expect(redactText(`x AK\u200bIA${secret.slice(4)} y`, [key], "#", memo)).toBe("x # y");
  expect(redactText(`\u{e0041}${secret}\u{e0041}`, [key], "#", memo)).toBe("\u{e0041}#\u{e0041}");
  expect(redactText("a\u200bb", [patternOf(/\u200b/)], "#", memo)).toBe("a#b");
});

test("a replacement goes from left to right, and the first pattern counts where two begin together", () => {
  const upper = (groups: readonly (string | undefined)[]): string => `<${groups[0]}>`;
  expect(replaceText("abc", [patternOf(/bc/), patternOf(/ab/)], upper, memo)).toBe("<ab>c");
  expect(replaceText("abc", [patternOf(/a/), patternOf(/ab/)], upper, memo)).toBe("<a>bc");
  expect(replaceText("ab", [patternOf(/x*/)], upper, memo)).toBe("<>a<>b<>");
  expect(replaceText("a\u{1f600}", [patternOf(/(?:)/)], () => "-", memo)).toBe("-a-\u{1f600}-");
});

test("groups that took no part are empty, and a group is filled in as it stood", () => {
  const call = readCall({ command: 'npm run "a b"' });
  expect(judge(call, replace(/npm run (".*")(x)?/, ["pnpm ", { capture: 1 }, { capture: 2 }], "command")).input).toEqual({ command: 'pnpm "a b"' });
});

test("one pattern replaces as the language's own global replacement does", () => {
  const patterns = [/a/, /b*/, /(a)(b)?/, /^|$/m, /\w+/, /(?<=a)b/, /(.)\1/, /[^a]/];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "\u{1f600}"), maxLength: 30 }), fc.constantFrom(...patterns), (text, pattern) => {
      expect(replaceText(text, [patternOf(pattern)], ([whole, one]) => `<${whole}|${one ?? ""}>`, memo)).toBe(text.replace(new RegExp(pattern.source, `${pattern.flags}gu`), (whole, one: unknown) => `<${whole}|${typeof one === "string" ? one : ""}>`));
    }),
  );
});

test("nothing that a pattern matches is left of a text, whatever else is taken out of it", () => {
  const patterns = [patternOf(/ab+/), patternOf(/ba/), patternOf(/c{2}/), patternOf(/a(?=c)/)];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "b", "c", "\u200b"), maxLength: 40 }), fc.subarray(patterns, { minLength: 1 }), (text, some) => {
      const clean = text.replaceAll("\u200b", "");
      const rest = redactText(text, some, "-", memo) ?? "";
      // What is left stood there before, in this order, and no piece of it is a match that the text had.
      const kept = rest.split("-").map((piece) => piece.replaceAll("\u200b", ""));
      let at = 0;
      for (const piece of kept) {
        const found = clean.indexOf(piece, at);
        expect(found).toBeGreaterThanOrEqual(0);
        at = found + piece.length;
      }
      for (const { source } of some.filter((pattern) => !pattern.source.includes("?="))) expect(kept.some((piece) => new RegExp(source, "u").test(piece))).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

// ---- places ----

test("values are put at their places in one copy, and the original stays as it was", () => {
  const before = { a: [{ b: "x" }, "y"], c: null };
  const made = withValues(before, [{ path: ["a", 0, "b"], value: "1" }, { path: ["a", 1], value: "2" }, { path: ["c", "d"], value: "3" }, { path: ["a", 1, "no"], value: "4" }, { path: ["a", "length"], value: 0 }]);
  expect(made).toEqual({ a: [{ b: "1" }, "2"], c: { d: "3" } });
  expect(before).toEqual({ a: [{ b: "x" }, "y"], c: null });
  expect(withValues("whole", [{ path: [], value: "new" }])).toBe("new");
});

test("an output of many texts is changed in reasonable time", () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => ({ text: index % 2 === 0 ? secret : "fine" }));
  const call = afterCall(texts, texts.map((_, index) => [index, "text"]));
  const started = Date.now();
  const { response } = judge(call, redact([key], ["output"], after));
  expect((response as readonly { text: string }[]).filter(({ text }) => text === "[redacted]")).toHaveLength(10_000);
  expect(Date.now() - started).toBeLessThan(5000);
});
