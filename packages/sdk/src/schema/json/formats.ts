import { isIpv4, isIpv6 } from "./formats-ip.ts";

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;
const ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+$/;
const URI = /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]*$/i;

/** The formats that are checked. Every other `format` is a note for the model. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date-time", isDateTime],
  ["date", isDate],
  ["time", isTime],
  ["email", isEmail],
  ["uri", isUri],
  ["uuid", (text: string) => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["hostname", isHostname],
]);

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = month === "02" && leap ? 29 : (DAYS[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= days;
}

// RFC 3339: an offset is required, and second 60 stands only at 23:59 UTC.
function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (parts === null) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  return /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) => label.length <= 63 && LABEL.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (at < 1 || local.length > 64) return false;
  const quoted = /^"([\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(local);
  if (!quoted && !local.split(".").every((atom) => ATOM.test(atom))) return false;
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1);
    return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
  }
  return isHostname(domain);
}

function isUri(text: string): boolean {
  if (!URI.test(text) || /%(?![0-9a-f]{2})/i.test(text)) return false;
  return /^(https?|wss?|ftp):/i.test(text) ? /^\w+:\/\/[^/?#]/.test(text) && URL.canParse(text) : true;
}
