// The demo's model: a script that answers from what has happened so far, as a model would.
// A module of turns for `--model scripted:<file>`; it works on the project that src/demo/scratch.ts lays out.

/** Every tool call of the history with its result, oldest first. */
function callsSoFar(request) {
  const results = new Map();
  for (const message of request.messages) {
    if (message.role !== "tool") continue;
    for (const part of message.parts) results.set(part.callId, part);
  }
  const calls = [];
  for (const message of request.messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.parts) {
      if (part.type !== "toolCall") continue;
      const result = results.get(part.id);
      calls.push({
        name: part.name,
        input: part.input,
        failed: result?.isError === true,
        text: (result?.content ?? []).map((piece) => piece.text ?? "").join("\n"),
      });
    }
  }
  return calls;
}

const call = (text, ...toolCalls) => ({ text, toolCalls });
const runTests = { name: "Bash", input: { command: "node --test", description: "Run the tests" } };

/** The next answer, whatever was allowed, denied or edited on the way here. */
export function next(request) {
  const calls = callsSoFar(request);
  const made = (name, fits = () => true) => calls.filter((each) => each.name === name && fits(each.input));
  const tests = made("Bash", (input) => input.command === "node --test");
  const secret = made("Bash", (input) => input.command === "cat .env");
  const example = made("Read", (input) => input.file_path === ".env.example");
  const edits = made("Edit");

  if (tests.length === 0) return call("I'll run the tests first, to see what fails.", runTests);
  if (made("Grep").length === 0) {
    return call("One test fails. I'll find where free shipping is decided.", {
      name: "Grep",
      input: { pattern: "shippingCost", output_mode: "content", "-n": true },
    });
  }
  if (made("Read").length === 0) {
    return call(
      "I'll read the function and its test side by side.",
      { name: "Read", input: { file_path: "src/shipping.js" } },
      { name: "Read", input: { file_path: "test/shipping.test.js" } },
    );
  }
  if (secret.length === 0) {
    return call("The threshold comes from the environment. I'll look at what is set.", {
      name: "Bash",
      input: { command: "cat .env", description: "Show the settings" },
    });
  }
  if (secret[0].failed && example.length === 0) {
    return call("I may not read .env. The documented defaults will do.", {
      name: "Read",
      input: { file_path: ".env.example" },
    });
  }
  if (edits.length === 0) {
    return call("The comparison leaves out the threshold itself: `>` should be `>=`.", {
      name: "Edit",
      input: {
        file_path: "src/shipping.js",
        old_string: "return total > freeFrom ? 0 : 5;",
        new_string: "return total >= freeFrom ? 0 : 5;",
      },
    });
  }
  if (edits[0].failed) {
    return `I did not change anything, so the test still fails. The answer to my edit was: ${edits[0].text}`;
  }
  if (tests.length === 1) return call("Now the tests again.", runTests);
  if (tests[1].failed) return `The tests still fail after the edit:\n${tests[1].text}`;
  if (made("log_fix").length === 0) {
    return call("Green. I'll note the fix with the project's own tool.", {
      name: "log_fix",
      input: { file: "src/shipping.js", summary: "An order of exactly the threshold ships free." },
    });
  }
  return "Fixed: an order of exactly the threshold now ships free. All tests pass; .env was never read.";
}

// As many turns as any path needs, and some to spare.
export const turns = Array.from({ length: 16 }, () => next);
