/**
 * Options of a tool's own that may stand between its name and its subcommand (`git -C d push`), with a value behind
 * them. Options without a value need no row: they are stepped over; `+` stands for words that begin with it (`cargo
 * +nightly`). One row per program, or program and subcommand.
 */
const rows: Readonly<Record<string, string>> = {
  git: "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --list-cmds",
  npm: "--prefix -C -w --workspace --registry --userconfig --globalconfig --cache --loglevel --script-shell --otp --tag",
  pnpm: "-C --dir --filter -F --prefix --registry --loglevel --reporter --store-dir",
  yarn: "--cwd --registry --cache-folder --modules-folder --use-yarnrc --network-timeout --mutex",
  bun: "--cwd --config -c --env-file",
  docker: "--context -c --host -H --config --log-level -l --tlscacert --tlscert --tlskey",
  "docker compose": "-f --file -p --project-name --project-directory --profile --env-file --ansi --parallel --progress",
  "docker-compose": "-f --file -p --project-name --project-directory --profile --env-file --ansi -H --host --context -c --log-level",
  podman: "--connection -c --url --identity --root --runroot --log-level --storage-driver --storage-opt --tmpdir --cgroup-manager --namespace",
  "podman compose": "-f --file -p --project-name --project-directory --profile --env-file",
  nerdctl: "--namespace -n --address -a --host -H --snapshotter --data-root",
  kubectl:
    "-n --namespace --context --kubeconfig --cluster --user --server -s --token --as --as-group --as-uid --certificate-authority --client-key --client-certificate --request-timeout --tls-server-name --cache-dir -v --v --profile --username --password --vmodule --log-dir",
  oc: "-n --namespace --context --kubeconfig --cluster --user --server -s --token --as --request-timeout -v --loglevel",
  helm: "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-token --kube-as-user --registry-config --repository-config --repository-cache --burst-limit",
  aws: "--profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color --cli-binary-format",
  gcloud: "--project --account --configuration --format --impersonate-service-account --verbosity --billing-project --flags-file --access-token-file",
  gsutil: "-o -h -i -u",
  bq: "--project_id --dataset_id --location --format --bigqueryrc --credential_file --api",
  az: "--subscription --output -o --query",
  terraform: "",
  tofu: "",
  terragrunt: "--terragrunt-config --terragrunt-working-dir --working-dir --config --log-level",
  pulumi: "-C --cwd -s --stack --color -v --verbose --tracing --profiling",
  gh: "-R --repo --hostname",
  glab: "-R --repo -g --group",
  hub: "-C -c --git-dir --work-tree",
  tmux: "-L -S -f -T -c",
  cargo: "+ --color --config -Z -C --manifest-path",
  go: "-C",
  pip: "--proxy --cache-dir --log --timeout --retries --trusted-host --cert --client-cert --python --exists-action",
  pip3: "--proxy --cache-dir --log --timeout --retries --trusted-host --cert --client-cert --python --exists-action",
  uv: "--directory --project --config-file --cache-dir --color --python-preference --allow-insecure-host",
  poetry: "-C --directory -P --project",
  bundle: "--gemfile --jobs --retry",
  composer: "-d --working-dir",
  mvn: "-f --file -s --settings -gs --global-settings -P --activate-profiles -pl --projects -T --threads -l --log-file",
  gradle: "-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home -I --init-script -x --exclude-task",
  gradlew: "-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home -I --init-script -x --exclude-task",
  systemctl: "-H --host -M --machine -t --type -p --property -s --signal --root --state -n --lines -o --output --kill-whom",
  ansible: "-i --inventory -u --user -m --module-name -a --args",
  vagrant: "--machine-readable",
  heroku: "-a --app -r --remote",
  fly: "-a --app -c --config -t --access-token",
  flyctl: "-a --app -c --config -t --access-token",
  vercel: "--token -t --scope -S --cwd --local-config -A --global-config -Q",
  netlify: "--auth --filter",
  firebase: "--project -P --account --token -c --config",
  wrangler: "-c --config --env -e --cwd",
  supabase: "--workdir --profile --network-id",
  "redis-cli": "-h -p -s -a -u -n -r -i -d --user --pass --sni --cacert --cacertdir --cert --key --tls-ciphers --askpass",
  etcdctl: "--endpoints --user --password --cacert --cert --key --command-timeout --dial-timeout -w --write-out",
  consul: "-http-addr -token -token-file -datacenter",
  vault: "-address -namespace -ca-cert -client-cert -client-key -format",
  mongosh: "--host --port -u --username -p --password --authenticationDatabase --db",
  brew: "",
  apt: "-o -c -t --option --config-file --target-release",
  "apt-get": "-o -c -t --option --config-file --target-release",
  dnf: "-c --config --installroot --releasever --repo --repoid -x --exclude -d -e --setopt",
  yum: "-c --config --installroot --releasever -x --exclude -d -e --setopt",
  zypper: "-R --root -c --config --repo -r --reposd-dir",
  nix: "--option --extra-experimental-features --store -I -j --max-jobs --log-format",
  conda: "-n --name -p --prefix",
  svn: "--username --password --config-dir --config-option",
  hg: "-R --repository --cwd --config --encoding --color --pager",
  jj: "-R --repository --at-operation --at-op --config --config-file --color",
};

/** Options of `key` with a value; `undefined` for a program without a row. */
export function globalOptions(key: string): ReadonlySet<string> | undefined {
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
  return row === undefined ? undefined : new Set(row.split(" ").filter((name) => name !== ""));
}

export function globalOptionRows(): readonly string[] {
  return Object.keys(rows);
}
