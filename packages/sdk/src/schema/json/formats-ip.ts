/** Four decimal numbers up to 255, none with a leading zero. */
export function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Eight groups of hex digits, `::` once for a run of zero groups, an IPv4 address in place of the last two. */
export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    const last = parts.at(-1) ?? "";
    const endsInIpv4 = index === halves.length - 1 && last.includes(".");
    if (endsInIpv4 && !isIpv4(last)) return false;
    const hexParts = endsInIpv4 ? parts.slice(0, -1) : parts;
    if (!hexParts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return false;
    groups += hexParts.length + (endsInIpv4 ? 2 : 0);
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}
