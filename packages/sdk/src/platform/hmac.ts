import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** HMAC-SHA256 of a text, in hex. */
export function hmacOf(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

/** Compares two texts in a time that tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** 32 bytes that nobody can guess. */
export function newKey(): Uint8Array {
  return randomBytes(32);
}
