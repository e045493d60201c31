/** The tree of one statement in, its node out. */
import type { CstNode } from "chevrotain";
import { diagnose } from "../diagnostics/catalogue.ts";
import type { DefaultDeclaration, Expectation, LetDeclaration, Name, RuleReference, Statement, TestBlock, TestStep, Toggle, UseDeclaration } from "./ast.ts";
import { toComparison, toCondition } from "./conditions.ts";
import { node, nodes, onlyChild, optionalNode, optionalToken, presume, spanOf, spanOfToken, token, tokens, type Reading } from "./cst.ts";
import { nameOfToken, toDuration, toField, toList, toLiteral, toName, toNames, toNumber, toSize, toText } from "./literals.ts";
import { toRule, toStimulus, toTrigger, toVerdict } from "./rules.ts";
import { readText } from "./text.ts";

export function toStatement(statement: CstNode, reading: Reading): Statement {
  const tree = onlyChild(statement) as CstNode;
  const span = spanOf(tree);
  switch (tree.name) {
    case "policyDecl": {
      const description = optionalNode(tree, "text");
      return { kind: "policy", name: toName(node(tree, "name")), ...(description && { description: toText(description, reading) }), span };
    }
    case "targetDecl":
      return { kind: "target", hosts: toNames(node(tree, "nameList")), span };
    case "defaultDecl":
      return toDefault(tree, reading);
    case "useDecl":
      return toUse(tree, reading);
    case "letDecl":
      return toLet(tree, reading);
    case "toggle":
      return toToggle(tree, reading);
    case "testBlock":
      return toTestBlock(tree, reading);
    case "rule":
      return toRule(tree, reading);
    default:
      throw new Error(`no statement is called ${tree.name}`);
  }
}

function toDefault(tree: CstNode, reading: Reading): DefaultDeclaration {
  const name = optionalNode(tree, "name");
  const setting = name ? toName(name) : nameOfToken(token(tree, '"timeout"'));
  return { kind: "default", setting, value: toSettingValue(tree, reading), span: spanOf(tree) };
}

function toSettingValue(tree: CstNode, reading: Reading): DefaultDeclaration["value"] {
  const duration = optionalToken(tree, "DURATION");
  const size = optionalToken(tree, "SIZE");
  const amount = optionalToken(tree, "NUMBER");
  const text = optionalNode(tree, "text");
  if (duration) return toDuration(duration);
  if (size) return toSize(size);
  if (amount) return toNumber(amount);
  return text ? toText(text, reading) : nameOfToken(token(tree, "ANYWORD"));
}

function toUse(tree: CstNode, reading: Reading): UseDeclaration {
  const modules = nodes(tree, "module").map((module) => {
    const path = optionalToken(module, "MODPATH");
    return path ? ({ kind: "module-path", text: path.image, span: spanOfToken(path) } as const) : toText(node(module, "text"), reading);
  });
  return { kind: "use", modules, grants: tokens(tree, "ANYWORD").map(nameOfToken), span: spanOf(tree) };
}

function toLet(tree: CstNode, reading: Reading): LetDeclaration {
  const dollar = token(tree, "DOLLAR");
  const literal = optionalNode(tree, "literal");
  const list = optionalNode(tree, "list");
  if (dollar.image.includes(".")) {
    reading.found.push(
      diagnose("syntax/unexpected", { expected: "a name without a dot", found: `\`${dollar.image}\`` }, {
        file: reading.file,
        span: spanOfToken(dollar),
        notes: ["`$lib.name` is what a file that uses this one calls its `$name`."],
        help: { text: `define it as \`${dollar.image.slice(0, dollar.image.indexOf("."))}\`` },
      }),
    );
  }
  const name: Name = { kind: "name", text: dollar.image.slice(1), span: spanOfToken(dollar) };
  const value = literal ? toLiteral(literal, reading) : list ? toList(list, reading) : toCondition(node(tree, "cond"), reading);
  return { kind: "let", name, value, span: spanOf(tree) };
}

function toToggle(tree: CstNode, reading: Reading): Toggle {
  const because = optionalNode(tree, "text");
  const until = optionalToken(tree, "STRING");
  return {
    kind: token(tree, "word").image as Toggle["kind"],
    target: toRuleReference(node(tree, "ruleRef")),
    ...(because && { because: toText(because, reading) }),
    ...(until && { until: readText(until, reading) }),
    span: spanOf(tree),
  };
}

function toRuleReference(reference: CstNode): RuleReference {
  const path = optionalToken(reference, "MODPATH");
  const [first, second] = nodes(reference, "name").map(toName);
  const span = spanOf(reference);
  if (path) return { module: { kind: "module-path", text: path.image, span: spanOfToken(path) }, ...(first && { rule: first }), span };
  return second ? { module: presume(first, "module"), rule: second, span } : { rule: presume(first, "rule"), span };
}

function toTestBlock(tree: CstNode, reading: Reading): TestBlock {
  return {
    kind: "test",
    title: toText(node(tree, "text"), reading),
    hosts: toNames(optionalNode(tree, "nameList")),
    steps: nodes(tree, "step").map((step) => toStep(step, reading)),
    span: spanOf(tree),
  };
}

function toStep(step: CstNode, reading: Reading): TestStep {
  const stimulus = optionalNode(step, "stimulus");
  return {
    trigger: toTrigger(node(step, "trigger"), reading),
    ...(stimulus && { stimulus: toStimulus(stimulus, reading) }),
    expectations: nodes(step, "expect").map((expect) => toExpectation(expect, reading)),
    span: spanOf(step),
  };
}

function toExpectation(expect: CstNode, reading: Reading): Expectation {
  const verdict = optionalNode(expect, "verdict");
  const by = optionalNode(expect, "ruleRef");
  const span = spanOf(expect);
  if (verdict) return { kind: "verdict", verdict: toVerdict(verdict), verdictSpan: spanOf(verdict), ...(by && { by: toRuleReference(by) }), span };
  return { kind: "field", field: toField(node(expect, "field"), reading), comparison: toComparison(node(expect, "comparison"), reading), span };
}
