/**
 * Mistral Vibe's own loading rules for `hooks.toml`: which entries it drops, with only a warning, whoever wrote them.
 * Source: its loader in 3.0.2, read and run 2026-11.
 */
import * as z from "zod";
import type { TomlValue } from "smol-toml";
import { findFaults, type Fault } from "../settings/fault.ts";

const say = (text: string) => ({ error: (issue: { input?: unknown }) => (issue.input === undefined ? "is missing" : text) });
const text = z.string(say("must be a string"));
const written = text.refine((value) => value.trim() !== "", { error: "must not be blank" });

const entry = z
  .looseObject(
    {
      name: text,
      type: z.enum(["pre_tool", "post_tool", "post_agent"], say("must be `pre_tool`, `post_tool` or `post_agent`")),
      command: written,
      match: written.optional(),
      // The loader turns texts and truth values into numbers and back where that can be done.
      timeout: z.union([z.number(), z.bigint(), z.boolean(), z.string().regex(/^\s*[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i)], say("must be a number of seconds")).optional(),
      strict: z.union([z.boolean(), z.literal([0, 1]), z.string().regex(/^(?:0|1|off|on|f|t|false|true|n|y|no|yes)$/i)], say("must be true or false")).optional(),
      description: text.optional(),
    },
    say("must be a table"),
  )
  .superRefine((value, context) => {
    if (value.type !== "post_agent") return;
    for (const [key, isSet] of [["match", value.match !== undefined], ["strict", value.strict !== undefined && /^(?:true|1|on|t|y|yes)$/i.test(String(value.strict))]] as const)
      if (isSet) context.addIssue({ code: "custom", path: [key], message: "is only for tool hooks" });
  });

/** The faults of the entries at `hooks`, in order; of several with one name all but the first are dropped. */
export function findEntryFaults(entries: readonly TomlValue[]): readonly Fault[] {
  const seen = new Set<unknown>();
  return entries.flatMap((value, index) => {
    const faults = findFaults(entry, value).map((fault) => ({ path: ["hooks", index, ...fault.path], why: fault.why }));
    if (faults.length > 0) return faults;
    const { name } = value as { readonly name: string };
    if (seen.has(name)) return [{ path: ["hooks", index], why: `has the name \`${name}\`, which an entry before it has` }];
    seen.add(name);
    return [];
  });
}
