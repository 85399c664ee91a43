/** Programs with sub-commands, and which of their global options take the next word as value. */
export const GLOBAL_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source --list-cmds",
    docker: "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
    podman: "-c --connection --root --runroot --url --log-level --storage-driver --identity",
    kubectl:
      "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid --request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name -v --v --username --password --profile --profile-output",
    helm: "-n --namespace --kube-context --kubeconfig --registry-config --repository-cache --repository-config --kube-token --kube-apiserver",
    npm: "--prefix -C -w --workspace --registry --userconfig --globalconfig --cache --loglevel --location --tag --otp",
    pnpm: "-C --dir --filter -F --filter-prod --prefix --loglevel --reporter --workspace-concurrency",
    yarn: "--cwd --registry --cache-folder --modules-folder --mutex --use-yarnrc",
    bun: "--cwd -c --config --env-file -r --preload",
    npx: "-p --package -c --call -w --workspace --prefix",
    cargo: "-C --color --config -Z --manifest-path --target-dir",
    rustup: "--toolchain",
    go: "-C",
    aws: "--profile --region --endpoint-url --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout --cli-binary-format",
    gcloud:
      "--project --account --configuration --format --verbosity --impersonate-service-account --billing-project --region --zone",
    az: "--subscription --output -o --query",
    gh: "-R --repo --hostname",
    glab: "-R --repo",
    terraform: "",
    tofu: "",
    systemctl:
      "-H --host -M --machine -t --type -p --property --root --state -o --output -n --lines -s --signal",
    apt: "-o -c -t",
    "apt-get": "-o -c -t",
    pip: "--python --log --proxy --timeout --cache-dir --cert",
    pip3: "--python --log --proxy --timeout --cache-dir --cert",
    uv: "--directory --project --config-file --cache-dir --color --python",
    poetry: "-C --directory -P --project",
    brew: "",
    svn: "--username --password --config-dir --config-option",
    hg: "-R --repository --cwd --config --encoding --color --pager",
    make: "-C -f -I -j -l -o -W --directory --file --makefile --include-dir --jobs",
    mvn: "-f -s -gs -P -pl -D --file --settings",
    gradle: "-p -b -c -g -I -P -D --project-dir --build-file",
    vercel: "-A -Q -t --token --cwd --scope -S",
    heroku: "-a --app -r --remote",
    fly: "-a --app -c --config -t --access-token",
    sqlite3: "",
  }).map(([name, options]): [string, ReadonlySet<string>] => [
    name,
    new Set(options.split(" ").filter(Boolean)),
  ]),
);

/** Programs whose options above are all that take a value: any other option stands alone. */
export const WHOLE_TABLES: ReadonlySet<string> = new Set(
  "git docker podman kubectl helm cargo go aws gh terraform tofu".split(" "),
);
