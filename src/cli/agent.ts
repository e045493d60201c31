/** Tells whether an agent started policyc, by the variables that agents set for the commands they run. */

/** Claude Code sets `CLAUDECODE`; `AI_AGENT` is the name other agents agreed on. */
const marks = ["CLAUDECODE", "AI_AGENT"] as const;

/** The variable that says so; `undefined` where a person did. */
export function startedByAgent(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return marks.find((name) => Boolean(environment[name]));
}
