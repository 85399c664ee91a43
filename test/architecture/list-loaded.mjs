// Prints, as a JSON list, every module that importing the given file loads: ES modules by their URL, CommonJS
// modules by their path, and Node's own modules that stand behind a flag or a native library.
import { createRequire, register } from "node:module";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";

const hook = `
  let port;
  export const initialize = (data) => { port = data.port; };
  export const load = (url, context, next) => { port.postMessage(url); return next(url, context); };
`;
const { port1, port2 } = new MessageChannel();
register(`data:text/javascript,${encodeURIComponent(hook)}`, {
  data: { port: port2 },
  transferList: [port2],
});

await import(pathToFileURL(resolve(process.argv[2] ?? "")).href);

const loaded = [];
for (let message = receiveMessageOnPort(port1); message; message = receiveMessageOnPort(port1)) {
  loaded.push(message.message);
}
port1.close();
loaded.push(...Object.keys(createRequire(import.meta.url).cache));
loaded.push(...process.moduleLoadList.filter((name) => name.includes("sqlite")));
process.stdout.write(`\n${JSON.stringify(loaded)}\n`);
