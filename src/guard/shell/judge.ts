/**
 * Atoms about commands: a call's command texts are analysed (once a call), and an atom is judged on the commands found.
 * Doubt of any text is doubt of the atom, except for text typed into a running process.
 */
import { analyse } from "./interpret.ts";
import type { Analysis } from "./interpret.ts";
import { effectTruths } from "./effects.ts";
import type { EffectPlan } from "./effects.ts";
import { describeFound } from "./describe.ts";
import { matchesCommand, matchesRuns } from "./match.ts";
import { onlyRuns } from "./only-runs.ts";
import { pipesInto } from "./pipes.ts";
import type { ShellAtom, ShellModule } from "./shell.ts";
import { homeMark, isExact, show } from "./text.ts";
import type { ToolCall } from "../call.ts";
import { baseFolder, fileEffects } from "../file-effects.ts";
import { everyHolds, someHolds } from "../truth.ts";
import type { Position, Truth, World } from "../world.ts";

type CommandText = ToolCall["subject"]["commands"][number];

export function createShellModule(): ShellModule {
  // One call is judged by many rules; what its commands are does not change in between.
  const analyses = new WeakMap<ToolCall, Map<CommandText, Analysis>>();
  const analysisOf = (command: CommandText, call: ToolCall, world: World): Analysis => {
    const known = analyses.get(call) ?? new Map<CommandText, Analysis>();
    analyses.set(call, known);
    const analysis = known.get(command) ?? analyse(command.text, command.shell, baseFolder(call, world), world, settingsOf(call));
    known.set(command, analysis);
    return analysis;
  };
  /** Paths of the call's arguments and of its commands are judged together. */
  const judgeEffect = (atom: Pick<EffectPlan, "kind" | "globs">, call: ToolCall, position: Position, world: World): Truth => {
    const truths = fileEffects(atom, call, position, world).concat(
      call.subject.commands.flatMap((command): readonly Truth[] => {
        const analysis = analysisOf(command, call, world);
        if (analysis.doubt === undefined) return effectTruths(atom, analysis, position, world);
        return command.whole ? [{ doubt: analysis.doubt }] : position === "wide" ? [] : [false];
      }),
    );
    return position === "wide" ? someHolds(truths, (truth) => truth) : everyHolds(truths, (truth) => truth);
  };
  return {
    judge(atom, call, position, world) {
      if (atom.kind === "touches" || atom.kind === "reads" || atom.kind === "writes" || atom.kind === "deletes") return judgeEffect(atom, call, position, world);
      const judgeText = (command: CommandText): Truth => judgeAnalysis(atom, analysisOf(command, call, world), command, position, world);
      // Every spelling of a command counts in wide position, all must agree in narrow position.
      return position === "wide" ? someHolds(call.subject.commands, judgeText) : everyHolds(call.subject.commands, judgeText);
    },
    folders(call, world) {
      const acting = call.subject.commands.flatMap((command) => analysisOf(command, call, world).found.filter((one) => one.words.length > 0 && one.name !== "cd"));
      return [...new Set(acting.flatMap((one) => one.cwd.map((text) => folderOf(text, world))))];
    },
    describe(call, world) {
      return call.subject.commands.flatMap((command) => analysisOf(command, call, world).found.flatMap(describeFound));
    },
  };
}

/** A tool's own argument for the environment counts like assignments in front of the command. */
function settingsOf(call: ToolCall): readonly (readonly [string, string])[] {
  const given = call.input["env"] ?? call.input["environment"];
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  return Object.entries(given).map(([name, value]) => [name, typeof value === "string" ? value : ""]);
}

function folderOf(text: string, world: World): string | undefined {
  return !isExact(text) ? undefined : text.startsWith(homeMark) ? (world.home === "" ? undefined : world.home + show(text.slice(homeMark.length))) : show(text);
}

function judgeAnalysis(atom: ShellAtom, analysis: Analysis, command: CommandText, position: Position, world: World): Truth {
  if (analysis.doubt !== undefined) return command.whole ? { doubt: analysis.doubt } : false;
  const { found, notes } = analysis;
  // LANGUAGE.md 3.8: these are about Bash text.
  if (command.shell === "powershell" && (atom.kind !== "runs" || atom.only)) return false;
  switch (atom.kind) {
    case "runs":
      if (atom.only) return onlyRuns(analysis, atom, position, world);
      return found.some((one) => (position === "wide" || (one.certain && !one.inFile)) && matchesRuns(one, atom, position));
    case "pipes":
      return pipesInto(found, (one) => atom.from.some((plan) => matchesCommand(one, plan, position)), (one) => atom.into.some((plan) => matchesCommand(one, plan, position)), position);
    case "dynamic":
      return notes.dynamic;
    default:
      return false;
  }
}
