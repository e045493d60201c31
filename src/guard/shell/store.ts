/**
 * Names and what they stand for while a line is followed: variables, functions. Branches that may or may not run are
 * opened with `begin` and closed with `end`, which puts everything back and says what the branch had written.
 */
export interface Store<V> {
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  /** Opens a branch: later writes can be taken back. */
  begin(): void;
  /** Closes the innermost branch: everything is as before `begin`; returns what the branch left behind. */
  end(): ReadonlyMap<string, V | undefined>;
  /**
   * After branches of which one has run: each name written in any becomes what it may be. True where that changed
   * something.
   */
  join(branches: readonly ReadonlyMap<string, V | undefined>[]): boolean;
}

/** `unite(before, after)` must return `before` itself where `after` adds nothing; `initial` is the value of a name never written. */
export function createStore<V>(unite: (left: V, right: V) => V, initial: (name: string) => V): Store<V> {
  const entries = new Map<string, V>();
  const frames: Map<string, V | undefined>[] = [];
  const get = (name: string): V | undefined => entries.get(name);
  const set = (name: string, value: V): void => {
    const frame = frames.at(-1);
    if (frame !== undefined && !frame.has(name)) frame.set(name, entries.get(name));
    entries.set(name, value);
  };
  return {
    get,
    set,
    begin: () => void frames.push(new Map()),
    end: () => {
      const written = new Map<string, V | undefined>();
      for (const [name, before] of frames.pop() ?? []) {
        written.set(name, entries.get(name));
        if (before === undefined) entries.delete(name);
        else entries.set(name, before);
      }
      return written;
    },
    join: (branches) => {
      const before = new Map<string, V>();
      for (const branch of branches) for (const name of branch.keys()) before.set(name, entries.get(name) ?? initial(name));
      let changed = false;
      for (const [name, old] of before) {
        // A branch that left the name alone keeps its old value; where every branch wrote it, the old one is gone.
        const ends = branches.map((branch) => (branch.has(name) ? (branch.get(name) ?? initial(name)) : old));
        const value = ends.slice(1).reduce((left, right) => unite(left, right), ends[0] ?? old);
        if (unite(old, value) !== old) changed = true;
        set(name, value);
      }
      return changed;
    },
  };
}
