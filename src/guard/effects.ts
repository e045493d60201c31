/**
 * What a guard does besides answering: a decision goes in once its answer is out; marks are set, logs written, records
 * sent and commands started, in this order. Nothing here can change the answer: what fails comes back as a line for
 * stderr. After a refusal only files are written; what takes time is left to processes that nobody waits for.
 */
import { appendLine } from "./append.ts";
import type { CommandNeeded, Ended } from "./asked.ts";
import { allowance } from "./budget.ts";
import type { Decision, SideEffect, ToolCall } from "./call.ts";
import { runCommand } from "./command.ts";
import { commandEnvironment } from "./command-environment.ts";
import { declaredPlace } from "./declared-place.ts";
import { errorCode } from "./error-code.ts";
import { forwardFault } from "./forward.ts";
import { postOutside, startJob } from "./job.ts";
import { lineOf, recordOf } from "./log.ts";
import { textMemo } from "./patterns.ts";
import type { GuardPlan, SidePlan } from "./plan.ts";
import { clearMark, countRetry, endRetries, forgetOldSessions, isMarked, retriesOf, sessionOf, setMark, storeOf } from "./state.ts";
import type { Session } from "./state.ts";
import type { Truth, World } from "./world.ts";

/** One event of a guard, with everything its effects need. */
export interface Scene {
  readonly plan: GuardPlan;
  readonly call: ToolCall;
  readonly world: World;
  /** As the host sent it. */
  readonly payload: Uint8Array;
  readonly environment: NodeJS.ProcessEnv;
  /** The guard's file, which is started again for what nobody waits for. */
  readonly guardFile: string;
  /** Nothing is done, only said. */
  readonly dry: boolean;
  /** Runs `work` in what is left of the guard's own time. */
  limited<Result>(work: () => Result): Result;
}

type Side<Kind extends SidePlan["kind"]> = SideEffect & { readonly effect: Extract<SidePlan, { readonly kind: Kind }> };

/** Lines for stderr, without an end. */
export function carryOut(scene: Scene, decision: Decision): readonly string[] {
  const effects = decision.effects ?? [];
  if (scene.dry) return effects.map(({ rule, effect }) => `[${rule}] dry: ${wouldDo(effect)}`);
  return [
    ...remember(scene, decision, effects.filter(isOf("mark", "unmark"))),
    ...write(scene, decision, effects.filter(isOf("log"))),
    ...effects.filter(isOf("forward")).flatMap((side) => told(side, `nothing was sent to ${side.effect.to}`, attempt(() => send(scene, decision, side)))),
    ...effects.filter(isOf("run")).flatMap((side) => told(side, `\`${side.effect.command}\` failed`, attempt(() => start(scene, decision, side)))),
  ];
}

/** Runs a command that a decision waits for. */
export function runAsked({ plan, call, world, payload, environment }: Scene, { asking, command, timeout }: CommandNeeded): Ended {
  return runCommand({ text: command, folder: world.root, environment: commandEnvironment(environment, plan, call, world.root), stdin: payload, timeout }, asking === "output" ? "kept" : "dropped");
}

/** `World.marked` and `World.retries`, from the state on disk. */
export function stateWorld({ plan, call, world, environment }: Pick<Scene, "plan" | "call" | "world" | "environment">): Required<Pick<World, "marked" | "retries">> {
  const session = sessionOf(plan, call, world, environment);
  return {
    marked(name): Truth {
      const isSet = "kind" in session ? undefined : isMarked(session, name);
      return isSet ?? { doubt: `whether \`${name}\` is marked cannot be known` };
    },
    retries: (rule) => ("kind" in session || call.sentBack === false ? 0 : retriesOf(session, rule)),
  };
}

function wouldDo(effect: SidePlan): string {
  switch (effect.kind) {
    case "log":
      return `would write to ${effect.to}`;
    case "forward":
      return `would send to ${effect.to}`;
    case "run":
      return `would run \`${effect.command}\``;
    case "mark":
      return `would mark ${effect.name}`;
    case "unmark":
      return `would take the mark ${effect.name} away`;
    default:
      return effect satisfies never;
  }
}

/** Marks, and how often in a row each rule has sent the agent back. */
function remember({ plan, call, world, environment }: Scene, decision: Decision, marks: readonly Side<"mark" | "unmark">[]): readonly string[] {
  const counts = call.event === "stop" && plan.rules.some(({ effect }) => effect.kind === "retry");
  if (marks.length === 0 && !counts) return [];
  const session = sessionOf(plan, call, world, environment);
  if ("kind" in session) return [`nothing can be remembered because ${session.cause}`];
  const lines = marks.flatMap(({ rule, effect }) => {
    const done = attempt(() => causeOf(effect.kind === "mark" ? setMark(session, effect.name) : clearMark(session, effect.name)));
    return done === undefined ? [] : [`[${rule}] the mark ${effect.name} stays as it was because ${done}`];
  });
  if (counts) lines.push(...count(session, call, decision.retried ?? []));
  attempt(() => forgetOldSessions(session, Date.now()));
  return lines;
}

function count(session: Session, call: ToolCall, retried: readonly string[]): readonly string[] {
  const steps = [...(call.sentBack === false || retried.length === 0 ? [() => endRetries(session)] : []), ...retried.map((rule) => () => countRetry(session, rule))];
  return steps.flatMap((step) => {
    const cause = attempt(() => causeOf(step()));
    return cause === undefined ? [] : [`the count of retries stays as it was because ${cause}`];
  });
}

function write(scene: Scene, decision: Decision, logs: readonly Side<"log">[]): readonly string[] {
  const lines = logs.flatMap((side) => told(side, `nothing was written to ${side.effect.to}`, attempt(() => log(scene, decision, side))));
  // A rule that logs the event has said it there.
  if (decision.observed === undefined || logs.length > 0) return lines;
  const cause = attempt(() => logObserved(scene, decision));
  return cause === undefined ? lines : [...lines, `what observed rules would have answered is lost because ${cause}`];
}

function log(scene: Scene, decision: Decision, side: Side<"log">): string | undefined {
  const place = declaredPlace(side.effect.to, scene.world);
  if ("kind" in place) return place.cause;
  return causeOf(appendLine(place, recordLine(scene, decision, side), scene.world.platform));
}

/** Beside the state of sessions, so that a policy can be tried out without a line for its logs. */
function logObserved(scene: Scene, decision: Decision): string | undefined {
  const { plan, world, environment } = scene;
  const store = storeOf(plan, world, environment);
  if ("kind" in store) return store.cause;
  return causeOf(appendLine({ ...store, path: `${store.path}/observed.jsonl` }, recordLine(scene, decision), world.platform));
}

/** The time of patterns is limited as that of deciding is. Where there are none no thread has to watch. */
function recordLine(scene: Scene, decision: Decision, side?: SideEffect): string {
  const { plan, call, world } = scene;
  const make = (): string => lineOf(recordOf(side, plan, { call, world, memo: textMemo() }, decision, new Date()));
  return decision.redactions === undefined ? make() : scene.limited(make);
}

function send(scene: Scene, decision: Decision, side: Side<"forward">): string | undefined {
  const { to: url } = side.effect;
  const fault = forwardFault(url, scene.environment);
  if (fault !== undefined) return fault;
  const post = { url, body: recordLine(scene, decision, side), timeout: allowance(side.timeout) };
  return refuses(decision) ? startJob({ kind: "forward", ...post }, scene, new Uint8Array()) : postOutside(post, scene);
}

function start(scene: Scene, decision: Decision, { effect, timeout }: Side<"run">): string | undefined {
  const { plan, call, world, payload } = scene;
  const environment = commandEnvironment(scene.environment, plan, call, world.root, decision);
  const job = { text: effect.command, folder: world.root, timeout: allowance(timeout) };
  if (refuses(decision)) return startJob({ kind: "run", ...job }, { ...scene, environment }, payload);
  const end = runCommand({ ...job, environment, stdin: payload }, "dropped");
  if (end.kind === "ended") return end.exitCode === 0 ? undefined : `it ended with ${end.exitCode}`;
  return end.kind === "late" ? `it took longer than ${job.timeout} ms` : end.cause;
}

/** The host acts on these only when the guard has ended. */
function refuses({ effect }: Decision): boolean {
  return effect === "deny" || effect === "retry";
}

function isOf<Kind extends SidePlan["kind"]>(...kinds: readonly Kind[]): (side: SideEffect) => side is Side<Kind> {
  return (side): side is Side<Kind> => (kinds as readonly string[]).includes(side.effect.kind);
}

function told({ rule }: SideEffect, what: string, cause: string | undefined): readonly string[] {
  return cause === undefined ? [] : [`[${rule}] ${what} because ${cause}`];
}

function causeOf(result: { readonly kind: string } | { readonly kind: "refused"; readonly cause: string }): string | undefined {
  return result.kind === "refused" && "cause" in result ? result.cause : undefined;
}

/** One effect that fails keeps no other from being carried out. Never the message: it may quote the payload. */
function attempt<Result>(act: () => Result): Result | string {
  try {
    return act();
  } catch (error) {
    if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "the guard's time was over";
    return `of an error inside the guard (${error instanceof Error ? error.name : "unknown"})`;
  }
}
