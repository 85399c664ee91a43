/** Shells: a script they are given is a line of its own. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh ksh93 mksh ash rbash yash posh fish csh tcsh".split(" "),
);

/** How interpreters are given a program on the command line. */
export interface Interpreter {
  /** Options whose value is program text. */
  readonly script: ReadonlySet<string>;
  /** Other options that take a value. */
  readonly valued: ReadonlySet<string>;
  /** Sub-commands behind which the file stands. */
  readonly runs: ReadonlySet<string>;
  /** Sub-commands that run no file. */
  readonly others: ReadonlySet<string>;
}

interface InterpreterEntry {
  readonly script: string;
  readonly valued?: string;
  readonly runs?: string;
  readonly others?: string;
}

export const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(
  Object.entries<InterpreterEntry>({
    python: { script: "-c", valued: "-W -X -m" },
    pypy: { script: "-c", valued: "-W -X -m" },
    node: {
      script: "-e --eval -p --print",
      valued: "-r --require --import --loader -C --conditions --env-file",
    },
    nodejs: { script: "-e --eval -p --print", valued: "-r --require --import --loader" },
    deno: {
      script: "eval",
      valued: "-c --config --import-map --lock --cert --env-file --location --seed -L --log-level",
      runs: "run serve test bench check cache compile bundle fmt lint doc info install",
      others:
        "task add remove uninstall outdated update upgrade lsp repl jupyter publish init types completions coverage deploy clean vendor",
    },
    bun: {
      script: "-e --eval -p --print",
      valued: "-r --preload --cwd -c --config --env-file --filter",
      runs: "run",
      others:
        "test build x add a install i remove rm update link unlink pm upgrade create c init repl exec publish outdated audit patch why info ci",
    },
    tsx: { script: "-e --eval" },
    "ts-node": { script: "-e --eval" },
    perl: { script: "-e -E", valued: "-I -M -m" },
    ruby: { script: "-e", valued: "-r -I -C" },
    php: { script: "-r -R -B -E", valued: "-d -c -z" },
    lua: { script: "-e", valued: "-l" },
    luajit: { script: "-e", valued: "-l" },
    tclsh: { script: "" },
    wish: { script: "" },
    expect: { script: "-c" },
    rscript: { script: "-e" },
    r: { script: "-e" },
    julia: { script: "-e -E --eval --print" },
    osascript: { script: "-e", valued: "-l" },
    pwsh: { script: "-c -command -encodedcommand -e -ec" },
    powershell: { script: "-c -command -encodedcommand -e -ec" },
    groovy: { script: "-e" },
    scala: { script: "-e" },
    elixir: { script: "-e --eval" },
    erl: { script: "-eval" },
    ghci: { script: "-e" },
    guile: { script: "-c" },
    clojure: { script: "-e -M" },
    irb: { script: "" },
    iex: { script: "" },
    jshell: { script: "" },
    gdb: { script: "-ex --eval-command", valued: "-x -p" },
    ed: { script: "" },
    ex: { script: "-c" },
    vi: { script: "-c --cmd" },
    vim: { script: "-c --cmd" },
    dc: { script: "-e" },
    m4: { script: "" },
    sqlite3: { script: "-cmd" },
    psql: { script: "-c", valued: "-d -h -p -U -f" },
    mysql: { script: "-e", valued: "-u -h -P -D" },
    at: { script: "" },
    batch: { script: "" },
    crontab: { script: "" },
    ssh: { script: "", valued: "-i -l -p -o -F -L -R -D -J -b -c -E -e -I -m -O -Q -S -W -w" },
    parallel: { script: "" },
  }).map(([name, entry]): [string, Interpreter] => [
    name,
    {
      script: setOf(entry.script),
      valued: setOf(entry.valued ?? ""),
      runs: setOf(entry.runs ?? ""),
      others: setOf(entry.others ?? ""),
    },
  ]),
);

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").filter(Boolean));
}

/** `python3.11`, `perl5.36`: the version says nothing about what it is. */
export function interpreterOf(name: string): Interpreter | undefined {
  const known = INTERPRETERS.get(name);
  if (known !== undefined || !/[\d.]$/.test(name)) return known;
  return INTERPRETERS.get(name.replace(/[\d.]+$/, ""));
}

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}
