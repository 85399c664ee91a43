/**
 * Where the key of a provider comes from. The key itself is in no field, so that an object of this kind can be
 * printed or logged.
 */
export interface Auth {
  /** `apiKey`: sent as the provider's own kind of key. `accessToken`: sent as a bearer token. */
  readonly scheme: "apiKey" | "accessToken";
  /** For messages: the variable's name, or undefined where the key was given in the program. */
  readonly variable: string | undefined;
  /** The key; undefined when the variable is not set or empty. */
  read(env: Readonly<Record<string, string | undefined>>): string | undefined;
}

const made = new WeakSet<object>();

/** A key that the program holds. */
export function apiKey(key: string): Auth {
  return fixed("apiKey", key);
}

/** The name of the variable that holds the key; it is read when a session starts. */
export function apiKeyFromEnv(variable: string): Auth {
  return fromEnv("apiKey", variable);
}

/** A bearer token that the program holds. */
export function accessToken(token: string): Auth {
  return fixed("accessToken", token);
}

/** The name of the variable that holds a bearer token; it is read when a session starts. */
export function accessTokenFromEnv(variable: string): Auth {
  return fromEnv("accessToken", variable);
}

/** Whether one of the four functions above made it. */
export function isAuth(value: unknown): value is Auth {
  return typeof value === "object" && value !== null && made.has(value);
}

function fixed(scheme: Auth["scheme"], key: string): Auth {
  return mark({ scheme, variable: undefined, read: () => (key === "" ? undefined : key) });
}

function fromEnv(scheme: Auth["scheme"], variable: string): Auth {
  return mark({
    scheme,
    variable,
    read(env) {
      const key = Object.hasOwn(env, variable) ? env[variable] : undefined;
      return key === "" ? undefined : key;
    },
  });
}

function mark(auth: Auth): Auth {
  made.add(auth);
  return Object.freeze(auth);
}
