/**
 * The choices of the grammar as a table: for each place where the next token decides, the way it leads. Chevrotain works
 * them out from the productions, which takes longer than reading most policies, so that is done when policyc is released.
 */
import { EOF, type IToken } from "chevrotain";
import { tokenTypes } from "./tokens.ts";

/** By Chevrotain's key of the place, one character for each token type: its way in base 36, `+` to go in, `.` for none. */
export type Lookahead = readonly (readonly [key: number, ways: string])[];

/** The number of the alternative to take, or whether to go in once more. */
export type Choice = (this: Upcoming) => number | boolean | undefined;

interface Upcoming {
  LA_FAST(distance: number): Pick<IToken, "tokenTypeIdx">;
}

const types = [...tokenTypes, EOF];
const places = new Map(types.map(({ tokenTypeIdx }, place) => [tokenTypeIdx, place]));

/** Asks every choice about every token type. */
export function tabulate(choices: ReadonlyMap<number, Choice>): Lookahead {
  return [...choices].map(([key, choose]) => [key, types.map(({ tokenTypeIdx }) => written(choose.call({ LA_FAST: () => ({ tokenTypeIdx: tokenTypeIdx ?? 0 }) }))).join("")]);
}

function written(way: ReturnType<Choice>): string {
  return typeof way === "number" ? way.toString(36) : way === true ? "+" : ".";
}

export function choiceOf(ways: string): Choice {
  return function (this: Upcoming) {
    const way = ways.charAt(places.get(this.LA_FAST(1).tokenTypeIdx) ?? ways.length);
    return way === "+" ? true : way === "." ? undefined : Number.parseInt(way, 36);
  };
}
