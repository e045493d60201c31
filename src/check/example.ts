/**
 * `example` lines: the verdict they expect, the call they describe, the hosts they run on. Whether they hold is judged
 * later, on each host.
 */
import { diagnose } from "../diagnostics/catalogue.ts";
import { eitherOf } from "../diagnostics/nearest.ts";
import type { FieldPath } from "../guard/plan.ts";
import type { Example, GateWord, Verdict } from "../syntax/ast.ts";
import type { CheckedEffect, CheckedExample } from "./checked.ts";
import { mismatch } from "./comparison.ts";
import { checkHosts } from "./declaration.ts";
import type { Setting } from "./effect.ts";
import { callsOf } from "./stimulus.ts";
import type { Call } from "./stimulus.ts";

/** `ruleHosts`: where the rule's own words let it apply; `known`: every host there is. `effect`: absent where it was refused. */
export function checkExample(example: Example, effect: CheckedEffect | undefined, ruleHosts: readonly string[], known: readonly string[], setting: Setting): readonly CheckedExample[] {
  const { rule, moment, place } = setting;
  if (rule.effect.kind === "permission") {
    mismatch(place, example.span, "`permission` is the host's own rule, and no guard can try an example of it", "take the example out");
    return [];
  }
  const verdict = checkVerdict(example, setting);
  const hosts = checkExampleHosts(example, ruleHosts, known, setting);
  if (!moment) return [];
  const calls = callsOf(example.stimulus, { moment, place, rule, per: "example" });
  return calls.flatMap((call) => {
    const becomes = example.becomes && becomesOf(example, call, effect, setting);
    return example.becomes && !becomes ? [] : [{ span: call.span, verdict, stimulus: call.stimulus, ...(becomes && { becomes }), hosts }];
  });
}

/** What an example under each gate may expect; a deny that fires by doubt alone asks. */
const verdicts: Readonly<Record<GateWord, readonly Verdict[]>> = { deny: ["deny", "ask", "pass"], ask: ["ask", "pass"], allow: ["allow", "pass"], retry: ["retry", "pass"] };

/** Under another effect than a gate, a gate's word stands for what `else` says where that takes its place. */
function checkVerdict(example: Example, { rule, place }: Setting): CheckedExample["verdict"] {
  const { kind } = rule.effect;
  const isGate = kind === "deny" || kind === "ask" || kind === "allow" || kind === "retry";
  if (!example.verdict) return isGate ? kind : "fires";
  const own = isGate ? verdicts[kind] : (["pass"] as const);
  const stands = rule.clauses.flatMap((clause) => (clause.kind === "else" && clause.action.kind !== "skip" && clause.action.kind !== "effect" ? [clause.action.kind] : []));
  const possible: readonly Verdict[] = [...own, ...stands];
  if (!possible.includes(example.verdict)) {
    mismatch(place, example.span, `an example of this rule cannot expect \`${example.verdict}\`: the rule says \`${kind}\``, isGate ? `write ${eitherOf(verdicts[kind])}; \`pass\` means that the rule does not fire` : "write no word where the rule fires, and `pass` where it does not");
  }
  return example.verdict;
}

function becomesOf(example: Example, call: Call, effect: CheckedEffect | undefined, { rule, place }: Setting): CheckedExample["becomes"] | undefined {
  const { becomes } = example;
  if (!becomes) return undefined;
  const refuse = (what: string, help: string): undefined => void mismatch(place, becomes.span, what, help);
  const { kind } = rule.effect;
  if (kind !== "set" && kind !== "replace" && kind !== "redact") return refuse(`\`${kind}\` changes nothing, so nothing becomes another text`, "take `becomes` out");
  if (example.verdict === "pass") return refuse("a rule that does not fire changes nothing", "leave `pass` or `becomes` out");
  if (effect?.kind !== "set" && effect?.kind !== "replace" && effect?.kind !== "redact") return undefined;
  const field = changedField(effect.fields.map(({ path }) => path), call);
  return field ? { field, text: becomes.value } : refuse("the rule changes several fields, and this does not say which of them becomes the text", `name one of them: ${effect.fields.map(({ path }) => `\`${path.join(".")} "…" becomes "…"\``).join(" or ")}`);
}

/** The one field of the rule, or the one of them that the example names. */
function changedField(changed: readonly FieldPath[], { stimulus }: Call): FieldPath | undefined {
  const [only, ...more] = changed;
  if (more.length === 0) return only;
  const named = "fields" in stimulus ? stimulus.fields.map(({ field }) => field) : [];
  const [one, ...others] = changed.filter((path) => named.includes(path.join(".")));
  return others.length === 0 ? one : undefined;
}

function checkExampleHosts(example: Example, ruleHosts: readonly string[], known: readonly string[], { file, place }: Setting): readonly string[] {
  if (example.hosts.length === 0) return ruleHosts;
  const named = checkHosts(example.hosts, known, file, place.report);
  for (const host of example.hosts) {
    if (!known.includes(host.text) || ruleHosts.includes(host.text)) continue;
    place.report(
      diagnose("check/no-host", { what: "example", hosts: host.text }, {
        file,
        span: host.span,
        help: { text: ruleHosts.length > 0 ? `the rule applies on ${ruleHosts.join(", ")}; a rule's own \`for\` stands before its examples` : "the rule applies on no host" },
      }),
    );
  }
  return named.filter((host) => ruleHosts.includes(host));
}
