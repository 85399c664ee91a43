import process from "node:process";

const began = performance.now();
await import("@castellan/sdk");
process.stdout.write(String(performance.now() - began));
