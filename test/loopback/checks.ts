/** Small checks that the validators of the three formats share. Each returns the complaint, or undefined. */

export type Complaint = string | undefined;
export type Loose = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function first<T>(items: readonly T[], check: (item: T, index: number) => Complaint): Complaint {
  for (const [index, item] of items.entries()) {
    const complaint = check(item, index);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

export function onlyKeys(at: string, value: unknown, keys: readonly string[]): Complaint {
  if (!isObject(value)) return `${at}: Input should be an object`;
  const extra = Object.keys(value).find((key) => !keys.includes(key));
  return extra === undefined ? undefined : `${at}.${extra}: Extra inputs are not permitted`;
}

export const NAME: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

export function isJson(text: unknown): boolean {
  if (typeof text !== "string") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const IMAGE_URL: RegExp = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/;
