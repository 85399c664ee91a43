/**
 * Read-only with exactly one of these arguments. Not here: launchers that look in the project for the version or the
 * program to run (yarn, pnpm, cargo, rustc, go).
 */
export const EXACT_ARGUMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    node: "-v --version",
    npm: "-v --version",
    bun: "-v --version",
    deno: "-V --version",
    python: "-V --version",
    python3: "-V --version",
    pip: "-V --version",
    pip3: "-V --version",
    ruby: "-v --version",
    php: "-v --version",
    perl: "-v --version",
    java: "-version --version",
    javac: "-version --version",
    gcc: "--version",
    clang: "--version",
    make: "-v --version",
    cmake: "--version",
    docker: "-v --version",
    bash: "--version",
    git: "--version version",
    jq: "--version",
    rg: "--version -V",
    ps: "aux -ef -e -A -a",
    free: "-h -m -g",
    uptime: "-p",
    curl: "-V --version",
  }).map(([name, texts]): [string, ReadonlySet<string>] => [name, new Set(texts.split(" "))]),
);

/** Read-only without any argument. */
export const BARE_PROGRAMS: ReadonlySet<string> = new Set(["ps", "free", "times", "help"]);
