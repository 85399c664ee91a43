/**
 * What is known about a command line after parsing it, and nothing about any policy or disk.
 *
 * Closed by construction: whatever is not understood stands in `opaque`, and an empty
 * `commands` with `blank: false` must never be taken for "nothing runs".
 */
export interface ShellAnalysis {
  /** The line as it was given. */
  readonly line: string;
  /** True when the line holds only blanks and comments. */
  readonly blank: boolean;
  /** Every simple command anywhere in the line, in source order, inner ones after their carrier. */
  readonly commands: readonly ShellCommand[];
  /** Every reason why the line cannot be seen through; empty when it can. */
  readonly opaque: readonly Opacity[];
  /** The whole line, blanks normalised outside quotes: what a rule with an operator is compared with. */
  readonly normalised: string;
  /** Files that the line touches: redirects, and operands of known readers, writers and walkers. */
  readonly paths: readonly ShellPath[];
  /** Hosts named by known network programs. `host: undefined` when the URL is not literal. */
  readonly hosts: readonly ShellHost[];
}

export interface Opacity {
  readonly code: string;
  /** The piece of the line that is not understood, at most 200 characters. */
  readonly text: string;
  /** One sentence for a person. */
  readonly why: string;
}

/** A word of a command. `value` is absent when it is not known before the line runs. */
export interface ShellWord {
  /** As written, quotes included. */
  readonly raw: string;
  /** After quote removal and expansion of what is known; absent when unknown. */
  readonly value?: string;
  /** The word holds an unquoted `*`, `?` or `[…]`: `value` is then its pattern text, and it may become several words. */
  readonly glob?: true;
}

export interface ShellAssignment {
  readonly name: string;
  readonly value: ShellWord;
  /** One of the few names that an allow rule sees through, with a literal value. */
  readonly harmless: boolean;
}

/** One simple command. */
export interface ShellCommand {
  /** Its place in `ShellAnalysis.commands`. */
  readonly index: number;
  /** As written with its assignments and without redirects, blanks normalised outside quotes. */
  readonly text: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  /** Texts that an allow rule may match: any one match covers the command. Never a looser one than the command itself. */
  readonly allowForms: readonly string[];
  /** Texts that deny and ask rules are tried against; always a superset of `allowForms`. */
  readonly denyForms: readonly string[];
  /** True where some form holds a word of unknown value: `unknownForms` then tells deny and ask what it might be. */
  readonly unknownForms: readonly UnknownForm[];
  /** The command that carries this one (`xargs`, `find -exec`, `sh -c`, `env`, `timeout`), if any. */
  readonly carrier?: number;
  /** The carrier is only a wrapper that an allow rule sees through: it is covered when this command is. */
  readonly transparentCarrier?: true;
  /** Covered without any rule: the read-only table knows it with exactly these flags. */
  readonly readOnly: boolean;
  /** Read-only only under the conditions that a disk look must prove. */
  readonly needs?: "git-trusted" | "cd-inside";
  /** Covered without any rule where acceptEdits holds and all its paths are inside (mkdir, touch, rm, mv, cp, sed -i with known flags). */
  readonly editLike: boolean;
  /** Has no command word: assignments alone. */
  readonly bare: boolean;
  /** A call of a function that the line defines: never covered by a rule, its body is judged. */
  readonly callsFunction?: true;
}

/** A form whose unknown words are marked: literal pieces in order, a gap between two pieces may be any text. */
export interface UnknownForm {
  readonly pieces: readonly string[];
}

export type ShellAccess = "read" | "write" | "remove" | "walk" | "list";

/** A file operand. It is relative to each of `from`, which are paths relative to where the line starts. */
export interface ShellPath {
  readonly access: ShellAccess;
  /** Decoded text; with `glob` a pattern; with `unknown` the raw text for messages only. */
  readonly path: string;
  readonly glob?: true;
  readonly unknown?: true;
  /** Directories the line may be in when this runs, as `cd` operands joined from the start (`""` = the start itself). Absent when unknown. */
  readonly from?: readonly string[];
  readonly command: number;
  readonly by: "redirect" | "operand" | "input";
  /** Recursive: the operand's whole tree is meant (`rm -r`, `cp -r`, `grep -r`). */
  readonly recursive?: true;
  /** Relative to the root of the repository that holds `from` (`git show HEAD:path`). */
  readonly base?: "repository";
  /** Of one that is `unknown`, or whose directory is: places that it may mean among others, from where the line starts. */
  readonly maybe?: readonly string[];
  /** Links that the line may have made by the time this is touched. */
  readonly links?: readonly ShellLink[];
}

/** A place where a command of the line may leave a link. */
export interface ShellLink {
  /** Relative to each of `from`; absent where that is not known before the line runs. */
  readonly path?: string;
  /** As of a path; absent when unknown. */
  readonly from?: readonly string[];
  /** The command that leaves it there. */
  readonly command: number;
  /** It is a link only if one is among what that command copies or moves. */
  readonly copied?: true;
}

export interface ShellHost {
  readonly host?: string;
  readonly command: number;
}
