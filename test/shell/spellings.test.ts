/**
 * Laws of the shell model: however a command is spelled the verdict is the same, and text in data position never fires.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "../../src/guard/call.ts";
import type { ArgumentPlan, RunsPlan } from "../../src/guard/plan.ts";
import { scratchWorld } from "../../src/guard/scratch.ts";
import { shellModule } from "../../src/guard/shell/index.ts";
import type { Truth } from "../../src/guard/world.ts";

const world = scratchWorld({ platform: "linux", branch: "main", today: "2026-11-30", shell: () => shellModule });
const flag = (text: string): ArgumentPlan => ({ kind: "flag", text });
const recursive: RunsPlan = { kind: "runs", only: false, commands: [[["rm"]]], with: [[flag("-r"), flag("-R"), flag("--recursive")]], without: [] };

function judge(text: string, atom: RunsPlan = recursive): Truth {
  const call: ToolCall = {
    event: "before-tool", hostEvent: "PreToolUse", cwd: world.root, tool: "Bash", toolClass: "bash", fields: { command: text }, input: { command: text },
    subject: { commands: [{ text, shell: "bash", whole: true }], paths: [] },
  };
  return shellModule.judge(atom, call, "wide", world);
}

const operand = fc.constantFrom("dist", "build/cache", "a b", "x;y", "it's", "-", "*.tmp", "$HOME/x", "ü", "#1");
const quote = fc.constantFrom<(text: string) => string>(
  (text) => `'${text.replace(/'/g, `'\\''`)}'`,
  (text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`,
  (text) => text.replace(/[^\w/.-]/g, "\\$&"),
  (text) => `$'${text.replace(/[\\']/g, "\\$&")}'`,
);

/** Ways to write `rm -rf` (true) or `rm -f` (false). */
const program = fc.constantFrom("rm", "/bin/rm", "/usr/bin/rm", "r'm'", '"rm"', "\\rm", "r\\m", "$'rm'", "$'\\x72m'", "r''m", "RM", "{rm,", "./rm", "rm.exe");
const flagsOf = (yes: boolean): fc.Arbitrary<string> =>
  yes
    ? fc.constantFrom("-rf", "-fr", "-r -f", "-f -r", "-R", "--recursive --force", "--force --recursive", "-vr", "'-rf'", '"-r"', "-f --recursive", "--recurs", "-\\r", "$'-r'", "-f{,r}")
    : fc.constantFrom("-f", "--force", "-v -f", "-i", "", "--verbose", "--one-file-system", "-d");

const command = fc.boolean().chain((yes) =>
  fc.tuple(program, flagsOf(yes), operand, quote).map(([name, flags, text, spell]) => {
    const words = [...flags.split(" ").filter((one) => one !== ""), "--", spell(text)];
    return { yes, text: name === "{rm," ? `{rm,${[...flags.split(" ").filter((one) => one !== "" && !one.includes("{")), ...(flags.includes("{") ? ["-r"] : []), "x"].join(",")}}` : [name, ...words].join(" ") };
  }),
);

type Frame = (text: string) => string;

/** A simple command inside another one. */
const wrappers: readonly Frame[] = [
  (text) => text,
  (text) => `sudo -u build ${text}`,
  (text) => `env A=1 ${text}`,
  (text) => `command ${text}`,
  (text) => `exec ${text}`,
  (text) => `nohup ${text}`,
  (text) => `nice -n 5 ${text}`,
  (text) => `timeout -k 1 5 ${text}`,
  (text) => `stdbuf -oL ${text}`,
  (text) => `setsid ${text}`,
  (text) => `busybox ${text}`,
  (text) => `xargs ${text}`,
  (text) => `find . -name x -exec ${text} \\;`,
  (text) => `bash -c '${text.replace(/'/g, `'\\''`)}'`,
  (text) => `sh -ec "${text.replace(/[\\"$`]/g, "\\$&")}"`,
  (text) => `eval '${text.replace(/'/g, `'\\''`)}'`,
  (text) => `ssh web1 '${text.replace(/'/g, `'\\''`)}'`,
  (text) => `trap '${text.replace(/'/g, `'\\''`)}' EXIT`,
];

/** What a simple command may have on it. */
const dresses: readonly Frame[] = [
  (text) => text,
  (text) => `KEEP=0 ${text}`,
  (text) => `${text} > out.log`,
  (text) => `${text} 2>/dev/null`,
  (text) => `< in.txt ${text}`,
];

/** Statements around it. */
const statements: readonly Frame[] = [
  (text) => text,
  (text) => `cd web && ${text}`,
  (text) => `ls; ${text}`,
  (text) => `ls\n${text}`,
  (text) => `ls &&\n  ${text}`,
  (text) => `${text} | tee log.txt`,
  (text) => `echo x | ${text}`,
  (text) => `( ${text} )`,
  (text) => `{ ${text}; }`,
  (text) => `if true; then ${text}; fi`,
  (text) => `for i in 1; do ${text}; done`,
  (text) => `while false; do ${text}; done`,
  (text) => `case x in *) ${text};; esac`,
  (text) => `f() { ${text}; }; f`,
  (text) => `echo "$( ${text} )"`,
  (text) => `cat <( ${text} )`,
  (text) => `true || ${text}`,
  (text) => `ls \\\n  && ${text}`,
];

/** What can only stand outermost. */
const outermost: readonly Frame[] = [
  (text) => text,
  (text) => `! ${text}`,
  (text) => `time ${text}`,
  (text) => `${text} &`,
  (text) => `bash <<'EOF'\n${text}\nEOF`,
  (text) => `cat <<'EOF' | sh\n${text}\nEOF`,
  (text) => `bash <<< '${text.replace(/'/g, `'\\''`)}'`,
  (text) => `${text} # a remark`,
];

test("no spelling and no frame changes the verdict on a command", () => {
  fc.assert(
    fc.property(command, fc.array(fc.constantFrom(...wrappers), { maxLength: 2 }), fc.constantFrom(...dresses), fc.array(fc.constantFrom(...statements), { maxLength: 2 }), fc.constantFrom(...outermost), fc.constantFrom("\n", "\r\n"), ({ yes, text }, inner, dress, around, last, end) => {
      const line = [...inner, dress, ...around, last].reduce((whole, frame) => frame(whole), text);
      expect([line, judge(line.replaceAll("\n", end))]).toEqual([line, yes]);
    }),
    { numRuns: 600 },
  );
});

/** Places where text is data whatever it says. */
const dataFrames: readonly ((text: string) => string)[] = [
  (text) => `echo '${text.replace(/'/g, "")}'`,
  (text) => `printf '%s\\n' "${text.replace(/[\\"$`']/g, "")}"`,
  (text) => `git commit -m '${text.replace(/'/g, "")}'`,
  (text) => `grep -rn '${text.replace(/'/g, "")}' docs`,
  (text) => `cat > notes.md <<'EOF'\n${text}\nEOF`,
  (text) => `tee notes.md <<'EOF'\n${text}\nEOF`,
  (text) => `git commit -F - <<'EOF'\n${text}\nEOF`,
  (text) => `ls # ${text.replace(/\n/g, " ")}`,
  (text) => `x='${text.replace(/'/g, "")}'; echo "$x"`,
  (text) => `for c in '${text.replace(/'/g, "")}'; do echo "$c" | cat; done`,
  (text) => `python3 tool.py --note '${text.replace(/'/g, "")}'`,
  (text) => `git commit -m "$(cat <<'EOF'\n${text}\nEOF\n)"`,
  (text) => `sed -i 's/a/${text.replace(/[^\w -]/g, "")}/' notes.md`,
  (text) => `echo ${text.replace(/[^\w -]/g, "")} >> notes.md`,
  (text) => `case '${text.replace(/'/g, "")}' in rm*) ls;; esac`,
  (text) => `[[ '${text.replace(/'/g, "")}' == rm* ]] && ls`,
];

test("text in data position never fires", () => {
  fc.assert(
    fc.property(command, fc.constantFrom(...dataFrames), fc.constantFrom((line: string) => line, (line: string) => `cd web && ${line.replace(/^(ls #.*)$/, "$1\n")}`), ({ text }, frame, around) => {
      const line = around(frame(text));
      expect([line, judge(line)]).toEqual([line, false]);
    }),
    { numRuns: 400 },
  );
});

test("each wrapper leaves the flags of its own to itself", () => {
  for (const line of ["sudo -r role rm x", "nice -n 5 rm x", "xargs -r rm", "env -u r rm x", "timeout -s R 5 rm x", "time rm x"]) expect([line, judge(line)]).toEqual([line, false]);
});
