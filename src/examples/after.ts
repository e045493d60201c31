/**
 * A field as it stands after a decision: what the tool is given where its arguments were changed, what the model reads
 * where its output was. Every other field is what the call says.
 */
import type { Decision, ToolCall } from "../guard/call.ts";
import { fieldText } from "../guard/fields.ts";
import { textsAt } from "../guard/json-place.ts";
import { textMemo } from "../guard/patterns.ts";
import type { FieldPath } from "../guard/plan.ts";
import type { World } from "../guard/world.ts";

export function fieldAfter(field: FieldPath, call: ToolCall, decision: Decision, world: World): string {
  if (call.event === "after-tool" && field.length === 1 && field[0] === "output") return outputAfter(call, decision, world);
  const now = decision.input === undefined ? call : (world.redecode?.(decision.input) ?? call);
  return fieldText(field, { call: now, world, memo: textMemo() });
}

/** A denial after a tool puts its reason in the place of the output. */
function outputAfter(call: ToolCall, decision: Decision, world: World): string {
  if (decision.effect === "deny") return decision.message;
  if (decision.output !== undefined) return decision.output;
  if (decision.response === undefined) return fieldText(["output"], { call, world, memo: textMemo() });
  const places = call.places?.["output"] ?? [];
  const texts = places.flatMap((place) => textsAt(decision.response, place.path)).map(({ text }) => text);
  return texts.filter((text) => text !== "").join("\n");
}
