import { CastellanError } from "../protocol/index.ts";
import type { Auth } from "./auth.ts";
import type { Provider } from "./providers.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export interface Found {
  readonly secret: string;
  readonly scheme: Auth["scheme"];
  readonly from: string;
}

/**
 * The key for one provider: from the option, else from its variables; undefined where none is set and none is needed.
 *
 * @throws `missing_key`, naming what to set; `invalid_option` for a key that no header can carry.
 */
export function findKey(
  name: string,
  usual: Provider["keys"],
  isOptional: boolean,
  { env, auth }: { readonly env: Env; readonly auth?: Auth | undefined },
): Found | undefined {
  if (auth !== undefined) {
    const secret = auth.read(env)?.trim();
    const from = auth.variable ?? "the option `auth`";
    if (secret === undefined || secret === "") {
      const what =
        auth.variable === undefined ? "The option `auth` holds an empty key." : `${from} is not set.`;
      const fix =
        auth.variable === undefined ? "Give the key." : `Set ${from}, which the option \`auth\` names.`;
      throw new CastellanError("missing_key", what, { subject: auth.variable ?? "auth", fix });
    }
    return { secret: checked(secret, from), scheme: auth.scheme, from };
  }
  for (const { variable, scheme } of usual) {
    const secret = env[variable]?.trim();
    if (secret) return { secret: checked(secret, variable), scheme, from: variable };
  }
  if (isOptional) return undefined;
  const names = usual.map(({ variable }) => variable).join(" or ");
  throw new CastellanError("missing_key", `There is no key for ${name}.`, {
    subject: usual[0]?.variable ?? "auth",
    fix: `Set ${names}, or give the option \`auth\`.`,
  });
}

/** A key that no header can carry; it is not shown. */
function checked(secret: string, from: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new CastellanError(
    "invalid_option",
    `The key from ${from} holds a space, a line break or a character beyond ASCII.`,
    { subject: from, fix: "Copy it again." },
  );
}
