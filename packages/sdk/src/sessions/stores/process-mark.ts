export { processMark } from "../../platform/index.ts";
