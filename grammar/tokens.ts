/**
 * Token types and the lexer: text in, tokens out. Nothing is ever lost: what no rule of the grammar may hold (an
 * unclosed string, `&&`, a smart quote) is a token too, one of the faults, so that its message can say what was meant.
 */
import { Lexer, type IToken, type ITokenConfig, type TokenType } from "chevrotain";

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

/**
 * As Chevrotain's own function of the name, whose every call goes through all members of the categories: here a lexer or a
 * parser numbers all token types at once.
 */
function createToken({ name, pattern, categories, group, start_chars_hint: starts, line_breaks: lines }: Omit<ITokenConfig, "categories"> & { readonly categories?: TokenType[] }): TokenType {
  const type: TokenType = { name };
  if (pattern !== undefined) type.PATTERN = pattern;
  if (categories) type.CATEGORIES = categories;
  if (group !== undefined) type.GROUP = group;
  if (starts) type.START_CHARS_HINT = starts;
  if (lines !== undefined) type.LINE_BREAKS = lines;
  return type;
}

/** BARE may stand unquoted in a command, NAME may name something, ANYWORD is every word there is. */
export const Bare = createToken({ name: "BARE", pattern: Lexer.NA });
export const Name = createToken({ name: "NAME", pattern: Lexer.NA });
export const AnyWord = createToken({ name: "ANYWORD", pattern: Lexer.NA });

/** How a pattern's matches begin. Chevrotain would read it out of each pattern at every start. */
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"];
const digits = [..."0123456789"];
const curlyQuotes = [..."\u00AB\u00BB\u2018\u2019\u201A\u201B\u201C\u201D\u201E\u201F\u2039\u203A"];

/**
 * The newline straight in front of a line that begins at column 1 with anything but `]` or `)`. Blank lines and comments
 * are not such lines, so they never end a statement, and one look at the next character decides.
 */
export const NewLine = createToken({ name: "NL", pattern: /\r?\n(?=[^ \t#\])\r\n]|\r(?!\n))/, start_chars_hint: ["\n", "\r"] });
const Blank = createToken({ name: "BLANK", pattern: /[ \t]+|\r?\n/, group: Lexer.SKIPPED, start_chars_hint: ["\t", " ", "\n", "\r"] });
const ByteOrderMark = createToken({
  name: "BOM",
  pattern: { exec: (text, offset) => (offset === 0 && text.startsWith("\uFEFF") ? /^./.exec(text) : null) },
  start_chars_hint: ["\uFEFF"],
  line_breaks: false,
  group: Lexer.SKIPPED,
});
export const Comment = createToken({ name: "COMMENT", pattern: /#[^\n\r]*/, group: "comments", start_chars_hint: ["#"] });

export const Heredoc = createToken({ name: "HEREDOC", pattern: /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""/, start_chars_hint: ['"'] });
export const StringLiteral = createToken({ name: "STRING", pattern: /"(?:[^"\\\n\r]|\\[^\n\r])*"/, start_chars_hint: ['"'] });
export const Raw = createToken({ name: "RAW", pattern: /'[^'\n\r]*'/, start_chars_hint: ["'"] });
/** Every letter behind the slash counts as a flag, so that a wrong one is named instead of being a stray word. */
export const RegexLiteral = createToken({
  name: "REGEX",
  pattern: /\/(?:[^/\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[A-Za-z]*/,
  start_chars_hint: ["/"],
});
export const Duration = createToken({ name: "DURATION", pattern: /\d+(?:\.\d+)?(?:ms|s|m|h)(?![\w-])/, start_chars_hint: digits });
export const Size = createToken({ name: "SIZE", pattern: /\d+(?:kb|mb)(?![\w-])/i, start_chars_hint: digits });
export const NumberLiteral = createToken({ name: "NUMBER", pattern: /\d+(?:\.\d+)?(?![\w-]|\.\d)/, start_chars_hint: digits });
export const Flag = createToken({ name: "FLAG", pattern: /--?[A-Za-z0-9][\w-]*/, start_chars_hint: ["-"] });
export const Dollar = createToken({ name: "DOLLAR", pattern: /\$[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)?/, start_chars_hint: ["$"] });
export const ModulePath = createToken({
  name: "MODPATH",
  pattern: /[A-Za-z_][\w-]*(?:\/\.?[A-Za-z_][\w-]*)+/,
  categories: [Bare],
  start_chars_hint: letters,
});
export const Word = createToken({ name: "WORD", pattern: /[A-Za-z_][\w-]*/, categories: [Bare, Name, AnyWord], start_chars_hint: letters });

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
  openHeredoc: createToken({ name: "unclosed text in triple quotes", pattern: /"""[^\n\r]*/, start_chars_hint: ['"'] }),
  openString: createToken({ name: "unclosed string", pattern: /"(?:[^"\\\n\r]|\\[^\n\r])*\\?/, start_chars_hint: ['"'] }),
  openRaw: createToken({ name: "unclosed raw string", pattern: /'[^'\n\r]*/, start_chars_hint: ["'"] }),
  doubleSlash: createToken({ name: "double slash", pattern: /\/\/[^\n\r]*/, start_chars_hint: ["/"] }),
  openRegex: createToken({ name: "unclosed pattern", pattern: /\/[^\n\r]*/, start_chars_hint: ["/"] }),
  gluedNumber: createToken({ name: "number glued to letters", pattern: /\d[\w.-]*/, start_chars_hint: digits }),
  foreignSign: createToken({ name: "sign of another language", pattern: /&&|\|\||=~|={3}|!==|<>/, start_chars_hint: ["!", "&", "<", "=", "|"] }),
  loneSign: createToken({ name: "lone sign of another language", pattern: /[!;&|]/, start_chars_hint: ["!", "&", ";", "|"] }),
  curlyQuote: createToken({
    name: "curly quote",
    pattern: /[\u2018-\u201F\u00AB\u00BB\u2039\u203A](?:[^\n\r"'\u2018-\u201F\u00AB\u00BB\u2039\u203A]*[\u2018-\u201F\u00AB\u00BB\u2039\u203A])?/,
    start_chars_hint: curlyQuotes,
  }),
};

/** A keyword is a word to the lexer: one search in a table afterwards is cheaper than a pattern for each. */
function keywordTokens(words: readonly Keyword[], categories: TokenType[]): [Keyword, TokenType][] {
  return words.map((text) => [text, createToken({ name: `"${text}"`, pattern: Lexer.NA, categories })]);
}

export const keyword = Object.fromEntries([
  ...keywordTokens(structureWords, [AnyWord]),
  ...keywordTokens(verbWords, [AnyWord]),
  ...keywordTokens(nounWords, [Bare, Name, AnyWord]),
]) as Record<Keyword, TokenType>;

const keywords: ReadonlyMap<string, TokenType> = new Map(Object.entries(keyword));

/**
 * The first match wins: module paths stand before words, longer signs before their beginnings, faults behind what they
 * are a broken form of.
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
  Word, ...Object.values(keyword), Bare, Name, AnyWord,
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
  for (const token of tokens) {
    // The lexer leaves the end out when it tracks offsets only, and the parser's node locations need it.
    token.endOffset = token.startOffset + token.image.length - 1;
    if (token.tokenType === Word) become(token, keywords.get(token.image) ?? Word);
  }
  return { tokens, comments: groups["comments"] ?? [], strays: errors };
}

/** Chevrotain's parser looks at the number only. */
function become(token: IToken, type: TokenType): void {
  token.tokenType = type;
  token.tokenTypeIdx = type.tokenTypeIdx ?? 0;
}
