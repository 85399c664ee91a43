const FREE_DEVICE = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;

/** Devices that are as harmless as a pipe: `/dev/null` and the program's own streams. No rule is about them. */
export function isFreeDevice(path: string): boolean {
  return path.startsWith("/dev/") && FREE_DEVICE.test(path);
}
