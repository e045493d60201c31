/**
 * The grammar: tokens in, concrete syntax tree out, one token of lookahead, no meaning. `policy.ebnf` beside this file is
 * printed from it. Rules stand in the order in which the language page tells them.
 */
import { CstParser, EOF, NoViableAltException, EarlyExitException, type CstNode, type IParserErrorMessageProvider, type ParserMethod, type TokenType } from "chevrotain";
import { readLookahead, type Choice, type Lookahead } from "./lookahead.ts";
import {
  AnyWord, Bare, Dollar, Duration, Flag, Heredoc, ModulePath, Name, NewLine, NumberLiteral, Raw, RegexLiteral, Size,
  StringLiteral, Word, keyword, sign, tokenTypes,
} from "./tokens.ts";

type Production = ParserMethod<[], CstNode>;

/** The word that tells the alternatives of a rule apart stands under this name in the tree. */
const word = { LABEL: "word" };

/** Sentences are made elsewhere; of a mismatch the name of the wanted token is all they need. */
const bareFacts: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.name,
  buildNotAllInputParsedMessage: () => "",
  buildNoViableAltMessage: () => "",
  buildEarlyExitMessage: () => "",
};

/** What Chevrotain does not declare: where it keeps its choices, and that they are complete. */
interface Inside {
  selfAnalysisDone: boolean;
  readonly lookAheadFuncsCache: Map<number, Choice>;
  SAVE_ERROR(error: Error): Error;
}

export class PolicyParser extends CstParser {
  /**
   * `validate` runs Chevrotain's checks of the grammar (ambiguity, left recursion): once in the tests, not at every start.
   * With a table of choices the parser need not work them out, which takes longer than reading most policies.
   */
  constructor(options: { validate: boolean; lookahead?: Lookahead | undefined }) {
    super([...tokenTypes], {
      maxLookahead: 1,
      nodeLocationTracking: "onlyOffset",
      skipValidations: !options.validate,
      errorMessageProvider: bareFacts,
    });
    if (options.lookahead === undefined) this.performSelfAnalysis();
    else {
      for (const [key, choice] of readLookahead(options.lookahead)) this.inside.lookAheadFuncsCache.set(key, choice);
      this.inside.selfAnalysisDone = true;
    }
  }

  /** By Chevrotain's key of it, every choice of the grammar. */
  get choices(): ReadonlyMap<number, Choice> {
    return this.inside.lookAheadFuncsCache;
  }

  /** Chevrotain would work out every path that could go on from here, for a message that nobody reads. */
  raiseNoAltException(): never {
    throw this.inside.SAVE_ERROR(new NoViableAltException("", this.LA(1), this.LA(0)));
  }

  raiseEarlyExitException(): never {
    throw this.inside.SAVE_ERROR(new EarlyExitException("", this.LA(1), this.LA(0)));
  }

  private get inside(): Inside {
    return this as unknown as Inside;
  }

  readonly file: Production = this.RULE("file", () => {
    this.MANY(() =>
      this.OR([
        { ALT: () => this.CONSUME(NewLine) },
        {
          ALT: () => {
            this.SUBRULE(this.statement);
            this.OR1([{ ALT: () => this.CONSUME1(NewLine) }, { ALT: () => this.CONSUME(EOF) }]);
          },
        },
      ]),
    );
  });

  readonly statement: Production = this.RULE("statement", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.policyDecl) },
      { ALT: () => this.SUBRULE(this.targetDecl) },
      { ALT: () => this.SUBRULE(this.defaultDecl) },
      { ALT: () => this.SUBRULE(this.useDecl) },
      { ALT: () => this.SUBRULE(this.letDecl) },
      { ALT: () => this.SUBRULE(this.toggle) },
      { ALT: () => this.SUBRULE(this.testBlock) },
      { ALT: () => this.SUBRULE(this.policyRule) },
    ]);
  });

  readonly policyDecl: Production = this.RULE("policyDecl", () => {
    this.CONSUME(keyword.policy);
    this.SUBRULE(this.name);
    this.OPTION(() => this.SUBRULE(this.text));
  });

  readonly targetDecl: Production = this.RULE("targetDecl", () => {
    this.CONSUME(keyword.target);
    this.SUBRULE(this.nameList);
  });

  readonly defaultDecl: Production = this.RULE("defaultDecl", () => {
    this.CONSUME(keyword.default);
    this.OR([{ ALT: () => this.CONSUME(keyword.timeout) }, { ALT: () => this.SUBRULE(this.name) }]);
    this.OR1([
      { ALT: () => this.CONSUME(Duration) },
      { ALT: () => this.CONSUME(Size) },
      { ALT: () => this.CONSUME(NumberLiteral) },
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(AnyWord) },
    ]);
  });

  readonly useDecl: Production = this.RULE("useDecl", () => {
    this.CONSUME(keyword.use);
    this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.module) });
    this.OPTION(() => {
      this.CONSUME(keyword.with);
      this.AT_LEAST_ONE_SEP1({ SEP: sign.comma, DEF: () => this.CONSUME(AnyWord) });
    });
  });

  readonly module: Production = this.RULE("module", () => {
    this.OR([{ ALT: () => this.CONSUME(ModulePath) }, { ALT: () => this.SUBRULE(this.text) }]);
  });

  readonly letDecl: Production = this.RULE("letDecl", () => {
    this.CONSUME(keyword.let);
    this.CONSUME(Dollar);
    this.CONSUME(sign.assign);
    this.OR([
      { ALT: () => this.SUBRULE(this.literal) },
      { ALT: () => this.SUBRULE(this.list) },
      { ALT: () => this.SUBRULE(this.cond) },
    ]);
  });

  readonly toggle: Production = this.RULE("toggle", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(keyword.disable, word);
          this.SUBRULE(this.ruleRef);
          this.CONSUME(keyword.because);
          this.SUBRULE(this.text);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.observe, word);
          this.SUBRULE1(this.ruleRef);
        },
      },
    ]);
    this.OPTION(() => {
      this.CONSUME(keyword.until);
      this.CONSUME(StringLiteral);
    });
  });

  /** A module alone parses, so that the check can refuse it with the ids to choose from. */
  readonly ruleRef: Production = this.RULE("ruleRef", () => {
    this.OR([{ ALT: () => this.CONSUME(ModulePath) }, { ALT: () => this.SUBRULE(this.name) }]);
    this.OPTION(() => {
      this.CONSUME(sign.dot);
      this.SUBRULE1(this.name);
    });
  });

  readonly policyRule: Production = this.RULE("rule", () => {
    this.SUBRULE(this.action);
    this.OPTION(() => {
      this.CONSUME(keyword.when);
      this.SUBRULE(this.cond);
    });
    this.MANY(() => this.SUBRULE(this.clause));
  });

  readonly action: Production = this.RULE("action", () => {
    this.OR([
      {
        ALT: () => {
          this.oneOf(1, [keyword.deny, keyword.ask, keyword.allow, keyword.retry]);
          this.SUBRULE(this.trigger);
        },
      },
      {
        ALT: () => {
          this.SUBRULE(this.effect);
          this.SUBRULE1(this.trigger);
        },
      },
      { ALT: () => this.SUBRULE(this.permission) },
    ]);
  });

  readonly effect: Production = this.RULE("effect", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.setEffect) },
      { ALT: () => this.SUBRULE(this.replaceEffect) },
      { ALT: () => this.SUBRULE(this.redactEffect) },
      { ALT: () => this.SUBRULE(this.tellEffect) },
      { ALT: () => this.SUBRULE(this.logEffect) },
      { ALT: () => this.SUBRULE(this.runEffect) },
      { ALT: () => this.SUBRULE(this.markEffect) },
    ]);
  });

  readonly setEffect: Production = this.RULE("setEffect", () => {
    this.CONSUME(keyword.set);
    this.SUBRULE(this.field);
    this.CONSUME(keyword.to);
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(NumberLiteral) },
      { ALT: () => this.CONSUME(Dollar) },
    ]);
  });

  readonly replaceEffect: Production = this.RULE("replaceEffect", () => {
    this.CONSUME(keyword.replace);
    this.SUBRULE(this.pattern);
    this.CONSUME(keyword.with);
    this.SUBRULE(this.text);
    this.CONSUME(keyword.in);
    this.SUBRULE(this.fieldList);
  });

  readonly redactEffect: Production = this.RULE("redactEffect", () => {
    this.CONSUME(keyword.redact);
    this.SUBRULE(this.pattern);
    this.CONSUME(keyword.in);
    this.SUBRULE(this.fieldList);
    this.OPTION(() => {
      this.CONSUME(keyword.as);
      this.SUBRULE(this.text);
    });
  });

  readonly tellEffect: Production = this.RULE("tellEffect", () => {
    this.CONSUME(keyword.tell);
    this.oneOf(1, [keyword.model, keyword.user]);
    this.SUBRULE(this.source);
  });

  readonly logEffect: Production = this.RULE("logEffect", () => {
    this.oneOf(1, [keyword.log, keyword.forward]);
    this.OPTION(() => this.SUBRULE(this.fieldList));
    this.CONSUME(keyword.to);
    this.SUBRULE(this.text);
  });

  readonly runEffect: Production = this.RULE("runEffect", () => {
    this.CONSUME(keyword.run);
    this.SUBRULE(this.text);
  });

  readonly markEffect: Production = this.RULE("markEffect", () => {
    this.oneOf(1, [keyword.mark, keyword.unmark]);
    this.SUBRULE(this.name);
  });

  readonly permission: Production = this.RULE("permission", () => {
    this.CONSUME(keyword.permission);
    this.CONSUME(keyword.deny);
    this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.text) });
  });

  readonly source: Production = this.RULE("source", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      {
        ALT: () => {
          this.CONSUME(keyword.file);
          this.SUBRULE1(this.text);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.output);
          this.CONSUME(keyword.of);
          this.SUBRULE2(this.text);
        },
      },
      { ALT: () => this.CONSUME(Dollar) },
      { ALT: () => this.CONSUME(NumberLiteral) },
    ]);
  });

  readonly trigger: Production = this.RULE("trigger", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(keyword.on, word);
          this.SUBRULE(this.event);
          this.OPTION(() => {
            this.CONSUME(keyword.of);
            this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE1(this.event) });
          });
        },
      },
      {
        ALT: () => {
          this.oneOf(1, [keyword.before, keyword.after]);
          this.SUBRULE(this.selector);
        },
      },
      { ALT: () => this.SUBRULE1(this.selector) },
    ]);
  });

  readonly event: Production = this.RULE("event", () => {
    this.OR([{ ALT: () => this.SUBRULE(this.name) }, { ALT: () => this.SUBRULE(this.text) }]);
  });

  readonly selector: Production = this.RULE("selector", () => {
    this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.toolRef) });
  });

  readonly toolRef: Production = this.RULE("toolRef", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(keyword.mcp);
          this.CONSUME(sign.open);
          this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.mcpPat) });
          this.CONSUME(sign.close);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.agent);
          this.OPTION(() => {
            this.CONSUME1(sign.open);
            this.AT_LEAST_ONE_SEP1({ SEP: sign.comma, DEF: () => this.SUBRULE(this.text) });
            this.CONSUME1(sign.close);
          });
        },
      },
      { ALT: () => this.CONSUME(StringLiteral) },
      { ALT: () => this.CONSUME(Raw) },
      { ALT: () => this.CONSUME(Word) },
    ]);
  });

  readonly mcpPat: Production = this.RULE("mcpPat", () => {
    this.SUBRULE(this.mcpPart);
    this.OPTION(() => {
      this.CONSUME(sign.dot);
      this.SUBRULE1(this.mcpPart);
    });
  });

  readonly mcpPart: Production = this.RULE("mcpPart", () => {
    this.OR([
      { ALT: () => this.CONSUME(sign.star) },
      {
        ALT: () => {
          this.SUBRULE(this.name);
          this.OPTION(() => this.CONSUME1(sign.star));
        },
      },
      { ALT: () => this.CONSUME(StringLiteral) },
    ]);
  });

  readonly clause: Production = this.RULE("clause", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(keyword.unless, word);
          this.SUBRULE(this.cond);
        },
      },
      {
        ALT: () => {
          this.oneOf(1, [keyword.because, keyword.suggest]);
          this.SUBRULE(this.text);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.else, word);
          this.SUBRULE(this.elseAction);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.for, word);
          this.SUBRULE(this.nameList);
        },
      },
      {
        ALT: () => {
          this.oneOf(2, [keyword.id, keyword.severity]);
          this.SUBRULE(this.name);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.timeout, word);
          this.CONSUME(Duration);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.limit, word);
          this.CONSUME(NumberLiteral);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.also, word);
          this.OR1([{ ALT: () => this.SUBRULE(this.effect) }, { ALT: () => this.SUBRULE(this.permission) }]);
        },
      },
      { ALT: () => this.SUBRULE(this.example) },
    ]);
  });

  readonly elseAction: Production = this.RULE("elseAction", () => {
    this.OR([
      { ALT: () => this.oneOf(1, [keyword.deny, keyword.ask, keyword.skip]) },
      { ALT: () => this.SUBRULE(this.effect) },
    ]);
  });

  readonly example: Production = this.RULE("example", () => {
    this.CONSUME(keyword.example);
    this.OPTION(() => this.SUBRULE(this.verdict));
    this.SUBRULE(this.stimulus);
    this.OPTION1(() => {
      this.CONSUME(keyword.becomes);
      this.SUBRULE(this.text);
    });
    this.OPTION2(() => {
      this.CONSUME(keyword.for);
      this.SUBRULE(this.nameList);
    });
  });

  readonly verdict: Production = this.RULE("verdict", () => {
    this.oneOf(1, [keyword.deny, keyword.ask, keyword.allow, keyword.retry, keyword.pass]);
  });

  readonly stimulus: Production = this.RULE("stimulus", () => {
    this.OR([
      { ALT: () => this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.text) }) },
      {
        ALT: () =>
          this.AT_LEAST_ONE(() => {
            this.SUBRULE(this.field);
            this.SUBRULE(this.scalar);
          }),
      },
    ]);
  });

  readonly scalar: Production = this.RULE("scalar", () => {
    this.OR([{ ALT: () => this.SUBRULE(this.text) }, { ALT: () => this.CONSUME(NumberLiteral) }]);
  });

  readonly cond: Production = this.RULE("cond", () => {
    this.SUBRULE(this.conj);
    this.MANY(() => {
      this.CONSUME(keyword.or);
      this.SUBRULE1(this.conj);
    });
  });

  readonly conj: Production = this.RULE("conj", () => {
    this.SUBRULE(this.neg);
    this.MANY(() => {
      this.CONSUME(keyword.and);
      this.SUBRULE1(this.neg);
    });
  });

  readonly neg: Production = this.RULE("neg", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(keyword.not);
          this.SUBRULE(this.neg);
        },
      },
      { ALT: () => this.SUBRULE(this.atom) },
    ]);
  });

  readonly atom: Production = this.RULE("atom", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(sign.open);
          this.SUBRULE(this.cond);
          this.CONSUME(sign.close);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.runs, word);
          this.SUBRULE(this.invocation);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.only, word);
          this.CONSUME1(keyword.runs);
          this.SUBRULE1(this.invocation);
        },
      },
      {
        ALT: () => {
          this.oneOf(1, [keyword.touches, keyword.reads, keyword.writes, keyword.deletes]);
          this.SUBRULE(this.rhs);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.pipes, word);
          this.SUBRULE(this.command);
          this.CONSUME(keyword.into);
          this.SUBRULE1(this.command);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.has, word);
          this.SUBRULE(this.field);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.succeeds, word);
          this.SUBRULE(this.text);
        },
      },
      {
        ALT: () => {
          this.CONSUME(keyword.marked, word);
          this.SUBRULE(this.name);
        },
      },
      {
        ALT: () => {
          this.CONSUME(Dollar);
          this.OPTION(() => this.SUBRULE(this.comparison));
        },
      },
      {
        ALT: () => {
          this.SUBRULE(this.operand);
          this.OPTION1(() => this.SUBRULE1(this.comparison));
        },
      },
    ]);
  });

  readonly operand: Production = this.RULE("operand", () => {
    this.SUBRULE(this.field);
    this.OPTION(() => {
      this.CONSUME(sign.open);
      this.SUBRULE1(this.field);
      this.CONSUME(sign.close);
    });
  });

  readonly comparison: Production = this.RULE("comparison", () => {
    this.OR([
      {
        ALT: () =>
          this.oneOf(1, [
            sign.match, sign.mismatch, sign.equal, sign.unequal, sign.less, sign.lessOrEqual, sign.greater, sign.greaterOrEqual,
            keyword.in, keyword.contains, keyword.matches,
          ]),
      },
      {
        ALT: () => {
          this.CONSUME(keyword.not, word);
          this.CONSUME1(keyword.in, word);
        },
      },
      {
        ALT: () => {
          this.oneOf(2, [keyword.starts, keyword.ends]);
          this.CONSUME(keyword.with, word);
        },
      },
    ]);
    this.SUBRULE(this.rhs);
  });

  readonly rhs: Production = this.RULE("rhs", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.literal) },
      { ALT: () => this.SUBRULE(this.list) },
      { ALT: () => this.CONSUME(Dollar) },
      { ALT: () => this.SUBRULE(this.field) },
    ]);
  });

  readonly invocation: Production = this.RULE("invocation", () => {
    this.SUBRULE(this.command);
    this.MANY(() => this.SUBRULE(this.argument));
  });

  readonly command: Production = this.RULE("command", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(sign.openList);
          this.SUBRULE(this.words);
          this.MANY({
            GATE: () => this.commaBeforeItem(),
            DEF: () => {
              this.CONSUME(sign.comma);
              this.SUBRULE1(this.words);
            },
          });
          this.OPTION(() => this.CONSUME1(sign.comma));
          this.CONSUME(sign.closeList);
          this.MANY1(() => this.SUBRULE(this.cmdWord));
        },
      },
      { ALT: () => this.SUBRULE2(this.words) },
    ]);
  });

  readonly words: Production = this.RULE("words", () => {
    this.AT_LEAST_ONE(() => this.SUBRULE(this.cmdWord));
  });

  readonly cmdWord: Production = this.RULE("cmdWord", () => {
    this.OR([
      { ALT: () => this.CONSUME(Bare) },
      { ALT: () => this.CONSUME(StringLiteral) },
      { ALT: () => this.CONSUME(Raw) },
      { ALT: () => this.CONSUME(Flag) },
      { ALT: () => this.CONSUME(Dollar) },
    ]);
  });

  readonly argument: Production = this.RULE("argument", () => {
    this.oneOf(1, [keyword.with, keyword.without]);
    this.OR([
      { ALT: () => this.SUBRULE(this.arg) },
      {
        ALT: () => {
          this.CONSUME(sign.openList);
          this.SUBRULE1(this.arg);
          this.MANY({
            GATE: () => this.commaBeforeItem(),
            DEF: () => {
              this.CONSUME(sign.comma);
              this.SUBRULE2(this.arg);
            },
          });
          this.OPTION(() => this.CONSUME1(sign.comma));
          this.CONSUME(sign.closeList);
        },
      },
    ]);
  });

  readonly arg: Production = this.RULE("arg", () => {
    this.OR([
      { ALT: () => this.CONSUME(Flag) },
      { ALT: () => this.CONSUME(StringLiteral) },
      { ALT: () => this.CONSUME(Raw) },
      { ALT: () => this.CONSUME(RegexLiteral) },
      { ALT: () => this.CONSUME(Dollar) },
      { ALT: () => this.CONSUME(Bare) },
    ]);
  });

  readonly pattern: Production = this.RULE("pattern", () => {
    this.OR([
      { ALT: () => this.CONSUME(RegexLiteral) },
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(Dollar) },
      { ALT: () => this.SUBRULE(this.list) },
    ]);
  });

  readonly literal: Production = this.RULE("literal", () => {
    this.OR([
      { ALT: () => this.CONSUME(RegexLiteral) },
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(NumberLiteral) },
      { ALT: () => this.CONSUME(Duration) },
      { ALT: () => this.CONSUME(Size) },
    ]);
  });

  /** The comma is optional here because a line break may stand for it; two items on one line are refused later. */
  readonly list: Production = this.RULE("list", () => {
    this.CONSUME(sign.openList);
    this.SUBRULE(this.item);
    this.MANY({
      GATE: () => this.commaBeforeItem(),
      DEF: () => {
        this.OPTION(() => this.CONSUME(sign.comma));
        this.SUBRULE1(this.item);
      },
    });
    this.OPTION1(() => this.CONSUME1(sign.comma));
    this.CONSUME(sign.closeList);
  });

  readonly item: Production = this.RULE("item", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.literal) },
      { ALT: () => this.CONSUME(Dollar) },
      { ALT: () => this.CONSUME(Flag) },
      {
        ALT: () => {
          this.CONSUME(Name, word);
          this.MANY(() => this.OR1([{ ALT: () => this.CONSUME1(Name, word) }, { ALT: () => this.CONSUME1(Flag, word) }]));
        },
      },
    ]);
  });

  readonly text: Production = this.RULE("text", () => {
    this.OR([
      { ALT: () => this.CONSUME(StringLiteral) },
      { ALT: () => this.CONSUME(Raw) },
      { ALT: () => this.CONSUME(Heredoc) },
    ]);
  });

  readonly field: Production = this.RULE("field", () => {
    this.SUBRULE(this.name);
    this.MANY(() => {
      this.CONSUME(sign.dot);
      this.OR([
        { ALT: () => this.CONSUME(AnyWord, { LABEL: "part" }) },
        { ALT: () => this.CONSUME(StringLiteral, { LABEL: "part" }) },
      ]);
    });
  });

  readonly fieldList: Production = this.RULE("fieldList", () => {
    this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.field) });
  });

  readonly nameList: Production = this.RULE("nameList", () => {
    this.AT_LEAST_ONE_SEP({ SEP: sign.comma, DEF: () => this.SUBRULE(this.name) });
  });

  readonly name: Production = this.RULE("name", () => {
    this.CONSUME(Name);
  });

  readonly testBlock: Production = this.RULE("testBlock", () => {
    this.CONSUME(keyword.test);
    this.SUBRULE(this.text);
    this.OPTION(() => {
      this.CONSUME(keyword.for);
      this.SUBRULE(this.nameList);
    });
    this.AT_LEAST_ONE(() => this.SUBRULE(this.step));
  });

  readonly step: Production = this.RULE("step", () => {
    this.CONSUME(keyword.given);
    this.SUBRULE(this.trigger);
    this.OPTION(() => this.SUBRULE(this.stimulus));
    this.AT_LEAST_ONE(() => this.SUBRULE(this.expect));
  });

  readonly expect: Production = this.RULE("expect", () => {
    this.CONSUME(keyword.expect);
    this.OR([
      {
        ALT: () => {
          this.SUBRULE(this.verdict);
          this.OPTION(() => {
            this.CONSUME(keyword.by);
            this.SUBRULE(this.ruleRef);
          });
        },
      },
      {
        ALT: () => {
          this.SUBRULE(this.field);
          this.SUBRULE(this.comparison);
        },
      },
    ]);
  });

  /** One of several words, kept under the name `word`. `index` tells two calls in one rule apart. */
  private oneOf(index: number, types: readonly TokenType[]): void {
    this.or(
      10 + index,
      types.map((type) => ({ ALT: () => this.consume(10 + index, type, word) })),
    );
  }

  /** False at a comma that ends a list, and outside of one. The only look at a second token, and it decides nothing but this. */
  private commaBeforeItem(): boolean {
    return this.LA(1).tokenType !== sign.comma || this.LA(2).tokenType !== sign.closeList;
  }
}
