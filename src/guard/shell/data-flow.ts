/**
 * Texts on their way through a line outside its pipes: into files, open descriptors and `>(…)`, and out of them again. A
 * file that is written and then run is the script detour in one line, whether its text is known (`echo`) or not (`curl`).
 */
import { lastStage, newPipeline } from "./machine.ts";
import type { Context, FoundRedirect, Interpreter, Kept, Stage } from "./machine.ts";
import { readOptions } from "./options.ts";
import { folder } from "./parameters.ts";
import { isInterpreter, isShell, shellValues } from "./tables/shells.ts";
import { concatenate, hole, isExact, show, unite } from "./text.ts";
import type { Text, Value } from "./text.ts";
import { mapValue } from "./words.ts";
import { removeDots } from "../paths.ts";

/** The key of a descriptor whose number shows at run time. */
export const anyDescriptor = "?";

/** The absolute paths a plain text may name in the folders the line may be in. */
export function absolutePaths(text: Text, machine: Interpreter): readonly string[] {
  if (!isExact(text) || text === "" || text.startsWith("/dev/")) return [];
  const shown = show(text);
  return /^[/~]/.test(shown) ? [removeDots(shown)] : (machine.variables.get(folder) ?? []).map((base) => removeDots(`${show(base)}/${shown}`));
}

/** What a file goes by while the line is followed: its paths, or a text that is the same wherever it is written again. */
function keysOf(text: Text, machine: Interpreter): readonly string[] {
  if (isExact(text)) return absolutePaths(text, machine);
  return /[^\0/.]{2}/.test(text.replace(/\0[^]/g, "")) ? [text] : [];
}

/** The pipelines that feed what stands here. */
export function feedersOf(context: Context): readonly number[] {
  return [...context.stages.filter(({ index }) => index > 0).map(({ pipeline }) => pipeline), ...context.texts];
}

/** A context whose command is the first stage of a pipeline of its own, and that pipeline. */
export function asSource(context: Context, machine: Interpreter): { readonly context: Context; readonly origin: number } {
  const origin = newPipeline(machine);
  return { context: { ...context, stages: [...context.stages, { pipeline: origin, index: 0, guess: true }] }, origin };
}

export function consumers(origins: readonly number[]): readonly Stage[] {
  return origins.map((pipeline) => ({ pipeline, index: lastStage, guess: true }));
}

/** Remembers what has been written where, for what reads or runs it later in the line. */
export function keepWritten(files: readonly FoundRedirect[], output: Value, origins: readonly number[], machine: Interpreter): void {
  for (const { access, target, appends } of files) {
    if (access !== "writes") continue;
    for (const text of target) {
      machine.sinks.get(text)?.(output);
      for (const key of keysOf(text, machine)) {
        const before = machine.written.get(key);
        machine.written.set(key, { text: before === undefined ? output : afterwards(before.text, output, appends === true), origins: [...new Set([...(before?.origins ?? []), ...origins])] });
      }
    }
  }
}

/** More alternatives of a file's text are not kept apart. */
const mostTexts = 16;

/** What was there before stays possible, because branches and loops write one file in several ways. */
function afterwards(before: Value, output: Value, appends: boolean): Value {
  if (appends) return before.length * output.length > mostTexts ? [hole] : concatenate([before, output]);
  return before.length + output.length > mostTexts ? unite([hole], output.slice(0, mostTexts)) : unite(output, before);
}

/** What was kept under the first name is kept under the second as well (`cp`, `mv`, `ln`). */
export function keepCopy(source: Value, target: Text, machine: Interpreter, context: Context): void {
  const kept = keptIn(source, machine, context);
  if (kept !== undefined) for (const key of keysOf(target, machine)) machine.written.set(key, kept);
}

/** What a file holds as far as the line itself has put it there. */
export function keptIn(file: Value, machine: Interpreter, context: Context): Kept | undefined {
  let all: Kept | undefined;
  for (const text of file) {
    for (const kept of keptUnder(text, machine, context)) all = all === undefined ? kept : { text: unite(all.text, kept.text), origins: [...all.origins, ...kept.origins] };
  }
  return all;
}

const inputs: ReadonlySet<string> = new Set(["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

function keptUnder(text: Text, machine: Interpreter, context: Context): readonly Kept[] {
  const output = machine.outputs.get(text);
  if (output !== undefined) return [{ text: output, origins: [] }];
  if (inputs.has(text)) return context.stdin === undefined ? [] : [{ text: context.stdin, origins: feedersOf(context) }];
  const descriptor = /^\/(?:dev|proc\/(?:self|thread-self|\d+))\/fd\/([^/]+)$/.exec(text)?.[1];
  if (descriptor !== undefined) return descriptorsOf(descriptor, machine);
  // `find … -exec sh {}`: the file may lie in the folder itself.
  return keysOf(text.replace("/\0t/", "/"), machine).flatMap((key) => machine.written.get(key) ?? []);
}

/** `number` may be open: then any descriptor it is. */
export function descriptorsOf(number: Text, machine: Interpreter): readonly Kept[] {
  if (machine.descriptors.size === 0) return [];
  if (!/^\d+$/.test(number)) return [...machine.descriptors.values()];
  return [number, anyDescriptor].flatMap((key) => machine.descriptors.get(key) ?? []);
}

/** The text of a file that the line has written; its pipelines flow on to whoever uses the text. */
export function readKept(file: Value, machine: Interpreter, context: Context): Value | undefined {
  const kept = keptIn(file, machine, context);
  if (kept === undefined) return undefined;
  machine.sources.texts.push(...kept.origins);
  return kept.text;
}

/** The pipelines from which a command's own program comes: `./a` and `sh a` after `curl -o a …`. */
export function programOrigins(name: string, words: readonly Value[], machine: Interpreter, context: Context): readonly number[] {
  if (machine.written.size === 0 && machine.descriptors.size === 0) return [];
  const [first = [""]] = words;
  const file = first.some((text) => text.includes("/")) && !first.some((text) => text.startsWith("/bin/") || text.startsWith("/usr/bin/")) ? first : programFile(name, words);
  return file === undefined ? [] : (keptIn(file, machine, context)?.origins ?? []);
}

/** The file an interpreter is given as its program. */
function programFile(name: string, words: readonly Value[]): Value | undefined {
  if (name === "source" || name === ".") return words[1];
  if (!isShell(name) && !isInterpreter(name)) return undefined;
  const { options, operands } = readOptions(words, 1, isShell(name) ? shellValues : interpreterValues, true);
  // The program stands in the line or is a module; a file behind it is data.
  if (options.some((option) => /^(?:-[cemnpr]|--eval|--print)$/.test(option.name))) return undefined;
  return operands[0] === undefined ? undefined : words[operands[0]];
}

const interpreterValues: ReadonlySet<string> = new Set("-c -e -m -p -r -W -X -I --require --import --loader --eval --print".split(" "));

const curlValues: ReadonlySet<string> = new Set(
  ("-o --output -T --upload-file -d --data --data-raw --data-binary --data-urlencode --json -F --form -H --header -A --user-agent -e --referer -u --user -x --proxy -X --request -m --max-time -w --write-out -r --range -C -b --cookie " +
    "-c --cookie-jar -D --dump-header -E --cert --key --cacert -K --config --retry --connect-timeout --limit-rate --resolve --output-dir --url --proto --max-redirs --retry-delay --retry-max-time").split(" "),
);
const wgetValues: ReadonlySet<string> = new Set("-O --output-document -o --output-file -a --append-output -P --directory-prefix -U --user-agent -t --tries -T --timeout -w --wait -e --header --post-data --method --user --password -i -Q -A -R -D".split(" "));

/** The files into which a program that fetches something puts it, as far as its words tell. */
export function savedFiles(name: string, words: readonly Value[]): readonly Value[] {
  const rows: Readonly<Record<string, readonly [values: ReadonlySet<string>, names: RegExp, folders: RegExp, byAddress: RegExp | undefined]>> = {
    curl: [curlValues, /^(?:-o|--output)$/, /^--output-dir$/, /^(?:-O|--remote-name|--remote-name-all|-J|--remote-header-name)$/],
    wget: [wgetValues, /^(?:-O|--output-document)$/, /^(?:-P|--directory-prefix)$/, undefined],
    aria2c: [new Set(["-o", "--out", "-d", "--dir", "-x", "-s", "-j"]), /^(?:-o|--out)$/, /^(?:-d|--dir)$/, undefined],
    xh: [new Set(["-o", "--output", "-a", "--auth"]), /^(?:-o|--output)$/, /^$/, undefined],
    http: [new Set(["-o", "--output", "-a", "--auth"]), /^(?:-o|--output)$/, /^$/, undefined],
  };
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) return [];
  const [values, names, folders, byAddress] = row;
  const { options, operands } = readOptions(words, 1, values, false);
  const named = options.filter((option) => names.test(option.name)).flatMap((option) => (option.value === undefined ? [] : [option.value]));
  const places = options.filter((option) => folders.test(option.name)).flatMap((option) => option.value ?? []);
  const addressed = byAddress === undefined ? named.length === 0 && name !== "http" && name !== "xh" : options.some((option) => byAddress.test(option.name));
  const remote = addressed ? operands.map((at) => mapValue(words[at] ?? [hole], (text) => text.replace(/[?#][^]*$/, "").replace(/\/+$/, "").split("/").at(-1) ?? "")) : [];
  return [...named, ...remote].map((file) => [...file, ...places.flatMap((place) => file.map((text) => `${place.replace(/\/$/, "")}/${text}`))]);
}
