import type { ShellAnalysis, ShellCommand, ShellPath } from "../protocol/index.ts";

// For tests: an analysis as lines of text.

/** Commands with what is not plain about them, then paths, hosts and what cannot be seen through. */
export function shown({ commands, paths, hosts, opaque, blank, normalised, line }: ShellAnalysis): string[] {
  return [
    ...commands.flatMap(commandLines),
    ...paths.map(pathLine),
    ...hosts.map(({ host, command }) => `host ${host ?? "?"} #${command}`),
    ...opaque.map(({ code, text }) => `! ${code}: ${flat(text)}`),
    ...(blank ? ["blank"] : []),
    ...(commands.length === 1 && normalised === commands[0]?.text
      ? []
      : normalised === line
        ? []
        : [`= ${flat(normalised)}`]),
  ];
}

function commandLines(command: ShellCommand): string[] {
  const { index, text, readOnly, needs, editLike, bare, callsFunction, carrier, transparentCarrier } =
    command;
  const { allowForms, denyForms, unknownForms, assignments } = command;
  const marks = [
    readOnly ? ` reads${needs === undefined ? "" : ` if ${needs}`}` : "",
    editLike ? " edits" : "",
    bare ? " bare" : "",
    callsFunction ? " function" : "",
    carrier === undefined ? "" : ` ${transparentCarrier ? "through" : "in"} #${carrier}`,
  ].join("");
  const asWritten = allowForms.length === 1 && allowForms[0] === text;
  return [
    `#${index} ${flat(text)}${marks === "" ? "" : `  :${marks}`}`,
    ...(asWritten
      ? []
      : allowForms.length === 0
        ? ["  allow nothing"]
        : allowForms.map((form) => `  allow ${flat(form)}`)),
    ...denyForms.filter((form) => !allowForms.includes(form)).map((form) => `  deny ${flat(form)}`),
    ...unknownForms.map(({ pieces }) => `  maybe ${pieces.map(flat).join("…")}`),
    ...assignments.map(
      ({ name, value, harmless }) =>
        `  set ${name}=${flat(value.value ?? "?")}${harmless ? " harmless" : ""}`,
    ),
  ];
}

function pathLine(path: ShellPath): string {
  const { access, command, by, glob, unknown, from, recursive, base, maybe, links } = path;
  const where =
    from === undefined ? " from ?" : from.length === 1 && from[0] === "" ? "" : ` from ${from.join(" | ")}`;
  return [
    `${access} ${flat(path.path)}`,
    glob ? " glob" : "",
    unknown ? " unknown" : "",
    recursive ? " tree" : "",
    base ? ` in ${base}` : "",
    where,
    maybe ? ` maybe ${maybe.join(" | ")}` : "",
    links
      ? ` links ${links.map((link) => `${link.path ?? "?"}@${link.command}${link.copied ? " copied" : ""}`).join(" | ")}`
      : "",
    ` #${command}`,
    by === "operand" ? "" : ` ${by}`,
  ].join("");
}

function flat(text: string): string {
  return text.replaceAll("\n", "⏎").replaceAll("\t", "⇥");
}
