import { findingOf, placeOf } from "../../policy/finding.ts";
import { NOTHING, type RuleCheck, type WorldCheck } from "../check.ts";
import { runsAnything } from "./programs.ts";
import { isSecretPath } from "./secret-path.ts";

/** Keys and tokens by their shape, and what stands behind words that announce one. */
const SECRETS: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{16,}/gu,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/gu,
  /\bgithub_pat_\w{20,}/gu,
  /\bglpat-[\w-]{16,}/gu,
  /\bnpm_[A-Za-z0-9]{30,}/gu,
  /\bhf_[A-Za-z0-9]{20,}/gu,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /\bAIza[\w-]{30,}/gu,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/gu,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/gu,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/gu,
  /(?<=\bbearer\s)[\w.~+/-]{12,}=*/giu,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@*$]{3,}(?=@)/gu,
  /(?<=\b\w{0,40}(?:password|passwd|secret|token|api_?key|access_?key)=["']?)[^\s"'$*)<{]{6,}/giu,
  /(?<=--?(?:password|passwd|token|api-key|secret)[= ]["']?)[^\s"'$*)<{-][^\s"'$*)<{]{5,}/giu,
];

/** A rule is short; what is longer is not looked through. */
const MOST = 8192;

/** The text with what looks like a key, token or password blotted out. */
export function withoutSecrets(text: string): string {
  if (text.length > MOST) return `${withoutSecrets(text.slice(0, MOST))}…`;
  return SECRETS.reduce((rest, secret) => rest.replace(secret, "‹secret›"), text);
}

/** Whether a text holds what looks like a key, token or password. */
export function holdsSecret(text: string): boolean {
  const start = text.slice(0, MOST);
  return SECRETS.some((secret) => start.search(secret) >= 0);
}

/** Keys, tokens and passwords. */
export const secretInRule: RuleCheck = ({ rule }) => {
  if (!holdsSecret(rule.text)) return NOTHING;
  const message =
    "It holds what looks like a key, token or password. Settings files are read by many, and rules stand in logs.";
  return [
    findingOf(rule, "secret-in-rule", message, {
      fix: "Take it out, let the command read it from the environment, and replace the secret.",
    }),
  ];
};

/** Read denies of secrets beside programs that read what they like. */
export const secretBehindInterpreter: WorldCheck = ({ subjects, sandboxed }) => {
  if (sandboxed) return NOTHING;
  const secrets = subjects.filter(
    ({ rule, family, specifier }) =>
      rule.behavior === "deny" && family === "read" && specifier !== undefined && isSecretPath(specifier),
  );
  const first = secrets[0];
  if (first === undefined) return NOTHING;
  const more = secrets.length === 1 ? "" : ` and ${secrets.length - 1} more`;
  return subjects
    .filter((subject) => runsAnything(subject) !== undefined)
    .map(({ rule }) =>
      findingOf(
        rule,
        "secret-behind-interpreter",
        `What it runs can read files that ${first.rule.text} (${placeOf(first.rule)})${more} keeps from tools and known readers.`,
        { fix: "Turn the sandbox on, or allow only the scripts that are meant." },
      ),
    );
};
