import { resolve } from "node:path";
import type { Platform } from "../../platform/index.ts";
import { CastellanError } from "../../protocol/index.ts";
import { type FilePlace, filePlaces } from "../file-places.ts";
import { readText } from "../read-file.ts";
import type {
  CompatHost,
  SettingSource,
  Settings,
  SettingsFinding,
  SettingsLayer,
  SettingsRead,
} from "../types.ts";
import { hostOfFile } from "./host-of-file.ts";
import { layerOf, type ReadLayer, tryLayer, unreadable } from "./layer-of.ts";
import { policyPlaces } from "./read-policy.ts";

/** Which settings to read. */
export interface ReadOptions {
  readonly platform: Pick<Platform, "fs">;
  /** Absolute, like the next two. */
  readonly cwd: string;
  readonly home: string;
  readonly projectRoot: string;
  /** Files beside the machine's policy, which is always read. */
  readonly sources: readonly SettingSource[];
  /** Other hosts whose folders are read as well. */
  readonly compat: readonly CompatHost[];
  /** The flag layer: an object, or the path of a file, from `cwd`. */
  readonly flag?: Settings | string | undefined;
  /** Policy that the program adds to the machine's, and the names of the options that hold it. */
  readonly managed?: readonly { readonly file: string; readonly value: Settings }[] | undefined;
}

/**
 * Reads the settings of a session. A file that is not there is no fault. One of the user, the project or the local
 * one that cannot be read is a finding and, as it may hold denies, `broken`.
 *
 * Rejects with CastellanError `invalid_settings` where the policy, or what the flag names, cannot be read.
 */
export async function readSettings(options: ReadOptions): Promise<SettingsRead> {
  const { platform, cwd, home, projectRoot, sources, compat, flag, managed } = options;
  const isHome = sources.length > 0 && sameFolder(platform, home, projectRoot);
  const policy = await Promise.all(
    (await policyPlaces(platform)).map((place) => readPlace(platform, place, strict)),
  );
  const read: (Part | undefined)[] = [...policy];
  read.push(...(managed ?? []).map((each) => layerOf({ source: "policySettings", ...each })));
  if (flag !== undefined) read.push(await readFlag(platform, flag, cwd));
  const files = filePlaces(sources, compat, { home, projectRoot, isHome });
  read.push(...(await Promise.all(files.map((place) => readPlace(platform, place, lenient)))));
  const parts = read.filter((part) => part !== undefined);
  const broken = parts.flatMap((part) => part.broken ?? []);
  return {
    layers: parts.flatMap(({ layer }) => layer ?? []),
    findings: parts.flatMap(({ findings }) => findings),
    ...(broken.length === 0 ? {} : { broken: broken.join("; ") }),
  };
}

interface Part extends Omit<ReadLayer, "layer"> {
  readonly layer?: SettingsLayer;
}

/** What comes of a file that cannot be read. */
type OnProblem = (place: FilePlace, problem: string, cause?: unknown) => Part;

const strict: OnProblem = ({ file }, problem, cause) => {
  throw unreadable(file, problem, cause);
};

const lenient: OnProblem = ({ source, file }, problem) => {
  const finding: SettingsFinding = {
    code: "unreadable",
    severity: "error",
    source,
    file,
    message: `The file cannot be read: ${problem}. It may forbid something, so every call is asked about.`,
    fix: "Mend it, or move it away.",
  };
  return { findings: [finding], broken: file };
};

async function readPlace(
  platform: Pick<Platform, "fs">,
  place: FilePlace,
  onProblem: OnProblem,
): Promise<Part | undefined> {
  const read = await readText(platform, place.file);
  if ("problem" in read) return onProblem(place, read.problem, read.cause);
  if (read.text === undefined) return undefined;
  const layer = tryLayer({ ...place, text: read.text });
  return "problem" in layer ? onProblem(place, layer.problem) : layer;
}

/** The flag layer alone. Rejects as `readSettings()`. */
export async function readFlag(
  platform: Pick<Platform, "fs">,
  flag: Settings | string,
  cwd: string,
): Promise<Part> {
  if (typeof flag !== "string") return layerOf({ source: "flagSettings", file: "settings", value: flag });
  const file = resolve(cwd, flag);
  const compat = hostOfFile(file);
  const place: FilePlace = { source: "flagSettings", file, ...(compat === undefined ? {} : { compat }) };
  const read = await readPlace(platform, place, strict);
  if (read !== undefined) return read;
  throw new CastellanError("invalid_settings", `There is no settings file ${file}.`, {
    subject: file,
    fix: "Name one that exists, or give the settings as an object.",
  });
}

function sameFolder({ fs }: Pick<Platform, "fs">, a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return fs.realpathSync(a) === fs.realpathSync(b);
  } catch {
    return false;
  }
}
