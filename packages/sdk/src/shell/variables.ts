const HARMLESS =
  /^(?:LANG|LC_[A-Z]+|TZ|NODE_ENV|CI|FORCE_COLOR|NO_COLOR|TERM|PYTHONUNBUFFERED|RUST_BACKTRACE)$/;

const OPAQUE =
  /^(?:PATH|LD_.*|IFS|BASH_ENV|ENV|PS4|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|GIT_.*|HOME|PWD|CDPATH|NODE_OPTIONS|PYTHON(?!UNBUFFERED$).*|DYLD_.*|PERL5.*|RUBYOPT|JAVA_TOOL_OPTIONS|npm_config_.*|.*PAGER|EDITOR|SSH_.*|BASH_FUNC_.*|FPATH|ZDOTDIR)$/i;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names that hold text the shell itself takes from the line or the disk. */
const SHELL_OWN =
  /^(?:_|BASH.*|REPLY|PWD|OLDPWD|DIRSTACK|FUNCNAME|OPTARG|MAPFILE|COPROC.*|COMP_.*|READLINE_.*|HOME|HOSTNAME|USER|LOGNAME|PATH|IFS|PS\d|SHELL)$/;

/** An allow rule sees through an assignment of this name with a literal value. */
export function isHarmlessName(name: string): boolean {
  return HARMLESS.test(name);
}

/** Setting this name can change which program runs, so the line is opaque. */
export function isOpaqueName(name: string): boolean {
  return OPAQUE.test(name);
}

export function isName(text: string): boolean {
  return NAME.test(text);
}

export function isShellOwn(name: string): boolean {
  return SHELL_OWN.test(name);
}
