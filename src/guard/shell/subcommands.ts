/** Finds a tool's subcommand behind its own options (`git -C d push`) by the table of those that take a value. */
import { show } from "./text.ts";
import type { Value } from "./text.ts";
import { globalOptions } from "./tables/global-options.ts";

export interface SubcommandKey {
  /** `docker compose exec`, `docker compose`, `docker`: the most words first. */
  readonly key: string;
  /** Place of the first word behind them. */
  readonly at: number;
}

const mostWords = 4;

export function subcommandKeys(name: string, words: readonly Value[]): readonly SubcommandKey[] {
  const keys: SubcommandKey[] = [{ key: name, at: 1 }];
  let key = name;
  let at = 1;
  for (let count = 1; count < mostWords; count += 1) {
    const place = nextWord(words, at, globalOptions(key) ?? globalOptions(name));
    const word = place === undefined ? undefined : words[place];
    if (place === undefined || word?.length !== 1) break;
    key = `${key} ${show(word[0] ?? "")}`;
    at = place + 1;
    keys.unshift({ key, at });
  }
  return keys;
}

/** The place of the first word from `at` that is neither option nor an option's value. */
export function nextWord(words: readonly Value[], at: number, valued: ReadonlySet<string> | undefined): number | undefined {
  for (let place = at; place < words.length; place += 1) {
    const text = show(words[place]?.[0] ?? "");
    // `cargo +nightly build`: a sign of the tool's own, in its row.
    if (text.startsWith("+") && valued?.has("+") === true) continue;
    if (!text.startsWith("-") || text === "-") return place;
    if (text === "--") return place + 1 < words.length ? place + 1 : undefined;
    if (valued?.has(text) === true) place += 1;
  }
  return undefined;
}
