/**
 * A payload becomes the host's answer: read, decided and put in the host's words, the first two within the policy's time.
 * A command that a rule waits for has a time of its own, so it is run between two tries to decide.
 */
import { runInThisContext } from "node:vm";
import { CommandNeeded, askedCommands, dryCommands } from "./asked.ts";
import type { Answer, Decision, Json, JsonObject, ToolCall, Wire } from "./call.ts";
import { decide } from "./decide.ts";
import { carryOut, runAsked } from "./effects.ts";
import type { Scene } from "./effects.ts";
import { machineWorld } from "./machine.ts";
import { expectObject } from "./payload.ts";
import { parsePayload } from "./payload-text.ts";
import type { GuardPlan } from "./plan.ts";
import { thisPlatform } from "./platform.ts";
import { loadShell } from "./shell/index.ts";
import { appliesTo } from "./trigger.ts";

/** A payload's answer, and what is left to do once it is out: that comes back as lines for stderr. */
export interface Judged {
  readonly answer: Answer;
  readonly after?: () => readonly string[];
}

/** A payload and what it says. */
export interface SentCall {
  readonly payload: JsonObject;
  readonly call: ToolCall;
}

/** @throws MalformedPayload */
export function readPayload(wire: Wire, event: string, bytes: Buffer): SentCall {
  const payload = expectObject(parsePayload(bytes), "the payload");
  return { payload, call: located(wire.decode(event, payload, thisPlatform())) };
}

/**
 * `dry`: nothing is started, written or sent. `sent`: the payload where it has been read already, else `seen` is told of
 * the call once it is.
 * @throws whatever goes wrong: `answerFailure` says what that comes to
 */
export function judgePayload(plan: GuardPlan, wire: Wire, event: string, bytes: Buffer, dry: boolean, sent: SentCall | undefined, seen: (call: ToolCall) => void): Judged {
  let scene: Scene | undefined;
  const commands = askedCommands(() => plan.rules.filter((rule) => scene !== undefined && appliesTo(rule, scene.call) !== false));
  const guardFile = process.argv[1] ?? "";
  const limit = limiter(plan.deadline);
  const work = (): Decision => {
    scene ??= sceneOf();
    return decide(plan, scene.call, scene.world);
  };
  const sceneOf = (): Scene => {
    const { payload, call } = sent ?? readPayload(wire, event, bytes);
    seen(call);
    const read = (changed: Json): ToolCall => located(wire.decode(event, changed, thisPlatform()));
    const machine = { guardFile, environment: process.env, shell: loadShell, commands: dry ? dryCommands() : commands.world, ...redecoder(wire, payload, read) };
    return { plan, call, world: machineWorld(plan, call, machine), payload: bytes, environment: process.env, guardFile, dry, limited: limit };
  };
  for (;;) {
    try {
      const decision = limit(work);
      const done = scene as Scene;
      return { answer: wire.encode(event, decision, done.call), ...afterwards(done, decision) };
    } catch (error) {
      if (!(error instanceof CommandNeeded) || scene === undefined) throw error;
      const started = Date.now();
      commands.answer(error, runAsked(scene, error), Date.now() - started);
    }
  }
}

/** What follows the answer; a guard whose rules do nothing besides answering has no code for more than the lines. */
function afterwards(scene: Scene, decision: Decision): Pick<Judged, "after"> {
  const { effects, observed, failures = [] } = decision;
  // A stop may end a count of retries.
  const acts = effects !== undefined || observed !== undefined || (scene.call.event === "stop" && scene.plan.rules.some(({ effect }) => effect.kind === "retry"));
  if (!acts && failures.length === 0) return {};
  return { after: () => [...failures, ...(acts ? carryOut(scene, decision) : [])] };
}

/** How a call reads with other arguments, on hosts that take them. */
function redecoder(wire: Wire, payload: Json, read: (sent: Json) => ToolCall): { readonly redecode?: (input: JsonObject) => ToolCall } {
  const withInput = wire.withInput;
  return withInput === undefined ? {} : { redecode: (input) => read(withInput(payload, input)) };
}

/** A host that names no folder starts its guards in that of the task. */
function located(call: ToolCall): ToolCall {
  return call.cwd === "" ? { ...call, cwd: process.cwd() } : call;
}

/** Runs pieces of work that have `milliseconds` together. What passes between them is not theirs. */
function limiter(milliseconds: number): Scene["limited"] {
  let left = milliseconds;
  return (work) => {
    // Not the time of day, which can be set.
    const [started, part] = process.hrtime();
    try {
      return underDeadline(Math.max(1, Math.ceil(left)), work);
    } finally {
      const [ended, rest] = process.hrtime();
      left -= (ended - started) * 1000 + (rest - part) / 1e6;
    }
  };
}

/**
 * Runs `work` and interrupts it when the time is over, in the middle of a regular expression if need be. A timer in this
 * thread would wait for the expression; the time limit of a script has a thread of its own.
 */
function underDeadline<Result>(milliseconds: number, work: () => Result): Result {
  const name = "policycGuardWork";
  Object.defineProperty(globalThis, name, { value: work, configurable: true });
  return runInThisContext(`${name}()`, { timeout: milliseconds, filename: "guard" }) as Result;
}
