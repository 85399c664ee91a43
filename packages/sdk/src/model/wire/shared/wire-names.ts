/** Ids and names of a session as a provider accepts them, whoever made them. */

export interface IdRule {
  readonly longest: number;
  /** SHA-256 in hex. */
  sha256(text: string): string;
}

const PLAIN = /^[a-zA-Z0-9_-]+$/;

/** The id itself where the provider takes it, else always the same other one. */
export function wireId(id: string, { longest, sha256 }: IdRule): string {
  return id.length <= longest && PLAIN.test(id) ? id : `call_${sha256(id).slice(0, 24)}`;
}

/** A model may have called a tool by a name that no tool can have; its history must still be sent. */
export function wireName(name: string): string {
  if (name.length <= 64 && PLAIN.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown";
}

/** What stands for a message of the user that holds nothing: without it an answer would end the history. */
export const NOTHING_SAID = "(empty message)";
