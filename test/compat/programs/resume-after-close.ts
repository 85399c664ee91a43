// Ends a session, goes on with it by its id, and forks it. With an id as argument: goes on with that one only.
import { type Options, query, type SDKMessage, type SDKSystemMessage } from "@castellan/sdk";

const options: Options = { tools: [] };

async function answer(prompt: string, more: Options = {}): Promise<{ text: string; id: string }> {
  const session = query({ prompt, options: { ...options, ...more } });
  let id = "";
  let text = "";
  for await (const message of session) {
    if (isInit(message)) id = message.session_id;
    if (message.type === "result" && message.subtype === "success") text = message.result;
  }
  await session.close();
  return { text, id };
}

function isInit(message: SDKMessage): message is SDKSystemMessage {
  return message.type === "system" && message.subtype === "init";
}

const [given] = process.argv.slice(2);
if (given === undefined) {
  const first = await answer("Remember the word heron.");
  const second = await answer("Which word?", { resume: first.id });
  const fork = await answer("Forget the word.", { resume: first.id, forkSession: true });
  console.log([first.text, second.text, fork.text].join(", "));
  console.log(
    `resumed under its id: ${second.id === first.id}, forked under its id: ${fork.id === first.id}`,
  );
  console.log(first.id);
} else {
  console.log((await answer("Which word, once more?", { resume: given })).text);
}
