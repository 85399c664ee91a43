import { type Decoded, known, literal } from "../words/decoded.ts";
import { type Carrying, NO_CARRYING } from "./carrying.ts";

/** What the tools of `cmake -E` are called elsewhere. */
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["copy", ["cp"]],
  ["copy_if_different", ["cp"]],
  ["copy_directory", ["cp", "-r"]],
  ["copy_directory_if_different", ["cp", "-r"]],
  ["create_symlink", ["ln", "-s"]],
  ["create_hardlink", ["ln"]],
  ["rename", ["mv"]],
  ["remove", ["rm"]],
  ["remove_directory", ["rm", "-r"]],
  ["make_directory", ["mkdir"]],
  ["touch_nocreate", ["touch"]],
  ["compare_files", ["cmp"]],
]);

/** `cmake -E tool words`: a tool of its own, or a command. */
export function carriedByCmake(words: readonly Decoded[]): Carrying | undefined {
  if (known(words[0]) !== "-E") return undefined;
  const tool = words[1];
  const name = known(tool);
  if (tool === undefined || name === undefined) return { ...NO_CARRYING, dynamic: true, sure: false };
  const at = name === "time" ? 2 : name === "chdir" ? 3 : undefined;
  const spelt = TOOLS.get(name)?.map((word) => literal(word)) ?? [tool];
  const inner = at === undefined ? [...spelt, ...words.slice(2)] : words.slice(at);
  const command = { words: inner, transparent: false, moved: name === "chdir" };
  return { ...NO_CARRYING, sure: false, commands: inner.length === 0 ? [] : [command] };
}
