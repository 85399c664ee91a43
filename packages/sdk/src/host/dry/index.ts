export { check, explain } from "./check.ts";
export { listRules } from "./list-rules.ts";
export { testPolicy } from "./test-policy.ts";
