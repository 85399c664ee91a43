// A process that decides: one line in names an approval, one line out says what came of it.
import { createInterface } from "node:readline";
import { approvalsOf } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { sqliteStore } from "@castellan/sdk/stores/sqlite";

const { kind, home, by } = JSON.parse(process.argv[2]);
const store = (kind === "SQLite" ? sqliteStore : jsonlStore)({ home });
const inbox = approvalsOf(store);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, approves, options } = JSON.parse(line);
  let came = "won";
  try {
    if (approves) await inbox.approve(id, { by, ...options });
    else await inbox.reject(id, { by, ...options });
  } catch (error) {
    came = error.code ?? String(error);
  }
  process.stdout.write(`${JSON.stringify({ id, came })}\n`);
}
await store.close();
