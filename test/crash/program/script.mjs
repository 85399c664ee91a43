// What the session does: the model's answers as a function of the request alone, so that any process can go on with it.

const call = (name, input) => ({ name, input });

/** The rounds, in order. Without `shell` the start of the background command was never answered. */
export function rounds(work, shell) {
  return [
    [call("Read", { file_path: `${work}/a.txt` }), call("Read", { file_path: `${work}/b.txt` })],
    [call("Edit", { file_path: `${work}/a.txt`, old_string: "one", new_string: "two" })],
    [call("note", { text: "first" })],
    [call("publish", { text: "public" })],
    [
      call("Bash", {
        command: 'echo "up in $PWD"; exec sleep 1000',
        description: "a server",
        run_in_background: true,
      }),
    ],
    [
      call("Bash", {
        command: "echo shell >> shell.txt && if [ -e hold ]; then exec sleep 1000; fi; cat b.txt",
      }),
    ],
    [
      call("Read", { file_path: `${work}/a.txt` }),
      call("note", { text: "second" }),
      call("Edit", { file_path: `${work}/b.txt`, old_string: "blue", new_string: "green" }),
      call("note", { text: "third" }),
    ],
    [
      shell === undefined
        ? call("Read", { file_path: `${work}/b.txt` })
        : call("BashOutput", { bash_id: shell }),
    ],
    [call("publish", { text: "again public" }), call("Bash", { command: "wc -l < b.txt" })],
  ];
}

/** The next answer. A publication of which nobody knows whether it happened is asked for again. */
export function answer(work, { messages }) {
  const parts = messages.flatMap((message) => message.parts);
  const calls = parts.filter(({ type, id }) => type === "toolCall" && !id.includes("again"));
  const lastRound = messages.findLast((message) => message.parts.some(({ type }) => type === "toolCall"));
  const missed = lastRound?.parts.find(({ name, id }) => name === "publish" && isUnknown(parts, id));
  if (missed !== undefined) {
    const { id, name, input } = missed;
    return { text: "Was it published? I ask for it again.", toolCalls: [{ id: `${id}-again`, name, input }] };
  }
  let seen = 0;
  for (const [at, round] of rounds(work, shellIn(parts)).entries()) {
    seen += round.length;
    if (calls.length >= seen) continue;
    return {
      text: `Step ${at}.`,
      toolCalls: round.map((each, i) => ({ id: `call_${at}_${i}`, ...each })),
    };
  }
  return "All done.";
}

function isUnknown(parts, id) {
  const result = parts.find(({ type, callId }) => type === "toolResult" && callId === id);
  return result !== undefined && JSON.stringify(result.content).includes("Outcome unknown");
}

/** The id of the background command, where its start was answered. */
function shellIn(parts) {
  for (const { type, content } of parts) {
    const found = type === "toolResult" && /background as (sh_[a-z0-9]+)/.exec(JSON.stringify(content));
    if (found) return found[1];
  }
  return undefined;
}
