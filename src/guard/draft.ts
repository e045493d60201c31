/**
 * A call with what transforms have made of it so far.
 */
import type { FieldValue, Json, JsonObject, ToolCall } from "./call.ts";

export interface Draft {
  readonly call: ToolCall;
  readonly input: JsonObject;
  readonly response: Json | undefined;
  /** A whole text in the place of the response. */
  readonly output?: string;
  /** Portable fields that were changed, as they are now. */
  readonly fields: { readonly [field: string]: FieldValue };
}

/** `output`: the text that stands for the whole response already, where there is one. */
export function draftOf(call: ToolCall, output?: string): Draft {
  return { call, input: call.input, response: call.response, ...(output !== undefined && { output }), fields: output === undefined ? {} : { output } };
}
