/**
 * Parts of a guard that most calls do without. Each lies in a comment inside a function of the guard's file that nobody
 * calls, where it costs next to nothing at the start, and is compiled when something in it is first needed. The text is
 * asked of the function and not of the file, so what is compiled is what was loaded, whatever became of the file since.
 */

/** A function whose whole body is one block comment. */
export type PartHolder = () => void;

/** What a part's code gives to the others, by name. */
export type PartExports = Readonly<Record<string, unknown>>;

/**
 * The text in a holder's comment.
 * @throws where it holds none: the guard then answers as `default on-error` says
 */
export function partText(holder: PartHolder): string {
  const text = holder.toString();
  const start = text.indexOf("/*");
  const end = text.lastIndexOf("*/");
  if (start < 0 || end < start) throw new Error("a part of the guard is missing");
  const inside = text.slice(start + 2, end);
  // A checkout may have changed the line ends of the file; a part begins with one.
  return (inside.startsWith("\r") ? inside.replaceAll("\r\n", "\n") : inside).replaceAll("*~/", "*/");
}

/**
 * A loader of parts, which keeps what it has loaded. Their code finds the guard's own functions as the module `guard`
 * and the other parts through the loader.
 */
export function partLoader(holders: Readonly<Record<string, PartHolder>>, guard: () => object, builtin: (name: string) => unknown): (name: string) => PartExports {
  const loaded = new Map<string, PartExports | undefined>();
  const load = (name: string): PartExports => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const holder = holders[name];
    // Fail closed: a part that is asked while it is being compiled has nothing to give yet.
    if (holder === undefined || loaded.has(name)) throw new Error("a part of the guard cannot be loaded");
    loaded.set(name, undefined);
    const exports: Record<string, unknown> = {};
    const find = (wanted: string): unknown => (wanted === "guard" ? guard() : builtin(wanted));
    // An indirect `eval` sees nothing but globals.
    const run = (0, eval)(partText(holder)) as (...given: unknown[]) => void;
    run(find, load, (given: object) => Object.assign(exports, given));
    loaded.set(name, exports);
    return exports;
  };
  return load;
}

/** The function, named `name`, that holds the code of a part. In parentheses the code is an expression that is compiled at once. */
export function composeCode(name: string, code: string): string {
  return composePart(name, `(function (require, part, provide) {\n${code.trimEnd()}\n})`);
}

/** The function, named `name`, that holds `text`; its text is ASCII. */
export function composePart(name: string, text: string): string {
  // Fail closed: what is put back at run time must be what went in.
  if (text.includes("*~/")) throw new Error("a part of the guard holds the mark that stands for the end of a comment");
  return `function ${name}() {\n/*\n${text.trimEnd().replaceAll("*/", "*~/")}\n*/\n}\n`;
}
