import { createHash } from "node:crypto";

/** The signature that this server gives to a thought of a model, and demands back unchanged. */
export function seal(model: string, thought: string): string {
  return `sig-${createHash("sha256").update(`${model}\n${thought}`).digest("base64")}`;
}

export function hide(model: string, thought: string): string {
  return `enc-${Buffer.from(`${model}\n${thought}`).toString("base64")}`;
}

export function isHiddenBy(model: string, data: unknown): boolean {
  if (typeof data !== "string" || !data.startsWith("enc-")) return false;
  return Buffer.from(data.slice(4), "base64").toString().startsWith(`${model}\n`);
}
