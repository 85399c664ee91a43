// Loaded with the first update that is meant for a file.
export { writeUpdates } from "../../settings/index.ts";
