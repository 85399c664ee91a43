/** How a program with sub-commands takes the options that stand before and between their names. */
export interface GrammarEntry {
  /** Options that take the next word, with dashes. A word without a dash counts as one. */
  readonly valued?: string;
  /** Options that stand alone. Any other option may be either. */
  readonly flags?: string;
  /** Words behind which another name stands, `a|b c`, with the options that take a value there. `*`: any word. */
  readonly groups?: Readonly<Record<string, string>>;
}

const NPM_RUN = { "run|run-script": "", "exec|x": "-c --call -p --package", "config|c": "--location -L" };

/** Programs with sub-commands, by their bare name. */
export const GRAMMARS: Readonly<Record<string, GrammarEntry>> = {
  git: {
    valued:
      "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source --list-cmds",
    flags:
      "-p -P -v -h --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --version --help",
    groups: { "remote|stash|worktree|submodule|notes|reflog|bisect|bundle|sparse-checkout": "--ref" },
  },
  "docker nerdctl": {
    valued:
      "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -n --namespace -a --address --snapshotter --cni-path --cni-netconfpath --data-root --hosts-dir --cgroup-manager",
    flags: "-D -v --debug --tls --tlsverify --version --help",
    groups: {
      "container|image|volume|network|system|builder|context|plugin|swarm|service|stack|node|secret|config|manifest|trust|checkpoint":
        "",
      buildx: "--builder",
      "buildx imagetools": "--builder",
      compose:
        "-f --file -p --project-name --profile --env-file --project-directory --parallel --progress --ansi",
    },
  },
  podman: {
    valued:
      "-c --connection --root --runroot --url --log-level --storage-driver --identity --cdi-spec-dir --cgroup-manager --config --conmon --events-backend --hooks-dir --imagestore --module --network-cmd-path --network-config-dir --out --runtime --runtime-flag --ssh --storage-opt --tmpdir --volumepath --db-backend --tls-ca --tls-cert --tls-key",
    flags: "-r -v --remote --noout --syslog --transient-store --trace --help --version",
    groups: {
      "container|image|volume|network|system|machine|pod|secret|manifest|generate|kube|healthcheck|play": "",
    },
  },
  "docker-compose podman-compose": {
    valued:
      "-f --file -p --project-name --profile --env-file --project-directory --parallel --progress --ansi -H --host -c --context -l --log-level --tlscacert --tlscert --tlskey",
    flags:
      "-D -v --debug --verbose --tls --tlsverify --skip-hostname-check --no-ansi --compatibility --dry-run --version",
  },
  "kubectl oc": {
    valued:
      "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid --as-user-extra --request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name -v --v --vmodule --username --password --profile --profile-output --kuberc --log-file --log-dir --log-backtrace-at --log-flush-frequency --log-file-max-size --stderrthreshold",
    flags:
      "--insecure-skip-tls-verify --match-server-version --warnings-as-errors --disable-compression --logtostderr --alsologtostderr --help",
    groups: {
      "rollout|config|auth|set|top|certificate|plugin|apply|cluster-info|api-resources|alpha": "",
      create: "",
      "create secret": "",
      adm: "",
    },
  },
  helm: {
    valued:
      "-n --namespace --kube-context --kubeconfig --registry-config --repository-cache --repository-config --content-cache --kube-token --kube-apiserver --kube-as-group --kube-as-user --kube-ca-file --kube-tls-server-name --burst-limit --qps --color",
    flags: "--debug --kube-insecure-skip-tls-verify -h --help",
    groups: { "repo|plugin|registry|dependency|dep|get|show|inspect|search": "" },
  },
  npm: {
    valued:
      "--prefix -C -w --workspace --registry --userconfig --globalconfig --cache --loglevel --location -L --tag --otp --omit --include --script-shell --node-options --before --depth",
    flags:
      "-s --silent -q --quiet -d -dd -ddd --verbose -g --global -y --yes -f --force -ws --workspaces --json --dry-run --if-present --ignore-scripts -S --save -D --save-dev -E --save-exact --help -h",
    groups: { ...NPM_RUN, "cache|dist-tag|access|owner|team|token|org|profile|pkg|audit": "" },
  },
  pnpm: {
    valued:
      "-C --dir --filter -F --filter-prod --prefix --loglevel --reporter --workspace-concurrency --use-node-version --config",
    flags:
      "-r -w --recursive --workspace-root --silent -s --parallel --stream --color --no-color --if-present recursive multi m",
    groups: { ...NPM_RUN, "store|env|patch|cache": "" },
  },
  yarn: {
    valued:
      "--cwd --registry --cache-folder --modules-folder --mutex --use-yarnrc --global-folder --network-timeout workspace",
    flags: "-s --silent --offline --frozen-lockfile --verbose --json --no-progress --non-interactive",
    groups: { ...NPM_RUN, "global|workspaces|npm|plugin|set|cache|policies": "" },
  },
  bun: {
    valued: "--cwd -c --config --env-file -r --preload --filter",
    flags: "--bun -b --silent --hot --watch --smol",
    groups: { "run|pm": "" },
  },
  npx: {
    valued: "-p --package -c --call -w --workspace --prefix",
    flags: "-y --yes --no --no-install -q --quiet --ignore-existing",
  },
  cargo: {
    valued: "-C --color --config -Z --explain --target-dir --manifest-path --lockfile-path",
    flags: "-v -vv -q -V -h --verbose --quiet --locked --offline --frozen --list --version --help",
    groups: { nextest: "" },
  },
  rustup: {
    valued: "--toolchain",
    flags: "-v -q --verbose --quiet",
    groups: { "toolchain|target|component|override": "" },
  },
  go: { valued: "-C", groups: { "mod|work|tool": "-C" } },
  aws: {
    valued:
      "--profile --region --endpoint-url --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout --cli-binary-format --cli-error-format",
    flags:
      "--debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager --cli-auto-prompt --no-cli-auto-prompt --version",
    groups: { "*": "" },
  },
  gcloud: {
    valued:
      "--project --account --configuration --format --verbosity --impersonate-service-account --billing-project --region --zone --access-token-file --flags-file --flatten --trace-token",
    flags: "-q --quiet --log-http --user-output-enabled --no-user-output-enabled --help -h",
    groups: { "*": "", "* *": "" },
  },
  az: {
    valued: "--subscription --output -o --query",
    flags: "--debug --verbose --only-show-errors -h --help",
    groups: { "*": "", "* *": "" },
  },
  gh: { valued: "-R --repo --hostname", flags: "--help --version", groups: { "*": "-R --repo" } },
  glab: { valued: "-R --repo", flags: "--help", groups: { "*": "-R --repo" } },
  "terraform tofu": {
    flags: "-version --version -v -help --help -h",
    groups: { "workspace|state|providers": "-state" },
  },
  systemctl: {
    valued:
      "-H --host -M --machine -t --type -p -P --property --root --image --state -o --output -n --lines -s --signal --kill-who --kill-whom --kill-value --job-mode --preset-mode --check-inhibitors --what --timestamp --boot-loader-menu --boot-loader-entry --reboot-argument --message --drop-in --when --image-policy --legend",
    flags:
      "-a -r -l -q -f -i -T -h --system --user --global --all --recursive --reverse --after --before --with-dependencies --full --value --show-types --no-block --wait --no-legend --no-pager --no-wall --no-reload --no-warn --no-ask-password --runtime --force --quiet --now --dry-run --plain --firmware-setup --marked --read-only --mkdir --failed --stdin --help --version",
  },
  "apt apt-get": {
    valued: "-o -c -t --option --config-file --target-release --default-release",
    flags: "-y -q -qq -s -d -f -m -u -V --yes --assume-yes --quiet --simulate --dry-run",
  },
  "pip pip3": {
    valued:
      "--python --log --proxy --timeout --cache-dir --cert --client-cert --retries --exists-action --trusted-host --use-feature --use-deprecated --keyring-provider",
    flags:
      "-v -q -V -h --debug --isolated --require-virtualenv --verbose --quiet --no-input --no-cache-dir --no-color --disable-pip-version-check --no-python-version-warning",
    groups: { "config|cache|index": "" },
  },
  uv: {
    valued: "--directory --project --config-file --cache-dir --color --python --allow-insecure-host",
    flags: "-q -v -n --quiet --verbose --no-cache --offline --no-progress --native-tls --no-config",
    groups: { "pip|tool|python|cache|self": "--python" },
  },
  poetry: {
    valued: "-C --directory -P --project",
    flags: "-n -q -v -vv -vvv --quiet --no-interaction --no-plugins --no-cache --ansi --no-ansi",
    groups: { "self|env|cache|source|config": "" },
  },
  brew: { flags: "-v -d -q --verbose --debug --quiet", groups: { "services|bundle": "" } },
  svn: {
    valued: "--username --password --config-dir --config-option",
    flags: "-q --quiet --non-interactive --no-auth-cache --trust-server-cert",
  },
  hg: {
    valued: "-R --repository --cwd --config --encoding --encodingmode --color --pager",
    flags: "-y -q -v --noninteractive --quiet --verbose --debug --debugger --traceback --time --profile",
  },
  make: {
    valued: "-C -f -I -j -l -o -W --directory --file --makefile --include-dir --jobs --eval -E",
    flags: "-B -d -e -i -k -n -q -r -R -s -S -t -v -w --silent --quiet --keep-going --dry-run --always-make",
  },
  mvn: {
    valued: "-f -s -gs -P -pl -D --file --settings -T -l --log-file -t --toolchains -rf",
    flags: "-q -B -o -U -X -e -am -amd -N -V --quiet --batch-mode --offline --debug",
  },
  gradle: {
    valued:
      "-p -b -c -g -I -P -D --project-dir --build-file --settings-file --gradle-user-home --init-script -x",
    flags: "-q -i -d -s -S --quiet --info --debug --stacktrace --offline --no-daemon --daemon --parallel",
  },
  vercel: {
    valued: "-A -Q -t --token --cwd --scope -S --local-config --global-config",
    flags: "-d -y --debug --yes",
  },
  heroku: { valued: "-a --app -r --remote", flags: "" },
  "fly flyctl": {
    valued: "-a --app -c --config -t --access-token",
    flags: "--verbose --debug",
    groups: { "*": "-a --app -c --config" },
  },
  sqlite3: {},
  "7z 7za 7zr 7zz rar unrar": { flags: "-y -r" },
};
