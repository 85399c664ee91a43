import { join } from "node:path";
import type { Platform } from "../../../platform/index.ts";
import { CastellanError } from "../../../protocol/index.ts";
import { codeOf, isMissing, storeFailed } from "../store-errors.ts";

const LOG = "log.jsonl";
/** No session can have this name: a safe id has no dot. */
const LABEL = "label.txt";
/** Projects that a store remembers. */
const MOST_PREPARED = 1000;
const SAFE_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The folder of one session. */
export interface Place {
  readonly sessionId: string;
  readonly project: string;
  readonly folder: string;
  readonly log: string;
  /** The folder was made by this look-up, and nobody has been in it before. */
  readonly isNew: boolean;
}

/** Where sessions lie: `<root>/<project>/<id>/log.jsonl`. */
export interface Places {
  find(sessionId: string): Promise<Place | undefined>;
  /** Makes the folder. @throws `invalid_option` for an id that is no safe name, `store_failed`. */
  make(sessionId: string, project: string): Promise<Place>;
  all(project?: string): Promise<Place[]>;
  /** Where the log of a session is or will be. @throws `invalid_option` for an id that is no safe name. */
  locate(sessionId: string, project: string): string;
}

/** Folders are made with mode 0700. The label of a project stands in a file of its own, since a folder's name cannot hold every label. */
export function createPlaces(platform: Pick<Platform, "fs" | "ids" | "sha256">, root: string): Places {
  const { fs } = platform;
  /** Labels whose folder was made, or found in order, by this store. */
  const prepared = new Set<string>();

  function place(sessionId: string, project: string, projectFolder: string): Place {
    const folder = join(root, projectFolder, sessionId);
    return { sessionId, project, folder, log: join(folder, LOG), isNew: false };
  }

  async function find(sessionId: string): Promise<Place | undefined> {
    if (!SAFE_ID.test(sessionId)) return undefined;
    for (const projectFolder of await names(root)) {
      const folder = join(root, projectFolder, sessionId);
      if (await exists(folder)) return place(sessionId, await label(projectFolder), projectFolder);
    }
    return undefined;
  }

  function newPlace(sessionId: string, project: string): Place {
    if (!SAFE_ID.test(sessionId)) throw unsafeId(sessionId);
    return place(sessionId, project, folderName(platform, project));
  }

  async function make(sessionId: string, project: string): Promise<Place> {
    const made = newPlace(sessionId, project);
    try {
      if (!prepared.has(project)) await prepare(project);
      let isNew = await makeFolder(made.folder);
      if (isNew === undefined) {
        // The project's folder was deleted since.
        await prepare(project);
        isNew = await makeFolder(made.folder);
      }
      return { ...made, isNew: isNew ?? false };
    } catch (error) {
      throw storeFailed(made.folder, "Making the folder", error);
    }
  }

  /** Before the session's folder: whoever finds that finds its label too. */
  async function prepare(project: string): Promise<void> {
    const folder = join(root, folderName(platform, project));
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await keepLabel(join(folder, LABEL), project);
    if (prepared.size >= MOST_PREPARED) prepared.clear();
    prepared.add(project);
  }

  /** Whether it is a new one; undefined where the folder around it is missing. */
  async function makeFolder(folder: string): Promise<boolean | undefined> {
    try {
      await fs.mkdir(folder, { mode: 0o700 });
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async function all(project?: string): Promise<Place[]> {
    const folders = project === undefined ? await names(root) : [folderName(platform, project)];
    const found: Place[] = [];
    for (const projectFolder of folders) {
      const ids = (await names(join(root, projectFolder))).filter((id) => SAFE_ID.test(id));
      if (ids.length === 0) continue;
      const itsLabel = project ?? (await label(projectFolder));
      for (const id of ids) found.push(place(id, itsLabel, projectFolder));
    }
    return found;
  }

  async function label(projectFolder: string): Promise<string> {
    try {
      return await fs.readFile(join(root, projectFolder, LABEL), "utf8");
    } catch {
      return projectFolder;
    }
  }

  /** Written aside and renamed: a full disk must not leave an empty label for good. */
  async function keepLabel(path: string, text: string): Promise<void> {
    const known = await fs.readFile(path, "utf8").catch(() => undefined);
    if (known === text) return;
    const draft = `${path}.${platform.ids.short("label")}.tmp`;
    try {
      await fs.writeFile(draft, text, { flag: "wx", mode: 0o600 });
      await fs.rename(draft, path);
    } catch (error) {
      await fs.rm(draft, { force: true });
      throw error;
    }
  }

  async function names(folder: string): Promise<string[]> {
    try {
      return await fs.readdir(folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw storeFailed(folder, "Reading the folder", error);
    }
  }

  async function exists(folder: string): Promise<boolean> {
    try {
      return (await fs.stat(folder)).isDirectory();
    } catch (error) {
      if (isMissing(error)) return false;
      throw storeFailed(folder, "Looking at", error);
    }
  }

  return { find, make, all, locate: (sessionId, project) => newPlace(sessionId, project).log };
}

/** Readable, and one of its own for each label on every disk: the last words, and a digest of the whole. */
function folderName(platform: Pick<Platform, "sha256">, label: string): string {
  const words = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(-48)
    .replace(/^-+|-+$/g, "");
  const digest = platform.sha256(label).slice(0, 12);
  return words === "" ? digest : `${words}-${digest}`;
}

function unsafeId(sessionId: string): CastellanError {
  return new CastellanError(
    "invalid_option",
    `The session id ${JSON.stringify(sessionId)} cannot name a folder.`,
    {
      subject: "sessionId",
      fix: "Use 1 to 128 letters, digits, `-` and `_`.",
    },
  );
}
