/** The folder of policyc's own files. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where `package.json` is, whether policyc runs from its bundle or from source. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
