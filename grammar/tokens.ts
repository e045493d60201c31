/**
 * Token types and the lexer: text in, tokens out. Nothing is ever lost: what no rule of the grammar may hold (an
 * unclosed string, `&&`, a smart quote) is a token too, one of the faults, so that its message can say what was meant.
 */
import { createToken, Lexer, type IToken, type TokenType } from "chevrotain";

/** End a command after `runs`; never a name. */
export const structureWords = [
  "and", "or", "not", "with", "without", "into", "when", "unless", "because", "suggest", "else", "for", "id", "severity",
  "timeout", "limit", "also", "example",
] as const;

/** Start something inside a rule or a condition; neither command words nor names. */
export const verbWords = [
  "deny", "ask", "allow", "retry", "pass", "skip", "runs", "only", "touches", "reads", "writes", "deletes", "pipes", "has",
  "succeeds", "marked", "in", "contains", "starts", "ends", "matches", "to", "of", "as", "by", "on", "before", "after",
  "becomes", "until", "given", "expect",
] as const;

/** Mean something only in their place; everywhere else they are plain words. */
export const nounWords = [
  "policy", "target", "default", "use", "let", "disable", "observe", "permission", "test", "set", "replace", "redact", "tell",
  "log", "run", "forward", "mark", "unmark", "model", "user", "mcp", "agent", "file", "output",
] as const;

export type Keyword = (typeof structureWords)[number] | (typeof verbWords)[number] | (typeof nounWords)[number];

/** BARE may stand unquoted in a command, NAME may name something, ANYWORD is every word there is. */
export const Bare = createToken({ name: "BARE", pattern: Lexer.NA });
export const Name = createToken({ name: "NAME", pattern: Lexer.NA });
export const AnyWord = createToken({ name: "ANYWORD", pattern: Lexer.NA });

/**
 * The newline straight in front of a line that begins at column 1 with anything but `]` or `)`. Blank lines and comments
 * are not such lines, so they never end a statement, and one look at the next character decides.
 */
export const NewLine = createToken({ name: "NL", pattern: /\r?\n(?=[^ \t#\])\r\n]|\r(?!\n))/ });
const Blank = createToken({ name: "BLANK", pattern: /[ \t]+|\r?\n/, group: Lexer.SKIPPED });
const ByteOrderMark = createToken({
  name: "BOM",
  pattern: { exec: (text, offset) => (offset === 0 && text.startsWith("\uFEFF") ? /^./.exec(text) : null) },
  start_chars_hint: ["\uFEFF"],
  line_breaks: false,
  group: Lexer.SKIPPED,
});
export const Comment = createToken({ name: "COMMENT", pattern: /#[^\n\r]*/, group: "comments" });

export const Heredoc = createToken({ name: "HEREDOC", pattern: /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""/ });
export const StringLiteral = createToken({ name: "STRING", pattern: /"(?:[^"\\\n\r]|\\[^\n\r])*"/ });
export const Raw = createToken({ name: "RAW", pattern: /'[^'\n\r]*'/ });
/** Every letter behind the slash counts as a flag, so that a wrong one is named instead of being a stray word. */
export const RegexLiteral = createToken({
  name: "REGEX",
  pattern: /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[A-Za-z]*/,
});
export const Duration = createToken({ name: "DURATION", pattern: /\d+(?:\.\d+)?(?:ms|s|m|h)(?![\w-])/ });
export const Size = createToken({ name: "SIZE", pattern: /\d+(?:kb|mb)(?![\w-])/i });
export const NumberLiteral = createToken({ name: "NUMBER", pattern: /\d+(?:\.\d+)?(?![\w-]|\.\d)/ });
export const Flag = createToken({ name: "FLAG", pattern: /--?[A-Za-z0-9][\w-]*/ });
export const Dollar = createToken({ name: "DOLLAR", pattern: /\$[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)?/ });
export const ModulePath = createToken({
  name: "MODPATH",
  pattern: /[A-Za-z_][\w-]*(?:\/\.?[A-Za-z_][\w-]*)+/,
  categories: [Bare],
});
export const Word = createToken({ name: "WORD", pattern: /[A-Za-z_][\w-]*/, categories: [Bare, Name, AnyWord] });

/** Named as the grammar page prints it: in quotes. */
function signToken(text: string): TokenType {
  return createToken({ name: `"${text}"`, pattern: text });
}

export const sign = {
  open: signToken("("),
  close: signToken(")"),
  openList: signToken("["),
  closeList: signToken("]"),
  comma: signToken(","),
  dot: signToken("."),
  star: signToken("*"),
  assign: signToken("="),
  equal: signToken("=="),
  unequal: signToken("!="),
  less: signToken("<"),
  lessOrEqual: signToken("<="),
  greater: signToken(">"),
  greaterOrEqual: signToken(">="),
  match: signToken("~"),
  mismatch: signToken("!~"),
};

/** Token types that no rule of the grammar mentions: a statement that holds one is refused without being parsed. */
export const fault = {
  openHeredoc: createToken({ name: "unclosed text in triple quotes", pattern: /"""[^\n\r]*/ }),
  openString: createToken({ name: "unclosed string", pattern: /"(?:[^"\\\n\r]|\\[^\n\r])*\\?/ }),
  openRaw: createToken({ name: "unclosed raw string", pattern: /'[^'\n\r]*/ }),
  doubleSlash: createToken({ name: "double slash", pattern: /\/\/[^\n\r]*/ }),
  openRegex: createToken({ name: "unclosed pattern", pattern: /\/[^\n\r]*/ }),
  gluedNumber: createToken({ name: "number glued to letters", pattern: /\d[\w.-]*/ }),
  foreignSign: createToken({ name: "sign of another language", pattern: /&&|\|\||=~|={3}|!==|<>/ }),
  loneSign: createToken({ name: "lone sign of another language", pattern: /[!;&|]/ }),
  curlyQuote: createToken({
    name: "curly quote",
    pattern: /[\u2018-\u201F\u00AB\u00BB\u2039\u203A](?:[^\n\r"'\u2018-\u201F\u00AB\u00BB\u2039\u203A]*[\u2018-\u201F\u00AB\u00BB\u2039\u203A])?/,
  }),
};

function keywordTokens(words: readonly Keyword[], categories: TokenType[]): [Keyword, TokenType][] {
  return words.map((text) => [text, createToken({ name: `"${text}"`, pattern: text, longer_alt: Word, categories })]);
}

export const keyword = Object.fromEntries([
  ...keywordTokens(structureWords, [AnyWord]),
  ...keywordTokens(verbWords, [AnyWord]),
  ...keywordTokens(nounWords, [Bare, Name, AnyWord]),
]) as Record<Keyword, TokenType>;

/**
 * The first match wins: module paths stand before all words, longer signs before their beginnings, faults behind what
 * they are a broken form of, and keywords by length, since Chevrotain refuses one that begins a later one.
 */
export const tokenTypes: readonly TokenType[] = [
  ByteOrderMark, NewLine, Blank, Comment,
  Heredoc, fault.openHeredoc, StringLiteral, fault.openString, Raw, fault.openRaw,
  RegexLiteral, fault.doubleSlash, fault.openRegex,
  Duration, Size, NumberLiteral, fault.gluedNumber, Flag, Dollar,
  sign.mismatch, fault.foreignSign,
  sign.match, sign.equal, sign.unequal, sign.lessOrEqual, sign.greaterOrEqual, sign.less, sign.greater, sign.assign,
  sign.open, sign.close, sign.openList, sign.closeList, sign.comma, sign.dot, sign.star, fault.loneSign, fault.curlyQuote,
  ModulePath,
  ...Object.values(keyword).sort((a, b) => b.name.length - a.name.length),
  Word, Bare, Name, AnyWord,
];

/** `validate` runs Chevrotain's own checks of the token table; they cost start-up time and change nothing at run time. */
export function createLexer(options: { validate: boolean }): Lexer {
  return new Lexer([...tokenTypes], {
    positionTracking: "onlyOffset",
    ensureOptimizations: true,
    skipValidations: !options.validate,
  });
}

/** What a text is made of; `strays` are characters that begin no token. Comments stand apart, in order. */
export interface Tokens {
  readonly tokens: readonly IToken[];
  readonly comments: readonly IToken[];
  readonly strays: readonly { readonly offset: number; readonly length: number }[];
}

export function tokenize(lexer: Lexer, text: string): Tokens {
  const { tokens, groups, errors } = lexer.tokenize(text);
  // The lexer leaves the end out when it tracks offsets only, and the parser's node locations need it.
  for (const token of tokens) token.endOffset = token.startOffset + token.image.length - 1;
  return { tokens, comments: groups["comments"] ?? [], strays: errors };
}
