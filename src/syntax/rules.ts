/** Trees of rules in, rule nodes out: effects, triggers, clauses and examples. */
import type { CstNode } from "chevrotain";
import { Raw, StringLiteral } from "../../grammar/tokens.ts";
import { diagnose } from "../diagnostics/catalogue.ts";
import { joinSpans, type Span } from "../diagnostics/diagnostic.ts";
import type { Clause, Effect, ElseAction, Example, GateWord, McpPart, McpPattern, Name, Rule, Source, Stimulus, Text, ToolReference, Trigger, Verdict } from "./ast.ts";
import { toCondition } from "./conditions.ts";
import { node, nodes, onlyChild, optionalNode, optionalToken, presume, spanOf, spanOfToken, token, type Reading } from "./cst.ts";
import { isLineBreakBetween, toDollar, toDuration, toField, toFields, toName, toNames, toNumber, toPattern, toSimple, toText } from "./literals.ts";
import { readText } from "./text.ts";

export function toRule(parent: CstNode, reading: Reading): Rule {
  const action = node(parent, "action");
  const trigger = optionalNode(action, "trigger");
  const when = optionalNode(parent, "cond");
  return {
    kind: "rule",
    effect: toActionEffect(action, reading),
    ...(trigger && { trigger: toTrigger(trigger, reading) }),
    ...(when && { when: toCondition(when, reading) }),
    clauses: nodes(parent, "clause").map((clause) => toClause(clause, reading)),
    span: spanOf(parent),
  };
}

function toActionEffect(action: CstNode, reading: Reading): Effect {
  const gate = optionalToken(action, "word");
  if (gate) return { kind: gate.image as GateWord, wordSpan: spanOfToken(gate), span: spanOfToken(gate) };
  return toAnyEffect(action, reading);
}

/** The effect or permission a node holds. */
function toAnyEffect(parent: CstNode, reading: Reading): Effect {
  const permission = optionalNode(parent, "permission");
  if (permission) {
    const denials = nodes(permission, "text").map((text) => toText(text, reading));
    return { kind: "permission", denials, wordSpan: firstWord(permission, "permission"), span: spanOf(permission) };
  }
  return toEffect(node(parent, "effect"), reading);
}

/** Effects begin with their word, so its span is the first letters of the node. */
function firstWord(parent: CstNode, word: string): Span {
  const { start } = spanOf(parent);
  return { start, end: start + word.length };
}

function toEffect(effect: CstNode, reading: Reading): Effect {
  const tree = onlyChild(effect) as CstNode;
  const span = spanOf(tree);
  const at = (word: string) => ({ wordSpan: firstWord(tree, word), span });
  switch (tree.name) {
    case "setEffect": {
      const value = optionalNode(tree, "text");
      const amount = optionalToken(tree, "NUMBER");
      const read = value ? toText(value, reading) : amount ? toNumber(amount) : toDollar(token(tree, "DOLLAR"));
      return { kind: "set", field: toField(node(tree, "field"), reading), value: read, ...at("set") };
    }
    case "replaceEffect":
      return {
        kind: "replace",
        pattern: toPattern(node(tree, "pattern"), reading),
        replacement: toText(node(tree, "text"), reading),
        fields: toFields(node(tree, "fieldList"), reading),
        ...at("replace"),
      };
    case "redactEffect": {
      const as = optionalNode(tree, "text");
      return {
        kind: "redact",
        pattern: toPattern(node(tree, "pattern"), reading),
        fields: toFields(node(tree, "fieldList"), reading),
        ...(as && { as: toText(as, reading) }),
        ...at("redact"),
      };
    }
    case "tellEffect":
      return { kind: "tell", audience: token(tree, "word").image as "model" | "user", source: toSource(node(tree, "source"), reading), ...at("tell") };
    case "logEffect": {
      const kind = token(tree, "word").image as "log" | "forward";
      return { kind, fields: toFields(optionalNode(tree, "fieldList"), reading), to: toText(node(tree, "text"), reading), ...at(kind) };
    }
    case "runEffect":
      return { kind: "run", command: toText(node(tree, "text"), reading), ...at("run") };
    case "markEffect": {
      const kind = token(tree, "word").image as "mark" | "unmark";
      return { kind, name: toName(node(tree, "name")), ...at(kind) };
    }
    default:
      throw new Error(`no effect is called ${tree.name}`);
  }
}

function toSource(source: CstNode, reading: Reading): Source {
  const text = optionalNode(source, "text");
  const span = spanOf(source);
  if (text && optionalToken(source, '"file"')) return { kind: "file", path: toText(text, reading), span };
  if (text && optionalToken(source, '"output"')) return { kind: "output-of", command: toText(text, reading), span };
  return toSimple(source, reading) as Source;
}

export function toTrigger(trigger: CstNode, reading: Reading): Trigger {
  const word = optionalToken(trigger, "word")?.image;
  const span = spanOf(trigger);
  if (word === "on") {
    const [event, ...of] = nodes(trigger, "event").map((child) => toEvent(child, reading));
    return { kind: "on", event: presume(event, "event"), of, span };
  }
  const tools = nodes(node(trigger, "selector"), "toolRef").map((tool) => toTool(tool, reading));
  return { kind: "tools", moment: word === "after" ? "after" : "before", tools, span };
}

function toEvent(event: CstNode, reading: Reading): Name | Text {
  const name = optionalNode(event, "name");
  return name ? toName(name) : toText(node(event, "text"), reading);
}

function toTool(tool: CstNode, reading: Reading): ToolReference {
  const span = spanOf(tool);
  const quoted = optionalToken(tool, StringLiteral.name) ?? optionalToken(tool, Raw.name);
  if (quoted) return { kind: "host-tool", name: readText(quoted, reading).value, span };
  if (optionalToken(tool, '"mcp"')) return { kind: "mcp", patterns: nodes(tool, "mcpPat").map((pattern) => toMcpPattern(pattern, reading)), span };
  if (optionalToken(tool, '"agent"')) return { kind: "agent", names: nodes(tool, "text").map((text) => toText(text, reading)), span };
  return { kind: "class", name: token(tool, "WORD").image, span };
}

function toMcpPattern(pattern: CstNode, reading: Reading): McpPattern {
  const [server, tool] = nodes(pattern, "mcpPart").map((part) => toMcpPart(part, reading));
  return { server: presume(server, "server"), ...(tool && { tool }), span: spanOf(pattern) };
}

function toMcpPart(part: CstNode, reading: Reading): McpPart {
  const quoted = optionalToken(part, StringLiteral.name);
  const name = optionalNode(part, "name");
  const text = quoted ? readText(quoted, reading).value : name ? toName(name).text : "";
  return { text, star: optionalToken(part, '"*"') !== undefined, span: spanOf(part) };
}

function toClause(clause: CstNode, reading: Reading): Clause {
  const example = optionalNode(clause, "example");
  if (example) return toExample(example, reading);
  const span = spanOf(clause);
  const word = token(clause, "word").image as Exclude<Clause["kind"], "example">;
  switch (word) {
    case "unless":
      return { kind: word, condition: toCondition(node(clause, "cond"), reading), span };
    case "because":
    case "suggest":
      return { kind: word, text: toText(node(clause, "text"), reading), span };
    case "else":
      return { kind: word, action: toElseAction(node(clause, "elseAction"), reading), span };
    case "for":
      return { kind: word, hosts: toNames(node(clause, "nameList")), span };
    case "id":
    case "severity":
      return { kind: word, name: toName(node(clause, "name")), span };
    case "timeout":
      return { kind: word, duration: toDuration(token(clause, "DURATION")), span };
    case "limit":
      return { kind: word, count: toNumber(token(clause, "NUMBER")), span };
    case "also":
      return { kind: word, effect: toAnyEffect(clause, reading), span };
    default:
      throw new Error(`no clause begins with ${word satisfies never}`);
  }
}

function toElseAction(action: CstNode, reading: Reading): ElseAction {
  const word = optionalToken(action, "word");
  const span = spanOf(action);
  return word ? { kind: word.image as "deny" | "ask" | "skip", span } : { kind: "effect", effect: toEffect(node(action, "effect"), reading), span };
}

function toExample(example: CstNode, reading: Reading): Example {
  const verdict = optionalNode(example, "verdict");
  const becomes = optionalNode(example, "text");
  const hosts = optionalNode(example, "nameList");
  const stimulus = toStimulus(node(example, "stimulus"), reading);
  if (hosts) refuseForOnItsOwnLine(spanOfToken(token(example, '"for"')), becomes ? spanOf(becomes) : stimulus.span, spanOf(hosts), reading);
  return {
    kind: "example",
    ...(verdict && { verdict: toVerdict(verdict) }),
    stimulus,
    ...(becomes && { becomes: toText(becomes, reading) }),
    hosts: toNames(hosts),
    span: spanOf(example),
  };
}

export function toVerdict(verdict: CstNode): Verdict {
  return token(verdict, "word").image as Verdict;
}

/** A `for` on a line of its own reads like the rule's, and would limit nothing but the example above it. */
function refuseForOnItsOwnLine(word: Span, before: Span, hosts: Span, reading: Reading): void {
  if (!isLineBreakBetween(before, word, reading)) return;
  reading.found.push(
    diagnose("syntax/for-taken-by-example", {}, {
      file: reading.file,
      span: joinSpans(word, hosts),
      labels: [{ span: before, text: "this example would take it" }],
      notes: ["A `for` behind an example says on which hosts the example is tried, and a line break does not change that."],
      help: { text: "put the rule's own `for` above its first `example`, or the example's on the line of the example" },
    }),
  );
}

export function toStimulus(stimulus: CstNode, reading: Reading): Stimulus {
  const span = spanOf(stimulus);
  const fields = nodes(stimulus, "field");
  if (fields.length === 0) return { kind: "texts", texts: nodes(stimulus, "text").map((text) => toText(text, reading)), span };
  const values = nodes(stimulus, "scalar");
  return {
    kind: "fields",
    fields: fields.map((field, index) => ({
      field: toField(field, reading),
      value: toSimple(inner(presume(values[index], "value")), reading) as Text,
    })),
    span,
  };
}

/** A scalar's text is one rule further down than its number. */
function inner(scalar: CstNode): CstNode {
  return optionalNode(scalar, "text") ?? scalar;
}
