/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object: what every tool input is after validation. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12), kept as plain data. */
export type JsonSchema = { [key: string]: unknown };
