/**
 * The choices of the grammar as a table: for each place where the next token decides, the way it leads. Chevrotain works
 * them out from the productions, which takes longer than reading most policies, so that is done when policyc is released.
 */
import { EOF } from "chevrotain";
import { tokenTypes } from "./tokens.ts";

/**
 * A line for each place: Chevrotain's key of it, and behind a blank one character for each token type: its way in base 36,
 * `+` to go in, `.` for none.
 */
export type Lookahead = string;

/** The number of the alternative to take, or whether to go in once more. */
export type Choice = (this: Upcoming) => number | boolean | undefined;

interface Upcoming {
  LA_FAST(distance: number): { readonly tokenTypeIdx?: number };
}

const types = [...tokenTypes, EOF];

/** Asks every choice about every token type. */
export function tabulate(choices: ReadonlyMap<number, Choice>): Lookahead {
  return [...choices].map(([key, choose]) => `${key} ${types.map((type) => written(choose.call({ LA_FAST: () => type }))).join("")}`).join("\n");
}

function written(way: ReturnType<Choice>): string {
  return typeof way === "number" ? way.toString(36) : way === true ? "+" : ".";
}

/** Token types have their numbers once a lexer or a parser has been made of them. */
export function readLookahead(table: Lookahead): readonly (readonly [key: number, choice: Choice])[] {
  const places = new Map(types.map(({ tokenTypeIdx }, place) => [tokenTypeIdx, place]));
  return table.split("\n").map((line) => {
    const [key = "", ways = ""] = line.split(" ");
    return [Number(key), choiceOf(ways, places)];
  });
}

function choiceOf(ways: string, places: ReadonlyMap<number | undefined, number>): Choice {
  return function (this: Upcoming) {
    const way = ways.charAt(places.get(this.LA_FAST(1).tokenTypeIdx) ?? ways.length);
    return way === "+" ? true : way === "." ? undefined : Number.parseInt(way, 36);
  };
}
