/** The IANA zone that this machine is set to; "UTC" where that is not told. */
export function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}
