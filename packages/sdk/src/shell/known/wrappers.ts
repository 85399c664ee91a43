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
}

export const WRAPPERS: ReadonlyMap<string, WrapperEntry> = new Map(
  Object.entries<WrapperEntry>({
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
      flags: "pvqV",
      valued: "f",
      long: "portability verbose quiet",
      longValued: "format",
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
      lineOptions: "-c --command",
    },
    watch: {
      flags: "bcdegtpwx",
      valued: "nq",
      long: "beep color differences errexit chgexit no-title precise exec",
      longValued: "interval",
      joins: true,
    },
    script: {
      flags: "aefq",
      valued: "EIBOTom",
      long: "append return flush force quiet",
      longValued: "echo output-limit",
      lineOptions: "-c --command",
      skip: 999,
    },
    busybox: {},
    toybox: {},
    chroot: { long: "skip-chdir", longValued: "groups userspec", skip: 1, moves: "*" },
    ionice: { flags: "t", valued: "cnpPu", long: "ignore", longValued: "class classdata" },
    taskset: { flags: "acp", long: "all-tasks cpu-list", skip: 1 },
    strace: { flags: "cCdDfFhiknqrtTvVwxyYzZ", valued: "abeEIoOpPsSuUX", long: "follow-forks summary-only" },
    ltrace: { flags: "bcCfhiLrStTV", valued: "aADeFlnopsuxX" },
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
    setarch: { flags: "BFILRSTXZ3v", skip: 1 },
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
    firejail: { long: "quiet noprofile net" },
    bwrap: { longValued: "dev proc tmpfs chdir unsetenv uid gid hostname", moves: "*" },
    fakeroot: { valued: "lsib" },
    proot: { valued: "rbqw", moves: "*" },
    "dbus-run-session": {},
    "xvfb-run": { flags: "al", valued: "efnpsw" },
    unbuffer: { flags: "p" },
    rlwrap: { flags: "acimnrI", valued: "bCdfglpsStPZ" },
    caffeinate: { flags: "disum", valued: "tw" },
    valgrind: { flags: "qv" },
    cpulimit: { flags: "zbfqv", valued: "lpeP" },
    trickle: { flags: "s", valued: "udwtl" },
    torsocks: {},
    proxychains: { flags: "q", valued: "f" },
    proxychains4: { flags: "q", valued: "f" },
    "cross-env": { assigns: true },
    dotenv: { valued: "efcpv" },
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
    hyperfine: { joins: true, valued: "wrmMpSn", longValued: "warmup runs prepare shell" },
    retry: { valued: "tdm" },
    ts: {},
  }),
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
