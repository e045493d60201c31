/**
 * Server and tool out of a host's one name for both. Where the separator may also stand inside either part, every way to
 * read the name is kept: a rule that restricts takes each of them for possible.
 */
import { MalformedPayload } from "./call.ts";
import type { McpName } from "./call.ts";

/** Fail closed past this: no server has a name like that, and each reading is compared with every rule. */
const mostReadings = 32;

/** Every way to part `rest` at the separator, the shortest server first. */
export function mcpReadings(rest: string, separator: string): readonly { readonly server: string; readonly tool: string }[] {
  const readings: { server: string; tool: string }[] = [];
  for (let at = rest.indexOf(separator, 1); at > 0; at = rest.indexOf(separator, at + 1)) {
    if (readings.length === mostReadings) throw new MalformedPayload("the tool's name can be read in too many ways");
    readings.push({ server: rest.slice(0, at), tool: rest.slice(at + separator.length) });
  }
  return readings;
}

/** The name read without further knowledge. */
export function mcpNameOf(rest: string, separator: string): McpName {
  const [first, ...others] = mcpReadings(rest, separator);
  if (first === undefined) return { server: rest, tool: "", ambiguous: true };
  return others.length === 0 ? { ...first, ambiguous: false } : { ...first, ambiguous: true, others };
}
