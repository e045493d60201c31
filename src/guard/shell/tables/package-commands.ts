/**
 * Commands of package managers that run a program of the project's dependencies under any name that is none of their own
 * (`yarn prisma migrate reset`, `pnpm cdk destroy`, `bun run prisma`). Sources: manuals of Yarn 1 and 4, pnpm 9, Bun 1.
 */
const own: Readonly<Record<string, string>> = {
  yarn:
    "access add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry global help import info init install licenses link list login logout node npm outdated owner pack " +
    "patch patch-commit plugin policies prune publish rebuild remove search set stage start tag team test unlink unplug unpublish up upgrade upgrade-interactive version versions why workspace workspaces",
  pnpm:
    "add approve-builds audit bin c cache cat-file cat-index completion config create dedupe deploy dlx doctor env exec fetch find-hash get help i import init install install-test it licenses link list ln login logout ls m " +
    "multi outdated pack patch patch-commit patch-remove prune publish rb rebuild recursive remove restart rm root run-script self-update server set setup start stop store t test tst un uninstall unlink up update upgrade version why whoami",
  bun: "a add audit build c completions create exec help i info init install link outdated patch patch-commit pm publish remove repl rm test unlink update upgrade why x",
};

/** True where the manager takes `word` for the name of a program or script; `run` is followed by one. */
export function namesProgram(manager: string, word: string): boolean {
  const commands = Object.hasOwn(own, manager) ? own[manager] : undefined;
  return commands !== undefined && word !== "" && word !== "run" && !/[./]/.test(word) && !commands.split(" ").includes(word);
}

export function packageManagers(): readonly string[] {
  return Object.keys(own);
}
