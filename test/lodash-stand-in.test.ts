/** The stand-in for lodash does what the library does, for everything that Chevrotain asks of it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import * as standIn from "../src/lodash-stand-in.ts";

type Library = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

const name: string = "lodash-es";
const lodash = (await import(name)) as Library;
const ours = standIn as unknown as Library;

const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b", "", undefined, null, true));
const list = fc.oneof(fc.array(value), fc.array(fc.array(value, { maxLength: 3 })));
const object = fc.dictionary(fc.constantFrom("a", "b", "c"), value);
const collection = fc.oneof(list, object, fc.constantFrom(undefined, null));

/** Arguments by function: everything the stand-in has must be here. */
const calls: Readonly<Record<string, fc.Arbitrary<readonly unknown[]>>> = {
  assign: fc.tuple(object, object),
  clone: fc.tuple(fc.oneof(list, object, value)),
  compact: fc.tuple(list),
  defaults: fc.tuple(object, object),
  difference: fc.tuple(list, list),
  drop: fc.oneof(fc.tuple(list), fc.tuple(list, fc.nat(4))),
  dropRight: fc.oneof(fc.tuple(list), fc.tuple(list, fc.nat(4))),
  every: fc.tuple(collection, fc.constant((one: unknown) => one === 1)),
  some: fc.tuple(collection, fc.constant((one: unknown) => one === 1)),
  filter: fc.tuple(collection, fc.constant((one: unknown) => one === 1)),
  reject: fc.tuple(collection, fc.constant((one: unknown) => one === 1)),
  find: fc.tuple(collection, fc.constant((one: unknown) => one === 1)),
  first: fc.tuple(fc.option(list, { nil: undefined })),
  last: fc.tuple(fc.option(list, { nil: undefined })),
  flatMap: fc.tuple(collection, fc.constant((one: unknown) => [one, 1])),
  flatten: fc.tuple(list),
  map: fc.tuple(collection, fc.constant((one: unknown, key: unknown) => [one, key])),
  reduce: fc.tuple(collection, fc.constant((joined: unknown, one: unknown, key: unknown) => `${joined} ${one} ${key}`), fc.constant("")),
  groupBy: fc.tuple(collection, fc.constant((one: unknown) => String(one))),
  pickBy: fc.tuple(object, fc.constant((one: unknown, key: unknown) => one === 1 || key === "a")),
  has: fc.tuple(fc.oneof(object, list, fc.constantFrom(undefined, null)), fc.constantFrom("a", "b", 0, 1, "toString")),
  includes: fc.tuple(collection, value),
  indexOf: fc.tuple(fc.array(value), value),
  isEmpty: fc.tuple(fc.oneof(collection, fc.constantFrom("", "a"))),
  keys: fc.tuple(fc.oneof(object, list, fc.constantFrom(undefined, null))),
  values: fc.tuple(collection),
  uniq: fc.tuple(fc.array(value)),
  upperFirst: fc.tuple(fc.string()),
  identity: fc.tuple(value),
  noop: fc.tuple(value),
  ...Object.fromEntries(["isArray", "isFunction", "isObject", "isRegExp", "isString", "isUndefined"].map((test) => [test, fc.tuple(fc.oneof(value, list, object, fc.constantFrom(/x/, () => 1)))])),
};

test.each(Object.keys(ours).filter((name) => name !== "forEach"))("%s", (name) => {
  fc.assert(
    fc.property(calls[name]!, (given) => {
      const [one, other] = [given, given.map((argument) => (typeof argument === "object" && !(argument instanceof RegExp) ? structuredClone(argument) : argument))];
      expect(ours[name]!(...one)).toEqual(lodash[name]!(...other));
      // What is changed in place is changed alike.
      expect(one).toEqual(other);
    }),
  );
});

test("forEach goes through lists and objects, and ends at `false`", () => {
  fc.assert(
    fc.property(collection, (all) => {
      const seenBy = (library: Library) => {
        const seen: unknown[] = [];
        library["forEach"]!(all, (one: unknown, key: unknown) => {
          seen.push([one, key]);
          return one === null ? false : undefined;
        });
        return seen;
      };
      expect(seenBy(ours)).toEqual(seenBy(lodash));
    }),
  );
});

test("a copy of an object with a class is of that class", () => {
  class Token {
    readonly image = "x";
  }
  expect(standIn.clone(new Token())).toBeInstanceOf(Token);
});
