/**
 * The shell model's face to the rest of the guard: which atoms can be asked about the commands of a call. Everything
 * below is an implementation of `ShellModule`.
 */
import type { ToolCall } from "../call.ts";
import type { ConditionPlan } from "../plan.ts";
import type { Position, Truth, World } from "../world.ts";

/** A condition that is about commands and their effects. */
export type ShellAtom = Extract<ConditionPlan, { readonly kind: "runs" | "touches" | "reads" | "writes" | "deletes" | "pipes" | "dynamic" }>;

export interface ShellModule {
  /** Judges one atom on one call. Never throws: what cannot be decided is a doubt with its cause. */
  judge(atom: ShellAtom, call: ToolCall, position: Position, world: World): Truth;
  /** The folders the call's commands run in, absolute as in `resolvePath`; `undefined` for one known only at run time. */
  folders?(call: ToolCall, world: World): readonly (string | undefined)[];
  /** The simple commands found, a line each (`rm [-rf] build`), for `explain` and failing examples. */
  describe(call: ToolCall, world: World): readonly string[];
}
