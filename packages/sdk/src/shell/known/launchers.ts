import { byName } from "../table-text.ts";
import type { WrapperEntry } from "./wrappers.ts";

/**
 * A program that looks up another one and starts it: a package, a tool of an environment, a window of a terminal. A
 * rule for the other program says nothing about this one, so that nothing is allowed through it; deny and ask rules
 * see the other one, and so do the paths that it touches.
 */
export interface LauncherEntry extends WrapperEntry {
  /** Sub-commands behind which the command stands. Absent: it follows the program. */
  readonly verbs?: string;
  /** Words that may stand before a sub-command, with a word of their own behind them: `yarn workspace a exec`. */
  readonly leads?: string;
  /** Sub-commands may be shortened. */
  readonly shortens?: true;
  /** The command stands behind one of these words, and nowhere else when one of them is there. */
  readonly after?: string;
  /** Sub-commands and options with which it runs what is not read here. `*`: always. */
  readonly opaque?: string;
  /** The command is named as a package: `name@version`. */
  readonly packages?: true;
  /** The command may be a script with this ending, or `-` for the input. */
  readonly script?: string;
}

const NPX: LauncherEntry = {
  flags: "yq",
  valued: "pw",
  long: "yes no no-install quiet ignore-existing workspaces include-workspace-root",
  longValued: "package workspace prefix registry cache loglevel node-options shell",
  lineOptions: "-c --call",
  packages: true,
};
const BUNX: LauncherEntry = {
  flags: "b",
  valued: "p",
  long: "bun no-install verbose silent",
  longValued: "package",
  packages: true,
};
const UVX: LauncherEntry = {
  flags: "qvnU",
  valued: "pwPci",
  long: "quiet verbose isolated no-cache offline refresh upgrade reinstall no-config no-project no-sync locked frozen all-extras no-dev only-dev dev exact managed-python native-tls no-progress no-env-file active no-index",
  longValued:
    "from with with-editable with-requirements python index default-index index-url extra-index-url find-links extra group no-group only-group package directory project config-file color cache-dir env-file python-platform prerelease resolution index-strategy keyring-provider exclude-newer link-mode upgrade-package refresh-package constraints overrides",
  packages: true,
};
const EXEC: LauncherEntry = { verbs: "exec" };
const RUN: LauncherEntry = { verbs: "run" };
const CONDA: LauncherEntry = {
  verbs: "run",
  flags: "v",
  valued: "npre",
  long: "no-capture-output live-stream dev debug-wrapper-scripts verbose clean-env",
  longValued: "name prefix cwd root-prefix env",
};

/** By the bare name. Several entries are of one program with several kinds of sub-commands. */
export const LAUNCHERS: ReadonlyMap<string, readonly LauncherEntry[]> = byName<
  LauncherEntry | readonly LauncherEntry[],
  readonly LauncherEntry[]
>(
  {
    npx: NPX,
    pnpx: { ...NPX, opaque: "-c --shell-mode" },
    npm: { ...NPX, verbs: "exec x" },
    pnpm: {
      ...NPX,
      lineOptions: "",
      verbs: "exec dlx",
      leads: "recursive multi m",
      opaque: "-c --shell-mode",
    },
    yarn: { ...NPX, verbs: "exec dlx", leads: "workspace workspaces foreach npm" },
    bunx: BUNX,
    bun: [
      { ...BUNX, verbs: "x" },
      { verbs: "exec", opaque: "*" },
    ],
    corepack: { packages: true },
    lerna: { verbs: "exec", longValued: "concurrency scope ignore since", long: "stream parallel no-bail" },
    uvx: UVX,
    uv: {
      ...UVX,
      flags: "qvnUms",
      verbs: "run",
      leads: "tool",
      long: `${UVX.long} module script gui-script`,
      script: ".py",
    },
    pipx: {
      verbs: "run",
      flags: "qv",
      long: "no-cache pypackages verbose quiet",
      longValued: "spec python pip-args index-url path with",
      packages: true,
      script: ".py",
    },
    "poetry pipenv rye pixi": { ...RUN, script: ".py" },
    pdm: { ...RUN, flags: "s", valued: "p", long: "site-packages recreate", longValued: "project venv" },
    hatch: { ...RUN, valued: "e", longValued: "env" },
    "conda mamba micromamba": CONDA,
    bundle: {
      ...EXEC,
      longValued: "gemfile",
      long: "keep-file-descriptors no-keep-file-descriptors",
      script: ".rb",
    },
    "asdf rbenv pyenv nodenv goenv jenv plenv": EXEC,
    fnm: { ...EXEC, longValued: "using fnm-dir log-level" },
    nvm: { ...EXEC, skip: 1, long: "silent" },
    volta: { ...RUN, longValued: "node npm pnpm yarn", long: "bundled-npm no-pnpm no-yarn verbose quiet" },
    rustup: { ...RUN, skip: 1, long: "install" },
    mise: { verbs: "exec x", after: "--", lineOptions: "-c --command" },
    "aws-vault chamber": { verbs: "exec", after: "--" },
    "op doppler infisical dotenvx": { verbs: "run", after: "--", lineOptions: "--command" },
    nix: { verbs: "shell develop", after: "-c --command" },
    "nix-shell": { lineOptions: "--run --command", after: "--run --command" },
    sops: { verbs: "exec-env exec-file", opaque: "*" },
    wsl: { valued: "du", longValued: "distribution user cd shell-type", flags: "e", long: "exec" },
    screen: { flags: "aAmLlqUvfOidD", valued: "cehpsStT", opaque: "-X" },
    tmux: {
      verbs: "new-session new new-window neww split-window splitw",
      shortens: true,
      flags: "AdDEPXhvbIZkfaS",
      valued: "cFnstxyelp",
      joins: true,
      opaque:
        "-c ; send-keys send run-shell run if-shell if pipe-pane pipep bind-key bind set-hook source-file source command-prompt confirm-before confirm display-popup popup respawn-pane respawnp respawn-window respawnw",
    },
    "start-stop-daemon": { opaque: "*" },
  },
  (entry) => (Array.isArray(entry) ? entry : [entry as LauncherEntry]),
);
