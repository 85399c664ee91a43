import type { SubCommandEntry } from "./entry.ts";

const NPM_CONFIG = { operands: "text", writes: "~/.npmrc" } as const;

const SEVEN_ZIP = { flags: "yrs", valued: "pmtvwxi" } as const;

/** Which files programs that build and publish packages touch. */
export const BUILDERS: Readonly<Record<string, SubCommandEntry>> = {
  "npm pnpm": {
    paths: "--userconfig:read --globalconfig:read --cache:write --prefix:list -C:list --dir:list",
    rows: {
      // A shell or options of node may be set there.
      "config set|config delete|config rm|c set|c delete|config fix|set": NPM_CONFIG,
      "pack|publish|stage": {
        longValued: "tag access",
        paths: "--pack-destination:write",
        operands: "walk",
        recursive: "*",
      },
      "install|i|add|ci|update|up|link|uninstall": {
        paths: "--prefix:write -C:write --dir:write --modules-folder:write --store-dir:write",
        operands: "text",
      },
    },
  },
  "7z 7za 7zr 7zz rar unrar": {
    rows: {
      "a|u|d|rn|m|f": {
        ...SEVEN_ZIP,
        removesWith: "-sdel",
        operands: "read",
        first: "write",
        recursive: "*",
      },
      "x|e": {
        ...SEVEN_ZIP,
        paths: "-o:write",
        operands: "text",
        first: "read",
        links: "anywhere",
        unpacks: true,
      },
    },
    other: { ...SEVEN_ZIP, operands: "text", first: "read" },
  },
  yarn: {
    paths: "--cwd:list --use-yarnrc:read --cache-folder:write --modules-folder:write --global-folder:write",
    rows: {
      "config set|config unset|config delete": { operands: "text", writes: "~/.yarnrc" },
      publish: { longValued: "tag access new-version", operands: "walk", recursive: "*" },
      pack: { paths: "-f:write --filename:write -o:write --out:write", operands: "text" },
    },
  },
  cargo: {
    paths: "-C:list --manifest-path:read --target-dir:write --lockfile-path:write",
    rows: {
      "new|init": { longValued: "name edition registry vcs", long: "bin lib", operands: "write" },
      install: {
        valued: "Fj",
        longValued: "version git branch tag rev registry index features bin example profile target jobs",
        paths: "--root:write --path:walk --target-dir:write",
        operands: "text",
      },
      vendor: { paths: "-s:read --sync:read", operands: "write", recursive: "*" },
    },
    other: {
      paths:
        "--manifest-path:read --target-dir:write --artifact-dir:write --out-dir:write --lockfile-path:write",
      shapes: "--config:assigned",
      operands: "text",
    },
  },
  go: {
    moves: "-C",
    dash: "single",
    rows: {
      run: {
        paths: "-modfile:read -overlay:read -pgo:read",
        longValued: "tags ldflags gcflags asmflags mod p",
        long: "race v x a n work trimpath msan asan",
        runs: "-exec+ -toolexec+",
        operands: "read",
        flagsFirst: true,
      },
      "fmt|vet|list|doc|generate": {
        paths: "-modfile:read -overlay:read",
        longValued: "tags f mod",
        runs: "-toolexec+ -vettool+",
        operands: "text",
      },
    },
    other: {
      longValued: "tags ldflags gcflags asmflags mod p run bench benchtime count timeout cpu parallel",
      paths:
        "-o:write -modfile:read -overlay:read -pgo:read -coverprofile:write -cpuprofile:write -memprofile:write -blockprofile:write -mutexprofile:write -trace:write -outputdir:write -pkgdir:write",
      runs: "-exec+ -toolexec+",
      operands: "read",
    },
  },
};
