/** Cmdlets against a rule's words: names by their aliases, parameters by any beginning, letter case never counts. */
import type { Found } from "../machine.ts";
import { powerAlias } from "../tables/powershell.ts";
import { show } from "../text.ts";
import type { Value } from "../text.ts";
import { foldCase } from "../../paths.ts";
import type { ArgumentPlan, CommandPlan, PatternPlan } from "../../plan.ts";

/** `Verb-Noun`: words behind it are parameters in PowerShell's way. */
export function isCmdlet(name: string): boolean {
  return /^[A-Za-z]+-[A-Za-z]\w*$/.test(name) && /^(?:Get|Set|Add|Remove|New|Clear|Copy|Move|Rename|Out|Tee|Export|Import|Select|Invoke|Start|Stop|Restart|Write|Read|Test|Resolve|Convert|ConvertTo|ConvertFrom|Push|Pop|Format|Where|ForEach|Sort|Measure|Group|Compare|Split|Join|Compress|Expand|Unblock|Enter|Exit|Enable|Disable|Install|Uninstall|Update|Register|Unregister|Save|Send|Receive|Wait|Mount|Dismount|Initialize|Repair|Reset|Suspend|Resume|Show|Hide|Find|Use|Trace|Debug|Grant|Revoke|Block|Protect|Unprotect|Publish|Unpublish|Connect|Disconnect|Checkpoint|Restore|Backup|Limit|Optimize)-/i.test(name);
}

export function matchesCmdlet(found: Found, plan: CommandPlan): boolean {
  const [name, ...rest] = plan;
  const written = foldCase(show(found.words[0]?.[0] ?? "").replace(/^[^]*[\\/]/, ""));
  const matches = name?.some((spelling) => foldCase(spelling) === written || foldCase(powerAlias(spelling) ?? spelling) === foldCase(found.name)) === true;
  return matches && rest.every((spellings, index) => found.words[index + 1]?.some((text) => spellings.some((spelling) => foldCase(spelling) === foldCase(show(text)))) === true);
}

export function hasCmdletArgument(words: readonly Value[], any: readonly ArgumentPlan[], matches: (pattern: PatternPlan, word: string) => boolean): boolean {
  return words.slice(1).some((word) =>
    word.some((text) => {
      const shown = show(text);
      return any.some((one) => {
        switch (one.kind) {
          case "flag":
            return isParameter(one.text, shown);
          case "word":
            return foldCase(one.text) === foldCase(shown);
          case "pattern":
            return matches(one.pattern, shown);
          default:
            return one satisfies never;
        }
      });
    }),
  );
}

/** `-Rec` and `-Recurse:$true` are `-Recurse`; a rule may abbreviate too. */
function isParameter(flag: string, word: string): boolean {
  const given = foldCase(word.replace(/:[^]*$/, ""));
  if (/:\$?false$/i.test(word) || given.length < 2 || !given.startsWith("-")) return false;
  const wanted = foldCase(flag);
  return wanted === given || (!wanted.startsWith("--") && (wanted.startsWith(given) || (wanted.length > 1 && given.startsWith(wanted))));
}
