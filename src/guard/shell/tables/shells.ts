/** Programs that run text: shells, and interpreters of other languages that are given their program as text. */
const shells = new Set("sh bash zsh dash ksh ash mksh pdksh ksh93 rbash rzsh lksh yash posh hush fish csh tcsh osh ysh nu elvish xonsh".split(" "));

/** Options of shells with a value behind them. `-c` is none: its text is the first operand. */
export const shellValues: ReadonlySet<string> = new Set("-o +o -O +O --rcfile --init-file -C --init-command + --command -d --debug -D".split(" "));

/** Where an option of an interpreter is followed by program text. */
const programOptions: Readonly<Record<string, string>> = {
  python: "-c", perl: "-e -E", ruby: "-e", node: "-e --eval -p --print", nodejs: "-e --eval -p --print", bun: "-e --eval", deno: "eval", php: "-r", lua: "-e", tclsh: "-c", R: "-e", Rscript: "-e", osascript: "-e", pwsh: "-c -Command", powershell: "-c -Command",
};

export function isShell(name: string): boolean {
  return shells.has(name);
}

export function shellNames(): readonly string[] {
  return [...shells];
}

export function isInterpreter(name: string): boolean {
  return Object.hasOwn(programOptions, plainName(name));
}

/** `python3.12` is `python`. */
function plainName(name: string): string {
  return name.replace(/[\d.]+$/, "");
}

/** True for a command that takes program text from its words (`sh -c TEXT`, `python3 -c TEXT`, `eval TEXT`) or its input. */
export function runsProgramText(name: string, words: readonly (readonly string[])[]): boolean {
  if (name === "eval" || name === "source" || name === ".") return true;
  const texts = words.slice(1).map((word) => word[0] ?? "");
  if (shells.has(name)) return texts.some((text) => /^-[A-Za-z]*c/.test(text)) || !texts.some((text) => /^[^-+]/.test(text));
  const options = Object.hasOwn(programOptions, plainName(name)) ? programOptions[plainName(name)]?.split(" ") : undefined;
  return options !== undefined && (texts.length === 0 || texts.some((text) => text === "-" || options.some((option) => text === option || (option.length === 2 && text.startsWith(option)))));
}
