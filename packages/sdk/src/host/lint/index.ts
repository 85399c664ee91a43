export { fixSettings } from "./fix-settings.ts";
export { lint } from "./lint-settings.ts";
export { revoke } from "./revoke.ts";
