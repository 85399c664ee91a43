import type { Arguments } from "../options.ts";
import type { Program } from "../program.ts";
import { type Decoded, known, literal } from "../words/decoded.ts";
import { baseName, destinationOf } from "./destination.ts";
import type { Judgement } from "./judgement.ts";

/** Where a program of the tables may leave links. */
export function linksOf(program: Program, given: Arguments): Pick<Judgement, "links" | "copiesLinks"> {
  const { entry } = program;
  if (entry.links === "anywhere") return { links: "anywhere" };
  if (entry.links !== "last") return {};
  const copies = entry.operands === "remove" || program.recursive.size > 0;
  const keeps = given.options.some((option) =>
    /^(?:-[rRadPsl]|--recursive|--archive|--no-dereference|--symbolic.*)$/.test(option.name),
  );
  if (entry.operands === "read" && copies && !keeps && !given.strange) return {};
  // `cp -s` makes links itself.
  const makes = given.strange || given.options.some((option) => /^(?:-[sl]|--symbolic.*)$/.test(option.name));
  const kind = copies && !makes ? { copiesLinks: true as const } : {};
  const option = destinationOf(given)?.value;
  const last = given.operands[given.operands.length - 1];
  const place = option ?? last;
  const alone = given.operands.length < 2 && option === undefined;
  // `ln -s a/b` leaves a link `b` here.
  if (place === undefined || (alone && copies)) return { links: "anywhere" };
  const folder = known(place);
  const sources = option === undefined && !alone ? given.operands.slice(0, -1) : given.operands;
  const below = (directory: string, raw: string): readonly Decoded[] =>
    sources.map((source) => {
      const base = baseName(source);
      return literal(raw, base === undefined ? (directory === "" ? "." : directory) : `${directory}${base}`);
    });
  if (alone) return { links: below("", place.raw), ...kind };
  // Only a directory can be spelt so, or take several.
  const isDirectory = option !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(folder ?? "x");
  if (folder === undefined || !isDirectory) return { links: [place], ...kind };
  return { links: below(`${folder.replace(/\/+$/, "")}/`, place.raw), ...kind };
}
