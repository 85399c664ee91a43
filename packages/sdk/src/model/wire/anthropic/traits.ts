/** What a Claude model takes, told by its name. */
export interface AnthropicTraits {
  /** `adaptive`: the model decides. `budget`: it needs a number of tokens. `either`: both are taken. */
  readonly thinking: "none" | "budget" | "either" | "adaptive";
  /** Thinking is on unless it is switched off, so that `disabled` must be said. */
  readonly thinksByDefault: boolean;
  /** `disabled` is refused. */
  readonly alwaysThinks: boolean;
  readonly effort: boolean;
  /** `xhigh` and `max` are known. */
  readonly highEfforts: boolean;
  /** Needs the header that lets it think between tool calls. */
  readonly interleavedHeader: boolean;
  readonly mostOutput: number;
}

/** Output tokens when nobody says: enough for a long file, and little enough for the older context windows. */
export const DEFAULT_OUTPUT = 32_000;

const FOREIGN: AnthropicTraits = {
  thinking: "budget",
  thinksByDefault: false,
  alwaysThinks: false,
  effort: false,
  highEfforts: false,
  interleavedHeader: false,
  mostOutput: DEFAULT_OUTPUT,
};

/** A Claude without a number gets what the newest ones take; another model behind this format the oldest forms. */
export function anthropicTraits(model: string): AnthropicTraits {
  if (!model.includes("claude")) return FOREIGN;
  const version = versionOf(model);
  const at = (least: number): boolean => version >= least;
  const haiku = model.includes("haiku");
  return {
    thinking: at(4.7) ? "adaptive" : at(4.6) ? "either" : at(3.7) ? "budget" : "none",
    thinksByDefault: at(5),
    alwaysThinks: at(5) && (/fable|mythos/.test(model) || (model.includes("opus") && at(5.5))),
    effort: at(4.6) || (model.includes("opus") && at(4.5)),
    highEfforts: at(4.6) && !(haiku && !at(5)),
    interleavedHeader: at(4) && !at(4.6),
    mostOutput: at(4.6)
      ? 128_000
      : at(4.5) || (at(3.7) && !model.includes("opus"))
        ? 64_000
        : oldOutput(version),
  };
}

function oldOutput(version: number): number {
  return version >= 4 ? 32_000 : version >= 3.5 ? 8_192 : 4_096;
}

/** `claude-opus-4-5-20251101` is 4.5, `claude-3-7-sonnet-latest` 3.7, `claude-sonnet-4-20250514` 4. */
function versionOf(model: string): number {
  const found = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (found === null) return Number.POSITIVE_INFINITY;
  return Number(`${found[1]}.${found[2] ?? 0}`);
}
