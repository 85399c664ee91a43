import type { Message } from "../../../protocol/index.ts";
import type { StreamOptions } from "../../port.ts";
import { filesOf, type LoadedFiles, loadFiles } from "./files.ts";

const NO_FILES: LoadedFiles = new Map();

/** Encodes each message once; a message is known by identity and never changes. */
export interface MessageCache<T> {
  /** The forms of the messages, in order; a promise only where an artifact must be read first. */
  all(
    messages: readonly Message[],
    load: StreamOptions["loadArtifact"],
  ): readonly T[] | Promise<readonly T[]>;
}

export function createMessageCache<T>(encode: (message: Message, files: LoadedFiles) => T): MessageCache<T> {
  const known = new WeakMap<Message, T>();

  function put(message: Message, files: LoadedFiles): T {
    const form = encode(message, files);
    known.set(message, form);
    return form;
  }

  return {
    all(messages, load) {
      const forms: T[] = [];
      for (const message of messages) {
        const form = known.get(message);
        if (form !== undefined) forms.push(form);
        else if (needsLoading(message)) return later(messages, load);
        else forms.push(put(message, NO_FILES));
      }
      return forms;
    },
  };

  async function later(
    messages: readonly Message[],
    load: StreamOptions["loadArtifact"],
  ): Promise<readonly T[]> {
    const forms: T[] = [];
    // The list may grow meanwhile; this request is about what it holds now.
    for (const message of [...messages]) {
      const form = known.get(message);
      forms.push(form ?? put(message, await loadFiles(filesOf(message), load)));
    }
    return forms;
  }
}

function needsLoading(message: Message): boolean {
  return filesOf(message).some((file) => file.ref.kind === "artifact");
}
