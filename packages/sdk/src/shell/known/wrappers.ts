import { byName } from "../table-text.ts";

/** A program that runs the command in its operands. */
export interface WrapperEntry {
  /** Short flags without a value. */
  readonly flags?: string;
  /** Short flags with a value. */
  readonly valued?: string;
  readonly long?: string;
  readonly longValued?: string;
  /** Operands before the command: the duration of `timeout`. */
  readonly skip?: number;
  /** Takes `NAME=value` before the command. */
  readonly assigns?: true;
  /** An allow rule sees through it. */
  readonly transparent?: true;
  /** Options whose value is a whole command line. */
  readonly lineOptions?: string;
  /** Its command words are joined and given to a shell. */
  readonly joins?: true;
  /** Options after which it runs no command. */
  readonly inert?: string;
  /** Options after which the command starts somewhere else. */
  readonly moves?: string;
  /** `-5` is a flag. */
  readonly digits?: true;
  /** Options whose value is a file, as `-o:write --output:write`: with one an allow rule does not see through it. */
  readonly paths?: string;
  /** What the operands before the command are, where they are files. */
  readonly skips?: "read" | "write";
}

export const WRAPPERS: ReadonlyMap<string, WrapperEntry> = byName<WrapperEntry, WrapperEntry>(
  {
    timeout: {
      flags: "fpv",
      valued: "ks",
      long: "foreground preserve-status verbose",
      longValued: "kill-after signal",
      skip: 1,
      transparent: true,
    },
    gtimeout: {
      flags: "fpv",
      valued: "ks",
      long: "foreground preserve-status verbose",
      longValued: "kill-after signal",
      skip: 1,
    },
    time: {
      flags: "apvqV",
      valued: "f",
      long: "append portability verbose quiet",
      longValued: "format",
      paths: "-o:write --output:write",
      transparent: true,
    },
    nice: { valued: "n", longValued: "adjustment", digits: true, transparent: true },
    nohup: { transparent: true },
    stdbuf: { valued: "ioe", longValued: "input output error", transparent: true },
    env: {
      flags: "i0v",
      valued: "uC",
      long: "ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling",
      longValued: "unset chdir",
      assigns: true,
      lineOptions: "-S --split-string",
      moves: "-C --chdir",
    },
    sudo: {
      flags: "AbBEeHiKklNnPSsVv",
      valued: "aCcDghpRrtTUu",
      long: "askpass background bell preserve-env edit set-home login remove-timestamp reset-timestamp list non-interactive preserve-groups stdin shell validate",
      longValued: "close-from chdir group host prompt chroot role type command-timeout other-user user",
      assigns: true,
      moves: "-D --chdir -R --chroot -i --login",
    },
    doas: { flags: "Lns", valued: "aCu" },
    su: {
      flags: "lmpPf",
      valued: "gGswT",
      long: "login preserve-environment pty",
      longValued: "group supp-group shell",
      lineOptions: "-c --command --session-command",
      skip: 999,
    },
    runuser: {
      flags: "lmpPf",
      valued: "ugGsw",
      long: "login",
      longValued: "user group shell",
      lineOptions: "-c --command",
    },
    sg: { skip: 1, lineOptions: "-c" },
    command: { flags: "p", inert: "-v -V" },
    builtin: {},
    exec: { flags: "cl", valued: "a" },
    nocorrect: {},
    noglob: {},
    setsid: { flags: "cfw", long: "ctty fork wait" },
    flock: {
      flags: "sxenuFo",
      valued: "wE",
      long: "shared exclusive unlock nonblock close no-fork verbose",
      longValued: "timeout wait conflict-exit-code",
      skip: 1,
      skips: "write",
      lineOptions: "-c --command",
    },
    watch: {
      flags: "bcdegtpwx",
      valued: "nq",
      long: "beep color differences errexit chgexit no-title precise exec",
      longValued: "interval",
      joins: true,
    },
    // Elsewhere than on Linux a command follows the file.
    script: {
      flags: "adefkpqr",
      valued: "EFmt",
      long: "append return flush force quiet",
      longValued: "echo output-limit logging-format",
      lineOptions: "-c --command",
      paths:
        "-I:write -B:write -O:write -T:write --log-in:write --log-io:write --log-out:write --log-timing:write --timing:write",
      skip: 1,
      skips: "write",
    },
    busybox: {},
    toybox: {},
    chroot: { long: "skip-chdir", longValued: "groups userspec", skip: 1, moves: "*" },
    ionice: { flags: "t", valued: "cnpPu", long: "ignore", longValued: "class classdata" },
    taskset: { flags: "acp", long: "all-tasks cpu-list", skip: 1 },
    strace: {
      flags: "cCdDfFhiknNqrtTvVwxyYzZ",
      valued: "abeEIOpPsSuUX",
      long: "follow-forks summary-only summary output-append-mode output-separately failed-only successful-only no-abbrev stack-traces instruction-pointer syscall-number absolute-timestamps relative-timestamps syscall-times decode-fds decode-pids secontext strings-in-hex debug version help daemonize",
      longValued:
        "trace trace-fds trace-path abbrev verbose raw signal status inject fault read write kvm quiet silent attach env user const-print-style argv0 interruptible string-limit columns summary-columns summary-sort-by summary-syscall-overhead detach-on trim-trailing-whitespace",
      paths: "-o:write --output:write",
    },
    ltrace: {
      flags: "bcCfhiLrStTV",
      valued: "aADelnpsuxX",
      longValued: "align columns config demangle library",
      paths: "-o:write --output:write -F:read --config:read",
    },
    unshare: {
      flags: "imnpuUCTfrc",
      valued: "RwSG",
      long: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user kill-child mount-proc",
      longValued: "root wd setuid setgid propagation map-user map-group",
      moves: "-R -w --root --wd",
    },
    nsenter: {
      flags: "mnuipCUTraF",
      valued: "tSGwW",
      long: "all mount uts ipc net pid user cgroup preserve-credentials no-fork",
      longValued: "target setuid setgid root wd",
      moves: "*",
    },
    "systemd-run": {
      flags: "dGPqrtS",
      valued: "pEuMH",
      long: "user system scope pty pipe wait quiet remain-after-exit collect no-block send-sighup same-dir shell",
      longValued:
        "unit property description slice uid gid nice working-directory setenv service-type machine host on-active on-boot on-calendar timer-property",
      moves: "--working-directory",
    },
    "systemd-inhibit": { longValued: "what who why mode", long: "list" },
    arch: { valued: "de" },
    setarch: {
      flags: "BFILRSTXZ3v",
      valued: "p",
      long: "verbose addr-no-randomize fdpic-funcptrs mmap-page-zero addr-compat-layout read-implies-exec 32bit short-inode whole-seconds sticky-timeouts uname-2.6 3gb 4gb show",
      longValued: "pid",
      skip: 1,
    },
    linux64: {},
    linux32: {},
    prlimit: { longValued: "pid output", long: "noheadings raw verbose" },
    chrt: { flags: "abfiormvR", valued: "TPDp", skip: 1 },
    numactl: {
      flags: "als",
      valued: "mNCip",
      longValued: "membind cpunodebind physcpubind interleave preferred",
      long: "all localalloc show hardware",
    },
    cgexec: { valued: "g", long: "sticky" },
    firejail: { long: "quiet noprofile net", paths: "--output:write --output-stderr:write --profile:read" },
    bwrap: { longValued: "dev proc tmpfs chdir unsetenv uid gid hostname", moves: "*" },
    fakeroot: { valued: "lsib" },
    proot: { valued: "rbqw", moves: "*" },
    "dbus-run-session": {},
    "xvfb-run": {
      flags: "al",
      valued: "npsw",
      paths: "-e:write -f:write --error-file:write --auth-file:write",
    },
    unbuffer: { flags: "p" },
    rlwrap: { flags: "acimnrI", valued: "bCdgpsStPZ", paths: "-H:write -l:write -f:read" },
    caffeinate: { flags: "disum", valued: "tw" },
    valgrind: { flags: "qv", paths: "--log-file:write --xml-file:write --suppressions:read" },
    cpulimit: { flags: "zbfqv", valued: "lpeP" },
    trickle: { flags: "s", valued: "udwtl" },
    torsocks: {},
    proxychains: { flags: "q", paths: "-f:read" },
    proxychains4: { flags: "q", paths: "-f:read" },
    "cross-env": { assigns: true },
    dotenv: { valued: "cpv", paths: "-e:read -f:read" },
    direnv: { skip: 2 },
    catchsegv: {},
    pkexec: { longValued: "user", long: "disable-internal-agent" },
    gosu: { skip: 1 },
    "su-exec": { skip: 1 },
    chpst: { flags: "vPR012", valued: "uUbemdopfcrtn/" },
    setpriv: {
      flags: "d",
      longValued: "reuid regid groups inh-caps bounding-set",
      long: "clear-groups keep-groups init-groups nnp no-new-privs reset-env",
    },
    entr: { flags: "acdnprsz" },
    hyperfine: {
      joins: true,
      valued: "wrmMpSn",
      longValued: "warmup runs prepare shell",
      paths:
        "--export-json:write --export-csv:write --export-markdown:write --export-asciidoc:write --export-orgmode:write --output:write --input:read",
    },
    retry: { valued: "tdm" },
    chronic: { flags: "ve" },
    ifne: { flags: "n" },
    "ssh-agent": { flags: "cskDd", valued: "aEtOP" },
    "dumb-init": { flags: "cv", valued: "r", long: "single-child verbose", longValued: "rewrite" },
    tini: { flags: "sgvw", valued: "pe" },
    eatmydata: {},
    faketime: { flags: "mf", valued: "p", skip: 1, long: "exclude-monotonic" },
    run0: {
      longValued: "unit property description slice user group nice chdir setenv background machine",
      long: "no-ask-password slice-inherit pty pipe empower lightweight",
      valued: "ugD",
      moves: "-D --chdir",
    },
    "setuidgid s6-setuidgid": { skip: 1 },
    ts: {},
  },
  (entry) => entry,
);

/** `xargs`: its options, since what it adds to the command is unknown. */
export const XARGS_FLAGS = "0oprtx";
export const XARGS_VALUED = "adEeIiLlnPs";
export const XARGS_LONG: ReadonlySet<string> = new Set(
  "--null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits".split(" "),
);
export const XARGS_LONG_VALUED: ReadonlySet<string> = new Set(
  "--arg-file --delimiter --eof --replace --max-lines --max-args --max-procs --max-chars --process-slot-var".split(
    " ",
  ),
);
