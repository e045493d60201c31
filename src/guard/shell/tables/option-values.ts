/**
 * Options whose value says how a program works and not what it works on, so that `with /…/` and `with WORD` do not take it
 * for an argument (`npm install --prefix web` installs no package). One row per program, or program and subcommand; the
 * longest row counts. An option that a rule may want to read the value of is not in here.
 */
interface OptionValues {
  readonly valued: readonly string[];
  /** Any other long option has a value as well, but for these and those that begin with `--no-`. */
  readonly except?: readonly string[];
}

const list = (text: string): readonly string[] => text.split(" ");

const npm: OptionValues = {
  valued: list("-C --prefix -w --workspace --cache --loglevel --omit --include --only --tag --otp --before --cpu --os --libc --audit-level --install-strategy --save-prefix --script-shell --fetch-timeout --fetch-retries --logs-dir --location --depth"),
};
const pip: OptionValues = {
  valued: list(
    "-r --requirement --requirements -c --constraint --constraints --build-constraint -t --target --platform --python-version --implementation --abi --root --prefix --src --cache-dir --log --log-file --proxy --retries --timeout --cert --client-cert --progress-bar " +
      "-C --config-settings --config-setting --global-option --no-binary --only-binary --upgrade-strategy --report --group --python --exists-action --use-feature --find-links -f --keyring-provider --resume-retries --extra --override --overrides --index-strategy --prerelease --resolution --link-mode",
  ),
};

const rows: Readonly<Record<string, OptionValues>> = {
  npm,
  pnpm: { valued: list("-C --dir -F --filter --filter-prod --prefix --loglevel --reporter --store-dir --virtual-store-dir --modules-dir --workspace-concurrency --network-concurrency --child-concurrency --cpu --os --libc") },
  yarn: { valued: list("--cwd --cache-folder --modules-folder --network-timeout --network-concurrency --mutex --mode --link-folder --global-folder") },
  bun: { valued: list("--cwd --backend --cache-dir --linker --filter --omit --concurrent-scripts --network-concurrency") },
  pip, pip2: pip, pip3: pip, "uv pip": pip,
  aws: { valued: [], except: list("--endpoint-url --debug --version --cli-auto-prompt --recursive --force --dryrun --dry-run --delete --quiet --human-readable --summarize") },
};

/** True for an option of the program (and subcommand) whose value is behind it; `undefined` for a program without a row. */
export function optionValues(key: string): ((option: string) => boolean) | undefined {
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
  if (row === undefined) return undefined;
  const { valued, except } = row;
  const letters = valued.filter((option) => option.length === 2).map((option) => option.charAt(1));
  return (option) => {
    if (valued.includes(option)) return true;
    // `-Ur FILE`: the last letter of a cluster has the value.
    if (/^-[A-Za-z]{2,}$/.test(option)) return letters.includes(option.slice(-1));
    return except !== undefined && /^--[a-z][\w-]*$/.test(option) && !option.startsWith("--no-") && !except.includes(option);
  };
}

export function optionValueRows(): readonly string[] {
  return Object.keys(rows);
}
