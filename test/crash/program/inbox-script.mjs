// What the session with the inbox does: answers as a function of the request alone. A step is done when a request follows
// it; a summary tells the highest one.

export const MESSAGE = "And mind the weather.";

const row = { name: "row" };
const send = (text) => ({ name: "send", input: { text } });
const note = (text) => ({ name: "note", input: { text } });

/** By what a call says it is known what becomes of it; see the decisions of the test. */
const steps = [
  [send("one"), note("free"), send("not this")],
  [row, row],
  [row, row],
  [row, row],
  [send("edit me")],
  [send("more"), note("beside")],
  [row, row],
  [send("like"), send("like too")],
];

export function answer({ system, tools, messages }) {
  const done = Math.max(
    0,
    ...[...JSON.stringify(messages).matchAll(/step\W{1,4}(\d+)/g)].map(([, n]) => Number(n)),
  );
  if (tools.length === 0 && system[0].startsWith("You sum up")) {
    return { isSummary: true, text: `All is done up to step ${done}.` };
  }
  const calls = steps[done];
  if (calls === undefined) return { text: "All done." };
  return {
    calls: calls.map(({ name, input }, i) => ({
      id: `call_${done + 1}_${i}`,
      name,
      input: { step: done + 1, ...input },
    })),
  };
}
