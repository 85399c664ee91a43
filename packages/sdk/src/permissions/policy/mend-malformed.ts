import { parseRule } from "../rule/parse.ts";

/** What the author of a rule that cannot be read most likely meant. Undefined where that is a guess. */
export function mendMalformed(text: string): string | undefined {
  return [closed(text), trimmed(text), starMovedIn(text), domainOf(text), serverTool(text)].find(
    (each) => each !== undefined && each !== text && !("error" in parseRule(each)),
  );
}

/** `Bash(rm:*` */
function closed(text: string): string | undefined {
  return text.includes("(") && !text.includes(")") ? `${text})` : undefined;
}

function trimmed(text: string): string {
  return text.trim();
}

/** `Bash(git checkout .)*`: the star belongs inside. */
function starMovedIn(text: string): string | undefined {
  const close = text.lastIndexOf(")");
  const behind = text.slice(close + 1).trim();
  if (close < 0 || (behind !== "*" && behind !== ":*")) return undefined;
  return `${text.slice(0, close)}${behind})`;
}

/** `WebFetch(https://example.com/path)` */
function domainOf(text: string): string | undefined {
  const found =
    /^WebFetch\((?:domain:)?\s*(?:https?:\/\/)?([a-z0-9.*-]{1,253})(?::\d{1,5})?(?:\/[^)]*)?\s*\)$/iu.exec(
      text.slice(0, 2000),
    );
  return found === null ? undefined : `WebFetch(domain:${found[1]})`;
}

/** `mcp__shop(list)` */
function serverTool(text: string): string | undefined {
  const found = /^(mcp__[A-Za-z0-9_-]{1,200})\(([A-Za-z0-9_*-]{1,200})\)$/u.exec(text);
  if (found === null) return undefined;
  return (found[1] ?? "").includes("__", 5) ? found[1] : `${found[1]}__${found[2]}`;
}
