import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";

const ECHO = "(request) => JSON.stringify(request.messages.at(-1).parts.map((part) => part.text))";
const MB = 1024 * 1024;

async function promptOf(argument: readonly string[], input: string): Promise<unknown> {
  const place = await scratch();
  const { code, stdout, stderr } = await runCli(
    place,
    ["run", ...argument, "--model", await place.module(ECHO)],
    { input },
  );
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

describe("the prompt", () => {
  it.each([
    { name: "is the argument", argument: ["do it"], input: "", prompt: "do it" },
    { name: "is what is piped in", argument: [], input: "do it\n", prompt: "do it\n" },
    {
      name: "is both, with a blank line between",
      argument: ["sum up"],
      input: "a\nb\n",
      prompt: "sum up\n\na\nb\n",
    },
    { name: "leaves white space alone that is piped in", argument: ["do it"], input: " \n", prompt: "do it" },
  ])("$name", async ({ argument, input, prompt }) => {
    expect(await promptOf(argument, input)).toEqual([prompt]);
  });

  it("takes 10 MB, and characters that are cut by the pipe's pieces", async () => {
    const place = await scratch();
    const model = await place.module(
      "(request) => String(request.messages.at(-1).parts[0].text.replaceAll('ä', '').length)",
    );
    const input = "ä".repeat(5 * MB);
    const { code, stdout } = await runCli(place, ["run", "--model", model], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "0\n" });
  });

  it("refuses more than 10 MB", async () => {
    const place = await scratch();
    const input = new Uint8Array(10 * MB + 1).fill(97);
    const { code, stdout, stderr } = await runCli(
      place,
      ["run", "go", "--model", await place.script(["x"])],
      { input },
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Standard input is over 10 MB.");
    expect(await place.events()).toEqual([]);
  });

  it("says what it waits for while standard input stays open", async () => {
    const place = await scratch();
    const end = await runCli(place, ["run", "go", "--model", await place.script(["Done."])], {
      input: null,
      started: (child) => child.stderr?.once("data", () => child.stdin?.end("now")),
    });
    expect(end).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(end.stderr).toMatch(/^castellan: waiting for the end of standard input/);
  });
});
